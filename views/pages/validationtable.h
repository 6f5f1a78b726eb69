// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "views/pages/validationfigures.h"
#include "views/pages/validationfilter.h"

// What the rows of a validation come to, as the lines of a table.

namespace cw::views {

struct StatisticsLine
{
    QStringList cells;
    QString group; ///< becomes the filter when the line is chosen; empty: none does
    bool strong = false;
};

struct StatisticsTable
{
    QStringList header;
    QStringList help; ///< of the columns; as many as the header
    std::vector<StatisticsLine> lines;
};

/// By a trait; of the order, by sweep.
StatisticsTable statisticsOf(const Validated& rows, ValidationMode mode,
                             const calibrate::Selection& selection, calibrate::Trait trait);

} // namespace cw::views
