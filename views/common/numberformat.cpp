// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/numberformat.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

constexpr double kKibi = 1024.0;
constexpr double kMinute = 60.0;
constexpr double kHour = 3600.0;
constexpr double kDay = 86400.0;
/// From here on a time is read in seconds, below in ms.
constexpr double kLeastSecond = 0.1;
constexpr char16_t kThinSpace = u'\u2009';
constexpr char16_t kMinus = u'\u2212';
constexpr int kSignificant = 4;

struct Step
{
    double size;
    const char16_t* english;
    const char16_t* chinese;
};

QString fixedText(double value, int decimals, const QLocale& locale)
{
    QString text = locale.toString(std::abs(value), 'f', decimals);
    // Minus zero after rounding is zero.
    const double rounded = std::abs(value) * std::pow(10.0, decimals);
    if (value < 0 && std::lround(std::min(rounded, 1e15)) != 0) {
        text.prepend(QChar(kMinus));
    }
    return text;
}

int decimalsFor(double value, int digits)
{
    const double a = std::abs(value);
    if (a == 0.0) {
        return 0;
    }
    return std::clamp(digits - 1 - static_cast<int>(std::floor(std::log10(a))), 0, 6);
}

bool isChinese(const QLocale& locale)
{
    return locale.language() == QLocale::Chinese;
}

// Largest step not above the value; the first step for anything smaller.
NumberText scaled(double value, std::span<const Step> steps, const QLocale& locale,
                  int decimalsOfTens = 1)
{
    const Step* best = &steps.front();
    for (const auto& s : steps) {
        // 0.9995 of a step would round up to 1,000 of the one below.
        if (std::abs(value) >= s.size * 0.99995) {
            best = &s;
        }
    }
    const double v = value / best->size;
    // Large numbers keep one decimal less than small ones: 118.6, 66.0, 8.19, 0.86.
    const double a = std::abs(v);
    const int decimals = a >= 1000 ? 0 : a >= 100 ? 1 : a >= 10 ? decimalsOfTens : 2;
    const int shown = a == 0.0 ? 0 : a >= 0.1 ? decimals : decimalsFor(v, kSignificant - 1);
    const bool zh = isChinese(locale);
    NumberText text;
    text.number = fixedText(v, shown, locale);
    text.unit = QString::fromUtf16(zh ? best->chinese : best->english);
    text.joint = text.unit.isEmpty() ? QString() : QString(QChar(kThinSpace));
    return text;
}

constexpr std::array<Step, 5> kCount = {
    {{1, u"", u""}, {1e3, u"k", u""}, {1e6, u"M", u""}, {1e9, u"G", u""}, {1e12, u"T", u""}}};
constexpr std::array<Step, 4> kCountChinese = {
    {{1, u"", u""}, {1e4, u"", u"万"}, {1e8, u"", u"亿"}, {1e12, u"", u"万亿"}}};
constexpr std::array<Step, 3> kMoney = {{{1, u"", u""}, {1e6, u"M", u""}, {1e9, u"B", u""}}};
constexpr std::array<Step, 6> kBinary = {{{1, u"B", u"B"},
                                          {kKibi, u"KiB", u"KiB"},
                                          {kKibi * kKibi, u"MiB", u"MiB"},
                                          {kKibi * kKibi * kKibi, u"GiB", u"GiB"},
                                          {kKibi * kKibi * kKibi * kKibi, u"TiB", u"TiB"},
                                          {kKibi * kKibi * kKibi * kKibi * kKibi, u"PiB", u"PiB"}}};
constexpr std::array<Step, 7> kDecimalBytes = {{{1, u"B", u"B"},
                                                {1e3, u"kB", u"kB"},
                                                {1e6, u"MB", u"MB"},
                                                {1e9, u"GB", u"GB"},
                                                {1e12, u"TB", u"TB"},
                                                {1e15, u"PB", u"PB"},
                                                {1e18, u"EB", u"EB"}}};
constexpr std::array<Step, 4> kBandwidth = {{{1e6, u"MB/s", u"MB/s"},
                                             {1e9, u"GB/s", u"GB/s"},
                                             {1e13, u"TB/s", u"TB/s"},
                                             {1e15, u"PB/s", u"PB/s"}}};
constexpr std::array<Step, 4> kLineRate = {{{1e6, u"Mb/s", u"Mb/s"},
                                            {1e9, u"Gb/s", u"Gb/s"},
                                            {1e13, u"Tb/s", u"Tb/s"},
                                            {1e15, u"Pb/s", u"Pb/s"}}};
