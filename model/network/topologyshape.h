// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "model/scenario/scenario.h"

namespace cw::network {

/// The extents of a torus or an nd full mesh for `chips` chips where the plan gives none: near a
/// cube for a torus (exact where `chips` has such factors, else the next larger box); eights with
/// the remainder along the last axis for a mesh.
std::vector<std::int64_t> torusShape(std::int64_t chips);
std::vector<std::int64_t> meshShape(std::int64_t chips);

/// The extents of a scale-up domain that is a torus or a mesh: the plan's, or the nearest to a
/// cube.
std::vector<std::int64_t> scaleUpShape(const scenario::Scenario& plan);

/// Cables of one node of a torus (`ring`) or an nd full mesh: 2 or 1 along a ring, n - 1 along a
/// full mesh.
std::int64_t portsOf(const std::vector<std::int64_t>& shape, bool ring);

/// Chips of one site; sites are filled evenly, the last may hold fewer.
std::int64_t siteChips(const scenario::Scenario& plan);

/// Chips that share one set of leaf switches (or one group of a dragonfly, or the first two axes of
/// a direct network).
std::int64_t leafGroupChips(const scenario::Scenario& plan);

} // namespace cw::network
