// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/evaluation/evaluation.h"
#include "model/facility/site.h"

// The same plan elsewhere, and other machines under the same power.

namespace cw::evaluation {

/// The plan at one site: its climate, its grid's price and carbon, its building's price.
struct AtSite
{
    scenario::Site site = scenario::Site::Temperate;
    scenario::Scenario plan;
    Evaluation evaluation;
};

/// The plan as it would stand at a site: what the plan says of outside temperature, grid limit,
/// carbon, energy and building price gives way to the site's. Caps stay, and so does all of it at
/// the plan's own site.
scenario::Scenario movedTo(const scenario::Scenario& plan, scenario::Site site);

/// All sites in the order of scenario::Site.
std::vector<AtSite> atAllSites(const scenario::Scenario& plan);

/// A machine that fills a power at the meter.
struct Filled
{
    std::string system; ///< id of its preset; empty: the plan's own machine
    scenario::Scenario plan;
    Evaluation evaluation;
    double effective = 0;  ///< model FLOP/s, lost time counted as none
    bool searched = false; ///< the layout was searched for this machine; else it is the plan's
};

} // namespace cw::evaluation
