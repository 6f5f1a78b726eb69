// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include "model/scenario/scenario.h"

namespace cw::scenario {

/// Every member of the scenario as JSON, in the order of description. Whole numbers are written as
/// such.
nlohmann::ordered_json toJson(const Scenario& scenario);

} // namespace cw::scenario
