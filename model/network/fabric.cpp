// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/fabric.h"

#include <algorithm>

namespace cw::network {

using explain::Traced;
using explain::valueOf;
using scenario::CollectiveOperation;
using scenario::FaultPart;
using scenario::Inputs;
using scenario::NetworkTier;
using scenario::Routing;
using scenario::ScaleOut;
using scenario::ScaleOutTopology;
using units::Unit;

namespace {

/// The efficiencies were fitted on fabrics whose routing was uneven by 5 to 25%.
constexpr double kImbalanceInEfficiency = 1.25;

bool hasRails(const ScaleOut& out)
{
    return out.topology == ScaleOutTopology::RailOptimized ||
           out.topology == ScaleOutTopology::MultiPlane;
}

/// Ports over which one chip's traffic is spread.
double portsOfChip(const ScaleOut& out)
{
    const auto planes = static_cast<double>(out.planes);
    const auto rails = static_cast<double>(std::max<std::int64_t>(1, out.rails));
    return out.topology == ScaleOutTopology::MultiPlane ? std::max(1.0, planes / rails) : planes;
}

/// Chips of a node that can lend each other their way into the fabric.
double railsOfNode(const ScaleOut& out)
{
    return hasRails(out) ? static_cast<double>(std::max<std::int64_t>(1, out.rails)) : 1.0;
}

template <class T>
void narrow(T& to, const T& share)
{
    if (share < to)
        to = share;
}

/// What is left where one of `ways` runs at `rate`.
template <class T>
T oneOf(double ways, const T& rate)
{
    return T(1.0) - (T(1.0) - rate) / T(ways);
}

template <class T>
void addFault(const Inputs<T>& in, const scenario::NetworkFault& f, FaultEffect<T>& e)
{
    const ScaleOut& out = in.plan().cluster.network.scaleOut;
    const bool adaptive = out.routing == Routing::Adaptive;
    const T share = in(f.share);
    const T rate = in(f.rate);
    const T mean = T(1.0) - share * (T(1.0) - rate);
    const double ports = portsOfChip(out);
    const double rails = railsOfNode(out);
    switch (f.part) {
    case FaultPart::Link:
        narrow(e.fabric, adaptive || !(f.rate > 0) ? mean : rate);
        if (ports > 1.0 && (adaptive || !(f.rate > 0)))
            narrow(e.endpoint, oneOf(ports, rate));
        else if (f.rate > 0)
            narrow(e.endpoint, rate);
        else if (rails > 1.0)
            narrow(e.endpoint, oneOf(rails, rate));
        else
            e.cut = share;
        return;
    case FaultPart::Plane:
    case FaultPart::Rail:
        if (valueOf(mean) > 0.0)
            narrow(e.endpoint, mean);
        else
            e.cut = share;
        return;
    case FaultPart::Leaf:
        if (ports * rails > 1.0)
            narrow(e.endpoint, oneOf(ports * rails, rate));
        else if (f.rate > 0)
            narrow(e.endpoint, rate);
        else
            e.cut = share;
        return;
    }
}

bool sameFamily(CollectiveOperation operation, Pattern pattern)
{
    switch (operation) {
    case CollectiveOperation::AllToAll:
        return pattern == Pattern::Exchange;
    case CollectiveOperation::SendReceive:
        return pattern == Pattern::Neighbour;
    default:
        return pattern == Pattern::Ring;
    }
}

/// An imbalance over the one that the measured efficiencies hold already.
template <class T>
T beyondEfficiency(const Inputs<T>& in, const T& imbalance)
{
    return imbalance /
           in.constant("constant.imbalance_in_efficiency", Unit::None, kImbalanceInEfficiency);
}

/// The plan's own value, where it has one; else 1: the shares hold it by kind and tier.
template <class T>
T givenImbalance(const Inputs<T>& in)
{
    const ScaleOut& out = in.plan().cluster.network.scaleOut;
    if (!out.routingImbalance || *out.routingImbalance <= kImbalanceInEfficiency)
        return T(1.0);
    return beyondEfficiency(in, in(out.routingImbalance));
}

} // namespace

template <class T>
FaultEffect<T> faultEffect(const Inputs<T>& in)
{
    FaultEffect<T> e;
    for (const scenario::NetworkFault& f : in.plan().cluster.network.faults)
        if (f.share > 0 && f.rate < 1)
            addFault(in, f, e);
    return e;
}

bool fabricMayLimit(const scenario::Scenario& plan)
{
    const ScaleOut& out = plan.cluster.network.scaleOut;
    const bool tapered = std::any_of(out.oversubscription.begin(), out.oversubscription.end(),
                                     [](double x) { return x > 1; });
    const bool tree = out.topology == ScaleOutTopology::FatTree ||
                      out.topology == ScaleOutTopology::RailOptimized ||
                      out.topology == ScaleOutTopology::MultiPlane;
    const bool uneven = out.routingImbalance ? *out.routingImbalance > kImbalanceInEfficiency
                                             : out.routing != Routing::Adaptive;
    return tapered || !tree || uneven || !plan.cluster.network.faults.empty() ||
           plan.cluster.network.sites > 1;
}

template <class T>
T fabricRate(const Inputs<T>& in, const Topology<T>& topology, const CrossShares* shares,
             TrafficKind kind, const T& extent, const T& bandwidth, const T& inEfficiency)
{
    const scenario::Network& network = in.plan().cluster.network;
    const FaultEffect<T> faults = faultEffect(in);
    const auto k = static_cast<std::size_t>(kind);
    const T uneven = givenImbalance(in);
    T rate = bandwidth * inEfficiency * faults.endpoint;
    // A full link gives what large transfers reach of it, or what even routing leaves.
    const T reached = inEfficiency < T(1.0 / kImbalanceInEfficiency)
                          ? T(1.0 / kImbalanceInEfficiency)
                          : inEfficiency;
    for (std::size_t i = 1; i < topology.tierCount; ++i) {
        T tier = topology.tiers[i].bandwidth.si();
        const auto* site =
            measuredFor(in.plan(), NetworkTier::Site, shapeOf(in.plan(), kind).pattern);
        if (site != nullptr && network.sites > 1 && i + 1 == topology.tierCount)
            tier = in(site->busBandwidth);
        if (!(tier > T(0.0)))
            continue;
        // The first tier is the chip's own way in: all of it passes.
        double passes = 1;
        if (i > 1 && shares == nullptr && !(topology.tiers[i - 1].chips < extent))
            break;
        if (i > 1 && shares != nullptr)
            passes = std::min(1.0, shares->worst[i - 1][k]); // one message at a time
        if (!(passes > 0))
            continue;
        T limit = tier * reached / uneven;
        if (i > 1 && shares != nullptr && shares->imbalance[i - 1][k] > kImbalanceInEfficiency)
            limit = limit / beyondEfficiency(in, in.constant("traffic.imbalance", Unit::None,
                                                             shares->imbalance[i - 1][k]));
        if (i > 1)
            limit = limit * faults.fabric / in.constant("traffic.beyond", Unit::Share, passes);
        if (limit < rate)
            rate = limit;
    }
    if (shares != nullptr && shares->axis[k] > 1) {
        const T limit = bandwidth * reached / uneven * faults.fabric /
                        in.constant("traffic.axis", Unit::None, shares->axis[k]);
        if (limit < rate)
            rate = limit;
    }
    return rate;
}

const scenario::MeasuredBandwidth* measuredFor(const scenario::Scenario& plan, NetworkTier tier,
                                               Pattern pattern)
{
    const scenario::MeasuredBandwidth* best = nullptr;
    const auto better = [&](const scenario::MeasuredBandwidth& m) {
        if (best == nullptr)
            return true;
        const bool same = sameFamily(m.operation, pattern);
        if (same != sameFamily(best->operation, pattern))
            return same;
        return m.bytes > best->bytes;
    };
    for (const scenario::MeasuredBandwidth& m : plan.cluster.network.measured)
        if (m.tier == tier && better(m))
            best = &m;
    return best;
}

template <class T>
T chipRate(const Inputs<T>& in, const scenario::MeasuredBandwidth& m)
{
    const scenario::Network& network = in.plan().cluster.network;
    const T rate = in(m.busBandwidth);
    if (m.tier != NetworkTier::ScaleOut || !sameFamily(m.operation, Pattern::Ring) ||
        m.busBandwidth <= network.scaleOut.bandwidth || network.scaleUp.chips <= 1)
        return rate;
    return rate / (network.scaleUp.chips < m.ranks ? in(network.scaleUp.chips) : in(m.ranks));
}

#define CW_INSTANTIATE(T)                                                                          \
    template FaultEffect<T> faultEffect(const Inputs<T>&);                                         \
    template T fabricRate(const Inputs<T>&, const Topology<T>&, const CrossShares*, TrafficKind,   \
                          const T&, const T&, const T&);                                           \
    template T chipRate(const Inputs<T>&, const scenario::MeasuredBandwidth&);
CW_INSTANTIATE(double)
CW_INSTANTIATE(Traced)
#undef CW_INSTANTIATE

} // namespace cw::network
