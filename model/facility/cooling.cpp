// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/facility/cooling.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace cw::facility {

using explain::Traced;
using scenario::Coolant;
using scenario::Cooling;
using scenario::HeatRejection;
using scenario::Inputs;
using scenario::Site;
using units::CubicMetres;
using units::Unit;
using units::VolumeFlow;
using units::Watts;

namespace {

constexpr double kCelsius = 273.15;
constexpr double kDay = 86400.0;
constexpr double kJoulesPerKwh = 3.6e6;
constexpr double kLitre = 1e-3;

/// Means over the year and the temperatures of the hottest hours, by site.
struct SiteClimate
{
    std::string_view dryYear, wetYear, dryHot, wetHot;
    double dryMean, wetMean, dryDesign, wetDesign;
};

const SiteClimate& climateOf(Site site)
{
    static const SiteClimate kClimates[] = {
        {"constant.climate_temperate_dry", "constant.climate_temperate_wet",
         "constant.climate_temperate_dry_hot", "constant.climate_temperate_wet_hot", 11, 8.5, 33,
         22},
        {"constant.climate_nordic_dry", "constant.climate_nordic_wet",
         "constant.climate_nordic_dry_hot", "constant.climate_nordic_wet_hot", 5, 3.5, 27, 19},
        {"constant.climate_desert_dry", "constant.climate_desert_wet",
         "constant.climate_desert_dry_hot", "constant.climate_desert_wet_hot", 25, 14, 45, 25},
        {"constant.climate_tropical_dry", "constant.climate_tropical_wet",
         "constant.climate_tropical_dry_hot", "constant.climate_tropical_wet_hot", 27, 25, 34, 28},
        {"constant.climate_guiyang_dry", "constant.climate_guiyang_wet",
         "constant.climate_guiyang_dry_hot", "constant.climate_guiyang_wet_hot", 15, 13, 31, 23},
    };
    return kClimates[static_cast<std::size_t>(site)];
}

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

template <class T>
Climate<T> climate(const Inputs<T>& in, bool hot)
{
    const scenario::Facility& plan = in.plan().facility;
    const SiteClimate& c = climateOf(plan.site);
    const auto value = [&](const std::optional<double>& given, std::string_view key, double v) {
        return given ? in(given) : in.constant(key, Unit::Celsius, v);
    };
    return {value(plan.ambientC, hot ? c.dryHot : c.dryYear, hot ? c.dryDesign : c.dryMean),
            value(plan.wetBulbC, hot ? c.wetHot : c.wetYear, hot ? c.wetDesign : c.wetMean)};
}

} // namespace

template <class T>
Climate<T> climateOfYear(const Inputs<T>& in)
{
    return climate(in, false);
}

template <class T>
Climate<T> climateOfHotDay(const Inputs<T>& in)
{
    return climate(in, true);
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
    const T share = plan.cooling == Cooling::Air ? T(0.0) : in(plan.liquidShare);
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
    template Climate<T> climateOfYear(const Inputs<T>&);                                           \
    template Climate<T> climateOfHotDay(const Inputs<T>&);                                         \
    template HeatRemoval<T> removeHeat(const Inputs<T>&, const Watts<T>&, const Climate<T>&);      \
    template VolumeFlow<T> coolantFlow(const Inputs<T>&, const Watts<T>&)
CW_INSTANTIATE_COOLING(double);
CW_INSTANTIATE_COOLING(Traced);
#undef CW_INSTANTIATE_COOLING

} // namespace cw::facility
