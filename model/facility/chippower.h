// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/scenario/inputs.h"
#include "model/units/quantity.h"

// What one chip draws by what it does, and which clock a power leaves it. Dynamic power goes with
// the frequency and the square of the voltage, and the voltage with the frequency: the cube of the
// clock. Only the matrix and vector units follow the clock; memory and links keep theirs, so that
// bandwidth-bound passes and communication take as long, and part of their power stays.

namespace cw::facility {

/// Watts of one chip of the job, by what it does in a step.
template <class T>
struct ChipLevels
{
    units::Watts<T> matrix;
    units::Watts<T> memory;
    units::Watts<T> communication;
    units::Watts<T> waiting;
};

/// idle + (rated - idle) x activity, at most the chip's limit and at least the plan's floor.
template <class T>
ChipLevels<T> chipLevels(const scenario::Inputs<T>& in);

/// A chip without work.
template <class T>
units::Watts<T> idleChip(const scenario::Inputs<T>& in);

/// Power at which the data sheet's peaks hold.
template <class T>
units::Watts<T> ratedChip(const scenario::Inputs<T>& in);

/// Temperatures of what cools the chips, in C: as the plan supplies it, and the warmest that they
/// take at rated power.
template <class T>
T chipSupply(const scenario::Inputs<T>& in);
template <class T>
T chipSupplyMax(const scenario::Inputs<T>& in);

/// Hottest part of the case at a power, C: the path from there to the supply is one resistance,
/// such that rated power and the warmest supply meet the limit.
template <class T>
T caseTemperature(const scenario::Inputs<T>& in, const units::Watts<T>& chip);
template <class T>
T caseLimit(const scenario::Inputs<T>& in);

/// Share of the full clock at which matrix products draw `watts`; between the least clock and 1.
double clockAt(const scenario::Scenario& plan, double watts);

inline constexpr double kLeastClock = 0.3; ///< share of the full clock below which chips do not run

/// The clock that the chip's own limits leave: power limit and supply temperature. `tooWarm`: not
/// even the least clock keeps the case below its limit.
struct ChipClock
{
    double share = 1;
    bool tooWarm = false;
};
ChipClock clockOfLimits(const scenario::Scenario& plan);

#define CW_EXTERN_CHIPPOWER(T)                                                                     \
    extern template ChipLevels<T> chipLevels(const scenario::Inputs<T>&);                          \
    extern template units::Watts<T> idleChip(const scenario::Inputs<T>&);                          \
    extern template units::Watts<T> ratedChip(const scenario::Inputs<T>&);                         \
    extern template T chipSupply(const scenario::Inputs<T>&);                                      \
    extern template T chipSupplyMax(const scenario::Inputs<T>&);                                   \
    extern template T caseTemperature(const scenario::Inputs<T>&, const units::Watts<T>&);         \
    extern template T caseLimit(const scenario::Inputs<T>&)
CW_EXTERN_CHIPPOWER(double);
CW_EXTERN_CHIPPOWER(explain::Traced);
#undef CW_EXTERN_CHIPPOWER

} // namespace cw::facility
