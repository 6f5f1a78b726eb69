// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/schedule/graph.h"

#include <cstddef>
#include <stdexcept>
#include <utility>

namespace cw::schedule::detail {

namespace {

/// Which step ran the forward or backward of a micro batch on a slice: 1 + its index, and where.
struct Done
{
    std::uint32_t step = 0;
    std::uint32_t device = 0;
};

class Merger
{
public:
    Merger(const Order& order, Schedule schedule, int p, int v, int m, bool keepPasses)
        : m_order(order), m_schedule(schedule), m_p(p), m_v(v), m_m(m), m_keep(keepPasses),
          m_slices(p * chunksPerMicroBatch(schedule, v)), m_chunks(chunksPerDevice(schedule, v))
    {
        const auto cells = static_cast<std::size_t>(m_slices) * static_cast<std::size_t>(m);
        m_forwards.resize(cells);
        m_backwards.resize(cells);
    }

    Graph run()
    {
        std::size_t total = 0;
        for (const auto& passes : m_order)
            total += passes.size();
        m_graph.steps.reserve(total);
        if (m_keep)
            m_graph.passes.reserve(total);
        std::vector<std::size_t> next(m_order.size());
        while (m_graph.steps.size() < total) {
            const std::size_t before = m_graph.steps.size();
            // One pass of each device in turn, so that neighbours in the list do not wait for each
            // other and the processor can overlap them.
            for (std::size_t d = m_order.size(); d-- > 0;) {
                if (next[d] < m_order[d].size() &&
                    append(m_order[d][next[d]], static_cast<std::uint32_t>(d)))
                    ++next[d];
            }
            if (m_graph.steps.size() == before)
                throw std::logic_error("the passes of a schedule wait for each other");
        }
        return std::move(m_graph);
    }

private:
    std::size_t cell(int slice, int microBatch) const
    {
        return static_cast<std::size_t>(slice) * static_cast<std::size_t>(m_m) +
               static_cast<std::size_t>(microBatch);
    }

    /// Whether what the forward of a micro batch waits for has been listed; `wait` says where.
    bool forwardReady(int slice, int microBatch, std::uint32_t device, std::uint32_t& wait) const
    {
        return slice == 0 || listed(m_forwards[cell(slice - 1, microBatch)], device, wait);
    }

    bool backwardReady(int slice, int microBatch, std::uint32_t device, std::uint32_t& wait) const
    {
        // On the last slice the loss follows its own forward.
        return slice == m_slices - 1
                   ? listed(m_forwards[cell(slice, microBatch)], device, wait)
                   : listed(m_backwards[cell(slice + 1, microBatch)], device, wait);
    }

    static bool listed(const Done& done, std::uint32_t device, std::uint32_t& wait)
    {
        if (done.step != 0 && done.device != device)
            wait = done.step;
        return done.step != 0;
    }

    int slice(std::uint32_t device, int chunk) const
    {
        return chunkPosition(m_schedule, static_cast<int>(device), chunk, m_p, m_v);
    }

    bool append(const Pass& pass, std::uint32_t device)
    {
        const bool pair = pass.kind == Kind::ForwardBackward;
        const bool forward = pair || pass.kind == Kind::Forward;
        const bool backward =
            pair || pass.kind == Kind::Backward || pass.kind == Kind::BackwardInput;
        const int forwardSlice = slice(device, pass.chunk);
        const int backwardSlice = pair ? slice(device, pass.backwardChunk) : forwardSlice;
        const int backwardMicroBatch = pair ? pass.backwardMicroBatch : pass.microBatch;

        Step step{device, costIndex(pass, device, m_p, m_chunks), 0, 0};
        if (forward && !forwardReady(forwardSlice, pass.microBatch, device, step.waitForward))
            return false;
        if (backward &&
            !backwardReady(backwardSlice, backwardMicroBatch, device, step.waitBackward))
            return false;
        m_graph.steps.push_back(step);
        if (m_keep)
            m_graph.passes.push_back(pass);
        const Done done{static_cast<std::uint32_t>(m_graph.steps.size()), device};
        if (forward)
            m_forwards[cell(forwardSlice, pass.microBatch)] = done;
        if (backward)
            m_backwards[cell(backwardSlice, backwardMicroBatch)] = done;
        return true;
    }

    const Order& m_order;
    Schedule m_schedule;
    int m_p;
    int m_v;
    int m_m;
    bool m_keep;
    int m_slices;
    int m_chunks;
    std::vector<Done> m_forwards;
    std::vector<Done> m_backwards;
    Graph m_graph;
};

} // namespace

std::uint32_t costIndex(const Pass& pass, std::uint32_t device, int stages, int chunks)
{
    const auto c = static_cast<std::uint32_t>(chunks);
    const auto chunk = static_cast<std::uint32_t>(pass.chunk);
    if (pass.kind == Kind::ForwardBackward)
        return static_cast<std::uint32_t>(stages) * c * 4 + device * 2 + chunk;
    return (device * c + chunk) * 4 + static_cast<std::uint32_t>(pass.kind);
}

Graph buildGraph(const Order& order, Schedule schedule, int stages, int virtualStages,
                 int microBatches, bool keepPasses)
{
    return Merger(order, schedule, stages, virtualStages, microBatches, keepPasses).run();
}

} // namespace cw::schedule::detail
