// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/scenario/presets.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include <nlohmann/json.hpp>

#include "model/scenario/planreader.h"
#include "model/scenario/planwriter.h"
#include "model/text/nearest.h"
#include "resources/embedded.h"

namespace cw::scenario {

namespace {

using Json = nlohmann::json;

struct Kindred
{
    std::vector<Preset> presets;
    std::map<std::string, Json, std::less<>> json;
};

std::vector<std::string> strings(const Json& j, const char* name)
{
    std::vector<std::string> list;
    if (const auto it = j.find(name); it != j.end() && it->is_array())
        for (const Json& x : *it)
            if (x.is_string())
                list.push_back(x.get<std::string>());
    return list;
}

std::string textOf(const Json& j, const char* name)
{
    const auto it = j.find(name);
    return it != j.end() && it->is_string() ? it->get<std::string>() : std::string();
}

Kindred load(std::string_view kind)
{
    Kindred kindred;
    const std::string folder = "presets/" + std::string(kind) + (kind == "software" ? "/" : "s/");
    for (const std::string_view name : resources::filesBelow(folder)) {
        const std::string_view text = resources::file(name);
        Json j = Json::parse(text, nullptr, false);
        if (!j.is_object())
            continue; // a test reads every preset; the program does without a broken one
        Preset p;
        p.kind = kind;
        p.id = textOf(j, "id");
        p.name = textOf(j, "name");
        p.vendor = j.contains("vendor") ? textOf(j, "vendor") : textOf(j, "org");
        p.year = j.contains("year") && j["year"].is_number() ? j["year"].get<int>() : 0;
        p.status = textOf(j, "status");
        p.aliases = strings(j, "aliases");
        p.notes = strings(j, "notes");
        p.json = text;
        kindred.presets.push_back(p);
        kindred.json.emplace(p.id, std::move(j));
    }
    std::stable_sort(
        kindred.presets.begin(), kindred.presets.end(), [](const Preset& a, const Preset& b) {
            return std::tie(a.vendor, a.year, a.name) < std::tie(b.vendor, b.year, b.name);
        });
    return kindred;
}

const Kindred& kindredOf(std::string_view kind)
{
    static const std::map<std::string, Kindred, std::less<>> all = [] {
        std::map<std::string, Kindred, std::less<>> m;
        for (const char* k : {"chip", "model", "system", "network", "software"})
            m.emplace(k, load(k));
        return m;
    }();
    static const Kindred none;
    const auto it = all.find(kind);
    return it == all.end() ? none : it->second;
}

const Json* presetJson(std::string_view kind, std::string_view id)
{
    const auto& json = kindredOf(kind).json;
    const auto it = json.find(id);
    return it == json.end() ? nullptr : &it->second;
}

/// The parts of a plan that can name a preset, with the kind they name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kPresetParts{
    {{"model", "model"},
     {"cluster", "system"},
     {"cluster.chip", "chip"},
     {"cluster.node", "system"},
     {"cluster.network", "network"},
     {"software", "software"},
     {"facility", "system"}}};

std::string& presetIdOf(Scenario& s, std::string_view partPath)
{
    if (partPath == "model")
        return s.model.preset;
    if (partPath == "cluster")
        return s.cluster.preset;
    if (partPath == "cluster.chip")
        return s.cluster.chip.preset;
    if (partPath == "cluster.node")
        return s.cluster.node.preset;
    if (partPath == "cluster.network")
        return s.cluster.network.preset;
    if (partPath == "software")
        return s.software.preset;
    return s.facility.preset;
}

std::string pointerOf(std::string_view path)
{
    std::string pointer = "/" + std::string(path);
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    return pointer;
}

/// A plan that names nothing but the given presets; without an id, the part names none.
Scenario fromPresets(const std::vector<std::pair<std::string, std::string>>& named)
{
    Json json = Json::object();
    for (const auto& [part, id] : named)
        json[Json::json_pointer(pointerOf(part) + "/preset")] = id.empty() ? Json() : Json(id);
    Scenario scenario;
    PlanReader reader(json);
    describe(reader, scenario);
    return scenario;
}

std::vector<std::pair<std::string, std::string>> namedPresets(const Scenario& scenario)
{
    std::vector<std::pair<std::string, std::string>> named;
    Scenario copy = scenario;
    for (const auto& [part, kind] : kPresetParts)
        if (const std::string& id = presetIdOf(copy, part); !id.empty())
            named.emplace_back(part, id);
    if (scenario.facility.preset.empty())
        named.emplace_back("facility", std::string());
    return named;
}

/// Gives the facility what belongs to a machine: racks, and how they are cooled.
void takeMachine(Facility& to, const Facility& from)
{
    to.preset = from.preset;
    to.cooling = from.cooling;
    to.liquidShare = from.liquidShare;
    to.coolant = from.coolant;
    to.supplyC = from.supplyC;
    to.coolantRise = from.coolantRise;
    to.supplyMaxC = from.supplyMaxC;
    to.rackChips = from.rackChips;
    to.rackPowerLimit = from.rackPowerLimit;
    to.rackMass = from.rackMass;
}

void takePart(Scenario& to, const Scenario& from, std::string_view partPath)
{
    if (partPath == "model") {
        to.model = from.model;
    } else if (partPath == "cluster") {
        to.cluster.preset = from.cluster.preset;
        to.cluster.chip = from.cluster.chip;
        to.cluster.node = from.cluster.node;
        to.cluster.network = from.cluster.network;
    } else if (partPath == "cluster.chip") {
        to.cluster.chip = from.cluster.chip;
    } else if (partPath == "cluster.node") {
        to.cluster.node = from.cluster.node;
    } else if (partPath == "cluster.network") {
        to.cluster.network = from.cluster.network;
    } else if (partPath == "software") {
        to.software = from.software;
    } else if (partPath == "facility") {
        to.facility = from.facility;
    }
}

} // namespace

