// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/scenario/planreader.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "model/scenario/presets.h"
#include "model/text/nearest.h"
#include "model/units/text.h"

namespace cw::scenario {

namespace {

constexpr std::size_t kLongestList = 4096;

std::string joined(Names names)
{
    std::string text;
    for (const std::string_view n : names) {
        text += text.empty() ? "" : ", ";
        text += n;
    }
    return text;
}

std::string rangeOf(const Spec& s)
{
    return s.max >= std::numeric_limits<double>::max()
               ? "at least " + units::rounded(s.min)
               : units::rounded(s.min) + " to " + units::rounded(s.max);
}

std::string shown(const nlohmann::json& value)
{
    std::string text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    constexpr std::size_t kLongest = 60;
    if (text.size() > kLongest)
        text = text.substr(0, kLongest) + "...";
    return text;
}

std::string nearestName(const std::string& x, Names names)
{
    return text::nearestOf(x, std::vector<std::string>(names.begin(), names.end()));
}

int indexOf(const std::string& x, Names names)
{
    const auto it = std::find(names.begin(), names.end(), x);
    return it == names.end() ? -1 : static_cast<int>(it - names.begin());
}

} // namespace

const nlohmann::json* PlanReader::find(std::string_view name)
{
    for (const Layer& layer : m_layers.back()) {
        const auto it = layer.json->find(name);
        if (it == layer.json->end())
            continue;
        if (layer.ofPlan)
            known.insert(pathOf(name));
        return &*it;
    }
    return nullptr;
}

void PlanReader::fault(std::string_view code, std::string_view name, const Json& value,
                       std::string allowed, std::string nearest)
{
    std::string pointer = "/" + pathOf(name);
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    Fault f{std::string(code), std::move(pointer), {}};
    f.arguments["name"] = pathOf(name);
    f.arguments["value"] = shown(value);
    f.arguments["allowed"] = std::move(allowed);
    f.arguments["nearest"] = std::move(nearest);
    faults.push_back(std::move(f));
}

bool PlanReader::legal(std::string_view name, const Json& value, const Spec& spec, bool integral,
                       double& number)
{
    if (!value.is_number()) {
        fault("fault.type", name, value, rangeOf(spec));
        return false;
    }
    const double x = value.get<double>();
    const char* code = nullptr;
    if (!std::isfinite(x))
        code = "fault.not-finite";
    else if (x < spec.min || x > spec.max)
        code = "fault.range";
    else if (integral && std::nearbyint(x) != x)
        code = "fault.whole";
    if (code != nullptr) {
        fault(code, name, value, rangeOf(spec));
        return false;
    }
    number = x;
    return true;
}

bool PlanReader::legalList(std::string_view name, const Json& value, const Spec& spec,
                           bool integral, std::vector<double>& numbers)
{
    numbers.clear();
    if (value.is_null())
        return true;
    if (!value.is_array() || value.size() > kLongestList) {
        fault("fault.type", name, value, "a list of numbers, " + rangeOf(spec));
        return false;
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
        double x = 0;
        if (!legal(std::string(name) + "." + std::to_string(i), value[i], spec, integral, x))
            return false;
        numbers.push_back(x);
    }
    return true;
}

void PlanReader::number(std::string_view n, double& v, const Spec& s)
{
    if (const Json* j = find(n))
        legal(n, *j, s, false, v);
}

void PlanReader::number(std::string_view n, std::optional<double>& v, const Spec& s)
{
    const Json* j = find(n);
    double x = 0;
    if (j == nullptr)
        return;
    if (j->is_null())
        v.reset();
    else if (legal(n, *j, s, false, x))
        v = x;
}

void PlanReader::integer(std::string_view n, std::int64_t& v, const Spec& s)
{
    double x = 0;
    if (const Json* j = find(n); j != nullptr && legal(n, *j, s, true, x))
        v = static_cast<std::int64_t>(x);
}

void PlanReader::integer(std::string_view n, std::optional<std::int64_t>& v, const Spec& s)
{
    const Json* j = find(n);
    double x = 0;
    if (j == nullptr)
        return;
    if (j->is_null())
        v.reset();
    else if (legal(n, *j, s, true, x))
        v = static_cast<std::int64_t>(x);
}

void PlanReader::flag(std::string_view n, bool& v, const Spec&)
{
    const Json* j = find(n);
    if (j == nullptr)
        return;
    if (j->is_boolean())
        v = j->get<bool>();
    else
        fault("fault.type", n, *j, "true, false");
}

void PlanReader::text(std::string_view n, std::string& v, const Spec&)
{
    const Json* j = find(n);
    if (j == nullptr)
        return;
    // A phase's changes are JSON; they are kept as text and read when the phase is evaluated.
    if (j->is_object() && n == "set")
        v = j->dump();
    else if (j->is_string())
        v = j->get<std::string>();
    else
        fault("fault.type", n, *j, n == "set" ? "an object of paths and values" : "text");
}

void PlanReader::choice(std::string_view n, int& i, Names names, bool nullable, const Spec&)
{
    const Json* j = find(n);
    if (j == nullptr)
        return;
    if (nullable && j->is_null()) {
        i = -1;
        return;
    }
    const int index = j->is_string() ? indexOf(j->get<std::string>(), names) : -1;
    if (index < 0)
        fault("fault.choice", n, *j, joined(names),
              j->is_string() ? nearestName(j->get<std::string>(), names) : std::string());
    else
        i = index;
}

void PlanReader::choices(std::string_view n, std::vector<int>& v, Names names, const Spec&)
{
    const Json* j = find(n);
    if (j == nullptr)
        return;
    std::vector<int> chosen;
    const auto take = [&](const Json& item) {
        const int index = item.is_string() ? indexOf(item.get<std::string>(), names) : -1;
        if (index < 0)
            fault("fault.choice", n, item, joined(names) + ", none",
                  item.is_string() ? nearestName(item.get<std::string>(), names) : std::string());
        else
            chosen.push_back(index);
        return index >= 0;
    };
    if (j->is_array() && j->size() <= kLongestList) {
        for (const Json& item : *j)
            if (!take(item))
                return;
    } else if (!(j->is_null() || *j == "none") && !take(*j)) {
        return;
    }
    v = std::move(chosen);
}

void PlanReader::numbers(std::string_view n, std::vector<double>& v, const Spec& s)
{
    std::vector<double> list;
    if (const Json* j = find(n); j != nullptr && legalList(n, *j, s, false, list))
        v = std::move(list);
}

void PlanReader::integers(std::string_view n, std::vector<std::int64_t>& v, const Spec& s)
{
    std::vector<double> list;
    if (const Json* j = find(n); j != nullptr && legalList(n, *j, s, true, list)) {
        v.clear();
        for (const double x : list)
            v.push_back(static_cast<std::int64_t>(x));
    }
}

void PlanReader::appendPreset(std::string_view kind, const std::string& id, std::string_view name)
{
    std::set<std::string> seen;
    std::string next = id;
    while (true) {
        if (!seen.insert(next).second) {
            fault("fault.preset-cycle", name, next, id);
            return;
        }
        const Json* values = presetValues(kind, next, partPath());
        if (values == nullptr) {
            fault("fault.unknown-preset", name, next, std::string(kind), nearestPreset(kind, next));
            return;
        }
        m_layers.back().push_back({values, false});
        const auto base = values->find("preset");
        if (base == values->end() || !base->is_string())
            return;
        next = base->get<std::string>();
    }
}

void PlanReader::preset(std::string_view kind, std::string& id)
{
    std::vector<Layer>& layers = m_layers.back();
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const auto it = layers[i].json->find("preset");
        if (it == layers[i].json->end())
            continue;
        if (layers[i].ofPlan)
            known.insert(pathOf("preset"));
        // Naming a preset starts the part anew: what an enclosing preset says of it is dropped.
        layers.resize(i + 1);
        if (it->is_null()) {
            id.clear();
        } else if (!it->is_string()) {
            fault("fault.type", "preset", *it, "text");
        } else {
            id = it->get<std::string>();
            appendPreset(kind, id, "preset");
            if (partPath() == "cluster")
                m_system = id;
        }
        return;
    }
    // A machine brings its racks and its cooling.
    if (partPath() == "facility" && !m_system.empty() && presetValues(kind, m_system, partPath())) {
        id = m_system;
        appendPreset(kind, id, "preset");
    }
}

