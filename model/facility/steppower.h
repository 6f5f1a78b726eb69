// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/facility/power.h"

// Power over the time of a step: stages start one after another, work, run dry, exchange gradients
// and update, all chips together. What alternates inside a stage, layer by layer, is not in step
// between the stages and too fast for the grid; it is in the mean of the steady phase.
// [Power Stabilization for AI Training Datacenters, arXiv 2508.14318]

namespace cw::facility {

/// Mean power of one chip of the job over a step.
template <class T>
units::Watts<T> chipOverStep(const scenario::Inputs<T>& in, const PowerLoad<T>& load);

/// Where that goes: by what the chips do, summed over all chips of the job, watts.
template <class T>
ChipUse<T> chipUse(const scenario::Inputs<T>& in, const PowerLoad<T>& load);

/// Fills phases and swings. `p.typical` is there; `idle` is the IT power without work.
template <class T>
void addPhases(const scenario::Inputs<T>& in, const PowerLoad<T>& load, const units::Watts<T>& idle,
               Power<T>& p);

/// The highest power of a step at the meter.
template <class T>
units::Watts<T> peakOfStep(const Power<T>& p);

#define CW_EXTERN_STEPPOWER(T)                                                                     \
    extern template units::Watts<T> chipOverStep(const scenario::Inputs<T>&, const PowerLoad<T>&); \
    extern template ChipUse<T> chipUse(const scenario::Inputs<T>&, const PowerLoad<T>&);           \
    extern template void addPhases(const scenario::Inputs<T>&, const PowerLoad<T>&,                \
                                   const units::Watts<T>&, Power<T>&);                             \
    extern template units::Watts<T> peakOfStep(const Power<T>&)
CW_EXTERN_STEPPOWER(double);
CW_EXTERN_STEPPOWER(explain::Traced);
#undef CW_EXTERN_STEPPOWER

} // namespace cw::facility
