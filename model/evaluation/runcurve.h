// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/evaluation/evaluation.h"
#include "model/run/process.h"
#include "model/run/simulate.h"

// What the Run page and `simulate` show beside the evaluation: the run as a process, its goodput
// against the checkpoint interval, and a run played out.

namespace cw::evaluation {

/// A plan as its curves and its month are drawn: of a plan with phases the phase that takes
/// longest, with its own step.
struct MainPhase
{
    std::string name; ///< empty: the plan has no phases
    scenario::Scenario scenario;
    Evaluation evaluation;
};
MainPhase mainPhase(const scenario::Scenario& scenario, const Evaluation& e);

/// The run of an evaluated plan as a process (model/run/process.h); of a plan with phases, with the
/// step of the plan itself.
run::Process<double> processOf(const scenario::Scenario& scenario, const Evaluation& e);

struct CurvePoint
{
    double interval = 0; ///< seconds, of the first tier
    double goodput = 0;
    double low = 0;  ///< with restarts and blocking parts a quarter longer
    double high = 0; ///< and a quarter shorter
};

struct GoodputCurve
{
    scenario::FailurePolicy policy = scenario::FailurePolicy::Restart;
    double restart = 0; ///< seconds of one restart of it
    std::vector<CurvePoint> points;
};

struct RunCurves
{
    std::vector<GoodputCurve> curves; ///< the plan's policy first, then the others
    CurvePoint plan;                  ///< where the plan stands
    CurvePoint optimum;               ///< best interval, not below `least`
    double least = 0;                 ///< shortest interval: a step, or the drain of a save
};

/// Goodput over intervals from a tenth of the best to a hundred times it, `count` points a curve.
RunCurves runCurves(const scenario::Scenario& scenario, const Evaluation& e, int count = 72);
/// Where the plan stands, as in the curves.
CurvePoint planPoint(const scenario::Scenario& scenario, const Evaluation& e);
/// One point of the plan's own curve.
CurvePoint curveAt(const scenario::Scenario& scenario, const Evaluation& e, double interval);

/// Spares from none to well beyond what the plan has, with the share of time they suffice.
struct SpareStep
{
    double chips = 0;
    double coverage = 0;
    bool plan = false;
};
std::vector<SpareStep> spareSteps(const scenario::Scenario& scenario, const Evaluation& e);

/// The forecast loss along the run, by the laws of one family.
struct LossCurve
{
    scenario::LossLaw law = scenario::LossLaw::ChinchillaCorrected;
    std::vector<std::pair<double, double>> points; ///< tokens, loss in nats
};
/// The plan's law first, then the fits of the same runs; from a hundredth of the tokens on.
std::vector<LossCurve> lossCurves(const scenario::Scenario& scenario, const Evaluation& e,
                                  int count = 40);

/// A month of the run as it may go, with the spread of its hours.
struct Month
{
    run::Story story;
    std::string phase; ///< that it is of, where the plan has phases
    double spread = 0; ///< standard deviation of the goodput of an hour
    int toldHour = 0;  ///< of those that are half as good as the mean, the one with most going on
};
Month simulateMonth(const scenario::Scenario& scenario, const Evaluation& e, std::uint64_t seed);

/// `runs` simulated runs of the plan's work, each phase with its own step.
run::Simulation simulateRun(const scenario::Scenario& scenario, const Evaluation& e, int runs,
                            std::uint64_t seed, const run::SimulationProgress& progress = {});

} // namespace cw::evaluation
