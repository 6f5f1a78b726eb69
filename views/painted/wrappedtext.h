// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QString>
#include <QStringList>

namespace cw::views {

/// Lines no wider than a width, broken between words, or between letters of Chinese.
QStringList wordLines(const QString& text, const QFont& font, double width);

} // namespace cw::views
