// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/collectives.h"

#include <cmath>

#include "model/network/domainshare.h"
#include "model/network/fabric.h"
#include "model/network/topologyshape.h"
#include "model/network/wholecount.h"

namespace cw::network {

using explain::named;
using explain::Traced;
using explain::valueOf;
using scenario::Inputs;
using units::Bytes;
using units::BytesPerSecond;
using units::Seconds;
using units::Unit;

namespace {

template <class T>
bool single(const GroupSpan<T>& g)
{
    return valueOf(g.size) <= 1.0;
}

/// Seconds of `rounds` hops, inside or across as the group lies.
template <class T>
Seconds<T> hops(const GroupSpan<T>& g, const Links<T>& l, const T& insideHops, const T& acrossHops)
{
    return insideHops * l.latencyInside +
           acrossHops * (g.across() ? l.latencyAcross : Seconds<T>(T(0.0)));
}

template <class T>
Seconds<T> start(const GroupSpan<T>& g, const Links<T>& l)
{
    return g.across() ? l.startAcross : l.startInside;
}

template <class T>
T positive(const T& x)
{
    return x < T(0.0) ? T(0.0) : x;
}

/// Rate of rings over all members: each chip's rings leave the domain over its own NIC, so a domain
/// of m members has m NICs. [NCCL: one ring per channel, each over its own NIC]
template <class T>
BytesPerSecond<T> ringRate(const GroupSpan<T>& g, const Links<T>& l)
{
    if (!g.across())
        return l.inside;
    return valueOf(g.inside) <= 1.0 ? l.across : units::min(l.inside, g.inside * l.across);
}

/// Moves `moved` at `rate` by the better way to hand data over: with flags (at most `most`), or by
/// whole chunks with their `fences`.
template <class T>
Seconds<T> passed(const Bytes<T>& moved, const BytesPerSecond<T>& rate,
                  const BytesPerSecond<T>& most, const Seconds<T>& latency,
                  const Seconds<T>& fences)
{
    const Seconds<T> chunks = moved / rate + latency + fences;
    if (!(valueOf(most.si()) > 0.0))
        return chunks;
    return units::min(chunks, moved / units::min(T(0.5) * rate, most) + latency);
}

/// The same over hops of rings and trees.
template <class T>
Seconds<T> passed(const GroupSpan<T>& g, const Links<T>& l, const Bytes<T>& moved,
                  const BytesPerSecond<T>& rate, const T& insideHops, const T& acrossHops)
{
    const bool across = g.across();
    return passed(
        moved, rate, across ? l.flaggedAcross : l.flaggedInside, hops(g, l, insideHops, acrossHops),
        insideHops * l.fenceInside + acrossHops * (across ? l.fenceAcross : Seconds<T>(T(0.0))));
}

/// Across by rail, then inside: fewer hops for large groups.
template <class T>
Seconds<T> hierarchicalGather(const GroupSpan<T>& g, const Links<T>& l, const Bytes<T>& bytes)
{
    const Moved<T> moved = gathered(g, bytes);
    using std::log2;
    const T rounds = log2(g.domains);
    return moved.across / l.across + moved.inside / l.inside +
           (g.inside - T(1.0)) * (l.latencyInside + l.fenceInside) +
           rounds * (l.latencyAcross + l.fenceAcross);
}

/// Without what starts a collective.
template <class T>
Seconds<T> rings(const GroupSpan<T>& g, const Links<T>& l, const Bytes<T>& bytes, const T& rounds)
{
    const T share = rounds * ((g.size - T(1.0)) / g.size);
    return passed(g, l, share * bytes, ringRate(g, l), rounds * positive(g.size - g.domains),
                  rounds * g.domains);
}

template <class T>
Seconds<T> gather(const GroupSpan<T>& g, const Links<T>& l, const Bytes<T>& bytes)
{
    if (single(g))
        return Seconds<T>(T(0.0));
    Seconds<T> best = rings(g, l, bytes, T(1.0));
    if (g.across())
        best = units::min(best, hierarchicalGather(g, l, bytes));
    return named("network.gather_s", units::Unit::Seconds, best + start(g, l));
}

/// Up and down a tree of the domains, along a chain within each: the buffer passes each link twice.
template <class T>
Seconds<T> tree(const GroupSpan<T>& g, const Links<T>& l, const Bytes<T>& bytes)
{
    using std::log2;
    const T inside = g.across() ? T(2.0) * (g.inside - T(1.0)) : T(2.0) * log2(g.inside);
    return passed(g, l, T(2.0) * bytes, l.treeShare * ringRate(g, l), inside,
                  T(2.0) * log2(g.domains));
}

/// The domain's switch adds up and hands out, so that each chip sends and receives the buffer once;
/// across a tree of the domains over all their NICs.
template <class T>
Seconds<T> switchTree(const GroupSpan<T>& g, const Links<T>& l, const Bytes<T>& bytes)
{
    const Seconds<T> inside = bytes / (l.reductionShare * l.inside) + l.reduceInside;
    if (!g.across())
        return inside;
    using std::log2;
    const Seconds<T> across = T(2.0) * bytes / (l.treeShare * (g.inside * l.across));
    return units::max(inside, across + l.reduceInside) + T(2.0) * log2(g.domains) * l.reduceAcross;
}

/// Switches add up on all of the way: across, each rail takes its part of the buffer once.
template <class T>
Seconds<T> switchReduce(const GroupSpan<T>& g, const Links<T>& l, const Bytes<T>& bytes)
{
    const Moved<T> moved = gathered(g, bytes);
    return T(2.0) * (moved.inside / l.inside) +
           bytes / g.inside / (l.reductionShareAcross * l.across) + l.reduceInside + l.reduceAcross;
}

// NCCL's tuning model (2.25), in its own units: microseconds and GB/s. A fence costs what a hop of
// the protocol by chunks takes beyond one with flags: 3.4 - 0.6 on NVLink, 14 - 2.7 on a network.
constexpr double kFenceInside = 2.8e-6;
constexpr double kFenceAcross = 11.3e-6;
/// Of a chip's link, in one domain: 87.7 of 300 GB/s (Ampere), 141 of 450 (Hopper), 282 of 900.
constexpr double kFlaggedInside = 0.31;
/// Of its NIC: 22.5 of 25 GB/s (Ampere), 45 of 50 (Hopper), 90 of 100 on two; 19, 35, 70 on more.
constexpr double kFlaggedAcross[] = {0.9, 0.72};
/// What a link lets through beside the headers: 20.6 of 25 GB/s a link (Hopper), 40.1 of 50.
constexpr double kLinkPayload = 0.81;
constexpr double kTreeShare = 0.92;
constexpr double kReductionAcross = 0.85;
constexpr double kBaseLatency = 8.4e-6;
constexpr double kReduceInside = 25e-6 - kBaseLatency;
constexpr double kReduceAcross = 18e-6;

/// The torus or mesh that the plan's chips lie in: of a domain that they do not fill, a slice of
/// its own, closed on itself. [TPU v4, arXiv 2304.01433, sec. 2: slices by optical switches]
std::vector<std::int64_t> sliceShape(const scenario::Scenario& plan)
{
    const scenario::ScaleUp& up = plan.cluster.network.scaleUp;
    if (plan.cluster.chips >= up.chips)
        return scaleUpShape(plan);
    return up.topology == scenario::ScaleUpTopology::Torus ? torusShape(plan.cluster.chips)
                                                           : meshShape(plan.cluster.chips);
}

/// `measured`: the rate inside is a measured one, not the data sheet's.
template <class T>
void addHandover(const Inputs<T>& in, const GroupSpan<T>& group, bool measured, Links<T>& l)
{
    const double domains = valueOf(group.domains);
    l.fenceInside = Seconds<T>(in.constant("constant.fence_inside", Unit::Seconds, kFenceInside));
    l.fenceAcross = Seconds<T>(in.constant("constant.fence_across", Unit::Seconds, kFenceAcross));
    const scenario::Network& network = in.plan().cluster.network;
    l.flaggedInside =
        BytesPerSecond<T>(in.constant("constant.flagged_inside", Unit::Share, kFlaggedInside) *
                          in(network.scaleUp.bandwidth));
    l.flaggedAcross = BytesPerSecond<T>(
        in.constant("constant.flagged_across", Unit::Share, kFlaggedAcross[domains > 2.0 ? 1 : 0]) *
        in(network.scaleOut.bandwidth));
    l.treeShare = in.constant("constant.tree_share", Unit::Share, kTreeShare);
    l.reductionShare = in(network.scaleUp.reductionShare);
    // Of what the link lets through, however well a ring fills it.
    if (!measured)
        l.reductionShare = l.reductionShare *
                           in.constant("constant.link_payload", Unit::Share, kLinkPayload) *
                           in(network.scaleUp.bandwidth) / l.inside.si();
    l.reductionShareAcross =
        in.constant("constant.reduction_across", Unit::Share, kReductionAcross);
    l.reduceInside =
        Seconds<T>(in.constant("constant.reduce_inside", Unit::Seconds, kReduceInside));
    l.reduceAcross =
        Seconds<T>(in.constant("constant.reduce_across", Unit::Seconds, kReduceAcross));
}

} // namespace

template <class T>
Links<T> linksFor(const Inputs<T>& in, const Topology<T>& topology, const GroupSpan<T>& group,
                  TrafficKind kind, const CrossShares* shares)
{
    const scenario::Cluster& cluster = in.plan().cluster;
    const scenario::ScaleUp& up = cluster.network.scaleUp;
    const scenario::ScaleOut& out = cluster.network.scaleOut;
    const scenario::SoftwareConstants& c = in.plan().software.constants;
    Links<T> l;
    T inside = in(up.bandwidth) * in(cluster.chip.efficiency.scaleUp);
    if (up.topology == scenario::ScaleUpTopology::FullMesh && up.chips > 1 &&
        group.inside < in(up.chips)) {
        // A chip of a full mesh reaches its peers by a link each: those to other groups idle.
        inside = inside * (group.inside - T(1.0)) / (in(up.chips) - T(1.0));
        if (!(inside > T(0.0)))
            inside = in(up.bandwidth) * in(cluster.chip.efficiency.scaleUp);
    }
    const Pattern pattern = shapeOf(in.plan(), kind).pattern;
    const bool torus = up.topology == scenario::ScaleUpTopology::Torus;
    if (up.chips > 1 && (torus || up.topology == scenario::ScaleUpTopology::NdFullMesh))
        inside = inside *
                 in.constant("network.domain_share", Unit::Share,
                             domainShare(sliceShape(in.plan()), torus, whole(valueOf(group.stride)),
                                         whole(valueOf(group.inside)), pattern));
    const T efficiency = in(cluster.chip.efficiency.scaleOut);
    T across = fabricRate(in, topology, shares, kind, group.extent, in(out.bandwidth), efficiency);
    l.slowdown = in(out.bandwidth) * efficiency / across;
    const auto* measuredInside = measuredFor(in.plan(), scenario::NetworkTier::ScaleUp, pattern);
    if (measuredInside != nullptr)
        inside = chipRate(in, *measuredInside);
    if (const auto* m = measuredFor(in.plan(), scenario::NetworkTier::ScaleOut, pattern)) {
        across = chipRate(in, *m);
        l.slowdown = T(1.0);
    }
    l.inside = named("network.inside_rate", units::Unit::BytesPerSecond, BytesPerSecond<T>(inside));
    l.across = named("network.across_rate", units::Unit::BytesPerSecond, BytesPerSecond<T>(across));
    l.latencyInside = Seconds<T>(in(up.latency));
    l.latencyAcross = Seconds<T>(in(out.latency));
    l.startInside = Seconds<T>(in(c.collectiveLatencyInside));
    l.startAcross = Seconds<T>(in(c.collectiveLatencyAcross));
    addHandover(in, group, measuredInside != nullptr, l);
    l.reducesInside = up.inNetworkReduction;
    l.reducesAcross = out.inNetworkReduction;
    return l;
}

template <class T>
Links<T> inALoop(const Inputs<T>& in, Links<T> links)
{
    const T base = in.constant("constant.collective_base", Unit::Seconds, kBaseLatency);
    links.startInside = Seconds<T>(base);
    links.startAcross = Seconds<T>(base);
    return links;
}

template <class T>
Moved<T> gathered(const GroupSpan<T>& g, const Bytes<T>& bytes)
{
    if (single(g))
        return {};
    return {(g.inside - T(1.0)) / g.inside * bytes,
            (g.domains - T(1.0)) / g.domains * (bytes / g.inside)};
}

template <class T>
Moved<T> exchanged(const GroupSpan<T>& g, const Bytes<T>& bytes)
{
    if (single(g))
        return {};
    return {(g.inside - T(1.0)) / g.size * bytes, (g.size - g.inside) / g.size * bytes};
}

template <class T>
Moved<T> dispatched(const GroupSpan<T>& g, const T& tokens, const Bytes<T>& width, const T& experts,
                    const T& topK, const T& limit)
{
    Moved<T> moved;
    if (single(g))
        return moved;
    // Inside: each copy goes on to its expert's chip, except where that is the chip itself.
    const T copies = topK * (g.inside - T(1.0)) / g.inside;
    moved.inside = tokens * copies * width;
    if (g.across()) {
        T domains = distinctDomains(g.domains, experts, topK);
        if (limit > T(0.0) && limit < domains)
            domains = limit;
        // One of q domains is the token's own.
        const T remote = domains * (g.domains - T(1.0)) / g.domains;
        moved.across = tokens * remote * width;
    }
    return moved;
}

template <class T>
Seconds<T> allGather(const GroupSpan<T>& g, const Links<T>& l, const Bytes<T>& bytes)
{
    return gather(g, l, bytes);
}

template <class T>
Seconds<T> reduceScatter(const GroupSpan<T>& g, const Links<T>& l, const Bytes<T>& bytes)
{
    return gather(g, l, bytes);
}

template <class T>
Seconds<T> ringGather(const GroupSpan<T>& g, const Links<T>& l, const Bytes<T>& bytes)
{
    if (single(g))
        return Seconds<T>(T(0.0));
    return rings(g, l, bytes, T(1.0)) + start(g, l);
}

template <class T>
Seconds<T> allReduceBy(Algorithm algorithm, const GroupSpan<T>& g, const Links<T>& l,
                       const Bytes<T>& bytes)
{
    if (single(g))
        return Seconds<T>(T(0.0));
    const Seconds<T> once = start(g, l);
    switch (algorithm) {
    case Algorithm::Ring:
        return rings(g, l, bytes, T(2.0)) + once;
    case Algorithm::Tree:
        return tree(g, l, bytes) + once;
    case Algorithm::SwitchTree:
        return switchTree(g, l, bytes) + once;
    case Algorithm::SwitchReduce:
        return (g.across() ? switchReduce(g, l, bytes) : switchTree(g, l, bytes)) + once;
    case Algorithm::Best:
        break;
    }
    return allReduce(g, l, bytes);
}

template <class T>
Seconds<T> allReduce(const GroupSpan<T>& g, const Links<T>& l, const Bytes<T>& bytes)
{
    if (single(g))
        return Seconds<T>(T(0.0));
    // Reduce-scatter and all-gather in one call start once.
    Seconds<T> best = units::min(rings(g, l, bytes, T(2.0)), tree(g, l, bytes));
    if (g.across())
        best = units::min(best, T(2.0) * hierarchicalGather(g, l, bytes));
    if (l.reducesInside)
        best = units::min(best, switchTree(g, l, bytes));
    if (g.across() && l.reducesAcross)
        best = units::min(best, switchReduce(g, l, bytes));
    return named("network.all_reduce_s", units::Unit::Seconds, best + start(g, l));
}

template <class T>
Seconds<T> allToAll(const GroupSpan<T>& g, const Links<T>& l, const Bytes<T>& bytes)
{
    if (single(g))
        return Seconds<T>(T(0.0));
    const Moved<T> moved = exchanged(g, bytes);
    using std::log2;
    Seconds<T> time = passed(moved.inside, l.inside, l.flaggedInside,
                             log2(g.inside) * l.latencyInside, log2(g.inside) * l.fenceInside);
    if (g.across())
        time = units::max(time, moved.across / l.across) + log2(g.domains) * l.latencyAcross;
    return named("network.all_to_all_s", units::Unit::Seconds, time + start(g, l));
}

template <class T>
Seconds<T> sendReceive(const GroupSpan<T>& g, const Links<T>& l, const Bytes<T>& bytes)
{
    if (single(g))
        return Seconds<T>(T(0.0));
    // Some neighbours lie in another domain as soon as the group does: the pipeline waits for them.
    return named("network.send_s", units::Unit::Seconds,
                 bytes / (g.across() ? l.across : l.inside) +
                     (g.across() ? l.latencyAcross : l.latencyInside));
}

template <class T>
T distinctDomains(const T& domains, const T& experts, const T& topK)
{
    // C(E - E/q, k) / C(E, k) as a product over the k draws.
    const T kept = experts - experts / domains;
    T none = T(1.0);
    const int draws = static_cast<int>(std::fmin(4096.0, std::ceil(valueOf(topK))));
    for (int i = 0; i < draws; ++i)
        none = none *
               positive((kept - T(static_cast<double>(i))) / (experts - T(static_cast<double>(i))));
    return domains * (T(1.0) - none);
}

template <class T>
Seconds<T> expertExchange(const GroupSpan<T>& g, const Links<T>& l, const T& tokens,
                          const Bytes<T>& width, const T& experts, const T& topK, const T& limit)
{
    if (single(g))
        return Seconds<T>(T(0.0));
    const Moved<T> moved = dispatched(g, tokens, width, experts, topK, limit);
    Seconds<T> time = moved.inside / l.inside;
    if (g.across())
        time = units::max(time, moved.across / l.across);
    using std::log2;
    return named("network.exchange_s", units::Unit::Seconds,
                 time + start(g, l) + hops(g, l, log2(g.inside), log2(g.domains)));
}

#define CW_INSTANTIATE(T)                                                                          \
    template Moved<T> gathered(const GroupSpan<T>&, const Bytes<T>&);                              \
    template Moved<T> exchanged(const GroupSpan<T>&, const Bytes<T>&);                             \
    template Moved<T> dispatched(const GroupSpan<T>&, const T&, const Bytes<T>&, const T&,         \
                                 const T&, const T&);                                              \
    template Links<T> linksFor(const Inputs<T>&, const Topology<T>&, const GroupSpan<T>&,          \
                               TrafficKind, const CrossShares*);                                   \
    template Seconds<T> allGather(const GroupSpan<T>&, const Links<T>&, const Bytes<T>&);          \
    template Seconds<T> reduceScatter(const GroupSpan<T>&, const Links<T>&, const Bytes<T>&);      \
    template Seconds<T> allReduce(const GroupSpan<T>&, const Links<T>&, const Bytes<T>&);          \
    template Seconds<T> allReduceBy(Algorithm, const GroupSpan<T>&, const Links<T>&,               \
                                    const Bytes<T>&);                                              \
    template Seconds<T> ringGather(const GroupSpan<T>&, const Links<T>&, const Bytes<T>&);         \
    template Links<T> inALoop(const Inputs<T>&, Links<T>);                                         \
    template Seconds<T> allToAll(const GroupSpan<T>&, const Links<T>&, const Bytes<T>&);           \
    template Seconds<T> sendReceive(const GroupSpan<T>&, const Links<T>&, const Bytes<T>&);        \
    template T distinctDomains(const T&, const T&, const T&);                                      \
    template Seconds<T> expertExchange(const GroupSpan<T>&, const Links<T>&, const T&,             \
                                       const Bytes<T>&, const T&, const T&, const T&);
CW_INSTANTIATE(double)
CW_INSTANTIATE(Traced)
#undef CW_INSTANTIATE

} // namespace cw::network
