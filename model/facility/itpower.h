// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/facility/cooling.h"
#include "model/facility/power.h"

// Power of the parts, from the chip to the meter.

namespace cw::facility {

/// How hard each part works: watts of a chip, the others as a share of their limit.
template <class T>
struct Activity
{
    units::Watts<T> chip; ///< mean of all chips installed
    T host{};
    T switches{};
};

/// Every part at its limit; while the job trains; powered up without work.
template <class T>
Activity<T> fullActivity(const scenario::Inputs<T>& in);
template <class T>
Activity<T> busyActivity(const scenario::Inputs<T>& in, const units::Watts<T>& chip);
template <class T>
Activity<T> idleActivity(const scenario::Inputs<T>& in);

/// The parts up to `it`.
template <class T>
PowerParts<T> itParts(const scenario::Inputs<T>& in, const PowerLoad<T>& load,
                      const Activity<T>& activity);

/// The rest, from IT to the meter. `pue`, where the plan gives it, scales it.
template <class T>
void addOverhead(const scenario::Inputs<T>& in, const units::Watts<T>& cooling, PowerParts<T>& p);

/// Chips that the jobs use, at least one.
template <class T>
T usedChips(const PowerLoad<T>& load)
{
    return explain::valueOf(load.usedChips) > 0.0 ? load.usedChips : load.chips;
}

#define CW_EXTERN_ITPOWER(T)                                                                       \
    extern template Activity<T> fullActivity(const scenario::Inputs<T>&);                          \
    extern template Activity<T> busyActivity(const scenario::Inputs<T>&, const units::Watts<T>&);  \
    extern template Activity<T> idleActivity(const scenario::Inputs<T>&);                          \
    extern template PowerParts<T> itParts(const scenario::Inputs<T>&, const PowerLoad<T>&,         \
                                          const Activity<T>&);                                     \
    extern template void addOverhead(const scenario::Inputs<T>&, const units::Watts<T>&,           \
                                     PowerParts<T>&)
CW_EXTERN_ITPOWER(double);
CW_EXTERN_ITPOWER(explain::Traced);
#undef CW_EXTERN_ITPOWER

} // namespace cw::facility
