// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/linkgraph.h"

#include <algorithm>
#include <map>

#include <Eigen/SparseCore>

#include "model/network/crossing.h"
#include "model/network/topologyshape.h"
#include "model/network/wholecount.h"

namespace cw::network {

using scenario::ScaleOutTopology;

namespace {

/// A way of one pair of switches: the links it passes, and the part of its bytes on each.
using Way = std::vector<std::pair<std::size_t, double>>;

class Graph
{
public:
    Graph(const scenario::Scenario& plan, const Topology<double>& t)
        : m_t(t), m_out(plan.cluster.network.scaleOut),
          m_chips(std::max<std::int64_t>(1, plan.cluster.chips))
    {
        m_direct = m_out.topology == ScaleOutTopology::Torus ||
                   m_out.topology == ScaleOutTopology::NdFullMesh;
        m_ring = m_out.topology == ScaleOutTopology::Torus;
        m_shape = m_out.shape;
        if (m_direct && m_shape.empty())
            m_shape = m_ring ? torusShape(siteChips(plan)) : meshShape(siteChips(plan));
        m_block = m_direct ? 1 : whole(m_t.leafChips);
        m_pod = m_direct || m_t.podChips <= 0 ? m_chips : whole(m_t.podChips);
    }

    /// Chips that share their first switches: those of a leaf set, a router, or one chip.
    std::int64_t blockOf(std::int64_t chip) const { return chip / m_block; }
    Way way(std::int64_t a, std::int64_t b);
    std::vector<GraphLink> links;

private:
    using Key = std::array<std::int64_t, 4>;

    std::size_t link(const Key& key, GraphLink like)
    {
        const auto found = m_known.emplace(key, links.size());
        if (found.second)
            links.push_back(like);
        return found.first->second;
    }
    std::int64_t podOf(std::int64_t block) const { return block * m_block / m_pod; }
    void treeWay(std::int64_t a, std::int64_t b, Way& way);
    void dragonflyWay(std::int64_t a, std::int64_t b, Way& way);
    void plusWay(std::int64_t a, std::int64_t b, Way& way);
    void directWay(std::int64_t a, std::int64_t b, Way& way);
    void axisWay(std::int64_t& at, std::size_t axis, std::int64_t to, std::int64_t step,
                 double part, Way& way);
    std::int64_t aggregationsOf(std::int64_t pod) const;

