// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/evaluation/evaluation.h"

// The interval of a prediction, from residuals of measured rows like the plan. The table
// (resources/calibration/bands.json) is written by `validate --write-bands`; what it says of itself
// stands in it.

namespace cw::evaluation {

/// A class of measured rows. Empty members stand for any.
struct BandClass
{
    std::string quantity; ///< "step", "memory"
    std::string stack;    ///< id of a software preset; "named": any; "unnamed": none was measured
    std::string kind;     ///< "dense", "moe"
    std::string scale;    ///< "1-64", "65-"
    std::size_t rows = 0;
    double low = 1; ///< measured over predicted, a tenth of the rows below it
    double high = 1;
    double worst = 0; ///< the largest that measured over predicted differs from 1
};

/// The table as shipped, the narrowest classes first.
const std::vector<BandClass>& bandClasses();

/// What a plan is like.
struct Likeness
{
    std::string stack; ///< as in BandClass
    std::string kind;
    std::string scale;
    /// Why it counts as unmeasured although its stack is named: "chip" (no measured step on this
    /// chip), "scale" (more chips than any measured run); empty where it does not.
    std::string beyond;
};
Likeness likenessOf(const scenario::Scenario& plan);

/// The narrowest class of a table that a plan belongs to; null where the table has none.
const BandClass* classFor(const std::vector<BandClass>& table, std::string_view quantity,
                          const Likeness& likeness);

/// The class as it stands for a plan: beyond what was measured the wider of its sides on both.
BandClass extrapolated(const BandClass& c, const Likeness& likeness);

/// Key of the text that says what a class rests on.
std::string keyOf(const BandClass& c, const Likeness& likeness);

/// The bands of a plan's figures: step time and memory from the table, and what follows from them
/// in proportion; that of the goodput from the doubts of goodputband.h. Where the planner states a
/// utilization, step and run have no band.
void addBands(const scenario::Scenario& plan, Evaluation& e);

} // namespace cw::evaluation