constexpr std::array<Step, 4> kSeconds = {
    {{1e-9, u"ns", u"纳秒"}, {1e-6, u"µs", u"微秒"}, {1e-3, u"ms", u"毫秒"}, {1, u"s", u"秒"}}};
constexpr std::array<Step, 5> kDuration = {{{1e-3, u"ms", u"毫秒"},
                                            {1, u"s", u"秒"},
                                            {2 * kMinute, u"min", u"分钟"},
                                            {2 * kHour, u"h", u"小时"},
                                            {2 * kDay, u"days", u"天"}}};
constexpr std::array<Step, 1> kDays = {{{1, u"days", u"天"}}};
constexpr std::array<Step, 2> kMegaWatts = {{{1e6, u"MW", u"MW"}, {1e10, u"GW", u"GW"}}};
constexpr std::array<Step, 1> kKiloWatts = {{{1e3, u"kW", u"kW"}}};
constexpr std::array<Step, 1> kWatts = {{{1, u"W", u"W"}}};
constexpr std::array<Step, 3> kEnergy = {
    {{1e6, u"MWh", u"MWh"}, {1e9, u"GWh", u"GWh"}, {1e13, u"TWh", u"TWh"}}};
constexpr std::array<Step, 8> kFlops = {{{1, u"FLOP", u"FLOP"},
                                         {1e6, u"MFLOP", u"MFLOP"},
                                         {1e9, u"GFLOP", u"GFLOP"},
                                         {1e12, u"TFLOP", u"TFLOP"},
                                         {1e15, u"PFLOP", u"PFLOP"},
                                         {1e18, u"EFLOP", u"EFLOP"},
                                         {1e21, u"ZFLOP", u"ZFLOP"},
                                         {1e24, u"YFLOP", u"YFLOP"}}};
constexpr std::array<Step, 4> kFlopRate = {{{1e9, u"GFLOP/s", u"GFLOP/s"},
                                            {1e12, u"TFLOP/s", u"TFLOP/s"},
                                            {1e16, u"PFLOP/s", u"PFLOP/s"},
                                            {1e18, u"EFLOP/s", u"EFLOP/s"}}};
constexpr std::array<Step, 1> kCelsius = {{{1, u"°C", u"°C"}}};
constexpr std::array<Step, 1> kKelvin = {{{1, u"K", u"K"}}};

// Duration steps change at two units, but divide by one.
NumberText durationText(double value, const QLocale& locale)
{
    Step chosen = kDuration.front();
    for (const auto& s : kDuration) {
        if (std::abs(value) >= s.size) {
            chosen = s;
        }
        if (s.size == 1.0 &&
            (value == 0.0 || (chosen.size < 1.0 && std::abs(value) >= kLeastSecond))) {
            chosen = s;
            break;
        }
    }
    if (chosen.size > 1.0) {
        chosen.size /= 2.0;
    }
    const std::array<Step, 1> one = {chosen};
    return scaled(value, one, locale, chosen.size <= 1.0 ? 2 : 1);
}

// Steps whose threshold lies a decade higher than their size (10 TB/s, 10 GW) divide by the size.
NumberText lateStep(double value, std::span<const Step> steps, const QLocale& locale)
{
    Step chosen = steps.front();
    for (const auto& s : steps) {
        if (std::abs(value) >= s.size * 0.99995) {
            chosen = s;
        }
    }
    const double decade = std::log10(chosen.size);
    if (std::lround(decade) % 3 == 1) {
        chosen.size /= 10.0;
    }
    const std::array<Step, 1> one = {chosen};
    return scaled(value, one, locale);
}

/// "160.0 T" is "160 T": a round count was given, not measured.
NumberText withoutEmptyDecimals(NumberText text, const QLocale& locale)
{
    const qsizetype point = text.number.indexOf(locale.decimalPoint());
    if (point >= 0 &&
        text.number.mid(point + 1).count(locale.zeroDigit()) == text.number.size() - point - 1)
        text.number.truncate(point);
    return text;
}

NumberText countText(double value, const QLocale& locale)
{
    std::span<const Step> steps(kCount);
    if (isChinese(locale))
        steps =
            std::abs(value) < 1e4 ? std::span(kCountChinese).first(1) : std::span(kCountChinese);
    return scaled(value, steps, locale);
}

/// Days of a run that will never end are counted as other large numbers are.
NumberText daysText(double value, const QLocale& locale)
{
    constexpr double kMany = 1e6;
    NumberText text = scaled(value, kDays, locale);
    if (std::abs(value) >= kMany) {
        const NumberText many = countText(value, locale);
        text.number = many.number;
        text.unit = many.unit + u' ' + text.unit;
        text.joint = many.joint;
    }
    return text;
}

