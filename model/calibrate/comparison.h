// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/calibrate/validate.h"
#include "model/scenario/scenario.h"

// Parts of a validation: the rows of a kind, what they come to, and those like a plan.

namespace cw::calibrate {

/// By what rows are told apart.
enum class Trait : std::uint8_t
{
    Chip,
    Framework,
    Kind,
    Precision,
    Scale,
    Source,
    Part, ///< "fitted" or "kept-back"
    Sweep ///< layouts of one model on one machine
};

inline constexpr Trait kTraits[] = {Trait::Chip,  Trait::Framework, Trait::Kind, Trait::Precision,
                                    Trait::Scale, Trait::Source,    Trait::Part};

std::string traitOf(const RowResult& row, Trait trait);

/// Which rows are meant: those of one quantity that have every trait named.
struct Selection
{
    std::string quantity = "step_time_s";
    std::map<Trait, std::string> traits;
    friend bool operator==(const Selection&, const Selection&) = default;
};

bool matches(const RowResult& row, const Selection& selection);

/// The rows meant, in doubt or not, as indices.
std::vector<std::size_t> select(const std::vector<RowResult>& rows, const Selection& selection);

/// Values of a trait among the rows of a quantity with their counts; the most frequent first,
/// scales by size.
struct TraitCount
{
    std::string value;
    std::size_t count = 0;
};
std::vector<TraitCount> countsOf(const std::vector<RowResult>& rows, const std::string& quantity,
                                 Trait trait);

/// Least and greatest value, predicted or measured, among the rows of a quantity; 0, 0 without any.
std::pair<double, double> rangeOf(const std::vector<RowResult>& rows, const std::string& quantity);

/// What the rows meant come to, rows in doubt left out: all of them first, then by the values of a
/// trait in the order of countsOf.
std::vector<SummaryRow> summaryBy(const std::vector<RowResult>& rows, const Selection& selection,
                                  Trait trait);

/// What the rows meant come to with those in doubt; count 0 where there are none.
SummaryRow summaryWithDoubt(const std::vector<RowResult>& rows, const Selection& selection);

/// Verdicts by a trait, all of them first: `quantity` of the selection is "fits".
std::vector<FitsSummary> fitsBy(const std::vector<RowResult>& rows, const Selection& selection,
                                Trait trait);

/// Layouts by how full they are told to be, and how many of them ran.
struct FillBin
{
    double low = 0; ///< share of usable memory
    double high = 0;
    std::size_t ran = 0;
    std::size_t ranOut = 0;
};

/// Bins of one ratio of ends, of which the borderline band is one, from the least to the fullest
/// row; what is beyond some ten times or a tenth of full lies in the last or first.
std::vector<FillBin> fillBins(const std::vector<RowResult>& rows, const Selection& selection);

/// The rows that are nearest in kind to a plan.
struct Alike
{
    std::vector<Trait> by;  ///< what plan and rows have in common
    Selection selection;    ///< the same, as values; empty traits where nothing is alike
    SummaryRow summary;     ///< over these rows
    double errorLow = 0;    ///< signed error, 10th percentile
    double errorHigh = 0;   ///< 90th percentile
    double measuredLow = 0; ///< where a measurement of the plan would lie by these residuals
    double measuredHigh = 0;
    double mostChips = 0; ///< of any row of the quantity
};

/// Rows of the plan's chip, framework, kind and scale; where fewer than `least` are, of fewer
/// traits: scale goes first, then framework, then chip. `predicted` is the plan's own value. An
/// error is predicted / measured - 1, so the measurement lies at predicted / (1 + error).
Alike alike(const std::vector<RowResult>& rows, const scenario::Scenario& plan,
            const std::string& quantity, double predicted, std::size_t least = 5);

} // namespace cw::calibrate
