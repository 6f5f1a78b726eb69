// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/rankmap.h"

#include "model/network/crossing.h"
#include "model/network/wholecount.h"
#include "model/scenario/layout.h"

namespace cw::network {

RankMap::RankMap(const scenario::Scenario& plan) : m_machine(network::machine(plan))
{
    const scenario::Inputs<double> in(plan);
    const scenario::Layout<double> layout = scenario::layoutOf(in);
    const Placement<double> placement = placementOf(in, layout);
    for (std::size_t k = 0; k < kGroupKinds; ++k)
        m_axes[k] = {whole(placement.groups[k].size), whole(placement.groups[k].stride)};
    const JobSlots slots = jobSlots(plan, placement, layout.chips);
    m_domainChips = slots.domainChips;
    m_domain = slots.domain;
    m_ranks = slots.ranks;
    m_jobs = slots.jobs; // jobs that the chips do not hold are a violation
    m_perJob = slots.perJob;
}

std::int64_t RankMap::chipOf(std::int64_t rank, std::int64_t job) const
{
    return chipOfRank(job * m_perJob + rank, m_domain, m_domainChips);
}

RankPlace RankMap::place(std::int64_t rank, std::int64_t job) const
{
    RankPlace r;
    r.rank = rank;
    r.job = job;
    r.chip = chipOf(rank, job);
    r.domain = r.chip / m_domainChips;
    r.place = m_machine.place(r.chip);
    r.site = m_machine.siteOf(r.place.pod);
    for (std::size_t k = 0; k < kGroupKinds; ++k) {
        const Axis& a = m_axes[k];
        r.member[k] = rank / a.stride % a.size;
        // Groups are numbered by their first rank.
        r.group[k] = rank % a.stride + rank / (a.stride * a.size) * a.stride;
    }
    return r;
}

std::optional<RankPlace> RankMap::onChip(std::int64_t chip) const
{
    if (chip < 0 || chip >= chips() || chip % m_domainChips >= m_domain)
        return {};
    const std::int64_t slot = chip / m_domainChips * m_domain + chip % m_domainChips;
    if (slot / m_perJob >= m_jobs || slot % m_perJob >= m_ranks)
        return {};
    return place(slot % m_perJob, slot / m_perJob);
}

std::vector<std::int64_t> RankMap::peers(std::int64_t rank, GroupKind kind) const
{
    std::vector<std::int64_t> all;
    if (rank < 0 || rank >= m_ranks)
        return all;
    const Axis& a = m_axes[static_cast<std::size_t>(kind)];
    const std::int64_t first = rank - rank / a.stride % a.size * a.stride;
    for (std::int64_t i = 0; i < a.size && first + i * a.stride < m_ranks; ++i)
        all.push_back(first + i * a.stride);
    return all;
}

} // namespace cw::network
