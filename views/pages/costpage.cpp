// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/costpage.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <memory>

#include "model/evaluation/siting.h"
#include "views/pages/costfigures.h"
#include "views/pages/figures.h"
#include "views/pages/frames.h"
#include "views/pages/narrow.h"
#include "views/pages/segments.h"
#include "views/params/valuetext.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

constexpr int kStillMs = 200;

/// Machines to lay beside the plan's own, by the ids of their presets.
constexpr const char* kMachines[] = {"dgx-h100", "gb200-nvl72", "mi355x-ubb8-dlc",
                                     "atlas-950-superpod"};

} // namespace

CostPage::CostPage(QWidget* parent)
    : Page(parent), m_parts(new Waterfall(Qt::Vertical, this)), m_sums(new FactList(false, this)),
      m_worth(new FactList(false, this)), m_sites(new FactList(false, this)),
      m_machines(new FactList(false, this)),
      m_partsFrame(framed(this, m_parts, "window.cost.partsTitle")),
      m_worthFrame(framed(this, m_worth, "window.cost.worthTitle")),
      m_sitesFrame(framed(this, m_sites, "window.cost.sitesTitle")),
      m_machinesFrame(framed(this, m_machines, "window.cost.machinesTitle")),
      m_top(new QBoxLayout(QBoxLayout::LeftToRight)),
      m_bottom(new QBoxLayout(QBoxLayout::LeftToRight))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(10);
    m_top->setSpacing(10);
    m_top->addWidget(m_partsFrame, 27);
    auto* side = new QVBoxLayout;
    side->setSpacing(10);
    side->addWidget(framed(this, m_sums, "window.cost.sumsTitle"), 3);
    side->addWidget(m_worthFrame, 1);
    m_top->addLayout(side, 13);
    column->addLayout(m_top, 6);
    m_bottom->setSpacing(10);
    m_bottom->addWidget(m_sitesFrame, 1);
    m_bottom->addWidget(m_machinesFrame, 1);
    column->addLayout(m_bottom, 4);
    m_parts->setMinimumHeight(240);
    m_sums->setDetailWidth(0);
    m_worth->setDetailWidth(56);
    m_sites->setDetailWidth(290);
    m_machines->setDetailWidth(250);
    for (FactList* list : {m_sites, m_machines})
        bindText(list, [list] { list->setEmptyText(say("window.cost.reading")); });
    addLevels();
    m_pool.setMaxThreadCount(1);
    m_timer.setSingleShot(true);
    m_timer.setInterval(kStillMs);
    connect(&m_timer, &QTimer::timeout, this, &CostPage::startReading);
}

CostPage::~CostPage()
{
    m_pool.waitForDone();
}

void CostPage::addLevels()
{
    auto* group = addSegments(
        m_partsFrame, {"window.cost.levelRun", "window.cost.levelHour", "window.cost.levelCapital"},
        m_level);
    connect(group, &QButtonGroup::idClicked, this, [this](int level) {
        m_level = level;
        if (current().evaluation)
            refresh(current());
    });
}

void CostPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    const auto way = width() < kNarrowPage ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
    m_top->setDirection(way);
    m_bottom->setDirection(way);
}

void CostPage::refresh(const PageData& figures)
{
    m_parts->setData(costWaterfall(figures, static_cast<CostLevel>(m_level)));
    m_partsFrame->setSubtitle(
        say("window.cost.partsSubtitle",
            {{"currency", QString::fromStdString(figures.scenario->economics.currency)}}));
    m_sums->setRows(costRows(figures));
    m_worth->setRows(worthRows(figures));
    m_worthFrame->setSubtitle(say("window.cost.worthSubtitle"));
    m_sitesFrame->setSubtitle(say("window.cost.sitesSubtitle"));
    const double most = figures.evaluation->power.maximum.facility.si();
    m_machinesFrame->setSubtitle(
        say("window.cost.machinesSubtitle", {{"power", shownNumber(most, units::Unit::Watts)}}));
    ++m_ticket;
    m_timer.start();
}

void CostPage::hideEvent(QHideEvent* event)
{
    m_timer.stop();
    Page::hideEvent(event);
}

void CostPage::startReading()
{
    if (!current().scenario)
        return;
    const quint64 ticket = m_ticket;
    const double most = current().evaluation->power.maximum.facility.si();
    m_pool.start([this, ticket, most, plan = current().scenario] {
        auto sites =
            std::make_shared<std::vector<evaluation::AtSite>>(evaluation::atAllSites(*plan));
        auto machines = std::make_shared<std::vector<evaluation::Filled>>();
        machines->push_back(evaluation::fill(*plan, {}, most));
        for (const char* id : kMachines)
            machines->push_back(evaluation::fill(*plan, id, most));
        QMetaObject::invokeMethod(
            this, [this, ticket, sites, machines] { take(ticket, *sites, *machines); },
            Qt::QueuedConnection);
    });
}

void CostPage::take(quint64 ticket, const std::vector<evaluation::AtSite>& sites,
                    const std::vector<evaluation::Filled>& machines)
{
    if (ticket != m_ticket)
        return;
    m_sites->setRows(siteTable(sites));
    m_machines->setRows(fillTable(machines));
    Q_EMIT comparisonsShown();
}

void CostPage::flush()
{
    if (m_timer.isActive()) {
        m_timer.stop();
        startReading();
    }
    m_pool.waitForDone();
}

} // namespace cw::views
