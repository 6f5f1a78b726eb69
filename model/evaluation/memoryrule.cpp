// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/evaluation/memoryrule.h"

#include <cmath>
#include <optional>

#include "model/units/text.h"

namespace cw::evaluation {

using scenario::Scenario;
using scenario::Value;

namespace {

using Change = std::pair<std::string, Value>;

/// The first change that makes the plan fit without another fault.
std::optional<Change> firstThatFits(const Scenario& plan, std::size_t faults)
{
    for (Change& change : memoryCandidates(plan)) {
        Scenario changed = plan;
        const auto now = scenario::valueAt(plan, change.first);
        if (!now || *now == change.second ||
            scenario::setValue(changed, change.first, change.second))
            continue;
        const Evaluation after = evaluateCore(changed);
        if (after.memory.verdict != memory::Verdict::DoesNotFit &&
            after.violations.size() <= faults)
            return std::move(change);
    }
    return {};
}

} // namespace

std::vector<std::pair<std::string, Value>> memoryCandidates(const Scenario& s)
{
    using Names = std::vector<std::string>;
    const auto& p = s.parallelism;
    std::vector<std::pair<std::string, Value>> c{
        {"parallelism.recompute", Value(Names{"selective"})},
        {"parallelism.recompute", Value(Names{"full"})},
        {"precision.gradients", Value(std::string("bf16"))},
        {"parallelism.zero_stage", Value(2.0)},
        {"parallelism.zero_stage", Value(3.0)},
        {"parallelism.offload.optimizer", Value(1.0)},
        {"parallelism.tensor", Value(2.0 * static_cast<double>(p.tensor))},
        {"parallelism.pipeline", Value(2.0 * static_cast<double>(p.pipeline))}};
    if (p.expert > 1)
        c.emplace_back("parallelism.expert", Value(2.0 * static_cast<double>(p.expert)));
    if (p.microBatchSequences > 1)
        c.emplace_back("parallelism.micro_batch_sequences",
                       Value(std::floor(static_cast<double>(p.microBatchSequences) / 2)));
    return c;
}

bool isMemoryRule(std::string_view rule)
{
    return rule == "rule.memory" || rule == "rule.memory-remedy";
}

void addMemoryViolation(const Scenario& plan, bool remedy, Evaluation& e)
{
    if (e.memory.verdict != memory::Verdict::DoesNotFit)
        return;
    const auto gib = [](const units::Bytes<double>& bytes) {
        return units::rounded(bytes.si() / 0x1p30, 4);
    };
    // What the chip reports and what of it can be used differ.
    const bool stated = plan.cluster.chip.hbmUsableBytes.has_value();
    const double spared =
        stated ? 0.0 : std::max(0.0, plan.cluster.chip.hbmBytes - e.memory.usable.si());
    scenario::Violation v{stated ? "cluster.chip.hbm_usable_bytes" : "cluster.chip.hbm_bytes",
                          "rule.memory",
                          {{"stage", std::to_string(e.memory.peakStage)},
                           {"value", gib(e.memory.reserved)},
                           {"allowed", gib(e.memory.usable)}},
                          {e.memory.reserved.si() + spared}};
    if (remedy) {
        if (const auto change = firstThatFits(plan, e.violations.size())) {
            v.path = change->first;
            v.rule = "rule.memory-remedy";
            v.arguments["remedy"] = change->first + " = " + scenario::toText(change->second);
            v.nearest.clear();
            if (const double* number = std::get_if<double>(&change->second))
                v.nearest = {*number};
        }
    }
    e.violations.push_back(std::move(v));
}

} // namespace cw::evaluation
