// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/scenario/scenario.h"

// Caps and limits of power lower the clock of the matrix and vector units, and a lower clock
// lengthens the step and with it changes what the chips do: a fixed point of the two.

namespace cw::evaluation {

struct Throttle
{
    double clock = 1;       ///< share of the full clock that is left
    double planned = 1;     ///< clock of the plan, before any cap
    double plannedStep = 0; ///< seconds of the step at it; 0: nothing binds
    bool capOutOfReach = false;
    bool tooWarm = false;

    bool binds() const { return clock < planned; }
};

/// The clock that chip limit, supply temperature and power cap leave the plan, within 0.01% of the
/// cap. One look at the plan where none of them can bind.
Throttle throttleOf(const scenario::Scenario& plan);

/// The plan at that clock.
scenario::Scenario throttled(scenario::Scenario plan, const Throttle& throttle);

} // namespace cw::evaluation
