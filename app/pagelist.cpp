// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pagelist.h"

#include "views/pages/page.h"

namespace cw::app {

std::vector<views::Page*> createPages(QWidget* parent)
{
    Q_UNUSED(parent)
    return {};
}

} // namespace cw::app
