// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/powerpage.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "views/pages/figures.h"
#include "views/pages/frames.h"
#include "views/params/valuetext.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

FactRow fact(const char* key, const QString& value, const char* path)
{
    FactRow row;
    row.label = say(key);
    row.value = value;
    row.quantity = QString::fromLatin1(path);
    return row;
}

QString kilowatts(double value)
{
    return numberLocale().toString(value / 1e3, 'f', 1) + QChar(0x2009) + u"kW"_s;
}

QString watts(double value)
{
    return shownNumber(value, units::Unit::Watts);
}

} // namespace

PowerPage::PowerPage(QWidget* parent)
    : Page(parent), m_flows(new Sankey(this)), m_limits(new FactList(false, this)),
      m_rack(new FactList(false, this)), m_cooling(new FactList(false, this)),
      m_run(new FactList(false, this)), m_flowsFrame(framed(this, m_flows, "window.power.title")),
      m_rackFrame(framed(this, m_rack, "window.power.rackTitle"))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(10);
    column->addWidget(m_flowsFrame, 1);
    auto* cards = new QWidget(this);
    cards->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto* bottom = new QHBoxLayout(cards);
    bottom->setContentsMargins(0, 0, 0, 0);
    bottom->setSpacing(10);
    for (QWidget* card : {m_rackFrame, framed(this, m_cooling, "window.power.coolingTitle"),
                          framed(this, m_limits, "window.power.limitsTitle"),
                          framed(this, m_run, "window.power.runTitle")}) {
        bottom->addWidget(card, 1);
    }
    column->addWidget(cards);
    m_flows->setMinimumHeight(260);
    for (FactList* list : {m_limits, m_rack, m_cooling, m_run})
        list->setDetailWidth(0);
}

void PowerPage::refresh(const PageData& figures)
{
    const auto& e = *figures.evaluation;
    const QLocale locale = numberLocale();
    m_flows->setData(powerFlows(e));
    m_flowsFrame->setSubtitle(say("window.power.flowSubtitle"));
    m_flowsFrame->setRightText(u"PUE <b>"_s + locale.toString(e.power.pue, 'f', 3) + u"</b>"_s);
    const auto flow = [&locale](double litres) -> QString {
        return locale.toString(litres, 'f', litres < 1000 ? 1 : 0) + QChar(0x2009) + u"L/min"_s;
    };
    m_rackFrame->setSubtitle(
        say("window.power.racks", {{"n", locale.toString(e.cooling.racks, 'f', 0)}}));
    m_rack->setRows(
        {fact("window.power.rackPower", kilowatts(e.cooling.rack.si()), "cooling.rack_w"),
         fact("window.power.rackFlow", flow(e.cooling.rackFlowLitresPerMinute),
              "cooling.rack_flow_l_per_min"),
         fact("window.power.supply", shown(e.cooling.supplyC, Unit::Celsius), "cooling.supply_c"),
         fact("window.power.return", shown(e.cooling.returnC, Unit::Celsius), "cooling.return_c")});
    m_cooling->setRows(
        {fact("window.power.heat", watts(e.cooling.heat.si()), "cooling.heat_w"),
         fact("window.power.liquid", watts(e.cooling.liquid.si()), "cooling.liquid_w"),
         fact("window.power.air", watts(e.cooling.air.si()), "cooling.air_w"),
         fact("window.power.flow", flow(e.cooling.flowLitresPerMinute), "cooling.flow_l_per_min"),
         fact("window.power.water",
              locale.toString(e.cooling.waterLitresPerDay / 1000, 'f', 1) + QChar(0x2009) +
                  u"m³/d"_s,
              "cooling.water_l_per_day")});
    m_limits->setRows({fact("window.power.itLimit", watts(e.power.maximum.it.si()), "power.it_w"),
                       fact("window.power.facilityLimit", watts(e.power.maximum.facility.si()),
                            "power.facility_w"),
                       fact("window.power.hotDay", watts(e.power.hotDayFacility.si()),
                            "power.hot_day_facility_w"),
                       fact("window.power.swing", watts(e.power.swing.si()), "power.swing_w"),
                       fact("window.power.swingHz",
                            locale.toString(e.power.swingHz, 'g', 3) + QChar(0x2009) + u"Hz"_s,
                            "power.swing_hz")});
    m_run->setRows(
        {fact("window.headline.run", shown(e.run.days, Unit::Days), "run.days"),
         fact("window.power.energy", shown(e.power.energyPerRun.si() / 3600, Unit::MegaWattHours),
              "power.energy_j_per_run"),
         fact("window.power.carbon",
              locale.toString(e.power.carbon.si() / 1000, 'f', 0) + QChar(0x2009) + u"t"_s,
              "power.carbon_kg")});
}

} // namespace cw::views
