// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/facility/chippower.h"

#include <algorithm>
#include <cmath>

namespace cw::facility {

using explain::Traced;
using scenario::Cooling;
using scenario::Inputs;
using units::Unit;
using units::Watts;

namespace {

template <class T>
T matrixActivity(const Inputs<T>& in)
{
    return in.constant("constant.matrix_activity", Unit::Share, 1.0);
}

template <class T>
T clockExponent(const Inputs<T>& in)
{
    return in.constant("constant.clock_power_exponent", Unit::None, 3.0);
}

bool coolsByAir(const scenario::Scenario& plan)
{
    return plan.facility.cooling == Cooling::Air || plan.facility.cooling == Cooling::RearDoor;
}

} // namespace

template <class T>
Watts<T> ratedChip(const Inputs<T>& in)
{
    const scenario::Chip& chip = in.plan().cluster.chip;
    return Watts<T>(chip.ratedPower ? in(chip.ratedPower) : in(chip.powerLimit));
}

template <class T>
Watts<T> idleChip(const Inputs<T>& in)
{
    using std::min;
    const scenario::Chip& chip = in.plan().cluster.chip;
    return Watts<T>(min(in(chip.idlePower), in(chip.powerLimit)));
}

template <class T>
ChipLevels<T> chipLevels(const Inputs<T>& in)
{
    using std::max;
    using std::min;
    using std::pow;
    const scenario::Chip& chip = in.plan().cluster.chip;
    const T idle = idleChip(in).si();
    const T limit = in(chip.powerLimit);
    const T range = max(ratedChip(in).si() - idle, T(0.0));
    const double& floor = in.plan().facility.powerFloor;
    const T least = floor > 0.0 ? max(idle, limit * in(floor)) : idle;
    const auto level = [&](const T& activity) {
        return Watts<T>(max(min(idle + range * activity, limit), least));
    };
    T clocked(1.0); // what the clock leaves of the power that follows it
    T others(1.0);
    if (chip.clockShare != 1.0) {
        clocked = pow(in(chip.clockShare), clockExponent(in));
        const T following = in.constant("constant.clocked_share", Unit::Share, 0.5);
        others = 1.0 - following + following * clocked;
    }
    return {level(matrixActivity(in) * clocked),
            level(in.constant("constant.memory_activity", Unit::Share, 0.75) * others),
            level(in.constant("constant.communication_activity", Unit::Share, 0.5) * others),
            Watts<T>(least)};
}

template <class T>
T chipSupply(const Inputs<T>& in)
{
    const scenario::Facility& plan = in.plan().facility;
    return coolsByAir(in.plan()) ? in(plan.airSupplyC) : in(plan.supplyC);
}

template <class T>
T chipSupplyMax(const Inputs<T>& in)
{
    const scenario::Facility& plan = in.plan().facility;
    if (plan.supplyMaxC)
        return in(plan.supplyMaxC);
    return coolsByAir(in.plan()) ? in.constant("constant.air_supply_max_c", Unit::Celsius, 35.0)
                                 : in.constant("constant.liquid_supply_max_c", Unit::Celsius, 45.0);
}

template <class T>
T caseLimit(const Inputs<T>& in)
{
    return in.constant("constant.case_limit_c", Unit::Celsius, 85.0);
}

template <class T>
T caseTemperature(const Inputs<T>& in, const Watts<T>& chip)
{
    using std::max;
    const T perRated = max(caseLimit(in) - chipSupplyMax(in), T(1.0));
    return chipSupply(in) + perRated * (chip / ratedChip(in));
}

double clockAt(const scenario::Scenario& plan, double watts)
{
    const Inputs<double> in(plan);
    const double idle = idleChip(in).si();
    const double full = (ratedChip(in).si() - idle) * matrixActivity(in);
    if (!(full > 0) || watts >= idle + full)
        return 1;
    const double share = std::max(watts - idle, 0.0) / full;
    return std::clamp(std::pow(share, 1 / clockExponent(in)), kLeastClock, 1.0);
}

ChipClock clockOfLimits(const scenario::Scenario& plan)
{
    const Inputs<double> in(plan);
    ChipClock clock{
        std::min(plan.cluster.chip.clockShare, clockAt(plan, plan.cluster.chip.powerLimit)), false};
    const double supply = chipSupply(in);
    const double warmest = chipSupplyMax(in);
    if (supply <= warmest)
        return clock;
    const double room = std::max(caseLimit(in) - warmest, 1.0);
    const double allowed = ratedChip(in).si() * (caseLimit(in) - supply) / room;
    clock.share = std::min(clock.share, clockAt(plan, allowed));
    scenario::Scenario least = plan;
    least.cluster.chip.clockShare = kLeastClock;
    clock.tooWarm = chipLevels(Inputs<double>(least)).matrix.si() > allowed;
    return clock;
}

#define CW_INSTANTIATE_CHIPPOWER(T)                                                                \
    template ChipLevels<T> chipLevels(const Inputs<T>&);                                           \
    template Watts<T> idleChip(const Inputs<T>&);                                                  \
    template Watts<T> ratedChip(const Inputs<T>&);                                                 \
    template T chipSupply(const Inputs<T>&);                                                       \
    template T chipSupplyMax(const Inputs<T>&);                                                    \
    template T caseTemperature(const Inputs<T>&, const Watts<T>&);                                 \
    template T caseLimit(const Inputs<T>&)
CW_INSTANTIATE_CHIPPOWER(double);
CW_INSTANTIATE_CHIPPOWER(Traced);
#undef CW_INSTANTIATE_CHIPPOWER

} // namespace cw::facility
