// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "model/scenario/scenario.h"

namespace cw::transformer {

/// The shape with depth and widths grown alike, by the cube root of `factor` each, so that the
/// parameters grow by about `factor`; experts stay as many, and heads a multiple of `heads` and of
/// the key-value heads.
scenario::Model grown(const scenario::Model& base, double factor, std::int64_t heads = 1);

/// Scales the plan's model to `model.scale_to` within 1%, where either target is given: width and
/// depth by the proportions of the shape for the size of one token's work, the number of experts
/// for the total. Widths stay multiples of 128 and heads keep their size. A shape that meets its
/// targets already is left as it is.
void scaleShape(scenario::Scenario& plan);

} // namespace cw::transformer
