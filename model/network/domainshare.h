// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "model/network/traffic.h"

namespace cw::network {

/// How a group lies in a domain that is a torus or an nd full mesh: its members along each axis.
/// Chips are numbered along the first axis first; members are `stride` chips apart.
std::vector<std::int64_t> membersByAxis(const std::vector<std::int64_t>& shape, std::int64_t stride,
                                        std::int64_t members);

/// Share of a chip's links that the flows of one of many alike groups in a torus (`ring`) or nd
/// full mesh can fill at once.
///
/// Rings run along all axes that the group spans: two ports on an axis that it closes, one on an
/// axis that it spans in part (there is no way back around), n - 1 on an axis of a full mesh. An
/// exchange is held up by its fullest link, which carries of what each chip sends floor(n^2/4)/(2n)
/// on a closed ring of n, twice that in the middle of a line, and 1/n on an axis of a full mesh.
/// [Dally & Towles, Principles and Practices of Interconnection Networks, sec. 3.3: channel load
/// under uniform traffic]
double domainShare(const std::vector<std::int64_t>& shape, bool ring, std::int64_t stride,
                   std::int64_t members, Pattern pattern);

} // namespace cw::network
