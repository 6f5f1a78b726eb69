// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace cw::units {

/// What a stored number is measured in. The number itself is always SI; the unit says how an edge
/// (a field, a table, a slider) shows it and which suffixes it reads.
enum class Unit
{
    None,           ///< a plain count or factor
    Share,          ///< 0 to 1, shown in percent
    Bytes,          ///< memory of a device: shown as GiB
    VendorBytes,    ///< capacity as vendors print it: shown as GB
    BytesPerSecond, ///< per direction: shown as GB/s
    FlopPerSecond,  ///< dense: shown as TFLOP/s
    Flop,
    FlopPerToken,
    Seconds,
    Days,
    Watts,
    Joules,
    Celsius,
    Kelvins,
    Tokens,
    TokensPerSecond,
    Parameters,
    Money,
    MoneyPerWatt,
    MoneyPerKwh,
    MoneyPerHour,
    PerYear,
    Years,
    LitresPerMinute,
    LitresPerDay,
    LitresPerKwh,
    KilogramPerKwh,
    Kilograms,
    WattsPerSecond,
    Hertz,
    SquareMetres,
    CubicMetres,
    CubicMetresPerSecond,
    KilogramsPerSquareMetre,
    FlopPerJoule,
    TokensPerJoule,
    FlopPerMoney,
};

/// The SI symbol, as JSON and `explain` name it ("B/s", "FLOP/s", "s", ""...).
std::string_view symbol(Unit unit);

} // namespace cw::units
