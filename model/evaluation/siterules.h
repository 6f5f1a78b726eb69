// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/evaluation/evaluation.h"

namespace cw::evaluation {

/// What does not fit the site: racks, cooling, floor, grid, cap, supply; each with what would.
void addSiteViolations(const scenario::Scenario& s, Evaluation& e);

/// What caps and limits cost, and what mends a violation of the grid's.
void addSiteAdvice(const scenario::Scenario& s, Evaluation& e);

} // namespace cw::evaluation
