// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/facility/cooling.h"

#include <algorithm>
#include <cmath>

namespace cw::facility {

using explain::Traced;
using scenario::Coolant;
using scenario::Cooling;
using scenario::HeatRejection;
using scenario::Inputs;
using units::CubicMetres;
using units::Unit;
using units::VolumeFlow;
using units::Watts;

namespace {

constexpr double kCelsius = 273.15;
constexpr double kDay = 86400.0;
constexpr double kWaterDensity = 1000.0; // of what evaporates, kg/m3

/// Heat per cubic metre and kelvin at a temperature in degrees Celsius.
template <class T>
T heatCapacity(Coolant coolant, const T& celsius)
{
    // Water: a parabola through the IAPWS density, within 0.06% from 10 to 60 C. PG25: the linear
    // correlations of a coolant distribution unit's model, within 3% of other tables.
    if (coolant == Coolant::Water)
        return (1001.3 - 0.068 * celsius - 0.004 * celsius * celsius) * 4180.0;
    return (1032.0 - 0.35 * celsius) * (3850.0 + 1.5 * celsius);
}

bool towers(const scenario::Scenario& plan)
{
    return plan.facility.heatRejection == HeatRejection::CoolingTower;
}

template <class T>
T exchangerApproach(const Inputs<T>& in)
{
    return in.constant("constant.cdu_approach_k", Unit::Kelvins, 5.0);
}

/// How near full fans bring what leaves the cooler or tower to the air.
template <class T>
T coolerApproach(const Inputs<T>& in)
{
    return towers(in.plan()) ? in.constant("constant.tower_approach_k", Unit::Kelvins, 4.0)
                             : in.constant("constant.dry_cooler_approach_k", Unit::Kelvins, 10.0);
}

template <class T>
T sinkAir(const Inputs<T>& in, const Climate<T>& climate)
{
    return towers(in.plan()) ? climate.wetBulb : climate.dryBulb;
}

/// Chiller power over the heat it lifts from a supply temperature to the outside.
template <class T>
T chillerPower(const Inputs<T>& in, const T& supply, const Climate<T>& climate)
{
    using std::max;
    using std::min;
    const T cold = supply - exchangerApproach(in) + kCelsius;
    // A condenser in water from a tower: its approach, its range, a few kelvins in the exchanger.
    const bool wet = towers(in.plan());
    const T approach = wet ? in.constant("constant.wet_condenser_approach_k", Unit::Kelvins, 11.0)
                           : in.constant("constant.condenser_approach_k", Unit::Kelvins, 15.0);
    const T share = wet ? in.constant("constant.wet_chiller_carnot_share", Unit::Share, 0.65)
                        : in.constant("constant.chiller_carnot_share", Unit::Share, 0.55);
    const T hot = sinkAir(in, climate) + approach + kCelsius;
    const T lift = max(hot - cold, T(1.0));
    return 1.0 /
           min(share * cold / lift, in.constant("constant.chiller_best_cop", Unit::None, 10.0));
}

/// Fans of coolers or towers over the heat: rated at the design approach, slower where the air is
/// colder or the heat less. What air takes up goes with its flow and the difference at the inlet.
template <class T>
T coolerPower(const Inputs<T>& in, const T& supply, const T& rise, const T& load,
              const Climate<T>& climate)
{
    using std::max;
    using std::min;
    const T rated = towers(in.plan())
                        ? in.constant("constant.tower_power", Unit::Share, 0.012)
                        : in.constant("constant.dry_cooler_power", Unit::Share, 0.0225);
    if (in.plan().facility.heatRejection == HeatRejection::Chiller)
        return rated * load * load;
    const T difference = supply - exchangerApproach(in) + rise - sinkAir(in, climate);
    const T design = coolerApproach(in) + rise;
    const T flow = min(load * design / max(difference, T(1.0)), T(1.0));
    const T least = in.constant("constant.least_fan_flow", Unit::Share, 0.2);
    const T share = max(flow, least);
    // The rated share is of the design heat; `load` of it is there.
    return rated * share * share * share / max(load, T(1e-3));
}

/// Litres per joule that a tower takes: what evaporates, and what is blown down with its salts.
template <class T>
T towerWater(const Inputs<T>& in)
{
    const T cycles = in.constant("constant.tower_cycles", Unit::None, 5.0);
    return 1.0 / in.constant("constant.latent_heat_j_per_kg", Unit::None, 2.43e6) *
           (cycles / (cycles - 1.0));
}

/// What carries heat that arrives at the plant at `supply` + `rise` outside; `load` is its share
/// of the heat that the plant is sized for.
template <class T>
void reject(const Inputs<T>& in, const T& heat, const T& supply, const T& rise, const T& load,
            const Climate<T>& climate, HeatRemoval<T>& r)
{
    using std::max;
    using std::min;
    const T sink = sinkAir(in, climate) + coolerApproach(in) + exchangerApproach(in);
    const T share = in.plan().facility.heatRejection == HeatRejection::Chiller
                        ? T(1.0)
                        : min(max((sink - supply) / rise, T(0.0)), T(1.0));
    const T chillers = heat * share * chillerPower(in, supply, climate);
    const T outside = heat + chillers;
    r.chilled += Watts<T>(heat * share);
    r.chillers += Watts<T>(chillers);
    r.rejection += Watts<T>(outside * coolerPower(in, supply, rise, load, climate));
    if (towers(in.plan()))
        r.waterPerDay += CubicMetres<T>(outside * kDay * towerWater(in) / kWaterDensity);
}

/// Pumps of the chilled water that takes the heat of the room air to the plant.
template <class T>
Watts<T> chilledPumpPower(const Inputs<T>& in, const T& heat, const T& coil, const T& load)
{
    const T rise = in.constant("constant.chilled_water_rise_k", Unit::Kelvins, 10.0);
    const T flow = heat / (heatCapacity(Coolant::Water, coil + rise / 2.0) * rise);
    return Watts<T>(flow * in.constant("constant.pump_pressure_pa", Unit::None, 3e5) * load * load /
                    in.constant("constant.pump_efficiency", Unit::Share, 0.6));
}

/// Both loops of the coolant: pressure as the square of the flow, which goes with the heat.
template <class T>
Watts<T> pumpPower(const Inputs<T>& in, const VolumeFlow<T>& flow, const T& load)
{
    const T pressure = in.constant("constant.pump_pressure_pa", Unit::None, 3e5) *
                       (in.plan().facility.coolant == Coolant::Pg25
                            ? in.constant("constant.pg25_pressure", Unit::None, 1.243)
                            : T(1.0));
    return Watts<T>(flow.si() * pressure * load * load /
                    in.constant("constant.pump_efficiency", Unit::Share, 0.6));
}

} // namespace

template <class T>
T liquidShareOf(const Inputs<T>& in)
{
    const scenario::Facility& plan = in.plan().facility;
    if (plan.cooling == Cooling::Air)
        return T(0.0);
    if (plan.liquidShare)
        return in(plan.liquidShare);
    switch (plan.cooling) {
    case Cooling::Immersion:
        return in.constant("constant.immersion_liquid_share", Unit::Share, 1.0);
    case Cooling::RearDoor:
        return in.constant("constant.rear_door_liquid_share", Unit::Share, 0.9);
    default:
        return in.constant("constant.direct_liquid_share", Unit::Share, 0.87);
    }
}

template <class T>
VolumeFlow<T> coolantFlow(const Inputs<T>& in, const Watts<T>& heat)
{
    const scenario::Facility& plan = in.plan().facility;
    const T rise = in(plan.coolantRise);
    const T middle = in(plan.supplyC) + rise / 2.0;
    return VolumeFlow<T>(heat.si() / (heatCapacity(plan.coolant, middle) * rise));
}

template <class T>
HeatRemoval<T> removeHeat(const Inputs<T>& in, const Watts<T>& heat, const Watts<T>& design,
                          const Climate<T>& climate)
{
    using std::max;
    using std::min;
    const scenario::Facility& plan = in.plan().facility;
    const T load = min(heat.si() / max(design.si(), T(1e-9)), T(1.0));
    HeatRemoval<T> r;
    r.liquid = heat * liquidShareOf(in);
    r.air = heat - r.liquid;
    r.flow = coolantFlow(in, r.liquid);
    r.pumps = pumpPower(in, r.flow, load);
    // Room air: fans move it, with what passes by the racks; chilled water takes its heat.
    const T airRise = in.constant("constant.air_rise_k", Unit::Kelvins, 12.0);
    r.airFlow = r.air.si() * in.constant("constant.air_bypass", Unit::None, 1.2) /
                (in.constant("constant.air_heat_capacity", Unit::None, 1206.0) * airRise);
    r.airFans = Watts<T>(r.airFlow * in.constant("constant.air_pressure_pa", Unit::None, 400.0) *
                         load * load / in.constant("constant.fan_efficiency", Unit::Share, 0.6));
    reject(in, r.liquid.si(), in(plan.supplyC), in(plan.coolantRise), load, climate, r);
    const T coil =
        in(plan.airSupplyC) - in.constant("constant.air_coil_approach_k", Unit::Kelvins, 7.0);
    const T roomHeat = r.air.si() + r.airFans.si();
    r.chilledPumps = chilledPumpPower(in, roomHeat, coil, load);
    reject(in, roomHeat, coil, in.constant("constant.chilled_water_rise_k", Unit::Kelvins, 10.0),
           load, climate, r);
    return r;
}

#define CW_INSTANTIATE_COOLING(T)                                                                  \
    template T liquidShareOf(const Inputs<T>&);                                                    \
    template HeatRemoval<T> removeHeat(const Inputs<T>&, const Watts<T>&, const Watts<T>&,         \
                                       const Climate<T>&);                                         \
    template VolumeFlow<T> coolantFlow(const Inputs<T>&, const Watts<T>&)
CW_INSTANTIATE_COOLING(double);
CW_INSTANTIATE_COOLING(Traced);
#undef CW_INSTANTIATE_COOLING

} // namespace cw::facility
