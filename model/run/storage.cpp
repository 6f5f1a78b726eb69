// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/run/storage.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cw::run {

using explain::named;
using explain::Traced;
using explain::valueOf;
using scenario::Inputs;
using scenario::PoolContent;
using scenario::StoragePool;
using units::Bytes;
using units::BytesPerSecond;
using units::Unit;

namespace {

constexpr double kDay = 86400.0;
constexpr std::size_t kContents = scenario::EnumNames<PoolContent>::value.size();

bool holds(const StoragePool& pool, PoolContent content)
{
    return std::find(pool.holds.begin(), pool.holds.end(), content) != pool.holds.end();
}

/// Of one kind of content: how much there is, and what comes and goes each second.
template <class T>
struct Content
{
    T bytes{0.0};
    T rate{0.0};
};

template <class T>
using Contents = std::array<Content<T>, kContents>;

template <class T>
Content<T>& at(Contents<T>& contents, PoolContent content)
{
    return contents[static_cast<std::size_t>(content)];
}

template <class T>
Contents<T> contentsOf(const Inputs<T>& in, const StorageLoad<T>& load)
{
    const scenario::Scenario& plan = in.plan();
    const scenario::Storage& s = plan.storage;
    const T jobs = in(plan.workload.jobs);
    const T perToken = in(s.datasetBytesPerToken);
    Contents<T> c;
    // All jobs train on the same data.
    at(c, PoolContent::Dataset) = {perToken * in(plan.workload.trainingTokens),
                                   perToken * load.tokensPerSecond.si()};
    const T checkpoints = load.reachesPools ? jobs * load.checkpoint.si() : T(0.0);
    at(c, PoolContent::Checkpoints) = {in(s.checkpointsKept) * checkpoints,
                                       checkpoints / load.interval.si()};
    const T logs = in(s.logBytesPerChipDay) * in(plan.cluster.chips);
    at(c, PoolContent::Logs) = {logs * load.days, logs / T(kDay)};
    return c;
}

/// Share of a content that this pool has, where it is one of those that hold it.
template <class T>
T shareOf(const Inputs<T>& in, const StoragePool& pool, PoolContent content,
          double StoragePool::*measure)
{
    if (!holds(pool, content))
        return T(0.0);
    T whole(0.0);
    for (const StoragePool& other : in.plan().storage.pools)
        if (holds(other, content))
            whole = whole + in(other.*measure);
    return valueOf(whole) > 0.0 ? in(pool.*measure) / whole : T(0.0);
}

template <class T>
PoolUse<T> useOf(const Inputs<T>& in, const StoragePool& pool, Contents<T>& contents)
{
    const auto held = [&](PoolContent c) {
        return Bytes<T>(shareOf(in, pool, c, &StoragePool::capacityBytes) * at(contents, c).bytes);
    };
    const auto traffic = [&](PoolContent c, double StoragePool::*bandwidth) {
        return shareOf(in, pool, c, bandwidth) * at(contents, c).rate / in(pool.*bandwidth);
    };
    PoolUse<T> use;
    use.dataset =
        named("storage.pools.dataset_bytes", Unit::VendorBytes, held(PoolContent::Dataset));
    use.checkpoints =
        named("storage.pools.checkpoint_bytes", Unit::VendorBytes, held(PoolContent::Checkpoints));
    use.logs = named("storage.pools.log_bytes", Unit::VendorBytes, held(PoolContent::Logs));
    use.used = named("storage.pools.used_bytes", Unit::VendorBytes,
                     use.dataset + use.checkpoints + use.logs);
    using std::max;
    use.utilization = named("storage.pools.utilization", Unit::Share,
                            use.used.si() / max(in(pool.capacityBytes), T(1.0)));
    use.readUtilization = named("storage.pools.read_utilization", Unit::Share,
                                traffic(PoolContent::Dataset, &StoragePool::readBandwidth));
    use.writeUtilization = named("storage.pools.write_utilization", Unit::Share,
                                 traffic(PoolContent::Checkpoints, &StoragePool::writeBandwidth) +
                                     traffic(PoolContent::Logs, &StoragePool::writeBandwidth));
    return use;
}

} // namespace

template <class T>
StorageUse<T> storageUse(const Inputs<T>& in, const StorageLoad<T>& load)
{
    using std::ceil;
    Contents<T> contents = contentsOf(in, load);
    const T burst = load.reachesPools ? load.checkpoint.si() : T(0.0);
    StorageUse<T> use;
    use.read = named("storage.read_bytes_per_s", Unit::BytesPerSecond,
                     BytesPerSecond<T>(at(contents, PoolContent::Dataset).rate));
    use.write = named("storage.write_bytes_per_s", Unit::BytesPerSecond,
                      BytesPerSecond<T>(at(contents, PoolContent::Checkpoints).rate +
                                        at(contents, PoolContent::Logs).rate));
    use.burst = named("storage.burst_bytes", Unit::VendorBytes,
                      Bytes<T>(in(in.plan().workload.jobs) * burst));
    const T nodes = ceil(in(in.plan().cluster.chips) / in(in.plan().cluster.node.chips));
    use.burstTime =
        named("storage.burst_s", Unit::Seconds,
              use.burst / step::poolBandwidth(in, PoolContent::Checkpoints, nodes).write);
    for (const StoragePool& pool : in.plan().storage.pools)
        use.pools.push_back(useOf(in, pool, contents));
    return use;
}

template StorageUse<double> storageUse(const Inputs<double>&, const StorageLoad<double>&);
template StorageUse<Traced> storageUse(const Inputs<Traced>&, const StorageLoad<Traced>&);

} // namespace cw::run
