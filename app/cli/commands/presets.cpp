// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <memory>

#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/planinput.h"
#include "model/report/planreport.h"
#include "model/report/writers.h"
#include "model/scenario/presets.h"
#include "model/text/nearest.h"
#include "model/units/text.h"
#include "resources/embedded.h"

namespace cw::cli {

using Json = nlohmann::ordered_json;
using scenario::Preset;

namespace {

const std::vector<std::string> kKinds{"model", "chip", "system", "network", "software"};

struct Options
{
    std::vector<std::string> words; ///< [KIND] [NAME]
    std::string format;
};

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

void requireKind(const Session& session, const std::string& kind, bool examples)
{
    auto allowed = kKinds;
    if (examples)
        allowed.emplace_back("example");
    if (std::find(allowed.begin(), allowed.end(), kind) == allowed.end())
        stop(Status::CommandLine,
             session.message("cli.no-kind", {{"value", kind}, {"allowed", joined(allowed)}}));
}

struct Listed
{
    std::string kind;
    std::string id;
    std::string name;
    std::string vendor;
    int year = 0;
    std::string status;
};

std::vector<Listed> listed(const std::string& kind)
{
    std::vector<Listed> all;
    for (const std::string& k : kKinds)
        if (kind.empty() || kind == k)
            for (const Preset& p : scenario::presetsOf(k))
                all.push_back({k, p.id, p.name, p.vendor, p.year, p.status});
    if (kind.empty() || kind == "example")
        for (const std::string& name : exampleNames()) {
            const auto text = resources::file("examples/" + name + ".clusterwright");
            const auto json = nlohmann::json::parse(text, nullptr, false);
            all.push_back({"example",
                           name,
                           json.is_object() ? json.value("name", std::string()) : std::string(),
                           {},
                           0,
                           {}});
        }
    return all;
}

void list(const Session& session, const Options& options)
{
    const std::string kind = options.words.empty() ? std::string() : options.words.front();
    if (!kind.empty())
        requireKind(session, kind, true);
    const auto all = listed(kind);
    if (options.format == "json") {
        Json rows = Json::array();
        for (const Listed& p : all) {
            Json row{{"kind", p.kind}, {"id", p.id}, {"name", p.name}};
            if (p.year != 0) {
                row["vendor"] = p.vendor;
                row["year"] = p.year;
                row["status"] = p.status;
            }
            rows.push_back(std::move(row));
        }
        session.streams.out << rows.dump(2) << '\n';
        return;
    }
    const auto& words = session.words();
    report::Document document;
    report::Table table{{}, std::vector<std::string>(5), {}, false};
    for (const Listed& p : all)
        table.rows.push_back(
            {p.kind, p.id, p.name, p.year == 0 ? "" : p.vendor + " " + std::to_string(p.year),
             p.year == 0 ? std::string() : std::string(words.term("availability." + p.status))});
    document.add(std::move(table));
    session.streams.out << report::toText(document);
}

const Preset& named(const Session& session, const std::vector<std::string>& words)
{
    const std::string& id = words.back();
    std::vector<std::string> kinds;
    std::vector<std::string> ids;
    if (words.size() == 2)
        requireKind(session, words.front(), false);
    const Preset* found = nullptr;
    for (const std::string& kind : kKinds) {
        if (words.size() == 2 && kind != words.front())
            continue;
        for (const Preset& p : scenario::presetsOf(kind))
            ids.push_back(p.id);
        if (const Preset* preset = scenario::findPreset(kind, id)) {
            kinds.push_back(kind);
            found = preset;
        }
    }
    if (kinds.size() > 1)
        stop(Status::CommandLine,
             session.message("cli.several-presets", {{"value", id}, {"allowed", joined(kinds)}}));
    if (found == nullptr)
        stop(Status::CommandLine,
             session.message("cli.no-preset",
                             {{"value", id}, {"nearest", text::nearestOf(id, ids)}}));
    return *found;
}

std::string partOf(const std::string& kind)
{
    return kind == "system"    ? "cluster"
           : kind == "chip"    ? "cluster.chip"
           : kind == "network" ? "cluster.network"
                               : kind;
}

void show(const Session& session, const Options& options)
{
    const Preset& preset = named(session, options.words);
    if (options.format == "json") {
        session.streams.out << Json::parse(preset.json).dump(2) << '\n';
        return;
    }
    const auto& words = session.words();
    scenario::Scenario s;
    const std::string part = partOf(preset.kind);
    scenario::applyPreset(s, part, preset.id);
    report::Document document;
    document.heading(1, preset.name + " (" + preset.id + ")");
    document.paragraph(std::string(words.term("preset." + preset.kind)) + ", " + preset.vendor +
                       ", " + std::to_string(preset.year) + ", " +
                       std::string(words.term("availability." + preset.status)));
    for (const std::string& note : preset.notes)
        document.note(report::Note::Kind::Advice, note);
    const auto origins = scenario::originsOf(s);
    report::Table table{{}, std::vector<std::string>(5), {}, false};
    for (const scenario::Parameter& p : scenario::parameters(s)) {
        const scenario::Origin& origin = origins.at(p.path);
        const auto value = scenario::valueAt(s, p.path);
        if (origin.from != scenario::Origin::From::Preset || origin.preset != preset.id || !value)
            continue;
        const std::string status = origin.status == scenario::Status::Measured    ? "measured"
                                   : origin.status == scenario::Status::Published ? "published"
                                                                                  : "assumed";
        table.rows.push_back({p.path, words.label(p.textKey), report::shown(p, *value, words),
                              words.term("status." + status), origin.source});
    }
    document.add(std::move(table));
    session.streams.out << report::toText(document);
}

} // namespace

void addPresets(CLI::App& program, Session& session)
{
    const auto options = std::make_shared<Options>();
    CLI::App* command = session.add(program, "presets", session.term("presets"), {});
    session.requireCommand(*command);
    CLI::App* lister = session.add(*command, "list", session.term("presets-list"),
                                   [&session, options] { list(session, *options); });
    session.takeTexts(*lister, "KIND", options->words, session.term("kind"), 0, 1);
    session.takeFormat(*lister, options->format, {"text", "json"});
    CLI::App* shower = session.add(*command, "show", session.term("presets-show"),
                                   [&session, options] { show(session, *options); });
    session.takeTexts(*shower, "NAME", options->words, "[KIND] NAME: " + session.term("name"), 1,
                      2);
    session.takeFormat(*shower, options->format, {"text", "json"});
}

} // namespace cw::cli
