// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/planinput.h"
#include "model/report/planreport.h"
#include "model/report/writers.h"

namespace cw::cli {

namespace {

constexpr const char* kEndings = ".html, .md, .csv, .json";

struct Options
{
    std::vector<std::string> plans;
    std::vector<std::string> settings;
    std::string output;
};

std::string contentOf(const std::vector<report::Subject>& subjects, const std::string& ending,
                      text::Language language)
{
    if (ending == ".json")
        return report::reportJson(subjects, language, CLUSTERWRIGHT_VERSION).dump(2) + "\n";
    const report::Document document = report::reportOf(subjects, language, CLUSTERWRIGHT_VERSION);
    if (ending == ".html")
        return report::toHtml(document);
    return ending == ".md" ? report::toMarkdown(document) : report::toCsv(document);
}

void reportPlans(const Session& session, const Options& options)
{
    const std::string ending = std::filesystem::path(options.output).extension().string();
    const text::Arguments wrong{{"value", options.output}, {"allowed", kEndings}};
    if (ending == ".pdf")
        stop(Status::CommandLine, session.message("cli.no-pdf", wrong));
    if (ending != ".html" && ending != ".md" && ending != ".csv" && ending != ".json")
        stop(Status::CommandLine, session.message("cli.ending", wrong));
    std::vector<report::Subject> subjects;
    Stop faults{Status::Input, {}};
    for (const std::string& plan : options.plans) {
        try {
            GivenPlan given = readGiven(session, plan, options.settings);
            const std::string sum = sha256Of(given.text);
            subjects.push_back(
                report::subjectOf(given.name, std::move(given.plan), session.language));
            if (options.settings.empty()) // else the file is not what was evaluated
                subjects.back().sha256 = sum;
        } catch (const Stop& s) { // all faults of all plans at once
            if (s.status != Status::Input)
                throw;
            faults.lines.insert(faults.lines.end(), s.lines.begin(), s.lines.end());
        }
    }
    if (!faults.lines.empty())
        throw Stop(faults);
    writeWhole(session, options.output, contentOf(subjects, ending, session.language));
}

} // namespace

void addReport(CLI::App& program, Session& session)
{
    const auto options = std::make_shared<Options>();
    CLI::App* command = session.add(program, "report", session.term("report"),
                                    [&session, options] { reportPlans(session, *options); });
    session.takeTexts(*command, "PLAN", options->plans, session.term("plans"), 1, 0);
    session.takeSettings(*command, options->settings);
    session.takeOutput(*command, options->output);
}

} // namespace cw::cli
