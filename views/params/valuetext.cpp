// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/params/valuetext.h"

#include <QRegularExpression>
#include <QStringList>
#include <cmath>

#include "model/units/text.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;
using scenario::Kind;
using scenario::Parameter;
using scenario::Value;

namespace {

/// The unit after a number that has no way of its own to be shown.
QString suffixOf(units::Unit unit)
{
    switch (unit) {
    case units::Unit::PerYear:
        return say("unit.per_year");
    case units::Unit::Years:
        return say("unit.years");
    case units::Unit::LitresPerMinute:
        return u"L/min"_s;
    case units::Unit::LitresPerDay:
        return u"L/d"_s;
    case units::Unit::LitresPerKwh:
        return u"L/kWh"_s;
    case units::Unit::KilogramPerKwh:
        return u"kg/kWh"_s;
    case units::Unit::Kilograms:
        return u"kg"_s;
    case units::Unit::WattsPerSecond:
        return u"W/s"_s;
    case units::Unit::Hertz:
        return u"Hz"_s;
    case units::Unit::SquareMetres:
    case units::Unit::CubicMetres:
    case units::Unit::CubicMetresPerSecond:
    case units::Unit::KilogramsPerSquareMetre:
    case units::Unit::FlopPerJoule:
    case units::Unit::TokensPerJoule:
        return QString::fromUtf8(units::symbol(unit).data(),
                                 static_cast<qsizetype>(units::symbol(unit).size()));
    case units::Unit::MoneyPerWatt:
        return u"/W"_s;
    case units::Unit::MoneyPerKwh:
        return u"/kWh"_s;
    case units::Unit::MoneyPerHour:
        return u"/h"_s;
    case units::Unit::Joules:
        return u"J"_s;
    default:
        return {};
    }
}

/// A comma becomes a point where it can only be the decimal sign, and nothing where it groups.
QString withoutComma(QString text)
{
    static const QRegularExpression grouped(u"(?<![\\d.,])\\d{1,3}(,\\d{3})+(?![\\d,])"_s);
    const qsizetype commas = text.count(u',');
    const qsizetype points = text.count(u'.');
    if (commas == 0)
        return points > 1 ? text.remove(u'.') : text;
    if (points == 0 && !grouped.match(text).hasMatch())
        return commas == 1 ? text.replace(u',', u'.') : text;
    if (points > 0 && text.lastIndexOf(u',') > text.lastIndexOf(u'.'))
        return text.remove(u'.').replace(u',', u'.');
    return text.remove(u',');
}

QString withoutMyriads(const QString& text)
{
    static const QRegularExpression myriad(u"^\\s*(-?[\\d.]+)\\s*(万亿|亿|万)(.*)$"_s);
    const auto match = myriad.match(text);
    if (!match.hasMatch())
        return text;
    const QString word = match.captured(2);
    const double factor = word == u"万亿"_s ? 1e12 : word == u"亿"_s ? 1e8 : 1e4;
    const double value = match.captured(1).toDouble() * factor;
    return QString::number(value, 'g', 17) + match.captured(3);
}

QString listText(const Parameter& parameter, const std::vector<double>& list)
{
    QStringList items;
    for (const double x : list)
        items << numberLocale().toString(x, 'g', 12);
    return items.isEmpty() ? say("window.value.derived") : items.join(u"; "_s);
    Q_UNUSED(parameter)
}

QString choicesText(const Parameter& parameter, const std::vector<std::string>& names)
{
    QStringList items;
    for (const std::string& name : names)
        items << nameOf(parameter.textKey, name);
    return items.isEmpty() ? say("window.value.none") : items.join(u", "_s);
}

QString textOf(const Parameter& parameter, const Value& value)
{
    if (std::holds_alternative<std::monostate>(value)) {
        if (parameter.kind == Kind::Choice)
            return say("window.value.none");
        return parameter.kind == Kind::Preset ? say("window.value.noPreset")
                                              : say("window.value.derived");
    }
    if (const auto* flag = std::get_if<bool>(&value))
        return *flag ? say("window.value.yes") : say("window.value.no");
    if (const auto* text = std::get_if<std::string>(&value)) {
        if (parameter.kind == Kind::Choice)
            return nameOf(parameter.textKey, *text);
        return QString::fromStdString(*text);
    }
    if (const auto* names = std::get_if<std::vector<std::string>>(&value))
        return choicesText(parameter, *names);
    return listText(parameter, std::get<std::vector<double>>(value));
}

} // namespace

