// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/machine.h"

#include <algorithm>

#include "model/network/topologyshape.h"

namespace cw::network {

namespace {

std::int64_t ceilDivide(std::int64_t a, std::int64_t b)
{
    return (a + b - 1) / b;
}

} // namespace

std::int64_t Machine::chipsIn(std::int64_t pod) const
{
    return std::clamp<std::int64_t>(chips - pod * chipsPerPod, 0, chipsPerPod);
}

std::int64_t Machine::chipsIn(std::int64_t pod, std::int64_t rack) const
{
    return std::clamp<std::int64_t>(chipsIn(pod) - rack * chipsPerRack(), 0, chipsPerRack());
}

std::int64_t Machine::chipsIn(std::int64_t pod, std::int64_t rack, std::int64_t node) const
{
    return std::clamp<std::int64_t>(chipsIn(pod, rack) - node * chipsPerNode, 0, chipsPerNode);
}

std::int64_t Machine::racksIn(std::int64_t pod) const
{
    return ceilDivide(chipsIn(pod), chipsPerRack());
}

std::int64_t Machine::nodesIn(std::int64_t pod, std::int64_t rack) const
{
    return ceilDivide(chipsIn(pod, rack), chipsPerNode);
}

std::int64_t Machine::racks() const
{
    return (pods - 1) * racksIn(0) + racksIn(pods - 1);
}

std::int64_t Machine::nodes() const
{
    // Only the last rack of a pod is ragged, and only there does a node stand half empty.
    const auto inPod = [this](std::int64_t pod) {
        const std::int64_t last = racksIn(pod) - 1;
        return last * nodesPerRack + nodesIn(pod, last);
    };
    return (pods - 1) * inPod(0) + inPod(pods - 1);
}

ChipPlace Machine::place(std::int64_t index) const
{
    ChipPlace p;
    p.pod = index / chipsPerPod;
    std::int64_t rest = index % chipsPerPod;
    p.rack = rest / chipsPerRack();
    rest %= chipsPerRack();
    p.node = rest / chipsPerNode;
    p.chip = rest % chipsPerNode;
    return p;
}

std::int64_t Machine::index(const ChipPlace& p) const
{
    return p.pod * chipsPerPod + p.rack * chipsPerRack() + p.node * chipsPerNode + p.chip;
}

Machine machine(const scenario::Scenario& plan)
{
    Machine m;
    m.chips = std::max<std::int64_t>(1, plan.cluster.chips);
    m.chipsPerNode = std::max<std::int64_t>(1, plan.cluster.node.chips);
    m.nodesPerRack = std::max<std::int64_t>(1, plan.facility.rackChips / m.chipsPerNode);
    const std::int64_t domain = plan.cluster.network.scaleUp.chips;
    m.podIsDomain = domain > m.chipsPerRack();
    // A group under one leaf set is drawn in whole racks, so that no rack is torn in two.
    const std::int64_t group =
        m.podIsDomain
            ? domain
            : std::max<std::int64_t>(1, leafGroupChips(plan) / m.chipsPerRack()) * m.chipsPerRack();
    m.chipsPerPod = std::min(group, m.chips);
    m.racksPerPod = ceilDivide(m.chipsPerPod, m.chipsPerRack());
    m.pods = ceilDivide(m.chips, m.chipsPerPod);
    m.sites = std::clamp<std::int64_t>(plan.cluster.network.sites, 1, m.pods);
    m.podsPerSite = ceilDivide(m.pods, m.sites);
    m.sites = ceilDivide(m.pods, m.podsPerSite);
    return m;
}

} // namespace cw::network
