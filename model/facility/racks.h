// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/facility/cooling.h"
#include "model/facility/power.h"

// Where it all stands: racks, their density, floor and weight, and the plant that cools them.

namespace cw::facility {

template <class T>
void addRacks(const scenario::Inputs<T>& in, const PowerLoad<T>& load, Cooling<T>& c);

/// Counts of coolant units, coolers and chillers for the hottest day. `c.liquid`, `c.racks` are
/// there.
template <class T>
void addPlant(const scenario::Inputs<T>& in, const HeatRemoval<T>& hot, Cooling<T>& c);

#define CW_EXTERN_RACKS(T)                                                                         \
    extern template void addRacks(const scenario::Inputs<T>&, const PowerLoad<T>&, Cooling<T>&);   \
    extern template void addPlant(const scenario::Inputs<T>&, const HeatRemoval<T>&, Cooling<T>&)
CW_EXTERN_RACKS(double);
CW_EXTERN_RACKS(explain::Traced);
#undef CW_EXTERN_RACKS

} // namespace cw::facility
