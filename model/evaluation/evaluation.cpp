// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/evaluation/evaluation.h"

#include <algorithm>
#include <cmath>

#include "model/evaluation/compute.h"
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

void addMachine(const Scenario& s, Evaluation& e)
{
    if (e.cooling.rackOverLimit)
        e.violations.push_back({"facility.rack_power_limit",
                                "rule.rack-power",
                                {{"value", text(e.cooling.rack.si() / 1e3)},
                                 {"allowed", text(s.facility.rackPowerLimit / 1e3)}},
                                {e.cooling.rack.si()}});
    if (!e.topology.reaches)
        e.violations.push_back({"cluster.network.scale_out.levels",
                                "rule.network-reach",
                                {{"chips", std::to_string(s.cluster.chips)}},
                                {}});
}

bool recomputesAll(const Scenario& s)
{
    const auto& list = s.parallelism.recompute;
    return std::find(list.begin(), list.end(), scenario::Recompute::Full) != list.end();
}

void addAdvice(const Scenario& s, Evaluation& e)
{
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
                            "advice.domain-left",
                            {{"used", text(e.placement.domain)},
                             {"whole", std::to_string(s.cluster.network.scaleUp.chips)}},
                            {},
                            false});
    const double host = s.cluster.node.hostMemoryBytes;
    if (e.memory.host.si() > host)
        e.advice.push_back(
            {"parallelism.offload.optimizer",
             "advice.host-memory",
             {{"value", text(e.memory.host.si() / 1e9)}, {"allowed", text(host / 1e9)}},
             {},
             true});
    if (e.step.simplified)
        e.advice.push_back({"parallelism.schedule", "advice.closed-form", {}, {}, false});
    if (e.memory.verdict == memory::Verdict::Borderline)
        e.advice.push_back({"cluster.chip.hbm_bytes",
                            "advice.borderline-memory",
                            {{"share", text(100 * (e.memory.reserved / e.memory.usable))}},
                            {},
                            true});
}

/// Spread of the residuals against published steps: named stacks, and stacks without measurements.
void addBands(const Scenario& s, Evaluation& e)
{
    const bool known = !s.software.preset.empty() && s.software.preset != "unnamed";
    const double up = known ? 1.12 : 1.25;
    const double down = known ? 0.90 : 0.80;
    const std::string from = known ? "band.known-stack" : "band.unknown-stack";
    const double time = e.step.time.si();
    e.bands.push_back({"step.time_s", time * down, time * up, 0.8, from});
    e.bands.push_back(
        {"throughput.mfu", e.throughput.mfu / up, e.throughput.mfu / down, 0.8, from});
    e.bands.push_back({"run.days", e.run.days * down, e.run.days * up, 0.8, from});
    const double peak = e.memory.peak.si();
    e.bands.push_back({"memory.peak_bytes", peak * 0.94, peak * 1.06, 0.8, "band.memory"});
}

Evaluation evaluateExtent(const Scenario& scenario, Extent extent)
{
    const Scenario plan = derived(scenario);
    const scenario::Inputs<double> in(plan);
    auto violations = scenario::checkPlan(plan);
    if (plan.model.groups.empty()) {
        Evaluation e;
        e.violations = std::move(violations);
        return e;
    }
    Evaluation e = compute(in, extent);
    e.violations = std::move(violations);
    addSchedule(plan, e);
    if (extent == Extent::Whole) {
        addMachine(plan, e);
        addAdvice(plan, e);
        addBands(plan, e);
    }
    e.feasible = e.violations.empty() && e.memory.verdict != memory::Verdict::DoesNotFit;
    return e;
}

} // namespace

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
    if (!plan.model.groups.empty())
        compute(scenario::Inputs<double>(plan), Extent::Core, &timeline);
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
