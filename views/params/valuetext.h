// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>

#include "model/scenario/registry.h"
#include "model/units/unit.h"
#include "views/common/numberformat.h"

// A parameter's value as people read and type it.

namespace cw::views {

/// The way a unit of the model is shown.
Unit shownUnit(units::Unit unit);

/// Number and unit in a fitting unit.
QString shownNumber(double value, units::Unit unit);
NumberText shownParts(double value, units::Unit unit);

QString parameterLabel(const scenario::Parameter& parameter);
/// Symbol where there is one ("EP"), else the label.
QString shortLabelOf(const scenario::Parameter& parameter);

/// The value for reading: number with unit, name of a choice, "derived" for null.
QString shownText(const scenario::Parameter& parameter, const scenario::Value& value);
/// The same for a field: whole numbers in full.
QString fieldText(const scenario::Parameter& parameter, const scenario::Value& value);

/// What a person typed: units and prefixes, a decimal comma or point and grouping where only one
/// reading is possible, 万 and 亿. Nothing where it cannot be a value of the parameter.
std::optional<scenario::Value> readText(const scenario::Parameter& parameter, const QString& text);

/// Puts typed text into the C form: thin spaces, true minus, commas, 万 and 亿.
QString plainNumberText(const QString& text);

} // namespace cw::views
