// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pagelist.h"

#include "views/pages/costpage.h"
#include "views/pages/memorypage.h"
#include "views/pages/networkpage.h"
#include "views/pages/overviewpage.h"
#include "views/pages/powerpage.h"
#include "views/pages/steppage.h"

namespace cw::app {

std::vector<views::Page*> createPages(QWidget* parent)
{
    return {new views::OverviewPage(parent), new views::MemoryPage(parent),
            new views::StepPage(parent),     new views::NetworkPage(parent),
            new views::PowerPage(parent),    new views::CostPage(parent)};
}

} // namespace cw::app
