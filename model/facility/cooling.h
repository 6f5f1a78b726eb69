// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/facility/site.h"
#include "model/scenario/inputs.h"
#include "model/units/quantity.h"

// Heat to liquid and to air, and what it takes to be rid of it: pumps, fans, dry coolers, towers,
// chillers, water. From first principles: flow = P/(rho c_p dT), pump power = dp flow/eta with
// dp as the square of the flow, fans by the cube of theirs, chiller power = Q/COP with the COP a
// share of Carnot's for the lift. Anchors: OCP guide 1.25 to 2.0 L/min per kW; ASHRAE TC 9.9 supply
// classes.

namespace cw::facility {

/// Share of the IT heat that goes into the plan's coolant: given, or by the kind of cooling.
template <class T>
T liquidShareOf(const scenario::Inputs<T>& in);

/// What removing some heat takes.
template <class T>
struct HeatRemoval
{
    units::Watts<T> liquid;       ///< heat taken up by the coolant at the chips
    units::Watts<T> air;          ///< the rest
    units::VolumeFlow<T> flow;    ///< of the coolant
    T airFlow{};                  ///< m3/s of room air
    units::Watts<T> pumps;        ///< of the coolant
    units::Watts<T> chilledPumps; ///< of the water that cools the room air
    units::Watts<T> airFans;
    units::Watts<T> rejection; ///< fans and pumps of dry coolers or towers
    units::Watts<T> chillers;
    units::Watts<T> chilled;           ///< heat that the chillers lift
    units::CubicMetres<T> waterPerDay; ///< evaporated and blown down

    units::Watts<T> power() const { return pumps + chilledPumps + airFans + rejection + chillers; }
    units::Watts<T> outside() const { return liquid + air + airFans + chillers; }
};

/// Removes `heat` in this climate with plant that is sized for `design` watts: at part load pumps
/// and fans slow down. Where the sink outside is too warm for the supply temperature of the plan,
/// chillers carry the part of the coolant's rise that it cannot.
template <class T>
HeatRemoval<T> removeHeat(const scenario::Inputs<T>& in, const units::Watts<T>& heat,
                          const units::Watts<T>& design, const Climate<T>& climate);

/// Coolant flow for a heat at the plan's coolant, supply temperature and rise.
template <class T>
units::VolumeFlow<T> coolantFlow(const scenario::Inputs<T>& in, const units::Watts<T>& heat);

#define CW_EXTERN_COOLING(T)                                                                       \
    extern template T liquidShareOf(const scenario::Inputs<T>&);                                   \
    extern template HeatRemoval<T> removeHeat(const scenario::Inputs<T>&, const units::Watts<T>&,  \
                                              const units::Watts<T>&, const Climate<T>&);          \
    extern template units::VolumeFlow<T> coolantFlow(const scenario::Inputs<T>&,                   \
                                                     const units::Watts<T>&)
CW_EXTERN_COOLING(double);
CW_EXTERN_COOLING(explain::Traced);
#undef CW_EXTERN_COOLING

} // namespace cw::facility
