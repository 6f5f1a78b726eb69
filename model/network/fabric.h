// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "model/network/topology.h"
#include "model/network/traffic.h"

// What the fabric lets through of what a chip could send: tapered levels, routing that is not even,
// links that are slow or gone.

namespace cw::network {

/// What the faults of the plan leave, as shares of the healthy rate.
template <class T>
struct FaultEffect
{
    T endpoint{1.0}; ///< of the chip's way into the fabric: the slowest chip sets the pace
    T fabric{1.0};   ///< of the cables between switches
    T cut{0.0};      ///< share of the chips that no path leads to any more
};

/// - link: `share` of the cables run at `rate`. Adaptive routing sends around them, static routing
///   and ECMP wait for the slowest. A chip's own cable has no way around it, unless the chip has
///   several ports, or (where the rate is 0) the node other rails.
/// - plane, rail: `share` of them run at `rate`; every chip or node loses that part.
/// - leaf: `share` of the leaves run at `rate`; the chips below lose one of their ports or rails.
template <class T>
FaultEffect<T> faultEffect(const scenario::Inputs<T>& in);

/// The rate per chip and direction at which flows of a kind pass the fabric, where a chip could
/// send at `bandwidth`: each tier carries its part of them at its own rate, less where the
/// imbalance of routing is above what the measured efficiencies hold already. `inEfficiency` is
/// that efficiency. Where `shares` is absent all flows are taken to pass every tier up to `extent`
/// chips.
template <class T>
T fabricRate(const scenario::Inputs<T>& in, const Topology<T>& topology, const CrossShares* shares,
             TrafficKind kind, const T& extent, const T& bandwidth, const T& inEfficiency);

/// Whether some level of the fabric may let through less than a chip can send.
bool fabricMayLimit(const scenario::Scenario& plan);

/// The measurement that stands for a kind's flows in a tier: the same operation before another, of
/// those the one with most bytes. Nothing where the tier was not measured.
const scenario::MeasuredBandwidth* measuredFor(const scenario::Scenario& plan,
                                               scenario::NetworkTier tier, Pattern pattern);

/// Bus bandwidth of a measurement as the rate of one chip's link: nccl-tests give a collective over
/// several domains the sum of the NICs that its rings use.
template <class T>
T chipRate(const scenario::Inputs<T>& in, const scenario::MeasuredBandwidth& m);

} // namespace cw::network
