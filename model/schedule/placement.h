// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/scenario/enums.h"

// Which part of the model sits on which device of a pipeline, for each schedule. A model is cut
// into slices 0, 1, 2, ... in the order of the forward pass; a device holds one or more of them,
// its chunks.

namespace cw::schedule {

using scenario::Schedule;

/// Chunks a device holds: v for interleaved; 2 for the V schedules, DualPipe and DualPipeV; else 1.
int chunksPerDevice(Schedule schedule, int virtualStages);

/// Chunks a micro batch passes on each device: as above, but 1 for DualPipe, whose second chunk
/// serves the micro batches of the other direction.
int chunksPerMicroBatch(Schedule schedule, int virtualStages);

/// The slice (0-based) on a device's chunk, of p * chunksPerMicroBatch slices. Interleaved:
/// chunk * p + device. V placement (2405.15362): the first chunk goes down the devices, the second
/// comes back. DualPipe: chunk 1 of device d is a copy of the slice on device p - 1 - d.
int chunkPosition(Schedule schedule, int device, int chunk, int stages, int virtualStages);

/// Copies of a stage's weights on a device, in units of the p-th part of the model. 2 for DualPipe.
/// 1 for DualPipeV: its two chunks are halves of that part (its table says 2 as it counts stages,
/// two for each device).
double weightCopies(Schedule schedule);

/// Sends each way across each border between neighbouring devices for a micro batch, relative to
/// 1F1B: v for interleaved, 2 where a micro batch passes each device twice.
double sendsPerMicroBatch(Schedule schedule, double virtualStages);

/// Whether the weight gradient is a pass of its own, at least for some micro batches.
bool splitsWeightGradient(Schedule schedule);

/// Whether the schedule runs a forward and a backward of two micro batches as one overlapped pair.
bool overlapsPairs(Schedule schedule);

/// Whether the step ends for each device by itself (optimizer post-validation, 2401.10241 section
/// 4): the devices start and finish askew, and a step costs the longest span of one device. Where
/// the optimizer waits for all, add `finishSkew` of closedform.h.
bool finishesAskew(Schedule schedule);

} // namespace cw::schedule
