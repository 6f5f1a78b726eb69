// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/facility/racks.h"

#include <algorithm>
#include <cmath>

namespace cw::facility {

using explain::named;
using explain::Traced;
using explain::valueOf;
using scenario::HeatRejection;
using scenario::Inputs;
using units::Kilograms;
using units::Unit;
using units::Watts;

namespace {

constexpr double kLitresPerMinute = 6e4; // in a cubic metre per second

/// What a rack may draw under the kind of cooling; 0 where nobody names a limit.
template <class T>
Watts<T> densityLimit(const Inputs<T>& in)
{
    switch (in.plan().facility.cooling) {
    case scenario::Cooling::Air:
        return Watts<T>(in.constant("constant.air_rack_limit_w", Unit::Watts, 41e3));
    case scenario::Cooling::RearDoor:
        return Watts<T>(in.constant("constant.rear_door_rack_limit_w", Unit::Watts, 80e3));
    default:
        return Watts<T>(T(0.0));
    }
}

template <class T>
void addFloor(const Inputs<T>& in, Cooling<T>& c)
{
    const scenario::Facility& plan = in.plan().facility;
    const T estimate = in.constant("constant.rack_frame_kg", Unit::Kilograms, 300.0) +
                       c.rack.si() * in.constant("constant.rack_kg_per_w", Unit::None, 0.008);
    c.rackMass = named("cooling.rack_mass_kg", Unit::Kilograms,
                       Kilograms<T>(plan.rackMass ? in(plan.rackMass) : estimate));
    c.mass = named("cooling.mass_kg", Unit::Kilograms, c.rackMass * (c.racks + c.networkRacks));
    c.floorArea = named("cooling.floor_area_m2", Unit::SquareMetres,
                        (c.racks + c.networkRacks) * in(plan.rackArea));
    c.floorLoad = named("cooling.floor_load_kg_per_m2", Unit::KilogramsPerSquareMetre,
                        c.rackMass.si() /
                            in.constant("constant.rack_footprint_m2", Unit::SquareMetres, 0.64));
    c.floorOverLoad = plan.floorLoadLimit && valueOf(c.floorLoad) > *plan.floorLoadLimit;
}

} // namespace

template <class T>
void addRacks(const Inputs<T>& in, const PowerLoad<T>& load, Cooling<T>& c)
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
    c.networkRacks =
        named("cooling.network_racks", Unit::None,
              ceil(load.switches / in.constant("constant.switches_per_rack", Unit::None, 16.0)));
    c.rackNodes = named("cooling.rack_nodes", Unit::None, min(nodes, perRack));
    const T node =
        in(cluster.node.chips) * in(cluster.chip.powerLimit) + in(cluster.node.hostPower);
    c.rack =
        named("cooling.rack_w", Unit::Watts, Watts<T>(c.rackNodes * node / in(plan.psuEfficiency)));
    c.rackLiquid = named("cooling.rack_liquid_w", Unit::Watts, c.rack * liquidShareOf(in));
    c.rackAir = named("cooling.rack_air_w", Unit::Watts, c.rack - c.rackLiquid);
    c.rackFlowLitresPerMinute = named("cooling.rack_flow_l_per_min", Unit::LitresPerMinute,
                                      coolantFlow(in, c.rackLiquid).si() * kLitresPerMinute);
    c.densityLimit = named("cooling.density_limit_w", Unit::Watts, densityLimit(in));
    c.rackOverLimit = valueOf(c.rack) > plan.rackPowerLimit;
    c.rackOverDensity = valueOf(c.densityLimit) > 0 && c.densityLimit < c.rack;
    addFloor(in, c);
}

template <class T>
void addPlant(const Inputs<T>& in, const HeatRemoval<T>& hot, Cooling<T>& c)
{
    using std::ceil;
    using std::max;
    const auto count = [](const Watts<T>& heat, const T& unit) {
        return ceil(heat.si() / unit);
    };
    c.cdus = named("cooling.cdus", Unit::None,
                   count(hot.liquid, in.constant("constant.cdu_capacity_w", Unit::Watts, 1.35e6)));
    const bool towers = in.plan().facility.heatRejection == HeatRejection::CoolingTower;
    const T cooler = towers ? in.constant("constant.tower_capacity_w", Unit::Watts, 3.5e6)
                            : in.constant("constant.dry_cooler_capacity_w", Unit::Watts, 0.8e6);
    c.coolers = named("cooling.coolers", Unit::None, count(hot.outside(), cooler));
    c.chillerUnits =
        named("cooling.chiller_units", Unit::None,
              count(hot.chilled, in.constant("constant.chiller_capacity_w", Unit::Watts, 1.5e6)));
    c.chillerCop = named("cooling.chiller_cop", Unit::None,
                         valueOf(hot.chillers) > 0 ? hot.chilled / hot.chillers : T(0.0));
    c.rackPumps = named("cooling.rack_pumps_w", Unit::Watts, hot.pumps / max(c.racks, T(1.0)));
    const T flow = hot.flow.si();
    c.pumpPressurePa = named(
        "cooling.pump_pressure_pa", Unit::None,
        valueOf(flow) > 0
            ? hot.pumps.si() * in.constant("constant.pump_efficiency", Unit::Share, 0.6) / flow
            : T(0.0));
}

#define CW_INSTANTIATE_RACKS(T)                                                                    \
    template void addRacks(const Inputs<T>&, const PowerLoad<T>&, Cooling<T>&);                    \
    template void addPlant(const Inputs<T>&, const HeatRemoval<T>&, Cooling<T>&)
CW_INSTANTIATE_RACKS(double);
CW_INSTANTIATE_RACKS(Traced);
#undef CW_INSTANTIATE_RACKS

} // namespace cw::facility
