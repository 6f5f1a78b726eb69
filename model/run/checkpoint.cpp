// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/run/checkpoint.h"

#include <algorithm>
#include <cmath>

namespace cw::run {

using explain::Traced;
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

const scenario::CheckpointPlan& checkpointPlan(const scenario::Scenario& plan)
{
    static const scenario::CheckpointPlan kDefault;
    return plan.reliability.checkpoints.empty() ? kDefault : plan.reliability.checkpoints.front();
}

template <class T>
CheckpointCost<T> checkpointCost(const Inputs<T>& in, const Bytes<T>& bytes, const T& chips)
{
    using std::ceil;
    using std::max;
    const scenario::Cluster& cluster = in.plan().cluster;
    const scenario::CheckpointPlan& plan = checkpointPlan(in.plan());
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

template CheckpointCost<double> checkpointCost(const Inputs<double>&, const Bytes<double>&,
                                               const double&);
template CheckpointCost<Traced> checkpointCost(const Inputs<Traced>&, const Bytes<Traced>&,
                                               const Traced&);

} // namespace cw::run
