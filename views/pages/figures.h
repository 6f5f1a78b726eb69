// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/numberformat.h"
#include "views/pages/factlist.h"
#include "views/pages/page.h"
#include "views/painted/hiddenexposedbars.h"
#include "views/painted/sankey.h"
#include "views/painted/sharebar.h"
#include "views/painted/stackedbars.h"
#include "views/painted/waterfall.h"

// An evaluation as the data of charts: numbers as they stand, with their words.

namespace cw::views {

/// From compute at peak to the real step, in seconds; parts of nothing are left out.
WaterfallData stepWaterfall(const evaluation::Evaluation& e, bool vertical);
HiddenExposedData communicationBars(const evaluation::Evaluation& e);
/// Peak memory of each stage in GiB, with the limit that can be dragged.
/// What of the memory the bars show.
enum class MemoryLevel : std::uint8_t
{
    Resident, ///< what stays between steps
    Peak,     ///< with what lives within a step
    Reserved  ///< with what the allocator holds beyond
};
StackedBarsData memoryBars(const PageData& figures, bool draggable,
                           MemoryLevel level = MemoryLevel::Reserved);
/// The ledger of one stage, by tensor.
std::vector<FactRow> ledgerRows(const evaluation::Evaluation& e, std::size_t stage);
ShareBarData runShares(const evaluation::Evaluation& e);
ShareBarData powerShares(const evaluation::Evaluation& e);
ShareBarData costShares(const PageData& figures);

/// Text of a value in the locale of the moment.
QString shown(double value, Unit unit);
QString shownShare(double part, double whole);

} // namespace cw::views
