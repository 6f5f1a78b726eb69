// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/routingload.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "model/network/placement.h"
#include "model/network/wholecount.h"

namespace cw::network {

using scenario::Routing;
using scenario::ScaleOutTopology;

namespace {

constexpr double kNegligible = 1e-9;
constexpr double kGaussianMean = 400;      ///< flows on a path from which on they are Gaussian
constexpr std::int64_t kMostExtent = 1024; ///< ranks of a group's extent that are walked through

/// Mean of the largest of n standard normal numbers, from the extreme value limit. [Cramer 1946,
/// sec. 28.6]
double largestOf(double n)
{
    constexpr double kEuler = std::numbers::egamma;
    constexpr double kFourPi = 4 * std::numbers::pi;
    if (n < 2)
        return 0;
    const double root = std::sqrt(2 * std::log(n));
    return std::max(0.0, root - (std::log(std::log(n)) + std::log(kFourPi)) / (2 * root) +
                             kEuler / root);
}

/// Sums over i = 0..limit of x^i / i!, and of i and i^2 times that, all over the last term.
struct CutExponential
{
    CutExponential(double x, int limit)
    {
        double term = 1;
        for (int i = limit; i >= 0; --i) {
            sum += term;
            first += i * term;
            second += static_cast<double>(i) * i * term;
            term *= i / x;
        }
        last = limit * std::log(x) - std::lgamma(limit + 1.0);
    }
    double mean() const { return first / sum; }
    double variance() const { return std::max(0.0, second / sum - mean() * mean()); }
    double log() const { return last + std::log(sum); }
    double sum = 0;
    double first = 0;
    double second = 0;
    double last = 0; ///< logarithm of the last term
};

/// Probability that no path of one switch has more than `limit` flows: n! [x^n] (sum of x^i / i!)^m
/// / m^n, with the coefficient at its saddle point. [Levin 1981; Flajolet & Sedgewick, Analytic
/// Combinatorics, sec. VIII.8]
double noneAbove(int limit, double flows, double paths)
{
    if (limit >= flows)
        return 1;
    if (limit * paths < flows)
        return 0;
    if (limit * paths == flows)
        return std::exp(std::lgamma(flows + 1) - paths * std::lgamma(limit + 1.0) -
                        flows * std::log(paths));
    const double mean = flows / paths;
    constexpr int kMostSteps = 60;
    // The saddle lies where the mean of the cut numbers is the flows of a path; above the mean.
    double x = mean;
    CutExponential cut(x, limit);
    for (int i = 0; i < kMostSteps; ++i) {
        const double step = (mean - cut.mean()) / cut.variance(); // of log x
        x *= std::exp(std::clamp(step, -1.0, 1.0));
        cut = CutExponential(x, limit);
        if (std::fabs(step) < 1e-9)
            break;
    }
    // Over the same for an endless sum, so that what Stirling leaves out cancels.
    const double log = paths * (cut.log() - mean) - flows * std::log(x / mean) -
                       0.5 * std::log(paths * cut.variance() / flows);
    return std::isfinite(log) ? std::clamp(std::exp(log), 0.0, 1.0) : 0; // a saddle at infinity
}

} // namespace

double expectedWorstLoad(double flows, double paths, double switches)
{
    if (!(flows > 0) || !(paths > 0))
        return 0;
    if (paths <= 1)
        return flows;
    const double mean = flows / paths;
    const double all = std::max(1.0, switches);
    if (mean > kGaussianMean)
        return mean + std::sqrt(mean * (1 - 1 / paths)) * largestOf(paths * all);
    // The sum of the probabilities that the fullest path has more than c flows.
    const auto least = static_cast<int>(std::ceil(std::max(mean, std::min(flows, 1.0)) - 1e-9));
    double expected = least;
    for (int limit = least;; ++limit) {
        const double above = 1 - std::pow(noneAbove(limit, flows, paths), all);
        expected += above;
        if (above < kNegligible)
            return expected;
    }
}

double hashedImbalance(double flows, double paths, double switches)
{
    if (!(flows > 0) || !(paths > 1))
        return 1;
    return std::max(1.0, expectedWorstLoad(flows, paths, switches) * paths / flows);
}

StaticWay staticWay(const scenario::Scenario& plan, const Topology<double>& t, std::int64_t chip)
{
    const scenario::ScaleOut& out = plan.cluster.network.scaleOut;
    StaticWay way;
    std::int64_t endpoint = chip;
    const std::int64_t rails = std::max<std::int64_t>(1, out.rails);
    if (out.topology == ScaleOutTopology::RailOptimized ||
        (out.topology == ScaleOutTopology::MultiPlane && out.planes == out.rails)) {
        way.tree =
            out.planes > 1 && out.topology == ScaleOutTopology::RailOptimized ? -1 : chip % rails;
        endpoint = chip / rails;
    } else if (whole(t.trees) > 1) {
        way.tree = -1; // each chip has a port in every plane
    }
    // A dragonfly's group is one switch with all its global ports; in that of a dragonfly+ each
    // spine has as many as it has leaves.
    const bool groups = t.groups > 0;
    const std::int64_t up =
        whole(groups && !(t.cores > 0) ? t.leaves / t.groups * t.leafUplinks : t.leafUplinks);
    way.uplink = endpoint % up;
    way.core = endpoint / up % whole(groups && t.cores > 0 ? t.leafUplinks : t.aggregationUplinks);
    return way;
}

namespace {

/// Members of a group, `stride` apart and one of them at `like`, in [first, end).
std::int64_t membersIn(std::int64_t first, std::int64_t end, std::int64_t like, std::int64_t stride)
{
    const auto below = [&](std::int64_t n) {
        const std::int64_t at = like % stride;
        return n > at ? (n - at + stride - 1) / stride : 0;
    };
    return end > first ? below(end) - below(first) : 0;
}

/// Flows of an exchange that leave the slots: each slot outside them hears of every member inside.
template <class Flow>
void exchangeOutOf(const FlowGroup& g, const JobSlots& jobs, const SlotRange& slots, Flow flow)
{
    const std::int64_t extent = g.extent();
    for (std::int64_t job = slots.first / jobs.perJob; job * jobs.perJob < slots.end; ++job) {
        const std::int64_t base = job * jobs.perJob;
        const std::int64_t first = std::max<std::int64_t>(0, slots.first - base);
        const std::int64_t end = std::min(jobs.ranks, slots.end - base);
        for (std::int64_t start = first / extent * extent; start < end; start += extent) {
            const std::int64_t from = std::max(first, start);
            const std::int64_t to = std::min(end, start + extent);
            for (std::int64_t rank = start; rank < std::min(start + extent, jobs.ranks); ++rank)
                if (rank < first || rank >= end)
                    flow(base + rank, static_cast<double>(membersIn(from, to, rank, g.stride)) /
                                          static_cast<double>(g.size - 1));
        }
    }
}

/// Flows of rings and pipelines that leave the slots.
template <class Flow>
void neighboursOutOf(const FlowGroup& g, const JobSlots& jobs, const SlotRange& slots, Flow flow)
{
    const auto n = static_cast<double>(g.size);
    for (std::int64_t slot = slots.first; slot < slots.end; ++slot) {
        const std::int64_t rank = slot % jobs.perJob;
        if (rank >= jobs.ranks)
            continue;
        const std::int64_t member = rank / g.stride % g.size;
        const auto to = [&](std::int64_t m, double weight) {
            const std::int64_t peer = slot + (m - member) * g.stride;
            if (peer < slots.first || peer >= slots.end)
                flow(peer, weight);
        };
        if (g.pattern == Pattern::Ring) {
            to((member + 1) % g.size, 1.0);
            continue;
        }
        if (member + 1 < g.size)
            to(member + 1, n / (2.0 * (n - 1.0)));
        if (member > 0)
            to(member - 1, n / (2.0 * (n - 1.0)));
    }
}

/// By the destination of each flow out of the block.
double staticImbalance(const scenario::Scenario& plan, const Topology<double>& t,
                       const FlowGroup& g, const JobSlots& jobs, const BlockLinks& block)
{
    // Flows to many ranks in a row meet every uplink alike.
    if (g.pattern == Pattern::Storage || g.size <= 1 ||
        (g.pattern == Pattern::Exchange && g.extent() > kMostExtent))
        return 1;
    std::map<std::array<std::int64_t, 3>, double> links;
    double all = 0;
    const auto add = [&](std::int64_t slot, double weight) {
        const StaticWay way = staticWay(plan, t, chipOfRank(slot, jobs.domain, jobs.domainChips));
        links[{way.tree, way.uplink, block.top ? way.core : 0}] += weight;
        all += weight;
    };
    const SlotRange slots = jobs.on(block.firstChip, block.endChip);
    if (g.pattern == Pattern::Exchange)
        exchangeOutOf(g, jobs, slots, add);
    else
        neighboursOutOf(g, jobs, slots, add);
    double most = 0;
    for (const auto& [link, weight] : links)
        most = std::max(most, weight * (link[0] < 0 ? 1.0 / block.trees : 1.0));
    return all > 0 ? std::max(1.0, most * block.paths * block.trees / all) : 1;
}

} // namespace

double imbalanceOf(const scenario::Scenario& plan, const Topology<double>& topology,
                   const FlowGroup& g, const JobSlots& jobs, const BlockLinks& block,
                   double leaving)
{
    const scenario::ScaleOut& out = plan.cluster.network.scaleOut;
    if (!(leaving > 0) || block.paths <= 1)
        return 1;
    if (out.routing == Routing::Adaptive)
        return kAdaptiveImbalance;
    if (out.routing == Routing::Static)
        return staticImbalance(plan, topology, g, jobs, block);
    // Each pair of chips has its own flows; of those of an exchange all run at once.
    double each = static_cast<double>(out.flowsPerChip);
    if (g.pattern == Pattern::Exchange)
        each *= static_cast<double>(g.size - 1);
    if (staticWay(plan, topology, 0).tree < 0) // a flow is hashed to one of the planes, too
        return hashedImbalance(each * leaving, block.paths * block.trees,
                               block.switches / block.trees);
    return hashedImbalance(each * leaving / block.trees, block.paths, block.switches);
}

BlockLinks linksOutOf(const Topology<double>& t, std::int64_t chips, std::int64_t allChips)
{
    BlockLinks b;
    b.trees = std::max(1.0, t.trees);
    const std::int64_t each = std::max<std::int64_t>(1, chips);
    const std::int64_t blocks = (allChips + each - 1) / each;
    const bool dragonfly = t.groups > 0;
    if (t.aggregations > 0 || dragonfly)
        b.top = chips >= whole(t.podChips);
    if (dragonfly)
        b.paths = b.top ? t.leaves / t.groups * t.leafUplinks : t.cores > 0 ? t.leafUplinks : 1.0;
    else if (t.cores > 0)
        b.paths = t.leafUplinks * (b.top ? t.aggregationUplinks : 1.0);
    // Switches of the blocks hash what goes up; those above them what comes down.
    b.switches = 2 * b.trees * static_cast<double>(blocks);
    return b;
}

bool routingIsComputed(const scenario::Scenario& plan)
{
    const scenario::ScaleOut& out = plan.cluster.network.scaleOut;
    return !out.routingImbalance && out.topology != ScaleOutTopology::Torus &&
           out.topology != ScaleOutTopology::NdFullMesh;
}

} // namespace cw::network
