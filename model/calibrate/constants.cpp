// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/calibrate/constants.h"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "resources/embedded.h"

namespace cw::calibrate {

using Json = nlohmann::json;

namespace {

const Json& listed()
{
    static const Json json = Json::parse(resources::file("calibration/constants.json"));
    return json;
}

bool holds(const std::vector<std::string>& list, const std::string& word)
{
    return std::find(list.begin(), list.end(), word) != list.end();
}

Constant read(const Json& j, Constant::Of of, const std::string& owner)
{
    Constant c;
    c.of = of;
    c.owner = owner;
    c.name = j.at("name").get<std::string>();
    c.unknown.name = owner.empty() ? c.name : owner + "." + c.name;
    c.unknown.prior = j.at("prior").get<double>();
    c.unknown.spread = j.at("spread").get<double>();
    c.unknown.least = j.value("least", 0.0);
    c.unknown.most = j.value("most", 0.0);
    for (const auto& [path, factor] : j.at("paths").items())
        c.paths.emplace_back(path, factor.get<double>());
    c.chips = j.value("chips", std::vector<std::string>());
    c.precisions = j.value("precisions", std::vector<std::string>());
    c.moe = j.value("kind", std::string()) == "moe";
    return c;
}

bool determines(const Constant& c, const MeasuredRow& row)
{
    return appliesTo(c, row) && (c.precisions.empty() || holds(c.precisions, row.precision)) &&
           (!c.moe || row.moe);
}

/// Adds the constant where enough rows bear on it.
void addWhere(const std::vector<MeasuredRow>& rows, const Json& j, Constant c,
              std::vector<Constant>& found)
{
    const auto count = std::count_if(rows.begin(), rows.end(),
                                     [&](const MeasuredRow& r) { return determines(c, r); });
    if (count >= j.value("rows", 1))
        found.push_back(std::move(c));
}

double priorOf(const std::string& family, const Json& j)
{
    const Json& priors = listed()["chips"][family]["priors"];
    return priors.value(j.at("name").get<std::string>(), j.at("prior").get<double>());
}

} // namespace

std::string familyOf(const std::string& chipKey)
{
    for (const auto& [family, chip] : listed()["chips"].items())
        for (const auto& key : chip["rows"])
            if (key == chipKey)
                return family;
    return chipKey;
}

std::string familyOfPreset(const std::string& preset)
{
    for (const auto& [family, chip] : listed()["chips"].items())
        for (const auto& id : chip["presets"])
            if (id == preset)
                return family;
    return {};
}

std::vector<std::string> presetsOfFamily(const std::string& family)
{
    const auto chip = listed()["chips"].find(family);
    return chip == listed()["chips"].end() ? std::vector<std::string>()
                                           : chip->at("presets").get<std::vector<std::string>>();
}

bool isSingleRelease(const std::string& framework)
{
    const Json& list = listed()["single_release"];
    return std::find(list.begin(), list.end(), framework) != list.end();
}

bool appliesTo(const Constant& c, const MeasuredRow& row)
{
    switch (c.of) {
    case Constant::Of::Chip:
        return familyOf(row.chip) == c.owner;
    case Constant::Of::Stack:
        return row.plan.software.preset == c.owner;
    case Constant::Of::All:
        return c.chips.empty() || holds(c.chips, familyOf(row.chip));
    }
    return false;
}

std::vector<Constant> constantsFor(const std::vector<MeasuredRow>& rows)
{
    std::set<std::string> stacks;
    for (const MeasuredRow& r : rows)
        stacks.insert(r.plan.software.preset);
    std::vector<Constant> found;
    for (const auto& [family, chip] : listed()["chips"].items()) {
        for (const Json& j : listed()["chip_constants"]) {
            Constant c = read(j, Constant::Of::Chip, family);
            c.unknown.prior = priorOf(family, j);
            c.unknown.most = chip.value("most", Json::object()).value(c.name, c.unknown.most);
            addWhere(rows, j, std::move(c), found);
        }
    }
    for (const std::string& stack : stacks)
        for (const Json& j : listed()["stack_constants"])
            if (listed()["gauge"].value(j.at("name").get<std::string>(), "") != stack)
                addWhere(rows, j, read(j, Constant::Of::Stack, stack), found);
    for (const Json& j : listed()["common_constants"])
        addWhere(rows, j, read(j, Constant::Of::All, ""), found);
    return found;
}

std::vector<Constant> constantsOf(const scenario::Scenario& plan)
{
    std::vector<Constant> found;
    for (const Json& j : listed()["chip_constants"])
        found.push_back(read(j, Constant::Of::Chip, ""));
    for (const Json& j : listed()["stack_constants"])
        found.push_back(read(j, Constant::Of::Stack, ""));
    for (const Json& j : listed()["common_constants"])
        found.push_back(read(j, Constant::Of::All, ""));
    scenario::Scenario copy = plan;
    for (Constant& c : found) {
        const auto handles = handlesOf(copy, {c.paths.front().first});
        const double factor = c.paths.front().second;
        const double told = handles.front().get(c.unknown.prior * factor);
        if (told > 0)
            c.unknown.prior = told / factor;
        if (c.unknown.most > 0)
            c.unknown.most = std::max(c.unknown.most, c.unknown.prior);
    }
    return found;
}

BoundPlan::BoundPlan(const scenario::Scenario& plan, const std::vector<Constant>& constants,
                     const std::vector<char>& applies)
    : m_plan(plan)
{
    static const std::string kOwn = "software.constants.";
    std::vector<std::string> paths;
    for (const Constant& c : constants)
        for (const auto& [path, factor] : c.paths)
            paths.push_back(path);
    const auto handles = handlesOf(m_plan, paths);
    scenario::Scenario fresh;
    const auto defaults = handlesOf(fresh, paths);
    std::size_t next = 0;
    for (std::size_t i = 0; i < constants.size(); ++i) {
        m_begin.push_back(m_handles.size());
        for (const auto& [path, factor] : constants[i].paths) {
            const NumberHandle& handle = handles[next];
            const bool own =
                path.compare(0, kOwn.size(), kOwn) == 0 && handle.get(0) != defaults[next].get(0);
            if (applies[i] != 0 && handle.known() && !own)
                m_handles.emplace_back(handle, factor);
            ++next;
        }
        m_end.push_back(m_handles.size());
    }
}

const scenario::Scenario& BoundPlan::with(const std::vector<double>& values)
{
    for (std::size_t i = 0; i < m_begin.size(); ++i)
        for (std::size_t h = m_begin[i]; h < m_end[i]; ++h)
            m_handles[h].first.set(values[i] * m_handles[h].second);
    return m_plan;
}

} // namespace cw::calibrate
