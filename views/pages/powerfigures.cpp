// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/powerfigures.h"

#include <algorithm>
#include <cmath>

#include "views/pages/figures.h"
#include "views/params/valuetext.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;
using evaluation::Evaluation;
using facility::PowerPhase;

namespace {

constexpr double kMega = 1e6;
/// Shares below which a flow is not worth a ribbon.
constexpr double kLeastFlow = 1e-5;

QString watts(double value)
{
    return shown(value, value < kMega ? Unit::KiloWatts : Unit::MegaWatts);
}

QString fixed(double value, int decimals)
{
    return numberLocale().toString(value, 'f', decimals);
}

QString withUnit(const QString& number, const QString& unit)
{
    return number + QChar(0x2009) + unit;
}

/// Builds the nodes and ribbons of the flow picture.
class FlowBuilder
{
public:
    explicit FlowBuilder(double whole) : m_whole(whole) { chart.unit = u"W"_s; }

    SankeyData chart;

    int node(int column, const char* key, Series series, double value, const char* path,
             bool loss = false)
    {
        SankeyNode n;
        n.column = column;
        n.series = series;
        n.value = value;
        n.name = say(key);
        n.valueText = watts(value);
        n.loss = loss;
        n.tooltip = n.name + u'\t' + n.valueText + u'\n' + shownShare(value, m_whole);
        n.quantity = QString::fromLatin1(path);
        chart.nodes.push_back(n);
        return static_cast<int>(chart.nodes.size()) - 1;
    }

    void flow(int from, int to)
    {
        const SankeyNode& target = chart.nodes[static_cast<std::size_t>(to)];
        SankeyLink link;
        link.from = from;
        link.to = to;
        link.value = target.value;
        link.series = target.series;
        link.loss = target.loss;
        link.tooltip = target.tooltip;
        link.quantity = target.quantity;
        chart.links.push_back(link);
    }

    int leaf(int from, int column, const char* key, Series series, double value, const char* path,
             bool loss = false)
    {
        if (!(value > m_whole * kLeastFlow))
            return -1;
        const int at = node(column, key, series, value, path, loss);
        flow(from, at);
        return at;
    }

private:
    double m_whole;
};

void addChips(const Evaluation& e, int it, FlowBuilder& b)
{
    const auto& use = e.power.chipUse;
    const int chips = b.leaf(it, 4, "window.power.chips", Series::Chips, e.power.average.chip.si(),
                             "power.average.chip_w");
    if (chips < 0)
        return;
    b.leaf(chips, 5, "window.power.matrix", Series::Compute, use.matrix.si(),
           "power.chip_use.matrix_w");
    b.leaf(chips, 5, "window.power.memory", Series::BandwidthBound, use.memory.si(),
           "power.chip_use.memory_w");
    b.leaf(chips, 5, "window.power.communication", Series::Network, use.communication.si(),
           "power.chip_use.communication_w");
    b.leaf(chips, 5, "window.power.idle", Series::Fixed, use.idle.si(), "power.chip_use.idle_w");
}

void addCooling(const Evaluation& e, int ups, FlowBuilder& b)
{
    const auto& c = e.cooling;
    const int cooling = b.leaf(ups, 3, "window.power.cooling", Series::Cooling,
                               e.power.average.cooling.si(), "power.average.cooling_w");
    if (cooling < 0)
        return;
    b.leaf(cooling, 4, "window.power.pumps", Series::Cooling, c.averagePumps.si(),
           "cooling.average.pumps_w");
    b.leaf(cooling, 4, "window.power.fans", Series::Cooling, c.averageFans.si(),
           "cooling.average.fans_w");
    b.leaf(cooling, 4, "window.power.coolers", Series::Cooling, c.averageRejection.si(),
           "cooling.average.rejection_w");
    b.leaf(cooling, 4, "window.power.chillers", Series::Cooling, c.averageChillers.si(),
           "cooling.average.chillers_w");
}

const char* phaseKey(PowerPhase phase)
{
    static constexpr const char* kKeys[] = {
        "window.power.phase.fill",     "window.power.phase.steady", "window.power.phase.drain",
        "window.power.phase.exchange", "window.power.phase.update", "window.power.phase.wait"};
    return kKeys[static_cast<std::size_t>(phase)];
}

/// One step of the curve from `start` seconds on; returns its end.
double addStep(const Evaluation& e, double start, PowerSwingData& chart)
{
    for (std::size_t i = 0; i < facility::kPhaseCount; ++i) {
        const auto& s = e.power.phases[i];
        if (!(s.duration.si() > 0))
            continue;
        const auto phase = static_cast<PowerPhase>(i);
        const double end = start + s.duration.si();
        const QString tip = say(phaseKey(phase)) + u'\t' + watts(s.to.si()) + u'\n' +
                            shown(start, Unit::Seconds) + u" → "_s + shown(end, Unit::Seconds);
        chart.points.emplace_back(start, s.from.si() / kMega);
        chart.tips.append(QString());
        chart.points.emplace_back(end, s.to.si() / kMega);
        chart.tips.append(tip);
        if (phase == PowerPhase::Exchange)
            chart.bands.push_back({start, end, Series::DataParallel, say(phaseKey(phase))});
        start = end;
    }
    return start;
}

FactRow row(const char* key, const QString& value, const char* path)
{
    FactRow r;
    r.label = say(key);
    r.value = value;
    r.quantity = QString::fromLatin1(path);
    return r;
}

/// Arrow, sign and amount against the baseline; empty where there is none or nothing changed.
template <class Get, class Show>
QString changeOf(const PageData& figures, Get get, Show show)
{
    if (!figures.baseline)
        return {};
    const double now = get(*figures.evaluation);
    const double delta = now - get(*figures.baseline);
    if (!std::isfinite(delta) || std::abs(delta) <= 1e-9 * std::abs(now))
        return {};
    return QString(delta > 0 ? u"▲ +"_s : u"▼ −"_s) + show(std::abs(delta));
}

} // namespace

