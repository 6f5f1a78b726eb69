// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/schedule/order.h"

#include <algorithm>
#include <cstddef>

#include "model/schedule/ordergenerators.h"

namespace cw::schedule {

namespace detail {

int runAhead(int stages, int microBatches)
{
    return std::clamp(microBatches - stages, 0, stages - 1);
}

Order gpipeOrder(int stages, int microBatches)
{
    std::vector<Pass> passes;
    passes.reserve(static_cast<std::size_t>(microBatches) * 2);
    for (int i = 0; i < microBatches; ++i)
        passes.push_back({Kind::Forward, 0, i});
    for (int i = 0; i < microBatches; ++i)
        passes.push_back({Kind::Backward, 0, i});
    return Order(static_cast<std::size_t>(stages), passes);
}

Order oneFOneBOrder(int stages, int microBatches)
{
    Order order(static_cast<std::size_t>(stages));
    for (int d = 0; d < stages; ++d) {
        auto& passes = order[static_cast<std::size_t>(d)];
        passes.reserve(static_cast<std::size_t>(microBatches) * 2);
        const int warmUp = std::min(microBatches, stages - 1 - d);
        for (int i = 0; i < microBatches + warmUp; ++i) {
            if (i < microBatches)
                passes.push_back({Kind::Forward, 0, i});
            if (i >= warmUp)
                passes.push_back({Kind::Backward, 0, i - warmUp});
        }
    }
    return order;
}

Order interleavedOrder(int stages, int virtualStages, int microBatches)
{
    const int groups = (microBatches + stages - 1) / stages;
    const int total = groups * stages * virtualStages;
    Order order(static_cast<std::size_t>(stages));
    for (int d = 0; d < stages; ++d) {
        auto& passes = order[static_cast<std::size_t>(d)];
        passes.reserve(static_cast<std::size_t>(microBatches) * 2 *
                       static_cast<std::size_t>(virtualStages));
        // The k-th pass: groups of p micro batches go through chunk after chunk.
        const auto put = [&](Kind kind, int k) {
            const int chunk = k / stages % virtualStages;
            const int microBatch = k / (stages * virtualStages) * stages + k % stages;
            if (microBatch < microBatches)
                passes.push_back(
                    {kind, kind == Kind::Forward ? chunk : virtualStages - 1 - chunk, microBatch});
        };
        const int warmUp = std::min(total, 2 * (stages - 1 - d) + (virtualStages - 1) * stages);
        for (int k = 0; k < total + warmUp; ++k) {
            if (k < total)
                put(Kind::Forward, k);
            if (k >= warmUp)
                put(Kind::Backward, k - warmUp);
        }
    }
    return order;
}

Order zeroBubbleOrder(int stages, int microBatches, int ahead)
{
    Order order(static_cast<std::size_t>(stages));
    for (int d = 0; d < stages; ++d) {
        auto& passes = order[static_cast<std::size_t>(d)];
        passes.reserve(static_cast<std::size_t>(microBatches) * 3);
        const int warmUp = stages - d + std::min(ahead, stages - 1 - d);
        const int lag = d + std::min(ahead, d);
        const auto put = [&](Kind kind, int i) {
            if (i >= 0 && i < microBatches)
                passes.push_back({kind, 0, i});
        };
        for (int i = 0; i < warmUp; ++i)
            put(Kind::Forward, i);
        for (int i = 0; i < microBatches + lag; ++i) {
            put(Kind::BackwardInput, i);
            put(Kind::Weight, i - lag);
            put(Kind::Forward, i + warmUp);
        }
    }
    return order;
}

} // namespace detail

Order passOrder(Schedule schedule, int stages, int virtualStages, int microBatches)
{
    switch (schedule) {
    case Schedule::Gpipe:
        return detail::gpipeOrder(stages, microBatches);
    case Schedule::OneFOneB:
        return detail::oneFOneBOrder(stages, microBatches);
    case Schedule::Interleaved:
        return detail::interleavedOrder(stages, chunksPerMicroBatch(schedule, virtualStages),
                                        microBatches);
    case Schedule::ZeroBubbleH1:
        return detail::zeroBubbleOrder(stages, microBatches, 0);
    case Schedule::ZeroBubbleH2:
        return detail::zeroBubbleOrder(stages, microBatches,
                                       detail::runAhead(stages, microBatches));
    case Schedule::ZeroBubbleV:
        return detail::zeroBubbleVOrder(stages, microBatches);
    case Schedule::VHalf:
    case Schedule::VMin:
        return detail::stablePatternOrder(schedule, stages, microBatches);
    case Schedule::DualPipe:
        return stages % 2 == 0 ? detail::dualPipeOrder(stages, microBatches)
                               : detail::zeroBubbleOrder(stages, microBatches, 0);
    case Schedule::DualPipeV:
        return detail::dualPipeVOrder(stages, microBatches);
    }
    return {};
}

} // namespace cw::schedule
