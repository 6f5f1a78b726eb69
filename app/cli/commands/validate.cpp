// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <iostream>
#include <memory>

#include <unistd.h>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/planinput.h"
#include "app/cli/validatereport.h"
#include "model/calibrate/bandtable.h"
#include "model/calibrate/presetupdate.h"
#include "model/report/writers.h"

namespace cw::cli {

namespace {

constexpr std::size_t kLargestRowsBytes = 256U << 20U;
constexpr std::size_t kLargestPresetBytes = 4U << 20U;
constexpr int kMostRowsPerStack = 1000;

struct Options
{
    std::vector<std::string> files;
    std::string format;
    bool leaveOneSourceOut = false;
    int calibrateRows = 0;
    std::string bands;
    std::string presets;

    bool refits() const
    {
        return leaveOneSourceOut || calibrateRows > 0 || !bands.empty() || !presets.empty();
    }
};

std::vector<calibrate::RowsFile> readRows(const Session& session, const Options& options,
                                          Stop& faults)
{
    std::vector<calibrate::RowsFile> files;
    for (const std::string& path : options.files) {
        try {
            files.push_back({std::filesystem::path(path).filename().string(),
                             readFile(session, path, kLargestRowsBytes)});
        } catch (const Stop& s) {
            faults.lines.insert(faults.lines.end(), s.lines.begin(), s.lines.end());
        }
    }
    return files;
}

/// One line that moves, where standard error is a terminal.
calibrate::Progress progressOn(const Session& session)
{
    if (&session.streams.err != &std::cerr || isatty(STDERR_FILENO) == 0)
        return {};
    return [&session](const std::string& what, std::size_t done, std::size_t all) {
        session.streams.err << '\r' << session.message(what) << ' ' << done << '/' << all
                            << (done == all ? "  \n" : "  ") << std::flush;
    };
}

void writePresets(const Session& session, const std::string& folder, const calibrate::Refit& refit)
{
    for (const char* kind : {"chips", "software"}) {
        const std::filesystem::path place = std::filesystem::path(folder) / kind;
        std::error_code none;
        for (const auto& entry : std::filesystem::directory_iterator(place, none)) {
            if (entry.path().extension() != ".json")
                continue;
            const std::string path = entry.path().string();
            const std::string text = readFile(session, path, kLargestPresetBytes);
            const std::string updated = calibrate::updatedPreset(text, refit);
            if (updated != text)
                writeWhole(session, path, updated);
        }
    }
}

void write(const Session& session, const Options& options, const ValidateAnswer& answer)
{
    std::ostream& out = session.streams.out;
    if (options.format == "json")
        out << toJson(answer).dump(2) << '\n';
    else if (options.format == "csv")
        out << csvOf(answer);
    else if (options.format == "markdown")
        out << report::toMarkdown(documentOf(session, answer));
    else
        out << report::toText(documentOf(session, answer));
}

void validateRows(const Session& session, const Options& options)
{
    Stop faults{Status::Input, {}};
    const auto files = readRows(session, options, faults);
    scenario::Faults wrong;
    ValidateAnswer answer;
    answer.validation = calibrate::validate(files, wrong);
    for (const scenario::Fault& fault : wrong) {
        const auto file = fault.arguments.find("name");
        faults.lines.push_back(
            lineOf(session, file == fault.arguments.end() ? "-" : file->second, fault));
    }
    if (!faults.lines.empty())
        throw Stop(faults);
    std::unique_ptr<calibrate::Refit> refit;
    if (options.refits()) {
        refit = std::make_unique<calibrate::Refit>(calibrate::stepRowsOf(files), 0,
                                                   progressOn(session));
        answer.refit = refit.get();
        if (options.presets.empty() || options.leaveOneSourceOut || !options.bands.empty())
            answer.leftOut =
                refit->leaveOneSourceOut(static_cast<std::size_t>(options.calibrateRows));
    }
    if (!options.bands.empty())
        writeWhole(session, options.bands,
                   calibrate::bandTable(answer.validation, *refit, *answer.leftOut));
    if (!options.presets.empty())
        writePresets(session, options.presets, *refit);
    write(session, options, answer);
}

} // namespace

void addValidate(CLI::App& program, Session& session)
{
    const auto options = std::make_shared<Options>();
    CLI::App* command = session.add(program, "validate", session.term("validate"),
                                    [&session, options] { validateRows(session, *options); });
    session.takeTexts(*command, "ROWS.json", options->files, session.term("rows"), 1, 0);
    session.takeFlag(*command, "--leave-one-source-out", options->leaveOneSourceOut,
                     session.term("validate.option.left-out"));
    session.takeNumber(*command, "--calibrate-rows", options->calibrateRows,
                       session.term("validate.option.rows"), 1, kMostRowsPerStack);
    session.takeText(*command, "--write-bands", options->bands,
                     session.term("validate.option.bands"), false);
    session.takeText(*command, "--write-constants", options->presets,
                     session.term("validate.option.presets"), false);
    session.takeFormat(*command, options->format, {"text", "json", "csv", "markdown"});
}

} // namespace cw::cli
