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

/// One cable up from a leaf or an aggregation switch of a tree.
struct CableLoad
{
    std::int64_t block = 0;  ///< leaf set or pod, by the chips below
    bool core = false;       ///< from an aggregation switch to a core
    std::int64_t tree = 0;   ///< rail or plane
    std::int64_t uplink = 0; ///< of the leaf: with three levels, the aggregation switch
    std::int64_t second = 0; ///< uplink of that aggregation switch
    ByKind<double> bytes{};  ///< in a step, away from the chips
};

/// Routes every flow of a tree by itself, as its switches do: static by destination, ecmp each of
/// the chip's flows by a hash that `seed` stands for, adaptive even over all paths. Cables that
/// carry nothing are left out. What is read from storage comes from everywhere and is left out too.
std::vector<CableLoad> routeEach(const scenario::Scenario& plan, const Topology<double>& topology,
                                 const Placement<double>& placement,
                                 const scenario::Layout<double>& layout,
                                 const ByKind<Volume<double>>& volumes, std::uint64_t seed);

} // namespace cw::network
