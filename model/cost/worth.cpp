// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/cost/worth.h"

#include "model/facility/site.h"

namespace cw::cost {

using explain::named;
using scenario::Inputs;
using units::Money;
using units::Seconds;
using units::Unit;
using units::Watts;

template <class T>
Money<T> puePoint(const Inputs<T>& in, const Watts<T>& it, const Seconds<T>& time)
{
    constexpr double kPoint = 0.01;
    constexpr double kJoulesPerKwh = 3.6e6;
    return named(
        "cost.per_pue_point", Unit::Money,
        Money<T>(it.si() * time.si() * (kPoint / kJoulesPerKwh) * facility::energyPriceOf(in)));
}

template Money<double> puePoint(const Inputs<double>&, const Watts<double>&,
                                const Seconds<double>&);
template Money<explain::Traced> puePoint(const Inputs<explain::Traced>&,
                                         const Watts<explain::Traced>&,
                                         const Seconds<explain::Traced>&);

} // namespace cw::cost
