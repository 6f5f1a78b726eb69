// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/evaluation/evaluation.h"
#include "model/scenario/registry.h"

// Not fitting into the devices' memory, as a violation with what would make the plan fit.

namespace cw::evaluation {

/// Changes that may save memory, those that cost the least first.
std::vector<std::pair<std::string, scenario::Value>>
memoryCandidates(const scenario::Scenario& plan);

/// Adds the violation where the plan does not fit. `remedy`: whether the first single change that
/// makes it fit and breaks no other rule is looked for, by evaluating those of memoryCandidates;
/// then it is at that change's path. Else at the memory of the chip, with what would be enough.
void addMemoryViolation(const scenario::Scenario& plan, bool remedy, Evaluation& e);

/// Whether a rule is the one that this adds.
bool isMemoryRule(std::string_view rule);

} // namespace cw::evaluation
