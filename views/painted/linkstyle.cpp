// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/painted/linkstyle.h"

#include "views/painted/paintutil.h"

#include <QPainter>
#include <algorithm>
#include <array>

namespace cw::views {

using namespace Qt::StringLiterals;

QPen linkPen(double utilization, const Theme& theme, double scale)
{
    const int band = Theme::band(utilization);
    QPen pen(theme.bandColour(band), std::max(1.0, Theme::bandWidth(band) * scale));
    pen.setCapStyle(Qt::FlatCap);
    if (band == 5)
        pen.setDashPattern({2.0, 1.2});
    return pen;
}

QString bandName(int band)
{
    static const std::array<QString, 6> kNames = {u"0–20 %"_s,  u"20–40 %"_s,  u"40–60 %"_s,
                                                  u"60–80 %"_s, u"80–100 %"_s, u"> 100 %"_s};
    return kNames[static_cast<std::size_t>(std::clamp(band, 0, 5))];
}

void paintBandLegend(QPainter& painter, const QRectF& rect, const Theme& theme)
{
    painter.setFont(Theme::font(10));
    const double w = rect.width() / 2;
    for (int band = 0; band < 6; ++band) {
        const int row = band / 2;
        const double x = rect.left() + w * (band % 2);
        const double y = rect.top() + 17.0 * row + 8;
        painter.setPen(linkPen(band / 5.0 + 0.1, theme));
        painter.drawLine(QPointF(x, y), QPointF(x + 32, y));
        painter.setPen(theme.secondary);
        drawText(painter, QRectF(x + 40, y - 8, w - 40, 16), Qt::AlignLeft | Qt::AlignVCenter,
                 bandName(band));
    }
}

void paintWedge(QPainter& painter, const Theme& theme, const QPolygonF& shape)
{
    QColor wash = theme.accent;
    wash.setAlphaF(theme.dark ? 0.12F : 0.08F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(wash);
    painter.drawPolygon(shape);
    painter.setPen(QPen(theme.wash(theme.accent, 0.55), 1));
    painter.drawLine(shape[0], shape[1]);
    painter.drawLine(shape[3], shape[2]);
}

QLineF clipped(const QLineF& line, const QRectF& rect)
{
    // Liang and Barsky, 1984.
    double from = 0.0;
    double to = 1.0;
    const double p[] = {-line.dx(), line.dx(), -line.dy(), line.dy()};
    const double q[] = {line.x1() - rect.left(), rect.right() - line.x1(), line.y1() - rect.top(),
                        rect.bottom() - line.y1()};
    for (int i = 0; i < 4; ++i) {
        if (p[i] == 0.0) {
            if (q[i] < 0.0)
                return {};
            continue;
        }
        const double at = q[i] / p[i];
        if (p[i] < 0.0)
            from = std::max(from, at);
        else
            to = std::min(to, at);
    }
    return from <= to ? QLineF(line.pointAt(from), line.pointAt(to)) : QLineF();
}

} // namespace cw::views
