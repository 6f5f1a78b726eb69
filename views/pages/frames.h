// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/chartframe.h"
#include "views/pages/page.h"

class QPushButton;

namespace cw::views {

/// A card of a page around a chart: its title follows the language, its quantities are the page's.
ChartFrame* framed(Page* page, PaintedChart* chart, const char* titleKey);

/// A text for a button of a switch, which is as wide as its text set strong.
void setSegmentText(QPushButton* button, const QString& text);

} // namespace cw::views
