// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/costpage.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <iterator>
#include <memory>

#include "model/evaluation/siting.h"
#include "model/explore/fill.h"
#include "model/facility/site.h"
#include "views/common/chartframe.h"
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
/// Pages wider than this lay the two tables beside each other; tables wider than the second show
/// all their columns.
constexpr int kTwoTables = 1500;
constexpr int kWideTable = 740;
constexpr int kAllColumns = 1000;

/// Machines to lay beside the plan's own, by the ids of their presets.
constexpr const char* kMachines[] = {"dgx-h100", "gb200-nvl72", "mi355x-ubb8-dlc",
                                     "atlas-950-superpod"};

} // namespace

CostPage::CostPage(QWidget* parent)
    : Page(parent), m_parts(new Waterfall(Qt::Vertical, this)), m_sums(new FactList(false, this)),
      m_worth(new FactList(false, this)), m_sites(new MatrixTable(this)),
      m_machines(new MatrixTable(this)),
      m_partsFrame(framed(this, m_parts, "window.cost.partsTitle")),
      m_worthFrame(framed(this, m_worth, "window.cost.worthTitle")),
      m_sitesFrame(framed(this, m_sites, "window.cost.sitesTitle")),
      m_machinesFrame(framed(this, m_machines, "window.cost.machinesTitle")),
      m_top(new QBoxLayout(QBoxLayout::LeftToRight)),
      m_side(new QBoxLayout(QBoxLayout::TopToBottom)),
      m_bottom(new QBoxLayout(QBoxLayout::LeftToRight))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(10);
    m_top->setSpacing(10);
    m_top->addWidget(m_partsFrame, 27);
    m_side->setSpacing(10);
    m_side->addWidget(framed(this, m_sums, "window.cost.sumsTitle"), 12);
    m_side->addWidget(m_worthFrame, 5);
    m_top->addLayout(m_side, 13);
    column->addLayout(m_top, 1);
    m_bottom->setSpacing(10);
    m_bottom->addWidget(m_sitesFrame, 1);
    m_bottom->addWidget(m_machinesFrame, 1);
    column->addLayout(m_bottom, 0);
    m_parts->setMinimumHeight(200);
    m_sums->setDetailWidth(0);
    m_worth->setDetailWidth(56);
    m_sums->setMostRow(36);
    m_worth->setMostRow(36);
    // Room for the rows that come, so that nothing moves when they do.
    m_sites->setMinimumSize(0, MatrixTable::heightOf(facility::kSiteCount));
    m_machines->setMinimumSize(0, MatrixTable::heightOf(std::size(kMachines) + 1));
    for (MatrixTable* table : {m_sites, m_machines})
        bindText(table, [table] { table->setEmptyText(say("window.cost.reading")); });
    connect(m_sites, &MatrixTable::rowClicked, this, &CostPage::takeSite);
    connect(m_machines, &MatrixTable::rowClicked, this, &CostPage::takeMachine);
    addLevels();
    m_pool.setMaxThreadCount(1);
    m_timer.setSingleShot(true);
    m_timer.setInterval(kStillMs);
    connect(&m_timer, &QTimer::timeout, this, &CostPage::startReading);
}

CostPage::~CostPage()
{
    ++m_ticket;
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
    const bool narrow = width() < kNarrowPage;
    m_top->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_side->setDirection(narrow ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_side->setStretch(0, narrow ? 1 : 12);
    m_side->setStretch(1, narrow ? 1 : 5);
    m_bottom->setDirection(width() < kTwoTables ? QBoxLayout::TopToBottom
                                                : QBoxLayout::LeftToRight);
    if (!m_siteRows.empty())
        showTables();
}

bool CostPage::tablesAreWide() const
{
    return (width() < kTwoTables ? width() : width() / 2) > kWideTable;
}

void CostPage::showTables()
{
    if (!current().scenario)
        return;
    m_sites->setData(siteTable(m_siteRows, current().scenario->facility.site, tablesAreWide()));
    m_machines->setData(fillTable(m_machineRows, tablesAreWide(), width() > kAllColumns));
}

/// The plan becomes another one: all that differs is one step of undo.
void CostPage::takePlan(const scenario::Scenario& plan, const QString& text)
{
    PageEdits edits;
    for (const std::string& path : scenario::differingPaths(*current().scenario, plan))
        if (auto value = scenario::valueAt(plan, path))
            edits.emplace_back(path, std::move(*value));
    if (!edits.empty())
        Q_EMIT editsWanted(edits, text, 0);
}

void CostPage::takeSite(int row)
{
    const auto at = static_cast<std::size_t>(row);
    if (row < 0 || at >= m_siteRows.size() || !current().scenario ||
        m_siteRows[at].site == current().scenario->facility.site)
        return;
    const QString name = nameOf("facility.site", scenario::nameOf(m_siteRows[at].site));
    takePlan(evaluation::movedTo(*current().scenario, m_siteRows[at].site),
             say("window.cost.undoSite", {{"site", name}}));
}

void CostPage::takeMachine(int row)
{
    const auto at = static_cast<std::size_t>(row);
    if (row < 0 || at >= m_machineRows.size() || !current().scenario)
        return;
    takePlan(m_machineRows[at].plan,
             say("window.cost.undoMachine", {{"machine", m_machines->figures().rows[at].name}}));
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
    m_machinesFrame->setRightText(say("window.cost.reading"));
    m_pool.start([this, ticket, most, plan = current().scenario] {
        auto sites =
            std::make_shared<std::vector<evaluation::AtSite>>(evaluation::atAllSites(*plan));
        QMetaObject::invokeMethod(
            this, [this, ticket, sites] { takeSites(ticket, *sites); }, Qt::QueuedConnection);
        // A layout is searched for each machine: what a newer plan asks for comes first.
        auto machines = std::make_shared<std::vector<evaluation::Filled>>();
        machines->push_back(explore::fill(*plan, {}, most, 1));
        for (const char* id : kMachines) {
            if (m_ticket != ticket)
                return;
            machines->push_back(explore::fill(*plan, id, most, 1));
        }
        QMetaObject::invokeMethod(
            this, [this, ticket, machines] { takeMachines(ticket, *machines); },
            Qt::QueuedConnection);
    });
}

void CostPage::takeSites(quint64 ticket, const std::vector<evaluation::AtSite>& sites)
{
    if (ticket != m_ticket)
        return;
    m_siteRows = sites;
    showTables();
}

void CostPage::takeMachines(quint64 ticket, const std::vector<evaluation::Filled>& machines)
{
    if (ticket != m_ticket)
        return;
    m_machineRows = machines;
    m_machinesFrame->setRightText({});
    showTables();
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
