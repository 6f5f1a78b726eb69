// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "model/network/rankmap.h"
#include "model/network/topology.h"

// How far the ranks of a group lie apart, and what the racks of a pod hold: counted on the ranks'
// places, for the picture of the machine.

namespace cw::network {

/// The parts of the machine that the ranks of a group stand in.
struct GroupReach
{
    std::int64_t number = 0; ///< among the groups of its kind in the job
    std::int64_t ranks = 0;
    std::int64_t nodes = 0;
    std::int64_t racks = 0;
    std::int64_t pods = 0;
    std::int64_t sites = 0;
};

/// The group of a rank along all `kinds` together: {Pipeline, Tensor} are the stages of one
/// pipeline with all chips of each stage's tensor group. `kinds` must be axes of one order of the
/// ranks (not Expert with Data, which share theirs).
GroupReach reachOf(const RankMap& map, const RankPlace& of, const std::vector<GroupKind>& kinds);

/// What the ranks of one rack are. Ranges include their last.
struct RackHolds
{
    bool idle = true; ///< no rank
    std::int64_t stageFirst = 0;
    std::int64_t stageLast = 0;
    /// Within its stage: number of the expert group; without those, member of the data group.
    std::int64_t groupFirst = 0;
    std::int64_t groupLast = 0;
};

struct PodRacks
{
    std::vector<RackHolds> racks;
    GroupKind kind = GroupKind::Expert; ///< what is numbered: expert groups, else data members
    bool grouped = false;               ///< whether there is more than one number
    std::int64_t perGroup = 1;          ///< racks of one number; 1 where a rack holds several
    std::int64_t stageFirst = 0;        ///< of the whole pod
    std::int64_t stageLast = 0;
    bool byStage = false; ///< several stages, each rack of one of them
};

PodRacks podRacks(const RankMap& map, std::int64_t pod);

/// Switches that the chips of one pod hang on: those of the scale-up domain where the pod is one,
/// else its leaves in all planes and rails. 0 where chips are cabled to each other.
std::int64_t switchesOfPod(const scenario::Scenario& plan, const Topology<double>& fabric,
                           const Machine& m);

} // namespace cw::network
