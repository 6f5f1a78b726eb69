// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/theme/theme.h"

class QChart;

namespace cw::views {

/// Dresses a chart of Qt Charts in our colours; QChart::setTheme would pick its own.
void applyChartTheme(QChart& chart, const Theme& theme);

} // namespace cw::views
