// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/painted/linklegend.h"

#include "views/painted/linkstyle.h"

namespace cw::views {

LinkLegend::LinkLegend(QWidget* parent) : PaintedChart(parent)
{
    setFocusPolicy(Qt::NoFocus);
}

void LinkLegend::paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const
{
    paintBandLegend(painter, bounds, theme);
}

ChartTable LinkLegend::table() const
{
    ChartTable t;
    t.header = {tr("Utilization"), tr("Width in pixels")};
    for (int band = 0; band < 6; ++band)
        t.rows.push_back({bandName(band), QString::number(Theme::bandWidth(band))});
    return t;
}

} // namespace cw::views
