// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/powerpage.h"

#include <QBoxLayout>

#include "views/pages/figures.h"
#include "views/pages/frames.h"
#include "views/pages/narrow.h"
#include "views/pages/powerfigures.h"
#include "views/params/valueslider.h"
#include "views/params/valuetext.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;

PowerPage::PowerPage(QWidget* parent)
    : Page(parent), m_flows(new Sankey(this)), m_rack(new RackView(this)),
      m_months(new StackedBars(this)), m_swing(new PowerSwingChart(this)),
      m_run(new FactList(false, this)), m_flowsFrame(framed(this, m_flows, "window.power.title")),
      m_rackFrame(framed(this, m_rack, "window.power.rackTitle")),
      m_monthsFrame(framed(this, m_months, "window.power.monthsTitle")),
      m_swingFrame(new ChartFrame({}, {}, this)),
      m_runFrame(framed(this, m_run, "window.power.runTitle")),
      m_top(new QBoxLayout(QBoxLayout::LeftToRight)),
      m_bottom(new QBoxLayout(QBoxLayout::LeftToRight))
{
    m_swingFrame->setChart(m_swing);
    bindText(m_swingFrame, [this] {
        m_swingFrame->setTitle(say("window.power.swingTitle"));
        m_swing->setAccessibleName(say("window.power.swingTitle"));
        m_swing->setEmptyText(say("window.chart.empty"));
    });
    connect(m_swing, &PowerSwingChart::quantityClicked, this, &Page::quantityClicked);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(10);
    m_top->setSpacing(10);
    m_top->addWidget(m_flowsFrame, 27);
    m_top->addWidget(m_rackFrame, 10);
    column->addLayout(m_top, 6);
    auto* curves = new QHBoxLayout;
    curves->setSpacing(10);
    curves->addWidget(m_monthsFrame, 1);
    curves->addWidget(m_swingFrame, 1);
    m_bottom->setSpacing(10);
    m_bottom->addLayout(curves, 27);
    m_bottom->addWidget(m_runFrame, 12);
    column->addLayout(m_bottom, 4);
    m_flows->setMinimumHeight(300);
    m_rack->setMinimumHeight(280);
    m_months->setMinimumHeight(150);
    m_swing->setMinimumHeight(150);
    m_run->setDetailWidth(96);
    connect(m_rack, &RackView::supplyDragStarted, this, [this] { m_gesture = nextGesture(); });
    connect(m_rack, &RackView::supplyDragged, this, &PowerPage::dragSupply);
    connect(m_rack, &RackView::supplyDragFinished, this, [this] { m_gesture = 0; });
}

void PowerPage::tellTitles(const PageData& figures)
{
    const auto& e = *figures.evaluation;
    const QLocale locale = numberLocale();
    m_flowsFrame->setSubtitle(say("window.power.flowSubtitle"));
    m_flowsFrame->setRightText(u"PUE <b>"_s + locale.toString(e.power.pue, 'f', 3) + u"</b>"_s);
    m_rackFrame->setSubtitle(
        say("window.power.racks", {{"n", locale.toString(e.cooling.racks, 'f', 0)}}));
    const auto& f = figures.scenario->facility;
    m_monthsFrame->setSubtitle(
        f.ambientC ? say("window.power.givenClimate")
                   : say("window.power.climate",
                         {{"site", nameOf("facility.site", scenario::nameOf(f.site))}}));
    m_swingFrame->setSubtitle(
        say("window.power.swingSubtitle",
            {{"hertz", locale.toString(e.power.swingHz, 'g', 3) + QChar(0x2009) + u"Hz"_s},
             {"checkpoint", shownNumber(e.power.checkpointSwing.si(), units::Unit::Watts)}}));
    m_runFrame->setSubtitle(shown(e.run.days, Unit::Days));
}

void PowerPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    const auto way = width() < kNarrowPage ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
    m_top->setDirection(way);
    m_bottom->setDirection(way);
    // Below each other the frames scroll, and the flows can have the height that they need.
    m_flows->setMinimumHeight(way == QBoxLayout::TopToBottom ? 420 : 300);
}

void PowerPage::refresh(const PageData& figures)
{
    const auto& e = *figures.evaluation;
    m_flows->setData(powerFlows(e));
    m_rack->setData(rackOf(figures));
    m_months->setData(pueOfMonths(e));
    m_swing->setData(swingOf(e));
    m_run->setRows(siteRows(figures));
    if (m_swingFrame->isTableShown())
        m_swingFrame->refreshTable();
    tellTitles(figures);
}

void PowerPage::dragSupply(double celsius)
{
    if (!current().scenario)
        return;
    const bool air = current().scenario->facility.cooling == scenario::Cooling::Air;
    Q_EMIT editsWanted({{air ? "facility.air_supply_c" : "facility.supply_c", celsius}},
                       say("window.power.undoSupply", {{"supply", shown(celsius, Unit::Celsius)}}),
                       m_gesture);
}

} // namespace cw::views
