// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "model/scenario/inputs.h"
#include "model/units/quantity.h"

// What the network is made of: switches, cables, optics, and how far each tier of it reaches.
//
// Sources: fat tree, multi-plane, dragonfly counts: Zhao et al., "Insights into DeepSeek-V3"
// (arXiv 2505.09343), sec. 5 and table 3; dragonfly: Kim et al., ISCA 2008; dragonfly+: Shpiner et
// al., HiPINEB 2017; nd full mesh: Liao et al., UB-Mesh (arXiv 2503.20377).

namespace cw::network {

/// One step outward from a chip.
template <class T>
struct Tier
{
    std::string_view name;              ///< key in the message catalogue: "topology.tier_leaf"
    T chips{};                          ///< chips that are reached within this tier
    units::BytesPerSecond<T> bandwidth; ///< per chip and direction, after oversubscription
    units::Seconds<T> latency;
};

inline constexpr std::size_t kMaxTiers = 6;

template <class T>
struct Topology
{
    T switches{};
    T links{};         ///< all cables: endpointLinks + switchLinks
    T endpointLinks{}; ///< cables between a chip and its first switch
    T switchLinks{};   ///< cables between switches; in direct networks between chips
    T optics{};        ///< optical modules
    units::BytesPerSecond<T> bisection; ///< one direction, over the worst halving
    /// Cables between switching elements on the longest shortest path (fat tree of two levels: 2,
    /// of three: 4; dragonfly: 3). In direct networks the chips are the switching elements.
    T diameterHops{};
    T idlePorts{};          ///< ports of the switches that hold no cable
    T levels{};             ///< levels of switches that are built (0 in direct networks)
    T leaves{};             ///< of the switches: those that chips hang on (routers of a dragonfly)
    T aggregations{};       ///< of the switches: the level between leaves and cores
    T cores{};              ///< of the switches: the topmost level
    T groups{};             ///< of a dragonfly or dragonfly+
    T trees{};              ///< separate trees: rails, planes
    T portsEach{1.0};       ///< of a chip, in all trees
    T leafChips{};          ///< chips that hang on one set of leaves, or on one router
    T podChips{};           ///< chips below one set of aggregation switches, or in one group
    T leafUplinks{};        ///< of one leaf; of a router: its global ports
    T aggregationUplinks{}; ///< of one aggregation switch
    T scaleUpSwitches{};    ///< inside all scale-up domains
    T scaleUpLinks{};       ///< inside all scale-up domains
    bool reaches = true;    ///< whether the fabric can connect all chips of a site
    std::array<Tier<T>, kMaxTiers> tiers{};
    std::size_t tierCount = 0;
};

/// Counts the network of `cluster.network` for `cluster.chips` chips, without regard to faults.
///
/// - Scale-out is built where the chips do not all lie in one scale-up domain, once for each site.
/// - `levels` is the most a tree may have; the fewest that reach are built.
/// - rail-optimized: one tree for each of `rails`, each with every rails-th chip.
/// - multi-plane: one tree for each of `planes`. With as many `rails` (NICs of a node) each chip is
///   on one of them (DeepSeek's MPFT); with fewer each NIC is split over planes/rails of them.
/// - fat-tree and rail-optimized with `planes` > 1: each NIC is split, every plane has a port of
///   every chip (of the rail) at 1/planes of its bandwidth; `radix` counts ports at that speed.
/// - dragonfly: `shape` is [endpoints per router, routers per group, global ports per router], or
///   empty for the balanced one that fits `radix` (a = 2p = 2h).
/// - torus, nd-full-mesh: `shape` are the extents; empty: the nearest to a cube (8 along each axis
///   in a mesh).
template <class T>
Topology<T> topology(const scenario::Inputs<T>& in);

extern template Topology<double> topology(const scenario::Inputs<double>&);
extern template Topology<explain::Traced> topology(const scenario::Inputs<explain::Traced>&);

} // namespace cw::network
