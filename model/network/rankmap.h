// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/network/machine.h"
#include "model/network/placement.h"

namespace cw::network {

/// One rank: where it stands and which member of each of its groups it is.
struct RankPlace
{
    std::int64_t rank = 0; ///< in its job
    std::int64_t job = 0;
    std::int64_t chip = 0;   ///< in the machine
    std::int64_t domain = 0; ///< scale-up domain in the machine
    std::int64_t site = 0;
    ChipPlace place; ///< pod in the machine, rack, node and chip in the level above each
    std::array<std::int64_t, kGroupKinds> member{}; ///< index in its group of each kind
    std::array<std::int64_t, kGroupKinds> group{};  ///< number of that group among its kind
};

/// Ranks on chips: the ranks of each job in the plan's order, each scale-up domain filled with the
/// ranks that fit on it whole. Cheap to make and to ask; nothing is stored for each rank.
class RankMap
{
public:
    explicit RankMap(const scenario::Scenario& plan);

    std::int64_t ranks() const { return m_ranks; } ///< of one job
    std::int64_t jobs() const { return m_jobs; }
    std::int64_t chips() const { return m_machine.chips; }
    /// Chips that hold no rank: left over in domains, spares, and the rest.
    std::int64_t idle() const { return m_machine.chips - m_ranks * m_jobs; }
    const Machine& machine() const { return m_machine; }
    /// Members of a group, and ranks from one member to the next.
    std::int64_t size(GroupKind kind) const { return axis(kind).size; }
    std::int64_t stride(GroupKind kind) const { return axis(kind).stride; }

    /// `rank` in [0, ranks()), `job` in [0, jobs()).
    RankPlace place(std::int64_t rank, std::int64_t job = 0) const;
    std::int64_t chipOf(std::int64_t rank, std::int64_t job = 0) const;
    /// The rank on a chip; nothing on an idle one.
    std::optional<RankPlace> onChip(std::int64_t chip) const;
    /// All ranks of the group, itself among them, in order. Empty where `rank` is out of range.
    std::vector<std::int64_t> peers(std::int64_t rank, GroupKind kind) const;

private:
    struct Axis
    {
        std::int64_t size = 1;
        std::int64_t stride = 1;
    };
    const Axis& axis(GroupKind kind) const { return m_axes[static_cast<std::size_t>(kind)]; }

    Machine m_machine;
    std::array<Axis, kGroupKinds> m_axes;
    std::int64_t m_ranks = 1;
    std::int64_t m_jobs = 1;
    std::int64_t m_domain = 1;      ///< chips of a domain that hold ranks
    std::int64_t m_domainChips = 1; ///< chips of a domain
    std::int64_t m_perJob = 1;      ///< ranks' places from one job to the next
};

} // namespace cw::network