void PlanReader::beginPart(std::string_view name)
{
    std::vector<Layer> below;
    for (const Layer& layer : m_layers.back()) {
        const auto it = layer.json->find(name);
        if (it == layer.json->end())
            continue;
        if (layer.ofPlan)
            known.insert(pathOf(name));
        if (it->is_object())
            below.push_back({&*it, layer.ofPlan});
        else if (layer.ofPlan && !it->is_null())
            fault("fault.type", name, *it, "an object");
    }
    PathVisitor::beginPart(name);
    m_layers.push_back(std::move(below));
}

void PlanReader::endPart()
{
    m_layers.pop_back();
    PathVisitor::endPart();
}

std::optional<std::size_t> PlanReader::beginList(std::string_view name, std::size_t)
{
    const Json* list = nullptr;
    bool ofPlan = false;
    for (const Layer& layer : m_layers.back()) {
        const auto it = layer.json->find(name);
        if (it == layer.json->end())
            continue;
        if (layer.ofPlan)
            known.insert(pathOf(name));
        if (it->is_array() && it->size() <= kLongestList)
            list = &*it;
        else
            fault("fault.type", name, *it, "a list of at most 4096 objects");
        ofPlan = layer.ofPlan;
        break;
    }
    PathVisitor::beginList(name, 0);
    std::vector<Layer> items;
    if (list != nullptr)
        items.push_back({list, ofPlan});
    m_layers.push_back(std::move(items));
    return list == nullptr ? std::nullopt : std::optional(list->size());
}

void PlanReader::beginItem(std::size_t index)
{
    std::vector<Layer> item;
    for (const Layer& layer : m_layers.back()) {
        const Json& j = (*layer.json)[index];
        if (j.is_object())
            item.push_back({&j, layer.ofPlan});
        else
            fault("fault.type", std::to_string(index), j, "an object");
    }
    PathVisitor::beginItem(index);
    m_layers.push_back(std::move(item));
}

void PlanReader::endItem()
{
    m_layers.pop_back();
    PathVisitor::endItem();
}

void PlanReader::endList()
{
    m_layers.pop_back();
    PathVisitor::endList();
}

} // namespace cw::scenario
