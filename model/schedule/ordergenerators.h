// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/schedule/order.h"

// The generators behind passOrder: see order.h.

namespace cw::schedule::detail {

/// Chunks a device may hold in flight: 2 (floor(p/2) + 1) and 2 (ceil((p-1)/3) + 1), the peaks of
/// the stable patterns.
int vChunkLimit(Schedule schedule, int stages);

/// How many micro batches more than ZB-H1 the warm-up of ZB-H2 runs ahead: p - 1 where there are
/// enough.
int runAhead(int stages, int microBatches);

Order gpipeOrder(int stages, int microBatches);
Order oneFOneBOrder(int stages, int microBatches);
Order interleavedOrder(int stages, int virtualStages, int microBatches);
Order zeroBubbleOrder(int stages, int microBatches, int ahead);
Order zeroBubbleVOrder(int stages, int microBatches);
Order stablePatternOrder(Schedule schedule, int stages, int microBatches);
Order dualPipeOrder(int stages, int microBatches);
Order dualPipeVOrder(int stages, int microBatches);

} // namespace cw::schedule::detail
