// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/evaluation/runcurve.h"

#include <algorithm>
#include <cmath>

#include "model/run/failures.h"
#include "model/run/loss.h"
#include "model/run/shares.h"
#include "model/scenario/phases.h"

namespace cw::evaluation {

using scenario::FailurePolicy;
using scenario::Inputs;
using scenario::Scenario;

namespace {

/// Restarts and blocking parts are rarely known better than this.
constexpr double kSpread = 0.25;
constexpr double kDaySeconds = 86400.0;

run::FailureRates<double> ratesOf(const Inputs<double>& in, const Evaluation& e)
{
    return run::failureRates(
        in, {std::max(e.runLoad.chips, 1.0), e.runLoad.switches, e.runLoad.optics});
}

run::Process<double> processAt(const Scenario& scenario, const Evaluation& e)
{
    const Inputs<double> in(scenario);
    return run::processOf(in, e.runLoad, ratesOf(in, e));
}

/// The plan with the interval of its first tier set.
Scenario withInterval(Scenario scenario, double interval)
{
    auto& tiers = scenario.reliability.checkpoints;
    if (tiers.empty())
        tiers.resize(1);
    tiers.front().interval = interval;
    return scenario;
}

void stretch(run::RestartParts<double>& r, double factor)
{
    for (auto* part : {&r.detect, &r.reschedule, &r.start, &r.restore, &r.warmUp})
        *part = *part * factor;
}

double scaledGoodput(run::Process<double> p, double factor)
{
    for (auto& tier : p.tiers)
        tier.blocking = tier.blocking * factor;
    stretch(p.replicas.stall, factor);
    for (auto& parts : p.restart)
        stretch(parts, factor);
    return run::sharesOf(p).useful;
}

CurvePoint pointOf(const run::Process<double>& p)
{
    return {p.tiers.front().interval.si(), run::sharesOf(p).useful, scaledGoodput(p, 1 + kSpread),
            scaledGoodput(p, 1 - kSpread)};
}

/// Each phase with its own process and work.
std::vector<run::Leg> legsOf(const Scenario& scenario, const Evaluation& e)
{
    if (e.phases.empty())
        return {{processOf(scenario, e), e.run.wall.si() * e.run.goodput}};
    std::vector<run::Leg> legs;
    for (std::size_t i = 0; i < e.phases.size(); ++i) {
        const Scenario phase = scenario::phasePlan(scenario, i).scenario;
        legs.push_back({processOf(phase, evaluate(phase)),
                        e.phases[i].days * kDaySeconds * e.phases[i].goodput});
    }
    return legs;
}

} // namespace

MainPhase mainPhase(const Scenario& scenario, const Evaluation& e)
{
    MainPhase p{{}, scenario, e};
    if (e.phases.empty())
        return p;
    const auto longest =
        std::max_element(e.phases.begin(), e.phases.end(),
                         [](const auto& a, const auto& b) { return a.days < b.days; });
    p.name = longest->name;
    p.scenario = scenario::phasePlan(scenario, static_cast<std::size_t>(longest - e.phases.begin()))
                     .scenario;
    p.evaluation = evaluate(p.scenario);
    return p;
}

run::Process<double> processOf(const Scenario& scenario, const Evaluation& e)
{
    return processAt(derived(scenario), e);
}

CurvePoint curveAt(const Scenario& scenario, const Evaluation& e, double interval)
{
    if (!e.phases.empty()) {
        const MainPhase main = mainPhase(scenario, e);
        return curveAt(main.scenario, main.evaluation, interval);
    }
    return pointOf(processAt(withInterval(scenario, interval), e));
}

CurvePoint planPoint(const Scenario& scenario, const Evaluation& e)
{
    if (e.phases.empty())
        return pointOf(processAt(scenario, e));
    const MainPhase main = mainPhase(scenario, e);
    return pointOf(processAt(main.scenario, main.evaluation));
}

RunCurves runCurves(const Scenario& scenario, const Evaluation& e, int count)
{
    if (!e.phases.empty()) {
        const MainPhase main = mainPhase(scenario, e);
        return runCurves(main.scenario, main.evaluation, count);
    }
    RunCurves r;
    r.plan = planPoint(scenario, e);
    Scenario free = scenario;
    if (free.reliability.checkpoints.empty())
        free.reliability.checkpoints.resize(1);
    free.reliability.checkpoints.front().interval.reset();
    const run::Process<double> best = processAt(free, e);
    r.optimum = pointOf(best);
    r.least = best.tiers.front().leastInterval.si();
    const double from = std::max(std::min(r.optimum.interval, r.plan.interval) / 10,
                                 std::min(r.least, r.optimum.interval));
    const double to = std::max(r.optimum.interval * 60, r.plan.interval * 3);
    std::vector<FailurePolicy> policies{scenario.reliability.policy};
    for (const FailurePolicy p :
         {FailurePolicy::Restart, FailurePolicy::HotSpare, FailurePolicy::DropReplica})
        if (p != policies.front())
            policies.push_back(p);
    for (const FailurePolicy policy : policies) {
        Scenario s = scenario;
        s.reliability.policy = policy;
        GoodputCurve curve;
        curve.policy = policy;
        for (int i = 0; i < count; ++i) {
            const double interval =
                from * std::pow(to / from, static_cast<double>(i) / (count - 1));
            const run::Process<double> p = processAt(withInterval(s, interval), e);
            curve.restart = run::total(p.apart ? p.replicas.stall : p.restart.front()).si();
            CurvePoint point = policy == policies.front()
                                   ? pointOf(p)
                                   : CurvePoint{0, run::sharesOf(p).useful, 0, 0};
            point.interval = interval;
            curve.points.push_back(point);
        }
        r.curves.push_back(std::move(curve));
    }
    return r;
}

std::vector<SpareStep> spareSteps(const Scenario& scenario, const Evaluation& e)
{
    const Inputs<double> in(scenario);
    const double mean = run::nodesInRepair(in, ratesOf(in, e));
    const double chips = in(scenario.cluster.node.chips);
    const double own = std::round(e.run.spareChips / chips);
    const double most = std::max({own * 1.25, std::ceil(mean + 5 * std::sqrt(mean)), 4.0});
    const double step = std::max(1.0, std::ceil(most / 8));
    std::vector<SpareStep> steps;
    for (double nodes = 0; nodes <= most + step / 2; nodes += step) {
        // The plan's own number stands in the place of the step nearest to it.
        const bool here =
            std::fabs(nodes - own) <= step / 2 && (steps.empty() || !steps.back().plan);
        const double n = here ? own : nodes;
        steps.push_back({n * chips, run::poissonAtMost(mean, n), here});
    }
    return steps;
}

std::vector<LossCurve> lossCurves(const Scenario& scenario, const Evaluation& e, int count)
{
    using scenario::LossLaw;
    const Inputs<double> in(scenario);
    std::vector<LossLaw> laws{scenario.workload.lossLaw};
    // Kaplan's has another text and no floor, the custom one is of other runs: not drawn together.
    for (const LossLaw law : {LossLaw::ChinchillaCorrected, LossLaw::Chinchilla})
        if (law != laws.front() && laws.front() != LossLaw::JointMoe)
            laws.push_back(law);
    std::vector<LossCurve> curves;
    const double tokens = e.run.tokens.si();
    const double worth = tokens > 0 ? e.forecast.effectiveTokens / tokens : 0.0;
    if (!(worth > 0) || !(e.forecast.effectiveParameters > 0))
        return curves;
    const run::ExpertLoad<double> load{e.parameters.total, e.parameters.active,
                                       e.flops.modelPerRun};
    for (const LossLaw law : laws) {
        const auto terms = run::lawTerms(in, law);
        LossCurve curve;
        curve.law = law;
        for (int i = 0; i < count; ++i) {
            const double at = tokens * std::pow(0.01, 1.0 - static_cast<double>(i) / (count - 1));
            // What experts are worth may hang on what is trained by then.
            run::ExpertLoad<double> there = load;
            there.compute = load.compute * (at / tokens);
            curve.points.emplace_back(
                at, run::lossAt(terms,
                                run::countedParameters(in, laws.front(),
                                                       scenario.workload.expertRule, there),
                                at * worth));
        }
        curves.push_back(std::move(curve));
    }
    return curves;
}

Month simulateMonth(const Scenario& scenario, const Evaluation& e, std::uint64_t seed)
{
    constexpr double kHour = 3600.0;
    Month m;
    const MainPhase main = mainPhase(scenario, e);
    m.phase = main.name;
    m.story = run::tellRun(processOf(main.scenario, main.evaluation), 30 * 24 * kHour, seed);
    std::vector<int> failures(m.story.hours.size(), 0);
    for (const double at : m.story.failures)
        if (const auto hour = static_cast<std::size_t>(at / kHour); hour < failures.size())
            ++failures[hour];
    // An hour that tells: several interruptions, and work between them.
    const auto tells = [&](std::size_t hour) {
        const bool worked = m.story.hours[hour] >= 0.5 * m.story.goodput;
        return std::pair(worked && failures[hour] > 0, failures[hour]);
    };
    for (std::size_t hour = 1; hour < failures.size(); ++hour)
        if (tells(hour) > tells(static_cast<std::size_t>(m.toldHour)))
            m.toldHour = static_cast<int>(hour);
    double squares = 0;
    for (const double hour : m.story.hours)
        squares += (hour - m.story.goodput) * (hour - m.story.goodput);
    if (!m.story.hours.empty())
        m.spread = std::sqrt(squares / static_cast<double>(m.story.hours.size()));
    return m;
}

run::Simulation simulateRun(const Scenario& scenario, const Evaluation& e, int runs,
                            std::uint64_t seed, const run::SimulationProgress& progress)
{
    return run::simulate(legsOf(scenario, e), runs, seed, progress);
}

} // namespace cw::evaluation
