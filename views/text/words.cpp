// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/words.h"

#include "model/text/catalogue.h"

namespace cw::views {

using namespace Qt::StringLiterals;
using text::Catalogue;
using text::Section;

namespace {

QString toQString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

Language& current()
{
    static Language language = Language::English;
    return language;
}

const Catalogue& catalogue(Language language)
{
    return Catalogue::of(language == Language::Chinese ? text::Language::Chinese
                                                       : text::Language::English);
}

const Catalogue& words()
{
    return catalogue(current());
}

text::Arguments argumentsOf(const WordArguments& arguments)
{
    text::Arguments all;
    for (const auto& [name, value] : arguments)
        all.emplace(name, value.toStdString());
    return all;
}

/// Numbers in sentences are written as all others of the window.
text::NumberStyle numberStyle()
{
    text::NumberStyle style = words().numbers();
    const QLocale locale = numberLocale();
    style.group = locale.groupSeparator().toStdString();
    style.point = locale.decimalPoint().toStdString();
    style.joint = "\u2009";
    if (!style.percentJoint.empty())
        style.percentJoint = style.joint;
    return style;
}

bool hasLabel(const Catalogue& c, std::string_view key)
{
    return c.has(Section::Parameters, key) || c.has(Section::Quantities, key) ||
           c.has(Section::Constants, key) || c.has(Section::Parts, key);
}

/// "key_value_heads" as words, for what has no label.
QString asWords(std::string_view key)
{
    QString text = toQString(key.substr(key.rfind('.') + 1));
    text.replace(u'_', u' ');
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

} // namespace

QString say(std::string_view key, const WordArguments& arguments)
{
    if (words().has(Section::Terms, key))
        return QString::fromStdString(
            text::filled(words().term(key), argumentsOf(arguments), numberStyle()));
    if (words().has(Section::Messages, key))
        return QString::fromStdString(words().message(key, argumentsOf(arguments), numberStyle()));
    return toQString(key);
}

QString sayMessage(std::string_view key, const std::map<std::string, std::string>& arguments)
{
    return QString::fromStdString(words().message(key, arguments, numberStyle()));
}

QString sayTitle(std::string_view key, const std::map<std::string, std::string>& arguments)
{
    const std::string title = "title." + std::string(key);
    return words().has(Section::Messages, title) ? sayMessage(title, arguments) : QString();
}

bool isKnown(std::string_view key)
{
    return words().has(Section::Terms, key);
}

QString labelOf(std::string_view key)
{
    return hasLabel(words(), key) ? toQString(words().label(key)) : asWords(key);
}

QString symbolOf(std::string_view key)
{
    return toQString(words().symbol(key));
}

QString helpOf(std::string_view key)
{
    return toQString(words().help(key));
}

QString sourceOf(std::string_view key)
{
    return toQString(words().source(key));
}

QString otherLabelOf(std::string_view key)
{
    const Catalogue& other =
        catalogue(current() == Language::Chinese ? Language::English : Language::Chinese);
    return hasLabel(other, key) ? toQString(other.label(key)) : QString();
}

QString nameOf(std::string_view parameterKey, std::string_view name)
{
    return toQString(words().choice(parameterKey, name));
}

Language language()
{
    return current();
}

QString languageCode(Language language)
{
    return language == Language::Chinese ? u"zh_CN"_s : u"en"_s;
}

void setLanguage(Language language)
{
    if (language == current())
        return;
    current() = language;
    QLocale::setDefault(numberLocale());
    Q_EMIT LanguageSignal::instance().languageChanged();
}

QLocale numberLocale()
{
    const QLocale system = QLocale::system();
    if (current() == Language::Chinese)
        return {QLocale::Chinese, QLocale::China};
    if (system.language() != QLocale::Chinese && system.language() != QLocale::C)
        return {QLocale::English, system.territory()};
    return {QLocale::English, QLocale::UnitedStates};
}

LanguageSignal& LanguageSignal::instance()
{
    static LanguageSignal signal;
    return signal;
}

void bindText(QObject* context, const std::function<void()>& apply)
{
    apply();
    QObject::connect(&LanguageSignal::instance(), &LanguageSignal::languageChanged, context, apply);
}

} // namespace cw::views
