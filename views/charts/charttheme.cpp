// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/charttheme.h"

#include <QAbstractAxis>
#include <QChart>
#include <QMargins>

namespace cw::views {

void applyChartTheme(QChart& chart, const Theme& theme)
{
    chart.setAnimationOptions(QChart::NoAnimation);
    chart.setBackgroundVisible(false);
    chart.setPlotAreaBackgroundVisible(false);
    chart.setMargins(QMargins(0, 0, 0, 0));
    chart.setTitleFont(Theme::font(13, true));
    chart.setTitleBrush(theme.text);
    const auto axes = chart.axes();
    for (auto* axis : axes) {
        axis->setLabelsFont(Theme::font(10));
        axis->setLabelsColor(theme.secondary);
        axis->setTitleFont(Theme::font(10));
        axis->setTitleBrush(theme.secondary);
        axis->setGridLineColor(theme.hairline);
        axis->setLinePen(QPen(theme.hairline, 1));
        axis->setShadesVisible(false);
    }
}

} // namespace cw::views
