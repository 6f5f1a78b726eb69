// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/directhops.h"

#include <algorithm>

namespace cw::network {

namespace {

class HopCounter
{
public:
    HopCounter(const std::vector<std::int64_t>& shape, bool ring, const JobSlots& jobs)
        : m_shape(shape), m_ring(ring), m_jobs(jobs), hops(shape.size(), 0.0)
    {
    }

    void takeJob(std::int64_t job) { m_base = job * m_jobs.perJob; }

    void add(std::int64_t fromRank, std::int64_t toRank, double weight)
    {
        std::int64_t a = chipOf(fromRank);
        std::int64_t b = chipOf(toRank);
        for (std::size_t i = 0; i < m_shape.size(); ++i) {
            const std::int64_t n = m_shape[i];
            const std::int64_t d = std::abs(a % n - b % n);
            if (d != 0)
                hops[i] += weight * static_cast<double>(m_ring ? std::min(d, n - d) : 1);
            a /= n;
            b /= n;
        }
    }

private:
    std::int64_t chipOf(std::int64_t rank) const
    {
        return chipOfRank(m_base + rank, m_jobs.domain, m_jobs.domainChips);
    }

    const std::vector<std::int64_t>& m_shape;
    bool m_ring;
    const JobSlots& m_jobs;
    std::int64_t m_base = 0;

public:
    std::vector<double> hops;
};

void addRank(HopCounter& count, const FlowGroup& g, std::int64_t rank, std::int64_t most)
{
    const std::int64_t member = rank / g.stride % g.size;
    const std::int64_t base = rank - member * g.stride;
    const auto n = static_cast<double>(g.size);
    const auto to = [&](std::int64_t m, double weight) {
        const std::int64_t peer = base + m * g.stride;
        if (peer < g.ranks)
            count.add(rank, peer, weight);
    };
    switch (g.pattern) {
    case Pattern::Ring:
        to((member + 1) % g.size, 1.0);
        break;
    case Pattern::Neighbour:
        if (member + 1 < g.size)
            to(member + 1, n / (2.0 * (n - 1.0)));
        if (member > 0)
            to(member - 1, n / (2.0 * (n - 1.0)));
        break;
    case Pattern::Exchange: {
        const std::int64_t peers = std::min(g.size - 1, most);
        for (std::int64_t i = 1; i <= peers; ++i) {
            const std::int64_t by =
                peers == g.size - 1 ? i : 1 + (i - 1) * (g.size - 2) / (peers - 1);
            to((member + by) % g.size, 1.0 / static_cast<double>(peers));
        }
        break;
    }
    case Pattern::Storage: {
        const std::int64_t peers = std::min(g.ranks, most);
        for (std::int64_t i = 0; i < peers; ++i)
            count.add(rank, i * g.ranks / peers, 1.0 / static_cast<double>(peers));
        break;
    }
    }
}

} // namespace

std::vector<double> axisHops(const std::vector<std::int64_t>& shape, bool ring, const FlowGroup& g,
                             const JobSlots& jobs, int samples)
{
    HopCounter count(shape, ring, jobs);
    if (g.size <= 1)
        return count.hops;
    const std::int64_t looked = std::min<std::int64_t>(jobs.ranks, samples);
    for (std::int64_t job = 0; job < jobs.jobs; ++job) {
        count.takeJob(job);
        for (std::int64_t i = 0; i < looked; ++i)
            addRank(count, g, i * jobs.ranks / looked, samples);
    }
    for (double& h : count.hops)
        h /= static_cast<double>(looked * jobs.jobs);
    return count.hops;
}

} // namespace cw::network
