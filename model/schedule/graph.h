// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "model/schedule/order.h"

namespace cw::schedule::detail {

/// A pass ready to be executed: all it waits for comes before it.
struct Step
{
    std::uint32_t device;
    std::uint32_t cost; ///< index into the table of costs
    /// Steps on other devices it waits for, as 1 + index; 0 for none. What is on its own device is
    /// done before anyway.
    std::uint32_t waitForward;
    std::uint32_t waitBackward;
};

/// The passes of an order, merged over the devices so that each stands after what it waits for.
struct Graph
{
    std::vector<Step> steps;
    std::vector<Pass> passes; ///< of each step; empty unless asked for
};

/// Costs stand in a table of 4 for each (device, chunk) in the order of Kind, then, for overlapped
/// pairs, 2 for each device by the chunk of the forward.
std::uint32_t costIndex(const Pass& pass, std::uint32_t device, int stages, int chunks);

Graph buildGraph(const Order& order, Schedule schedule, int stages, int virtualStages,
                 int microBatches, bool keepPasses);

} // namespace cw::schedule::detail
