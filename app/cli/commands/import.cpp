// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/planinput.h"
#include "model/evaluation/evaluation.h"
#include "model/exchange/measurements.h"
#include "model/units/text.h"

namespace cw::cli {

namespace {

constexpr std::size_t kLargestMeasurement = 64U << 20U;

struct Options
{
    std::string tool;
    std::vector<std::string> files;
    std::string into;
    std::string output;
};

exchange::MeasuringTool toolOf(const std::string& name)
{
    if (name == "perftest")
        return exchange::MeasuringTool::Perftest;
    return name == "iperf3" ? exchange::MeasuringTool::Iperf3 : exchange::MeasuringTool::NcclTests;
}

/// A new measurement of an operation in a tier takes the place of the old one.
void put(std::vector<scenario::MeasuredBandwidth>& measured, const scenario::MeasuredBandwidth& row)
{
    for (auto& m : measured)
        if (m.tier == row.tier && m.operation == row.operation) {
            m = row;
            return;
        }
    measured.push_back(row);
}

void tell(const Session& session, const scenario::MeasuredBandwidth& m)
{
    session.complain(session.message(
        "import.measured", {{"tier", session.term("import.tier." + std::string(nameOf(m.tier)))},
                            {"operation", std::string(nameOf(m.operation))},
                            {"rate", units::rounded(m.busBandwidth / 1e9, 4)},
                            {"bytes", units::rounded(m.bytes, 12)},
                            {"ranks", std::to_string(m.ranks)}}));
}

void importFiles(const Session& session, const Options& options)
{
    GivenPlan given = readGiven(session, options.into);
    scenario::Network& network = given.plan.scenario.cluster.network;
    std::vector<std::string> faults;
    for (const std::string& file : options.files) {
        const exchange::MeasurementHints hints{std::filesystem::path(file).filename().string(),
                                               network.scaleUp.chips, network.sites > 1};
        const auto reading = exchange::readMeasurements(
            toolOf(options.tool), readFile(session, file, kLargestMeasurement), hints);
        for (const scenario::Fault& fault : reading.faults)
            faults.push_back(lineOf(session, file, fault));
        for (const auto& row : reading.measured)
            put(network.measured, row);
    }
    if (!faults.empty())
        throw Stop{Status::Input, std::move(faults)};
    for (const auto& row : network.measured)
        tell(session, row);
    const scenario::Scenario derived = evaluation::derived(given.plan.scenario);
    const std::string content = scenario::writePlan(given.plan, &derived);
    std::error_code ignored;
    std::string output = options.output;
    if (output.empty() && options.into != "-" && std::filesystem::exists(options.into, ignored))
        output = options.into;
    if (output.empty() || output == "-") {
        session.streams.out << content;
        return;
    }
    writeWhole(session, output, content);
    session.streams.out << sha256Of(content) << "  " << oneLine(output) << '\n';
}

} // namespace

void addImport(CLI::App& program, Session& session)
{
    const auto options = std::make_shared<Options>();
    CLI::App* command = session.add(program, "import", session.term("import"),
                                    [&session, options] { importFiles(session, *options); });
    session.takeChoice(*command, "TOOL", options->tool, session.term("import.tool"),
                       {"nccl-tests", "perftest", "iperf3"}, true);
    session.takeTexts(*command, "FILE", options->files, session.term("import.file"), 1, 0);
    session.takeText(*command, "--into", options->into, session.term("import.into"), true);
    session.takeText(*command, "-o", options->output, session.term("import.output"), false);
}

} // namespace cw::cli
