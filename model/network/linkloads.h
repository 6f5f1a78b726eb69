// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/network/traffic.h"
#include "model/scenario/layout.h"

// The links of the machine in classes of equal load. A tree's switches whose blocks of chips see
// the same groups carry the same, so that half a million chips have a handful of classes; each
// class says how many links it has and which blocks they belong to. On machines of up to 1,024
// chips a test holds the classes against every link of the graph (linkgraph.h).

namespace cw::network {

enum class LinkEnd : std::uint8_t
{
    Chip,
    ScaleUpSwitch,
    Leaf,
    Aggregation,
    Core,
    Router, ///< of a dragonfly
    Group,  ///< of a dragonfly or dragonfly+
    Site,
};
inline constexpr std::size_t kLinkEnds = 8;
/// "chip", "scale-up-switch", "leaf", "aggregation", "core", "router", "group", "site".
std::string_view nameOf(LinkEnd end);

/// Links that carry the same.
struct LinkClass
{
    LinkEnd from = LinkEnd::Chip; ///< the end nearer to the chips
    LinkEnd to = LinkEnd::Leaf;
    std::size_t tier = 0;        ///< index in Topology::tiers of the tier that the link is part of
    int axis = -1;               ///< of a torus or mesh: the axis along which it lies
    double count = 0;            ///< links (cables)
    double capacity = 0;         ///< bytes/s of one link and direction
    ByKind<double> bytes{};      ///< of one link and step, in the fuller direction
    double utilization = 0;      ///< over the step
    double inUse = 0;            ///< over the time in which the kinds that pass it communicate
    double hottest = 0;          ///< in use, of the fullest link: with the imbalance of routing, at
                                 ///< most full
    std::int64_t firstBlock = 0; ///< the first block of chips whose links these are

    double total() const;
};

/// The blocks of chips that hang on the links of one tier (domains, leaves, pods): block i holds
/// the chips from i * chips. `classOf[i]` is an index into LinkLoads::classes.
struct LinkBlocks
{
    std::size_t tier = 0;
    std::int64_t chips = 1;
    std::vector<std::uint32_t> classOf;
};

struct LinkLoads
{
    std::vector<LinkClass> classes; ///< from the chips outward
    std::vector<LinkBlocks> blocks; ///< from the chips outward
    std::size_t hottest = 0;        ///< class of the fullest link; classes may be empty
};

/// Loads of all links in one step of the plan. `volumes`: as in Traffic; `step` in seconds.
LinkLoads linkLoads(const scenario::Scenario& plan, const Topology<double>& topology,
                    const Placement<double>& placement, const scenario::Layout<double>& layout,
                    const ByKind<Volume<double>>& volumes, double step);

} // namespace cw::network
