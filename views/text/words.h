// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>
#include <QObject>
#include <QString>
#include <functional>
#include <map>
#include <string>
#include <string_view>

// The words of the window, in the language of the moment: one place, so that a change of language
// is one signal.

namespace cw::views {

enum class Language : std::uint8_t
{
    English,
    Chinese
};

using WordArguments = std::map<std::string, QString>;

/// A term of the message catalogue, {name} replaced by the arguments. A key that the catalogue
/// does not know shows itself.
QString say(std::string_view key, const WordArguments& arguments = {});
/// A fault, violation or advice in words.
QString sayMessage(std::string_view key, const std::map<std::string, std::string>& arguments);
/// The short title of such a message; empty where it has none.
QString sayTitle(std::string_view key, const std::map<std::string, std::string>& arguments);
/// Whether the catalogue knows a term.
bool isKnown(std::string_view key);
/// Label, symbol, help and source of a parameter (by its path without list indices), a quantity or
/// a constant.
QString labelOf(std::string_view key);
QString symbolOf(std::string_view key);
QString helpOf(std::string_view key);
QString sourceOf(std::string_view key);
/// The label in the language that is not shown, so that a filter finds both.
QString otherLabelOf(std::string_view key);
/// A name of a choice as people say it.
QString nameOf(std::string_view parameterKey, std::string_view name);

Language language();
/// "en" or "zh_CN".
QString languageCode(Language language);
void setLanguage(Language language);
/// How numbers are written on screen: the language's, with the system's separators where both
/// agree.
QLocale numberLocale();

/// Tells of changes of the language.
class LanguageSignal final : public QObject
{
    Q_OBJECT

public:
    static LanguageSignal& instance();

Q_SIGNALS:
    void languageChanged();
};

/// Runs `apply` now and after every change of the language, as long as `context` lives.
void bindText(QObject* context, const std::function<void()>& apply);

} // namespace cw::views
