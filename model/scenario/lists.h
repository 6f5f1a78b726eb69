// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <vector>

namespace cw::scenario {

/// Whether a list of choices of a plan holds one.
template <class E>
bool has(const std::vector<E>& list, E item)
{
    return std::find(list.begin(), list.end(), item) != list.end();
}

} // namespace cw::scenario
