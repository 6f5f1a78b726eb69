// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pagelist.h"

#include "views/pages/costpage.h"
#include "views/pages/memorypage.h"
#include "views/pages/networkpage.h"
#include "views/pages/overviewpage.h"
#include "views/pages/powerpage.h"
#include "views/pages/runpage.h"
#include "views/pages/steppage.h"
#include "views/pages/validationpage.h"

namespace cw::app {

std::vector<views::Page*> createPages(QWidget* parent)
{
    return {new views::OverviewPage(parent), new views::MemoryPage(parent),
            new views::StepPage(parent),     new views::NetworkPage(parent),
            new views::RunPage(parent),      new views::PowerPage(parent),
            new views::CostPage(parent),     new views::ValidationPage(parent)};
}

QKeySequence pageShortcut(const views::Page& page, std::size_t index)
{
    if (page.key() == QLatin1String("validation"))
        return Qt::CTRL | Qt::SHIFT | Qt::Key_V;
    if (index > 9)
        return {};
    return index == 9 ? Qt::CTRL | Qt::Key_0 : Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + index);
}

} // namespace cw::app
