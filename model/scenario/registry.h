// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/scenario/fieldvisitor.h"
#include "model/scenario/scenario.h"

// The one table of parameters: what the input panel, `--set`, sweeps, searches and help are made
// of. It is read off the descriptions of the parts, for a given plan (lists have as many entries
// as the plan has).

namespace cw::scenario {

enum class Kind : std::uint8_t
{
    Number,
    Integer,
    Flag,
    Text,
    Choice,
    Choices,
    Numbers,
    Integers,
    Preset,
};

struct Parameter
{
    std::string path;    ///< "model.groups.1.ffn.experts"
    std::string textKey; ///< its key in the message catalogue: the path without list indices
    std::string part;    ///< "model.groups.1.ffn"
    Kind kind = Kind::Number;
    Spec spec;
    bool nullable = false;
    Names names;            ///< of a Choice or Choices
    std::string presetKind; ///< of a Preset
};

/// A parameter's value. null is std::monostate; choices are names; lists of numbers are doubles.
using Value = std::variant<std::monostate, double, bool, std::string, std::vector<std::string>,
                           std::vector<double>>;

/// All parameters of a plan of this shape, in the order of the input panel.
std::vector<Parameter> parameters(const Scenario& scenario);

/// The value at a path; nothing where the path names no parameter.
std::optional<Value> valueAt(const Scenario& scenario, std::string_view path);

/// Why a value cannot be set.
struct Refusal
{
    std::string code; ///< key in the message catalogue, "fault.range" and the like
    std::string allowed;
};

/// Sets the value at a path; answers why not where it is refused (unknown path, wrong kind,
/// outside its legal range, not a name of the set). The scenario is then unchanged.
/// A preset parameter only changes its name here: see presets.h for what follows from it.
std::optional<Refusal> setValue(Scenario& scenario, std::string_view path, const Value& value);

/// Reads what a person types: numbers with SI or binary prefixes and units ("3.35TB/s",
/// "400 Gb/s", "12k", "10T", "35%", "64 GiB"), names, true/false, null, lists with commas.
/// Nothing where the text cannot be a value of this parameter.
std::optional<Value> parseValue(const Parameter& parameter, std::string_view text);

/// The value as --set and messages write it (plain SI number, name, "null").
std::string toText(const Value& value);

bool operator==(const Scenario& a, const Scenario& b);

/// Paths whose values differ between two plans (both directions; missing list items differ).
std::vector<std::string> differingPaths(const Scenario& a, const Scenario& b);

} // namespace cw::scenario
