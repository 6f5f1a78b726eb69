// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <memory>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/planinput.h"
#include "model/evaluation/siting.h"
#include "model/explore/fill.h"
#include "model/facility/site.h"
#include "model/report/sitereport.h"
#include "model/report/writers.h"
#include "model/scenario/inputs.h"
#include "model/scenario/presets.h"
#include "model/text/catalogue.h"
#include "model/units/text.h"

namespace cw::cli {

using Json = nlohmann::ordered_json;

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
    if (format == "csv")
        out << report::toCsv(document);
    else if (format == "markdown")
        out << report::toMarkdown(document);
    else
        out << report::toText(document);
}

Json violationsOf(const Session& session, const evaluation::Evaluation& e)
{
    Json list = Json::array();
    for (const scenario::Violation& v : e.violations)
        list.push_back({{"path", v.path},
                        {"rule", v.rule},
                        {"message", session.words().message(v.rule, v.arguments,
                                                            text::NumberStyle::plain())}});
    return list;
}

/// What a row has in common, in the units of the evaluation.
Json figuresOf(const Session& session, const evaluation::Evaluation& e)
{
    return {{"feasible", e.feasible},
            {"violations", violationsOf(session, e)},
            {"pue", e.power.pue},
            {"facility_w", e.power.maximum.facility.si()},
            {"peak_facility_w", e.power.peakFacility.si()},
            {"average_facility_w", e.power.average.facility.si()},
            {"grid_limit_w", e.power.gridLimit.si()},
            {"energy_j", e.power.energyPerRun.si()},
            {"carbon_kg", e.power.carbon.si()},
            {"water_m3", e.cooling.waterPerRun},
            {"days", e.run.days},
            {"energy_cost", e.cost.part(cost::Part::Energy).perRun.si()},
            {"cost", e.cost.perRun.si()}};
}

Json jsonOf(const Session& session, const std::vector<evaluation::AtSite>& rows)
{
    const text::Catalogue& words = text::Catalogue::of(session.language);
    Json sites = Json::array();
    for (const evaluation::AtSite& row : rows) {
        const scenario::Inputs<double> in(row.plan);
        const std::string_view id = nameOf(row.site);
        Json site{{"site", id},
                  {"name", words.choice("facility.site", id)},
                  {"hot_day_c", facility::climateOfHotDay(in).dryBulb},
                  {"energy_per_kwh", facility::energyPriceOf(in)},
                  {"carbon_kg_per_kwh", facility::carbonOf(in)},
                  {"currency", row.plan.economics.currency}};
        site.update(figuresOf(session, row.evaluation));
        sites.push_back(std::move(site));
    }
    return {{"sites", std::move(sites)}};
}

Json jsonOf(const Session& session, const std::vector<evaluation::Filled>& rows, double watts)
{
    Json machines = Json::array();
    for (const evaluation::Filled& row : rows) {
        const evaluation::Evaluation& e = row.evaluation;
        const scenario::Parallelism& p = row.plan.parallelism;
        Json machine{{"system", row.system.empty() ? Json(nullptr) : Json(row.system)},
                     {"chips", row.plan.cluster.chips},
                     {"layout",
                      {{"tensor", p.tensor},
                       {"context", p.context},
                       {"pipeline", p.pipeline},
                       {"expert", p.expert},
                       {"data", e.layout.data},
                       {"micro_batch_sequences", p.microBatchSequences},
                       {"searched", row.searched}}},
                     {"batch_tokens", e.forecast.batchTokens},
                     {"over_power", e.power.maximum.facility.si() > watts},
                     {"effective_mfu", e.run.effectiveMfu},
                     {"effective_flop_per_s", row.effective},
                     {"flop_per_j", e.power.flopsPerJoule},
                     {"tokens_per_s", e.power.tokensPerJoule * e.power.average.facility.si()},
                     {"flop_per_money", e.cost.flopsPerMoney},
                     {"currency", row.plan.economics.currency}};
        machine.update(figuresOf(session, e));
        machines.push_back(std::move(machine));
    }
    return {{"power_w", watts}, {"machines", std::move(machines)}};
}

void tellSites(const Session& session, const SitesOptions& options)
{
    const GivenPlan given = readGiven(session, options.plan, options.settings);
    const auto rows = evaluation::atAllSites(given.plan.scenario);
    if (options.format == "json")
        session.streams.out << jsonOf(session, rows).dump(2) << '\n';
    else
        write(session, options.format, report::sitesReport(rows, session.language));
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
    if (options.format == "json")
        session.streams.out << jsonOf(session, rows, *watts).dump(2) << '\n';
    else
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
