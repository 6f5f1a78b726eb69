// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/schedule/placement.h"

namespace cw::schedule {

namespace {

bool isV(Schedule schedule)
{
    return schedule == Schedule::ZeroBubbleV || schedule == Schedule::VHalf ||
           schedule == Schedule::VMin || schedule == Schedule::DualPipeV;
}

} // namespace

int chunksPerDevice(Schedule schedule, int virtualStages)
{
    return schedule == Schedule::DualPipe ? 2 : chunksPerMicroBatch(schedule, virtualStages);
}

int chunksPerMicroBatch(Schedule schedule, int virtualStages)
{
    if (schedule == Schedule::Interleaved)
        return virtualStages < 1 ? 1 : virtualStages;
    return isV(schedule) ? 2 : 1;
}

int chunkPosition(Schedule schedule, int device, int chunk, int stages, int)
{
    if (chunk == 0)
        return device;
    if (isV(schedule))
        return 2 * stages - 1 - device;
    if (schedule == Schedule::DualPipe)
        return stages - 1 - device;
    return chunk * stages + device;
}

double weightCopies(Schedule schedule)
{
    return schedule == Schedule::DualPipe ? 2.0 : 1.0;
}

double sendsPerMicroBatch(Schedule schedule, double virtualStages)
{
    if (schedule == Schedule::Interleaved)
        return virtualStages;
    return isV(schedule) ? 2.0 : 1.0;
}

bool splitsWeightGradient(Schedule schedule)
{
    return schedule != Schedule::Gpipe && schedule != Schedule::OneFOneB &&
           schedule != Schedule::Interleaved;
}

bool overlapsPairs(Schedule schedule)
{
    return schedule == Schedule::DualPipe || schedule == Schedule::DualPipeV;
}

bool finishesAskew(Schedule schedule)
{
    return schedule == Schedule::ZeroBubbleH2 || schedule == Schedule::ZeroBubbleV;
}

} // namespace cw::schedule
