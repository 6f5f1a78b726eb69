// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/scenario/scenario.h"

namespace cw::scenario {

/// A hard fault of a plan: every number can still be given, but the plan cannot run.
struct Violation
{
    std::string path; ///< of the parameter that is wrong
    std::string rule; ///< stable code, also the key of its message: "rule.tensor-divides-heads"
    std::map<std::string, std::string> arguments;
    std::vector<double> nearest; ///< legal values of the parameter near the given one
};

/// All faults of the plan's shape and degrees; memory and power have their own.
std::vector<Violation> checkPlan(const Scenario& scenario);

/// One value offered for a degree, with the rule it breaks where it is not legal.
struct DegreeOption
{
    std::int64_t value = 1;
    std::string rule; ///< "" where legal
    std::map<std::string, std::string> arguments;
};

/// Values to offer for a parameter of Scale::Degree ("parallelism.tensor"): powers of two, divisors
/// and the value as it is, in rising order.
std::vector<DegreeOption> degreeOptions(const Scenario& scenario, const std::string& path);

} // namespace cw::scenario
