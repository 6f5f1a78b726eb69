// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "model/network/linkloads.h"

// Every link of a machine, and every flow routed over it: what the classes of linkloads.h stand
// for. Made for machines of some thousand chips.

namespace cw::network {

/// One direction of a link between two switches (or chips, in direct networks). Cables that run
/// between the same two are one link; where a level has more switches than cables, `cables` is a
/// part of one.
struct GraphLink
{
    LinkEnd from = LinkEnd::Leaf;
    LinkEnd to = LinkEnd::Core;
    std::int64_t block = 0; ///< of the chips on the lower side: leaf, pod, router, group or chip
    int axis = -1;
    bool up = true; ///< away from the block's chips
    double cables = 1;
    ByKind<double> bytes{}; ///< on all its cables in a step
};

/// Routes the flows of all groups at once: even over the shortest ways, in proportion to cables; in
/// tori and meshes axis by axis. In a dragonfly even over all cables between the two groups.
std::vector<GraphLink> routeAll(const scenario::Scenario& plan, const Topology<double>& topology,
                                const Placement<double>& placement,
                                const scenario::Layout<double>& layout,
                                const ByKind<Volume<double>>& volumes);

} // namespace cw::network
