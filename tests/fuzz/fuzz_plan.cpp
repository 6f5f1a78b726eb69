// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever bytes a plan file holds: it is read or refused with a fault, and what is read is
// written, read again and evaluated, without a crash.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "model/evaluation/evaluation.h"
#include "model/evaluation/quantities.h"
#include "model/scenario/plan.h"
#include "model/scenario/registry.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace cw;
    const std::string_view text(reinterpret_cast<const char*>(data), size); // NOLINT
    const scenario::PlanReading reading = scenario::readPlan(text);
    if (reading.plan.has_value() == !reading.faults.empty())
        std::abort();
    if (!reading.plan)
        return 0;
    const scenario::PlanReading again = scenario::readPlan(scenario::writePlan(*reading.plan));
    if (!again.plan || !(again.plan->scenario == reading.plan->scenario))
        std::abort();
    // Millions of layers or stages are legal to write down and only take long.
    const auto& p = reading.plan->scenario.parallelism;
    std::int64_t layers = 0;
    for (const auto& g : reading.plan->scenario.model.groups)
        layers += g.count;
    if (p.pipeline > 256 || p.virtualStages > 64 || layers > 4096)
        return 0;
    const evaluation::Evaluation e = evaluation::evaluate(reading.plan->scenario);
    if (e.violations.empty() && evaluation::figuresOf(e).empty())
        std::abort();
    return 0;
}