NumberText moneyText(double value, const QLocale& locale)
{
    if (isChinese(locale)) {
        return countText(value, locale);
    }
    NumberText text = scaled(value, kMoney, locale);
    if (std::abs(value) >= 1e8 && std::abs(value) < 1e9) {
        text.number = fixedText(value / 1e6, 0, locale);
    }
    return text;
}

NumberText percentText(double value, const QLocale& locale, bool points)
{
    const double v = value * 100.0;
    NumberText text;
    text.number = fixedText(v, std::abs(v) >= 0.95 || v == 0.0 ? 1 : 2, locale);
    if (points) {
        text.unit = isChinese(locale) ? u"个百分点"_s : u"pp"_s;
        text.joint = QString(QChar(kThinSpace));
    } else {
        text.unit = u"%"_s;
        text.joint = isChinese(locale) ? QString() : QString(QChar(kThinSpace));
    }
    return text;
}

NumberText integerText(double value, const QLocale& locale)
{
    return {fixedText(value, 0, locale), QString(), QString()};
}

NumberText tokenText(double value, const QLocale& locale, bool rate)
{
    NumberText text = countText(value, locale);
    if (!rate)
        text = withoutEmptyDecimals(text, locale);
    const QString word =
        isChinese(locale) ? (rate ? u"词元/秒"_s : u"词元"_s) : (rate ? u"tok/s"_s : u"tokens"_s);
    text.unit = text.unit.isEmpty() ? word : text.unit + u' ' + word;
    text.joint = QString(QChar(kThinSpace));
    return text;
}

} // namespace

QString formatSignificant(double value, int digits, const QLocale& locale)
{
    if (!std::isfinite(value)) {
        return u"—"_s;
    }
    return fixedText(value, decimalsFor(value, digits), locale);
}

QString formatTick(double value, double step, const QLocale& locale)
{
    const double s = std::abs(step);
    int decimals = 0;
    for (double scale = 1.0;
         decimals < 6 && s > 0 &&
         std::abs(s * scale - std::round(s * scale)) > 1e-6 * std::max(1.0, s * scale);
         scale *= 10.0) {
        ++decimals;
    }
    return fixedText(value, decimals, locale);
}

NumberText formatParts(double value, Unit unit, const QLocale& locale)
{
    if (!std::isfinite(value)) {
        return {u"—"_s, QString(), QString()};
    }
    switch (unit) {
    case Unit::Plain:
        return {formatSignificant(value, kSignificant, locale), QString(), QString()};
    case Unit::Integer:
        return integerText(value, locale);
    case Unit::Count:
        return withoutEmptyDecimals(countText(value, locale), locale);
    case Unit::Percent:
        return percentText(value, locale, false);
    case Unit::PercentPoints:
        return percentText(value, locale, true);
    case Unit::GibiBytes:
        return scaled(value, kBinary, locale, 2);
    case Unit::GigaBytes:
        return scaled(value, kDecimalBytes, locale);
    case Unit::Bandwidth:
        return lateStep(value, kBandwidth, locale);
    case Unit::LineRate:
        return lateStep(value, kLineRate, locale);
    case Unit::Seconds:
        return value == 0.0 || std::abs(value) >= kLeastSecond
                   ? scaled(value, std::span(kSeconds).last(1), locale, 2)
                   : scaled(value, kSeconds, locale, 2);
    case Unit::Duration:
        return durationText(value, locale);
    case Unit::Days:
        return daysText(value, locale);
    case Unit::MegaWatts:
        return lateStep(value, kMegaWatts, locale);
    case Unit::KiloWatts:
        return scaled(value, kKiloWatts, locale);
    case Unit::Watts:
        return scaled(value, kWatts, locale);
    case Unit::MegaWattHours:
        return lateStep(value, kEnergy, locale);
    case Unit::Flops:
        return scaled(value, kFlops, locale);
    case Unit::FlopRate:
        return lateStep(value, kFlopRate, locale);
    case Unit::Tokens:
        return tokenText(value, locale, false);
    case Unit::TokenRate:
        return tokenText(value, locale, true);
    case Unit::Celsius:
        return scaled(value, kCelsius, locale);
    case Unit::Kelvin:
        return scaled(value, kKelvin, locale);
    case Unit::Money:
        return moneyText(value, locale);
    }
    return integerText(value, locale);
}

QString format(double value, Unit unit, const QLocale& locale)
{
    return formatParts(value, unit, locale).joined();
}

QString formatSigned(double value, Unit unit, const QLocale& locale)
{
    const QString text = format(value, unit, locale);
    return std::isfinite(value) && value > 0 ? u'+' + text : text;
}

} // namespace cw::views
