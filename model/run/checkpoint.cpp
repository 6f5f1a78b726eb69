// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/run/checkpoint.h"

#include <algorithm>
#include <cmath>

#include "model/run/daly.h"
#include "model/step/loading.h"

namespace cw::run {

using explain::named;
using explain::Traced;
using scenario::CheckpointPlan;
using scenario::CheckpointTier;
using scenario::Inputs;
using scenario::PoolContent;
using units::Bytes;
using units::BytesPerSecond;
using units::Seconds;
using units::Unit;

namespace {

/// What the storage system gives one job to write while all write, and to read alone.
template <class T>
step::PoolBandwidth<T> fileSystem(const Inputs<T>& in, const T& nodes,
                                  const BytesPerSecond<T>& network)
{
    const auto pools = step::poolBandwidth(in, PoolContent::Checkpoints, nodes);
    // Pools serve all jobs; what a node gets without one is its own.
    const T jobs = in.plan().storage.pools.empty() ? T(1.0) : in(in.plan().workload.jobs);
    return {min(pools.read, network), min(pools.write / jobs, network)};
}

bool holdsBoth(const scenario::Scenario& plan)
{
    const auto& pools = plan.storage.pools;
    const auto holds = [](const scenario::StoragePool& pool, PoolContent content) {
        return std::find(pool.holds.begin(), pool.holds.end(), content) != pool.holds.end();
    };
    return pools.empty() || std::any_of(pools.begin(), pools.end(), [&](const auto& pool) {
               return holds(pool, PoolContent::Checkpoints) && holds(pool, PoolContent::Dataset);
           });
}

/// What saves of all chips at once add to the blocking part of one.
template <class T>
Seconds<T> burst(const Inputs<T>& in, const CheckpointCost<T>& cost, CheckpointTier tier,
                 const Seconds<T>& step)
{
    const Seconds<T> network = cost.peerRestore;
    if (tier != CheckpointTier::FileSystem || !holdsBoth(in.plan()))
        return network;
    const Seconds<T> starved = cost.drain - step * in(in.plan().storage.prefetchSteps);
    return max(network, starved);
}

/// Copies of a node's share of the state in its memory.
double copiesInHost(const CheckpointPlan& plan)
{
    const bool kept = plan.tier == CheckpointTier::Host || plan.tier == CheckpointTier::Peer;
    const bool onItsWay = plan.asynchronous && plan.tier != CheckpointTier::Host;
    return (kept ? 2.0 : 0.0) + (onItsWay ? 1.0 : 0.0);
}

} // namespace

const std::vector<scenario::CheckpointPlan>& checkpointTiers(const scenario::Scenario& plan)
{
    static const std::vector<scenario::CheckpointPlan> kDefault(1);
    return plan.reliability.checkpoints.empty() ? kDefault : plan.reliability.checkpoints;
}

template <class T>
CheckpointCost<T> checkpointCost(const Inputs<T>& in, const CheckpointPlan& plan,
                                 const Bytes<T>& bytes, const T& chips, const Seconds<T>& step)
{
    using std::ceil;
    const scenario::Cluster& cluster = in.plan().cluster;
    const T nodes = ceil(chips / in(cluster.node.chips));
    const BytesPerSecond<T> host(chips * in(cluster.node.hostLinkBandwidth));
    const BytesPerSecond<T> network(chips * in(cluster.network.scaleOut.bandwidth));
    step::PoolBandwidth<T> tier{host, host};
    switch (plan.tier) {
    case CheckpointTier::Host:
        break;
    case CheckpointTier::Peer:
        tier = {network, network};
        break;
    case CheckpointTier::Nvme:
        tier = {BytesPerSecond<T>(nodes * in(cluster.node.nvmeReadBandwidth)),
                BytesPerSecond<T>(nodes * in(cluster.node.nvmeWriteBandwidth))};
        break;
    case CheckpointTier::FileSystem:
        tier = fileSystem(in, nodes, network);
        break;
    }
    tier = {min(tier.read, host), min(tier.write, host)};
    CheckpointCost<T> cost;
    cost.write = named("run.checkpoints.write_bytes_per_s", Unit::BytesPerSecond, tier.write);
    cost.read = named("run.checkpoints.read_bytes_per_s", Unit::BytesPerSecond, tier.read);
    cost.drain = named("run.checkpoints.drain_s", Unit::Seconds, bytes / cost.write);
    cost.restore = named("run.checkpoints.restore_s", Unit::Seconds, bytes / cost.read);
    cost.peerRestore = bytes / network;
    cost.host = named("run.checkpoints.host_bytes", Unit::VendorBytes,
                      bytes * (T(copiesInHost(plan)) / nodes));
    if (plan.blocking) {
        cost.blocking = named("run.checkpoints.blocking_s", Unit::Seconds,
                              in.template as<Seconds<T>>(plan.blocking));
        return cost;
    }
    cost.blocking = Seconds<T>(in.constant("constant.checkpoint_set_up_s", Unit::Seconds, 1.0)) +
                    (plan.asynchronous ? bytes / host : cost.drain);
    const bool leavesNode =
        plan.tier == CheckpointTier::Peer || plan.tier == CheckpointTier::FileSystem;
    if (plan.asynchronous && leavesNode && !plan.staggered)
        cost.blocking += burst(in, cost, plan.tier, step);
    cost.blocking = named("run.checkpoints.blocking_s", Unit::Seconds, cost.blocking);
    return cost;
}

namespace {

template <class T>
TierRun<T> asRun(const CheckpointPlan& plan, const CheckpointCost<T>& cost, const Seconds<T>& least)
{
    using std::max;
    TierRun<T> r;
    r.tier = plan.tier;
    r.blocking = cost.blocking;
    r.host = cost.host;
    r.drain = cost.drain;
    r.restore = cost.restore;
    r.write = cost.write;
    r.read = cost.read;
    r.leastInterval = named("run.checkpoints.least_interval_s", Unit::Seconds,
                            plan.asynchronous ? max(least, cost.drain) : least);
    r.every = T(1.0);
    return r;
}

/// What a tier is to be saved at: as given, or the optimum for the failures that reach it, but a
/// whole number of times in the interval that a later tier is given.
template <class T>
Seconds<T> wantedInterval(const Inputs<T>& in, const std::vector<CheckpointPlan>& plans,
                          std::size_t index, const Seconds<T>& blocking, const Seconds<T>& mean)
{
    using std::floor;
    using std::max;
    if (plans[index].interval)
        return in.template as<Seconds<T>>(plans[index].interval);
    const Seconds<T> wanted = dalyOptimum(blocking, mean);
    for (std::size_t i = index + 1; i < plans.size(); ++i) {
        if (!plans[i].interval)
            continue;
        const auto later = in.template as<Seconds<T>>(plans[i].interval);
        return later / max(floor(later / wanted + 0.5), T(1.0));
    }
    return wanted;
}

/// Time between the failures that reach a tier, which are `left` of all. The last tier also serves
/// what is found corrupted.
template <class T>
Seconds<T> meanReaching(const T& left, bool last, const TierFailures<T>& failures)
{
    using std::max;
    T rate = max(left, T(1e-9)) / failures.mean.si();
    if (last)
        rate = rate + failures.corruption.si();
    return named("run.process.tier_mean_s", Unit::Seconds, Seconds<T>(1.0 / rate));
}

} // namespace

template <class T>
T survivedShare(CheckpointTier tier, const TierFailures<T>& failures)
{
    using std::max;
    switch (tier) {
    case CheckpointTier::Host:
    case CheckpointTier::Nvme:
        return max(1.0 - failures.nodeShare - failures.domainShare, T(0.0));
    case CheckpointTier::Peer:
        return max(1.0 - failures.domainShare, T(0.0));
    case CheckpointTier::FileSystem:
        break;
    }
    return T(1.0);
}

template <class T>
std::vector<TierRun<T>> tiersOf(const Inputs<T>& in, const Bytes<T>& bytes, const T& chips,
                                const Seconds<T>& step, const TierFailures<T>& failures)
{
    using std::ceil;
    using std::floor;
    using std::max;
    using std::min;
    const std::vector<CheckpointPlan>& plans = checkpointTiers(in.plan());
    const std::size_t count = std::min(plans.size(), kMostTiers);
    std::vector<TierRun<T>> tiers;
    T left(1.0);
    Seconds<T> least = max(step, Seconds<T>(T(1e-3)));
    for (std::size_t i = 0; i < count; ++i) {
        const CheckpointCost<T> cost = checkpointCost(in, plans[i], bytes, chips, step);
        TierRun<T> tier = asRun(plans[i], cost, least);
        const bool last = i + 1 == count;
        // Every failure loses what the first tier has not saved; the others only those left to
        // them.
        const Seconds<T> mean = i == 0 ? failures.mean : meanReaching(left, last, failures);
        tier.interval = max(wantedInterval(in, plans, i, cost.blocking, mean), tier.leastInterval);
        if (i > 0) {
            // Saves of this tier are saves of the one before as well.
            tier.every = named("run.process.every", Unit::None,
                               max(floor(tier.interval / least + 0.5),
                                   ceil(tier.leastInterval / least * (1.0 - 1e-12))));
            tier.interval = least * tier.every;
        }
        tier.interval = named("run.checkpoints.interval_s", Unit::Seconds, tier.interval);
        const T survives = max(survivedShare(plans[i].tier, failures) - (1.0 - left), T(0.0));
        tier.serves = named("run.checkpoints.serves", Unit::Share,
                            last ? left : min(left * in(plans[i].servesShare), survives));
        left = left - tier.serves;
        least = tier.interval;
        tiers.push_back(tier);
    }
    return tiers;
}

#define CW_INSTANTIATE_CHECKPOINT(T)                                                               \
    template CheckpointCost<T> checkpointCost(const Inputs<T>&, const CheckpointPlan&,             \
                                              const Bytes<T>&, const T&, const Seconds<T>&);       \
    template T survivedShare(CheckpointTier, const TierFailures<T>&);                              \
    template std::vector<TierRun<T>> tiersOf(const Inputs<T>&, const Bytes<T>&, const T&,          \
                                             const Seconds<T>&, const TierFailures<T>&)
CW_INSTANTIATE_CHECKPOINT(double);
CW_INSTANTIATE_CHECKPOINT(Traced);
#undef CW_INSTANTIATE_CHECKPOINT

} // namespace cw::run
