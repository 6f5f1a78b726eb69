// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/scenario/registry.h"

// A run as a list of phases, each with settings of its own over those of the plan.

namespace cw::scenario {

/// What of a phase's `set` cannot be taken.
struct PhaseFault
{
    std::string path; ///< as written in `set`; empty where `set` is no object
    std::string value;
    Refusal refusal;
};

struct PhasePlan
{
    Scenario scenario; ///< the plan in this phase: its tokens and settings, without phases
    std::vector<PhaseFault> faults; ///< settings that were left out
};

/// The plan in one of its phases. `set` may name inputs of workload, precision, parallelism and
/// software, as paths or as nested objects; texts may carry units as `--set` does.
PhasePlan phasePlan(const Scenario& plan, std::size_t index);

/// Sets a list of parts ("workload.phases") from JSON, or one setting of a phase
/// ("workload.phases.1.set.precision.compute") from text. Answers why not where it is refused; the
/// scenario is then unchanged.
std::optional<Refusal> setStructure(Scenario& scenario, std::string_view path,
                                    std::string_view text);

/// Adds the part that a path names where it is the next of its list
/// ("reliability.checkpoints.0.tier" of a plan without checkpoints); answers whether it did.
bool addNextPart(Scenario& scenario, std::string_view path);

} // namespace cw::scenario