SankeyData powerFlows(const Evaluation& e)
{
    const auto& p = e.power.average;
    if (!(p.facility.si() > 0) || !std::isfinite(p.facility.si()))
        return {};
    FlowBuilder b(p.facility.si());
    const double afterTransformer = p.facility.si() - p.transformerLoss.si();
    const double afterUps = afterTransformer - p.upsLoss.si();
    const int grid =
        b.node(0, "window.power.grid", Series::Fixed, p.facility.si(), "power.average.facility_w");
    const int low = b.node(1, "window.power.afterTransformer", Series::Fixed, afterTransformer,
                           "power.average.facility_w");
    b.flow(grid, low);
    b.leaf(grid, 1, "window.power.transformers", Series::Losses, p.transformerLoss.si(),
           "power.average.transformer_loss_w", true);
    const int ups =
        b.node(2, "window.power.afterUps", Series::Fixed, afterUps, "power.average.facility_w");
    b.flow(low, ups);
    b.leaf(low, 2, "window.power.ups", Series::Losses, p.upsLoss.si(), "power.average.ups_loss_w",
           true);
    const int it = b.node(3, "window.power.it", Series::Chips, p.it.si(), "power.average.it_w");
    b.flow(ups, it);
    addChips(e, it, b);
    const double hosts = p.host.si() + p.nvme.si();
    b.leaf(it, 4, "window.power.hosts", Series::Hosts, hosts, "power.average.host_w");
    b.leaf(it, 4, "window.power.nodeFans", Series::Cooling, p.fans.si(), "power.average.fans_w");
    b.leaf(it, 4, "window.power.network", Series::Network, p.network.si(),
           "power.average.network_w");
    b.leaf(it, 4, "window.power.storage", Series::Storage, p.storage.si(),
           "power.average.storage_w");
    b.leaf(it, 4, "window.power.supplies", Series::Losses, p.psuLoss.si(),
           "power.average.psu_loss_w", true);
    addCooling(e, ups, b);
    b.leaf(ups, 4, "window.power.other", Series::Site, p.other.si(), "power.average.other_w");
    return std::move(b.chart);
}

