// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cw::memory {

/// Share of usable memory around it in which a job fails some of the time. Half the band of 8%.
inline constexpr double kBorderline = 0.04;

} // namespace cw::memory
