// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

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
    /// Of the step, what is no work of the pipeline; the rest of it is one mixture.
    units::Seconds<T> bubble;
    units::Seconds<T> dataComm; ///< exposed gradient and parameter exchange
    units::Seconds<T> optimizer;
    units::Seconds<T> waiting; ///< loading, jitter
    units::Seconds<T> checkpointInterval;
    units::Seconds<T> checkpointStall;
    units::FlopPerSecond<T> effective; ///< model FLOP/s of all jobs, lost time counted as none
    units::TokensPerSecond<T> tokens;  ///< the same in tokens
};

/// What the whole machine does, in the order of a step.
enum class PowerPhase : std::uint8_t
{
    Fill,     ///< stages start one after another
    Steady,   ///< the mixture of products, passes and exposed communication
    Drain,    ///< stages run dry
    Exchange, ///< gradients and parameters, exposed
    Update,   ///< optimizer
    Wait,     ///< data loading, jitter
};
inline constexpr std::size_t kPhaseCount = 6;
std::string_view nameOf(PowerPhase phase); ///< "fill", "steady", ...

/// A stretch of the step in which IT power goes from one level to another.
template <class T>
struct PowerStretch
{
    units::Seconds<T> duration;
    units::Watts<T> from;
    units::Watts<T> to;
};

/// Power of all chips by what they do, with the power that flows even without work.
template <class T>
struct ChipUse
{
    units::Watts<T> matrix;
    units::Watts<T> memory;
    units::Watts<T> communication;
    units::Watts<T> idle; ///< idle power of all chips, and what waiting ones draw
};

/// Watts by part; all parts but `network`, `it` and `facility` sum to `facility`.
template <class T>
struct PowerParts
{
    units::Watts<T> chip;
    units::Watts<T> host; ///< nodes without chips, NICs, fans and drives
    units::Watts<T> nic;
    units::Watts<T> fans;    ///< of the nodes
    units::Watts<T> nvme;    ///< drives in the nodes
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
    PowerParts<T> maximum; ///< every part at its limit, on the hottest day
    PowerParts<T> typical; ///< while the job trains, over a step, in the climate of the year
    PowerParts<T> average; ///< over the run: lost time and chips left over are idle
    ChipUse<T> chipUse;    ///< of `average.chip`
    units::Watts<T> stepAverageIt;
    units::Watts<T> hotDayFacility; ///< `maximum.facility`
    units::Watts<T> peakFacility;   ///< the highest phase of a step, on the hottest day
    units::Watts<T> idleFacility;   ///< powered up, nothing runs
    T pue{};                        ///< over the year, of `average`
    T chainEfficiency{};            ///< of transformers and UPS
    units::Joules<T> energyPerRun;
    std::array<PowerStretch<T>, kPhaseCount> phases{}; ///< of one step
    units::Watts<T> swing;                             ///< highest phase less lowest
    T swingPerSecond{};                                ///< W/s
    T swingHz{};
    units::Watts<T> checkpointSwing; ///< from training to idle and back
    T checkpointSwingPerSecond{};
    T checkpointHz{};
    units::Kilograms<T> carbon; ///< of the run: grid, and embodied by its share of the lifetime
    units::Kilograms<T> embodiedCarbon;
    T clockShare{};    ///< of the chips' full clock, under cap, limit and supply temperature
    T slowdown{};      ///< step at that clock over the step at full clock, less 1
    T flopsPerJoule{}; ///< model FLOP over energy at the meter, lost time included
    T tokensPerJoule{};
    T caseC{}; ///< of a chip at its limit
    T caseLimitC{};
    units::Watts<T> gridLimit;  ///< what the plan, or else its site, can draw
    bool overGrid = false;      ///< `peakFacility` is above `gridLimit`
    bool overRamp = false;      ///< the steepest ramp is above `facility.grid_ramp_limit`
    bool overSwing = false;     ///< a swing is above `facility.grid_swing_limit`
    bool capOutOfReach = false; ///< no clock keeps the cap
    bool supplyTooWarm = false; ///< no clock keeps the chips below their limit
};

/// One month at the site, with the average load of the run.
template <class T>
struct Month
{
    T dryBulbC{};
    T wetBulbC{};
    T pue{};
    T powerLossShare{}; ///< of IT power: UPS and transformers
    T coolingShare{};
    T otherShare{};
    T waterLitresPerDay{};
};

template <class T>
struct Cooling
{
    units::Watts<T> heat; ///< with every part at its limit: all of IT power
    units::Watts<T> liquid;
    units::Watts<T> air;
    T liquidShare{};
    T flowLitresPerMinute{};
    T airFlow{}; ///< m3/s, of the room
    T supplyC{};
    T returnC{};
    T supplyMaxC{};        ///< that the chips take
    T supplyMargin{};      ///< K below it
    T waterLitresPerDay{}; ///< at average power, over the year
    T waterPerRun{};       ///< m3
    T wue{};               ///< litres per kWh of IT
    units::Watts<T> pumps; ///< these four at the limit, on the hottest day
    units::Watts<T> fans;
    units::Watts<T> rejection;
    units::Watts<T> chillers;
    units::Watts<T> averagePumps; ///< these four over the run and the year
    units::Watts<T> averageFans;
    units::Watts<T> averageRejection;
    units::Watts<T> averageChillers;
    T chillerCop{}; ///< on the hottest day; 0: no chiller runs
    T cdus{};
    T coolers{}; ///< dry coolers or tower cells
    T chillerUnits{};
    T racks{};
    T networkRacks{};
    units::Watts<T> rack; ///< IT power of a full rack of nodes at its limit
    units::Watts<T> rackLiquid;
    units::Watts<T> rackAir;
    T rackNodes{};
    units::Watts<T> rackPumps;
    T pumpPressurePa{};
    T rackFlowLitresPerMinute{};
    units::Watts<T> densityLimit; ///< that the kind of cooling takes from a rack; 0: none known
    units::Kilograms<T> rackMass;
    units::Kilograms<T> mass;
    T floorArea{}; ///< m2
    T floorLoad{}; ///< kg/m2 below a rack
    std::array<Month<T>, 12> months{};
    bool rackOverLimit = false;   ///< `rack` is above `facility.rack_power_limit`
    bool rackOverDensity = false; ///< `rack` is above `densityLimit`
    bool floorOverLoad = false;
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
