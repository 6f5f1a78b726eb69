// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTranslator>

#include "app/i18n/cataloguetranslator.h"
#include "views/text/words.h"
#include "views/theme/theme.h"

class QApplication;

namespace cw::app {

/// Language and colours of the window, changed while it runs and kept in the settings.
class Appearance final : public QObject
{
    Q_OBJECT

public:
    explicit Appearance(QApplication& application);

    [[nodiscard]] views::Language language() const { return views::language(); }
    void setLanguage(views::Language language);
    [[nodiscard]] views::ThemeMode theme() const { return m_theme; }
    void setTheme(views::ThemeMode mode);
    /// What the settings hold, else the system's. `language` and `theme` as on the command line,
    /// empty where they are not given; they hold for this run only.
    void start(const QString& language, const QString& theme);

Q_SIGNALS:
    void changed();

private:
    void install();

    QApplication& m_application;
    CatalogueTranslator m_texts;
    QTranslator m_qt;
    views::ThemeMode m_theme = views::ThemeMode::System;
};

} // namespace cw::app
