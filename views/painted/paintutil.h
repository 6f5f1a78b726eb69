// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/theme/theme.h"

#include <QPainter>
#include <QRectF>
#include <QString>
#include <vector>

namespace cw::views {

struct AxisTicks
{
    std::vector<double> values;
    double step = 1.0;
};

/// Round ticks (1, 2, 5 times a power of ten) inside [low, high], about `wanted` of them.
AxisTicks niceTicks(double low, double high, int wanted);

/// Linear map from values to pixels, either way round.
struct Scale
{
    double low = 0.0;
    double high = 1.0;
    double from = 0.0;
    double to = 1.0;
    [[nodiscard]] double at(double value) const
    {
        return high == low ? from : from + (value - low) / (high - low) * (to - from);
    }
    [[nodiscard]] double valueAt(double pixel) const
    {
        return to == from ? low : low + (pixel - from) / (to - from) * (high - low);
    }
};

double textWidth(const QString& text, const QFont& font);
/// The text as it stands where it fits, else elided at the right.
QString fitted(const QString& text, const QFont& font, double width);
/// One line of text in a rectangle, in the painter's font and pen. On screen, what was drawn before
/// is not shaped anew; in a vector file it stays text.
void drawText(QPainter& painter, const QRectF& rect, int align, const QString& text);
/// The same from a point on its base line.
void drawText(QPainter& painter, const QPointF& from, const QString& text);
/// One line, elided at the right when it does not fit.
void drawLine(QPainter& painter, const QRectF& rect, int align, const QString& text);
/// Horizontal or vertical line of one pixel, on the pixel grid.
void crispH(QPainter& painter, double x0, double x1, double y);
void crispV(QPainter& painter, double x, double y0, double y1);
/// Text with an outline of the ground, readable on ribbons and lines.
void drawHalo(QPainter& painter, const QRectF& rect, int align, const QString& text,
              const QColor& ground);
/// Value for a table of data: plain, full precision, decimal point.
QString rawNumber(double value);

struct LegendEntry
{
    SeriesStyle style;
    QString label;
    bool dashed = false;
};

/// Swatches with labels, wrapped into the width; returns the height used. Measures only when
/// painter is null.
double drawLegend(QPainter* painter, const QRectF& rect, const std::vector<LegendEntry>& entries,
                  const Theme& theme);

} // namespace cw::views
