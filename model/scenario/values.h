// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <unordered_map>

#include "model/scenario/registry.h"

namespace cw::scenario {

/// All values of a plan by path, in one pass: for whoever shows many at once.
std::unordered_map<std::string, Value> valuesByPath(const Scenario& scenario);

} // namespace cw::scenario
