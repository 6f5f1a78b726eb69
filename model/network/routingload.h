// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "model/network/crossing.h"
#include "model/network/topology.h"

// How far the fullest of several equal paths is above their mean, by the way of routing.
//
// - ecmp: a switch hashes each flow to one of its paths, so that flows fall into paths as balls
// into
//   bins. [Levin 1981, "A representation for multinomial cumulative distribution functions"]
// - static: the path follows from the destination: endpoint d takes uplink d mod k of its leaf, and
//   above it (d / k) mod k'. [Zahavi 2012, "Fat-trees routing and node ordering providing
//   contention free traffic for MPI global collectives": d-mod-k]
// - adaptive: each packet takes the emptiest path; near even.

namespace cw::network {

/// Fullest path over the mean where packets take the emptiest one. [assumed; fabrics with adaptive
/// routing reach 0.93 to 1.0 of their rate]
inline constexpr double kAdaptiveImbalance = 1.1;

/// Expected number of flows on the fullest path, where each of `switches` switches hashes `flows`
/// equal flows over `paths` paths. Within 1% of the exact value; 0 where there is no flow.
double expectedWorstLoad(double flows, double paths, double switches);

/// The same over the mean of the paths, flows / paths. At least 1.
double hashedImbalance(double flows, double paths, double switches);

/// The way of a flow to a chip in a tree by its destination alone.
struct StaticWay
{
    std::int64_t tree = 0;   ///< rail or plane; -1: spread over all of them
    std::int64_t uplink = 0; ///< of the leaf; the aggregation switch, where there is such a level
    std::int64_t core = 0;   ///< uplink of that aggregation switch
};
StaticWay staticWay(const scenario::Scenario& plan, const Topology<double>& topology,
                    std::int64_t chip);

/// What one way of routing needs to know of the links that lead out of a block of chips.
struct BlockLinks
{
    std::int64_t firstChip = 0;
    std::int64_t endChip = 0;
    double paths = 1;    ///< equal paths that a flow may take out of the block, in one tree
    double trees = 1;    ///< separate trees over which the block's flows are spread
    double switches = 1; ///< that hash alike in the whole machine
    bool top = false;    ///< cables to the cores of a tree of three levels
};

/// Those of blocks of `chips` chips on a machine of `allChips`: leaf sets, pods, groups. The chips
/// of the block are left to the caller.
BlockLinks linksOutOf(const Topology<double>& topology, std::int64_t chips, std::int64_t allChips);

/// Fullest link over the mean for one kind's flows out of one block, of which `leaving` leave it in
/// all. 1 where nothing leaves or there is one path.
double imbalanceOf(const scenario::Scenario& plan, const Topology<double>& topology,
                   const FlowGroup& flows, const JobSlots& jobs, const BlockLinks& block,
                   double leaving);

/// Whether the plan leaves the imbalance to the formulas above: no value is given, and the fabric
/// has equal paths to choose among.
bool routingIsComputed(const scenario::Scenario& plan);

} // namespace cw::network
