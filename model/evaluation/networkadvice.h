// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "model/evaluation/evaluation.h"

namespace cw::evaluation {

/// Step times, in seconds, of a plan with the faults of its network and without them.
struct FaultCost
{
    double with = 0;
    double without = 0;
    double share() const { return without > 0 ? with / without - 1 : 0; }
};
FaultCost faultCost(const scenario::Scenario& scenario);

/// What measured bandwidths, faults and full links of the network say of a plan.
void addNetworkAdvice(const scenario::Scenario& scenario, Evaluation& evaluation);

/// The order of axes with the shortest step among all that place ranks differently.
struct OrderSearch
{
    std::vector<scenario::Axis> order;
    double step = 0;  ///< seconds, with it
    double given = 0; ///< seconds, with the plan's own
    int tried = 0;
};
OrderSearch bestOrder(const scenario::Scenario& scenario);

} // namespace cw::evaluation
