// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/scenario/phases.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <nlohmann/json.hpp>

#include "model/scenario/planreader.h"
#include "model/scenario/planwriter.h"

namespace cw::scenario {

namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> kParts{"workload.", "precision.", "parallelism.",
                                                 "software."};
constexpr std::string_view kAllowed = "workload, precision, parallelism, software";

/// Members of nested objects by their whole path.
void flatten(const Json& json, const std::string& path,
             std::vector<std::pair<std::string, Json>>& to)
{
    for (const auto& [key, value] : json.items()) {
        const std::string here = path.empty() ? key : path + "." + key;
        if (value.is_object())
            flatten(value, here, to);
        else
            to.emplace_back(here, value);
    }
}

bool mayDiffer(std::string_view path)
{
    if (path == "workload.jobs" || path == "workload.training_tokens" ||
        path.substr(0, 16) == "workload.phases.")
        return false;
    return std::any_of(kParts.begin(), kParts.end(), [path](std::string_view part) {
        return path.substr(0, part.size()) == part;
    });
}

/// A JSON value as the parameter takes it; nothing where it cannot.
std::optional<Value> valueOf(const Parameter& p, const Json& json)
{
    if (json.is_null())
        return Value(std::monostate());
    if (json.is_boolean())
        return Value(json.get<bool>());
    if (json.is_number())
        return Value(json.get<double>());
    if (json.is_string())
        return parseValue(p, json.get<std::string>());
    if (!json.is_array())
        return {};
    std::vector<double> numbers;
    std::vector<std::string> names;
    for (const Json& item : json) {
        if (item.is_number())
            numbers.push_back(item.get<double>());
        else if (item.is_string())
            names.push_back(item.get<std::string>());
        else
            return {};
    }
    if (p.kind == Kind::Choices && numbers.empty())
        return Value(names);
    if (names.empty())
        return Value(numbers);
    return {};
}

std::optional<Refusal> setOne(Scenario& scenario, const std::vector<Parameter>& all,
                              const std::string& path, const Json& json)
{
    if (!mayDiffer(path))
        return Refusal{"fault.phase-path", std::string(kAllowed)};
    for (const Parameter& p : all) {
        if (p.path != path)
            continue;
        const auto value = valueOf(p, json);
        return setValue(scenario, path, value ? *value : Value(json.dump()));
    }
    return Refusal{"fault.phase-path", std::string(kAllowed)};
}

/// The index in "workload.phases.N.set.REST", and the rest.
std::optional<std::pair<std::size_t, std::string>> phaseSetting(std::string_view path)
{
    constexpr std::string_view kHead = "workload.phases.";
    if (path.substr(0, kHead.size()) != kHead)
        return {};
    path.remove_prefix(kHead.size());
    std::size_t index = 0;
    const auto read = std::from_chars(path.data(), path.data() + path.size(), index);
    if (read.ec != std::errc())
        return {};
    path.remove_prefix(static_cast<std::size_t>(read.ptr - path.data()));
    constexpr std::string_view kSet = ".set.";
    if (path.substr(0, kSet.size()) != kSet)
        return {};
    path.remove_prefix(kSet.size());
    return std::pair(index, std::string(path));
}

/// One setting of a phase: kept as the text of its JSON.
std::optional<Refusal> setInPhase(Scenario& scenario, std::size_t index, const std::string& path,
                                  std::string_view text)
{
    if (index >= scenario.workload.phases.size())
        return Refusal{"fault.unknown-path", ""};
    Phase& phase = scenario.workload.phases[index];
    OrderedJson set = OrderedJson::parse(phase.set, nullptr, false);
    if (!set.is_object())
        set = OrderedJson::object();
    OrderedJson value = OrderedJson::parse(text, nullptr, false);
    set[path] = value.is_discarded() || value.is_object() ? OrderedJson(std::string(text)) : value;
    Scenario changed = scenario;
    changed.workload.phases[index].set = set.dump();
    for (const PhaseFault& f : phasePlan(changed, index).faults)
        if (f.path == path)
            return f.refusal;
    phase.set = set.dump();
    return {};
}

} // namespace

PhasePlan phasePlan(const Scenario& plan, std::size_t index)
{
    PhasePlan result;
    result.scenario = plan;
    Scenario& s = result.scenario;
    s.workload.phases.clear();
    if (index >= plan.workload.phases.size())
        return result;
    const Phase& phase = plan.workload.phases[index];
    s.workload.trainingTokens = std::max(phase.trainingTokens, 1.0);
    const Json set = Json::parse(phase.set.empty() ? "{}" : phase.set, nullptr, false);
    if (!set.is_object()) {
        result.faults.push_back({"", phase.set, {"fault.type", "an object of paths and values"}});
        return result;
    }
    std::vector<std::pair<std::string, Json>> settings;
    flatten(set, "", settings);
    if (settings.empty())
        return result;
    const std::vector<Parameter> all = parameters(s);
    for (const auto& [path, value] : settings)
        if (const auto refusal = setOne(s, all, path, value))
            result.faults.push_back({path, value.dump(), *refusal});
    return result;
}

std::optional<Refusal> setStructure(Scenario& scenario, std::string_view path,
                                    std::string_view text)
{
    if (const auto setting = phaseSetting(path))
        return setInPhase(scenario, setting->first, setting->second, text);
    const Json list = Json::parse(text, nullptr, false);
    std::string pointer = "/" + std::string(path);
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    if (pointer.find('~') != std::string::npos)
        return Refusal{"fault.unknown-path", ""};
    Json plan = toJson(scenario);
    const Json::json_pointer at(pointer);
    if (!plan.contains(at) || !plan[at].is_array())
        return Refusal{"fault.unknown-path", ""};
    if (!list.is_array())
        return Refusal{"fault.type", "a JSON list, [{...}]"};
    plan[at] = list;
    Scenario changed;
    PlanReader reader(plan);
    describe(reader, changed);
    if (!reader.faults.empty()) {
        const Fault& first = reader.faults.front();
        const auto allowed = first.arguments.find("allowed");
        return Refusal{first.code, allowed == first.arguments.end() ? "" : allowed->second};
    }
    for (std::size_t i = 0; i < changed.workload.phases.size(); ++i)
        if (const auto faults = phasePlan(changed, i).faults; !faults.empty())
            return faults.front().refusal;
    scenario = std::move(changed);
    return {};
}

bool addNextPart(Scenario& scenario, std::string_view path)
{
    const Json plan = toJson(scenario);
    const Json* at = &plan;
    std::string list;
    while (!path.empty()) {
        const std::size_t dot = std::min(path.find('.'), path.size());
        const std::string name(path.substr(0, dot));
        path.remove_prefix(std::min(dot + 1, path.size()));
        if (at->is_array()) {
            if (name == std::to_string(at->size())) {
                Json longer = *at;
                longer.push_back(Json::object());
                return !setStructure(scenario, list, longer.dump());
            }
            std::size_t index = 0;
            const auto read = std::from_chars(name.data(), name.data() + name.size(), index);
            if (read.ec != std::errc() || index >= at->size())
                return false;
            at = &(*at)[index];
        } else if (at->is_object() && at->contains(name)) {
            at = &(*at)[name];
        } else {
            return false;
        }
        list += (list.empty() ? "" : ".") + name;
    }
    return false;
}

} // namespace cw::scenario
