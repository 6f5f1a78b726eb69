// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "model/scenario/registry.h"
#include "model/text/catalogue.h"

namespace cw::evaluation {

/// A number that the evaluation used and that nobody measured or published.
struct Assumption
{
    std::string path; ///< of the parameter, or the key of a constant of the model ("constant.x")
    std::string label;
    scenario::Value value;
    units::Unit unit = units::Unit::None;
    std::string source; ///< what the assumption rests on
};

/// Parameters whose number comes from a preset or a default that is assumed and that some formula
/// read, in the order of the plan; then such constants, by key. What the planner typed is a choice
/// and no assumption, except a given utilization (`software.assumed_mfu`).
std::vector<Assumption> assumptionsOf(const scenario::Scenario& scenario, text::Language language);

} // namespace cw::evaluation