RackViewData rackOf(const PageData& figures)
{
    const Evaluation& e = *figures.evaluation;
    const scenario::Scenario& s = *figures.scenario;
    const auto& c = e.cooling;
    const bool air = s.facility.cooling == scenario::Cooling::Air;
    const auto fact = [](const char* key, const QString& value, const QString& detail,
                         const char* path) {
        return RackFact{say(key), value, detail, QString::fromLatin1(path), false, false, false};
    };
    RackViewData r;
    r.nodes = static_cast<int>(std::min(c.rackNodes, 4096.0));
    r.chipsPerNode = static_cast<int>(std::min<std::int64_t>(s.cluster.node.chips, 4096));
    r.nodePrefix = u"N"_s;
    r.liquid = !air;
    r.supply = air ? s.facility.airSupplyC : s.facility.supplyC;
    r.supplyQuantity = u"cooling.supply_c"_s;
    const auto degrees = [](double x) {
        return withUnit(fixed(x, 0), u"°C"_s);
    };
    RackFact supply =
        fact(air ? "window.power.airSupply" : "window.power.supply", degrees(r.supply),
             say("window.power.upTo", {{"most", degrees(c.supplyMaxC)}}),
             air ? "cooling.supply_margin_k" : "cooling.supply_c");
    supply.large = supply.cold = true;
    r.left = {supply};
    if (!air) {
        r.left.push_back(fact("window.power.flowRack", fixed(c.rackFlowLitresPerMinute, 1),
                              u"L/min"_s, "cooling.rack_flow_l_per_min"));
        r.left.push_back(
            fact("window.power.coolant",
                 s.facility.coolant == scenario::Coolant::Pg25
                     ? u"PG25"_s
                     : nameOf("facility.coolant", scenario::nameOf(s.facility.coolant)),
                 {}, "cooling.flow_l_per_min"));
        RackFact back =
            fact("window.power.return", degrees(c.returnC),
                 u"ΔT "_s + withUnit(fixed(c.returnC - c.supplyC, 0), u"K"_s), "cooling.return_c");
        back.large = back.warm = true;
        r.right = {back};
    }
    r.right.push_back(fact("window.power.case", degrees(e.power.caseC),
                           say("window.power.limit", {{"most", degrees(e.power.caseLimitC)}}),
                           "cooling.case_c"));
    r.right.push_back(
        fact("window.power.intoLiquid", watts(c.rackLiquid.si()), {}, "cooling.rack_liquid_w"));
    r.right.push_back(
        fact("window.power.intoAir", watts(c.rackAir.si()), {}, "cooling.rack_air_w"));
    r.rack.label = say("window.power.rackTitle");
    r.rack.value = say("window.power.rackLine", {{"nodes", fixed(c.rackNodes, 0)},
                                                 {"chips", QString::number(s.cluster.node.chips)},
                                                 {"power", watts(c.rack.si())}});
    r.rack.quantity = u"cooling.rack_w"_s;
    r.plant.label =
        say(air ? "window.power.airHandler" : "window.power.cdu", {{"n", fixed(c.cdus, 0)}});
    r.plant.value = air ? withUnit(fixed(c.airFlow, 0), u"m³/s"_s)
                        : say("window.power.cduLine",
                              {{"pump", watts(c.rackPumps.si())},
                               {"pressure", withUnit(fixed(c.pumpPressurePa / 1e3, 0), u"kPa"_s)}});
    r.plant.quantity = air ? u"cooling.air_flow_m3_per_s"_s : u"cooling.rack_pumps_w"_s;
    return r;
}

StackedBarsData pueOfMonths(const Evaluation& e)
{
    StackedBarsData chart;
    chart.axisBase = 1.0;
    chart.extremesOnly = true;
    chart.categoryName = say("window.power.month");
    chart.tickText = [](double value) {
        return fixed(value, 2);
    };
    if (!(e.power.average.it.si() > 0) || !std::isfinite(e.power.pue))
        return chart;
    for (std::size_t m = 0; m < e.cooling.months.size(); ++m) {
        const auto& month = e.cooling.months[m];
        StackedBar bar;
        bar.name = numberLocale().monthName(static_cast<int>(m) + 1, QLocale::ShortFormat);
        bar.totalText = fixed(month.pue, 3);
        bar.quantity = u"cooling.months.%1.pue"_s.arg(m);
        const QString air =
            say("window.power.monthAir", {{"dry", withUnit(fixed(month.dryBulbC, 1), u"°C"_s)},
                                          {"wet", withUnit(fixed(month.wetBulbC, 1), u"°C"_s)}});
        const auto part = [&](const char* key, Series series, double value) {
            BarSegment s;
            s.series = series;
            s.value = value;
            s.label = say(key);
            s.tooltip = s.label + u'\t' + fixed(value, 3) + u'\n' + bar.name + u": PUE "_s +
                        bar.totalText + u'\n' + air;
            s.quantity = bar.quantity;
            bar.segments.push_back(s);
        };
        part("window.power.cooling", Series::Cooling, month.coolingShare);
        part("window.power.supplyLoss", Series::Losses, month.powerLossShare);
        part("window.power.other", Series::Site, month.otherShare);
        chart.bars.push_back(std::move(bar));
    }
    BarLimit mean;
    mean.role = LimitRole::Mean;
    mean.value = e.power.pue;
    mean.text = say("window.power.yearMean", {{"pue", fixed(e.power.pue, 3)}});
    mean.quantity = u"power.pue"_s;
    chart.limits.push_back(mean);
    return chart;
}

