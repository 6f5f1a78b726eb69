// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/schedule/legality.h"

#include <utility>

namespace cw::schedule {

namespace {

using Values = std::vector<std::int64_t>;

/// The multiples next to a value, the lower one only where it is positive.
Values multiplesAround(std::int64_t value, std::int64_t of)
{
    const std::int64_t below = value / of * of;
    return below > 0 ? Values{below, below + of} : Values{below + of};
}

void checkInterleaved(std::vector<Legality>& broken, std::int64_t p, std::int64_t v, std::int64_t m)
{
    if (p < 2)
        broken.push_back({"schedule.interleaved_stages", "pipeline", {2}});
    if (v < 2)
        broken.push_back({"schedule.interleaved_virtual", "virtual_stages", {2}});
    if (m % p != 0)
        broken.push_back({"schedule.interleaved_multiple", "micro_batches", multiplesAround(m, p)});
}

void checkVirtual(std::vector<Legality>& broken, Schedule schedule, std::int64_t v)
{
    const bool two = chunksPerMicroBatch(schedule, 1) == 2;
    if (v == 1 || (two && v == 2))
        return;
    broken.push_back({two ? "schedule.two_chunks" : "schedule.one_chunk", "virtual_stages",
                      two ? Values{1, 2} : Values{1}});
}

void checkDual(std::vector<Legality>& broken, Schedule schedule, std::int64_t p, std::int64_t m)
{
    const bool both = schedule == Schedule::DualPipe;
    if (both && p % 2 != 0)
        broken.push_back({"schedule.even_stages", "pipeline", multiplesAround(p, 2)});
    if (m < 2 * p)
        broken.push_back({"schedule.twice_stages", "micro_batches", {2 * p}});
    else if (both && m % 2 != 0)
        broken.push_back({"schedule.even_micro_batches", "micro_batches", multiplesAround(m, 2)});
}

} // namespace

std::vector<Legality> legality(Schedule schedule, std::int64_t stages, std::int64_t virtualStages,
                               std::int64_t microBatches)
{
    std::vector<Legality> broken;
    if (stages < 1 || microBatches < 1)
        return broken; // the registry's own ranges refuse these
    if (schedule == Schedule::Interleaved)
        checkInterleaved(broken, stages, virtualStages, microBatches);
    else
        checkVirtual(broken, schedule, virtualStages);
    if (overlapsPairs(schedule))
        checkDual(broken, schedule, stages, microBatches);
    return broken;
}

} // namespace cw::schedule
