// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/planinput.h"
#include "model/report/planreport.h"
#include "model/report/writers.h"

namespace cw::cli {

namespace {

struct Options
{
    std::string plan;
    std::vector<std::string> settings;
    std::string format;
};

void evaluate(const Session& session, const Options& options)
{
    GivenPlan given = readGiven(session, options.plan, options.settings);
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
    session.takeFormat(*command, options->format, {"text", "json", "csv", "markdown"});
}

} // namespace cw::cli
