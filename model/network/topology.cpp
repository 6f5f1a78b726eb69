// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/topology.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/network/topologyshape.h"

namespace cw::network {

using explain::named;
using explain::Traced;
using explain::valueOf;
using scenario::Inputs;
using scenario::ScaleOut;
using scenario::ScaleOutTopology;
using units::Unit;

namespace {

template <class T>
void addTier(Topology<T>& t, std::string_view name, const T& chips, const T& bandwidth,
             const T& latency)
{
    // A tier that reaches no farther than the one before is the same switches seen twice.
    if (t.tierCount == kMaxTiers ||
        (t.tierCount > 0 && valueOf(chips) <= valueOf(t.tiers[t.tierCount - 1].chips)))
        return;
    t.tiers[t.tierCount++] =
        Tier<T>{name, chips, units::BytesPerSecond<T>(bandwidth), units::Seconds<T>(latency)};
}

/// What all kinds of fabric need of the plan.
template <class T>
struct Fabric
{
    const ScaleOut& plan;
    T chips; ///< of one site
    T radix;
    T bandwidth;
    T latency;
    T hop;
};

/// The entry of a list of the plan, or 1 where the list is shorter.
template <class T>
T entryOrOne(const Inputs<T>& in, const std::vector<double>& list, std::size_t i)
{
    return i < list.size() ? in(list[i]) : T(1.0);
}

/// Ports of a switch that look down, of the rest that look up, under a given oversubscription.
template <class T>
T downPorts(const T& radix, const T& oversubscription)
{
    using std::floor;
    using std::max;
    return max(floor(radix * oversubscription / (oversubscription + 1.0)), T(1.0));
}

template <class T>
struct Tree
{
    T count;      ///< of equal, separate trees
    T endpoints;  ///< of one tree
    T portsEach;  ///< ports that one chip has in all trees
    T chipFactor; ///< chips of the machine for each endpoint of one tree (rails, planes)
};

template <class T>
Tree<T> treeOf(const Inputs<T>& in, const Fabric<T>& f)
{
    using std::ceil;
    using std::max;
    const T planes = in(f.plan.planes);
    const T rails = in(f.plan.rails);
    switch (f.plan.topology) {
    case ScaleOutTopology::RailOptimized:
        return {rails * planes, ceil(f.chips / rails), planes, rails};
    case ScaleOutTopology::MultiPlane: {
        // As many NICs as planes: each chip on one plane. Fewer: each NIC is split over several.
        const T ports = max(T(1.0), planes / max(rails, T(1.0)));
        return {planes, ceil(f.chips * ports / planes), ports, planes / ports};
    }
    default:
        return {planes, f.chips, planes, T(1.0)};
    }
}

/// A tree of one switch: no cable between switches.
template <class T>
void oneLevel(Topology<T>& t, const Fabric<T>& f, const Tree<T>& tree)
{
    using std::ceil;
    using std::min;
    t.levels = T(1.0);
    t.switches = tree.count * ceil(tree.endpoints / f.radix);
    t.leaves = t.switches;
    t.leafChips = f.radix * tree.chipFactor;
    t.bisection = units::BytesPerSecond<T>(f.chips * f.bandwidth / 2.0);
    t.reaches = valueOf(tree.endpoints) <= valueOf(f.radix);
    addTier(t, "topology.tier_leaf", min(f.chips, f.radix * tree.chipFactor), f.bandwidth,
            f.latency);
}

/// Leaves and above; each level holds as many switches as the uplinks below it fill.
template <class T>
void fatTree(const Inputs<T>& in, const Fabric<T>& f, Topology<T>& t)
{
    using std::ceil;
    using std::max;
    using std::min;
    const Tree<T> tree = treeOf(in, f);
    t.trees = tree.count;
    t.portsEach = tree.portsEach;
    t.endpointLinks = f.chips * tree.portsEach;
    if (f.plan.levels <= 1 || valueOf(tree.endpoints) <= valueOf(f.radix)) {
        oneLevel(t, f, tree);
        return;
    }
    const T down1 = downPorts(f.radix, entryOrOne(in, f.plan.oversubscription, 0));
    const T up1 = max(f.radix - down1, T(1.0));
    const T leaves = ceil(tree.endpoints / down1);
    const T taper1 = down1 / up1;
    t.leaves = tree.count * leaves;
    t.leafChips = down1 * tree.chipFactor;
    t.leafUplinks = up1;
    addTier(t, "topology.tier_leaf", min(f.chips, down1 * tree.chipFactor), f.bandwidth, f.latency);
    if (f.plan.levels == 2 || valueOf(tree.endpoints) <= valueOf(down1) * valueOf(f.radix)) {
        const T spines = ceil(leaves * up1 / f.radix);
        t.levels = T(2.0);
        t.cores = tree.count * spines;
        t.switches = tree.count * (leaves + spines);
        t.switchLinks = tree.count * (leaves * up1);
        t.bisection = units::BytesPerSecond<T>(f.chips * f.bandwidth / 2.0 / taper1);
        t.diameterHops = T(2.0);
        t.reaches = valueOf(leaves) <= valueOf(f.radix);
        addTier(t, "topology.tier_core", f.chips, f.bandwidth / taper1, f.latency + 2.0 * f.hop);
        return;
    }
    const T down2 = downPorts(f.radix, entryOrOne(in, f.plan.oversubscription, 1));
    const T up2 = max(f.radix - down2, T(1.0));
    const T aggregation = ceil(leaves * up1 / down2);
    const T cores = ceil(aggregation * up2 / f.radix);
    const T taper2 = taper1 * (down2 / up2);
    t.levels = T(3.0);
    t.aggregations = tree.count * aggregation;
    t.cores = tree.count * cores;
    t.podChips = down1 * down2 * tree.chipFactor;
    t.aggregationUplinks = up2;
    t.switches = tree.count * (leaves + aggregation + cores);
    t.switchLinks = tree.count * (leaves * up1 + aggregation * up2);
    t.bisection = units::BytesPerSecond<T>(f.chips * f.bandwidth / 2.0 / taper2);
    t.diameterHops = T(4.0);
    t.reaches = valueOf(tree.endpoints) <= valueOf(down1) * valueOf(down2) * valueOf(f.radix);
    addTier(t, "topology.tier_pod", min(f.chips, down1 * down2 * tree.chipFactor),
            f.bandwidth / taper1, f.latency + 2.0 * f.hop);
    addTier(t, "topology.tier_core", f.chips, f.bandwidth / taper2, f.latency + 4.0 * f.hop);
}

/// Bandwidth over the halving of `groups` groups whose `links` cables are spread evenly over all
/// pairs of groups.
template <class T>
T pairwiseBisection(const T& groups, const T& links, const Fabric<T>& f)
{
    using std::floor;
    using std::min;
    const T full = f.chips * f.bandwidth / 2.0;
    if (valueOf(groups) < 2.0)
        return full;
    const T half = floor(groups / 2.0);
    const T crossing = links * (2.0 * half * (groups - half)) / (groups * (groups - 1.0));
    return min(full, crossing * f.bandwidth);
}

template <class T>
void dragonfly(const Inputs<T>& in, const Fabric<T>& f, Topology<T>& t)
{
    using std::ceil;
    using std::floor;
    using std::max;
    using std::min;
    const std::vector<std::int64_t>& shape = f.plan.shape;
    const T balanced = max(floor((f.radix + 1.0) / 4.0), T(1.0));
    const T p = !shape.empty() ? in(shape[0]) : balanced;
    const T a = shape.size() > 1 ? in(shape[1]) : 2.0 * balanced;
    const T h = shape.size() > 2 ? in(shape[2]) : balanced;
    const T groups = ceil(f.chips / (a * p));
    const T global = valueOf(groups) > 1.0 ? floor(groups * a * h / 2.0) : T(0.0);
    t.levels = T(1.0);
    t.endpointLinks = f.chips;
    t.switches = groups * a;
    t.leaves = t.switches;
    t.groups = groups;
    t.leafChips = p;
    t.podChips = a * p;
    t.leafUplinks = h;
    t.switchLinks = groups * (a * (a - 1.0) / 2.0) + global;
    t.bisection = units::BytesPerSecond<T>(pairwiseBisection(groups, global, f));
    t.diameterHops = valueOf(groups) > 1.0 ? T(3.0) : T(1.0);
    t.reaches = valueOf(groups) <= valueOf(a) * valueOf(h) + 1.0 &&
                valueOf(p) + valueOf(a) - 1.0 + valueOf(h) <= valueOf(f.radix);
    addTier(t, "topology.tier_leaf", min(f.chips, p), f.bandwidth, f.latency);
    addTier(t, "topology.tier_group", min(f.chips, a * p), f.bandwidth, f.latency + f.hop);
    addTier(t, "topology.tier_core", f.chips, f.bandwidth * min(h / p, T(1.0)),
            f.latency + 3.0 * f.hop);
}

template <class T>
void dragonflyPlus(const Fabric<T>& f, Topology<T>& t)
{
    using std::ceil;
    using std::floor;
    using std::max;
    using std::min;
    const T half = max(floor(f.radix / 2.0), T(1.0));
    const T groupChips = half * half;
    const T groups = ceil(f.chips / groupChips);
    const T global = valueOf(groups) > 1.0 ? floor(groups * groupChips / 2.0) : T(0.0);
    t.levels = T(2.0);
    t.endpointLinks = f.chips;
    t.switches = groups * (2.0 * half);
    t.leaves = groups * half;
    t.cores = groups * half;
    t.groups = groups;
    t.leafChips = half;
    t.podChips = groupChips;
    t.leafUplinks = half;
    t.switchLinks = groups * groupChips + global;
    t.bisection = units::BytesPerSecond<T>(pairwiseBisection(groups, global, f));
    t.diameterHops = valueOf(groups) > 1.0 ? T(3.0) : T(2.0);
    t.reaches = valueOf(groups) <= valueOf(groupChips) + 1.0;
    addTier(t, "topology.tier_leaf", min(f.chips, half), f.bandwidth, f.latency);
    addTier(t, "topology.tier_group", min(f.chips, groupChips), f.bandwidth,
            f.latency + 2.0 * f.hop);
    addTier(t, "topology.tier_core", f.chips, f.bandwidth, f.latency + 3.0 * f.hop);
}

template <class T>
std::vector<T> extents(const Inputs<T>& in, const Fabric<T>& f)
{
    std::vector<T> result;
    for (const std::int64_t& n : f.plan.shape)
        result.push_back(in(n));
    if (!result.empty())
        return result;
    const std::int64_t chips = siteChips(in.plan());
    for (const std::int64_t n :
         f.plan.topology == ScaleOutTopology::Torus ? torusShape(chips) : meshShape(chips))
        result.push_back(T(static_cast<double>(n)));
    return result;
}

/// Chips cabled to each other: a ring along each axis (torus), or all to all along it (mesh).
template <class T>
void direct(const Inputs<T>& in, const Fabric<T>& f, Topology<T>& t)
{
    using std::floor;
    using std::max;
    const bool ring = f.plan.topology == ScaleOutTopology::Torus;
    const std::vector<T> shape = extents(in, f);
    T nodes(1.0);
    T ports(0.0);
    // The cut across one axis holds this many cables for each chip; the weakest counts.
    T cut(0.0);
    for (const T& n : shape) {
        if (valueOf(n) < 2.0)
            continue;
        const bool pair = valueOf(n) < 3.0;
        const T half = floor(n / 2.0);
        const T across = ring ? T(pair ? 1.0 : 2.0) / n : half * (n - half) / n;
        cut = valueOf(cut) == 0.0 || valueOf(across) < valueOf(cut) ? across : cut;
        nodes = nodes * n;
        ports = ports + (ring ? T(pair ? 1.0 : 2.0) : n - 1.0);
        t.diameterHops = t.diameterHops + (ring ? half : T(1.0));
    }
    t.switchLinks = nodes * ports / 2.0;
    const T portBandwidth = f.bandwidth / max(ports, T(1.0));
    t.bisection = units::BytesPerSecond<T>(nodes * cut * portBandwidth);
    t.reaches = valueOf(nodes) >= valueOf(f.chips);
    addTier(t, "topology.tier_core", f.chips, f.bandwidth, f.latency + t.diameterHops * f.hop);
}

/// The tier of the sites, and what several sites do to the counts of one.
template <class T>
void joinSites(const Inputs<T>& in, Topology<T>& t)
{
    using std::floor;
    using std::min;
    const scenario::Network& network = in.plan().cluster.network;
    if (network.sites <= 1)
        return;
    const T sites = in(network.sites);
    const T chips = in(in.plan().cluster.chips);
    const T bandwidth = in(network.siteBandwidth);
    t.switches = t.switches * sites;
    t.leaves = t.leaves * sites;
    t.aggregations = t.aggregations * sites;
    t.cores = t.cores * sites;
    t.groups = t.groups * sites;
    t.endpointLinks = t.endpointLinks * sites;
    t.switchLinks = t.switchLinks * sites;
    t.bisection = units::BytesPerSecond<T>(
        min(t.bisection.si(), chips * floor(sites / 2.0) / sites * bandwidth));
    addTier(t, "topology.tier_site", chips, bandwidth, in(network.siteLatency));
}

/// Modules: at both ends of a cable between switches and at the switch's end of a chip's cable; in
/// direct networks only the cables that leave a rack are optical.
template <class T>
T opticsOf(const Inputs<T>& in, const Topology<T>& t)
{
    const T perLink = in.constant("constant.optics_per_switch_link", Unit::None, 2.0);
    switch (in.plan().cluster.network.scaleOut.topology) {
    case ScaleOutTopology::Torus:
        return t.switchLinks * perLink *
               in.constant("constant.torus_optical_share", Unit::Share, 0.25);
    case ScaleOutTopology::NdFullMesh:
        return t.switchLinks * perLink *
               in.constant("constant.mesh_optical_share", Unit::Share, 0.5);
    default:
        return t.switchLinks * perLink +
               t.endpointLinks * in.constant("constant.optics_per_endpoint_link", Unit::None, 1.0);
    }
}

/// Switches and cables inside the scale-up domains. A domain that is begun is built whole.
template <class T>
void scaleUp(const Inputs<T>& in, Topology<T>& t)
{
    using std::ceil;
    const scenario::ScaleUp& up = in.plan().cluster.network.scaleUp;
    if (up.chips <= 1)
        return;
    const T chips = in(up.chips);
    const T domains = ceil(in(in.plan().cluster.chips) / chips);
    switch (up.topology) {
    case scenario::ScaleUpTopology::Switch:
        t.scaleUpSwitches = domains * in(up.switches);
        t.scaleUpLinks = domains * chips * in(up.linksPerChip);
        // A chip's links reach that many switches at most. With more of them there is a level
        // above, with as many cables to it as below. [CloudMatrix384, arXiv 2506.12708, sec. 3: no
        // taper]
        if (up.switches > up.linksPerChip)
            t.scaleUpLinks = 2.0 * t.scaleUpLinks;
        return;
    case scenario::ScaleUpTopology::FullMesh:
        t.scaleUpLinks = domains * (chips * (chips - 1.0) / 2.0);
        return;
    case scenario::ScaleUpTopology::Torus:
    case scenario::ScaleUpTopology::NdFullMesh:
        t.scaleUpLinks =
            domains *
            (chips *
             T(static_cast<double>(portsOf(scaleUpShape(in.plan()),
                                           up.topology == scenario::ScaleUpTopology::Torus))) /
             2.0);
        return;
    }
}

template <class T>
void build(const Inputs<T>& in, const Fabric<T>& f, Topology<T>& t)
{
    switch (f.plan.topology) {
    case ScaleOutTopology::FatTree:
    case ScaleOutTopology::RailOptimized:
    case ScaleOutTopology::MultiPlane:
        fatTree(in, f, t);
        break;
    case ScaleOutTopology::Dragonfly:
        dragonfly(in, f, t);
        break;
    case ScaleOutTopology::DragonflyPlus:
        dragonflyPlus(f, t);
        break;
    case ScaleOutTopology::Torus:
    case ScaleOutTopology::NdFullMesh:
        direct(in, f, t);
        break;
    }
}

template <class T>
void nameAll(Topology<T>& t)
{
    t.switches = named("topology.switches", Unit::None, t.switches);
    t.endpointLinks = named("topology.endpoint_links", Unit::None, t.endpointLinks);
    t.switchLinks = named("topology.switch_links", Unit::None, t.switchLinks);
    t.links = named("topology.links", Unit::None, t.endpointLinks + t.switchLinks);
    t.bisection = named("topology.bisection_bytes_per_s", Unit::BytesPerSecond, t.bisection);
    t.scaleUpSwitches = named("topology.scale_up_switches", Unit::None, t.scaleUpSwitches);
    t.scaleUpLinks = named("topology.scale_up_links", Unit::None, t.scaleUpLinks);
    t.diameterHops = named("topology.diameter_hops", Unit::None, t.diameterHops);
}

} // namespace

template <class T>
Topology<T> topology(const Inputs<T>& in)
{
    using std::ceil;
    using std::max;
    using std::min;
    const scenario::Cluster& cluster = in.plan().cluster;
    const scenario::ScaleUp& up = cluster.network.scaleUp;
    const ScaleOut& out = cluster.network.scaleOut;
    const T all = in(cluster.chips);
    const T chips = cluster.network.sites > 1 ? ceil(all / in(cluster.network.sites)) : all;
    Topology<T> t;
    addTier(t, "topology.tier_scale_up", min(chips, in(up.chips)), in(up.bandwidth),
            in(up.latency));
    const Fabric<T> f{
        out, chips, in(out.radix), in(out.bandwidth), in(out.latency), in(out.hopLatency)};
    if (cluster.chips > up.chips)
        build(in, f, t);
    else // one domain: its own switch halves the chips at full rate
        t.bisection = units::BytesPerSecond<T>(chips * in(up.bandwidth) / 2.0);
    scaleUp(in, t);
    joinSites(in, t);
    nameAll(t);
    t.optics = named("topology.optics", Unit::None, opticsOf(in, t));
    const T ports = t.switches * f.radix - t.endpointLinks - 2.0 * t.switchLinks;
    t.idlePorts = named("topology.idle_ports", Unit::None,
                        valueOf(t.switches) > 0.0 ? max(ports, T(0.0)) : T(0.0));
    return t;
}

template Topology<double> topology(const Inputs<double>&);
template Topology<Traced> topology(const Inputs<Traced>&);

} // namespace cw::network
