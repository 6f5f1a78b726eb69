// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/evaluation/siterules.h"

#include <algorithm>
#include <cmath>

#include "model/facility/site.h"
#include "model/units/text.h"

namespace cw::evaluation {

using scenario::Cooling;
using scenario::Scenario;

namespace {

constexpr double kKilo = 1e3;
constexpr double kMostBuffer = 1e6; ///< of `facility.buffer_j_per_chip`
// Where generators and grids oscillate (arXiv 2508.14318), and swings worth a word in it.
constexpr double kBandLow = 0.1;
constexpr double kBandHigh = 20;
constexpr double kNotableSwing = 10e6;
constexpr double kOtherSite = 0.95; ///< room for what another climate adds

std::string text(double x)
{
    return units::rounded(x, 4);
}

void add(Evaluation& e, const char* path, const char* rule, double value, double allowed,
         double unit, double nearest)
{
    e.violations.push_back({path,
                            rule,
                            {{"value", text(value / unit)}, {"allowed", text(allowed / unit)}},
                            {nearest}});
}

/// The same with amounts from watts to gigawatts, told with their unit.
void addPower(Evaluation& e, const char* path, const char* rule, double value, double allowed,
              units::Unit unit = units::Unit::Watts)
{
    e.violations.push_back(
        {path,
         rule,
         {{"value", units::human(value, unit)}, {"allowed", units::human(allowed, unit)}},
         {value}});
}

/// Chips of the whole nodes that keep a rack within `limit` watts; 0 where not even one does.
double chipsWithin(const Scenario& s, const Evaluation& e, double limit)
{
    const double node = e.cooling.rack.si() / std::max(e.cooling.rackNodes, 1.0);
    return std::floor(limit / node) * static_cast<double>(s.cluster.node.chips);
}

void addRacks(const Scenario& s, Evaluation& e)
{
    const auto& c = e.cooling;
    if (c.rackOverLimit)
        add(e, "facility.rack_power_limit", "rule.rack-power", c.rack.si(),
            s.facility.rackPowerLimit, kKilo, c.rack.si());
    if (c.rackOverDensity) {
        const double chips = chipsWithin(s, e, c.densityLimit.si());
        add(e, "facility.rack_chips", "rule.rack-density", c.rack.si(), c.densityLimit.si(), kKilo,
            std::max(chips, 1.0));
        e.violations.back().arguments["cooling"] = std::string(nameOf(s.facility.cooling));
    }
    if (c.floorOverLoad)
        add(e, "facility.floor_load_limit", "rule.floor-load", c.floorLoad,
            *s.facility.floorLoadLimit, 1, c.floorLoad);
}

void addGrid(const Scenario& s, Evaluation& e)
{
    const auto& p = e.power;
    const scenario::Facility& f = s.facility;
    if (p.overGrid)
        addPower(e, "facility.grid_limit", "rule.grid-limit", p.peakFacility.si(),
                 p.gridLimit.si());
    const double ramp = std::max(p.swingPerSecond, p.checkpointSwingPerSecond);
    if (p.overRamp)
        addPower(e, "facility.grid_ramp_limit", "rule.grid-ramp", ramp, *f.gridRampLimit,
                 units::Unit::WattsPerSecond);
    const double swing = std::max(p.swing.si(), p.checkpointSwing.si());
    if (p.overSwing)
        addPower(e, "facility.grid_swing_limit", "rule.grid-swing", swing, *f.gridSwingLimit);
}

/// The number that a supply is typed in, by what cools the chips.
const char* supplyPath(const Scenario& s)
{
    return s.facility.cooling == Cooling::Air || s.facility.cooling == Cooling::RearDoor
               ? "facility.air_supply_c"
               : "facility.supply_c";
}

double supplyOf(const Scenario& s)
{
    return s.facility.cooling == Cooling::Air || s.facility.cooling == Cooling::RearDoor
               ? s.facility.airSupplyC
               : s.facility.supplyC;
}

/// Joules for each chip that stretch the steepest ramp to the grid's: E = dP^2/(2 limit n).
double bufferFor(const Scenario& s, const Evaluation& e)
{
    const double swing = std::max(e.power.swing.si(), e.power.checkpointSwing.si());
    const double chips =
        std::max(1.0, std::min(e.layout.chips * static_cast<double>(s.workload.jobs),
                               static_cast<double>(s.cluster.chips)));
    return std::ceil(swing * swing / (2 * *s.facility.gridRampLimit * chips));
}

/// A cap that keeps the limit; where the limit is the site's own, also a site with a larger one.
void addGridAdvice(const Scenario& s, Evaluation& e)
{
    const double limit = e.power.gridLimit.si();
    e.advice.push_back({"facility.power_cap",
                        "advice.cap-to-grid",
                        {{"allowed", units::human(limit, units::Unit::Watts)}},
                        {{"facility.power_cap", units::exact(limit)}},
                        true});
    if (s.facility.gridLimit)
        return;
    for (std::size_t i = 0; i < facility::kSiteCount; ++i) {
        const auto site = static_cast<scenario::Site>(i);
        const double there = facility::factsOf(site).gridWatts;
        if (there * kOtherSite < e.power.peakFacility.si())
            continue;
        e.advice.push_back({"facility.site",
                            "advice.site-with-grid",
                            {{"site", std::string(nameOf(site))},
                             {"allowed", units::human(there, units::Unit::Watts)}},
                            {{"facility.site", std::string(nameOf(site))}},
                            true});
        return;
    }
}

} // namespace

void addSiteViolations(const Scenario& s, Evaluation& e)
{
    addRacks(s, e);
    addGrid(s, e);
    if (e.power.capOutOfReach) {
        const double least = s.facility.powerCapKind == scenario::PowerCapKind::Hard
                                 ? e.power.peakFacility.si()
                                 : e.power.typical.facility.si();
        addPower(e, "facility.power_cap", "rule.power-cap", least, *s.facility.powerCap);
    }
    if (e.power.supplyTooWarm)
        add(e, supplyPath(s), "rule.supply-too-warm", supplyOf(s), e.cooling.supplyMaxC, 1,
            e.cooling.supplyMaxC);
}

void addSiteAdvice(const Scenario& s, Evaluation& e)
{
    const auto& p = e.power;
    if (p.overGrid)
        addGridAdvice(s, e);
    if (p.swing.si() > kNotableSwing && p.swingHz >= kBandLow && p.swingHz <= kBandHigh)
        e.advice.push_back({"facility.power_floor",
                            "advice.swing-in-band",
                            {{"swing", units::human(p.swing.si(), units::Unit::Watts)},
                             {"hertz", text(p.swingHz)}},
                            {},
                            true});
    if (p.overRamp && bufferFor(s, e) <= kMostBuffer)
        e.advice.push_back({"facility.buffer_j_per_chip",
                            "advice.buffer-ramps",
                            {{"value", text(bufferFor(s, e))}},
                            {{"facility.buffer_j_per_chip", units::exact(bufferFor(s, e))}},
                            true});
    if (e.cooling.rackOverDensity)
        e.advice.push_back({"facility.cooling",
                            "advice.cool-by-liquid",
                            {},
                            {{"facility.cooling", "direct-liquid"}},
                            true});
    const bool warm = e.cooling.supplyMargin < 0;
    if (p.slowdown > 0 && warm)
        e.advice.push_back({supplyPath(s),
                            "advice.supply-throttles",
                            {{"value", text(supplyOf(s))}, {"allowed", text(e.cooling.supplyMaxC)}},
                            {{supplyPath(s), units::exact(e.cooling.supplyMaxC)}},
                            true});
    if (p.slowdown > 0)
        e.advice.push_back(
            {"cluster.chip.clock_share",
             "advice.throttled",
             {{"clock", text(100 * p.clockShare)}, {"slower", text(100 * p.slowdown)}},
             {},
             true});
}

} // namespace cw::evaluation
