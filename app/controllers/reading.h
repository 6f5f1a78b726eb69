// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <map>
#include <string>
#include <vector>

#include "model/evaluation/evaluation.h"
#include "model/scenario/scenario.h"
#include "views/explain/whyview.h"
#include "views/issues/issuesview.h"
#include "views/metrics/headlinestrip.h"
#include "views/pages/networkfigures.h"
#include "views/pages/remedylist.h"
#include "views/params/paramrow.h"

// What the widgets are given, read off an evaluation.

namespace cw::app {

/// What null stands for in nullable inputs, by path.
std::map<std::string, QString> derivedTexts(const scenario::Scenario& scenario,
                                            const evaluation::Evaluation& evaluation);
/// The same as numbers, for those with a slider.
/// Values of the shape that differ once it is scaled to `model.scale_to`.
std::map<std::string, scenario::Value> scaledValues(const scenario::Scenario& scenario);
std::map<std::string, double> derivedNumbers(const evaluation::Evaluation& evaluation);
/// What is wrong with inputs, by path.
std::map<std::string, QString> problemTexts(const evaluation::Evaluation& evaluation);
/// The line at the right of each group of inputs.
std::map<std::string, QString> groupSummaries(const scenario::Scenario& scenario,
                                              const evaluation::Evaluation& evaluation);
/// The degree of data parallelism in use.
std::int64_t dataDegreeOf(const scenario::Scenario& scenario,
                          const evaluation::Evaluation* evaluation);
std::vector<views::DegreeChoice> degreesOf(const scenario::Scenario& scenario,
                                           const std::string& path);
/// What is read later than the evaluation; the cells that rest on assumptions are marked by it.
struct IdleReading;
std::vector<views::Headline> headlinesOf(const scenario::Scenario& scenario,
                                         const evaluation::Evaluation& evaluation,
                                         const evaluation::Evaluation* baseline,
                                         const QString& baselineName, const IdleReading& idle);
/// Why the plan cannot be, in a sentence, with the nearest values that can; empty where it can.
QString problemOf(const scenario::Scenario& scenario, const evaluation::Evaluation& evaluation);
/// Changes that may save memory, the one that saves most first.
std::vector<views::Remedy> remedyRows(const scenario::Scenario& scenario,
                                      const evaluation::Evaluation& evaluation,
                                      const IdleReading& idle);
/// The same plan on other networks, beside its own.
std::vector<views::TopologyAlternative> topologyRows(const scenario::Scenario& scenario,
                                                     const evaluation::Evaluation& evaluation,
                                                     const IdleReading& idle);
std::vector<views::Issue> issuesOf(const scenario::Scenario& scenario,
                                   const evaluation::Evaluation& evaluation);
/// The formula tree of a quantity; nothing where it has none.
std::optional<views::WhyNode> whyOf(const scenario::Scenario& scenario, const QString& path);

} // namespace cw::app
