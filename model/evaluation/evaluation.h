// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/cost/cost.h"
#include "model/facility/power.h"
#include "model/memory/ledger.h"
#include "model/network/linkloads.h"
#include "model/network/placement.h"
#include "model/network/topology.h"
#include "model/network/traffic.h"
#include "model/run/loss.h"
#include "model/run/run.h"
#include "model/run/storage.h"
#include "model/scenario/checks.h"
#include "model/scenario/layout.h"
#include "model/scenario/scenario.h"
#include "model/step/steptime.h"
#include "model/transformer/counts.h"

namespace cw::evaluation {

/// What an expert would say of a plan that can run: a code of the message catalogue.
struct Note
{
    std::string path; ///< of the parameter it is about
    std::string rule; ///< stable code and key of its message
    std::map<std::string, std::string> arguments;
    /// A change that mends it, as paths and values for setValue; empty where none is known.
    std::vector<std::pair<std::string, std::string>> change;
    bool warning = false;
};

/// An interval around a prediction.
struct Band
{
    std::string quantity;
    double low = 0;
    double high = 0;
    double coverage = 0.8;
    std::string from;     ///< key of the text that says what it rests on
    std::size_t rows = 0; ///< measured rows that it rests on
};

/// One phase of the run, with its own step.
template <class T>
struct PhaseOf
{
    std::string name;
    units::Tokens<T> tokens;
    T sequenceLength{};
    T batchSequences{}; ///< after the ramp
    units::Seconds<T> step;
    T mfu{};
    units::TokensPerSecond<T> rate; ///< over the phase, its ramp included, while it trains
    T rampDays{};                   ///< wall time of the ramp
    T days{};
    T goodput{};
    units::Bytes<T> reserved; ///< device memory
    memory::Verdict verdict = memory::Verdict::Fits;
    units::Joules<T> energy;
    T cost{};
};

/// What the spares take: those of the plan, or those it would need on top.
template <class T>
struct SpareCost
{
    T capital{};
    units::Watts<T> power; ///< idle
};

/// Everything about one plan. Each member is computed even where the plan cannot run.
template <class T>
struct EvaluationOf
{
    bool feasible = false; ///< no violation, and memory fits or is borderline
    std::vector<scenario::Violation> violations;
    std::vector<Note> advice;
    std::vector<Band> bands;

    scenario::Layout<T> layout;
    transformer::ParameterCounts<T> parameters;
    transformer::FlopCounts<T> flops;
    memory::MemoryLedger<T> memory;
    network::Placement<T> placement;
    network::Topology<T> topology;
    network::Traffic<T> traffic;
    step::StepTime<T> step;
    step::Throughput<T> throughput;
    T hostLinkUtilization{};
    run::RunLoad<T> runLoad; ///< what the run was told of the step
    run::Run<T> run;
    run::Forecast<T> forecast;
    run::Returns<T> returns;
    run::StorageUse<T> storage;
    std::vector<PhaseOf<T>> phases; ///< empty where the plan lists none
    SpareCost<T> spares;
    facility::Power<T> power;
    facility::Cooling<T> cooling;
    cost::Cost<T> cost;
};

using Evaluation = EvaluationOf<double>;

/// The evaluation of a plan. A pure function: the same plan gives the same doubles on every thread.
Evaluation evaluate(const scenario::Scenario& scenario);

/// Memory and step alone, for searches and maps: the other members are left at zero, and an uneven
/// pipeline is timed by its closed form.
Evaluation evaluateCore(const scenario::Scenario& scenario);

/// The loads of all links in classes, for the picture of the machine: up to some milliseconds.
network::LinkLoads linkLoads(const scenario::Scenario& scenario, const Evaluation& evaluation);

/// The plan with what evaluation derives before it starts: a shape scaled to `model.scale_to`.
scenario::Scenario derived(const scenario::Scenario& scenario);

/// Costs of the passes of the plan's step, for drawing its timeline.
step::TimelineInput timelineOf(const scenario::Scenario& scenario);

std::string_view nameOf(memory::Verdict verdict); ///< "fits", "borderline", "does-not-fit"

} // namespace cw::evaluation
