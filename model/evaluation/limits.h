// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/evaluation/evaluation.h"
#include "model/scenario/registry.h"

// What binds a plan, in order, and what would relax it.

namespace cw::evaluation {

/// One change of a plan that relaxes a limit, and the plan with it.
struct Relaxation
{
    std::string path;
    scenario::Value value;
    Evaluation after;
};

/// `kind`: memory, batch, efficiency (matrix products below their peak), streams (bound by memory
/// bandwidth), recompute, tensor, context, expert, pipeline, data, bubble, latency, jitter,
/// host-link, failures, power, cooling, storage.
struct Limit
{
    std::string_view kind;
    bool binding = false;
    double slack = 0; ///< room that is left; below 0 what is missing, or the time that it takes
    units::Unit unit = units::Unit::None;
    /// Share of the run's time or tokens that it takes; above 1 where the plan cannot run for it.
    double weight = 0;
    std::optional<Relaxation> relax = {};
};

/// Ranked: what binds first, and of that what weighs most. A kind that the plan has no part in (a
/// grid without a limit, storage without pools and stalls) is left out.
std::vector<Limit> limitsOf(const scenario::Scenario& scenario, const Evaluation& evaluation);

/// Share of the run from which a limit that does not bind is worth a change and a line.
inline constexpr double kWorthTelling = 0.005;

/// What the matrix products of a step take beyond the peak of the compute format, in seconds.
double secondsBelowPeak(const Evaluation& evaluation);

/// Finds for each limit that binds or takes half a percent of the run the change that relaxes it
/// and makes the run to the same loss cheapest, by evaluating those worth trying. Nothing is
/// offered that makes a plan infeasible which was not, and for a limit that only costs time nothing
/// that costs more.
void findRelaxations(std::vector<Limit>& limits, const scenario::Scenario& scenario,
                     const Evaluation& evaluation);

} // namespace cw::evaluation
