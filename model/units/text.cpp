// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/units/text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

namespace cw::units {

std::string exact(double value)
{
    std::array<char, 40> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

std::string rounded(double value, int digits)
{
    if (!std::isfinite(value))
        return value > 0 ? "∞" : (value < 0 ? "-∞" : "nan");
    if (value == 0)
        return "0";
    const double magnitude = std::floor(std::log10(std::fabs(value)));
    std::array<char, 400> buffer{};
    const bool plain = magnitude >= -5 && magnitude < 15;
    const int decimals = static_cast<int>(std::fmax(0.0, digits - 1 - magnitude));
    const auto end = plain ? std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                           std::chars_format::fixed, decimals)
                                 .ptr
                           : std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                           std::chars_format::scientific, digits - 1)
                                 .ptr;
    std::string text(buffer.data(), end);
    if (plain && decimals > 0) {
        while (text.back() == '0')
            text.pop_back();
        if (text.back() == '.')
            text.pop_back();
    }
    return text;
}

namespace {

constexpr double kWattHour = 3600.0; ///< J
constexpr double kKwh = 3.6e6;       ///< J
constexpr double kTonne = 1000.0;    ///< kg

struct Step
{
    double factor;
    std::string_view symbol;
};

constexpr std::array<Step, 9> kDecimal{{{1e24, "Y"},
                                        {1e21, "Z"},
                                        {1e18, "E"},
                                        {1e15, "P"},
                                        {1e12, "T"},
                                        {1e9, "G"},
                                        {1e6, "M"},
                                        {1e3, "k"},
                                        {1, ""}}};

std::string withPrefix(double value, std::string_view unit, int digits)
{
    const double size = std::fabs(value);
    for (const Step& s : kDecimal) {
        if (size >= s.factor * 0.9995)
            return rounded(value / s.factor, digits) +
                   (unit.empty() && s.symbol.empty() ? "" : " ") + std::string(s.symbol) +
                   std::string(unit);
    }
    return rounded(value, digits) + (unit.empty() ? "" : " ") + std::string(unit);
}

std::string seconds(double value, int digits)
{
    const double size = std::fabs(value);
    if (size == 0 || (size >= 1 && size < 120))
        return rounded(value, digits) + " s";
    if (size < 1e-3)
        return rounded(value * 1e6, digits) + " µs";
    if (size < 1)
        return rounded(value * 1e3, digits) + " ms";
    if (size < 7200)
        return rounded(value / 60, digits) + " min";
    if (size < 172800)
        return rounded(value / 3600, digits) + " h";
    return rounded(value / 86400, digits) + " d";
}

} // namespace

std::string human(double value, Unit unit, int digits)
{
    switch (unit) {
    case Unit::None:
        return rounded(value, digits);
    case Unit::Share:
        return rounded(value * 100, digits) + " %";
    case Unit::Bytes:
        if (std::fabs(value) >= 1125899906842624.0)
            return rounded(value / 1099511627776.0, digits) + " TiB";
        if (std::fabs(value) >= 10737418.24)
            return rounded(value / 1073741824.0, digits) + " GiB";
        return rounded(value / 1048576.0, digits) + " MiB";
    case Unit::Seconds:
        return seconds(value, digits);
    case Unit::Money: { // the currency is a label of the plan; money counts in billions
        std::string text = withPrefix(value, "", digits);
        if (text.back() == 'G')
            text.back() = 'B';
        return text;
    }
    case Unit::MoneyPerHour:
        return withPrefix(value, "/h", digits);
    case Unit::Joules: // energy as it is billed
        if (std::fabs(value) >= kKwh)
            return withPrefix(value / kWattHour, "Wh", digits);
        return withPrefix(value, symbol(unit), digits);
    case Unit::Kilograms:
        if (std::fabs(value) >= kTonne)
            return withPrefix(value / kTonne, "t", digits);
        return rounded(value, digits) + " kg";
    case Unit::SquareMetres: // 59 km² is not 59,000 m²: a prefix would be squared with its unit
    case Unit::CubicMetres:
    case Unit::CubicMetresPerSecond:
    case Unit::KilogramsPerSquareMetre:
        return rounded(value, digits) + " " + std::string(symbol(unit));
    default:
        return withPrefix(value, symbol(unit), digits);
    }
}

