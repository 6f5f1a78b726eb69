// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/charts/powerswingchart.h"
#include "views/pages/factlist.h"
#include "views/pages/page.h"
#include "views/painted/rackview.h"
#include "views/painted/sankey.h"
#include "views/painted/stackedbars.h"

// An evaluation as the charts of power and cooling.

namespace cw::views {

/// Average power of the run from the grid to what the chips do with it.
SankeyData powerFlows(const evaluation::Evaluation& e);
RackViewData rackOf(const PageData& figures);
/// PUE of each month from 1 up, by cooling, losses of the supply and the rest.
StackedBarsData pueOfMonths(const evaluation::Evaluation& e);
/// Two steps at the meter.
PowerSwingData swingOf(const evaluation::Evaluation& e);
/// Energy, water, carbon and margins of the run, with their change against the baseline.
std::vector<FactRow> siteRows(const PageData& figures);

} // namespace cw::views
