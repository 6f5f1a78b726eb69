// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/scenario/inputs.h"

namespace cw::scenario {

/// Tokens of the fullest rank over the mean. Where tokens beyond an expert's capacity are dropped,
/// no rank has more than its share.
template <class T>
T imbalanceOf(const Inputs<T>& in)
{
    const Workload& w = in.plan().workload;
    return w.tokenDrop ? T(1.0) : in(w.expertImbalance);
}

} // namespace cw::scenario
