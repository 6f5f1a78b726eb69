// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/network/placement.h"
#include "model/network/topology.h"
#include "model/units/quantity.h"

// What one optimizer step moves over which tier of the network, and how far that fills its links.
//
// A collective is seen as the flows that libraries make of it: inside a scale-up domain among all
// members, across domains between the members at the same place of their domains (rails). Rings
// send to the next domain, exchanges to all of them evenly. [NCCL rings over one NIC a channel;
// DeepEP, arXiv 2412.19437, sec. 3.2.2]. Checkpoints and the data set lie on storage that is spread
// evenly over the fabric.

namespace cw::network {

enum class TrafficKind : std::uint8_t
{
    Tensor,
    Context,
    Expert,
    Pipeline,
    Data,       ///< gradients and parameters outside experts
    ExpertData, ///< gradients and parameters of experts
    Checkpoint,
    Dataset,
};
inline constexpr std::size_t kTrafficKinds = 8;

/// "tensor", "context", "expert", "pipeline", "data", "expert_data", "checkpoint", "dataset".
std::string_view nameOf(TrafficKind kind);

/// What goes to storage and comes from it: spread over the step, no time of its own.
bool isStorage(TrafficKind kind);

template <class T>
using ByKind = std::array<T, kTrafficKinds>;

/// What the ranks send, in bytes of one chip and step on average, and how long they do so.
template <class T>
struct Volume
{
    T inside{};             ///< between chips of one domain
    T across{};             ///< over the chip's own NIC
    units::Seconds<T> time; ///< the whole communication of the kind in a step, hidden or not
};

/// The load of one tier: of the links that a chip passes to leave the tier inside it.
template <class T>
struct TierTraffic
{
    ByKind<T> bytes{};   ///< of one chip and step, that go no farther than this tier
    ByKind<T> carried{}; ///< that pass its links: those of the tiers beyond included
    T utilization{};     ///< of the links' capacity, over the whole step; above 1 does not fit
    /// Over the time in which the kinds that pass it communicate, storage going on beside them.
    T inUse{};
};

template <class T>
struct Traffic
{
    ByKind<Volume<T>> volumes{};
    std::array<TierTraffic<T>, kMaxTiers> tiers{}; ///< as Topology::tiers, tierCount of them
    std::size_t tierCount = 0;
    /// Factor by which the fabric slows each kind: 1 where no link is over its capacity.
    ByKind<T> slowdown{};

    const Volume<T>& operator[](TrafficKind k) const
    {
        return volumes[static_cast<std::size_t>(k)];
    }
};

/// How a kind's flows run across domains.
enum class Pattern : std::uint8_t
{
    Ring,      ///< to the next member of the group
    Exchange,  ///< to all members alike
    Neighbour, ///< to the next and the one before, without closing the circle
    Storage,   ///< evenly to the whole fabric
};

/// The group and the pattern of a kind. Context groups ring or exchange as the plan says.
struct KindShape
{
    GroupKind group = GroupKind::Tensor;
    Pattern pattern = Pattern::Ring;
};
KindShape shapeOf(const scenario::Scenario& plan, TrafficKind kind);

/// Share of a kind's flows that leaves the blocks of each tier (index as Topology::tiers), by the
/// places of the ranks alone. Flows are what goes across domains; of neighbours, all they send.
struct CrossShares
{
    std::array<ByKind<double>, kMaxTiers> mean{};  ///< of the machine
    std::array<ByKind<double>, kMaxTiers> worst{}; ///< of the block that sends most beyond itself
    /// Fullest of the links that lead out of the blocks of a tier over their mean, by the way of
    /// routing (routingload.h); of the block where that stretches most. 0: one value for all.
    std::array<ByKind<double>, kMaxTiers> imbalance{};
    /// In a torus or mesh: how many times a chip's rate its fullest axis would have to carry.
    ByKind<double> axis{};
    bool known = false; ///< whether they were counted
};

/// `samples`: blocks of each tier that are looked at, spread over the machine, first and last
/// among them; exact where there are no more, or where the blocks repeat.
CrossShares crossShares(const scenario::Scenario& plan, const Topology<double>& topology,
                        const Placement<double>& placement, double ranks, int samples);
CrossShares crossShares(const scenario::Scenario& plan, const Topology<explain::Traced>& topology,
                        const Placement<explain::Traced>& placement, const explain::Traced& ranks,
                        int samples);

/// Fills tiers from volumes: `step` is the time of one step.
template <class T>
Traffic<T> trafficOf(const scenario::Inputs<T>& in, const Topology<T>& topology,
                     const CrossShares& shares, const ByKind<Volume<T>>& volumes,
                     const units::Seconds<T>& step);

} // namespace cw::network
