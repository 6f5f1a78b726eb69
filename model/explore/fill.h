// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "model/evaluation/siting.h"

// Machines under the same power, each laid out as suits it.

namespace cw::explore {

/// As many chips of a system, in whole nodes, as `watts` at the meter carry with every part at its
/// limit on the hottest day, less those that its layout leaves over. The layout and the batch are
/// those whose tokens are worth most (bestLayout); where none fits, the plan's stay. `system` is
/// the id of a system preset, or empty: the plan's own machine. Less than one replica: one, and
/// over the power.
evaluation::Filled fill(const scenario::Scenario& plan, std::string_view system, double watts,
                        unsigned threads);

} // namespace cw::explore
