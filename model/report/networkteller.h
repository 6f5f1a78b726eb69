// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "model/report/document.h"
#include "model/report/evaluationjson.h"
#include "model/text/catalogue.h"

namespace cw::report {

/// The network of a plan as tables: what is built, and what a step moves over each tier.
void tellNetwork(Document& document, const Subject& subject, text::Language language);

/// What the figures do not hold of `traffic`: the classes of links from the chips outward, the
/// fullest of them, and what the faults of the network cost in step time.
void addTraffic(nlohmann::ordered_json& root, const Subject& subject);

/// Where each rank stands and which member of which group it is, one line a rank. Groups of a kind
/// are numbered by their first rank.
std::string rankMapCsv(const scenario::Scenario& plan);
std::string rankMapJson(const scenario::Scenario& plan);

} // namespace cw::report