namespace {

std::string_view trimmed(std::string_view t)
{
    while (!t.empty() && (t.front() == ' ' || t.front() == '\t'))
        t.remove_prefix(1);
    while (!t.empty() && (t.back() == ' ' || t.back() == '\t'))
        t.remove_suffix(1);
    return t;
}

bool takeSuffix(std::string_view& text, std::string_view suffix)
{
    if (text.size() < suffix.size() || text.substr(text.size() - suffix.size()) != suffix)
        return false;
    text.remove_suffix(suffix.size());
    return true;
}

std::optional<double> prefixFactor(std::string_view p)
{
    struct Named
    {
        std::string_view name;
        double factor;
    };
    static constexpr std::array<Named, 20> kPrefixes{{{"", 1},
                                                      {"k", 1e3},
                                                      {"K", 1e3},
                                                      {"M", 1e6},
                                                      {"G", 1e9},
                                                      {"B", 1e9},
                                                      {"T", 1e12},
                                                      {"P", 1e15},
                                                      {"E", 1e18},
                                                      {"m", 1e-3},
                                                      {"u", 1e-6},
                                                      {"µ", 1e-6},
                                                      {"n", 1e-9},
                                                      {"Ki", 1024},
                                                      {"Mi", 1048576},
                                                      {"Gi", 1073741824.0},
                                                      {"Ti", 1099511627776.0},
                                                      {"Pi", 1125899906842624.0},
                                                      {"万", 1e4},
                                                      {"亿", 1e8}}};
    for (const Named& n : kPrefixes)
        if (n.name == p)
            return n.factor;
    return {};
}

std::optional<double> timeFactor(std::string_view suffix)
{
    if (suffix == "s" || suffix.empty())
        return 1;
    if (suffix == "ms")
        return 1e-3;
    if (suffix == "us" || suffix == "µs")
        return 1e-6;
    if (suffix == "ns")
        return 1e-9;
    if (suffix == "min")
        return 60;
    if (suffix == "h")
        return 3600;
    if (suffix == "d")
        return 86400;
    return {};
}

/// The factor of what follows the digits, or nothing where it does not fit the unit.
std::optional<double> suffixFactor(std::string_view suffix, Unit unit)
{
    switch (unit) {
    case Unit::Share:
        if (suffix == "%")
            return 0.01;
        break;
    case Unit::Seconds:
        return timeFactor(suffix);
    case Unit::Days:
        if (suffix == "d")
            return 1;
        break;
    case Unit::Bytes:
    case Unit::VendorBytes:
        // A bare "G" is read as giga, not as a unit.
        if (suffix.size() > 1 && takeSuffix(suffix, "B"))
            return prefixFactor(suffix);
        if (suffix == "B")
            return 1;
        break;
    case Unit::BytesPerSecond:
        if (takeSuffix(suffix, "B/s"))
            return prefixFactor(suffix);
        if (takeSuffix(suffix, "b/s") || takeSuffix(suffix, "bit/s") || takeSuffix(suffix, "bps")) {
            const auto f = prefixFactor(suffix);
            return f ? std::optional(*f / 8) : std::nullopt;
        }
        break;
    case Unit::FlopPerSecond:
        for (const std::string_view name : {"FLOP/s", "FLOPS", "FLOPs", "flops"})
            if (takeSuffix(suffix, name))
                return prefixFactor(suffix);
        break;
    case Unit::Celsius:
        if (suffix == "°C" || suffix == "C")
            return 1;
        break;
    case Unit::Joules:
        if (takeSuffix(suffix, "Wh")) {
            const auto f = prefixFactor(suffix);
            return f ? std::optional(*f * kWattHour) : std::nullopt;
        }
        if (takeSuffix(suffix, "J"))
            return prefixFactor(suffix);
        break;
    case Unit::Kilograms:
        if (suffix == "kg")
            return 1;
        if (takeSuffix(suffix, "t")) {
            const auto f = prefixFactor(suffix);
            return f ? std::optional(*f * kTonne) : std::nullopt;
        }
        break;
    default: {
        const std::string_view s = symbol(unit);
        if (!s.empty() && takeSuffix(suffix, s))
            return prefixFactor(trimmed(suffix));
        break;
    }
    }
    return prefixFactor(suffix);
}

} // namespace

std::optional<double> parse(std::string_view text, Unit unit)
{
    text = trimmed(text);
    if (text.size() > 1 && text[0] == '+' && text[1] != '-')
        text.remove_prefix(1);
    double value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || !std::isfinite(value))
        return {};
    const std::string_view suffix =
        trimmed(text.substr(static_cast<std::size_t>(rest - text.data())));
    const auto factor = suffixFactor(suffix, unit);
    if (!factor)
        return {};
    // Divided where the factor is a fraction, so that 35% is the double nearest to 0.35.
    const double si = *factor < 1 ? value / std::round(1 / *factor) : value * *factor;
    return std::isfinite(si) ? std::optional(si) : std::nullopt;
}

} // namespace cw::units
