// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "model/evaluation/siting.h"
#include "views/pages/factlist.h"
#include "views/pages/page.h"
#include "views/painted/matrixtable.h"
#include "views/painted/waterfall.h"

// An evaluation as the charts of its cost.

namespace cw::views {

/// What of the cost the breakdown shows.
enum class CostLevel : std::uint8_t
{
    Run,
    Hour,
    Capital
};

/// Parts that add up to the whole.
WaterfallData costWaterfall(const PageData& figures, CostLevel level);
/// The sums: capital, per hour, step, run, million tokens.
std::vector<FactRow> costRows(const PageData& figures);
/// What a point more of each share saves in a run.
std::vector<FactRow> worthRows(const PageData& figures);
/// The plan at each site; without `wide`, the columns that matter most.
MatrixData siteTable(const std::vector<evaluation::AtSite>& rows, scenario::Site own, bool wide);
/// Machines that fill the same power, each with the layout that suits it; `all`: every column.
MatrixData fillTable(const std::vector<evaluation::Filled>& rows, bool wide, bool all);

} // namespace cw::views
