// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/cost/cost.h"

#include "model/facility/site.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace cw::cost {

using explain::named;
using explain::Traced;
using explain::valueOf;
using scenario::Inputs;
using units::Money;
using units::Unit;

namespace {

constexpr double kHour = 3600.0;
constexpr double kHoursPerYear = 8760.0;
constexpr double kJoulesPerKwh = 3.6e6;

constexpr std::array<std::string_view, kPartCount> kNames{
    "chips",  "nodes",    "nics",    "racks",  "switches",    "optics",
    "cables", "building", "porting", "energy", "maintenance", "staff"};

/// Keys under which the parts of the cost of an hour are named; the catalogue has each.
constexpr std::array<std::string_view, kPartCount> kKeys{
    "cost.parts.chips",    "cost.parts.nodes",  "cost.parts.nics",        "cost.parts.racks",
    "cost.parts.switches", "cost.parts.optics", "cost.parts.cables",      "cost.parts.building",
    "cost.parts.porting",  "cost.parts.energy", "cost.parts.maintenance", "cost.parts.staff"};

constexpr std::array kHardware{Part::Chips,    Part::Nodes,  Part::Nics,  Part::Racks,
                               Part::Switches, Part::Optics, Part::Cables};

template <class T>
CostPart<T>& at(Cost<T>& c, Part part)
{
    return c.parts[static_cast<std::size_t>(part)];
}

/// The plan's price, or an assumed one in USD.
template <class T>
T price(const Inputs<T>& in, const std::optional<double>& given, const T& usd)
{
    return given ? in(given) : usd * in(in.plan().economics.perUsd);
}

template <class T>
T switchPrice(const Inputs<T>& in)
{
    return in(in.plan().cluster.network.scaleOut.radix) *
           in.constant("constant.switch_port_price", Unit::Money, 594.0);
}

/// Modules and cables are priced for their rate.
template <class T>
T opticPrice(const Inputs<T>& in)
{
    return in(in.plan().cluster.network.scaleOut.bandwidth) *
           in.constant("constant.optic_price_per_rate", Unit::Money, 1.5e-8);
}

template <class T>
T nicPrice(const Inputs<T>& in)
{
    return in(in.plan().cluster.network.scaleOut.bandwidth) *
           in.constant("constant.nic_price_per_rate", Unit::Money, 5e-8);
}

template <class T>
void capital(const Inputs<T>& in, const CostLoad<T>& load, Cost<T>& c)
{
    using std::ceil;
    const scenario::Economics& plan = in.plan().economics;
    const T nodes = ceil(load.chips / in(in.plan().cluster.node.chips));
    c.portingPersonYears = in(plan.portingPersonYears) + (1.0 - in(plan.operatorCoverage)) *
                                                             in(plan.operators) *
                                                             in(plan.personYearsPerOperator);
    const AssumedPrice chip = assumedChipPrice(in.plan().cluster.chip);
    const auto set = [&](Part part, const T& money) {
        at(c, part).capital = Money<T>(money);
    };
    const auto constant = [&](std::string_view key, double usd) {
        return in.constant(key, Unit::Money, usd);
    };
    set(Part::Chips, load.chips * price(in, plan.chipPrice, constant(chip.key, chip.usd)));
    set(Part::Nodes, nodes * price(in, plan.nodePrice, constant("constant.node_price", 80e3)));
    set(Part::Nics, load.chips * price(in, plan.nicPrice, nicPrice(in)));
    set(Part::Racks, load.racks * price(in, plan.rackPrice, constant("constant.rack_price", 25e3)));
    set(Part::Switches, load.switches * price(in, plan.switchPrice, switchPrice(in)));
    set(Part::Optics, load.optics * price(in, plan.opticPrice, opticPrice(in)));
    set(Part::Cables,
        load.links * price(in, plan.cablePrice, constant("constant.cable_price", 100.0)));
    set(Part::Building, load.itMaximum.si() * facility::buildingPriceOf(in));
    set(Part::Porting, c.portingPersonYears * in(plan.personYearCost));
    for (const CostPart<T>& part : c.parts)
        c.capital += part.capital;
    c.capital = named("cost.capital", Unit::Money, c.capital);
}

template <class T>
void hours(const Inputs<T>& in, const CostLoad<T>& load, Cost<T>& c)
{
    const scenario::Economics& plan = in.plan().economics;
    const T rate = in(plan.discountRate);
    const T machine = capitalRecovery(rate, in(plan.lifetimeYears)) / kHoursPerYear;
    const T building =
        capitalRecovery(rate, in.constant("constant.building_years", Unit::Years, 15.0)) /
        kHoursPerYear;
    Money<T> hardware;
    for (const Part part : kHardware) {
        at(c, part).perHour = at(c, part).capital * machine;
        hardware += at(c, part).capital;
    }
    at(c, Part::Building).perHour = at(c, Part::Building).capital * building;
    at(c, Part::Porting).perHour = at(c, Part::Porting).capital * machine;
    at(c, Part::Maintenance).perHour =
        hardware * (in(plan.maintenanceSharePerYear) / kHoursPerYear);
    at(c, Part::Staff).perHour = Money<T>(in(plan.staffPerYear) / kHoursPerYear);
    at(c, Part::Energy).perHour =
        Money<T>(load.facilityAverage.si() * kHour / kJoulesPerKwh * facility::energyPriceOf(in));
    for (std::size_t i = 0; i < kPartCount; ++i) {
        c.parts[i].perHour = named(kKeys[i], Unit::MoneyPerHour, c.parts[i].perHour);
        c.parts[i].perRun = c.parts[i].perHour * (load.runTime.si() / kHour);
        c.perHour += c.parts[i].perHour;
    }
    c.perHour = named("cost.per_hour", Unit::MoneyPerHour, c.perHour);
}

/// What a point of each share is worth: the run gets shorter as the share grows, and its cost with
/// it, so that a point more saves perRun - perRun x/(x + 0.01).
template <class T>
void worth(const CostLoad<T>& load, Cost<T>& c)
{
    using std::max;
    constexpr double kPoint = 0.01;
    const auto saved = [&](const T& share) {
        return c.perRun * (kPoint / (share + kPoint));
    };
    c.perMfuPoint = named("cost.per_mfu_point", Unit::Money, saved(load.mfu));
    c.perGoodputPoint = named("cost.per_goodput_point", Unit::Money, saved(load.goodput));
    c.portingPersonYears = named("cost.porting_person_years", Unit::None, c.portingPersonYears);
    c.flopsPerMoney = named("cost.flops_per_money", Unit::FlopPerMoney,
                            load.modelFlops.si() / max(c.perRun.si(), T(1e-9)));
    c.energyShare = named("cost.energy_share", Unit::Share,
                          at(c, Part::Energy).perHour.si() / max(c.perHour.si(), T(1e-9)));
}

} // namespace

