// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/painted/paintutil.h"

#include <QCache>
#include <QFontMetricsF>
#include <QGlyphRun>
#include <QGuiApplication>
#include <QLocale>
#include <QPaintEngine>
#include <QPainterPath>
#include <QTextLayout>
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

namespace {

/// A line of text ready to be drawn.
struct Shaped
{
    QList<QGlyphRun> runs;
    double width = 0.0;
    double ascent = 0.0;
    double height = 0.0;
};

struct ShapedKey
{
    QString text;
    int pixels = 0;
    int weight = 0;
    friend bool operator==(const ShapedKey&, const ShapedKey&) = default;
};

size_t qHash(const ShapedKey& key, size_t seed = 0)
{
    return qHashMulti(seed, key.text, key.pixels, key.weight);
}

/// A text that was too long for a width.
struct CutKey
{
    ShapedKey whole;
    double width = 0.0;
    friend bool operator==(const CutKey&, const CutKey&) = default;
};

size_t qHash(const CutKey& key, size_t seed = 0)
{
    return qHashMulti(seed, key.whole, key.width);
}

/// Shaping takes most of the time of painting, and most texts stay as they are from one frame to
/// the next. All fonts here are the application's in several sizes.
struct Kept
{
    static constexpr int kMost = 4000;
    QCache<ShapedKey, Shaped> shaped{kMost};
    QCache<CutKey, QString> cut{kMost};
    QFont base = QGuiApplication::font();
};

Kept& kept()
{
    thread_local Kept all;
    const QFont now = QGuiApplication::font();
    if (!now.isCopyOf(all.base)) {
        all.shaped.clear();
        all.cut.clear();
        all.base = now;
    }
    return all;
}

ShapedKey keyOf(const QString& text, const QFont& font)
{
    return {text, font.pixelSize(), static_cast<int>(font.weight())};
}

const Shaped& shapedOf(const QString& text, const QFont& font)
{
    auto& all = kept().shaped;
    const ShapedKey key = keyOf(text, font);
    if (const Shaped* found = all.object(key))
        return *found;
    auto* made = new Shaped;
    QTextLayout layout(text, font);
    layout.beginLayout();
    QTextLine line = layout.createLine();
    layout.endLayout();
    if (line.isValid()) {
        made->runs = layout.glyphRuns();
        made->width = line.naturalTextWidth();
        made->ascent = line.ascent();
        made->height = line.height();
    }
    all.insert(key, made);
    return *made;
}

bool isOnScreen(const QPainter& painter)
{
    return painter.paintEngine() != nullptr &&
           painter.paintEngine()->type() == QPaintEngine::Raster;
}

void drawShaped(QPainter& painter, const QPointF& top, const Shaped& shaped)
{
    for (const QGlyphRun& run : shaped.runs)
        painter.drawGlyphRun(top, run);
}

} // namespace

double textWidth(const QString& text, const QFont& font)
{
    return font.pixelSize() > 0 ? shapedOf(text, font).width
                                : QFontMetricsF(font).horizontalAdvance(text);
}

QString fitted(const QString& text, const QFont& font, double width)
{
    if (textWidth(text, font) <= width + 0.5)
        return text;
    const CutKey key{keyOf(text, font), width};
    if (const QString* found = kept().cut.object(key); found && font.pixelSize() > 0)
        return *found;
    const QString cut = QFontMetricsF(font).elidedText(text, Qt::ElideRight, width);
    if (font.pixelSize() > 0)
        kept().cut.insert(key, new QString(cut));
    return cut;
}

void drawText(QPainter& painter, const QRectF& rect, int align, const QString& text)
{
    const QFont& font = painter.font();
    if (!isOnScreen(painter) || font.pixelSize() <= 0) {
        painter.drawText(rect, align | Qt::TextSingleLine, text);
        return;
    }
    const Shaped& shaped = shapedOf(text, font);
    QPointF at = rect.topLeft();
    if ((align & Qt::AlignRight) != 0)
        at.setX(rect.right() - shaped.width);
    else if ((align & Qt::AlignHCenter) != 0)
        at.setX(rect.center().x() - shaped.width / 2);
    if ((align & Qt::AlignBottom) != 0)
        at.setY(rect.bottom() - shaped.height);
    else if ((align & Qt::AlignVCenter) != 0)
        at.setY(rect.center().y() - shaped.height / 2);
    drawShaped(painter, at, shaped);
}

void drawText(QPainter& painter, const QPointF& from, const QString& text)
{
    const QFont& font = painter.font();
    if (!isOnScreen(painter) || font.pixelSize() <= 0) {
        painter.drawText(from, text);
        return;
    }
    const Shaped& shaped = shapedOf(text, font);
    drawShaped(painter, from - QPointF(0, shaped.ascent), shaped);
}

void drawLine(QPainter& painter, const QRectF& rect, int align, const QString& text)
{
    drawText(painter, rect, align, fitted(text, painter.font(), rect.width()));
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
        drawText(painter, rect.translated(d), align, text);
    }
    painter.setPen(pen);
    drawText(painter, rect, align, text);
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
            drawText(*painter, QRectF(x + swatch + 5, y, label + 2, kRow),
                     Qt::AlignLeft | Qt::AlignVCenter, entry.label);
        }
        x += width;
    }
    return entries.empty() ? 0.0 : y + kRow - rect.top();
}

} // namespace cw::views
