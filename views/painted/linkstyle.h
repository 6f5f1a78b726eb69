// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/theme/theme.h"

#include <QLineF>
#include <QPen>
#include <QPolygonF>
#include <QRectF>
#include <QString>

class QPainter;

namespace cw::views {

/// A link in the colour and width of its band of utilization; over 100 % it is dashed, so that
/// the bands are told apart without colour too.
QPen linkPen(double utilization, const Theme& theme, double scale = 1.0);
/// "40–60 %"
QString bandName(int band);
/// Legend of the six bands, in two columns; 17 px a row.
void paintBandLegend(QPainter& painter, const QRectF& rect, const Theme& theme);
/// What is drawn out of a part: from its side to the side of the panel that shows it, in the order
/// part, panel, panel, part.
void paintWedge(QPainter& painter, const Theme& theme, const QPolygonF& shape);
/// The part of a line inside a rectangle; a null line where there is none. Lines that reach far
/// outside the picture are slow to dash and to fill.
QLineF clipped(const QLineF& line, const QRectF& rect);

} // namespace cw::views
