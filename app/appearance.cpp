// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/appearance.h"

#include <QApplication>
#include <QLibraryInfo>
#include <QSettings>

namespace cw::app {

using namespace Qt::StringLiterals;
using views::Language;
using views::ThemeMode;

namespace {

ThemeMode themeOf(const QString& name)
{
    if (name == u"light"_s)
        return ThemeMode::Light;
    return name == u"dark"_s ? ThemeMode::Dark : ThemeMode::System;
}

QString nameOf(ThemeMode mode)
{
    return mode == ThemeMode::Light  ? u"light"_s
           : mode == ThemeMode::Dark ? u"dark"_s
                                     : u"system"_s;
}

} // namespace

Appearance::Appearance(QApplication& application)
    : QObject(&application), m_application(application)
{
}

void Appearance::start(const QString& language, const QString& theme)
{
    const QSettings settings;
    QString code = language.isEmpty() ? settings.value(u"language"_s).toString() : language;
    if (code.isEmpty())
        code = QLocale::system().uiLanguages().value(0).startsWith(u"zh"_s) ? u"zh_CN"_s : u"en"_s;
    views::setLanguage(code == u"zh_CN"_s ? Language::Chinese : Language::English);
    QLocale::setDefault(views::numberLocale());
    install();
    m_theme = themeOf(theme.isEmpty() ? settings.value(u"theme"_s).toString() : theme);
    views::applyTheme(m_application, m_theme);
}

void Appearance::install()
{
    // The charts' texts first: a change of translators is what makes widgets ask anew.
    m_application.removeTranslator(&m_qt);
    m_application.removeTranslator(&m_texts);
    if (language() == Language::Chinese) {
        if (m_qt.load(u"qtbase_zh_CN"_s, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
            m_application.installTranslator(&m_qt);
        m_application.installTranslator(&m_texts);
    }
}

void Appearance::setLanguage(Language language)
{
    QSettings().setValue(u"language"_s, views::languageCode(language));
    if (language == views::language())
        return;
    views::setLanguage(language);
    install();
    Q_EMIT changed();
}

void Appearance::setTheme(ThemeMode mode)
{
    QSettings().setValue(u"theme"_s, nameOf(mode));
    m_theme = mode;
    views::applyTheme(m_application, mode);
    Q_EMIT changed();
}

} // namespace cw::app
