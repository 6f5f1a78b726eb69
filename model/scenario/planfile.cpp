// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <set>

#include <nlohmann/json.hpp>

#include "model/scenario/jsonguard.h"
#include "model/scenario/phases.h"
#include "model/scenario/plan.h"
#include "model/scenario/planreader.h"
#include "model/scenario/planwriter.h"
#include "model/scenario/presets.h"

namespace cw::scenario {

namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr std::array<std::string_view, 8> kFreeMembers{
    "format", "version", "name", "notes", "training", "expect", "example", "resolved"};
constexpr std::array<std::string_view, 10> kParts{
    "model",    "workload", "precision",   "parallelism", "cluster",
    "software", "storage",  "reliability", "facility",    "economics"};

Fault faultAt(std::string_view code, std::string pointer, std::string value = {},
              std::string allowed = {})
{
    Fault f{std::string(code), std::move(pointer), {}};
    f.arguments["value"] = std::move(value);
    f.arguments["allowed"] = std::move(allowed);
    return f;
}

std::string lineAndColumn(std::string_view text, std::size_t byte)
{
    const std::string_view before = text.substr(0, std::min(byte, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t newline = before.rfind('\n');
    const std::size_t column =
        newline == std::string_view::npos ? before.size() : before.size() - newline - 1;
    return std::to_string(line) + ":" + std::to_string(std::max<std::size_t>(column, 1));
}

/// Parses with limits on size and depth, and finds members given twice.
std::optional<Json> parseBounded(std::string_view text, Faults& faults)
{
    if (text.size() > kLargestPlanBytes) {
        faults.push_back(faultAt("fault.too-large", "", std::to_string(text.size()),
                                 std::to_string(kLargestPlanBytes)));
        return {};
    }
    const JsonGuard guard = guardJson(text, kDeepestPlan);
    if (guard.tooDeep) {
        faults.push_back(faultAt("fault.too-deep", "", {}, std::to_string(kDeepestPlan)));
        return {};
    }
    if (guard.overflows) {
        faults.push_back(faultAt("fault.not-finite", guard.overflow, "1e999", "a finite number"));
        faults.back().arguments["name"] = guard.overflow;
        return {};
    }
    for (const std::string& pointer : guard.duplicates)
        faults.push_back(
            faultAt("fault.duplicate", pointer, pointer.substr(pointer.rfind('/') + 1)));
    try {
        return Json::parse(text);
    } catch (const Json::parse_error& e) {
        faults.push_back(faultAt("fault.syntax", "", lineAndColumn(text, e.byte)));
    } catch (const Json::exception&) {
        faults.push_back(faultAt("fault.syntax", "", "1:1"));
    }
    return {};
}

bool checkHead(const Json& json, Faults& faults)
{
    if (!json.is_object()) {
        faults.push_back(faultAt("fault.type", "", "", "an object"));
        return false;
    }
    const auto format = json.find("format");
    if (format == json.end() || *format != "clusterwright-plan")
        faults.push_back(faultAt(
            "fault.format", "/format",
            format == json.end() ? "" : format->dump(-1, ' ', true, Json::error_handler_t::replace),
            "clusterwright-plan"));
    const auto version = json.find("version");
    if (version != json.end() && !version->is_number_integer())
        faults.push_back(faultAt("fault.version", "/version",
                                 version->dump(-1, ' ', true, Json::error_handler_t::replace),
                                 std::to_string(kPlanVersion)));
    else if (version != json.end() && (*version > kPlanVersion || *version < 1))
        faults.push_back(
            faultAt("fault.version", "/version", version->dump(), std::to_string(kPlanVersion)));
    return faults.empty();
}

/// `same_as` in a group stands for the attention or FFN of an earlier group, with the other members
/// over it.
void expandSameAs(Json& json, Faults& faults)
{
    if (!json.contains("model") || !json["model"].is_object() ||
        !json["model"].contains("groups") || !json["model"]["groups"].is_array())
        return;
    Json& groups = json["model"]["groups"];
    for (std::size_t i = 0; i < groups.size(); ++i) {
        for (const char* part : {"attention", "ffn"}) {
            if (!groups[i].is_object() || !groups[i].contains(part) ||
                !groups[i][part].is_object() || !groups[i][part].contains("same_as"))
                continue;
            Json own = groups[i][part];
            const Json index = own["same_as"];
            own.erase("same_as");
            if (!index.is_number_unsigned() || index.get<std::size_t>() >= i ||
                !groups[index.get<std::size_t>()].is_object()) {
                faults.push_back(faultAt(
                    "fault.same-as", "/model/groups/" + std::to_string(i) + "/" + part + "/same_as",
                    index.dump(-1, ' ', true, Json::error_handler_t::replace),
                    "0 to " + std::to_string(i == 0 ? 0 : i - 1)));
                groups[i][part] = std::move(own);
                continue;
            }
            const Json& earlier = groups[index.get<std::size_t>()];
            Json merged = earlier.contains(part) && earlier[part].is_object() ? earlier[part]
                                                                              : Json::object();
            merged.update(own);
            groups[i][part] = std::move(merged);
        }
    }
}

/// `model.layers` sets the count of the largest group so that the total is right.
void applyLayers(const Json& json, Scenario& scenario, std::set<std::string>& known, Faults& faults)
{
    const Json::json_pointer pointer("/model/layers");
    if (!json.contains(pointer))
        return;
    known.insert("model.layers");
    const Json& layers = json[pointer];
    auto& groups = scenario.model.groups;
    const auto largest = std::max_element(groups.begin(), groups.end(),
                                          [](auto& a, auto& b) { return a.count < b.count; });
    std::int64_t others = 0;
    for (auto it = groups.begin(); it != groups.end(); ++it)
        others += it == largest ? 0 : it->count;
    const bool whole = layers.is_number_integer() && layers.get<double>() <= 10000;
    if (!whole || largest == groups.end() || layers.get<std::int64_t>() <= others) {
        faults.push_back(faultAt("fault.range", "/model/layers",
                                 layers.dump(-1, ' ', true, Json::error_handler_t::replace),
                                 std::to_string(others + 1) + " to 10000"));
        faults.back().arguments["name"] = "model.layers";
        return;
    }
    largest->count = layers.get<std::int64_t>() - others;
}

bool isListOfParts(const Json& value)
{
    return value.is_array() && !value.empty() &&
           std::all_of(value.begin(), value.end(),
                       [](const Json& item) { return item.is_object(); });
}

/// Marks, among the unknown members, an entry for each part of a list that is known.
constexpr const char* kEachPart = "[]";

/// Members of the file that no description knows, in their place.
void collectUnknown(const Json& json, const std::string& path, const std::set<std::string>& known,
                    Json& unknown, Faults& notices)
{
    for (const auto& [key, value] : json.items()) {
        const std::string here = path.empty() ? key : path + "." + key;
        if (path.empty() &&
            std::find(kFreeMembers.begin(), kFreeMembers.end(), key) != kFreeMembers.end())
            continue;
        if (known.count(here) == 0) {
            unknown[key] = value;
            std::string pointer = "/" + here;
            std::replace(pointer.begin(), pointer.end(), '.', '/');
            notices.push_back(faultAt("notice.unknown-member", pointer, key));
        } else if (value.is_object() && (key != "set")) {
            Json below = Json::object();
            collectUnknown(value, here, known, below, notices);
            if (!below.empty())
                unknown[key] = std::move(below);
        } else if (isListOfParts(value)) {
            Json list = Json::array();
            for (std::size_t i = 0; i < value.size(); ++i) {
                list.push_back(Json::object());
                collectUnknown(value[i], here + '.' + std::to_string(i), known, list.back(),
                               notices);
            }
            if (std::any_of(list.begin(), list.end(), [](const Json& j) { return !j.empty(); }))
                unknown[key] = {{kEachPart, std::move(list)}};
        }
    }
}

/// Settings of the phases are kept as text; what no phase could take is found here.
void checkPhaseSettings(const Scenario& scenario, Faults& faults)
{
    for (std::size_t i = 0; i < scenario.workload.phases.size(); ++i) {
        for (const PhaseFault& f : phasePlan(scenario, i).faults) {
            const std::string at = "/workload/phases/" + std::to_string(i) + "/set";
            faults.push_back(faultAt(f.refusal.code, f.path.empty() ? at : at + "/" + f.path,
                                     f.value, f.refusal.allowed));
            faults.back().arguments["name"] = f.path;
            faults.back().arguments["nearest"] = "";
        }
    }
}

Scenario readScenario(const Json& json, Faults& faults, std::set<std::string>* known)
{
    Scenario scenario;
    PlanReader reader(json);
    describe(reader, scenario);
    faults.insert(faults.end(), reader.faults.begin(), reader.faults.end());
    applyLayers(json, scenario, reader.known, faults);
    checkPhaseSettings(scenario, faults);
    if (known != nullptr)
        *known = std::move(reader.known);
    return scenario;
}

/// Drops from `resolved` the parts whose preset is another one now.
void dropOtherPresets(Json& resolved, const Json& plan)
{
    for (const char* part : {"/model", "/cluster", "/cluster/chip", "/cluster/node",
                             "/cluster/network", "/software", "/facility"}) {
        const Json::json_pointer at(part);
        if (!resolved.contains(at) || !resolved[at].is_object())
            continue;
        const Json then = resolved[at].value("preset", Json());
        const Json now =
            plan.contains(at) && plan[at].is_object() ? plan[at].value("preset", Json()) : Json();
        if (then != now)
            resolved[at] = Json::object();
    }
}

/// `above` over `below`, member by member; null is a value like others.
template <class AnyJson>
AnyJson laidOver(AnyJson below, const AnyJson& above)
{
    if (!below.is_object() || !above.is_object())
        return above;
    for (const auto& [key, value] : above.items())
        below[key] = below.contains(key) ? laidOver(std::move(below[key]), value) : value;
    return below;
}

/// What the plan says, with the numbers that its presets had when it was saved.
Scenario withResolved(const Json& json, const Scenario& today, Faults& faults, Faults& notices)
{
    Json resolved = json["resolved"];
    dropOtherPresets(resolved, json);
    Json own = json;
    for (const std::string_view member : kFreeMembers)
        own.erase(std::string(member));
    // Presets are in `resolved` already as numbers, so only what the plan itself gives is laid
    // over.
    const Json merged = laidOver(resolved, own);
    Faults ignored;
    Scenario then = readScenario(merged, ignored, nullptr);
    if (!ignored.empty()) {
        for (Fault& f : ignored)
            f.pointer = "/resolved" + f.pointer;
        faults.insert(faults.end(), ignored.begin(), ignored.end());
        return today;
    }
    for (const std::string& path : differingPaths(today, then)) {
        std::string pointer = "/resolved/" + path;
        std::replace(pointer.begin(), pointer.end(), '.', '/');
        const auto before = valueAt(then, path);
        const auto now = valueAt(today, path);
        notices.push_back(faultAt("notice.resolved-differs", pointer, before ? toText(*before) : "",
                                  now ? toText(*now) : ""));
        notices.back().arguments["name"] = path;
    }
    return then;
}

void readTexts(const Json& json, Plan& plan, Faults& faults)
{
    for (auto [name, target] : {std::pair{"name", &plan.name}, std::pair{"notes", &plan.notes}}) {
        const auto it = json.find(name);
        if (it == json.end())
            continue;
        if (it->is_string())
            *target = it->get<std::string>();
        else
            faults.push_back(faultAt("fault.type", std::string("/") + name, "", "text"));
    }
    for (auto [name, target] :
         {std::pair{"training", &plan.training}, std::pair{"expect", &plan.expect},
          std::pair{"example", &plan.example}}) {
        if (const auto it = json.find(name); it != json.end())
            *target = it->dump(-1, ' ', false, Json::error_handler_t::replace);
    }
}

} // namespace

PlanReading readPlan(std::string_view text)
{
    PlanReading reading;
    auto json = parseBounded(text, reading.faults);
    if (!json || !checkHead(*json, reading.faults))
        return reading;
    expandSameAs(*json, reading.faults);
    Plan plan;
    readTexts(*json, plan, reading.faults);
    std::set<std::string> known;
    plan.scenario = readScenario(*json, reading.faults, &known);
    Json unknown = Json::object();
    collectUnknown(*json, {}, known, unknown, reading.notices);
    plan.unknown = unknown.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (plan.scenario.model.groups.empty()) {
        reading.faults.push_back(
            faultAt("fault.range", "/model/groups", "[]", "at least one group"));
        reading.faults.back().arguments["name"] = "model.groups";
    }
    const auto resolved = json->find("resolved");
    if (resolved != json->end() && !resolved->is_object())
        reading.faults.push_back(faultAt("fault.type", "/resolved", "", "an object"));
    else if (resolved != json->end() && reading.faults.empty())
        plan.scenario = withResolved(*json, plan.scenario, reading.faults, reading.notices);
    if (reading.faults.empty())
        reading.plan = std::move(plan);
    return reading;
}

namespace {

/// Keeps of `full` what differs from `base`; presets always stay.
OrderedJson overridesOf(const OrderedJson& full, const OrderedJson& base)
{
    OrderedJson kept = OrderedJson::object();
    for (const auto& [key, value] : full.items()) {
        const auto it = base.find(key);
        const bool preset = key == "preset";
        if (!preset && it != base.end() && value.is_object() && it->is_object()) {
            OrderedJson below = overridesOf(value, *it);
            if (!below.empty())
                kept[key] = std::move(below);
        } else if (preset || it == base.end() || *it != value) {
            kept[key] = value;
        }
    }
    return kept;
}

/// Puts the members that nobody knows back into their places. Those of the parts of a list are left
/// out where parts came or went: it cannot be told whose they were.
void putBack(OrderedJson& json, const OrderedJson& unknown)
{
    for (const auto& [key, value] : unknown.items()) {
        if (value.is_object() && value.contains(kEachPart)) {
            const OrderedJson& parts = value[kEachPart];
            const auto list = json.find(key);
            if (list != json.end() && list->is_array() && list->size() == parts.size())
                for (std::size_t i = 0; i < parts.size(); ++i)
                    putBack((*list)[i], parts[i]);
        } else if (value.is_object() && json.contains(key) && json[key].is_object()) {
            putBack(json[key], value);
        } else if (value.is_object()) {
            OrderedJson below = OrderedJson::object();
            putBack(below, value);
            if (!below.empty() || value.empty())
                json[key] = std::move(below);
        } else {
            json[key] = value;
        }
    }
}

} // namespace

std::string writePlan(const Plan& plan, const Scenario* derived)
{
    OrderedJson json;
    json["format"] = "clusterwright-plan";
    json["version"] = kPlanVersion;
    json["name"] = plan.name;
    json["notes"] = plan.notes;
    const OrderedJson full = toJson(plan.scenario);
    const OrderedJson overrides = overridesOf(full, toJson(presetBaseline(plan.scenario)));
    for (const std::string_view part : kParts)
        if (const auto it = overrides.find(std::string(part)); it != overrides.end())
            json[std::string(part)] = *it;
    for (auto [name, text] :
         {std::pair{"training", &plan.training}, std::pair{"expect", &plan.expect},
          std::pair{"example", &plan.example}}) {
        OrderedJson member = OrderedJson::parse(*text, nullptr, false);
        if (!member.is_null() && !member.is_discarded())
            json[name] = std::move(member);
    }
    const OrderedJson unknown = OrderedJson::parse(plan.unknown, nullptr, false);
    if (unknown.is_object())
        putBack(json, unknown);
    json["resolved"] = derived == nullptr ? full : toJson(*derived);
    return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

} // namespace cw::scenario
