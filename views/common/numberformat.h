// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>
#include <QString>
#include <cstdint>

namespace cw::views {

/// How a number is shown; the comment names the unit the value is given in.
enum class Unit : std::uint8_t
{
    Plain,         ///< a ratio or factor, four significant digits
    Integer,       ///< whole number, grouped by the locale
    Count,         ///< count with k, M, G, T (English) or 万, 亿, 万亿 (Chinese)
    Percent,       ///< fraction, 1 = 100 %
    PercentPoints, ///< difference of fractions, 0.01 = 1 pp
    GibiBytes,     ///< bytes, shown in GiB (TiB, PiB when large, MiB, KiB when small)
    GigaBytes,     ///< bytes, shown in decimal GB (TB, PB, EB, MB, kB)
    Bandwidth,     ///< bytes per second, shown in GB/s (TB/s, PB/s, MB/s)
    LineRate,      ///< bytes per second, shown in Gb/s (decimal bits)
    Seconds,       ///< seconds, shown from ns to s
    Duration,      ///< seconds, shown in the fitting one of s, min, h, days
    Days,          ///< days
    MegaWatts,     ///< watts, shown in MW (GW when large)
    KiloWatts,     ///< watts, shown in kW
    Watts,         ///< watts
    MegaWattHours, ///< watt hours, shown in MWh (GWh, TWh when large)
    Flops,         ///< operations, shown in FLOP with a prefix
    FlopRate,      ///< operations per second, shown in TFLOP/s (PFLOP/s, EFLOP/s)
    Tokens,        ///< tokens, a count with its word
    TokenRate,     ///< tokens per second
    Celsius,       ///< degrees Celsius
    Kelvin,        ///< temperature difference in K
    Money          ///< amount of a currency, with M or 万, 亿; the caller adds the currency
};

/// Number and unit apart, for labels that show the unit smaller.
struct NumberText
{
    QString number;
    QString unit;  ///< may be empty
    QString joint; ///< between the two: thin space, or nothing
    [[nodiscard]] QString joined() const { return number + joint + unit; }
};

/// Text of a value: three or four significant digits, true minus (U+2212), thin space (U+2009)
/// before units and before % in English, no space before % in Chinese. NaN and infinity give an
/// em dash; digits and grouping follow the locale.
NumberText formatParts(double value, Unit unit, const QLocale& locale);
QString format(double value, Unit unit, const QLocale& locale);
/// Same with a sign in front, also of a positive value: "+5.1 pp", "−12.4 days".
QString formatSigned(double value, Unit unit, const QLocale& locale);
/// Number alone with a count of significant digits, no trailing zeros beyond them removed.
QString formatSignificant(double value, int digits, const QLocale& locale);
/// Text of an axis tick: as few decimals as the distance of the ticks needs.
QString formatTick(double value, double step, const QLocale& locale);

} // namespace cw::views
