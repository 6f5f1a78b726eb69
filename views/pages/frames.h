// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/chartframe.h"
#include "views/pages/page.h"

namespace cw::views {

/// A card of a page around a chart: its title follows the language, its quantities are the page's.
ChartFrame* framed(Page* page, PaintedChart* chart, const char* titleKey);

} // namespace cw::views
