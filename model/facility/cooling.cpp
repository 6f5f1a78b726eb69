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
constexpr double kJoulesPerKwh = 3.6e6;
constexpr double kLitre = 1e-3;

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

/// The coldest that the outside can make the coolant.
template <class T>
T sinkTemperature(const Inputs<T>& in, const Climate<T>& climate)
{
    const T exchanger = in.constant("constant.cdu_approach_k", Unit::Kelvins, 5.0);
    if (in.plan().facility.heatRejection == HeatRejection::CoolingTower)
        return climate.wetBulb + in.constant("constant.tower_approach_k", Unit::Kelvins, 4.0) +
               exchanger;
    return climate.dryBulb + in.constant("constant.dry_cooler_approach_k", Unit::Kelvins, 10.0) +
           exchanger;
}

/// Chiller power over the heat it lifts from a supply temperature to the outside.
template <class T>
T chillerPower(const Inputs<T>& in, const T& supply, const Climate<T>& climate)
{
    using std::max;
    using std::min;
    const bool tower = in.plan().facility.heatRejection == HeatRejection::CoolingTower;
    const T cold = supply - in.constant("constant.cdu_approach_k", Unit::Kelvins, 5.0) + kCelsius;
    const T hot = (tower ? climate.wetBulb : climate.dryBulb) +
                  in.constant("constant.condenser_approach_k", Unit::Kelvins, 15.0) + kCelsius;
    const T lift = max(hot - cold, T(1.0));
    const T cop = min(in.constant("constant.chiller_carnot_share", Unit::Share, 0.55) * cold / lift,
                      in.constant("constant.chiller_best_cop", Unit::None, 12.0));
    return 1.0 / cop;
}

/// What carries heat that arrives at the plant at `supply` + `rise` outside.
template <class T>
void reject(const Inputs<T>& in, const T& heat, const T& supply, const T& rise,
            const Climate<T>& climate, HeatRemoval<T>& r)
{
    using std::max;
    using std::min;
    const HeatRejection kind = in.plan().facility.heatRejection;
    const T share = kind == HeatRejection::Chiller
                        ? T(1.0)
                        : min(max((sinkTemperature(in, climate) - supply) / rise, T(0.0)), T(1.0));
    const T chillers = heat * share * chillerPower(in, supply, climate);
    const T outside = heat + chillers;
    const T fans = kind == HeatRejection::CoolingTower
                       ? in.constant("constant.tower_power", Unit::Share, 0.012)
                       : in.constant("constant.dry_cooler_power", Unit::Share, 0.0175);
    r.chillers += Watts<T>(chillers);
    r.rejection += Watts<T>(outside * fans);
    if (kind == HeatRejection::CoolingTower)
        r.waterPerDay += CubicMetres<T>(
            outside * kDay / kJoulesPerKwh *
            in.constant("constant.tower_water_l_per_kwh", Unit::LitresPerKwh, 1.8) * kLitre);
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
HeatRemoval<T> removeHeat(const Inputs<T>& in, const Watts<T>& heat, const Climate<T>& climate)
{
    const scenario::Facility& plan = in.plan().facility;
    const T share = liquidShareOf(in);
    HeatRemoval<T> r;
    r.liquid = heat * share;
    r.air = heat - r.liquid;
    r.flow = coolantFlow(in, r.liquid);
    const T pumping = in.constant("constant.pump_pressure_pa", Unit::None, 3e5) /
                      in.constant("constant.pump_efficiency", Unit::Share, 0.6);
    r.pumps = Watts<T>(r.flow.si() * pumping);
    // Room air: fans move it, chilled water takes its heat.
    const T airRise = in.constant("constant.air_rise_k", Unit::Kelvins, 12.0);
    const T airFlow =
        r.air.si() / (in.constant("constant.air_heat_capacity", Unit::None, 1206.0) * airRise);
    r.airFans = Watts<T>(airFlow * in.constant("constant.air_pressure_pa", Unit::None, 400.0) /
                         in.constant("constant.fan_efficiency", Unit::Share, 0.6));
    reject(in, r.liquid.si(), in(plan.supplyC), in(plan.coolantRise), climate, r);
    reject(in, r.air.si() + r.airFans.si(),
           in.constant("constant.air_water_supply_c", Unit::Celsius, 20.0), airRise, climate, r);
    return r;
}

#define CW_INSTANTIATE_COOLING(T)                                                                  \
    template T liquidShareOf(const Inputs<T>&);                                                    \
    template HeatRemoval<T> removeHeat(const Inputs<T>&, const Watts<T>&, const Climate<T>&);      \
    template VolumeFlow<T> coolantFlow(const Inputs<T>&, const Watts<T>&)
CW_INSTANTIATE_COOLING(double);
CW_INSTANTIATE_COOLING(Traced);
#undef CW_INSTANTIATE_COOLING

} // namespace cw::facility