PowerSwingData swingOf(const Evaluation& e)
{
    PowerSwingData chart;
    chart.quantity = u"power.swing_w"_s;
    chart.xTitle = say("window.power.seconds");
    chart.yTitle = u"MW"_s;
    const double mean = e.power.typical.facility.si();
    if (!(mean > 0) || !std::isfinite(mean) || !std::isfinite(e.step.time.si()))
        return chart;
    addStep(e, addStep(e, 0.0, chart), chart);
    if (chart.points.empty())
        return chart;
    chart.mean = mean / kMega;
    chart.meanText = say("window.power.mean", {{"power", watts(mean)}});
    const auto low = std::min_element(chart.points.begin(), chart.points.end(),
                                      [](auto& a, auto& b) { return a.y() < b.y(); });
    chart.high = std::max_element(chart.points.begin(), chart.points.end(), [](auto& a, auto& b) {
                     return a.y() < b.y();
                 })->y();
    chart.low = chart.high - e.power.swing.si() / kMega;
    chart.swingAt = std::max(low->x(), chart.points.back().x() * 0.04);
    chart.swingText =
        say("window.power.swingLine", {{"swing", watts(e.power.swing.si())},
                                       {"ramp", watts(e.power.swingPerSecond) + u"/s"_s}});
    return chart;
}

std::vector<FactRow> siteRows(const PageData& figures)
{
    const Evaluation& e = *figures.evaluation;
    const auto& p = e.power;
    const auto& c = e.cooling;
    const QString currency = QString::fromStdString(figures.scenario->economics.currency);
    const auto money = [&currency](double x) -> QString {
        return shown(x, Unit::Money) + u' ' + currency;
    };
    const auto energy = [](double joules) {
        return shown(joules / 3600, Unit::MegaWattHours);
    };
    const auto tonnes = [](double kg) {
        return withUnit(shown(kg / 1000, Unit::Count), u"t"_s);
    };
    const auto cubic = [](double m3) {
        return withUnit(shown(m3, Unit::Count), u"m³"_s);
    };
    const auto energyCost = [](const Evaluation& x) {
        return x.cost.part(cost::Part::Energy).perRun.si();
    };
    std::vector<FactRow> rows;
    const auto add = [&](FactRow r, const QString& change = {}) {
        r.detail = change;
        rows.push_back(std::move(r));
    };
    add(row("window.power.energy", energy(p.energyPerRun.si()), "power.energy_j_per_run"),
        changeOf(
            figures, [](const Evaluation& x) { return x.power.energyPerRun.si(); }, energy));
    add(row("window.power.energyCost", money(energyCost(e)), "cost.parts.energy"),
        changeOf(figures, energyCost, [](double x) { return shown(x, Unit::Money); }));
    add(row("window.power.carbon", tonnes(p.carbon.si()), "power.carbon_kg"),
        changeOf(
            figures, [](const Evaluation& x) { return x.power.carbon.si(); }, tonnes));
    add(row("window.power.water", cubic(c.waterPerRun), "cooling.water_m3_per_run"),
        changeOf(
            figures, [](const Evaluation& x) { return x.cooling.waterPerRun; }, cubic));
    add(row("window.power.wue", withUnit(fixed(c.wue, 2), u"L/kWh"_s), "cooling.wue_l_per_kwh"));
    add(row("window.power.typical", watts(p.typical.facility.si()), "power.typical.facility_w"));
    add(row("window.power.most", watts(p.maximum.facility.si()), "power.facility_w"));
    add(row("window.power.peak", watts(p.peakFacility.si()), "power.peak_facility_w"));
    add(row("window.power.checkpointSwing", watts(p.checkpointSwing.si()),
            "power.checkpoint_swing_w"));
    add(row("window.power.margin", withUnit(fixed(c.supplyMargin, 1), u"K"_s),
            "cooling.supply_margin_k"));
    add(row("window.power.chain", shown(p.chainEfficiency, Unit::Percent),
            "power.chain_efficiency"));
    add(row("window.power.liquidShare", shown(c.liquidShare, Unit::Percent),
            "cooling.liquid_share"));
    add(row("window.power.slowdown", shown(p.slowdown, Unit::Percent), "power.slowdown"));
    add(row("window.power.area", withUnit(shown(c.floorArea, Unit::Count), u"m²"_s),
            "cooling.floor_area_m2"));
    return rows;
}

} // namespace cw::views
