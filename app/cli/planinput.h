// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/cli/session.h"
#include "model/scenario/plan.h"

namespace cw::cli {

struct GivenPlan
{
    std::string name; ///< of the plan, its example or its file
    std::string text; ///< as it was read
    scenario::Plan plan;
};

/// Reads PLAN: a file, "-" for standard input, or the name of a worked example. Notices go to
/// standard error; faults of the plan stop with status 3, one line for each.
GivenPlan readGiven(const Session& session, const std::string& argument);

/// The same, then --set in the order given.
GivenPlan readGiven(const Session& session, const std::string& argument,
                    const std::vector<std::string>& settings);

/// Applies PATH=VALUE to a plan. A preset starts its part anew. What cannot be set is a fault of
/// the command line: one line for each, and none is applied.
void applySettings(const Session& session, scenario::Scenario& scenario,
                   const std::vector<std::string>& settings);

/// A whole file; stops with status 3 where it cannot be read or has more than `most` bytes.
std::string readFile(const Session& session, const std::string& path, std::size_t most);

/// "FILE: /json/pointer: message", as faults and notices are told.
std::string lineOf(const Session& session, const std::string& file, const scenario::Fault& fault);

std::vector<std::string> exampleNames();

} // namespace cw::cli
