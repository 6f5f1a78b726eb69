// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/pages/factlist.h"
#include "views/pages/validationfigures.h"
#include "views/painted/matrixtable.h"
#include "views/painted/stackedbars.h"

// Verdicts, collectives and sweeps of a validation as the data of charts and small tables.

namespace cw::views {

/// Layouts by how full they were told to be, told apart by whether they ran.
StackedBarsData verdictBars(const Validated& rows, const calibrate::Selection& selection);
/// The bar that has full in its middle; -1 where none has.
int fullBar(const Validated& rows, const calibrate::Selection& selection);
/// What was told against what happened.
MatrixData confusion(const Validated& rows, const calibrate::Selection& selection);
/// Bias of collectives by system and size, over all rows.
MatrixData collectiveBias(const Validated& rows);
/// How well the layouts of the sweep chosen are ordered.
std::vector<FactRow> orderFacts(const Validated& rows, const calibrate::Selection& selection);
/// How many sweeps have their best layout among the first three told.
QString orderSentence(const Validated& rows);

} // namespace cw::views
