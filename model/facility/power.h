// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/facility/cooling.h"
#include "model/scenario/inputs.h"
#include "model/units/quantity.h"

// From the chip to the meter. Anchors: 8 x H100, 8.4 kW measured and 10.2 kW rated (arXiv
// 2412.08602); 1.5 to 1.8 kW of capacity for each H100.

namespace cw::facility {

template <class T>
struct PowerLoad
{
    T chips{};     ///< installed
    T usedChips{}; ///< that train; 0: all
    /// Shares of a step that a chip spends in matrix products, in bandwidth-bound passes, in
    /// communication that shows, and waiting; they sum to one.
    T matrixShare{};
    T memoryShare{};
    T communicationShare{};
    T idleShare{};
    T switches{};
    T optics{};
    T goodput{};       ///< share of wall time in which the job trains
    T lostBusyShare{}; ///< share of wall time in which it trains for nothing (run::Run)
    units::Seconds<T> step;
    units::Seconds<T> runTime; ///< wall time of the run
};

/// Watts by part; all parts but `network`, `it` and `facility` sum to `facility`.
template <class T>
struct PowerParts
{
    units::Watts<T> chip;
    units::Watts<T> host; ///< nodes without chips and NICs
    units::Watts<T> nic;
    units::Watts<T> psuLoss; ///< of the nodes' supplies
    units::Watts<T> switches;
    units::Watts<T> optics;
    units::Watts<T> storage;
    units::Watts<T> network; ///< switches + optics + nic
    units::Watts<T> it;
    units::Watts<T> upsLoss;
    units::Watts<T> cooling;
    units::Watts<T> other; ///< lighting, controls, offices
    units::Watts<T> transformerLoss;
    units::Watts<T> facility; ///< at the meter
};

template <class T>
struct Power
{
    PowerParts<T> maximum;          ///< every part at its limit, in the climate of the year
    PowerParts<T> average;          ///< over the step and the run
    units::Watts<T> stepAverageIt;  ///< over one step, while the job trains
    units::Watts<T> hotDayFacility; ///< every part at its limit on the hottest day
    T pue{};
    units::Joules<T> energyPerRun;
    units::Watts<T> swing; ///< between the matrix phase and the communication phase of a step
    T swingPerSecond{};    ///< W/s
    T swingHz{};
    units::Kilograms<T> carbon; ///< of the run: grid, and embodied by its share of the lifetime
};

template <class T>
struct Cooling
{
    units::Watts<T> heat; ///< with every part at its limit: all of IT power
    units::Watts<T> liquid;
    units::Watts<T> air;
    T flowLitresPerMinute{};
    T supplyC{};
    T returnC{};
    T waterLitresPerDay{}; ///< at average power
    units::Watts<T> pumps; ///< these four at the limit
    units::Watts<T> fans;
    units::Watts<T> rejection;
    units::Watts<T> chillers;
    T racks{};
    units::Watts<T> rack; ///< IT power of a full rack of nodes at its limit
    T rackFlowLitresPerMinute{};
    bool rackOverLimit = false; ///< `rack` is above `facility.rack_power_limit`
};

template <class T>
struct Facility
{
    Power<T> power;
    Cooling<T> cooling;
};

/// `pue`, where the plan gives it, scales all overhead so that facility = it x pue; else it follows
/// from the chain and the climate.
template <class T>
Facility<T> facility(const scenario::Inputs<T>& in, const PowerLoad<T>& load);

extern template Facility<double> facility(const scenario::Inputs<double>&,
                                          const PowerLoad<double>&);
extern template Facility<explain::Traced> facility(const scenario::Inputs<explain::Traced>&,
                                                   const PowerLoad<explain::Traced>&);

} // namespace cw::facility
