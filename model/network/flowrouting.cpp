// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <map>
#include <random>

#include "model/network/crossing.h"
#include "model/network/linkgraph.h"
#include "model/network/routingload.h"
#include "model/network/wholecount.h"

namespace cw::network {

using scenario::Routing;

namespace {

class FlowRouter
{
public:
    FlowRouter(const scenario::Scenario& plan, const Topology<double>& t, std::uint64_t seed)
        : m_plan(plan), m_t(t), m_random(seed), m_routing(plan.cluster.network.scaleOut.routing),
          m_trees(whole(t.trees)), m_up(whole(t.leafUplinks)),
          m_core(t.aggregations > 0 ? whole(t.aggregationUplinks) : 1), m_leaf(whole(t.leafChips)),
          m_pod(t.aggregations > 0 ? whole(t.podChips) : 0)
    {
    }

    void send(std::int64_t from, std::int64_t to, std::size_t kind, double bytes)
    {
        if (from / m_leaf == to / m_leaf)
            return;
        const StaticWay way = staticWay(m_plan, m_t, to);
        const std::int64_t first = way.tree < 0 ? 0 : way.tree;
        const std::int64_t last = way.tree < 0 ? m_trees : way.tree + 1;
        if (m_routing == Routing::Static) {
            for (std::int64_t tree = first; tree < last; ++tree)
                add(from, to, {tree, way.uplink, way.core}, kind,
                    bytes / static_cast<double>(last - first));
        } else if (m_routing == Routing::Ecmp) {
            const std::int64_t flows = m_plan.cluster.network.scaleOut.flowsPerChip;
            for (std::int64_t i = 0; i < flows; ++i)
                add(from, to, {first + below(last - first), below(m_up), below(m_core)}, kind,
                    bytes / static_cast<double>(flows));
        } else {
            const double part = bytes / static_cast<double>((last - first) * m_up * m_core);
            for (std::int64_t tree = first; tree < last; ++tree)
                for (std::int64_t up = 0; up < m_up; ++up)
                    for (std::int64_t core = 0; core < m_core; ++core)
                        add(from, to, {tree, up, core}, kind, part);
        }
    }

    std::vector<CableLoad> loads() const
    {
        std::vector<CableLoad> all;
        for (const auto& [key, bytes] : m_loads)
            all.push_back({key[1], key[0] == 1, key[2], key[3], key[4], bytes});
        return all;
    }

private:
    struct Port
    {
        std::int64_t tree, uplink, core;
    };

    std::int64_t below(std::int64_t n)
    {
        return std::uniform_int_distribution<std::int64_t>(0, n - 1)(m_random);
    }
    void add(std::int64_t from, std::int64_t to, const Port& p, std::size_t kind, double bytes)
    {
        m_loads[{0, from / m_leaf, p.tree, p.uplink, 0}][kind] += bytes;
        if (m_pod > 0 && from / m_pod != to / m_pod)
            m_loads[{1, from / m_pod, p.tree, p.uplink, p.core}][kind] += bytes;
    }

    const scenario::Scenario& m_plan;
    const Topology<double>& m_t;
    std::mt19937_64 m_random;
    Routing m_routing;
    std::int64_t m_trees;
    std::int64_t m_up;
    std::int64_t m_core;
    std::int64_t m_leaf;
    std::int64_t m_pod;
    std::map<std::array<std::int64_t, 5>, ByKind<double>> m_loads;
};

} // namespace

std::vector<CableLoad> routeEach(const scenario::Scenario& plan, const Topology<double>& topology,
                                 const Placement<double>& placement,
                                 const scenario::Layout<double>& layout,
                                 const ByKind<Volume<double>>& volumes, std::uint64_t seed)
{
    FlowRouter router(plan, topology, seed);
    const JobSlots jobs = jobSlots(plan, placement, layout.chips);
    for (std::size_t k = 0; k < kTrafficKinds; ++k) {
        const FlowGroup g = flowGroup(plan, placement, jobs.ranks, static_cast<TrafficKind>(k));
        const double bytes = g.pattern == Pattern::Neighbour ? volumes[k].inside + volumes[k].across
                                                             : volumes[k].across;
        if (!(bytes > 0) || g.size <= 1 || g.pattern == Pattern::Storage)
            continue;
        for (std::int64_t slot = 0; slot < jobs.jobs * jobs.perJob; ++slot) {
            if (slot % jobs.perJob >= jobs.ranks)
                continue;
            const auto chipOf = [&](std::int64_t s) {
                return chipOfRank(s, jobs.domain, jobs.domainChips);
            };
            forFlowsOf(g, slot % jobs.perJob, [&](std::int64_t to, double weight) {
                router.send(chipOf(slot), chipOf(slot - slot % jobs.perJob + to), k,
                            weight * bytes);
            });
        }
    }
    return router.loads();
}

} // namespace cw::network