Unit shownUnit(units::Unit unit)
{
    switch (unit) {
    case units::Unit::Share:
        return Unit::Percent;
    case units::Unit::Bytes:
        return Unit::GibiBytes;
    case units::Unit::VendorBytes:
        return Unit::GigaBytes;
    case units::Unit::BytesPerSecond:
        return Unit::Bandwidth;
    case units::Unit::FlopPerSecond:
        return Unit::FlopRate;
    case units::Unit::Flop:
    case units::Unit::FlopPerToken:
        return Unit::Flops;
    case units::Unit::Seconds:
        return Unit::Duration;
    case units::Unit::Days:
        return Unit::Days;
    case units::Unit::Watts:
        return Unit::Watts;
    case units::Unit::Celsius:
        return Unit::Celsius;
    case units::Unit::Kelvins:
        return Unit::Kelvin;
    case units::Unit::Tokens:
        return Unit::Tokens;
    case units::Unit::TokensPerSecond:
        return Unit::TokenRate;
    case units::Unit::Parameters:
        return Unit::Count;
    case units::Unit::Money:
        return Unit::Money;
    default:
        return Unit::Plain;
    }
}

NumberText shownParts(double value, units::Unit unit)
{
    const QLocale locale = numberLocale();
    Unit shown = shownUnit(unit);
    // Powers reach from a chip to a site; short times are no durations.
    if (unit == units::Unit::Watts && std::abs(value) >= 1e5)
        shown = std::abs(value) >= 1e6 ? Unit::MegaWatts : Unit::KiloWatts;
    if (unit == units::Unit::Seconds && std::abs(value) < 600)
        shown = Unit::Seconds;
    if (unit == units::Unit::None && std::abs(value) >= 1e7)
        shown = Unit::Count;
    NumberText text = formatParts(value, shown, locale);
    const QString suffix = suffixOf(unit);
    if (!suffix.isEmpty()) {
        text.unit = suffix;
        text.joint = suffix.startsWith(u'/') ? QString() : QString(QChar(0x2009));
    }
    return text;
}

QString shownNumber(double value, units::Unit unit)
{
    return shownParts(value, unit).joined();
}

QString parameterLabel(const Parameter& parameter)
{
    return labelOf(parameter.textKey);
}

QString shortLabelOf(const Parameter& parameter)
{
    const std::string key = "window.symbol." + parameter.textKey;
    return isKnown(key) ? say(key) : parameterLabel(parameter);
}

QString shownText(const Parameter& parameter, const Value& value)
{
    const auto* x = std::get_if<double>(&value);
    if (!x)
        return textOf(parameter, value);
    if (parameter.kind == Kind::Integer && std::abs(*x) < 1e7)
        return numberLocale().toString(*x, 'f', 0);
    return shownNumber(*x, parameter.spec.unit);
}

QString fieldText(const Parameter& parameter, const Value& value)
{
    const auto* x = std::get_if<double>(&value);
    if (x && parameter.kind == Kind::Integer && std::abs(*x) < 1e12)
        return numberLocale().toString(*x, 'f', 0);
    return shownText(parameter, value);
}

QString plainNumberText(const QString& text)
{
    QString plain = text.trimmed();
    plain.replace(QChar(0x2212), u'-');
    for (const char16_t space : {u'\u2009', u'\u00a0', u'\u202f'})
        plain.replace(QChar(space), u' ');
    static const QRegularExpression groups(u"(\\d) (?=\\d{3}(\\D|$))"_s);
    plain.replace(groups, u"\\1"_s);
    return withoutMyriads(withoutComma(plain));
}

std::optional<Value> readText(const Parameter& parameter, const QString& text)
{
    if (parameter.kind == Kind::Number || parameter.kind == Kind::Integer) {
        QString plain = plainNumberText(text);
        if (parameter.nullable && (plain.isEmpty() || plain == say("window.value.derived")))
            return Value();
        const std::string typed = plain.toStdString();
        if (auto value = scenario::parseValue(parameter, typed))
            return value;
        // The unit as it is shown (a translated word, "M tok") may be one nobody types: the number
        // and its prefix are enough.
        static const QRegularExpression number(
            u"^(-?[\\d.]+(?:[eE][+-]?\\d+)?\\s*[kMGTPE]?)\\b.*$"_s);
        const auto match = number.match(plain);
        const QString unit = shownParts(1.0, parameter.spec.unit).unit;
        if (match.hasMatch() && !unit.isEmpty() && plain.endsWith(unit))
            return scenario::parseValue(parameter, match.captured(1).trimmed().toStdString());
        return {};
    }
    QString plain = text.trimmed();
    if (parameter.kind == Kind::Numbers || parameter.kind == Kind::Integers) {
        if (plain.isEmpty() || plain == say("window.value.derived"))
            return Value(std::vector<double>{});
        plain.replace(u';', u',');
    }
    return scenario::parseValue(parameter, plain.toStdString());
}

} // namespace cw::views
