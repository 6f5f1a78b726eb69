// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/run/checkpoint.h"

#include <algorithm>
#include <cmath>

#include "model/run/daly.h"

namespace cw::run {

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
    using std::max;
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
    CheckpointCost<T> cost;
    cost.drain = bytes / tier.write;
    cost.restore = bytes / tier.read;
    cost.peerRestore = bytes / network;
    const Seconds<T> setUp(in.constant("constant.checkpoint_set_up_s", Unit::Seconds, 1.0));
    if (plan.blocking)
        cost.blocking = in.template as<Seconds<T>>(plan.blocking);
    else
        cost.blocking = setUp + (plan.asynchronous ? bytes / host : cost.drain);
    return cost;
}

namespace {

template <class T>
Seconds<T> intervalOf(const Inputs<T>& in, const CheckpointPlan& tier,
                      const CheckpointCost<T>& cost, const Seconds<T>& mean,
                      const Seconds<T>& least)
{
    const Seconds<T> wanted = tier.interval ? in.template as<Seconds<T>>(tier.interval)
                                            : dalyOptimum(cost.blocking, mean);
    return max(wanted, tier.asynchronous ? max(least, cost.drain) : least);
}

} // namespace

template <class T>
Saving<T> saving(const Inputs<T>& in, const Bytes<T>& bytes, const T& chips, const Seconds<T>& step,
                 const Seconds<T>& mean)
{
    using std::max;
    const std::vector<CheckpointPlan>& tiers = checkpointTiers(in.plan());
    Saving<T> s;
    T left(1.0);
    Seconds<T> least = max(step, Seconds<T>(T(1e-3)));
    for (std::size_t i = 0; i < tiers.size(); ++i) {
        const CheckpointCost<T> cost = checkpointCost(in, tiers[i], bytes, chips);
        const T share = i + 1 == tiers.size() ? left : left * in(tiers[i].servesShare);
        // Every failure loses what the first tier has not saved; the others only those left to
        // them.
        const Seconds<T> reaches = i == 0 ? mean : mean / max(left, T(1e-9));
        const Seconds<T> interval = intervalOf(in, tiers[i], cost, reaches, least);
        if (i == 0) {
            s.interval = interval;
            s.stall = s.blocking = cost.blocking;
            s.peerRestore = cost.peerRestore;
        } else {
            s.blocking += cost.blocking * (s.interval / interval);
            s.extraLoss = s.extraLoss + share * ((interval - s.interval) / mean) / 2.0;
        }
        s.restore += cost.restore * share;
        left = left - share;
        least = interval;
    }
    return s;
}

#define CW_INSTANTIATE_CHECKPOINT(T)                                                               \
    template CheckpointCost<T> checkpointCost(const Inputs<T>&, const CheckpointPlan&,             \
                                              const Bytes<T>&, const T&);                          \
    template Saving<T> saving(const Inputs<T>&, const Bytes<T>&, const T&, const Seconds<T>&,      \
                              const Seconds<T>&)
CW_INSTANTIATE_CHECKPOINT(double);
CW_INSTANTIATE_CHECKPOINT(Traced);
#undef CW_INSTANTIATE_CHECKPOINT

} // namespace cw::run
