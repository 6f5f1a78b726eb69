// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/planinput.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "model/calibrate/calibration.h"
#include "model/scenario/phases.h"
#include "model/scenario/presets.h"
#include "model/text/nearest.h"
#include "resources/embedded.h"

namespace cw::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kExamples = "examples/";
constexpr std::string_view kEnding = ".clusterwright";

/// All of a stream, or as much as shows that it is more than `most`.
std::string contentOf(std::istream& in, std::size_t most)
{
    std::string text;
    std::string block(1U << 16U, '\0');
    while (text.size() <= most && in) {
        in.read(block.data(), static_cast<std::streamsize>(block.size()));
        text.append(block, 0, static_cast<std::size_t>(in.gcount()));
    }
    return text;
}

[[noreturn]] void stopAt(const Session& session, const std::string& file,
                         const scenario::Fault& fault)
{
    stop(Status::Input, lineOf(session, file, fault));
}

std::string textOf(const Session& session, const std::string& argument)
{
    if (argument == "-")
        return contentOf(session.streams.in, scenario::kLargestPlanBytes);
    std::error_code ignored;
    if (!fs::exists(argument, ignored)) {
        const std::string_view example =
            resources::file(std::string(kExamples) + argument + std::string(kEnding));
        if (!example.empty())
            return std::string(example);
        stopAt(session, argument,
               {"cli.no-file", "", {{"nearest", text::nearestOf(argument, exampleNames())}}});
    }
    return readFile(session, argument, scenario::kLargestPlanBytes);
}

constexpr std::size_t kLargestPresetBytes = 16U << 20U;

/// Starts a part from a file that `calibrate` wrote; answers the faults in one line, or nothing.
std::optional<std::string> setFromFile(const Session& session, scenario::Scenario& scenario,
                                       const std::string& part, const std::string& file)
{
    const std::string text = readFile(session, file, kLargestPresetBytes);
    std::string told;
    for (const scenario::Fault& fault : calibrate::applyCalibrationFile(scenario, part, text))
        told += (told.empty() ? "" : "; ") + lineOf(session, file, fault);
    return told.empty() ? std::optional<std::string>() : told;
}

/// Sets one PATH=VALUE; answers the fault, or nothing.
std::optional<std::string> setKnown(const Session& session, scenario::Scenario& scenario,
                                    const std::string& setting)
{
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
        return session.message("cli.set-form", {{"value", setting}});
    const std::string path = setting.substr(0, equals);
    const std::string text = setting.substr(equals + 1);
    const auto fault = [&](const std::string& code, const text::Arguments& arguments) {
        return session.message("cli.set",
                               {{"value", setting}, {"message", session.message(code, arguments)}});
    };
    std::vector<std::string> paths;
    for (const scenario::Parameter& p : scenario::parameters(scenario)) {
        paths.push_back(p.path);
        if (p.path != path)
            continue;
        std::error_code ignored;
        if (p.kind == scenario::Kind::Preset && fs::path(text).extension() == ".json" &&
            fs::exists(text, ignored))
            return setFromFile(session, scenario, path.substr(0, path.rfind('.')), text);
        const auto value = scenario::parseValue(p, text);
        std::optional<scenario::Refusal> refusal;
        if (p.kind == scenario::Kind::Preset && !text.empty() && text != "null")
            refusal = scenario::applyPreset(scenario, path.substr(0, path.rfind('.')), text);
        else // a text that is no value is refused with what is allowed
            refusal = scenario::setValue(scenario, path, value ? *value : scenario::Value(text));
        if (!refusal)
            return {};
        return fault(refusal->code,
                     {{"value", text},
                      {"allowed", refusal->allowed},
                      {"nearest", refusal->code == "fault.unknown-preset" ? refusal->allowed
                                                                          : std::string()}});
    }
    // A list of parts as JSON, or a setting of a phase.
    const auto refusal = scenario::setStructure(scenario, path, text);
    if (!refusal)
        return {};
    if (refusal->code != "fault.unknown-path")
        return fault(
            refusal->code,
            {{"value", text}, {"allowed", refusal->allowed}, {"nearest", ""}, {"name", path}});
    return fault("fault.unknown-path",
                 {{"value", path}, {"nearest", text::nearestOf(path, paths)}});
}

/// The same; a path into the next part of a list makes that part.
std::optional<std::string> set(const Session& session, scenario::Scenario& scenario,
                               const std::string& setting)
{
    scenario::Scenario longer = scenario;
    if (!scenario::addNextPart(longer, setting.substr(0, setting.find('='))))
        return setKnown(session, scenario, setting);
    auto fault = setKnown(session, longer, setting);
    if (!fault)
        scenario = std::move(longer);
    return fault;
}

} // namespace

std::vector<std::string> exampleNames()
{
    std::vector<std::string> names;
    for (std::string_view file : resources::filesBelow(kExamples)) {
        file.remove_prefix(kExamples.size());
        if (file.size() > kEnding.size() && file.substr(file.size() - kEnding.size()) == kEnding)
            names.emplace_back(file.substr(0, file.size() - kEnding.size()));
    }
    return names;
}

std::string lineOf(const Session& session, const std::string& file, const scenario::Fault& fault)
{
    return oneLine(file + ": " + (fault.pointer.empty() ? "/" : fault.pointer) + ": " +
                   session.message(fault.code, fault.arguments));
}

std::string readFile(const Session& session, const std::string& path, std::size_t most)
{
    const auto unreadable = [&](const std::string& reason) {
        stopAt(session, path, {"cli.unreadable", "", {{"reason", reason}}});
    };
    std::error_code ignored;
    if (fs::is_directory(path, ignored))
        unreadable(std::strerror(EISDIR));
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in)
        unreadable(std::strerror(errno));
    std::string text = contentOf(in, most);
    if (in.bad())
        unreadable(std::strerror(errno != 0 ? errno : EIO));
    if (text.size() > most)
        stopAt(session, path,
               {"fault.too-large",
                "",
                {{"value", "> " + std::to_string(most)}, {"allowed", std::to_string(most)}}});
    return text;
}

GivenPlan readGiven(const Session& session, const std::string& argument)
{
    GivenPlan given;
    given.text = textOf(session, argument);
    scenario::PlanReading reading = scenario::readPlan(given.text);
    if (!reading.plan || !reading.faults.empty()) {
        Stop all{Status::Input, {}};
        for (const scenario::Fault& fault : reading.faults)
            all.lines.push_back(lineOf(session, argument, fault));
        throw Stop(all);
    }
    for (const scenario::Fault& notice : reading.notices)
        session.complain(lineOf(session, argument, notice));
    given.plan = std::move(*reading.plan);
    given.name = given.plan.name.empty() ? argument : given.plan.name;
    return given;
}

GivenPlan readGiven(const Session& session, const std::string& argument,
                    const std::vector<std::string>& settings)
{
    GivenPlan given = readGiven(session, argument);
    applySettings(session, given.plan.scenario, settings);
    return given;
}

void applySettings(const Session& session, scenario::Scenario& scenario,
                   const std::vector<std::string>& settings)
{
    scenario::Scenario changed = scenario;
    Stop all{Status::CommandLine, {}};
    for (const std::string& setting : settings)
        if (auto fault = set(session, changed, setting))
            all.lines.push_back(std::move(*fault));
    if (!all.lines.empty())
        throw Stop(all);
    scenario = std::move(changed);
}

} // namespace cw::cli
