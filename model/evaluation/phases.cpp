// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/evaluation/phases.h"

#include <algorithm>
#include <cmath>

#include "model/evaluation/compute.h"
#include "model/scenario/phases.h"
#include "model/units/text.h"

namespace cw::evaluation {

using explain::named;
using explain::Traced;
using explain::valueOf;
using scenario::Inputs;
using scenario::Scenario;
using units::Seconds;
using units::Unit;

namespace {

/// Useful seconds that the ramp of a phase takes; nothing where it has none.
template <class T>
T rampSeconds(const Inputs<T>& in, const scenario::Phase& phase, const EvaluationOf<T>& full)
{
    const Scenario& plan = in.plan();
    const double unit = std::max(valueOf(full.layout.data), 1.0) *
                        static_cast<double>(plan.parallelism.microBatchSequences);
    const auto to = static_cast<double>(plan.workload.globalBatchSequences);
    const double from = std::min(static_cast<double>(*phase.rampFromSequences), to);
    const double tokens = std::min(phase.rampTokens, phase.trainingTokens);
    // Levels are timed by the closed form, and measured against the closed form of the full batch,
    // so that a ramp that starts full costs nothing.
    const T steady = compute(in, Extent::Core).throughput.tokens.si();
    T seconds(0.0);
    for (int i = 0; i < kRampLevels; ++i) {
        const double wanted = from + (to - from) * (i + 0.5) / kRampLevels;
        Scenario level = plan;
        level.workload.globalBatchSequences = std::max<std::int64_t>(
            1, std::llround(std::max(1.0, std::round(wanted / unit)) * unit));
        const Inputs<T> there = in.with(level);
        const EvaluationOf<T> core = compute(there, Extent::Core);
        seconds = seconds + steady / core.throughput.tokens.si();
    }
    return T(tokens / kRampLevels) * seconds / full.throughput.tokens.si() * in(plan.workload.jobs);
}

/// Mean of a share over the phases, by their wall time.
template <class T>
struct Mean
{
    T sum{};
    void add(const T& value, const Seconds<T>& wall) { sum = sum + value * wall.si(); }
};

template <class T>
void addLost(const run::Run<T>& from, const T& times, run::Run<T>& to)
{
    using Lost = run::LostTime<T>;
    using Other = run::OtherLost<T>;
    for (units::Seconds<T> Lost::*part :
         {&Lost::startUp, &Lost::save, &Lost::lostProgress, &Lost::detection, &Lost::restore,
          &Lost::stragglers, &Lost::healthChecks, &Lost::other})
        to.lost.*part += from.lost.*part * times;
    for (units::Seconds<T> Other::*part : {&Other::warmUp, &Other::corruption, &Other::replicasAway,
                                           &Other::repairWait, &Other::fragmentation})
        to.otherLost.*part += from.otherLost.*part * times;
}

/// Adds a phase's power over the run to the mean, and what its chips do.
template <class T>
void addAverage(const facility::Power<T>& from, const T& share, facility::Power<T>& to)
{
    using Parts = facility::PowerParts<T>;
    using Use = facility::ChipUse<T>;
    for (units::Watts<T> Parts::*part :
         {&Parts::chip, &Parts::host, &Parts::nic, &Parts::fans, &Parts::nvme, &Parts::psuLoss,
          &Parts::switches, &Parts::optics, &Parts::storage, &Parts::network, &Parts::it,
          &Parts::upsLoss, &Parts::cooling, &Parts::other, &Parts::transformerLoss,
          &Parts::facility})
        to.average.*part += from.average.*part * share;
    for (units::Watts<T> Use::*part : {&Use::matrix, &Use::memory, &Use::communication, &Use::idle})
        to.chipUse.*part += from.chipUse.*part * share;
}

} // namespace

template <class T>
Phases<T>::Phases(const Inputs<T>& in, const Throttle& throttle)
{
    m_jobs = in(in.plan().workload.jobs);
    const auto& phases = in.plan().workload.phases;
    for (std::size_t i = 0; i < phases.size(); ++i) {
        const Scenario plan = scenario::phasePlan(in.plan(), i).scenario;
        const Inputs<T> here = in.with(plan);
        Part part;
        part.name = phases[i].name;
        part.whole = compute(here, Extent::Whole, nullptr, throttle);
        part.sequenceLength = here(plan.workload.sequenceLength);
        part.batch = here(plan.workload.globalBatchSequences);
        part.slower = T(1.0);
        if (phases[i].rampFromSequences && phases[i].rampTokens > 0.0) {
            part.rampTime = rampSeconds(here, phases[i], part.whole);
            const auto& run = part.whole.run;
            const T useful = run.wall.si() * run.goodput;
            const T share(std::min(1.0, phases[i].rampTokens / plan.workload.trainingTokens));
            part.slower = (useful * (1.0 - share) + part.rampTime) / useful;
        }
        m_parts.push_back(std::move(part));
    }
}

template <class T>
void Phases<T>::addRun(EvaluationOf<T>& e) const
{
    run::Run<T>& r = e.run;
    r.lost = {};
    r.otherLost = {};
    r.wall = Seconds<T>(T(0.0));
    r.tokens = units::Tokens<T>(T(0.0));
    T useful(0.0);
    Mean<T> mfu;
    Mean<T> failures;
    Mean<T> busy;
    e.flops.modelPerRun = units::Flop<T>(T(0.0));
    for (const Part& p : m_parts) {
        const run::Run<T>& one = p.whole.run;
        const Seconds<T> wall = one.wall * p.slower;
        r.wall += wall;
        r.tokens += one.tokens;
        useful = useful + wall.si() * one.goodput;
        mfu.add(one.effectiveMfu / p.slower, wall);
        failures.add(one.interruptionsPerDay, wall);
        busy.add(one.lostBusyShare, wall);
        addLost(one, p.slower, r);
        e.flops.modelPerRun += p.whole.flops.modelPerRun;
    }
    constexpr double kDay = 86400.0;
    r.tokens = named("run.tokens", Unit::Tokens, r.tokens);
    r.wall = named("run.wall_s", Unit::Seconds, r.wall);
    r.goodput = named("run.goodput", Unit::Share, useful / r.wall.si());
    r.effectiveMfu = named("run.effective_mfu", Unit::Share, mfu.sum / r.wall.si());
    r.interruptionsPerDay =
        named("run.interruptions_per_day", Unit::None, failures.sum / r.wall.si());
    r.lostBusyShare = busy.sum / r.wall.si();
    r.days = named("run.days", Unit::Days, r.wall.si() / kDay);
}

template <class T>
void Phases<T>::addPower(EvaluationOf<T>& e) const
{
    facility::Power<T>& p = e.power;
    p.average = {};
    p.chipUse = {};
    p.energyPerRun = units::Joules<T>(T(0.0));
    p.carbon = units::Kilograms<T>(T(0.0));
    p.embodiedCarbon = units::Kilograms<T>(T(0.0));
    for (const Part& part : m_parts) {
        const facility::Power<T>& one = part.whole.power;
        const T share = part.whole.run.wall * part.slower / e.run.wall;
        addAverage(one, share, p);
        p.energyPerRun += one.energyPerRun * part.slower;
        p.carbon += one.carbon * part.slower;
        p.embodiedCarbon += one.embodiedCarbon * part.slower;
    }
    using std::max;
    const T joules = max(p.energyPerRun.si(), T(1e-9));
    p.average.facility = named("power.average.facility_w", Unit::Watts, p.average.facility);
    p.pue = named("power.pue", Unit::None, p.average.facility / p.average.it);
    p.energyPerRun = named("power.energy_j_per_run", Unit::Joules, p.energyPerRun);
    p.flopsPerJoule = named("power.flops_per_joule", Unit::FlopPerJoule,
                            e.flops.modelPerRun.si() * m_jobs / joules);
    p.tokensPerJoule =
        named("power.tokens_per_joule", Unit::TokensPerJoule, e.run.tokens.si() * m_jobs / joules);
}

template <class T>
void Phases<T>::addSite(EvaluationOf<T>& e) const
{
    constexpr double kDay = 86400.0;
    e.cost.perRun = units::Money<T>(T(0.0));
    for (auto& part : e.cost.parts)
        part.perRun = units::Money<T>(T(0.0));
    for (const Part& p : m_parts) {
        const EvaluationOf<T>& one = p.whole;
        PhaseOf<T> told;
        told.name = p.name;
        told.tokens = one.run.tokens;
        told.sequenceLength = p.sequenceLength;
        told.batchSequences = p.batch;
        told.step = one.step.time;
        told.mfu = one.runLoad.mfu;
        told.days = one.run.days * p.slower;
        told.goodput = one.run.goodput;
        told.rampDays = p.rampTime / one.run.goodput / kDay;
        told.rate = one.run.tokens / (one.run.wall * (p.slower * one.run.goodput));
        told.reserved = one.memory.reserved;
        told.verdict = one.memory.verdict;
        told.energy = one.power.energyPerRun * p.slower;
        told.cost = one.cost.perRun.si() * p.slower;
        e.cost.perRun += one.cost.perRun * p.slower;
        for (std::size_t i = 0; i < cost::kPartCount; ++i)
            e.cost.parts[i].perRun += one.cost.parts[i].perRun * p.slower;
        e.phases.push_back(std::move(told));
    }
}

namespace {

/// Tokens that a phase does not have, and a ramp that does not fit it.
void checkTokens(const scenario::Phase& phase, const Scenario& plan, const std::string& path,
                 std::vector<scenario::Violation>& found)
{
    const auto whole = [](double x) {
        return units::rounded(x, 12);
    };
    if (!(phase.trainingTokens > 0))
        found.push_back(
            {path + ".training_tokens", "rule.phase-empty", {{"name", phase.name}}, {}});
    if (!phase.rampFromSequences || !(phase.rampTokens > 0))
        return;
    if (phase.rampTokens > phase.trainingTokens)
        found.push_back({path + ".ramp_tokens",
                         "rule.ramp-tokens",
                         {{"name", phase.name},
                          {"value", units::rounded(phase.rampTokens, 6)},
                          {"whole", units::rounded(phase.trainingTokens, 6)}},
                         {phase.trainingTokens}});
    const auto from = static_cast<double>(*phase.rampFromSequences);
    const auto batch = static_cast<double>(plan.workload.globalBatchSequences);
    const scenario::Parallelism& p = plan.parallelism;
    const double unit = static_cast<double>(p.data ? *p.data : scenario::derivedData(plan)) *
                        static_cast<double>(p.microBatchSequences);
    if (from > batch)
        found.push_back({path + ".ramp_from_sequences",
                         "rule.ramp-from",
                         {{"name", phase.name}, {"value", whole(from)}, {"whole", whole(batch)}},
                         {batch}});
    else if (unit > 0 && std::fmod(from, unit) != 0)
        found.push_back({path + ".ramp_from_sequences",
                         "rule.ramp-divides",
                         {{"name", phase.name}, {"value", whole(from)}, {"degree", whole(unit)}},
                         {std::max(1.0, std::round(from / unit)) * unit}});
}

} // namespace

std::vector<scenario::Violation> checkPhases(const Scenario& plan, const Evaluation& e)
{
    std::vector<scenario::Violation> found;
    double tokens = 0;
    for (std::size_t i = 0; i < plan.workload.phases.size(); ++i) {
        tokens += plan.workload.phases[i].trainingTokens;
        const std::string path = "workload.phases." + std::to_string(i) + ".set";
        const scenario::PhasePlan phase = scenario::phasePlan(plan, i);
        checkTokens(plan.workload.phases[i], phase.scenario, "workload.phases." + std::to_string(i),
                    found);
        for (const scenario::PhaseFault& f : phase.faults)
            found.push_back({path,
                             "rule.phase-setting",
                             {{"name", plan.workload.phases[i].name},
                              {"value", f.path + " = " + f.value},
                              {"allowed", f.refusal.allowed}},
                             {}});
        for (scenario::Violation v : scenario::checkPlan(phase.scenario)) {
            v.path = path;
            found.push_back(std::move(v));
        }
        if (i < e.phases.size() && e.phases[i].verdict == memory::Verdict::DoesNotFit)
            found.push_back({path,
                             "rule.phase-memory",
                             {{"name", plan.workload.phases[i].name},
                              {"value", units::rounded(e.phases[i].reserved.si() / 0x1p30, 4)},
                              {"allowed", units::rounded(e.memory.usable.si() / 0x1p30, 4)}},
                             {}});
    }
    if (!plan.workload.phases.empty() &&
        std::fabs(tokens / plan.workload.trainingTokens - 1.0) > 1e-6)
        found.push_back({"workload.training_tokens",
                         "rule.phase-tokens",
                         {{"value", units::rounded(tokens, 6)},
                          {"whole", units::rounded(plan.workload.trainingTokens, 6)}},
                         {tokens}});
    return found;
}

template class Phases<double>;
template class Phases<Traced>;

} // namespace cw::evaluation
