// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/linkloads.h"

#include <algorithm>
#include <array>
#include <map>

#include "model/network/crossing.h"
#include "model/network/directhops.h"
#include "model/network/routingload.h"
#include "model/network/topologyshape.h"
#include "model/network/wholecount.h"

namespace cw::network {

using scenario::ScaleOutTopology;

namespace {

constexpr std::array<std::string_view, kLinkEnds> kEnds{
    "chip", "scale-up-switch", "leaf", "aggregation", "core", "router", "group", "site"};

constexpr int kHopSamples = 1024;

/// What leaves one block of chips in a step, in bytes by kind.
using Outflow = ByKind<double>;

class LoadBuilder
{
public:
    LoadBuilder(const scenario::Scenario& plan, const Topology<double>& topology,
                const Placement<double>& placement, double ranks,
                const ByKind<Volume<double>>& volumes, double step)
        : m_plan(plan), m_t(topology), m_out(plan.cluster.network.scaleOut),
          m_jobs(jobSlots(plan, placement, ranks)), m_volumes(volumes), m_step(step),
          m_chips(std::max<std::int64_t>(1, plan.cluster.chips))
    {
        for (std::size_t k = 0; k < kTrafficKinds; ++k) {
            const auto kind = static_cast<TrafficKind>(k);
            m_flows[k] = flowGroup(plan, placement, m_jobs.ranks, kind);
            m_base[k] = m_flows[k].pattern == Pattern::Neighbour
                            ? volumes[k].inside + volumes[k].across
                            : volumes[k].across;
        }
    }

    LinkLoads build();

private:
    Outflow leavingBlock(std::int64_t firstChip, std::int64_t endChip) const;
    double used() const { return static_cast<double>(m_jobs.ranks * m_jobs.jobs); }
    std::size_t tierOf(double chips) const;
    double slowestLink() const;
    void addClass(LinkClass c, double hot);
    void domains();
    void endpoints();
    void tree();
    void dragonfly();
    void direct();
    void sites();
    double imbalance(const LinkClass& c, std::int64_t chips, double links) const;
    template <class LinksOf>
    void blocks(LinkClass like, std::int64_t chips, const LinksOf& linksOf);

