// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/evaluation/evaluation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/evaluation/bands.h"
#include "model/evaluation/compute.h"
#include "model/evaluation/memoryrule.h"
#include "model/evaluation/networkadvice.h"
#include "model/evaluation/phases.h"
#include "model/evaluation/runadvice.h"
#include "model/evaluation/siterules.h"
#include "model/schedule/legality.h"
#include "model/schedule/placement.h"
#include "model/transformer/shapescaling.h"
#include "model/units/text.h"

namespace cw::evaluation {

using scenario::Scenario;

namespace {

std::string text(double x)
{
    return units::rounded(x, 4);
}

void addSchedule(const Scenario& s, Evaluation& e)
{
    const auto& p = s.parallelism;
    for (const schedule::Legality& l :
         schedule::legality(p.schedule, p.pipeline, p.virtualStages, e.layout.steps)) {
        scenario::Violation v;
        v.path = l.field == "micro_batches" ? "workload.global_batch_sequences"
                                            : "parallelism." + std::string(l.field);
        v.rule = l.code;
        std::string allowed;
        for (const std::int64_t a : l.allowed) {
            allowed += (allowed.empty() ? "" : ", ") + std::to_string(a);
            // Micro batches are told in sequences of the global batch.
            const double scale = l.field == "micro_batches"
                                     ? e.layout.data * static_cast<double>(p.microBatchSequences)
                                     : 1.0;
            v.nearest.push_back(static_cast<double>(a) * scale);
        }
        const std::int64_t value = l.field == "micro_batches"    ? e.layout.steps
                                   : l.field == "virtual_stages" ? p.virtualStages
                                                                 : p.pipeline;
        v.arguments = {{"allowed", allowed},
                       {"value", std::to_string(value)},
                       {"stages", std::to_string(p.pipeline)},
                       {"virtual_stages", std::to_string(p.virtualStages)},
                       {"micro_batches", std::to_string(e.layout.steps)},
                       {"schedule", std::string(scenario::nameOf(p.schedule))}};
        e.violations.push_back(std::move(v));
    }
}

/// Copies of checkpoints in the nodes' memory, beside what is offloaded to it.
void addCheckpointMemory(const Scenario& s, Evaluation& e)
{
    double needed =
        s.parallelism.offload.target == scenario::OffloadTarget::Host ? e.memory.host.si() : 0.0;
    std::size_t most = 0;
    for (std::size_t i = 0; i < e.run.tiers.size(); ++i) {
        needed += e.run.tiers[i].host.si();
        if (e.run.tiers[i].host > e.run.tiers[most].host)
            most = i;
    }
    const double there = s.cluster.node.hostMemoryBytes;
    if (e.run.tiers.empty() || needed <= there)
        return;
    const std::string path = s.reliability.checkpoints.empty()
                                 ? std::string("reliability.checkpoints")
                                 : "reliability.checkpoints." + std::to_string(most) + ".tier";
    e.violations.push_back({path,
                            "rule.checkpoint-memory",
                            {{"value", text(needed / 1e9)}, {"allowed", text(there / 1e9)}},
                            {}});
    if (s.reliability.checkpoints.empty())
        return;
    e.advice.push_back(
        {path,
         "advice.checkpoint-to-nvme",
         {{"value", text(e.run.tiers[most].host.si() / 1e9)}},
         {{path,
           e.run.tiers[most].tier == scenario::CheckpointTier::Nvme ? "file-system" : "nvme"}},
         true});
}

/// The share that puts most off the device.
const char* offloadPath(const Scenario& s)
{
    const scenario::Offload& o = s.parallelism.offload;
    if (o.activations >= o.optimizer && o.activations >= o.experts)
        return "parallelism.offload.activations";
    return o.experts >= o.optimizer ? "parallelism.offload.experts"
                                    : "parallelism.offload.optimizer";
}

void addMachine(const Scenario& s, Evaluation& e)
{
    addSiteViolations(s, e);
    const auto holds = [&](const char* rule, double needed, double there) {
        if (needed > there)
            e.violations.push_back({offloadPath(s),
                                    rule,
                                    {{"value", text(needed / 1e9)}, {"allowed", text(there / 1e9)}},
                                    {}});
    };
    if (s.parallelism.offload.target == scenario::OffloadTarget::Host)
        holds("rule.host-memory", e.memory.host.si(), s.cluster.node.hostMemoryBytes);
    if (s.parallelism.offload.target == scenario::OffloadTarget::Pool)
        holds("rule.pool-memory", e.memory.host.si(),
              s.cluster.node.poolMemoryBytes.value_or(s.cluster.node.hostMemoryBytes));
    addCheckpointMemory(s, e);
    holds("rule.nvme-capacity", e.memory.nvme.si(), s.cluster.node.nvmeBytes);
    if (!e.topology.reaches)
        e.violations.push_back({"cluster.network.scale_out.levels",
                                "rule.network-reach",
                                {{"chips", std::to_string(s.cluster.chips)}},
                                {}});
    if (s.cluster.network.sites > 1 && !(s.cluster.network.siteBandwidth > 0))
        e.violations.push_back({"cluster.network.site_bandwidth",
                                "rule.site-bandwidth",
                                {{"sites", std::to_string(s.cluster.network.sites)}},
                                {}});
}

void addStorage(const Scenario& s, Evaluation& e)
{
    for (std::size_t i = 0; i < e.storage.pools.size(); ++i) {
        const double used = e.storage.pools[i].used.si();
        const scenario::StoragePool& pool = s.storage.pools[i];
        if (used > pool.capacityBytes)
            e.violations.push_back({"storage.pools." + std::to_string(i) + ".capacity_bytes",
                                    "rule.pool-capacity",
                                    {{"name", pool.name},
                                     {"value", text(used / 1e12)},
                                     {"allowed", text(pool.capacityBytes / 1e12)}},
                                    {used}});
    }
    const step::Loading<double>& l = e.step.loading;
    if (l.starves != step::Starves::Nothing)
        e.advice.push_back(
            {l.starves == step::Starves::Loader ? "storage.loader_tokens_per_s_per_core"
                                                : "storage.pools",
             l.starves == step::Starves::Loader ? "advice.loader-starves" : "advice.pool-starves",
             {{"seconds", text(l.stall.si())}},
             {},
             true});
}

/// What the batch costs in tokens, and where the law is no good.
void addLoss(const Scenario& s, Evaluation& e)
{
    if (e.forecast.batchPrice > 1.0)
        e.advice.push_back({"workload.global_batch_sequences",
                            "advice.critical-batch",
                            {{"batch", text(e.forecast.batchTokens)},
                             {"critical", text(e.forecast.criticalBatchTokens)},
                             {"factor", text(1.0 + e.forecast.batchPrice)}},
                            {},
                            true});
    if (s.workload.lossLaw == scenario::LossLaw::Chinchilla)
        e.advice.push_back({"workload.loss_law", "advice.rounded-law", {}, {}, true});
    if (s.workload.lossLaw == scenario::LossLaw::Kaplan)
        e.advice.push_back({"workload.loss_law", "advice.kaplan-law", {}, {}, true});
    if (s.workload.lossLaw == scenario::LossLaw::Farseer)
        e.advice.push_back({"workload.loss_law", "advice.farseer-law", {}, {}, true});
    if (s.workload.lossLaw == scenario::LossLaw::JointMoe)
        e.advice.push_back(
            {"workload.expert_coefficients.model_factor", "advice.joint-law", {}, {}, true});
}

/// Where the rule for experts is used beyond its fit, and how far the rules are apart.
void addExperts(const Scenario& s, Evaluation& e)
{
    constexpr double kNotable = 0.04; // nats: the error of the irreducible loss, at 80%
    const scenario::Inputs<double> in(s);
    const scenario::ExpertRule rule = s.workload.expertRule;
    const run::ExpertLoad<double> load{e.parameters.total, e.parameters.active,
                                       e.flops.modelPerRun};
    if (run::beyondFit(in, rule, load, e.run.tokens.si())) {
        if (rule == scenario::ExpertRule::EffectiveCount)
            e.advice.push_back({"workload.expert_rule",
                                "advice.expert-count-beyond",
                                {{"parameters", text(e.parameters.active)},
                                 {"experts", text(run::expansionOf(in))},
                                 {"tokens", text(e.run.tokens.si())}},
                                {},
                                true});
        else
            e.advice.push_back({"workload.expert_rule",
                                "advice.leverage-beyond",
                                {{"flops", text(e.flops.modelPerRun.si())},
                                 {"activation", text(100 * run::shapeOf(in).activation)},
                                 {"granularity", text(run::shapeOf(in).granularity)}},
                                {},
                                true});
    }
    if (e.forecast.ruleSpread <= kNotable)
        return;
    const auto [low, high] = std::minmax_element(
        e.forecast.byRule.begin(), e.forecast.byRule.end(),
        [](const auto& a, const auto& b) { return a.parameters < b.parameters; });
    e.advice.push_back({"workload.expert_rule",
                        "advice.expert-rules-apart",
                        {{"low", units::rounded(low->parameters, 3)},
                         {"high", units::rounded(high->parameters, 3)},
                         {"loss", units::rounded(e.forecast.ruleSpread, 2)},
                         {"laws", units::rounded(e.forecast.lawSpread, 2)}},
                        {},
                        false});
}

/// Spares that run out, and a start longer than any that was published.
void addRun(const Scenario& s, Evaluation& e)
{
    constexpr double kNotable = 0.02;
    constexpr double kLongestPublished = 98304;
    const double waits = e.run.otherLost.repairWait.si() / std::max(e.run.wall.si(), 1e-9);
    if (s.cluster.spareChips && waits > kNotable)
        e.advice.push_back(
            {"cluster.spare_chips",
             "advice.spares-run-out",
             {{"share", text(100 * waits)}, {"coverage", text(100 * e.run.spareCoverage)}},
             {{"cluster.spare_chips", "null"}},
             true});
    const double starts = e.run.lost.startUp.si() / std::max(e.run.wall.si(), 1e-9);
    if (!s.reliability.start && e.layout.chips > kLongestPublished && starts > kNotable)
        e.advice.push_back(
            {"reliability.start_s",
             "advice.start-beyond",
             {{"share", text(100 * starts)}, {"chips", units::rounded(e.layout.chips, 12)}},
             {},
             true});
}

bool recomputesAll(const Scenario& s)
{
    const auto& list = s.parallelism.recompute;
    return std::find(list.begin(), list.end(), scenario::Recompute::Full) != list.end();
}

/// Formats that the chip has no units for run at the rate of another: said, not hidden.
void addFormats(const Scenario& s, Evaluation& e)
{
    using scenario::Format;
    const auto has = [&](Format f) {
        return s.cluster.chip.matrixFlops[static_cast<std::size_t>(f)].has_value();
    };
    const auto served = [&](Format f) {
        switch (f) {
        case Format::Mxfp8:
            return has(f) || has(Format::Fp8);
        case Format::Mxfp4:
        case Format::Nvfp4:
        case Format::Fp4:
            return has(f) || has(Format::Fp4) || has(Format::Nvfp4) || has(Format::Mxfp4);
        case Format::Bf16:
        case Format::Fp16:
            return has(Format::Bf16) || has(Format::Fp16);
        default:
            return has(f);
        }
    };
    const std::pair<const char*, Format> uses[] = {{"precision.compute", s.precision.compute},
                                                   {"precision.attention", s.precision.attention},
                                                   {"precision.head", s.precision.head}};
    for (const auto& [path, format] : uses)
        if (!served(format))
            e.advice.push_back({path,
                                "advice.format-fallback",
                                {{"format", std::string(scenario::nameOf(format))}},
                                {},
                                true});
}

void addScaling(const Scenario& s, Evaluation& e)
{
    constexpr double kPromised = 0.01;
    const scenario::ScaleTo& to = s.model.scaleTo;
    const auto misses = [&](const char* path, const std::optional<double>& target, double got) {
        if (target && std::fabs(got / *target - 1) > kPromised)
            e.advice.push_back({path,
                                "advice.scale-missed",
                                {{"value", text(got)}, {"allowed", text(*target)}},
                                {},
                                true});
    };
    misses("model.scale_to.total", to.total, e.parameters.total);
    misses("model.scale_to.active", to.active, e.parameters.active);
}

void addRecompute(const Scenario& s, Evaluation& e)
{
    std::string rest;
    bool core = false;
    for (const scenario::Recompute r : s.parallelism.recompute) {
        if (r == scenario::Recompute::Selective || r == scenario::Recompute::AttentionCore)
            core = true;
        else
            rest += (rest.empty() ? "" : ",") + std::string(scenario::nameOf(r));
    }
    if (core && s.software.attention != scenario::AttentionKernel::Unfused)
        e.advice.push_back({"parallelism.recompute",
                            "advice.selective-fused",
                            {},
                            {{"parallelism.recompute", rest.empty() ? "none" : rest}},
                            false});
}

void addAdvice(const Scenario& s, Evaluation& e)
{
    addFormats(s, e);
    addScaling(s, e);
    addRecompute(s, e);
    addStorage(s, e);
    addLoss(s, e);
    addExperts(s, e);
    addRun(s, e);
    addRunAdvice(s, e);
    addSiteAdvice(s, e);
    if (e.layout.idle >= 1)
        e.advice.push_back(
            {"cluster.chips",
             "advice.idle-chips",
             {{"idle", units::rounded(e.layout.idle, 12)},
              {"used", units::rounded(e.layout.chips * static_cast<double>(s.workload.jobs), 12)}},
             {},
             false});
    if (recomputesAll(s) && schedule::splitsWeightGradient(s.parallelism.schedule))
        e.advice.push_back({"parallelism.recompute",
                            "advice.full-recompute-split",
                            {},
                            {{"parallelism.recompute", "selective"}},
                            true});
    if (e.layout.microBatches < static_cast<double>(s.parallelism.pipeline))
        e.advice.push_back({"workload.global_batch_sequences",
                            "advice.few-micro-batches",
                            {{"micro_batches", text(e.layout.microBatches)},
                             {"stages", std::to_string(s.parallelism.pipeline)}},
                            {},
                            true});
    if (e.placement.domainLeft >= 1)
        e.advice.push_back({"parallelism.expert",
                            e.placement[network::GroupKind::Expert].across() ? "advice.domain-left"
                                                                             : "advice.domain-idle",
                            {{"used", text(e.placement.domain)},
                             {"block", text(e.placement.block)},
                             {"left", text(e.placement.domainLeft)},
                             {"whole", std::to_string(s.cluster.network.scaleUp.chips)}},
                            {},
                            false});
    if (e.step.simplified)
        e.advice.push_back({"parallelism.schedule", "advice.closed-form", {}, {}, false});
    if (e.memory.verdict == memory::Verdict::Borderline)
        e.advice.push_back({"cluster.chip.hbm_bytes",
                            "advice.borderline-memory",
                            {{"share", text(100 * (e.memory.reserved / e.memory.usable))}},
                            {},
                            true});
}

Evaluation evaluateExtent(const Scenario& scenario, Extent extent)
{
    const Scenario plan = derived(scenario);
    auto violations = scenario::checkPlan(plan);
    if (plan.model.groups.empty()) {
        Evaluation e;
        e.violations = std::move(violations);
        return e;
    }
    // More stages than layers is a violation already; its numbers are those of as many as there
    // are.
    Scenario held = boundedStages(plan);
    const Throttle throttle = throttleOf(held);
    held = throttled(std::move(held), throttle);
    Evaluation e = compute(scenario::Inputs<double>(held), extent, nullptr, throttle);
    e.violations = std::move(violations);
    addSchedule(plan, e);
    if (extent == Extent::Core) {
        addMemoryViolation(plan, false, e);
    } else {
        addMachine(plan, e);
        for (scenario::Violation& v : checkPhases(plan, e))
            e.violations.push_back(std::move(v));
        // Last: its remedy breaks none of the other rules more than the plan does.
        addMemoryViolation(plan, true, e);
        addAdvice(plan, e);
        addNetworkAdvice(plan, e);
        addBands(plan, e);
    }
    e.feasible = e.violations.empty() && e.memory.verdict != memory::Verdict::DoesNotFit;
    return e;
}

} // namespace

Scenario boundedStages(const Scenario& plan)
{
    constexpr double kMostSlices = 20000;
    const scenario::Parallelism& p = plan.parallelism;
    if (static_cast<double>(p.pipeline) * static_cast<double>(scenario::chunksOf(p)) <= kMostSlices)
        return plan;
    Scenario held = plan;
    held.parallelism.virtualStages = 1;
    held.parallelism.schedule = scenario::Schedule::OneFOneB;
    return held;
}

Scenario derived(const Scenario& scenario)
{
    Scenario plan = scenario;
    transformer::scaleShape(plan);
    return plan;
}

Evaluation evaluate(const Scenario& scenario)
{
    return evaluateExtent(scenario, Extent::Whole);
}

Evaluation evaluateCore(const Scenario& scenario)
{
    return evaluateExtent(scenario, Extent::Core);
}

step::TimelineInput timelineOf(const Scenario& scenario)
{
    const Scenario plan = derived(scenario);
    step::TimelineInput timeline;
    if (plan.model.groups.empty())
        return timeline;
    Scenario held = boundedStages(plan);
    const Throttle throttle = throttleOf(held);
    held = throttled(std::move(held), throttle);
    compute(scenario::Inputs<double>(held), Extent::Core, &timeline, throttle);
    return timeline;
}

std::string_view nameOf(memory::Verdict verdict)
{
    switch (verdict) {
    case memory::Verdict::Fits:
        return "fits";
    case memory::Verdict::Borderline:
        return "borderline";
    case memory::Verdict::DoesNotFit:
        return "does-not-fit";
    }
    return "";
}

} // namespace cw::evaluation
