// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "model/network/crossing.h"

namespace cw::network {

/// Cables that one unit of a rank's flows passes along each axis of a torus (`ring`) or an nd full
/// mesh, on the mean, by the shortest way. Chips are numbered along the first axis first. Exact up
/// to `samples` ranks and peers of a rank; of more an even sample.
std::vector<double> axisHops(const std::vector<std::int64_t>& shape, bool ring,
                             const FlowGroup& group, const JobSlots& jobs, int samples);

} // namespace cw::network
