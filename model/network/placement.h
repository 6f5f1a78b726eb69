// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/scenario/layout.h"

// Which ranks sit where. Ranks are numbered by the plan's order of axes, fastest first, and placed
// on chips in that order; so each group's members per scale-up domain follow, and are not guessed
// from its size.

namespace cw::network {

enum class GroupKind : std::uint8_t
{
    Tensor,
    Context,
    Data,
    Pipeline,
    ExpertTensor,
    Expert,
    ExpertData,
};
inline constexpr std::size_t kGroupKinds = 7;

/// How the members of one group lie in the machine.
template <class T>
struct GroupSpan
{
    T size{1.0};
    T stride{1.0};  ///< ranks from one member to the next
    T inside{1.0};  ///< members that share a domain; of a group across a border, its smallest part
    T domains{1.0}; ///< domains the group reaches: size / inside
    T extent{1.0};  ///< chips from the first member to the last
    bool across() const { return explain::valueOf(domains) > 1.0; }
};

template <class T>
struct Placement
{
    std::array<GroupSpan<T>, kGroupKinds> groups;
    T domain{1.0};          ///< chips of a scale-up domain that hold ranks ("64 of 72")
    T domainLeft{0.0};      ///< chips of each domain that no rank fits on
    double block = 1;       ///< ranks that stay together in a domain
    double domainsUsed = 1; ///< domains that the ranks of all jobs take

    const GroupSpan<T>& operator[](GroupKind k) const
    {
        return groups[static_cast<std::size_t>(k)];
    }
};

template <class T>
Placement<T> placementOf(const scenario::Inputs<T>& in, const scenario::Layout<T>& layout);

/// The ranks of the group of one kind that a rank belongs to, in order. [the picture, exports]
std::vector<std::int64_t> groupOfRank(const scenario::Scenario& s, GroupKind kind,
                                      std::int64_t rank);

/// The chip that a rank is placed on, where each domain holds `domain` of its chips.
std::int64_t chipOfRank(std::int64_t rank, std::int64_t domain, std::int64_t domainChips);

} // namespace cw::network
