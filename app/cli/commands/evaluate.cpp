// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/planinput.h"
#include "model/evaluation/networkadvice.h"
#include "model/report/planreport.h"
#include "model/report/writers.h"
#include "model/units/text.h"

namespace cw::cli {

namespace {

struct Options
{
    std::string plan;
    std::vector<std::string> settings;
    std::string format;
    std::string place;
};

/// The order of axes with the shortest step in the place of the plan's.
void searchOrder(const Session& session, scenario::Scenario& scenario)
{
    const evaluation::OrderSearch found = evaluation::bestOrder(scenario);
    scenario.parallelism.order = found.order;
    std::string order;
    for (const scenario::Axis axis : found.order)
        order += (order.empty() ? "" : ", ") + std::string(nameOf(axis));
    session.complain(session.message("cli.best-order", {{"order", order},
                                                        {"step", units::rounded(found.step, 5)},
                                                        {"given", units::rounded(found.given, 5)},
                                                        {"count", std::to_string(found.tried)}}));
}

void evaluate(const Session& session, const Options& options)
{
    GivenPlan given = readGiven(session, options.plan, options.settings);
    if (options.place == "best")
        searchOrder(session, given.plan.scenario);
    std::ostream& out = session.streams.out;
    if (options.format == "csv") {
        out << report::figuresCsv(evaluation::evaluate(given.plan.scenario));
        return;
    }
    const report::Subject subject =
        report::subjectOf(given.name, std::move(given.plan), session.language);
    if (options.format == "json")
        out << report::toJson(subject, session.language).dump(2) << '\n';
    else if (options.format == "markdown")
        out << report::toMarkdown(report::summaryOf(subject, session.language));
    else
        out << report::toText(report::summaryOf(subject, session.language));
}

} // namespace

void addEvaluate(CLI::App& program, Session& session)
{
    const auto options = std::make_shared<Options>();
    CLI::App* command = session.add(program, "evaluate", session.term("evaluate"),
                                    [&session, options] { evaluate(session, *options); });
    session.takePlan(*command, options->plan);
    session.takeSettings(*command, options->settings);
    session.takeChoice(*command, "--place", options->place, session.term("place"),
                       {"given", "best"}, false);
    session.takeFormat(*command, options->format, {"text", "json", "csv", "markdown"});
}

} // namespace cw::cli