std::string_view nameOf(Part part)
{
    return kNames[static_cast<std::size_t>(part)];
}

AssumedPrice assumedChipPrice(const scenario::Chip& chip)
{
    const auto& peak = chip.matrixFlops;
    const auto bf16 = peak[static_cast<std::size_t>(scenario::Format::Bf16)];
    const auto fp16 = peak[static_cast<std::size_t>(scenario::Format::Fp16)];
    const double flops = bf16 ? *bf16 : fp16.value_or(1e15);
    if (flops < 500e12)
        return {"constant.chip_price_small", 14e3};
    if (flops < 1500e12)
        return {"constant.chip_price_middle", 30e3};
    return {"constant.chip_price_large", 40e3};
}

template <class T>
T capitalRecovery(const T& rate, const T& years)
{
    using std::expm1;
    using std::log;
    if (valueOf(rate) < 1e-9)
        return 1.0 / years;
    return rate / -expm1(-years * log(1.0 + rate));
}

template <class T>
Cost<T> cost(const Inputs<T>& in, const CostLoad<T>& load)
{
    using std::max;
    Cost<T> c;
    capital(in, load, c);
    hours(in, load, c);
    c.perChipHour =
        named("cost.per_chip_hour", Unit::MoneyPerHour, c.perHour.si() / max(load.chips, T(1.0)));
    c.perStep = named("cost.per_step", Unit::Money, c.perHour * (load.step.si() / kHour));
    c.perRun = named("cost.per_run", Unit::Money, c.perHour * (load.runTime.si() / kHour));
    c.perMillionTokens = named("cost.per_million_tokens", Unit::Money,
                               c.perRun * (1e6 / max(load.tokens.si(), T(1.0))));
    worth(load, c);
    return c;
}

template double capitalRecovery(const double&, const double&);
template Traced capitalRecovery(const Traced&, const Traced&);
template Cost<double> cost(const Inputs<double>&, const CostLoad<double>&);
template Cost<Traced> cost(const Inputs<Traced>&, const CostLoad<Traced>&);

} // namespace cw::cost
