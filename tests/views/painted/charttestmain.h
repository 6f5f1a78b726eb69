// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/theme/theme.h"

#include <QApplication>
#include <QLocale>
#include <QTest>

namespace cw::test {

/// Starts a test of widgets without a screen, in the light theme and in English.
template <typename Test>
int runChartTest(int argc, char** argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    QApplication application(argc, argv);
    views::applyTheme(application, views::ThemeMode::Light);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

/// Counts the pixels of a picture that differ from its ground.
inline int inked(const QImage& image, const QColor& ground)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            count += image.pixelColor(x, y) != ground ? 1 : 0;
        }
    }
    return count;
}

} // namespace cw::test
