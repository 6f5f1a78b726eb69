// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/evaluation/evaluation.h"

namespace cw::evaluation {

/// What the goodput may be, as what nobody knows well is moved over its range.
struct GoodputBand
{
    double low = 0;
    double high = 0;
};

/// Four doubts, each moved alone and added as squares: how often parts fail (by 0.6 to 1.7: Meta's
/// two research clusters about Llama 3's rate, arXiv 2410.21680 and 2407.21783), how long restarts
/// and saves take (a quarter), how long a silent corruption stays unseen (a sixth to three times),
/// and how often ranks straggle (a third to three times); of the last three nothing is published.
GoodputBand goodputBand(const scenario::Scenario& plan, const Evaluation& e);

} // namespace cw::evaluation
