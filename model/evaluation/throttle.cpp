// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/evaluation/throttle.h"

#include <algorithm>
#include <cmath>

#include "model/evaluation/compute.h"
#include "model/facility/chippower.h"

namespace cw::evaluation {

using scenario::Scenario;

namespace {

constexpr int kMostSteps = 24;
constexpr double kPrecision = 1e-4;

Scenario at(const Scenario& plan, double clock)
{
    Scenario s = plan;
    s.cluster.chip.clockShare = clock;
    return s;
}

/// Seconds of the step at the plan's clock, as it is computed: a utilization that the planner
/// states falls by what the clock takes from it.
double plannedStep(const Scenario& plan)
{
    Scenario s = plan;
    s.software.assumedMfu.reset();
    return compute(scenario::Inputs<double>(s), Extent::Whole).step.time.si();
}

/// What the plan's cap holds down, at a clock: its peak or its mean at the meter.
double capped(const Scenario& plan, double clock)
{
    const Scenario s = at(plan, clock);
    Throttle t;
    t.clock = clock;
    t.planned = plan.cluster.chip.clockShare;
    if (t.binds() && plan.software.assumedMfu)
        t.plannedStep = plannedStep(plan);
    else
        t.planned = clock;
    const Evaluation e = compute(scenario::Inputs<double>(s), Extent::Whole, nullptr, t);
    return plan.facility.powerCapKind == scenario::PowerCapKind::Hard
               ? e.power.peakFacility.si()
               : e.power.typical.facility.si();
}

/// The highest clock that keeps the cap: power rises with the clock, so the two ends close in on
/// it by false position, the end that stays being halved (Illinois).
double clockUnderCap(const Scenario& plan, double high, bool& outOfReach)
{
    const double cap = *plan.facility.powerCap;
    double above = capped(plan, high) - cap;
    if (above <= 0)
        return high;
    double low = std::min(facility::kLeastClock, high);
    double below = capped(plan, low) - cap;
    if (below > 0) {
        outOfReach = true;
        return low;
    }
    int side = 0;
    for (int i = 0; i < kMostSteps && high - low > 1e-6; ++i) {
        const double clock = (low * above - high * below) / (above - below);
        const double value = capped(plan, clock) - cap;
        if (value > 0) {
            high = clock;
            above = value;
            below = side == 1 ? below / 2 : below;
            side = 1;
        } else {
            low = clock;
            below = value;
            above = side == -1 ? above / 2 : above;
            side = -1;
            if (value > -kPrecision * cap)
                break;
        }
    }
    return low;
}

} // namespace

Throttle throttleOf(const Scenario& plan)
{
    Throttle t;
    t.planned = plan.cluster.chip.clockShare;
    const facility::ChipClock limits = facility::clockOfLimits(plan);
    t.clock = limits.share;
    t.tooWarm = limits.tooWarm;
    if (plan.facility.powerCap)
        t.clock = clockUnderCap(plan, t.clock, t.capOutOfReach);
    if (t.binds())
        t.plannedStep = plannedStep(plan);
    return t;
}

Scenario throttled(Scenario plan, const Throttle& throttle)
{
    if (throttle.binds())
        plan.cluster.chip.clockShare = throttle.clock;
    return plan;
}

} // namespace cw::evaluation
