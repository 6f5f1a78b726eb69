// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "model/schedule/ordergenerators.h"

namespace cw::schedule::detail {

namespace {

/// Deals out the micro batches of one device in their order, leaving out those that do not exist.
class Dealer
{
public:
    Dealer(std::vector<Pass>& passes, int microBatches)
        : m_passes(passes), m_microBatches(microBatches)
    {
    }

    void forward(int chunk) { put(Kind::Forward, chunk, m_forwards); }
    void backwardInput(int chunk) { put(Kind::BackwardInput, chunk, m_backwards); }
    void weight(int chunk) { put(Kind::Weight, chunk, m_weights); }
    void split(int chunk)
    {
        backwardInput(chunk);
        weight(chunk);
    }
    int forwards(int chunk) const { return m_forwards[static_cast<std::size_t>(chunk)]; }
    bool owesWeight(int chunk) const
    {
        const auto c = static_cast<std::size_t>(chunk);
        return m_weights[c] < m_backwards[c];
    }

private:
    void put(Kind kind, int chunk, std::array<int, 2>& counter)
    {
        const int microBatch = counter[static_cast<std::size_t>(chunk)]++;
        if (microBatch < m_microBatches)
            m_passes.push_back({kind, chunk, microBatch});
    }

    std::vector<Pass>& m_passes;
    int m_microBatches;
    std::array<int, 2> m_forwards{};
    std::array<int, 2> m_backwards{};
    std::array<int, 2> m_weights{};
};

void zeroBubbleVDevice(Dealer deal, int d, int p, int padded)
{
    for (int i = 0; i < 2 * (p - d) - 1; ++i)
        deal.forward(0);
    for (int i = 0; i < d; ++i) {
        deal.forward(1);
        deal.forward(0);
    }
    for (int i = 0; i < p - d; ++i) {
        deal.forward(1);
        deal.split(1);
    }
    while (deal.forwards(1) < deal.forwards(0) || deal.forwards(0) < padded) {
        if (deal.forwards(0) < padded)
            deal.forward(0);
        deal.split(0);
        deal.forward(1);
        deal.split(1);
    }
    for (int i = 0; i < d; ++i) {
        deal.backwardInput(0);
        deal.backwardInput(1);
    }
    for (int i = 0; i < p - d; ++i)
        deal.split(0);
    while (deal.owesWeight(1))
        deal.weight(1);
    while (deal.owesWeight(0))
        deal.weight(0);
}

/// One of the four passes of a micro batch on a device, in the order of their dependencies.
constexpr std::array<Pass, 4> kVPasses{Pass{Kind::Forward, 0}, Pass{Kind::Forward, 1},
                                       Pass{Kind::BackwardInput, 1}, Pass{Kind::BackwardInput, 0}};

/// When the stable pattern runs the four passes of micro batch 0, in units of one pass; every
/// later micro batch six units later.
std::array<int, 4> stablePattern(Schedule schedule, int d, int p)
{
    if (schedule == Schedule::VMin) {
        const int gap = p % 3 == 0 ? 2 : 0;
        return {d, 2 * p - 1 - d, 2 * p + gap + d, 4 * p + gap - 1 - d};
    }
    const int gap = p % 2 == 0 ? 3 : 0;
    return {2 * d, 3 * p - 2 - d, 3 * p + gap + 2 * d - 1, 6 * p + gap - 2 - d};
}

/// Executes the stable pattern unit by unit and lists the weight passes into the gaps.
class PatternLister
{
public:
    PatternLister(Schedule schedule, int stages, int microBatches)
        : m_p(stages), m_m(microBatches), m_limit(vChunkLimit(schedule, stages)),
          m_devices(static_cast<std::size_t>(stages)), m_order(static_cast<std::size_t>(stages))
    {
        for (int d = 0; d < stages; ++d)
            m_devices[static_cast<std::size_t>(d)].pattern = stablePattern(schedule, d, stages);
    }

    Order run()
    {
        std::size_t left = static_cast<std::size_t>(m_p) * static_cast<std::size_t>(m_m) * 6;
        while (left > 0) {
            const std::size_t before = left;
            for (int d = 0; d < m_p; ++d)
                left -= step(d) ? 1 : 0;
            if (left == before)
                throw std::logic_error("the passes of a pattern wait for each other");
            // What was run in this unit is there for the others in the next.
            for (Device& device : m_devices)
                device.seen = device.next;
        }
        return std::move(m_order);
    }

private:
    struct Device
    {
        std::array<int, 4> pattern{};
        std::array<int, 4> next{}; ///< micro batch each of the four passes comes to next
        std::array<int, 4> seen{}; ///< the same at the end of the unit before
        std::vector<Pass> owed;    ///< weight passes, from `paid` on
        std::size_t paid = 0;
        int held = 0;
    };

    bool step(int d)
    {
        Device& device = m_devices[static_cast<std::size_t>(d)];
        auto& passes = m_order[static_cast<std::size_t>(d)];
        const int kind = nextInPattern(device);
        if (kind >= 0 && ready(d, kind, device)) {
            const auto k = static_cast<std::size_t>(kind);
            Pass pass = kVPasses[k];
            pass.microBatch = device.next[k]++;
            passes.push_back(pass);
            if (kind < 2)
                ++device.held;
            else
                device.owed.push_back({Kind::Weight, pass.chunk, pass.microBatch});
            return true;
        }
        if (device.paid == device.owed.size())
            return false;
        passes.push_back(device.owed[device.paid++]);
        --device.held;
        return true;
    }

    int nextInPattern(const Device& device) const
    {
        int best = -1;
        int bestTime = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            const int time = device.pattern[k] + 6 * device.next[k];
            if (device.next[k] < m_m && (best < 0 || time < bestTime)) {
                best = static_cast<int>(k);
                bestTime = time;
            }
        }
        return best;
    }

    bool ready(int d, int kind, const Device& device) const
    {
        if (kind < 2 && device.held >= m_limit)
            return false;
        // Even passes come down the devices, odd ones back up.
        const bool down = kind % 2 == 0;
        const bool turns = down ? d == 0 : d == m_p - 1;
        if (turns && kind == 0)
            return true;
        const int from = turns ? d : (down ? d - 1 : d + 1);
        const auto k = static_cast<std::size_t>(turns ? kind - 1 : kind);
        return m_devices[static_cast<std::size_t>(from)].seen[k] >
               device.next[static_cast<std::size_t>(kind)];
    }

    int m_p;
    int m_m;
    int m_limit;
    std::vector<Device> m_devices;
    Order m_order;
};

} // namespace

int vChunkLimit(Schedule schedule, int stages)
{
    return schedule == Schedule::VMin ? 2 * ((stages + 1) / 3 + 1) : 2 * (stages / 2 + 1);
}

Order zeroBubbleVOrder(int stages, int microBatches)
{
    Order order(static_cast<std::size_t>(stages));
    for (int d = 0; d < stages; ++d)
        zeroBubbleVDevice(Dealer(order[static_cast<std::size_t>(d)], microBatches), d, stages,
                          std::max(2 * stages - 1, microBatches));
    return order;
}

Order stablePatternOrder(Schedule schedule, int stages, int microBatches)
{
    return PatternLister(schedule, stages, microBatches).run();
}

} // namespace cw::schedule::detail
