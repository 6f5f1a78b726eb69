// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/facility/power.h"

#include "model/facility/cooling.h"
#include "model/facility/site.h"

#include <algorithm>
#include <cmath>

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

/// How hard each part works, as a share of its limit; for chips, watts of one.
template <class T>
struct Activity
{
    Watts<T> chip;
    T host{};
    T switches{};
};

template <class T>
T matrixActivity(const Inputs<T>& in)
{
    return in.constant("constant.matrix_activity", Unit::Share, 1.0);
}

template <class T>
T communicationActivity(const Inputs<T>& in)
{
    return in.constant("constant.communication_activity", Unit::Share, 0.5);
}

/// Power of one chip over a step: idle + (limit - idle) by what it does.
template <class T>
Watts<T> chipOverStep(const Inputs<T>& in, const PowerLoad<T>& load)
{
    using std::max;
    using std::min;
    const scenario::Chip& chip = in.plan().cluster.chip;
    const T range = max(in(chip.powerLimit) - in(chip.idlePower), T(0.0));
    const T activity =
        load.matrixShare * matrixActivity(in) +
        load.memoryShare * in.constant("constant.memory_activity", Unit::Share, 0.75) +
        load.communicationShare * communicationActivity(in);
    return Watts<T>(min(in(chip.idlePower), in(chip.powerLimit)) +
                    range * min(max(activity, T(0.0)), T(1.0)));
}

template <class T>
T storageBytes(const Inputs<T>& in, scenario::StorageMedia media)
{
    T bytes(0.0);
    for (const scenario::StoragePool& pool : in.plan().storage.pools)
        if (pool.media == media)
            bytes = bytes + in(pool.capacityBytes);
    return bytes;
}

template <class T>
Watts<T> storagePower(const Inputs<T>& in)
{
    return Watts<T>(storageBytes(in, scenario::StorageMedia::Nvme) *
                        in.constant("constant.nvme_w_per_byte", Unit::None, 1.25e-11) +
                    storageBytes(in, scenario::StorageMedia::Hdd) *
                        in.constant("constant.hdd_w_per_byte", Unit::None, 1e-12));
}

/// IT power by part.
template <class T>
PowerParts<T> itPower(const Inputs<T>& in, const PowerLoad<T>& load, const Activity<T>& activity)
{
    using std::ceil;
    using std::max;
    const scenario::Cluster& cluster = in.plan().cluster;
    const scenario::ScaleOut& network = cluster.network.scaleOut;
    const T nodes = ceil(load.chips / in(cluster.node.chips));
    PowerParts<T> p;
    p.chip = activity.chip * load.chips;
    // The plan's host power holds the NICs; they are shown with the network.
    const T hosts = nodes * in(cluster.node.hostPower);
    const T nics = load.chips * in(network.nicPower);
    p.nic = Watts<T>(valueOf(nics) < valueOf(hosts) ? nics * activity.host : hosts * activity.host);
    p.host = Watts<T>(max(hosts - nics, T(0.0)) * activity.host);
    p.psuLoss = (p.chip + p.host + p.nic) * (1.0 / in(in.plan().facility.psuEfficiency) - 1.0);
    p.switches = Watts<T>(load.switches * in(network.switchPower) * activity.switches);
    p.optics = Watts<T>(load.optics * in(network.opticPower));
    p.storage = storagePower(in);
    p.network = p.switches + p.optics + p.nic;
    p.it = p.chip + p.host + p.psuLoss + p.network + p.storage;
    return p;
}

/// From IT to the meter.
template <class T>
void addOverhead(const Inputs<T>& in, const HeatRemoval<T>& removal, PowerParts<T>& p)
{
    const scenario::Facility& plan = in.plan().facility;
    p.upsLoss = p.it * (1.0 / in(plan.upsEfficiency) - 1.0);
    p.cooling = removal.power();
    p.other = p.it * in.constant("constant.building_share", Unit::Share, 0.017);
    const Watts<T> below = p.it + p.upsLoss + p.cooling + p.other;
    p.transformerLoss = below * (1.0 / in(plan.transformerEfficiency) - 1.0);
    if (plan.pue && valueOf(p.it) > 0.0) {
        const Watts<T> overhead = p.upsLoss + p.cooling + p.other + p.transformerLoss;
        const T scale = p.it * (in(plan.pue) - 1.0) / overhead;
        for (Watts<T>* part : {&p.upsLoss, &p.cooling, &p.other, &p.transformerLoss})
            *part = *part * scale;
    }
    p.facility = p.it + p.upsLoss + p.cooling + p.other + p.transformerLoss;
}

