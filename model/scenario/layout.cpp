// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/scenario/layout.h"

#include <algorithm>
#include <cmath>

#include "model/scenario/domainfit.h"

namespace cw::scenario {

using explain::named;
using explain::valueOf;
using units::Unit;

std::int64_t chunksOf(const Parallelism& p)
{
    switch (p.schedule) {
    case Schedule::ZeroBubbleV:
    case Schedule::VHalf:
    case Schedule::VMin:
    case Schedule::DualPipeV:
        return 2;
    case Schedule::Interleaved:
        return std::max<std::int64_t>(p.virtualStages, 1);
    default:
        return 1;
    }
}

std::int64_t derivedData(const Scenario& s)
{
    const double most = mostReplicas(s);
    const std::int64_t b = s.parallelism.microBatchSequences;
    if (!(most >= 1) || s.workload.globalBatchSequences < b)
        return 1;
    // D b must divide the global batch: D is a divisor of B / b.
    const std::int64_t share = s.workload.globalBatchSequences / b;
    if (share * b != s.workload.globalBatchSequences)
        return 1;
    // Expert groups need t c D to be a multiple of e x: the largest such D, else the largest of
    // all.
    const double ranks =
        static_cast<double>(s.parallelism.tensor) * static_cast<double>(s.parallelism.context);
    const double group =
        static_cast<double>(s.parallelism.expert) * static_cast<double>(s.parallelism.expertTensor);
    const double replica = ranks * static_cast<double>(s.parallelism.pipeline);
    const auto limit = static_cast<std::int64_t>(std::min(most, static_cast<double>(share)));
    std::int64_t bestOfAll = 1;
    // Whether d is a divisor that the machine holds and that expert groups divide.
    const auto isIt = [&](std::int64_t d) {
        const auto data = static_cast<double>(d);
        const bool whole = std::fmod(ranks * data, group) == 0;
        if (share % d != 0 || (!whole && d <= bestOfAll))
            return false;
        if (!domainFit(s, data).holds(data * replica))
            return false;
        bestOfAll = std::max(bestOfAll, d);
        return whole;
    };
    // Divisors from the largest: those beyond the root of B / b by their small partners.
    std::int64_t small = share / limit + (share % limit == 0 ? 0 : 1);
    for (; small < share / small; ++small)
        if (share % small == 0 && isIt(share / small))
            return share / small;
    for (std::int64_t d = std::min(small, limit); d > 1; --d)
        if (isIt(d))
            return d;
    return std::fmod(ranks, group) == 0 ? 1 : bestOfAll;
}

template <class T>
Layout<T> layoutOf(const Inputs<T>& in)
{
    const Scenario& s = in.plan();
    const Parallelism& p = s.parallelism;
    Layout<T> l;
    l.tensor = in(p.tensor);
    l.context = in(p.context);
    l.pipeline = in(p.pipeline);
    l.virtualStages = in(p.virtualStages);
    l.expert = in(p.expert);
    l.expertTensor = in(p.expertTensor);
    const T model = l.tensor * l.context * l.pipeline;
    l.data = p.data ? in(p.data)
                    : in.constant("layout.derived_data", Unit::None,
                                  static_cast<double>(derivedData(s)));
    l.data = named("layout.data", Unit::None, l.data);
    l.chips = named("layout.chips", Unit::None, model * l.data);
    l.expertData = named("layout.expert_data", Unit::None,
                         l.tensor * l.context * l.data / (l.expert * l.expertTensor));
    const T spare = s.cluster.spareChips ? in(s.cluster.spareChips) : T(0.0);
    using std::max;
    l.idle = named("layout.idle_chips", Unit::None,
                   max(T(0.0), in(s.cluster.chips) - spare - in(s.workload.jobs) * l.chips));
    l.microBatches =
        named("layout.micro_batches", Unit::None,
              in(s.workload.globalBatchSequences) / (l.data * in(p.microBatchSequences)));
    l.localSequence = in(s.workload.sequenceLength) / l.context;
    l.microTokens = in(p.microBatchSequences) * l.localSequence;
    l.sharding = p.shardingGroup ? in(p.shardingGroup) : l.data * l.context;
    l.expertSharding = l.expertData < T(1.0) ? T(1.0) : l.expertData;
    l.stages = p.pipeline;
    l.chunks = chunksOf(p);
    l.steps = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(std::min(1e9, std::ceil(valueOf(l.microBatches)))));
    return l;
}

template Layout<double> layoutOf(const Inputs<double>&);
template Layout<explain::Traced> layoutOf(const Inputs<explain::Traced>&);

} // namespace cw::scenario
