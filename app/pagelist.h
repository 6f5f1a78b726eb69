// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <vector>

class QWidget;

namespace cw::views {
class Page;
}

namespace cw::app {

/// All pages, in the order of their tabs.
std::vector<views::Page*> createPages(QWidget* parent);

/// Ctrl and its number in the row of tabs; the page of validation has one of its own.
QKeySequence pageShortcut(const views::Page& page, std::size_t index);

} // namespace cw::app