    const Topology<double>& m_t;
    const scenario::ScaleOut& m_out;
    std::int64_t m_chips;
    bool m_direct = false;
    bool m_ring = false;
    std::vector<std::int64_t> m_shape;
    std::int64_t m_block = 1;
    std::int64_t m_pod = 1;
    std::map<Key, std::size_t> m_known;
};

Way Graph::way(std::int64_t a, std::int64_t b)
{
    Way w;
    if (a == b)
        return w;
    if (m_direct)
        directWay(a, b, w);
    else if (m_out.topology == ScaleOutTopology::Dragonfly)
        dragonflyWay(a, b, w);
    else if (m_out.topology == ScaleOutTopology::DragonflyPlus)
        plusWay(a, b, w);
    else
        treeWay(a, b, w);
    return w;
}

std::int64_t Graph::aggregationsOf(std::int64_t pod) const
{
    const std::int64_t pods = (m_chips + m_pod - 1) / m_pod;
    const std::int64_t full = whole(m_t.leafUplinks);
    const std::int64_t all = whole(m_t.aggregations / m_t.trees);
    return pod + 1 < pods ? full : std::clamp<std::int64_t>(all - (pods - 1) * full, 1, full);
}

/// All trees of rails and planes are alike: their switches at one place are one switch here, with
/// as many times the cables; and so are the cores that one aggregation switch is cabled to.
void Graph::treeWay(std::int64_t a, std::int64_t b, Way& way)
{
    const double trees = m_t.trees;
    const bool three = m_t.aggregations > 0;
    const std::int64_t pods[] = {podOf(a), podOf(b)};
    const std::int64_t ends[] = {a, b};
    const std::int64_t cores = whole(m_t.cores / trees);
    for (int side = 0; side < 2; ++side) {
        const bool up = side == 0;
        const std::int64_t above = three ? aggregationsOf(pods[side]) : cores;
        const double part = 1.0 / static_cast<double>(above);
        for (std::int64_t i = 0; i < above; ++i) {
            GraphLink like{LinkEnd::Leaf,
                           three ? LinkEnd::Aggregation : LinkEnd::Core,
                           ends[side],
                           -1,
                           up,
                           trees * m_t.leafUplinks * part,
                           {}};
            way.emplace_back(link({0, ends[side], i, up}, like), part);
            if (!three || pods[0] == pods[1])
                continue;
            GraphLink core{LinkEnd::Aggregation,
                           LinkEnd::Core,
                           pods[side],
                           -1,
                           up,
                           trees * m_t.aggregationUplinks,
                           {}};
            way.emplace_back(link({1, pods[side] * whole(m_t.leafUplinks) + i, 0, up}, core), part);
        }
    }
}

void Graph::dragonflyWay(std::int64_t a, std::int64_t b, Way& way)
{
    const std::int64_t routers = m_pod / m_block;
    const auto local = [&](std::int64_t from, std::int64_t to, double part) {
        if (from == to)
            return;
        GraphLink like{LinkEnd::Router, LinkEnd::Router, from / routers, -1, true, 1, {}};
        way.emplace_back(link({0, from, to, 0}, like), part);
    };
    const std::int64_t g = a / routers;
    const std::int64_t h = b / routers;
    if (g == h) {
        local(a, b, 1.0);
        return;
    }
    const double part = 1.0 / static_cast<double>(routers);
    for (std::int64_t i = 0; i < routers; ++i) {
        local(a, g * routers + i, part);
        local(h * routers + i, b, part);
    }
    const double cables =
        static_cast<double>(routers) * m_t.leafUplinks / std::max(1.0, m_t.groups - 1.0);
    for (const bool up : {true, false}) {
        GraphLink like{LinkEnd::Group, LinkEnd::Group, up ? g : h, -1, up, cables, {}};
        way.emplace_back(link({1, g, h, up}, like), 1.0);
    }
}

void Graph::plusWay(std::int64_t a, std::int64_t b, Way& way)
{
    const std::int64_t leaves = m_pod / m_block;
    const std::int64_t spines = whole(m_t.leafUplinks);
    const std::int64_t ends[] = {a, b};
    for (int side = 0; side < 2; ++side)
        for (std::int64_t i = 0; i < spines; ++i) {
            GraphLink like{LinkEnd::Leaf, LinkEnd::Core, ends[side], -1, side == 0, 1, {}};
            way.emplace_back(link({0, ends[side], i, side}, like),
                             1.0 / static_cast<double>(spines));
        }
    const std::int64_t g = a / leaves;
    const std::int64_t h = b / leaves;
    if (g == h)
        return;
    const auto cables = static_cast<double>(spines * spines) / std::max(1.0, m_t.groups - 1.0);
    for (const bool up : {true, false}) {
        GraphLink like{LinkEnd::Group, LinkEnd::Group, up ? g : h, -1, up, cables, {}};
        way.emplace_back(link({1, g, h, up}, like), 1.0);
    }
}

/// Steps along one axis from `at` to coordinate `to`.
void Graph::axisWay(std::int64_t& at, std::size_t axis, std::int64_t to, std::int64_t step,
                    double part, Way& way)
{
    std::int64_t stride = 1;
    for (std::size_t i = 0; i < axis; ++i)
        stride *= m_shape[i];
    const std::int64_t n = m_shape[axis];
    while (at / stride % n != to) {
        const std::int64_t here = at / stride % n;
        const std::int64_t next = m_ring ? (here + step + n) % n : to;
        const std::int64_t chip = at + (next - here) * stride;
        GraphLink like{LinkEnd::Chip, LinkEnd::Chip, at, static_cast<int>(axis), true, 1, {}};
        way.emplace_back(link({static_cast<std::int64_t>(axis), at, chip, step}, like), part);
        at = chip;
    }
}

void Graph::directWay(std::int64_t a, std::int64_t b, Way& way)
{
    std::int64_t stride = 1;
    std::int64_t at = a;
    for (std::size_t axis = 0; axis < m_shape.size(); ++axis) {
        const std::int64_t n = m_shape[axis];
        const std::int64_t from = at / stride % n;
        const std::int64_t to = b / stride % n;
        const std::int64_t forward = (to - from + n) % n;
        if (forward != 0) {
            std::int64_t other = at;
            // Half way round both ways are as short; a ring of two has one cable.
            const bool both = m_ring && 2 * forward == n && n > 2;
            const std::int64_t step = 2 * forward <= n ? 1 : -1;
            axisWay(at, axis, to, step, both ? 0.5 : 1.0, way);
            if (both)
                axisWay(other, axis, to, -step, 0.5, way);
        }
        stride *= n;
    }
}

} // namespace

std::vector<GraphLink> routeAll(const scenario::Scenario& plan, const Topology<double>& topology,
                                const Placement<double>& placement,
                                const scenario::Layout<double>& layout,
                                const ByKind<Volume<double>>& volumes)
{
    Graph graph(plan, topology);
    const JobSlots jobs = jobSlots(plan, placement, layout.chips);
    std::map<std::pair<std::int64_t, std::int64_t>, Eigen::Index> pairs;
    std::vector<Eigen::Triplet<double>> demands;
    for (std::size_t k = 0; k < kTrafficKinds; ++k) {
        const FlowGroup g = flowGroup(plan, placement, jobs.ranks, static_cast<TrafficKind>(k));
        const double bytes = g.pattern == Pattern::Neighbour ? volumes[k].inside + volumes[k].across
                                                             : volumes[k].across;
        if (!(bytes > 0))
            continue;
        for (std::int64_t job = 0; job < jobs.jobs; ++job) {
            const auto blockOf = [&](std::int64_t rank) {
                return graph.blockOf(
                    chipOfRank(job * jobs.perJob + rank, jobs.domain, jobs.domainChips));
            };
            const auto demand = [&](std::int64_t from, std::int64_t to, double weight) {
                const auto found = pairs.emplace(std::make_pair(from, to),
                                                 static_cast<Eigen::Index>(pairs.size()));
                demands.emplace_back(found.first->second, static_cast<Eigen::Index>(k),
                                     weight * bytes);
            };
            if (g.pattern == Pattern::Storage) { // each rank alike to all: by their blocks
                std::map<std::int64_t, double> ranksOn;
                for (std::int64_t rank = 0; rank < jobs.ranks; ++rank)
                    ranksOn[blockOf(rank)] += 1.0;
                for (const auto& [from, senders] : ranksOn)
                    for (const auto& [to, receivers] : ranksOn)
                        demand(from, to, senders * receivers / static_cast<double>(g.ranks));
                continue;
            }
            for (std::int64_t rank = 0; rank < jobs.ranks; ++rank)
                forFlowsOf(g, rank, [&](std::int64_t to, double weight) {
                    demand(blockOf(rank), blockOf(to), weight);
                });
        }
    }
    std::vector<Eigen::Triplet<double>> routes;
    for (const auto& [pair, column] : pairs)
        for (const auto& [link, part] : graph.way(pair.first, pair.second))
            routes.emplace_back(static_cast<Eigen::Index>(link), column, part);
    const auto linkCount = static_cast<Eigen::Index>(graph.links.size());
    const auto pairCount = static_cast<Eigen::Index>(pairs.size());
    Eigen::SparseMatrix<double> routing(linkCount, pairCount);
    routing.setFromTriplets(routes.begin(), routes.end());
    Eigen::SparseMatrix<double> demand(pairCount, static_cast<Eigen::Index>(kTrafficKinds));
    demand.setFromTriplets(demands.begin(), demands.end());
    const Eigen::SparseMatrix<double> loads = routing * demand;
    for (Eigen::Index k = 0; k < loads.outerSize(); ++k)
        for (Eigen::SparseMatrix<double>::InnerIterator it(loads, k); it; ++it)
            graph.links[static_cast<std::size_t>(it.row())].bytes[static_cast<std::size_t>(k)] =
                it.value();
    return std::move(graph.links);
}

} // namespace cw::network
