// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <memory>
#include <thread>

#include "app/cli/commands.h"
#include "app/cli/planinput.h"
#include "model/evaluation/siting.h"
#include "model/explore/fill.h"
#include "model/report/sitereport.h"
#include "model/report/writers.h"
#include "model/scenario/presets.h"
#include "model/units/text.h"

namespace cw::cli {

namespace {

struct SitesOptions
{
    std::string plan;
    std::vector<std::string> settings;
    std::string format;
};

struct FillOptions : SitesOptions
{
    std::vector<std::string> systems;
    std::string power;
};

void write(const Session& session, const std::string& format, const report::Document& document)
{
    std::ostream& out = session.streams.out;
    if (format == "json")
        out << report::toJson(document).dump(2) << '\n';
    else if (format == "csv")
        out << report::toCsv(document);
    else if (format == "markdown")
        out << report::toMarkdown(document);
    else
        out << report::toText(document);
}

void tellSites(const Session& session, const SitesOptions& options)
{
    const GivenPlan given = readGiven(session, options.plan, options.settings);
    write(session, options.format,
          report::sitesReport(evaluation::atAllSites(given.plan.scenario), session.language));
}

void tellFill(const Session& session, const FillOptions& options)
{
    const GivenPlan given = readGiven(session, options.plan, options.settings);
    const auto watts = units::parse(options.power, units::Unit::Watts);
    if (!watts || !(*watts >= 1) || !(*watts <= 1e13))
        stop(Status::CommandLine, session.message("cli.fill-power", {{"value", options.power}}));
    for (const std::string& system : options.systems)
        if (scenario::findPreset("system", system) == nullptr)
            stop(Status::CommandLine,
                 session.message("cli.no-system",
                                 {{"value", oneLine(system)},
                                  {"nearest", scenario::nearestPreset("system", system)}}));
    const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
    std::vector<evaluation::Filled> rows{explore::fill(given.plan.scenario, {}, *watts, threads)};
    for (const std::string& system : options.systems)
        rows.push_back(explore::fill(given.plan.scenario, system, *watts, threads));
    write(session, options.format, report::fillReport(rows, *watts, session.language));
}

} // namespace

void addSites(CLI::App& program, Session& session)
{
    const auto options = std::make_shared<SitesOptions>();
    CLI::App* command = session.add(program, "sites", session.term("sites"),
                                    [&session, options] { tellSites(session, *options); });
    session.takePlan(*command, options->plan);
    session.takeSettings(*command, options->settings);
    session.takeFormat(*command, options->format, {"text", "json", "csv", "markdown"});
}

void addFill(CLI::App& program, Session& session)
{
    const auto options = std::make_shared<FillOptions>();
    CLI::App* command = session.add(program, "fill", session.term("fill"),
                                    [&session, options] { tellFill(session, *options); });
    session.takePlan(*command, options->plan);
    session.takeTexts(*command, "SYSTEM", options->systems, session.term("system"), 0, 0);
    session.takeText(*command, "--power", options->power, session.term("fill-power"), true);
    session.takeSettings(*command, options->settings);
    session.takeFormat(*command, options->format, {"text", "json", "csv", "markdown"});
}

} // namespace cw::cli
