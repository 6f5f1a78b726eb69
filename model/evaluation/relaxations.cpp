// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "model/evaluation/limits.h"
#include "model/evaluation/memoryrule.h"

namespace cw::evaluation {

using scenario::Scenario;
using scenario::Value;

namespace {

using Candidates = std::vector<std::pair<std::string, Value>>;

Value number(double x)
{
    return Value(x);
}
Value name(const char* text)
{
    return Value(std::string(text));
}

Value half(std::int64_t x)
{
    return number(std::max(1.0, std::floor(static_cast<double>(x) / 2)));
}

Value doubled(std::int64_t x)
{
    return number(2.0 * static_cast<double>(x));
}

/// The plan's overlaps and one more.
Value overlapWith(const Scenario& s, scenario::Overlap more)
{
    std::vector<std::string> names;
    for (const scenario::Overlap o : s.software.overlap)
        names.emplace_back(scenario::nameOf(o));
    names.emplace_back(scenario::nameOf(more));
    return Value(std::move(names));
}

Candidates batchCandidates(const Scenario& s)
{
    return {{"workload.global_batch_sequences", half(s.workload.globalBatchSequences)},
            {"workload.jobs", doubled(s.workload.jobs)},
            {"parallelism.pipeline", doubled(s.parallelism.pipeline)},
            {"parallelism.context", doubled(s.parallelism.context)}};
}

Candidates communicationCandidates(const Scenario& s, std::string_view kind)
{
    const auto& p = s.parallelism;
    const auto more = number(2.0 * static_cast<double>(s.workload.globalBatchSequences));
    if (kind == "tensor")
        return {{"software.overlap", overlapWith(s, scenario::Overlap::Tensor)},
                {"parallelism.tensor", half(p.tensor)}};
    if (kind == "context")
        return {{"software.overlap", overlapWith(s, scenario::Overlap::Context)},
                {"parallelism.context", half(p.context)}};
    if (kind == "expert")
        return {{"software.overlap", overlapWith(s, scenario::Overlap::Expert)},
                {"precision.dispatch", name("fp8")},
                {"parallelism.expert", half(p.expert)},
                {"parallelism.schedule", name("dualpipe")}};
    if (kind == "data")
        return {{"software.overlap", overlapWith(s, scenario::Overlap::Data)},
                {"software.overlap", overlapWith(s, scenario::Overlap::DataGather)},
                {"precision.gradient_reduce", name("bf16")},
                {"parallelism.zero_stage", number(1)},
                {"workload.global_batch_sequences", more}};
    return {{"parallelism.pipeline", half(p.pipeline)},
            {"parallelism.schedule", name("zero-bubble-h1")},
            {"parallelism.schedule", name("dualpipe")},
            {"parallelism.virtual_stages", half(p.virtualStages)},
            {"parallelism.virtual_stages", number(2.0 * static_cast<double>(p.virtualStages))},
            {"workload.global_batch_sequences", more}};
}

/// Larger products: more rows, fewer slices.
Candidates efficiencyCandidates(const Scenario& s)
{
    const auto& p = s.parallelism;
    Candidates c{{"parallelism.micro_batch_sequences", doubled(p.microBatchSequences)},
                 {"parallelism.tensor", half(p.tensor)},
                 {"parallelism.context", half(p.context)},
                 {"parallelism.pipeline", half(p.pipeline)}};
    if (p.expert > 1) {
        c.emplace_back("parallelism.expert", doubled(p.expert));
        c.emplace_back("parallelism.expert_tensor", number(1));
    }
    return c;
}

/// None, the usual choice, and each part that is computed again left out.
Candidates recomputeCandidates(const Scenario& s)
{
    using Names = std::vector<std::string>;
    Candidates c{{"parallelism.recompute", Value(Names{})},
                 {"parallelism.recompute", Value(Names{"selective"})}};
    const auto now = scenario::valueAt(s, "parallelism.recompute");
    const Names* parts = now ? std::get_if<Names>(&*now) : nullptr;
    for (std::size_t i = 0; parts && parts->size() > 1 && i < parts->size(); ++i) {
        Names rest = *parts;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        c.emplace_back("parallelism.recompute", Value(std::move(rest)));
    }
    return c;
}

/// Other policies, and for an interval that the plan sets the best, half and double.
Candidates failureCandidates(const Scenario& s)
{
    Candidates c{{"reliability.policy", name("hot-spare")},
                 {"reliability.policy", name("drop-replica")}};
    for (std::size_t i = 0; i < s.reliability.checkpoints.size(); ++i) {
        const auto& interval = s.reliability.checkpoints[i].interval;
        if (!interval)
            continue;
        const std::string path = "reliability.checkpoints." + std::to_string(i) + ".interval_s";
        c.emplace_back(path, Value());
        c.emplace_back(path, number(*interval / 2));
        c.emplace_back(path, number(*interval * 2));
    }
    return c;
}

Candidates offloadCandidates(const Scenario& s)
{
    const scenario::Offload& o = s.parallelism.offload;
    return {{"parallelism.offload.optimizer", number(o.optimizer / 2)},
            {"parallelism.offload.activations", number(o.activations / 2)},
            {"parallelism.offload.experts", number(o.experts / 2)},
            {"parallelism.offload.target", name("host")},
            {"parallelism.offload.target", name("pool")},
            {"parallelism.micro_batch_sequences",
             number(2.0 * static_cast<double>(s.parallelism.microBatchSequences))}};
}

Candidates storageCandidates(const Scenario& s)
{
    Candidates c{
        {"storage.prefetch_steps", number(2)},
        {"storage.loader_core_share", number(1)},
        {"storage.checkpoints_kept",
         number(std::max(1.0, std::floor(static_cast<double>(s.storage.checkpointsKept) / 2)))}};
    for (std::size_t i = 0; i < s.storage.pools.size(); ++i) {
        const std::string at = "storage.pools." + std::to_string(i);
        c.emplace_back(at + ".read_bandwidth", number(2 * s.storage.pools[i].readBandwidth));
        c.emplace_back(at + ".capacity_bytes", number(2 * s.storage.pools[i].capacityBytes));
    }
    return c;
}

Candidates candidatesFor(const Scenario& s, std::string_view kind)
{
    if (kind == "memory")
        return memoryCandidates(s);
    if (kind == "batch")
        return batchCandidates(s);
    if (kind == "host-link")
        return offloadCandidates(s);
    if (kind == "storage")
        return storageCandidates(s);
    if (kind == "failures")
        return failureCandidates(s);
    if (kind == "efficiency" || kind == "streams")
        return efficiencyCandidates(s);
    if (kind == "recompute")
        return recomputeCandidates(s);
    if (kind == "jitter")
        return {};
    if (kind == "latency")
        return {{"software.graphs", name("partial")},
                {"software.graphs", name("full")},
                {"parallelism.micro_batch_sequences",
                 number(2.0 * static_cast<double>(s.parallelism.microBatchSequences))}};
    if (kind == "cooling")
        return {{"facility.cooling", name("direct-liquid")},
                {"facility.rack_chips",
                 number(std::max(1.0, std::floor(static_cast<double>(s.facility.rackChips) / 2)))}};
    if (kind == "power")
        return {{"cluster.chips", number(std::floor(static_cast<double>(s.cluster.chips) / 2))},
                {"facility.heat_rejection", name("dry-cooler")},
                {"facility.cooling", name("direct-liquid")}};
    return communicationCandidates(s, kind);
}

/// How much of a limit a plan has; 0 where it has none of it.
double weightOf(const std::vector<Limit>& limits, const Limit& like)
{
    for (const Limit& l : limits)
        if (l.kind == like.kind)
            return l.weight + (l.binding && l.weight == 0 ? 1e-9 : 0);
    return 0;
}

/// Cost of the run to the loss that a small batch reaches with the same tokens: a larger batch is
/// faster and needs more of them.
double merit(const Evaluation& e)
{
    return e.cost.perRun.si() * (1 + e.forecast.batchPrice);
}

/// It is paid in time alone, not in what the plan cannot do without.
bool costsTime(const Limit& limit)
{
    return limit.unit == units::Unit::Seconds || limit.kind == "failures";
}

/// Violations but that of the memory, which is a limit of its own.
std::ptrdiff_t otherFaults(const Evaluation& e)
{
    return std::count_if(e.violations.begin(), e.violations.end(),
                         [](const auto& v) { return !isMemoryRule(v.rule); });
}

std::optional<Relaxation> relaxationOf(const Limit& limit, const Scenario& plan,
                                       const Evaluation& before)
{
    std::optional<Relaxation> best;
    const double weight = weightOf({limit}, limit);
    for (const auto& [path, value] : candidatesFor(plan, limit.kind)) {
        Scenario changed = plan;
        const auto now = scenario::valueAt(plan, path);
        if (!now || *now == value || scenario::setValue(changed, path, value))
            continue;
        Evaluation after = evaluate(changed);
        if (otherFaults(after) > 0 && otherFaults(after) >= otherFaults(before))
            continue;
        if (before.feasible && !after.feasible)
            continue;
        if (costsTime(limit) && before.feasible && !(merit(after) < merit(before)))
            continue;
        if (!(weightOf(limitsOf(changed, after), limit) < 0.99 * weight))
            continue;
        if (!best || merit(after) < merit(best->after))
            best = Relaxation{path, value, std::move(after)};
    }
    return best;
}

} // namespace

void findRelaxations(std::vector<Limit>& limits, const Scenario& scenario,
                     const Evaluation& evaluation)
{
    for (Limit& limit : limits)
        if (limit.binding || limit.weight >= kWorthTelling)
            limit.relax = relaxationOf(limit, scenario, evaluation);
}

} // namespace cw::evaluation
