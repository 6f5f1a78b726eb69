// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "model/schedule/placement.h"

// The order in which each device runs its passes: what a schedule is. Times do not enter: an order
// is laid down once, and the timeline executes it with the times of the plan. So a slower pass can
// never make a step shorter.

namespace cw::schedule {

enum class Kind : std::uint8_t
{
    Forward,
    Backward,       ///< gradient of input and weights
    BackwardInput,  ///< gradient of the input only
    Weight,         ///< the weight gradient put off by a BackwardInput
    ForwardBackward ///< a forward and the backward of another micro batch, overlapped
};

struct Pass
{
    Kind kind = Kind::Forward;
    int chunk = 0;
    int microBatch = 0;
    int backwardChunk = -1; ///< of the backward in a pair
    int backwardMicroBatch = -1;
};

using Order = std::vector<std::vector<Pass>>; ///< passes of each device

/// The order of a schedule for p stages, v virtual stages (read by interleaved only) and m micro
/// batches, all at least 1.
///
/// gpipe: all forwards, all backwards. 1F1B: p - 1 - d forwards, then one by one (Narayanan 2021).
/// Interleaved: Megatron-LM's order, groups of p micro batches. ZB-H1 and -H2: the hand-written
/// orders of 2401.10241 figures 2 and 3: weight passes lag by d and 2d backwards on device d.
/// ZBV: the hand-written order of 2405.15362, as PyTorch has it. V-Half and V-Min: the stable
/// patterns of 2405.15362 section 3; forwards and backwards keep the pattern's order, weight passes
/// are listed greedily at unit times into its gaps, under the pattern's memory limit (the paper's
/// own implementation reorders greedily too). DualPipe and DualPipeV: the eight steps of the
/// DualPipe repository; with an odd p, which DualPipe cannot run, the order is ZB-H1's.
///
/// Where a schedule wants more micro batches than there are (or, interleaved, a multiple of p), the
/// order of the next number it can run is taken and the passes that do not exist are left out.
Order passOrder(Schedule schedule, int stages, int virtualStages, int microBatches);

} // namespace cw::schedule
