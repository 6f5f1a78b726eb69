// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace cw::network {

/// A count that formulas hold as a real number, as a whole number of at least one. What is too
/// large to be counted becomes 10^15.
inline std::int64_t whole(double x)
{
    constexpr double kMost = 1e15;
    return std::max<std::int64_t>(1, std::llround(std::min(x, kMost)));
}

} // namespace cw::network