const std::vector<Preset>& presetsOf(std::string_view kind)
{
    return kindredOf(kind).presets;
}

const Preset* findPreset(std::string_view kind, std::string_view id)
{
    const auto& all = presetsOf(kind);
    const auto it =
        std::find_if(all.begin(), all.end(), [&](const Preset& p) { return p.id == id; });
    return it == all.end() ? nullptr : &*it;
}

std::string nearestPreset(std::string_view kind, std::string_view given)
{
    std::vector<std::string> ids;
    for (const Preset& p : presetsOf(kind))
        ids.push_back(p.id);
    return text::nearestOf(given, ids);
}

const Json* presetValues(std::string_view kind, std::string_view id, std::string_view partPath)
{
    const Json* preset = presetJson(kind, id);
    if (preset == nullptr || !preset->contains("values"))
        return nullptr;
    const Json* values = &(*preset)["values"];
    if (kind != "system")
        return values;
    static const Json empty = Json::object();
    const Json::json_pointer pointer(pointerOf(partPath));
    return values->contains(pointer) ? &(*values)[pointer] : &empty;
}

std::optional<Refusal> applyPreset(Scenario& scenario, std::string_view partPath,
                                   std::string_view id, const std::vector<std::string>& keep)
{
    const auto part = std::find_if(kPresetParts.begin(), kPresetParts.end(),
                                   [&](const auto& p) { return p.first == partPath; });
    if (part == kPresetParts.end())
        return Refusal{"fault.unknown-path", {}};
    if (presetJson(part->second, id) == nullptr)
        return Refusal{"fault.unknown-preset", nearestPreset(part->second, id)};
    std::vector<std::pair<std::string, Value>> kept;
    for (const std::string& path : keep)
        if (auto value = valueAt(scenario, path))
            kept.emplace_back(path, std::move(*value));
    std::vector<std::pair<std::string, std::string>> named{
        {std::string(partPath), std::string(id)}};
    if (partPath == "cluster")
        named.emplace_back("facility", id);
    const Scenario fresh = fromPresets(named);
    takePart(scenario, fresh, partPath);
    if (partPath == "cluster")
        takeMachine(scenario.facility, fresh.facility);
    for (const auto& [path, value] : kept)
        setValue(scenario, path, value); // one that the new shape has no place for is dropped
    return {};
}

