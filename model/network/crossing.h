// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "model/network/traffic.h"

// How much of a group's flows leave a block of consecutive ranks: integer counts in closed form, so
// that half a million ranks cost as little as eight.

namespace cw::network {

/// The flows of one kind across domains, as ranks see them: members `stride` apart, `size` of them.
/// A group that lies in domains with `inside` members each becomes that many groups of one member
/// for each domain (rails); one whose members do not fill its domains evenly is taken as it is.
struct FlowGroup
{
    Pattern pattern = Pattern::Ring;
    std::int64_t stride = 1;
    std::int64_t size = 1;
    std::int64_t ranks = 1; ///< of the job

    std::int64_t extent() const { return stride * size; }
};

FlowGroup flowGroup(const scenario::Scenario& plan, const Placement<double>& placement,
                    std::int64_t ranks, TrafficKind kind);

/// What leaves the ranks [first, end) of a job, where every rank that sends does so with one unit
/// in all on the mean of the job. Between 0 and about the number of ranks in the block.
double leaving(const FlowGroup& group, std::int64_t first, std::int64_t end);

/// Consecutive slots: places for ranks, job after job.
struct SlotRange
{
    std::int64_t first = 0;
    std::int64_t end = 0;
    std::int64_t count() const { return end - first; }
};

/// How the ranks of all jobs lie on the chips: of each `domainChips` chips the first `domain` are
/// slots, and each job starts `perJob` behind the one before (scenario/domainfit.h).
struct JobSlots
{
    std::int64_t domain = 1;
    std::int64_t domainChips = 1;
    std::int64_t ranks = 1;  ///< of one job
    std::int64_t perJob = 1; ///< of one job: ranks, filled up to whole domains or groups
    std::int64_t jobs = 1;

    /// The slots on the chips [first, end).
    SlotRange on(std::int64_t firstChip, std::int64_t endChip) const;
    /// The slots below a chip.
    std::int64_t below(std::int64_t chip) const;
};

JobSlots jobSlots(const scenario::Scenario& plan, const Placement<double>& placement, double ranks);

/// The same for a range of slots, over the jobs that it touches.
double leaving(const FlowGroup& group, const JobSlots& jobs, const SlotRange& range);

/// What the ranks of the range send in all, in the same units: `leaving` is at most this.
double sending(const FlowGroup& group, const JobSlots& jobs, const SlotRange& range);

/// Calls `flow(rank, weight)` for each flow of a rank of a group whose pattern is not storage:
/// weight 1 in all on the mean of its job.
template <class Flow>
void forFlowsOf(const FlowGroup& g, std::int64_t rank, Flow flow)
{
    const std::int64_t member = rank / g.stride % g.size;
    const std::int64_t base = rank - member * g.stride;
    const auto n = static_cast<double>(g.size);
    if (g.size <= 1)
        return;
    if (g.pattern == Pattern::Ring)
        flow(base + (member + 1) % g.size * g.stride, 1.0);
    else if (g.pattern == Pattern::Exchange)
        for (std::int64_t i = 1; i < g.size; ++i)
            flow(base + (member + i) % g.size * g.stride, 1.0 / (n - 1.0));
    else
        for (const std::int64_t to : {member - 1, member + 1})
            if (to >= 0 && to < g.size)
                flow(base + to * g.stride, n / (2.0 * (n - 1.0)));
}

} // namespace cw::network
