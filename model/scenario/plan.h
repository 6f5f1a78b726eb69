// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/scenario/fault.h"
#include "model/scenario/scenario.h"

// Plan files, NAME.clusterwright: JSON, format "clusterwright-plan", version 1.

namespace cw::scenario {

inline constexpr int kPlanVersion = 1;
inline constexpr std::size_t kLargestPlanBytes = 16U << 20U;
inline constexpr int kDeepestPlan = 64;

/// A scenario and what its file says beside it. JSON that the model does not read is kept as text.
struct Plan
{
    std::string name;
    std::string notes;
    Scenario scenario;
    std::string training = "null"; ///< learning rate, paths, seeds: exported as it is
    std::string expect = "null";   ///< expectations of a worked example
    std::string example = "null";  ///< claim, question and notes of a worked example, by language
    std::string unknown = "{}";    ///< members nobody knows, in their place: written back on saving
};

struct PlanReading
{
    std::optional<Plan> plan; ///< only without faults
    Faults faults;            ///< all of them at once
    Faults notices;           ///< unknown members kept; numbers that presets have moved on from
};

/// Reads a plan. Presets are applied, then the overrides; under `resolved` are the numbers as they
/// were when it was saved, and these win over presets that have changed since.
PlanReading readPlan(std::string_view json);

/// Writes presets, overrides and `resolved`; readPlan(writePlan(p)) gives p again. `derived` is the
/// scenario with what the evaluation derived from it (a scaled shape), where there is one.
std::string writePlan(const Plan& plan, const Scenario* derived = nullptr);

} // namespace cw::scenario
