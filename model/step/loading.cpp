// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/step/loading.h"

#include <algorithm>
#include <cmath>

namespace cw::step {

using explain::named;
using explain::valueOf;
using scenario::Inputs;
using units::BytesPerSecond;
using units::Seconds;
using units::Unit;

std::string_view nameOf(Starves starves)
{
    switch (starves) {
    case Starves::Nothing:
        return "nothing";
    case Starves::Loader:
        return "loader";
    case Starves::Pool:
        return "pool";
    }
    return "";
}

template <class T>
PoolBandwidth<T> poolBandwidth(const Inputs<T>& in, scenario::PoolContent content, const T& nodes)
{
    T read(0.0);
    T write(0.0);
    bool any = false;
    for (const scenario::StoragePool& pool : in.plan().storage.pools) {
        if (std::find(pool.holds.begin(), pool.holds.end(), content) == pool.holds.end())
            continue;
        any = true;
        read = read + in(pool.readBandwidth);
        write = write + in(pool.writeBandwidth);
    }
    if (!any)
        read = write =
            nodes * in.constant("constant.storage_bytes_per_s_per_node", Unit::BytesPerSecond, 1e9);
    return {BytesPerSecond<T>(read), BytesPerSecond<T>(write)};
}

template <class T>
Loading<T> loadingOf(const Inputs<T>& in, const scenario::Layout<T>& layout, const Seconds<T>& step)
{
    const scenario::Scenario& plan = in.plan();
    const scenario::Storage& s = plan.storage;
    const T nodes = layout.chips / in(plan.cluster.node.chips);
    const T perNode = s.loaderTokensPerSecondPerNode
                          ? in(s.loaderTokensPerSecondPerNode)
                          : in(s.loaderTokensPerSecondPerCore) * in(s.loaderCoreShare) *
                                in(plan.cluster.node.cpuCores);
    const T tokens = in(plan.workload.globalBatchSequences) * in(plan.workload.sequenceLength);
    Loading<T> l;
    l.loader = named("storage.loader_tokens_per_s", Unit::TokensPerSecond,
                     units::TokensPerSecond<T>(nodes * perNode));
    l.bandwidth = poolBandwidth(in, scenario::PoolContent::Dataset, nodes).read;
    // Pools serve all jobs; what a node gets without one is its own.
    if (!s.pools.empty())
        l.bandwidth = l.bandwidth / in(plan.workload.jobs);
    l.prepare = named("storage.prepare_s", Unit::Seconds, Seconds<T>(tokens / l.loader.si()));
    l.read = named("storage.read_s", Unit::Seconds,
                   Seconds<T>(tokens * in(s.datasetBytesPerToken) / l.bandwidth.si()));
    const Seconds<T> longer = units::max(l.prepare, l.read);
    l.stall = s.prefetchSteps > 0 ? units::max(Seconds<T>(T(0.0)), longer - step) : longer;
    if (valueOf(l.stall) > 0.0)
        l.starves = valueOf(l.read) > valueOf(l.prepare) ? Starves::Pool : Starves::Loader;
    return l;
}

#define CW_INSTANTIATE_LOADING(T)                                                                  \
    template PoolBandwidth<T> poolBandwidth(const Inputs<T>&, scenario::PoolContent, const T&);    \
    template Loading<T> loadingOf(const Inputs<T>&, const scenario::Layout<T>&, const Seconds<T>&)
CW_INSTANTIATE_LOADING(double);
CW_INSTANTIATE_LOADING(explain::Traced);
#undef CW_INSTANTIATE_LOADING

} // namespace cw::step