Scenario presetBaseline(const Scenario& scenario)
{
    return fromPresets(namedPresets(scenario));
}

namespace {

/// The source that a preset gives for a member: the longest path that names it, or "*".
std::optional<Origin> sourceIn(const Json& preset, std::string_view relative)
{
    const auto sources = preset.find("sources");
    if (sources == preset.end() || !sources->is_object())
        return {};
    const Json* best = nullptr;
    std::size_t longest = 0;
    for (const auto& [key, value] : sources->items()) {
        const bool all = key == "*";
        const bool prefix = relative == key ||
                            (relative.size() > key.size() &&
                             relative.substr(0, key.size()) == key && relative[key.size()] == '.');
        if (all ? best == nullptr : (prefix && key.size() >= longest)) {
            best = &value;
            longest = all ? 0 : key.size();
        }
    }
    if (best == nullptr || !best->is_object())
        return {};
    Origin origin;
    origin.from = Origin::From::Preset;
    const std::string status = textOf(*best, "status");
    origin.status = status == "measured"    ? Status::Measured
                    : status == "published" ? Status::Published
                                            : Status::Assumed;
    origin.source = textOf(*best, "source");
    return origin;
}

/// The nearest preset around a path that gives it a value.
std::optional<Origin> presetOrigin(const Scenario& scenario, std::string_view path)
{
    Scenario copy = scenario;
    std::optional<Origin> found;
    for (const auto& [part, kind] : kPresetParts) {
        const std::string& id = presetIdOf(copy, part);
        if (id.empty() || path.substr(0, part.size()) != part || path.size() <= part.size() ||
            path[part.size()] != '.')
            continue;
        const Json* values = presetValues(kind, id, part);
        const std::string_view relative = path.substr(part.size() + 1);
        if (values == nullptr || !values->contains(Json::json_pointer(pointerOf(relative))))
            continue;
        // Sources of a system are keyed from the top of its values.
        auto origin = sourceIn(*presetJson(kind, id), kind == "system" ? path : relative);
        if (!origin)
            origin = Origin{Origin::From::Preset, Status::Assumed, {}, {}};
        origin->preset = id;
        found = origin;
    }
    return found;
}

} // namespace

Origin originOf(const Scenario& scenario, std::string_view path)
{
    const auto value = valueAt(scenario, path);
    const auto base = valueAt(presetBaseline(scenario), path);
    if (!value || !base || *value != *base)
        return Origin{Origin::From::User, Status::Choice, {}, {}};
    if (auto origin = presetOrigin(scenario, path))
        return *origin;
    Origin origin{Origin::From::Default, Status::Choice, {}, {}};
    for (const Parameter& p : parameters(scenario)) {
        if (p.path == path) {
            origin.status = p.spec.status;
            origin.source = p.spec.source;
            break;
        }
    }
    return origin;
}

std::map<std::string, Origin> originsOf(const Scenario& scenario)
{
    const auto given = differingPaths(scenario, presetBaseline(scenario));
    const std::set<std::string> users(given.begin(), given.end());
    std::map<std::string, Origin> origins;
    for (const Parameter& p : parameters(scenario)) {
        Origin origin{Origin::From::User, Status::Choice, {}, {}};
        if (users.count(p.path) == 0) {
            if (auto preset = presetOrigin(scenario, p.path))
                origin = std::move(*preset);
            else
                origin = {Origin::From::Default, p.spec.status, std::string(p.spec.source), {}};
        }
        origins.emplace(p.path, std::move(origin));
    }
    return origins;
}

} // namespace cw::scenario
