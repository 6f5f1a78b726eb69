// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/scenario/fieldvisitor.h"
#include "model/scenario/registry.h"
#include "model/scenario/scenario.h"

namespace cw::scenario {

/// A preset that ships with the program: a starting point for one part of a plan.
struct Preset
{
    std::string kind; ///< "model", "chip", "system", "network", "software"
    std::string id;
    std::string name;
    std::string vendor;
    int year = 0;
    std::string status; ///< "shipping", "announced", "estimated", ...
    std::vector<std::string> aliases;
    std::vector<std::string> notes;
    std::string_view json; ///< the whole file
};

/// All presets of a kind, sorted by vendor, year and name.
const std::vector<Preset>& presetsOf(std::string_view kind);
const Preset* findPreset(std::string_view kind, std::string_view id);
/// The id nearest in spelling, for a word of help.
std::string nearestPreset(std::string_view kind, std::string_view id);

/// Starts a part of the plan anew from a preset: members the preset names take its values, all
/// others of the part their defaults, except the paths in `keep` (locked inputs). `partPath` is
/// "model", "cluster", "cluster.chip", "cluster.node", "cluster.network", "software", "facility".
/// With "cluster", racks and cooling of the facility follow the machine; the site stays.
std::optional<Refusal> applyPreset(Scenario& scenario, std::string_view partPath,
                                   std::string_view id, const std::vector<std::string>& keep = {});

/// Where a number of a plan comes from.
struct Origin
{
    enum class From : std::uint8_t
    {
        User,
        Preset,
        Default,
    };
    From from = From::User;
    Status status = Status::Choice;
    std::string source;
    std::string preset; ///< id, where it comes from one
};
Origin originOf(const Scenario& scenario, std::string_view path);
/// Of all parameters of the plan at once, by path.
std::map<std::string, Origin> originsOf(const Scenario& scenario);

/// The plan as its presets and the defaults alone would give it: what "changed" is measured by.
Scenario presetBaseline(const Scenario& scenario);

} // namespace cw::scenario
