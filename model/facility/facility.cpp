// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "model/facility/chippower.h"
#include "model/facility/cooling.h"
#include "model/facility/itpower.h"
#include "model/facility/power.h"
#include "model/facility/racks.h"
#include "model/facility/site.h"
#include "model/facility/steppower.h"

namespace cw::facility {

using explain::named;
using explain::Traced;
using explain::valueOf;
using scenario::Inputs;
using units::Unit;
using units::Watts;

namespace {

constexpr double kYear = 8760.0 * 3600.0;
constexpr double kJoulesPerKwh = 3.6e6;
constexpr double kLitresPerMinute = 6e4; // in a cubic metre per second
constexpr double kDaysOfYear = 365.0;
constexpr std::size_t kMonths = 12;

constexpr std::array<std::string_view, kPhaseCount> kPhaseNames{"fill",     "steady", "drain",
                                                                "exchange", "update", "wait"};

template <class T>
void nameMaximum(PowerParts<T>& p)
{
    p.chip = named("power.chip_w", Unit::Watts, p.chip);
    p.host = named("power.host_w", Unit::Watts, p.host);
    p.nic = named("power.nic_w", Unit::Watts, p.nic);
    p.fans = named("power.fans_w", Unit::Watts, p.fans);
    p.nvme = named("power.nvme_w", Unit::Watts, p.nvme);
    p.psuLoss = named("power.psu_loss_w", Unit::Watts, p.psuLoss);
    p.switches = named("power.switches_w", Unit::Watts, p.switches);
    p.optics = named("power.optics_w", Unit::Watts, p.optics);
    p.storage = named("power.storage_w", Unit::Watts, p.storage);
    p.network = named("power.network_w", Unit::Watts, p.switches + p.optics + p.nic);
    p.it = named("power.it_w", Unit::Watts,
                 p.chip + p.host + p.fans + p.nvme + p.psuLoss + p.network + p.storage);
}

template <class T>
void nameOverhead(PowerParts<T>& p)
{
    p.upsLoss = named("power.ups_loss_w", Unit::Watts, p.upsLoss);
    p.cooling = named("power.cooling_w", Unit::Watts, p.cooling);
    p.other = named("power.other_w", Unit::Watts, p.other);
    p.transformerLoss = named("power.transformer_loss_w", Unit::Watts, p.transformerLoss);
    p.facility = named("power.facility_w", Unit::Watts,
                       p.it + p.upsLoss + p.cooling + p.other + p.transformerLoss);
}

/// Power over the run: chips of the job work while it trains, all others and all other time idle.
template <class T>
Watts<T> chipOverRun(const Inputs<T>& in, const PowerLoad<T>& load, const Watts<T>& busyChip)
{
    using std::min;
    const T busy =
        min(load.goodput + load.lostBusyShare, T(1.0)) * min(usedChips(load) / load.chips, T(1.0));
    return busyChip * busy + idleChip(in) * (1.0 - busy);
}

/// While it trains: those that are left over idle.
template <class T>
Watts<T> chipWhileTraining(const Inputs<T>& in, const PowerLoad<T>& load, const Watts<T>& busyChip)
{
    using std::min;
    const T used = min(usedChips(load) / load.chips, T(1.0));
    return busyChip * used + idleChip(in) * (1.0 - used);
}

/// Heat removal in each month, and their mean over the days of the year.
template <class T>
struct YearOfCooling
{
    std::array<HeatRemoval<T>, kMonths> months;
    HeatRemoval<T> mean;
};

template <class T>
YearOfCooling<T> coolOverYear(const Inputs<T>& in, const Watts<T>& heat, const Watts<T>& design)
{
    YearOfCooling<T> year;
    HeatRemoval<T>& mean = year.mean;
    for (std::size_t m = 0; m < kMonths; ++m) {
        HeatRemoval<T>& r = year.months[m];
        r = removeHeat(in, heat, design, climateOfMonth(in, m));
        const T share(kDaysOfMonth[m] / kDaysOfYear);
        mean.pumps += r.pumps * share;
        mean.chilledPumps += r.chilledPumps * share;
        mean.airFans += r.airFans * share;
        mean.rejection += r.rejection * share;
        mean.chillers += r.chillers * share;
        mean.waterPerDay += r.waterPerDay * share;
    }
    return year;
}

template <class T>
void addEnergyAndCarbon(const Inputs<T>& in, const PowerLoad<T>& load, Power<T>& p)
{
    using std::max;
    const scenario::Facility& plan = in.plan().facility;
    p.energyPerRun =
        named("power.energy_j_per_run", Unit::Joules, p.average.facility * load.runTime);
    T carbon = p.energyPerRun.si() / kJoulesPerKwh * carbonOf(in);
    if (plan.embodiedCarbonKgPerChip) {
        p.embodiedCarbon = named(
            "power.embodied_carbon_kg", Unit::Kilograms,
            units::Kilograms<T>(load.chips * in(plan.embodiedCarbonKgPerChip) * load.runTime.si() /
                                (in(in.plan().economics.lifetimeYears) * kYear)));
        carbon = carbon + p.embodiedCarbon.si();
    }
    p.carbon = named("power.carbon_kg", Unit::Kilograms, units::Kilograms<T>(carbon));
    const T watts = max(p.average.facility.si(), T(1e-9));
    p.flopsPerJoule =
        named("power.flops_per_joule", Unit::FlopPerJoule, load.effective.si() / watts);
    p.tokensPerJoule =
        named("power.tokens_per_joule", Unit::TokensPerJoule, load.tokens.si() / watts);
}

template <class T>
void nameAverage(Power<T>& p)
{
    p.average.facility = named("power.average.facility_w", Unit::Watts, p.average.facility);
    p.typical.facility = named("power.typical.facility_w", Unit::Watts, p.typical.facility);
    p.pue = named("power.pue", Unit::None, p.average.facility / p.average.it);
}

template <class T>
void addMonths(const Inputs<T>& in, const PowerParts<T>& average, const YearOfCooling<T>& year,
               Cooling<T>& c)
{
    for (std::size_t m = 0; m < kMonths; ++m) {
        PowerParts<T> p = average;
        addOverhead(in, year.months[m].power(), p);
        const Climate<T> air = climateOfMonth(in, m);
        Month<T>& month = c.months[m];
        month.dryBulbC = air.dryBulb;
        month.wetBulbC = air.wetBulb;
        month.pue = named("cooling.months.pue", Unit::None, p.facility / p.it);
        month.powerLossShare = (p.upsLoss + p.transformerLoss) / p.it;
        month.coolingShare = p.cooling / p.it;
        month.otherShare = p.other / p.it;
        month.waterLitresPerDay = year.months[m].waterPerDay.si() * 1000.0;
    }
}

template <class T>
void addWater(const Inputs<T>& in, const PowerLoad<T>& load, const Power<T>& p,
              const HeatRemoval<T>& mean, Cooling<T>& c)
{
    using std::max;
    const scenario::Facility& plan = in.plan().facility;
    const T kwhPerDay = p.average.it.si() * 86400.0 / kJoulesPerKwh;
    const T day = plan.waterLitresPerKwh ? kwhPerDay * in(plan.waterLitresPerKwh)
                                         : mean.waterPerDay.si() * 1000.0;
    c.waterLitresPerDay = named("cooling.water_l_per_day", Unit::LitresPerDay, day);
    if (plan.waterLitresPerKwh)
        for (Month<T>& month : c.months)
            month.waterLitresPerDay = c.waterLitresPerDay;
    c.waterPerRun = named("cooling.water_m3_per_run", Unit::CubicMetres,
                          c.waterLitresPerDay * load.runTime.si() / (86400.0 * 1000.0));
    c.wue = named("cooling.wue_l_per_kwh", Unit::LitresPerKwh,
                  c.waterLitresPerDay / max(kwhPerDay, T(1e-12)));
}

template <class T>
void addHeat(const Inputs<T>& in, const Power<T>& p, const HeatRemoval<T>& hot,
             const HeatRemoval<T>& mean, Cooling<T>& c)
{
    const scenario::Facility& plan = in.plan().facility;
    c.heat = named("cooling.heat_w", Unit::Watts, p.maximum.it);
    c.liquid = named("cooling.liquid_w", Unit::Watts, hot.liquid);
    c.air = named("cooling.air_w", Unit::Watts, hot.air);
    c.liquidShare = named("cooling.liquid_share", Unit::Share, liquidShareOf(in));
    c.flowLitresPerMinute =
        named("cooling.flow_l_per_min", Unit::LitresPerMinute, hot.flow.si() * kLitresPerMinute);
    c.airFlow = named("cooling.air_flow_m3_per_s", Unit::CubicMetresPerSecond, hot.airFlow);
    c.supplyC = named("cooling.supply_c", Unit::Celsius, in(plan.supplyC));
    c.returnC = named("cooling.return_c", Unit::Celsius, c.supplyC + in(plan.coolantRise));
    c.supplyMaxC = named("cooling.supply_max_c", Unit::Celsius, chipSupplyMax(in));
    c.supplyMargin = named("cooling.supply_margin_k", Unit::Kelvins, c.supplyMaxC - chipSupply(in));
    c.pumps = named("cooling.pumps_w", Unit::Watts, hot.pumps + hot.chilledPumps);
    c.fans = named("cooling.fans_w", Unit::Watts, hot.airFans);
    c.rejection = named("cooling.rejection_w", Unit::Watts, hot.rejection);
    c.chillers = named("cooling.chillers_w", Unit::Watts, hot.chillers);
    // What a typed PUE makes of all overhead, it makes of each part of the cooling.
    const T scale = valueOf(mean.power()) > 0 ? p.average.cooling / mean.power() : T(1.0);
    c.averagePumps =
        named("cooling.average.pumps_w", Unit::Watts, (mean.pumps + mean.chilledPumps) * scale);
    c.averageFans = named("cooling.average.fans_w", Unit::Watts, mean.airFans * scale);
    c.averageRejection = named("cooling.average.rejection_w", Unit::Watts, mean.rejection * scale);
    c.averageChillers = named("cooling.average.chillers_w", Unit::Watts, mean.chillers * scale);
}

/// Chips may be none in a plan that does not stand; nothing below divides by zero then.
template <class T>
PowerLoad<T> atLeastOneChip(const PowerLoad<T>& load)
{
    using std::max;
    PowerLoad<T> l = load;
    l.chips = max(load.chips, T(1.0));
    return l;
}

/// Highest phase of a step, and no work at all, on the hottest day.
template <class T>
void addPeakAndIdle(const Inputs<T>& in, const Climate<T>& hotDay, const PowerParts<T>& idle,
                    Power<T>& p)
{
    PowerParts<T> peak;
    peak.it = p.typical.it + (peakOfStep(p) - p.typical.facility) * p.chainEfficiency;
    addOverhead(in, removeHeat(in, peak.it, p.maximum.it, hotDay).power(), peak);
    p.peakFacility = named("power.peak_facility_w", Unit::Watts, peak.facility);
    PowerParts<T> rest = idle;
    addOverhead(in, coolOverYear(in, rest.it, p.maximum.it).mean.power(), rest);
    p.idleFacility = named("power.idle_facility_w", Unit::Watts, rest.facility);
    p.gridLimit = named("power.grid_limit_w", Unit::Watts, Watts<T>(gridLimitOf(in)));
    p.overGrid = p.peakFacility > p.gridLimit;
}

template <class T>
void addChips(const Inputs<T>& in, Power<T>& p)
{
    const scenario::Chip& chip = in.plan().cluster.chip;
    p.clockShare = named("power.clock_share", Unit::Share, in(chip.clockShare));
    p.caseC = named("cooling.case_c", Unit::Celsius, caseTemperature(in, chipLevels(in).matrix));
    p.caseLimitC = named("cooling.case_limit_c", Unit::Celsius, caseLimit(in));
    const scenario::Facility& plan = in.plan().facility;
    p.chainEfficiency = named("power.chain_efficiency", Unit::Share,
                              in(plan.upsEfficiency) * in(plan.transformerEfficiency));
}

} // namespace

std::string_view nameOf(PowerPhase phase)
{
    return kPhaseNames[static_cast<std::size_t>(phase)];
}

template <class T>
Facility<T> facility(const Inputs<T>& in, const PowerLoad<T>& given)
{
    const PowerLoad<T> load = atLeastOneChip(given);
    const Climate<T> hotDay = climateOfHotDay(in);
    Facility<T> f;
    Power<T>& p = f.power;
    p.maximum = itParts(in, load, fullActivity(in));
    nameMaximum(p.maximum);
    const Watts<T> design = p.maximum.it;
    const HeatRemoval<T> hot = removeHeat(in, design, design, hotDay);
    addOverhead(in, hot.power(), p.maximum);
    nameOverhead(p.maximum);
    p.hotDayFacility = named("power.hot_day_facility_w", Unit::Watts, p.maximum.facility);

    const Watts<T> busyChip = chipOverStep(in, load);
    p.typical = itParts(in, load, busyActivity(in, chipWhileTraining(in, load, busyChip)));
    p.stepAverageIt = named("power.step_average_it_w", Unit::Watts, p.typical.it);
    addOverhead(in, coolOverYear(in, p.typical.it, design).mean.power(), p.typical);
    p.average = itParts(in, load, busyActivity(in, chipOverRun(in, load, busyChip)));
    p.average.chip = named("power.average.chip_w", Unit::Watts, p.average.chip);
    p.average.network = named("power.average.network_w", Unit::Watts, p.average.network);
    p.average.it = named("power.average.it_w", Unit::Watts, p.average.it);
    const YearOfCooling<T> year = coolOverYear(in, p.average.it, design);
    addOverhead(in, year.mean.power(), p.average);
    nameAverage(p);
    p.chipUse = chipUse(in, load);

    const PowerParts<T> idle = itParts(in, load, idleActivity(in));
    addChips(in, p);
    addPhases(in, load, idle.it, p);
    addPeakAndIdle(in, hotDay, idle, p);
    addEnergyAndCarbon(in, load, p);
    addHeat(in, p, hot, year.mean, f.cooling);
    addMonths(in, p.average, year, f.cooling);
    addWater(in, load, p, year.mean, f.cooling);
    addRacks(in, load, f.cooling);
    addPlant(in, hot, f.cooling);
    return f;
}

template Facility<double> facility(const Inputs<double>&, const PowerLoad<double>&);
template Facility<Traced> facility(const Inputs<Traced>&, const PowerLoad<Traced>&);

} // namespace cw::facility
