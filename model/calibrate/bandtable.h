// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "model/calibrate/refit.h"
#include "model/calibrate/validate.h"
#include "model/evaluation/bands.h"

namespace cw::calibrate {

/// Rows of a class, below which a plan gets the band of a wider one.
inline constexpr std::size_t kLeastBandRows = 40;
inline constexpr std::size_t kLeastMemoryRows = 20;

/// A row as bands are made of it.
struct BandResidual
{
    evaluation::Likeness like;
    double log = 0; ///< of measured over predicted
};

/// The classes of one quantity with enough rows, narrow and wide. "named" holds all stacks.
std::vector<evaluation::BandClass> classesOf(const std::string& quantity,
                                             const std::vector<BandResidual>& residuals,
                                             std::size_t least);

/// bands.json. Step times of named stacks: the residuals of the rows that constants may be fitted
/// to, each moved by what the prediction of that row loses when the row is not among the fitted
/// ones; of unnamed stacks: those of each source left out. Memory: the residuals as they are. Rows
/// that are kept back or in doubt are not used, so that they can test the table.
std::string bandTable(const Validation& validation, const Refit& refit,
                      const Refit::LeftOut& leftOut);

} // namespace cw::calibrate