template <class T>
void nameMaximum(PowerParts<T>& p)
{
    p.chip = named("power.chip_w", Unit::Watts, p.chip);
    p.host = named("power.host_w", Unit::Watts, p.host);
    p.nic = named("power.nic_w", Unit::Watts, p.nic);
    p.psuLoss = named("power.psu_loss_w", Unit::Watts, p.psuLoss);
    p.switches = named("power.switches_w", Unit::Watts, p.switches);
    p.optics = named("power.optics_w", Unit::Watts, p.optics);
    p.storage = named("power.storage_w", Unit::Watts, p.storage);
    p.network = named("power.network_w", Unit::Watts, p.switches + p.optics + p.nic);
    p.it = named("power.it_w", Unit::Watts, p.chip + p.host + p.psuLoss + p.network + p.storage);
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

template <class T>
T usedChips(const PowerLoad<T>& load)
{
    return valueOf(load.usedChips) > 0.0 ? load.usedChips : load.chips;
}

/// Power over the run: chips of the job work while it trains, all others and all other time idle.
template <class T>
Watts<T> chipOverRun(const Inputs<T>& in, const PowerLoad<T>& load, const Watts<T>& busyChip)
{
    using std::min;
    const T busy =
        min(load.goodput + load.lostBusyShare, T(1.0)) * min(usedChips(load) / load.chips, T(1.0));
    const scenario::Chip& chip = in.plan().cluster.chip;
    const Watts<T> idle(min(in(chip.idlePower), in(chip.powerLimit)));
    return busyChip * busy + idle * (1.0 - busy);
}

template <class T>
PowerParts<T> averagePower(const Inputs<T>& in, const PowerLoad<T>& load, const Watts<T>& chip)
{
    return itPower(in, load,
                   {chip, in.constant("constant.host_activity", Unit::Share, 0.54),
                    in.constant("constant.switch_activity", Unit::Share, 0.75)});
}

template <class T>
void swings(const Inputs<T>& in, const PowerLoad<T>& load, Power<T>& p)
{
    using std::max;
    const scenario::Chip& chip = in.plan().cluster.chip;
    const bool pauses = valueOf(load.communicationShare) + valueOf(load.idleShare) > 0.0 &&
                        valueOf(load.matrixShare) > 0.0;
    const T range = max(in(chip.powerLimit) - in(chip.idlePower), T(0.0)) *
                    (matrixActivity(in) - communicationActivity(in));
    const T swing =
        pauses ? usedChips(load) * range / in(in.plan().facility.psuEfficiency) : T(0.0);
    p.swing = named("power.swing_w", Unit::Watts, Watts<T>(swing));
    p.swingPerSecond =
        named("power.swing_w_per_s", Unit::WattsPerSecond,
              p.swing.si() / in.constant("constant.power_ramp_s", Unit::Seconds, 0.1));
    p.swingHz = named("power.swing_hz", Unit::Hertz, 1.0 / max(load.step.si(), T(1e-6)));
}

template <class T>
void energyAndCarbon(const Inputs<T>& in, const PowerLoad<T>& load, Power<T>& p)
{
    const scenario::Facility& plan = in.plan().facility;
    p.energyPerRun =
        named("power.energy_j_per_run", Unit::Joules, p.average.facility * load.runTime);
    T carbon = p.energyPerRun.si() / kJoulesPerKwh * carbonOf(in);
    if (plan.embodiedCarbonKgPerChip)
        carbon = carbon + load.chips * in(plan.embodiedCarbonKgPerChip) * load.runTime.si() /
                              (in(in.plan().economics.lifetimeYears) * kYear);
    p.carbon = named("power.carbon_kg", Unit::Kilograms, units::Kilograms<T>(carbon));
}

template <class T>
void racks(const Inputs<T>& in, const PowerLoad<T>& load, Cooling<T>& c)
{
    using std::ceil;
    using std::floor;
    using std::max;
    using std::min;
    const scenario::Cluster& cluster = in.plan().cluster;
    const scenario::Facility& plan = in.plan().facility;
    const T nodes = ceil(load.chips / in(cluster.node.chips));
    const T perRack = max(floor(in(plan.rackChips) / in(cluster.node.chips)), T(1.0));
    c.racks = named("cooling.racks", Unit::None, ceil(nodes / perRack));
    const T node =
        in(cluster.node.chips) * in(cluster.chip.powerLimit) + in(cluster.node.hostPower);
    c.rack = named("cooling.rack_w", Unit::Watts,
                   Watts<T>(min(nodes, perRack) * node / in(plan.psuEfficiency)));
    c.rackOverLimit = valueOf(c.rack) > plan.rackPowerLimit;
}

template <class T>
Cooling<T> coolingOf(const Inputs<T>& in, const PowerLoad<T>& load, const Power<T>& power,
                     const HeatRemoval<T>& removal, const HeatRemoval<T>& average)
{
    const scenario::Facility& plan = in.plan().facility;
    Cooling<T> c;
    c.heat = named("cooling.heat_w", Unit::Watts, power.maximum.it);
    c.liquid = named("cooling.liquid_w", Unit::Watts, removal.liquid);
    c.air = named("cooling.air_w", Unit::Watts, removal.air);
    c.flowLitresPerMinute = named("cooling.flow_l_per_min", Unit::LitresPerMinute,
                                  removal.flow.si() * kLitresPerMinute);
    c.supplyC = named("cooling.supply_c", Unit::Celsius, in(plan.supplyC));
    c.returnC = named("cooling.return_c", Unit::Celsius, c.supplyC + in(plan.coolantRise));
    const T day = plan.waterLitresPerKwh
                      ? power.average.it.si() * 86400.0 / kJoulesPerKwh * in(plan.waterLitresPerKwh)
                      : average.waterPerDay.si() * 1000.0;
    c.waterLitresPerDay = named("cooling.water_l_per_day", Unit::LitresPerDay, day);
    c.pumps = named("cooling.pumps_w", Unit::Watts, removal.pumps);
    c.fans = named("cooling.fans_w", Unit::Watts, removal.airFans);
    c.rejection = named("cooling.rejection_w", Unit::Watts, removal.rejection);
    c.chillers = named("cooling.chillers_w", Unit::Watts, removal.chillers);
    racks(in, load, c);
    const T share = liquidShareOf(in);
    c.rackFlowLitresPerMinute = named("cooling.rack_flow_l_per_min", Unit::LitresPerMinute,
                                      coolantFlow(in, c.rack * share).si() * kLitresPerMinute);
    return c;
}

template <class T>
Climate<T> meanClimate(const Inputs<T>& in)
{
    Climate<T> mean;
    for (std::size_t m = 0; m < 12; ++m) {
        const Climate<T> month = climateOfMonth(in, m);
        mean.dryBulb = mean.dryBulb + month.dryBulb * (kDaysOfMonth[m] / 365.0);
        mean.wetBulb = mean.wetBulb + month.wetBulb * (kDaysOfMonth[m] / 365.0);
    }
    return mean;
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

} // namespace

template <class T>
Facility<T> facility(const Inputs<T>& in, const PowerLoad<T>& given)
{
    const PowerLoad<T> load = atLeastOneChip(given);
    const Climate<T> year = meanClimate(in);
    Facility<T> f;
    Power<T>& p = f.power;
    p.maximum = itPower(
        in, load, {in.template as<Watts<T>>(in.plan().cluster.chip.powerLimit), T(1.0), T(1.0)});
    nameMaximum(p.maximum);
    PowerParts<T> hot = p.maximum;
    const HeatRemoval<T> removal = removeHeat(in, p.maximum.it, year);
    addOverhead(in, removal, p.maximum);
    nameOverhead(p.maximum);
    addOverhead(in, removeHeat(in, hot.it, climateOfHotDay(in)), hot);
    p.hotDayFacility = named("power.hot_day_facility_w", Unit::Watts, hot.facility);

    const Watts<T> busyChip = chipOverStep(in, load);
    p.stepAverageIt =
        named("power.step_average_it_w", Unit::Watts, averagePower(in, load, busyChip).it);
    p.average = averagePower(in, load, chipOverRun(in, load, busyChip));
    p.average.chip = named("power.average.chip_w", Unit::Watts, p.average.chip);
    p.average.network = named("power.average.network_w", Unit::Watts, p.average.network);
    p.average.it = named("power.average.it_w", Unit::Watts, p.average.it);
    const HeatRemoval<T> averageRemoval = removeHeat(in, p.average.it, year);
    addOverhead(in, averageRemoval, p.average);
    p.average.facility = named("power.average.facility_w", Unit::Watts, p.average.facility);
    p.pue = named("power.pue", Unit::None, p.average.facility / p.average.it);
    swings(in, load, p);
    energyAndCarbon(in, load, p);
    f.cooling = coolingOf(in, load, p, removal, averageRemoval);
    return f;
}

template Facility<double> facility(const Inputs<double>&, const PowerLoad<double>&);
template Facility<Traced> facility(const Inputs<Traced>&, const PowerLoad<Traced>&);

} // namespace cw::facility
