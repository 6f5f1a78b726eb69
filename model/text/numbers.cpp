// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/text/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>

#include "model/units/text.h"

namespace cw::text {

namespace {

constexpr int kSignificant = 4;
/// What rounds up to the next prefix takes it.
constexpr double kRoundsUp = 0.99995;

struct Prefix
{
    double size;
    std::string_view name;
};

constexpr std::array<Prefix, 5> kThousands{
    {{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1, ""}}};
constexpr std::array<Prefix, 4> kMyriads{{{1e12, "万亿"}, {1e8, "亿"}, {1e4, "万"}, {1, ""}}};

/// Digits with at most one point and one minus: no exponent, no unit, no list.
std::optional<double> plainNumber(std::string_view text)
{
    if (text.empty() || text.find_first_not_of("0123456789.-") != std::string_view::npos)
        return {};
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return {};
    return value;
}

/// The digits of `text` in groups of three, with the style's signs.
std::string grouped(std::string_view text, const NumberStyle& style)
{
    std::string out;
    if (!text.empty() && text.front() == '-') {
        out += style.minus;
        text.remove_prefix(1);
    }
    const std::size_t whole = std::min(text.find('.'), text.size());
    for (std::size_t i = 0; i < whole; ++i) {
        if (i > 0 && (whole - i) % 3 == 0)
            out += style.group;
        out += text[i];
    }
    if (whole < text.size())
        out += style.point + std::string(text.substr(whole + 1));
    return out;
}

std::string counted(double value, const NumberStyle& style)
{
    const auto write = [&](const Prefix& p) {
        const std::string number = grouped(units::rounded(value / p.size, kSignificant), style);
        return p.name.empty() ? number : number + style.joint + std::string(p.name);
    };
    const auto fits = [value](const Prefix& p) {
        return std::fabs(value) >= p.size * kRoundsUp;
    };
    if (style.myriads) {
        const auto* const p = std::find_if(kMyriads.begin(), kMyriads.end(), fits);
        return write(p == kMyriads.end() ? kMyriads.back() : *p);
    }
    const auto* const p = std::find_if(kThousands.begin(), kThousands.end(), fits);
    return write(p == kThousands.end() ? kThousands.back() : *p);
}

/// One decimal, two below one hundredth, as in the tables.
std::string hundredths(double value, const NumberStyle& style)
{
    const int decimals = value == 0 || std::fabs(value) >= 0.95 ? 1 : 2;
    std::array<char, 400> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   std::chars_format::fixed, decimals)
                         .ptr;
    return grouped(std::string_view(buffer.data(), static_cast<std::size_t>(end - buffer.data())),
                   style);
}

} // namespace

NumberStyle NumberStyle::chinese()
{
    NumberStyle style;
    style.percentJoint.clear();
    style.myriads = true;
    return style;
}

NumberStyle NumberStyle::plain()
{
    NumberStyle style;
    style.group.clear();
    style.minus = "-";
    style.percentJoint.clear();
    return style;
}

std::string shownNumber(std::string_view value, std::string_view kind, const NumberStyle& style)
{
    const std::optional<double> number = plainNumber(value);
    if (!number)
        return std::string(value);
    if (kind == "n")
        return grouped(value, style);
    if (kind == "count")
        return counted(*number, style);
    if (kind == "percent")
        return hundredths(*number, style) + style.percentJoint + "%";
    return std::string(value);
}

} // namespace cw::text
