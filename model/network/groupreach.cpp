// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/groupreach.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "model/network/wholecount.h"

namespace cw::network {

namespace {

/// The number of a rank when the ranks along some axes are counted as one.
std::int64_t without(const RankMap& map, std::int64_t rank, std::vector<GroupKind> kinds)
{
    // From the slowest axis, so that the strides of the faster ones stay as they are.
    std::sort(kinds.begin(), kinds.end(),
              [&](GroupKind a, GroupKind b) { return map.stride(a) > map.stride(b); });
    for (const GroupKind kind : kinds) {
        const std::int64_t stride = map.stride(kind);
        rank = rank % stride + rank / (stride * map.size(kind)) * stride;
    }
    return rank;
}

/// Ranks of one stage that share a number: an expert group, or one member of a data group.
std::int64_t extentInStage(const RankMap& map, GroupKind kind)
{
    const std::int64_t extent = map.stride(kind) * (kind == GroupKind::Expert ? map.size(kind) : 1);
    const bool holdsStages = map.stride(GroupKind::Pipeline) < extent;
    return std::max<std::int64_t>(1, holdsStages ? extent / map.size(GroupKind::Pipeline) : extent);
}

RackHolds holdsOf(const RankMap& map, std::int64_t first, std::int64_t chips, std::int64_t extent)
{
    RackHolds holds;
    constexpr auto kPipeline = static_cast<std::size_t>(GroupKind::Pipeline);
    const auto take = [&](const RankPlace& at) {
        const std::int64_t stage = at.member[kPipeline];
        const std::int64_t group = at.group[kPipeline] / extent;
        if (holds.idle)
            holds = {false, stage, stage, group, group};
        holds.stageFirst = std::min(holds.stageFirst, stage);
        holds.stageLast = std::max(holds.stageLast, stage);
        holds.groupFirst = std::min(holds.groupFirst, group);
        holds.groupLast = std::max(holds.groupLast, group);
    };
    std::int64_t end = first + chips;
    while (first < end && !map.onChip(first))
        ++first;
    while (end > first && !map.onChip(end - 1))
        --end;
    if (first == end)
        return holds;
    const RankPlace low = *map.onChip(first);
    const RankPlace high = *map.onChip(end - 1);
    take(low);
    take(high);
    // Stages and groups change only at multiples of their sizes.
    const std::int64_t step = std::gcd(map.stride(GroupKind::Pipeline), extent);
    for (std::int64_t job = low.job; job <= high.job; ++job) {
        const std::int64_t from = job == low.job ? low.rank : 0;
        const std::int64_t to = job == high.job ? high.rank : map.ranks() - 1;
        for (std::int64_t rank = from / step * step + step; rank <= to; rank += step)
            take(map.place(rank, job));
        if (job > low.job)
            take(map.place(0, job));
    }
    return holds;
}

} // namespace

GroupReach reachOf(const RankMap& map, const RankPlace& of, const std::vector<GroupKind>& kinds)
{
    std::vector<std::int64_t> ranks{of.rank};
    for (const GroupKind kind : kinds) {
        std::vector<std::int64_t> more;
        for (const std::int64_t rank : ranks)
            for (const std::int64_t peer : map.peers(rank, kind))
                more.push_back(peer);
        ranks = std::move(more);
    }
    const Machine& m = map.machine();
    std::set<std::int64_t> nodes;
    std::set<std::int64_t> racks;
    std::set<std::int64_t> pods;
    std::set<std::int64_t> sites;
    for (const std::int64_t rank : ranks) {
        const ChipPlace at = m.place(map.chipOf(rank, of.job));
        pods.insert(at.pod);
        sites.insert(m.siteOf(at.pod));
        racks.insert(at.pod * m.racksPerPod + at.rack);
        nodes.insert((at.pod * m.racksPerPod + at.rack) * m.nodesPerRack + at.node);
    }
    const auto count = [](const std::set<std::int64_t>& all) {
        return static_cast<std::int64_t>(all.size());
    };
    return {without(map, of.rank, kinds),
            static_cast<std::int64_t>(ranks.size()),
            count(nodes),
            count(racks),
            count(pods),
            count(sites)};
}

PodRacks podRacks(const RankMap& map, std::int64_t pod)
{
    const Machine& m = map.machine();
    PodRacks all;
    all.kind = map.size(GroupKind::Expert) > 1 ? GroupKind::Expert : GroupKind::Data;
    all.grouped = map.size(all.kind) > 1;
    const std::int64_t extent = extentInStage(map, all.kind);
    all.perGroup = std::max<std::int64_t>(1, extent / m.chipsPerRack());
    bool some = false;
    all.byStage = true;
    for (std::int64_t rack = 0; rack < m.racksIn(pod); ++rack) {
        const std::int64_t first = pod * m.chipsPerPod + rack * m.chipsPerRack();
        const RackHolds holds = holdsOf(map, first, m.chipsIn(pod, rack), extent);
        all.racks.push_back(holds);
        if (holds.idle)
            continue;
        all.stageFirst = some ? std::min(all.stageFirst, holds.stageFirst) : holds.stageFirst;
        all.stageLast = some ? std::max(all.stageLast, holds.stageLast) : holds.stageLast;
        some = true;
        all.byStage = all.byStage && holds.stageFirst == holds.stageLast;
    }
    all.byStage = all.byStage && all.stageLast > all.stageFirst;
    return all;
}

std::int64_t switchesOfPod(const scenario::Scenario& plan, const Topology<double>& fabric,
                           const Machine& m)
{
    const scenario::ScaleUp& up = plan.cluster.network.scaleUp;
    if (m.podIsDomain)
        return up.topology == scenario::ScaleUpTopology::Switch
                   ? std::max<std::int64_t>(0, up.switches)
                   : 0;
    if (fabric.leafChips <= 0 || fabric.leaves <= 0)
        return 0;
    const std::int64_t leaf = whole(fabric.leafChips);
    const std::int64_t sets = (m.chipsPerPod + leaf - 1) / leaf;
    return sets * std::max<std::int64_t>(1, whole(fabric.trees));
}

} // namespace cw::network