    const scenario::Scenario& m_plan;
    const Topology<double>& m_t;
    const scenario::ScaleOut& m_out;
    JobSlots m_jobs;
    const ByKind<Volume<double>>& m_volumes;
    double m_step;
    std::int64_t m_chips;
    std::array<FlowGroup, kTrafficKinds> m_flows;
    Outflow m_base{}; ///< bytes of one unit of each kind's flows
    LinkLoads m_loads;
};

Outflow LoadBuilder::leavingBlock(std::int64_t firstChip, std::int64_t endChip) const
{
    const SlotRange slots = m_jobs.on(firstChip, endChip);
    Outflow out{};
    for (std::size_t k = 0; k < kTrafficKinds; ++k)
        if (m_base[k] > 0 && slots.count() > 0)
            out[k] = m_base[k] * leaving(m_flows[k], m_jobs, slots);
    return out;
}

/// Rate of the slowest cable that a fault leaves, of a healthy one's.
double LoadBuilder::slowestLink() const
{
    double rate = 1;
    for (const scenario::NetworkFault& f : m_plan.cluster.network.faults)
        if (f.part == scenario::FaultPart::Link && f.share > 0 && f.rate > 0)
            rate = std::min(rate, f.rate);
    return rate;
}

/// The tier whose links carry what leaves blocks of so many chips.
std::size_t LoadBuilder::tierOf(double chips) const
{
    std::size_t i = 1; // the first is inside the domains
    while (i + 1 < m_t.tierCount && m_t.tiers[i].chips <= chips)
        ++i;
    return i;
}

void LoadBuilder::addClass(LinkClass c, double hot)
{
    double busy = 0;
    double stored = 0;
    for (std::size_t k = 0; k < kTrafficKinds; ++k) {
        busy += c.bytes[k] > 0 ? m_volumes[k].time.si() : 0;
        stored += isStorage(static_cast<TrafficKind>(k)) ? c.bytes[k] : 0;
    }
    const auto filled = [&](double bytes, double time) {
        return c.capacity > 0 && time > 0 ? bytes / c.capacity / time : 0;
    };
    c.utilization = filled(c.total(), m_step);
    c.inUse = busy > 0 ? filled(c.total() - stored, busy) + filled(stored, m_step) : c.utilization;
    // No link carries more than it can: where routing would ask for it, the time of the kinds holds
    // what that costs.
    c.hottest = std::max(c.inUse, std::min(1.0, c.inUse * hot));
    m_loads.classes.push_back(c);
    if (c.hottest > m_loads.classes[m_loads.hottest].hottest)
        m_loads.hottest = m_loads.classes.size() - 1;
}

void LoadBuilder::domains()
{
    const scenario::ScaleUp& up = m_plan.cluster.network.scaleUp;
    if (up.chips <= 1 || m_t.scaleUpLinks <= 0)
        return;
    const bool switched = up.topology == scenario::ScaleUpTopology::Switch;
    const auto domainChips = static_cast<double>(up.chips);
    const double domainCount = std::max(1.0, static_cast<double>(m_chips) / domainChips);
    LinkClass c;
    c.from = LinkEnd::Chip;
    c.to = switched ? LinkEnd::ScaleUpSwitch : LinkEnd::Chip;
    c.count = m_t.scaleUpLinks;
    // Cables of one chip; between two chips one cable serves both.
    const bool twoLevels = switched && up.switches > up.linksPerChip;
    const double ports = m_t.scaleUpLinks / (std::max(domainCount, 1.0) * domainChips) *
                         (switched ? twoLevels ? 0.5 : 1.0 : 2.0);
    c.capacity = up.bandwidth / std::max(1.0, ports);
    for (std::size_t k = 0; k < kTrafficKinds; ++k)
        c.bytes[k] = m_volumes[k].inside / std::max(1.0, ports);
    if (!twoLevels) {
        addClass(c, 1.0);
        return;
    }
    // Between its levels a domain has as many cables as below. All is taken to go through, though
    // chips under one switch meet there.
    c.count = m_t.scaleUpLinks / 2.0;
    addClass(c, 1.0);
    c.from = LinkEnd::ScaleUpSwitch;
    addClass(c, 1.0);
}

void LoadBuilder::endpoints()
{
    if (m_t.endpointLinks <= 0)
        return;
    LinkClass c;
    c.from = LinkEnd::Chip;
    c.to = m_t.groups > 0 && m_t.cores <= 0 ? LinkEnd::Router : LinkEnd::Leaf;
    c.tier = std::min<std::size_t>(1, m_t.tierCount - 1);
    const double ports = std::max(1.0, m_t.portsEach);
    c.capacity = m_out.bandwidth / ports;
    LinkClass idle = c;
    c.count = used() * ports;
    for (std::size_t k = 0; k < kTrafficKinds; ++k)
        c.bytes[k] = m_volumes[k].across / ports;
    addClass(c, 1.0 / slowestLink());
    idle.count = m_t.endpointLinks - c.count;
    if (idle.count > 0)
        addClass(idle, 1.0);
}

/// Fullest link of a class over its mean. Kinds that would each be fullest on a link of their own
/// are taken to meet on one.
double LoadBuilder::imbalance(const LinkClass& c, std::int64_t chips, double links) const
{
    if (m_out.routingImbalance)
        return *m_out.routingImbalance;
    BlockLinks block = linksOutOf(m_t, chips, m_chips);
    block.firstChip = c.firstBlock * chips;
    block.endChip = std::min(m_chips, block.firstChip + chips);
    double fullest = 0;
    for (std::size_t k = 0; k < kTrafficKinds; ++k)
        if (c.bytes[k] > 0)
            fullest += c.bytes[k] * imbalanceOf(m_plan, m_t, m_flows[k], m_jobs, block,
                                                c.bytes[k] * links / m_base[k]);
    return c.total() > 0 ? std::max(1.0, fullest / c.total()) : 1.0;
}

/// Classes of the links that lead out of blocks of `chips`; `linksOf(i, count)` links of block i.
template <class LinksOf>
void LoadBuilder::blocks(LinkClass like, std::int64_t chips, const LinksOf& linksOf)
{
    LinkBlocks blocks;
    blocks.tier = like.tier;
    blocks.chips = chips;
    const std::int64_t count = (m_chips + chips - 1) / chips;
    std::map<std::pair<double, Outflow>, std::uint32_t> known;
    std::vector<LinkClass> classes;
    for (std::int64_t i = 0; i < count; ++i) {
        const double links = linksOf(i, count);
        const auto key =
            std::make_pair(links, leavingBlock(i * chips, std::min(m_chips, (i + 1) * chips)));
        const auto found = known.emplace(key, static_cast<std::uint32_t>(classes.size()));
        if (found.second) {
            LinkClass c = like;
            c.firstBlock = i;
            for (std::size_t k = 0; k < kTrafficKinds; ++k)
                c.bytes[k] = links > 0 ? key.second[k] / links : 0;
            classes.push_back(c);
        }
        classes[found.first->second].count += links;
        blocks.classOf.push_back(static_cast<std::uint32_t>(m_loads.classes.size()) +
                                 found.first->second);
    }
    for (const LinkClass& c : classes)
        addClass(c, imbalance(c, chips, linksOf(c.firstBlock, count)) / slowestLink());
    m_loads.blocks.push_back(std::move(blocks));
}

void LoadBuilder::tree()
{
    if (m_t.leafUplinks <= 0 || m_t.cores <= 0)
        return;
    LinkClass c;
    c.capacity = m_out.bandwidth / std::max(1.0, m_t.portsEach);
    c.from = LinkEnd::Leaf;
    c.to = m_t.aggregations > 0 ? LinkEnd::Aggregation : LinkEnd::Core;
    c.tier = tierOf(m_t.leafChips);
    const double trees = std::max(1.0, m_t.trees);
    blocks(c, whole(m_t.leafChips),
           [&](std::int64_t, std::int64_t) { return trees * m_t.leafUplinks; });
    if (m_t.aggregations <= 0)
        return;
    c.from = LinkEnd::Aggregation;
    c.to = LinkEnd::Core;
    c.tier = tierOf(m_t.podChips);
    // A pod has as many aggregation switches as a leaf has uplinks; the last of a site has what is
    // left there.
    const std::int64_t sites = std::max<std::int64_t>(1, m_plan.cluster.network.sites);
    const double all = m_t.aggregations / static_cast<double>(sites) / trees;
    const std::int64_t podChips = whole(m_t.podChips);
    const std::int64_t pods =
        std::max<std::int64_t>(1, (siteChips(m_plan) + podChips - 1) / podChips);
    blocks(c, podChips, [&](std::int64_t i, std::int64_t) {
        const double full = m_t.leafUplinks;
        const double here = i % pods + 1 < pods ? full : all - static_cast<double>(pods - 1) * full;
        return trees * std::clamp(here, 1.0, full) * m_t.aggregationUplinks;
    });
}

/// Groups joined all to all. Inside a dragonfly's group routers are too; a dragonfly+ has leaves
/// and spines there.
void LoadBuilder::dragonfly()
{
    LinkClass c;
    c.capacity = m_out.bandwidth;
    const bool plus = m_out.topology == ScaleOutTopology::DragonflyPlus;
    const std::int64_t routerChips = whole(m_t.leafChips);
    const std::int64_t groupChips = whole(m_t.podChips);
    const double a = m_t.leaves / std::max(1.0, m_t.groups);
    c.tier = tierOf(m_t.leafChips);
    if (plus) {
        c.from = LinkEnd::Leaf;
        c.to = LinkEnd::Core;
        blocks(c, routerChips, [&](std::int64_t, std::int64_t) { return m_t.leafUplinks; });
        // A group that is begun is built whole: leaves without chips.
        c.count = m_t.leafUplinks *
                  (m_t.leaves - static_cast<double>(m_loads.blocks.back().classOf.size()));
        if (c.count > 0)
            addClass(c, 1.0);
        c.count = 0;
    } else if (a > 1) {
        // Mean over the cables of all groups. Flows to other groups are spread over all cables
        // between the two, so that the router that has the cable is seldom the one they start
        // or end at.
        Outflow inside{};
        for (std::int64_t at = 0; at < m_chips; at += routerChips) {
            const Outflow out = leavingBlock(at, std::min(m_chips, at + routerChips));
            for (std::size_t k = 0; k < kTrafficKinds; ++k)
                inside[k] += out[k];
        }
        for (std::int64_t at = 0; at < m_chips; at += groupChips) {
            const Outflow out = leavingBlock(at, std::min(m_chips, at + groupChips));
            for (std::size_t k = 0; k < kTrafficKinds; ++k)
                inside[k] += out[k] * (2.0 * (1.0 - 1.0 / a) - 1.0);
        }
        c.from = LinkEnd::Router;
        c.to = LinkEnd::Router;
        c.count = m_t.groups * a * (a - 1.0) / 2.0;
        for (std::size_t k = 0; k < kTrafficKinds; ++k)
            c.bytes[k] = inside[k] / (2.0 * c.count);
        addClass(c, m_out.routingImbalance.value_or(1.0)); // routers are cabled to each other
        c.count = 0;
    }
    if (m_t.groups <= 1)
        return;
    c.from = LinkEnd::Group;
    c.to = LinkEnd::Group;
    c.bytes = {};
    c.tier = tierOf(m_t.podChips);
    // A cable belongs to two groups: half of it is counted with each.
    const double ports = plus ? m_t.leafUplinks * m_t.leafUplinks : a * m_t.leafUplinks;
    const std::size_t before = m_loads.classes.size();
    blocks(c, groupChips, [&](std::int64_t, std::int64_t) { return ports; });
    for (std::size_t i = before; i < m_loads.classes.size(); ++i)
        m_loads.classes[i].count /= 2.0;
}

void LoadBuilder::direct()
{
    const bool ring = m_out.topology == ScaleOutTopology::Torus;
    std::vector<std::int64_t> shape = m_out.shape;
    if (shape.empty())
        shape = ring ? torusShape(siteChips(m_plan)) : meshShape(siteChips(m_plan));
    const auto ports = static_cast<double>(std::max<std::int64_t>(1, portsOf(shape, ring)));
    double nodes = 1;
    for (const std::int64_t n : shape)
        nodes *= static_cast<double>(n);
    std::array<std::vector<double>, kTrafficKinds> hops;
    for (std::size_t k = 0; k < kTrafficKinds; ++k)
        if (m_base[k] > 0)
            hops[k] = axisHops(shape, ring, m_flows[k], m_jobs, kHopSamples);
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        const std::int64_t n = shape[axis];
        if (n < 2)
            continue;
        LinkClass c;
        c.from = LinkEnd::Chip;
        c.to = LinkEnd::Chip;
        c.axis = static_cast<int>(axis);
        c.tier = m_t.tierCount - 1;
        const double along = static_cast<double>(portsOf({n}, ring));
        c.count = nodes * along / 2.0;
        c.capacity = m_out.bandwidth / ports;
        for (std::size_t k = 0; k < kTrafficKinds; ++k)
            c.bytes[k] = hops[k].empty() ? 0 : m_base[k] * hops[k][axis] * used() / (nodes * along);
        addClass(c, m_out.routingImbalance.value_or(1.0)); // axis by axis: one way
    }
}

void LoadBuilder::sites()
{
    const scenario::Network& network = m_plan.cluster.network;
    if (network.sites <= 1)
        return;
    LinkClass c;
    c.from = LinkEnd::Core;
    c.to = LinkEnd::Site;
    c.tier = m_t.tierCount - 1;
    const std::int64_t chips = siteChips(m_plan);
    c.capacity = network.siteBandwidth * static_cast<double>(chips);
    blocks(c, chips, [](std::int64_t, std::int64_t) { return 1.0; });
}

LinkLoads LoadBuilder::build()
{
    domains();
    if (m_t.tierCount > 1) {
        endpoints();
        switch (m_out.topology) {
        case ScaleOutTopology::FatTree:
        case ScaleOutTopology::RailOptimized:
        case ScaleOutTopology::MultiPlane:
            tree();
            break;
        case ScaleOutTopology::Dragonfly:
        case ScaleOutTopology::DragonflyPlus:
            dragonfly();
            break;
        case ScaleOutTopology::Torus:
        case ScaleOutTopology::NdFullMesh:
            direct();
            break;
        }
        sites();
    }
    return std::move(m_loads);
}

} // namespace

std::string_view nameOf(LinkEnd end)
{
    return kEnds[static_cast<std::size_t>(end)];
}

double LinkClass::total() const
{
    double sum = 0;
    for (const double b : bytes)
        sum += b;
    return sum;
}

LinkLoads linkLoads(const scenario::Scenario& plan, const Topology<double>& topology,
                    const Placement<double>& placement, const scenario::Layout<double>& layout,
                    const ByKind<Volume<double>>& volumes, double step)
{
    if (topology.tierCount == 0)
        return {};
    return LoadBuilder(plan, topology, placement, layout.chips, volumes, step).build();
}

} // namespace cw::network
