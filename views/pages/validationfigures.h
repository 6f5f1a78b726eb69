// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "model/calibrate/comparison.h"
#include "views/pages/factlist.h"
#include "views/pages/page.h"
#include "views/painted/scatterplot.h"

// A validation as the data of charts and tables, in the words of the moment.

namespace cw::views {

using Validated = std::shared_ptr<const calibrate::Validation>;

/// The rows of a selection as points; `axes`: of all rows of the quantity, so that a filter moves
/// no point.
ScatterData validationPoints(const Validated& rows, const calibrate::Selection& selection);
/// The plan's own value, and where a measurement of it would lie.
std::optional<ScatterPlan> validationPlan(const PageData& figures, const std::string& quantity,
                                          const calibrate::Alike& alike);
/// What is predicted of the plan: its step time in seconds or its memory in bytes.
double validationValue(const evaluation::Evaluation& e, const std::string& quantity);
std::vector<FactRow> alikeFacts(const PageData& figures, const std::string& quantity,
                                const calibrate::Alike& alike);
/// What plan and rows have in common, and where the plan is beyond all of them.
QString alikeSentence(const PageData& figures, const calibrate::Alike& alike);
/// A row in one line, for the reader of the screen and below the chart.
QString rowLine(const calibrate::RowResult& row);
/// How many rows of the files cannot be told, and why.
QString skippedLine(const Validated& rows);
QString skippedTip(const Validated& rows);
/// A share with its sign, "+4.1 %".
QString signedShare(double share);

} // namespace cw::views
