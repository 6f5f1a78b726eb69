// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/explore/fill.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "model/evaluation/evaluation.h"
#include "model/explore/layouts.h"
#include "model/run/loss.h"
#include "model/scenario/domainfit.h"
#include "model/scenario/presets.h"

namespace cw::explore {

using evaluation::Evaluation;
using evaluation::Filled;
using scenario::Scenario;

namespace {

constexpr int kMostSizes = 8;
constexpr std::int64_t kMostChips = 100'000'000;

double real(std::int64_t n)
{
    return static_cast<double>(n);
}

std::int64_t jobsOf(const Scenario& s)
{
    return std::max<std::int64_t>(s.workload.jobs, 1);
}

/// Chips of one replica of all jobs.
std::int64_t replicaOf(const Scenario& s)
{
    const scenario::Parallelism& p = s.parallelism;
    return std::max<std::int64_t>(p.tensor * p.context * p.pipeline, 1) * jobsOf(s);
}

double meterOf(const Scenario& s)
{
    return evaluation::evaluate(s).power.maximum.facility.si();
}

/// The plan on `chips`, with as many sequences for each replica as it has now.
Scenario sized(const Scenario& plan, double perReplica, std::int64_t chips)
{
    Scenario s = plan;
    s.cluster.chips = chips;
    s.cluster.spareChips.reset();
    s.parallelism.data.reset();
    const auto replicas =
        std::max<std::int64_t>(static_cast<std::int64_t>(scenario::mostReplicas(s)), 1);
    const double sequences = std::max(1.0, std::round(perReplica)) * real(replicas);
    s.workload.globalBatchSequences = static_cast<std::int64_t>(sequences);
    return s;
}

/// The most chips, a multiple of `unit`, whose power stays within `watts` and which the network
/// reaches; at least one unit.
/// Power goes with the chips but for whole racks and switches: a few looks find them.
std::int64_t chipsWithin(const Scenario& plan, double perReplica, std::int64_t unit, double watts)
{
    std::int64_t units = 1;
    std::int64_t fits = 1;
    const std::int64_t most = std::max<std::int64_t>(kMostChips / unit, 1);
    for (int i = 0; i < kMostSizes; ++i) {
        const double power = meterOf(sized(plan, perReplica, units * unit));
        if (power <= watts)
            fits = std::max(fits, units);
        const double each = std::max(power / real(units), 1e-3);
        const auto next = static_cast<std::int64_t>(std::clamp(watts / each, 1.0, real(most)));
        if (next == units || (power <= watts && next < units))
            break;
        units = next;
    }
    // No more than the network reaches: the others would stand there unused.
    const auto reached = [&](std::int64_t n) {
        const auto violations = evaluation::evaluate(sized(plan, perReplica, n * unit)).violations;
        return std::none_of(violations.begin(), violations.end(),
                            [](const auto& v) { return v.rule == "rule.network-reach"; });
    };
    if (!reached(fits) && reached(1)) {
        std::int64_t within = 1;
        while (fits - within > 1) {
            const std::int64_t middle = within + (fits - within) / 2;
            (reached(middle) ? within : fits) = middle;
        }
        fits = within;
    }
    return fits * unit;
}

/// The layout that suits the machine, on the chips that it uses; nothing where none fits.
std::optional<Scenario> suited(const Scenario& plan, unsigned threads)
{
    const Scenario shape = evaluation::derived(plan);
    const scenario::Inputs<double> in(shape);
    const double critical = shape.workload.criticalBatchTokens
                                ? *shape.workload.criticalBatchTokens
                                : run::criticalBatch(in, shape.workload.trainingTokens);
    const LayoutSearched found = bestLayout(shape, {critical, threads});
    if (!found.best)
        return {};
    Scenario s = plan;
    s.parallelism = found.best->plan.parallelism;
    s.workload.globalBatchSequences = found.best->plan.workload.globalBatchSequences;
    const std::int64_t node = std::max<std::int64_t>(s.cluster.node.chips, 1);
    const double data = real(s.parallelism.data.value_or(1));
    const double ranks = real(replicaOf(s) / jobsOf(s)) * data;
    const auto needed = static_cast<std::int64_t>(scenario::domainFit(s, data).chipsFor(ranks));
    s.cluster.chips = std::min(s.cluster.chips, (needed + node - 1) / node * node);
    return s;
}

} // namespace

Filled fill(const Scenario& plan, std::string_view system, double watts, unsigned threads)
{
    const Evaluation before = evaluation::evaluate(plan);
    const double perReplica =
        real(plan.workload.globalBatchSequences) / std::max(before.layout.data, 1.0);
    Filled filled;
    filled.system = std::string(system);
    filled.plan = plan;
    if (!system.empty())
        scenario::applyPreset(filled.plan, "cluster", system);
    const std::int64_t node = std::max<std::int64_t>(filled.plan.cluster.node.chips, 1);
    const std::int64_t chips = chipsWithin(filled.plan, perReplica, node, watts);
    Scenario machine = sized(filled.plan, perReplica, chips);
    if (const auto layout = suited(machine, threads)) {
        filled.plan = *layout;
        filled.searched = true;
    } else {
        const std::int64_t whole = replicaOf(filled.plan);
        filled.plan =
            sized(filled.plan, perReplica, chipsWithin(filled.plan, perReplica, whole, watts));
    }
    filled.evaluation = evaluation::evaluate(filled.plan);
    const Evaluation& e = filled.evaluation;
    filled.effective = e.power.flopsPerJoule * e.power.average.facility.si();
    return filled;
}

} // namespace cw::explore
