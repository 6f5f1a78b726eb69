// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

class QWidget;

namespace cw::views {
class Page;
}

namespace cw::app {

/// All pages, in the order of their tabs.
std::vector<views::Page*> createPages(QWidget* parent);

} // namespace cw::app
