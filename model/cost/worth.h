// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/scenario/inputs.h"
#include "model/units/quantity.h"

namespace cw::cost {

/// What 0.01 less of PUE saves: that share of the IT energy over `time`, at the plan's price.
template <class T>
units::Money<T> puePoint(const scenario::Inputs<T>& in, const units::Watts<T>& it,
                         const units::Seconds<T>& time);

extern template units::Money<double> puePoint(const scenario::Inputs<double>&,
                                              const units::Watts<double>&,
                                              const units::Seconds<double>&);
extern template units::Money<explain::Traced> puePoint(const scenario::Inputs<explain::Traced>&,
                                                       const units::Watts<explain::Traced>&,
                                                       const units::Seconds<explain::Traced>&);

} // namespace cw::cost
