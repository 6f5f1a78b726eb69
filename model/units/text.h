// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/units/unit.h"

// Numbers as text, in the C locale whatever the machine's is.

namespace cw::units {

/// The shortest text that reads back to the same double ("0.1", "1e+30", "nan").
std::string exact(double value);

/// About `digits` significant digits, without exponent between 1e-4 and 1e15 ("1234", "0.0517").
std::string rounded(double value, int digits = 4);

/// Value and unit for people, in the unit a reader expects ("63.4 GiB", "3.35 TB/s", "36.6 %").
std::string human(double value, Unit unit, int digits = 4);

/// Reads a number with an optional SI or binary prefix and unit, into SI: "12k", "3.35TB/s",
/// "400 Gb/s" (bits), "64 GiB", "35%", "10T", "2 h". Decimal point only. Nothing where it is no
/// number or its unit does not fit.
std::optional<double> parse(std::string_view text, Unit unit);

} // namespace cw::units
