// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/report/document.h"
#include "model/report/evaluationjson.h"
#include "model/text/catalogue.h"

namespace cw::report {

/// The answer on one screen: verdict, headline figures, memory, step, run, power, cost, checks.
Document summaryOf(const Subject& subject, text::Language language);

/// The whole answer for one plan or several: a comparison where there are several; for each the
/// summary with bars, the inputs that differ from their presets, the assumptions and the sources.
Document reportOf(const std::vector<Subject>& subjects, text::Language language,
                  std::string_view version);

/// The report's document beside the full evaluation of each plan, for programs.
nlohmann::ordered_json reportJson(const std::vector<Subject>& subjects, text::Language language,
                                  std::string_view version);

/// A figure as people read it, money in the plan's currency, long runs in years beside days.
Cell figureCell(double value, units::Unit unit, std::string_view currency);

/// A value of a plan as people read it.
std::string shown(const scenario::Parameter& parameter, const scenario::Value& value,
                  const text::Catalogue& words);

} // namespace cw::report
