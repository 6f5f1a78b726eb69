// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/scenario/fault.h"

// Predictions beside measurements. Each row of a file of measurements becomes a plan by the same
// rules for all (measuredrows.h); no row is fitted on its own.

namespace cw::calibrate {

struct RowsFile
{
    std::string name; ///< as told in results: the file's name without its folder
    std::string text;
};

/// One prediction beside its measurement.
struct RowResult
{
    std::string id;
    std::string file;
    std::string quantity; ///< "step_time_s", "memory_bytes", "fits"
    double predicted = 0;
    double measured = 0;
    double error = 0; ///< predicted / measured - 1; of fits 0 where right, 1 where wrong
    double bandLow = 0;
    double bandHigh = 0;
    std::string chip;
    std::string kind; ///< "dense", "moe"
    std::string precision;
    std::string scale; ///< "1-8", "9-64", "65-512", "513-4096", "4097-"
};

struct SkippedRow
{
    std::string id;
    std::string file;
    std::string reason; ///< key of its text, with what is missing behind a colon
};

struct SummaryRow
{
    std::string quantity;
    std::string group; ///< "all", "chip:...", "file:...", "kind:...", "precision:...", "scale:..."
    std::size_t count = 0;
    double medianAbsError = 0;
    double meanAbsError = 0;
    double p90AbsError = 0;
    double worstAbsError = 0;
    double bias = 0; ///< median of the signed error
    double bandCoverage = 0;
};

struct Validation
{
    std::vector<RowResult> rows;
    std::vector<SkippedRow> skipped;
    std::vector<SummaryRow> summary;
};

/// Faults: files that are not a JSON array of objects. Rows that lack something are skipped.
Validation validate(const std::vector<RowsFile>& files, scenario::Faults& faults);

/// Count, errors and bias of the rows by quantity and group.
std::vector<SummaryRow> summarize(const std::vector<RowResult>& rows);

} // namespace cw::calibrate
