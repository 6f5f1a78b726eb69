// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/painted/wrappedtext.h"

#include "views/painted/paintutil.h"

namespace cw::views {

using namespace Qt::StringLiterals;

QStringList wordLines(const QString& text, const QFont& font, double width)
{
    constexpr char16_t kWide = 0x2e80; // from here on scripts without spaces
    QStringList lines;
    QString line;
    qsizetype from = 0;
    while (from < text.size()) {
        qsizetype end = from + 1;
        while (end < text.size() && text[end - 1] != u' ' && text[end - 1].unicode() < kWide &&
               text[end].unicode() < kWide)
            ++end;
        const QString word = text.mid(from, end - from);
        if (!line.isEmpty() && textWidth(QString(line + word).trimmed(), font) > width) {
            lines << line.trimmed();
            line.clear();
        }
        line += word;
        from = end;
    }
    if (!line.trimmed().isEmpty())
        lines << line.trimmed();
    return lines;
}

} // namespace cw::views
