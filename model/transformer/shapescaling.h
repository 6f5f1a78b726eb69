// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/scenario/scenario.h"

namespace cw::transformer {

/// Scales the plan's model to `model.scale_to` within 1%, where either target is given: width and
/// depth by the proportions of the shape for the size of one token's work, the number of experts
/// for the total. Widths stay multiples of 128 and heads keep their size. A shape that meets its
/// targets already is left as it is.
void scaleShape(scenario::Scenario& plan);

} // namespace cw::transformer
