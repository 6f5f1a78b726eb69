// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/evaluation/limits.h"

#include <algorithm>
#include <cmath>

namespace cw::evaluation {

using scenario::Scenario;
using scenario::Value;
using units::Unit;

namespace {

constexpr double kNotable = 0.05; ///< share of the step or the run from which a part binds

/// Parts of the step's time, by the kind of limit that they are.
void addTimes(const Evaluation& e, std::vector<Limit>& limits)
{
    const double step = std::max(e.step.time.si(), 1e-30);
    const auto add = [&](const char* kind, double seconds) {
        const double share = seconds / step;
        limits.push_back(
            {kind, share >= kNotable, 0.0 - seconds, Unit::Seconds, share * e.run.goodput});
    };
    add("tensor", e.step.tensorComm.si());
    add("context", e.step.contextComm.si());
    add("expert", e.step.expertComm.si());
    add("pipeline", e.step.pipelineComm.si());
    add("data", e.step.dataComm.si());
    add("bubble", e.step.bubble.si());
    add("latency", e.step.host.si());
}

void addMemory(const Evaluation& e, std::vector<Limit>& limits)
{
    const double over = e.memory.reserved / e.memory.usable;
    limits.push_back({"memory", e.memory.verdict != memory::Verdict::Fits,
                      (e.memory.usable - e.memory.reserved).si(), Unit::Bytes,
                      e.memory.verdict == memory::Verdict::DoesNotFit ? over : 0});
}

void addBatch(const Evaluation& e, std::vector<Limit>& limits)
{
    const double price = e.forecast.batchPrice;
    limits.push_back({"batch", price > 1, e.forecast.criticalBatchTokens - e.forecast.batchTokens,
                      Unit::Tokens, price / (1 + price)});
}

void addHostLink(const Evaluation& e, std::vector<Limit>& limits)
{
    const step::Offloading<double>& o = e.step.offloading;
    if (!(o.down.si() + o.up.si() > 0))
        return;
    const double share = o.stall.si() / std::max(e.step.time.si(), 1e-30);
    limits.push_back({"host-link", share >= kNotable, (o.available - o.needed).si(),
                      Unit::BytesPerSecond, share * e.run.goodput});
}

void addSite(const Scenario& s, const Evaluation& e, std::vector<Limit>& limits)
{
    const auto add = [&](const char* kind, double limit, double drawn) {
        limits.push_back(
            {kind, drawn > limit, limit - drawn, Unit::Watts, drawn > limit ? drawn / limit : 0});
    };
    add("power", e.power.gridLimit.si(), e.power.peakFacility.si());
    add("cooling", s.facility.rackPowerLimit, e.cooling.rack.si());
}

/// The fullest pool, or the step's wait for data where that is more.
void addStorage(const Scenario& s, const Evaluation& e, std::vector<Limit>& limits)
{
    const double share = e.step.dataLoading.si() / std::max(e.step.time.si(), 1e-30);
    if (share > 0) {
        limits.push_back({"storage", share >= kNotable, -e.step.dataLoading.si(), Unit::Seconds,
                          share * e.run.goodput});
        return;
    }
    const auto& pools = e.storage.pools;
    if (pools.empty())
        return;
    const auto fullest =
        std::max_element(pools.begin(), pools.end(), [](const auto& a, const auto& b) {
            return a.utilization < b.utilization;
        });
    const double capacity =
        s.storage.pools[static_cast<std::size_t>(fullest - pools.begin())].capacityBytes;
    const bool over = fullest->used.si() > capacity;
    limits.push_back({"storage", over, capacity - fullest->used.si(), Unit::VendorBytes,
                      over ? fullest->utilization : 0});
}

using Candidates = std::vector<std::pair<std::string, Value>>;

Value number(double x)
{
    return Value(x);
}
Value name(const char* text)
{
    return Value(std::string(text));
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

Candidates memoryCandidates(const Scenario& s)
{
    using Names = std::vector<std::string>;
    const auto& p = s.parallelism;
    Candidates c{{"parallelism.recompute", Value(Names{"selective"})},
                 {"parallelism.recompute", Value(Names{"full"})},
                 {"precision.gradients", name("bf16")},
                 {"parallelism.zero_stage", number(2)},
                 {"parallelism.zero_stage", number(3)},
                 {"parallelism.offload.optimizer", number(1)},
                 {"parallelism.tensor", number(2.0 * static_cast<double>(p.tensor))},
                 {"parallelism.pipeline", number(2.0 * static_cast<double>(p.pipeline))}};
    if (p.expert > 1)
        c.emplace_back("parallelism.expert", number(2.0 * static_cast<double>(p.expert)));
    if (p.microBatchSequences > 1)
        c.emplace_back("parallelism.micro_batch_sequences",
                       number(std::floor(static_cast<double>(p.microBatchSequences) / 2)));
    return c;
}

Candidates batchCandidates(const Scenario& s)
{
    const auto doubled = [](std::int64_t x) {
        return number(2.0 * static_cast<double>(x));
    };
    const double half = std::floor(static_cast<double>(s.workload.globalBatchSequences) / 2);
    return {{"workload.global_batch_sequences", number(half)},
            {"workload.jobs", doubled(s.workload.jobs)},
            {"parallelism.pipeline", doubled(s.parallelism.pipeline)},
            {"parallelism.context", doubled(s.parallelism.context)}};
}

Candidates communicationCandidates(const Scenario& s, std::string_view kind)
{
    const auto& p = s.parallelism;
    const auto half = [](std::int64_t x) {
        return number(std::max(1.0, std::floor(static_cast<double>(x) / 2)));
    };
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
        return {{"reliability.policy", name("hot-spare")},
                {"reliability.policy", name("drop-replica")}};
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
        if (!after.violations.empty() && after.violations.size() >= before.violations.size())
            continue;
        if (before.feasible && !after.feasible)
            continue;
        if (!(weightOf(limitsOf(changed, after), limit) < 0.99 * weight))
            continue;
        if (!best || after.cost.perRun < best->after.cost.perRun)
            best = Relaxation{path, value, std::move(after)};
    }
    return best;
}

} // namespace

std::vector<Limit> limitsOf(const Scenario& s, const Evaluation& e)
{
    std::vector<Limit> limits;
    if (e.memory.stages.empty())
        return limits;
    addMemory(e, limits);
    addBatch(e, limits);
    addTimes(e, limits);
    addHostLink(e, limits);
    const double lost = 1 - e.run.goodput;
    limits.push_back({"failures", lost >= kNotable, -lost, Unit::Share, lost});
    addSite(s, e, limits);
    addStorage(s, e, limits);
    std::stable_sort(limits.begin(), limits.end(), [](const Limit& a, const Limit& b) {
        return a.binding != b.binding ? a.binding : a.weight > b.weight;
    });
    return limits;
}

void findRelaxations(std::vector<Limit>& limits, const Scenario& scenario,
                     const Evaluation& evaluation)
{
    for (Limit& limit : limits)
        if (limit.binding)
            limit.relax = relaxationOf(limit, scenario, evaluation);
}

} // namespace cw::evaluation
