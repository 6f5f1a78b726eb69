// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/run/checkpoint.h"

#include <algorithm>
#include <cmath>

#include "model/run/daly.h"

namespace cw::run {

using explain::named;
using explain::Traced;
using scenario::CheckpointPlan;
using scenario::CheckpointTier;
using scenario::Inputs;
using units::Bytes;
using units::BytesPerSecond;
using units::Seconds;
using units::Unit;

namespace {

template <class T>
struct Bandwidths
{
    BytesPerSecond<T> write;
    BytesPerSecond<T> read;
};

template <class T>
Bandwidths<T> fileSystem(const Inputs<T>& in, const T& nodes, const BytesPerSecond<T>& network)
{
    using std::max;
    T write(0.0);
    T read(0.0);
    bool any = false;
    for (const scenario::StoragePool& pool : in.plan().storage.pools) {
        if (std::find(pool.holds.begin(), pool.holds.end(), scenario::PoolContent::Checkpoints) ==
            pool.holds.end())
            continue;
        any = true;
        write = write + in(pool.writeBandwidth);
        read = read + in(pool.readBandwidth);
    }
    if (!any) {
        write = read =
            nodes * in.constant("constant.storage_bytes_per_s_per_node", Unit::BytesPerSecond, 1e9);
    }
    return {min(BytesPerSecond<T>(write), network), min(BytesPerSecond<T>(read), network)};
}

} // namespace

const std::vector<scenario::CheckpointPlan>& checkpointTiers(const scenario::Scenario& plan)
{
    static const std::vector<scenario::CheckpointPlan> kDefault(1);
    return plan.reliability.checkpoints.empty() ? kDefault : plan.reliability.checkpoints;
}

template <class T>
CheckpointCost<T> checkpointCost(const Inputs<T>& in, const CheckpointPlan& plan,
                                 const Bytes<T>& bytes, const T& chips)
{
    using std::ceil;
    const scenario::Cluster& cluster = in.plan().cluster;
    const T nodes = ceil(chips / in(cluster.node.chips));
    const BytesPerSecond<T> host(chips * in(cluster.node.hostLinkBandwidth));
    const BytesPerSecond<T> network(chips * in(cluster.network.scaleOut.bandwidth));
    Bandwidths<T> tier{host, host};
    switch (plan.tier) {
    case CheckpointTier::Host:
        break;
    case CheckpointTier::Peer:
        tier = {network, network};
        break;
    case CheckpointTier::Nvme:
        tier = {BytesPerSecond<T>(nodes * in(cluster.node.nvmeWriteBandwidth)),
                BytesPerSecond<T>(nodes * in(cluster.node.nvmeReadBandwidth))};
        break;
    case CheckpointTier::FileSystem:
        tier = fileSystem(in, nodes, network);
        break;
    }
    tier = {min(tier.write, host), min(tier.read, host)};
    CheckpointCost<T> cost;
    cost.write = named("run.checkpoints.write_bytes_per_s", Unit::BytesPerSecond, tier.write);
    cost.read = named("run.checkpoints.read_bytes_per_s", Unit::BytesPerSecond, tier.read);
    cost.drain = bytes / cost.write;
    cost.restore = bytes / cost.read;
    cost.peerRestore = bytes / network;
    if (plan.blocking) {
        cost.blocking = in.template as<Seconds<T>>(plan.blocking);
        return cost;
    }
    cost.blocking = Seconds<T>(in.constant("constant.checkpoint_set_up_s", Unit::Seconds, 1.0)) +
                    (plan.asynchronous ? bytes / host : cost.drain);
    const bool leavesNode =
        plan.tier == CheckpointTier::Peer || plan.tier == CheckpointTier::FileSystem;
    if (plan.asynchronous && leavesNode && !plan.staggered)
        cost.blocking += cost.peerRestore;
    return cost;
}

namespace {

template <class T>
TierRun<T> asRun(const Inputs<T>& in, const CheckpointPlan& plan, const CheckpointCost<T>& cost,
                 const Seconds<T>& mean, const Seconds<T>& least)
{
    TierRun<T> r;
    r.tier = plan.tier;
    r.blocking = named("run.checkpoints.blocking_s", Unit::Seconds, cost.blocking);
    r.drain = named("run.checkpoints.drain_s", Unit::Seconds, cost.drain);
    r.restore = named("run.checkpoints.restore_s", Unit::Seconds, cost.restore);
    r.write = cost.write;
    r.read = cost.read;
    r.leastInterval = plan.asynchronous ? max(least, cost.drain) : least;
    const Seconds<T> wanted = plan.interval ? in.template as<Seconds<T>>(plan.interval)
                                            : dalyOptimum(cost.blocking, mean);
    r.interval = max(wanted, r.leastInterval);
    r.every = T(1.0);
    return r;
}

} // namespace

template <class T>
std::vector<TierRun<T>> tiersOf(const Inputs<T>& in, const Bytes<T>& bytes, const T& chips,
                                const Seconds<T>& step, const Seconds<T>& mean)
{
    using std::ceil;
    using std::floor;
    using std::max;
    const std::vector<CheckpointPlan>& plans = checkpointTiers(in.plan());
    const std::size_t count = std::min(plans.size(), kMostTiers);
    std::vector<TierRun<T>> tiers;
    T left(1.0);
    Seconds<T> least = max(step, Seconds<T>(T(1e-3)));
    for (std::size_t i = 0; i < count; ++i) {
        // Every failure loses what the first tier has not saved; the others only those left to
        // them.
        const CheckpointCost<T> cost = checkpointCost(in, plans[i], bytes, chips);
        TierRun<T> tier =
            asRun(in, plans[i], cost, i == 0 ? mean : mean / max(left, T(1e-9)), least);
        if (i > 0) {
            // Saves of this tier are saves of the one before as well.
            tier.every = max(floor(tier.interval / least + 0.5),
                             ceil(tier.leastInterval / least * (1.0 - 1e-12)));
            tier.interval = least * tier.every;
        }
        tier.interval = named("run.checkpoints.interval_s", Unit::Seconds, tier.interval);
        tier.serves = i + 1 == count ? left : left * in(plans[i].servesShare);
        left = left - tier.serves;
        least = tier.interval;
        tiers.push_back(tier);
    }
    return tiers;
}

#define CW_INSTANTIATE_CHECKPOINT(T)                                                               \
    template CheckpointCost<T> checkpointCost(const Inputs<T>&, const CheckpointPlan&,             \
                                              const Bytes<T>&, const T&);                          \
    template std::vector<TierRun<T>> tiersOf(const Inputs<T>&, const Bytes<T>&, const T&,          \
                                             const Seconds<T>&, const Seconds<T>&)
CW_INSTANTIATE_CHECKPOINT(double);
CW_INSTANTIATE_CHECKPOINT(Traced);
#undef CW_INSTANTIATE_CHECKPOINT

} // namespace cw::run
