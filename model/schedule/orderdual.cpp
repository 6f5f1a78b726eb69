// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cstddef>

#include "model/schedule/ordergenerators.h"

namespace cw::schedule::detail {

namespace {

/// Lists the passes of one device. Phase 0 is the chunk whose forwards reach the device first;
/// `flip` exchanges the chunks (the second half of DualPipe's devices).
class DualLister
{
public:
    DualLister(std::vector<Pass>& passes, std::array<int, 2> first, std::array<int, 2> count,
               bool flip)
        : m_passes(passes), m_first(first), m_count(count), m_flip(flip)
    {
    }

    void forward(int phase) { emit(Kind::Forward, take(m_forwards, phase)); }
    void backward(int phase, bool split = false)
    {
        const Item item = take(m_backwards, phase);
        emit(split ? Kind::BackwardInput : Kind::Backward, item);
        if (split)
            m_owed.push_back(item);
    }
    void weight() { emit(Kind::Weight, m_owed[m_paid++]); }
    void pair(int forwardPhase, int backwardPhase)
    {
        const Item f = take(m_forwards, forwardPhase);
        const Item b = take(m_backwards, backwardPhase);
        if (f.exists && b.exists) {
            m_passes.push_back(
                {Kind::ForwardBackward, f.chunk, f.microBatch, b.chunk, b.microBatch});
            return;
        }
        emit(Kind::Forward, f);
        emit(Kind::Backward, b);
    }

private:
    struct Item
    {
        int chunk;
        int microBatch;
        bool exists;
    };

    Item take(std::array<int, 2>& counter, int phase)
    {
        const int chunk = m_flip ? 1 - phase : phase;
        const auto c = static_cast<std::size_t>(chunk);
        const int i = counter[c]++;
        return {chunk, m_first[c] + i, i < m_count[c]};
    }

    void emit(Kind kind, const Item& item)
    {
        if (item.exists)
            m_passes.push_back({kind, item.chunk, item.microBatch});
    }

    std::vector<Pass>& m_passes;
    std::array<int, 2> m_first; ///< first micro batch of each chunk
    std::array<int, 2> m_count; ///< micro batches of each chunk
    bool m_flip;
    std::array<int, 2> m_forwards{};
    std::array<int, 2> m_backwards{};
    std::vector<Item> m_owed;
    std::size_t m_paid = 0;
};

void warmUp(DualLister& list, int half, int rank)
{
    const int inner = half - 1 - rank;
    for (int i = 0; i < 2 * inner; ++i)
        list.forward(0);
    for (int i = 0; i <= rank; ++i) {
        list.forward(0);
        list.forward(1);
    }
    for (int i = 0; i < inner; ++i) {
        list.backward(1, true);
        list.weight();
        list.forward(1);
    }
}

void coolDown(DualLister& list, int half, int rank)
{
    const int inner = half - 1 - rank;
    for (int i = 0; i < inner; ++i) {
        list.backward(1);
        list.pair(1, 0);
    }
    // From half-way on the weight gradients are put off.
    bool split = false;
    for (int i = 0; i <= rank; ++i) {
        const bool turn = i == (rank + 1) / 2;
        split = split || (turn && rank % 2 == 1);
        list.backward(1, split);
        split = split || (turn && rank % 2 == 0);
        list.backward(0, split);
    }
    for (int i = 0; i < inner; ++i) {
        list.weight();
        list.backward(0, true);
    }
    for (int i = 0; i <= rank; ++i)
        list.weight();
}

/// The eight steps. `half` devices lie between an end and the middle, `rank` counts from the end,
/// `each` micro batches (at least 2 half) run through each chunk.
void dualDevice(DualLister list, int half, int rank, int each)
{
    warmUp(list, half, rank);
    for (int i = 0; i < each - 2 * half + rank + 1; ++i) {
        if (i == 0 && rank == half - 1) { // not overlapped in the middle: a smaller bubble
            list.forward(0);
            list.backward(1);
        } else {
            list.pair(0, 1);
        }
        list.pair(1, 0);
    }
    coolDown(list, half, rank);
}

} // namespace

Order dualPipeOrder(int stages, int microBatches)
{
    const std::array<int, 2> count{(microBatches + 1) / 2, microBatches / 2};
    Order order(static_cast<std::size_t>(stages));
    for (int d = 0; d < stages; ++d)
        dualDevice(
            DualLister(order[static_cast<std::size_t>(d)], {0, count[0]}, count, d >= stages / 2),
            stages / 2, std::min(d, stages - 1 - d), std::max(count[0], stages));
    return order;
}

Order dualPipeVOrder(int stages, int microBatches)
{
    Order order(static_cast<std::size_t>(stages));
    for (int d = 0; d < stages; ++d)
        dualDevice(DualLister(order[static_cast<std::size_t>(d)], {0, 0},
                              {microBatches, microBatches}, false),
                   stages, d, std::max(microBatches, 2 * stages));
    return order;
}

} // namespace cw::schedule::detail
