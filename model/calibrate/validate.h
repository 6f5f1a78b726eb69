// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/calibrate/collectiverows.h"
#include "model/scenario/fault.h"

// Predictions beside measurements. Each row of a file of measurements becomes a plan by the same
// rules for all (measuredrows.h); no row is fitted on its own.

namespace cw::calibrate {

/// A verdict this near to full, as a share of usable memory, is borderline: such jobs fail some of
/// the time.
inline constexpr double kBorderlineHalfWidth = 0.04;
/// Different layouts that make a sweep.
inline constexpr std::size_t kSmallestSweep = 8;

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
    std::string quantity; ///< "step_time_s", "memory_bytes", "fits"; of asRows "collective_time_s"
    double predicted = 0;
    double measured = 0;
    double error = 0; ///< predicted / measured - 1; of fits 0 where right, 1 where wrong
    double bandLow = 0;
    double bandHigh = 0;
    std::string chip;
    std::string kind; ///< "dense", "moe"
    std::string precision;
    std::string scale;      ///< "1-8", "9-64", "65-512", "513-4096", "4097-"
    std::string source;     ///< who published it: the title of a paper, or the file of a collection
    std::string framework;  ///< id of the software preset: stack and release
    std::string model;      ///< as the row names it
    std::string sweep;      ///< what all layouts of one sweep have in common
    std::string layout;     ///< what tells a layout from others of its sweep
    std::string degrees;    ///< for reading: "TP 8 PP 4x2 DP 4, micro batch 1 of 512"
    std::string chipPreset; ///< id of the chip that the row's plan has
    double chips = 0;
    std::string doubt;     ///< key of the text that says why the row is in doubt; empty where not
    bool keptBack = false; ///< not used in fitting constants (datasplit.h)
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
    /// "all", "chip:...", "file:...", "kind:...", "precision:...", "scale:...", "framework:...",
    /// "source:...", "kept-back:all|dense|moe" (named stacks), "undoubted"
    std::string group;
    std::size_t count = 0;
    double medianAbsError = 0;
    double meanAbsError = 0;
    double p90AbsError = 0;
    double worstAbsError = 0;
    double bias = 0; ///< median of the signed error
    double bandCoverage = 0;
};

/// Fits or not, of the rows that say so.
struct FitsSummary
{
    std::string group; ///< as in SummaryRow
    std::size_t count = 0;
    double right = 0;           ///< share of rows
    double rightOutside = 0;    ///< share right among the rows outside the borderline band
    double inside = 0;          ///< share of rows inside the borderline band
    double halfWidth = 0;       ///< of the band around full, as a share of usable memory
    std::size_t bothFit = 0;    ///< told to fit, and ran
    std::size_t toldToFit = 0;  ///< told to fit, yet ran out of memory
    std::size_t toldNotTo = 0;  ///< told not to fit, yet ran
    std::size_t neitherFit = 0; ///< told not to fit, and ran out of memory
};

/// The order of the layouts of one model on one machine: what a planner chooses by.
struct SweepRanking
{
    std::string file;
    std::string name; ///< model, chips, chip, sequence and precision
    std::size_t count = 0;
    double spearman = 0;
    double regret = 0;           ///< time of the layout predicted best over the best there is - 1
    bool bestAmongFirst = false; ///< the best layout is among the three predicted best
};

struct Validation
{
    std::vector<RowResult> rows;
    std::vector<SkippedRow> skipped;
    std::vector<SummaryRow> summary;
    std::vector<FitsSummary> fits;
    std::vector<SweepRanking> sweeps;
    std::vector<CollectiveResult> collectives;
    std::vector<CollectiveSummary> collectiveSummary;
};

/// Faults: files that are not a JSON array of objects. Rows that lack something are skipped.
Validation validate(const std::vector<RowsFile>& files, scenario::Faults& faults);

/// What all rows come to: fills the summaries, verdicts, sweeps from the rows and collectives.
void summarize(Validation& validation);

/// Collectives in the form of other rows, so that they can be told apart in the same ways: the
/// system as chip, the operation as kind, the class of its size as scale. They have no band.
std::vector<RowResult> asRows(const std::vector<CollectiveResult>& collectives);

/// The class of a number of chips, as RowResult::scale names it.
std::string scaleOf(double chips);

/// Count, errors and bias of the rows by quantity and group.
std::vector<SummaryRow> summarize(const std::vector<RowResult>& rows);

/// The verdict by file and over all; rows of other quantities are left out.
std::vector<FitsSummary> summarizeFits(const std::vector<RowResult>& rows);

/// The verdict of rows that say whether they ran.
FitsSummary summarizeFits(const std::string& group, const std::vector<const RowResult*>& rows);

/// Sweeps of at least kSmallestSweep layouts of one model, machine and batch.
std::vector<SweepRanking> rankSweeps(const std::vector<RowResult>& rows);

} // namespace cw::calibrate
