// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/traffic.h"

#include <algorithm>
#include <cmath>

#include "model/network/crossing.h"
#include "model/network/directhops.h"
#include "model/network/routingload.h"
#include "model/network/topologyshape.h"
#include "model/network/wholecount.h"

namespace cw::network {

using explain::named;
using explain::Traced;
using explain::valueOf;
using scenario::Inputs;
using units::Seconds;
using units::Unit;

namespace {

constexpr std::array<std::string_view, kTrafficKinds> kNames{
    "tensor", "context", "expert", "pipeline", "data", "expert_data", "checkpoint", "dataset"};

CrossShares sharesOf(const scenario::Scenario& plan, const Topology<double>& topology,
                     const Placement<double>& placement, double ranks, int samples)
{
    const std::size_t tierCount = topology.tierCount;
    const bool computed = routingIsComputed(plan);
    const bool hashed = plan.cluster.network.scaleOut.routing != scenario::Routing::Static;
    CrossShares shares;
    shares.known = true;
    const JobSlots jobs = jobSlots(plan, placement, ranks);
    std::array<FlowGroup, kTrafficKinds> flows;
    for (std::size_t k = 0; k < kTrafficKinds; ++k)
        flows[k] = flowGroup(plan, placement, jobs.ranks, static_cast<TrafficKind>(k));
    const std::int64_t chips = std::max<std::int64_t>(1, plan.cluster.chips);
    for (std::size_t i = 0; i < tierCount; ++i) {
        const std::int64_t block = whole(topology.tiers[i].chips);
        const std::int64_t blocks = (chips + block - 1) / block;
        if (blocks <= 1)
            continue;
        const std::int64_t looked = std::min<std::int64_t>(blocks, std::max(samples, 2));
        ByKind<double> sum{};
        ByKind<double> sent{};
        ByKind<double> fullest{};
        BlockLinks links = linksOutOf(topology, block, chips);
        const bool spread = computed && i > 0 && links.paths > 1;
        for (std::int64_t j = 0; j < looked; ++j) {
            const std::int64_t at = looked == blocks ? j : j * (blocks - 1) / (looked - 1);
            const SlotRange slots = jobs.on(at * block, std::min(chips, (at + 1) * block));
            if (slots.count() == 0)
                continue;
            const auto here = static_cast<double>(slots.count());
            for (std::size_t k = 0; k < kTrafficKinds; ++k) {
                const double out = leaving(flows[k], jobs, slots);
                sum[k] += out;
                sent[k] += sending(flows[k], jobs, slots);
                shares.worst[i][k] = std::max(shares.worst[i][k], out / here);
                if (!spread || !(out > 0))
                    continue;
                // What stretches is the load of the fullest link: its share of all times imbalance.
                links.firstChip = at * block;
                links.endChip = std::min(chips, (at + 1) * block);
                if (hashed && out <= fullest[k])
                    continue; // the expectation grows with the flows
                fullest[k] = std::max(fullest[k], out);
                const double uneven = imbalanceOf(plan, topology, flows[k], jobs, links, out);
                shares.imbalance[i][k] = std::max(shares.imbalance[i][k], uneven * out / here);
            }
        }
        for (std::size_t k = 0; k < kTrafficKinds; ++k) {
            // The blocks that were looked at may be those of lines' ends more than others are.
            shares.mean[i][k] = sent[k] > 0 ? std::min(1.0, sum[k] / sent[k]) : 0;
            if (i > 0) // what leaves a tier has left those inside it
                shares.mean[i][k] = std::min(shares.mean[i][k], shares.mean[i - 1][k]);
            if (shares.worst[i][k] > 0)
                shares.imbalance[i][k] /= shares.worst[i][k];
        }
    }
    using scenario::ScaleOutTopology;
    const scenario::ScaleOut& out = plan.cluster.network.scaleOut;
    const bool ring = out.topology == ScaleOutTopology::Torus;
    if (tierCount < 2 || (!ring && out.topology != ScaleOutTopology::NdFullMesh))
        return shares;
    std::vector<std::int64_t> shape = out.shape;
    if (shape.empty())
        shape = ring ? torusShape(siteChips(plan)) : meshShape(siteChips(plan));
    const auto ports = static_cast<double>(portsOf(shape, ring));
    for (std::size_t k = 0; k < kTrafficKinds; ++k) {
        if (flows[k].pattern == Pattern::Storage)
            continue;
        const std::vector<double> hops = axisHops(shape, ring, flows[k], jobs, samples);
        for (std::size_t axis = 0; axis < shape.size(); ++axis)
            if (shape[axis] > 1)
                shares.axis[k] =
                    std::max(shares.axis[k], hops[axis] * ports /
                                                 static_cast<double>(portsOf({shape[axis]}, ring)));
    }
    return shares;
}

/// Share of the flows that cross domains which leave the blocks of a tier too.
double ofCrossing(const scenario::Scenario& plan, const CrossShares& shares, std::size_t kind,
                  std::size_t tier)
{
    const double beyond = shares.mean[tier][kind];
    const double crossing = shares.mean[0][kind];
    // Storage lies outside all domains.
    if (shapeOf(plan, static_cast<TrafficKind>(kind)).pattern == Pattern::Storage)
        return beyond;
    return crossing > 0 ? beyond / crossing : 0;
}

/// The counts that shares and routing read, as numbers.
Topology<double> plainOf(const Topology<Traced>& t)
{
    Topology<double> p;
    p.trees = t.trees.value;
    p.portsEach = t.portsEach.value;
    p.leaves = t.leaves.value;
    p.aggregations = t.aggregations.value;
    p.cores = t.cores.value;
    p.groups = t.groups.value;
    p.leafChips = t.leafChips.value;
    p.podChips = t.podChips.value;
    p.leafUplinks = t.leafUplinks.value;
    p.aggregationUplinks = t.aggregationUplinks.value;
    p.tierCount = t.tierCount;
    for (std::size_t i = 0; i < t.tierCount; ++i)
        p.tiers[i].chips = t.tiers[i].chips.value;
    return p;
}

} // namespace

bool isStorage(TrafficKind kind)
{
    return kind == TrafficKind::Checkpoint || kind == TrafficKind::Dataset;
}

std::string_view nameOf(TrafficKind kind)
{
    return kNames[static_cast<std::size_t>(kind)];
}

CrossShares crossShares(const scenario::Scenario& plan, const Topology<double>& topology,
                        const Placement<double>& placement, double ranks, int samples)
{
    return sharesOf(plan, topology, placement, ranks, samples);
}

CrossShares crossShares(const scenario::Scenario& plan, const Topology<Traced>& topology,
                        const Placement<Traced>& placement, const Traced& ranks, int samples)
{
    Placement<double> plain;
    for (std::size_t k = 0; k < kGroupKinds; ++k) {
        const GroupSpan<Traced>& g = placement.groups[k];
        plain.groups[k] = {g.size.value, g.stride.value, g.inside.value, g.domains.value,
                           g.extent.value};
    }
    plain.domain = placement.domain.value;
    plain.domainLeft = placement.domainLeft.value;
    return sharesOf(plan, plainOf(topology), plain, ranks.value, samples);
}

template <class T>
Traffic<T> trafficOf(const Inputs<T>& in, const Topology<T>& topology, const CrossShares& shares,
                     const ByKind<Volume<T>>& volumes, const Seconds<T>& step)
{
    Traffic<T> t;
    t.volumes = volumes;
    t.tierCount = topology.tierCount;
    for (std::size_t k = 0; k < kTrafficKinds; ++k) {
        const Volume<T>& v = volumes[k];
        t.tiers[0].carried[k] = v.inside;
        for (std::size_t i = 1; i < t.tierCount; ++i)
            t.tiers[i].carried[k] =
                i == 1 ? v.across
                       : v.across * in.constant("traffic.beyond", Unit::Share,
                                                ofCrossing(in.plan(), shares, k, i - 1));
        t.tiers[0].bytes[k] = v.inside;
        for (std::size_t i = 1; i < t.tierCount; ++i)
            t.tiers[i].bytes[k] = i + 1 < t.tierCount
                                      ? t.tiers[i].carried[k] - t.tiers[i + 1].carried[k]
                                      : t.tiers[i].carried[k];
    }
    for (std::size_t i = 0; i < t.tierCount; ++i) {
        TierTraffic<T>& tier = t.tiers[i];
        T bytes(0.0);
        T stored(0.0);
        T busy(0.0);
        for (std::size_t k = 0; k < kTrafficKinds; ++k) {
            if (!(valueOf(tier.carried[k]) > 0.0))
                continue;
            T& sum = isStorage(static_cast<TrafficKind>(k)) ? stored : bytes;
            sum = sum + tier.carried[k];
            busy = busy + volumes[k].time.si();
        }
        const T rate = topology.tiers[i].bandwidth.si();
        if (!(valueOf(bytes + stored) > 0.0) || !(valueOf(rate) > 0.0))
            continue;
        tier.utilization =
            named("traffic.utilization", Unit::Share, (bytes + stored) / rate / step.si());
        tier.inUse = valueOf(busy) > 0.0 ? named("traffic.in_use", Unit::Share,
                                                 bytes / rate / busy + stored / rate / step.si())
                                         : tier.utilization;
    }
    return t;
}

template Traffic<double> trafficOf(const Inputs<double>&, const Topology<double>&,
                                   const CrossShares&, const ByKind<Volume<double>>&,
                                   const Seconds<double>&);
template Traffic<Traced> trafficOf(const Inputs<Traced>&, const Topology<Traced>&,
                                   const CrossShares&, const ByKind<Volume<Traced>>&,
                                   const Seconds<Traced>&);

} // namespace cw::network
