// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <memory>

#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/planinput.h"
#include "model/evaluation/quantities.h"
#include "model/report/networkteller.h"
#include "model/scenario/presets.h"
#include "model/units/text.h"

namespace cw::cli {

namespace {

struct Options
{
    std::string plan;
    std::vector<std::string> settings;
    std::string as;
    std::string output;
};

std::string oneField(const std::string& text)
{
    return oneLine(text); // neither tabs nor line breaks in a field
}

/// Inputs, then figures: kind, path, value, unit.
std::string tsvOf(const scenario::Scenario& s)
{
    std::string out = "kind\tpath\tvalue\tunit\n";
    for (const scenario::Parameter& p : scenario::parameters(s))
        if (const auto value = scenario::valueAt(s, p.path))
            out += "input\t" + p.path + "\t" + oneField(scenario::toText(*value)) + "\t" +
                   std::string(units::symbol(p.spec.unit)) + "\n";
    for (const auto& f : evaluation::figuresOf(evaluation::evaluate(s)))
        out += "figure\t" + f.path + "\t" + units::exact(f.value) + "\t" +
               std::string(units::symbol(f.unit)) + "\n";
    return out;
}

bool isJson(const std::string& file)
{
    return std::filesystem::path(file).extension() == ".json";
}

/// Every figure as the `expect` of a plan holds it.
std::string expectationsOf(const scenario::Scenario& s)
{
    auto list = nlohmann::ordered_json::array();
    for (const auto& f : evaluation::figuresOf(evaluation::evaluate(s)))
        list.push_back({{"quantity", f.path}, {"value", f.value}, {"tolerance", 0.001}});
    return list.dump(2) + "\n";
}

void exportPlan(const Session& session, const Options& options)
{
    const GivenPlan given = readGiven(session, options.plan, options.settings);
    const scenario::Scenario& s = given.plan.scenario;
    std::string content;
    if (options.as == "plan") {
        const scenario::Scenario derived = evaluation::derived(s);
        content = scenario::writePlan(given.plan, &derived);
    } else if (options.as == "rank-map") {
        content = isJson(options.output) ? report::rankMapJson(s) : report::rankMapCsv(s);
    } else {
        content = options.as == "tsv" ? tsvOf(s) : expectationsOf(s);
    }
    writeWhole(session, options.output, content);
    session.streams.out << sha256Of(content) << "  " << oneLine(options.output) << '\n';
}

} // namespace

void addExport(CLI::App& program, Session& session)
{
    const auto options = std::make_shared<Options>();
    CLI::App* command = session.add(program, "export", session.term("export"),
                                    [&session, options] { exportPlan(session, *options); });
    session.takePlan(*command, options->plan);
    session.takeSettings(*command, options->settings);
    session.takeChoice(*command, "--as", options->as, session.term("as"),
                       {"plan", "tsv", "expectations", "rank-map"}, true);
    session.takeOutput(*command, options->output);
}

} // namespace cw::cli
