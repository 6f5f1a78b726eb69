// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/painted/paintutil.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainterPath>
#include <cmath>

namespace cw::views {

AxisTicks niceTicks(double low, double high, int wanted)
{
    AxisTicks ticks;
    const double span = high - low;
    if (!(span > 0) || !std::isfinite(span) || wanted < 1) {
        ticks.values.push_back(low);
        return ticks;
    }
    const double raw = span / wanted;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    const double ratio = raw / power;
    ticks.step = power * (ratio <= 1.5 ? 1.0 : ratio <= 3.5 ? 2.0 : ratio <= 7.5 ? 5.0 : 10.0);
    const double first = std::ceil(low / ticks.step - 1e-9);
    for (double i = first; i * ticks.step <= high + ticks.step * 1e-9; i += 1.0) {
        ticks.values.push_back(i * ticks.step);
    }
    return ticks;
}

double textWidth(const QString& text, const QFont& font)
{
    return QFontMetricsF(font).horizontalAdvance(text);
}

void drawLine(QPainter& painter, const QRectF& rect, int align, const QString& text)
{
    const QFontMetricsF metrics(painter.font());
    const QString fit = metrics.horizontalAdvance(text) <= rect.width() + 0.5
                            ? text
                            : metrics.elidedText(text, Qt::ElideRight, rect.width());
    painter.drawText(rect, align | Qt::TextSingleLine, fit);
}

void crispH(QPainter& painter, double x0, double x1, double y)
{
    const double line = std::floor(y) + 0.5;
    painter.drawLine(QPointF(x0, line), QPointF(x1, line));
}

void crispV(QPainter& painter, double x, double y0, double y1)
{
    const double line = std::floor(x) + 0.5;
    painter.drawLine(QPointF(line, y0), QPointF(line, y1));
}

void drawHalo(QPainter& painter, const QRectF& rect, int align, const QString& text,
              const QColor& ground)
{
    // Copies around keep the text as text in SVG, where a stroked path would not be.
    const QPen pen = painter.pen();
    painter.setPen(ground);
    for (const auto& d : {QPointF(-2, 0), QPointF(2, 0), QPointF(-1, -1), QPointF(1, -1),
                          QPointF(-1, 1), QPointF(1, 1)}) {
        painter.drawText(rect.translated(d), align | Qt::TextSingleLine, text);
    }
    painter.setPen(pen);
    painter.drawText(rect, align | Qt::TextSingleLine, text);
}

QString rawNumber(double value)
{
    return std::isfinite(value) ? QLocale::c().toString(value, 'g', 10) : QString();
}

double drawLegend(QPainter* painter, const QRectF& rect, const std::vector<LegendEntry>& entries,
                  const Theme& theme)
{
    constexpr double kRow = 18.0;
    constexpr double kSwatch = 10.0;
    const QFont font = Theme::font(11);
    double x = rect.left();
    double y = rect.top();
    for (const auto& entry : entries) {
        const double label = textWidth(entry.label, font);
        const double swatch = entry.dashed ? 24.0 : kSwatch;
        const double width = swatch + 5 + label + 12;
        if (x > rect.left() && x + width - 12 > rect.right()) {
            x = rect.left();
            y += kRow;
        }
        if (painter != nullptr) {
            const QRectF box(x, std::floor(y + (kRow - kSwatch) / 2), swatch, kSwatch);
            if (entry.dashed) {
                painter->setPen(QPen(theme.text, 1.5, Qt::CustomDashLine));
                QPen pen = painter->pen();
                pen.setDashPattern({3, 2});
                painter->setPen(pen);
                painter->drawLine(QPointF(box.left(), box.center().y()),
                                  QPointF(box.right(), box.center().y()));
            } else if (entry.style.hatch != Hatch::None) {
                hatchRect(*painter, box, entry.style.colour, 4.0);
            } else {
                painter->fillRect(box, entry.style.colour);
            }
            painter->setFont(font);
            painter->setPen(theme.secondary);
            painter->drawText(QRectF(x + swatch + 5, y, label + 2, kRow),
                              Qt::AlignLeft | Qt::AlignVCenter, entry.label);
        }
        x += width;
    }
    return entries.empty() ? 0.0 : y + kRow - rect.top();
}

} // namespace cw::views
