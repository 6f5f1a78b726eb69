// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "model/calibrate/calibration.h"
#include "model/scenario/presets.h"

namespace cw::calibrate {

using Json = nlohmann::ordered_json;
using scenario::Scenario;

namespace {

constexpr std::string_view kChip = "cluster.chip.";
constexpr std::string_view kSoftware = "software.";

Json::json_pointer pointerOf(std::string path)
{
    std::replace(path.begin(), path.end(), '.', '/');
    return Json::json_pointer("/" + path);
}

std::string shareText(double logDeviation)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f%%", 100 * std::expm1(logDeviation));
    return text;
}

/// Values and sources of one part, from the plan that has the constants found.
Json partOf(std::string_view prefix, const Scenario& plan, const Calibration& c)
{
    Json part{{"values", Json::object()}, {"sources", Json::object()}};
    Scenario changed = calibratedPlan(plan, c);
    Scenario before = plan;
    std::vector<std::string> paths;
    for (const Constant& constant : constantsOf(plan))
        for (const auto& [path, factor] : constant.paths)
            if (std::any_of(c.constants.begin(), c.constants.end(), [&](const Calibrated& found) {
                    return found.path == constant.paths.front().first;
                }))
                paths.push_back(path);
    for (const std::string& path : paths) {
        if (path.compare(0, prefix.size(), prefix) != 0)
            continue;
        const double value = handlesOf(changed, {path}).front().get(-1);
        if (value < 0)
            continue;
        part["values"][pointerOf(path.substr(prefix.size()))] = value;
    }
    for (const Calibrated& found : c.constants)
        if (found.path.compare(0, prefix.size(), prefix) == 0)
            part["sources"][found.path.substr(prefix.size())] = {
                {"status", "measured"},
                {"source", "calibrated on " + std::to_string(found.rows) +
                               " measurements, standard error " + shareText(found.deviation)}};
    return part;
}

Json reportOf(const Calibration& c)
{
    static const char* const kWhy[] = {"untouched", "confounded", "noisy"};
    Json constants = Json::array();
    for (const Calibrated& found : c.constants)
        constants.push_back({{"path", found.path},
                             {"before", found.before},
                             {"value", found.value},
                             {"log_deviation", found.deviation},
                             {"low", found.low},
                             {"high", found.high},
                             {"confidence", 0.8},
                             {"at_limit", found.atLimit},
                             {"measurements", found.rows}});
    Json refused = Json::array();
    for (const Refused& r : c.refused)
        refused.push_back({{"path", r.path},
                           {"why", kWhy[static_cast<std::size_t>(r.why)]},
                           {"with", r.with},
                           {"log_spread_before", r.spread},
                           {"log_deviation", r.deviation > 0 ? Json(r.deviation) : Json()}});
    Json correlated = Json::array();
    for (const Correlated& pair : c.correlated)
        correlated.push_back(
            {{"first", pair.first}, {"second", pair.second}, {"correlation", pair.correlation}});
    Json residuals = Json::array();
    for (const Residual& r : c.residuals)
        residuals.push_back({{"file", r.file},
                             {"place", r.place},
                             {"label", r.label},
                             {"measured_s", r.measured},
                             {"before_s", r.before},
                             {"predicted_s", r.predicted},
                             {"error", r.predicted / r.measured - 1}});
    return {{"constants", std::move(constants)},
            {"refused", std::move(refused)},
            {"correlated", std::move(correlated)},
            {"residuals", std::move(residuals)},
            {"noise", c.noise},
            {"median_abs_error_before", c.medianBefore},
            {"median_abs_error", c.medianAfter}};
}

/// "efficiency.matrix.bf16" of every number in an object.
void flatten(const Json& json, const std::string& path,
             std::vector<std::pair<std::string, Json>>& all)
{
    for (const auto& [name, value] : json.items()) {
        const std::string own = path.empty() ? name : path + "." + name;
        if (value.is_object())
            flatten(value, own, all);
        else
            all.emplace_back(own, value);
    }
}

} // namespace

Json calibrationFile(const std::string& id, const Scenario& plan, const Calibration& c)
{
    const Json chip = partOf(kChip, plan, c);
    const Json software = partOf(kSoftware, plan, c);
    return {{"id", id},
            {"kind", "chip"},
            {"name", id},
            {"base", plan.cluster.chip.preset},
            {"status", "calibrated"},
            {"values", chip["values"]},
            {"sources", chip["sources"]},
            {"software",
             {{"base", plan.software.preset},
              {"values", software["values"]},
              {"sources", software["sources"]}}},
            {"calibration", reportOf(c)}};
}

scenario::Faults applyCalibrationFile(Scenario& plan, std::string_view part, std::string_view text)
{
    const Json file = Json::parse(text, nullptr, false);
    if (file.is_discarded())
        return {{"fault.syntax", "/", {}}};
    const bool chip = part == "cluster.chip";
    const Json* from = nullptr;
    if (chip && file.is_object())
        from = &file;
    else if (file.is_object() && file.contains("software") && file["software"].is_object())
        from = &file["software"];
    if (from == nullptr || !from->contains("values") || !(*from)["values"].is_object() ||
        (!chip && part != "software"))
        return {{"fault.missing", "/", {{"value", std::string(part)}, {"allowed", "values"}}}};
    Scenario changed = plan;
    const std::string base = from->value("base", std::string());
    if (!base.empty())
        if (const auto refusal = scenario::applyPreset(changed, part, base))
            return {{refusal->code, "/base", {{"value", base}, {"nearest", refusal->allowed}}}};
    std::vector<std::pair<std::string, Json>> values;
    flatten((*from)["values"], "", values);
    scenario::Faults faults;
    for (const auto& [path, value] : values) {
        scenario::Value told;
        if (value.is_number())
            told = value.get<double>();
        else if (value.is_boolean())
            told = value.get<bool>();
        else if (value.is_string())
            told = value.get<std::string>();
        if (const auto refusal = scenario::setValue(changed, std::string(part) + "." + path, told))
            faults.push_back(
                {refusal->code,
                 "/values/" + path,
                 {{"value", value.dump().substr(0, 60)}, {"allowed", refusal->allowed}}});
    }
    if (faults.empty())
        plan = std::move(changed);
    return faults;
}

} // namespace cw::calibrate
