// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include "model/evaluation/assumptions.h"
#include "model/evaluation/evaluation.h"
#include "model/scenario/plan.h"
#include "model/text/catalogue.h"

namespace cw::report {

/// A plan and all that is said of it.
struct Subject
{
    std::string name; ///< of the plan, or of its file where it has none
    scenario::Plan plan;
    evaluation::Evaluation evaluation;
    std::vector<evaluation::Assumption> assumptions;
    std::string sha256; ///< of the plan's file; empty where it is not known
};

Subject subjectOf(std::string name, scenario::Plan plan, text::Language language);

/// The evaluation as the terminal writes it: every figure by its path, SI, in full precision; then
/// verdicts, bands, violations, advice and assumptions. A figure that is not finite is null.
/// Only `message` and `label` are in the language.
nlohmann::ordered_json toJson(const Subject& subject, text::Language language);

/// Every figure as `quantity,value,unit`. [RFC 4180]
std::string figuresCsv(const evaluation::Evaluation& evaluation);

/// A value of the plan as JSON.
nlohmann::ordered_json toJson(const scenario::Value& value);

/// Puts a value at a path of dots; whole numbers as steps make lists.
void putAt(nlohmann::ordered_json& root, std::string_view path, nlohmann::ordered_json value);

} // namespace cw::report
