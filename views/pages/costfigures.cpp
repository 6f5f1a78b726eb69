// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/costfigures.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "model/facility/site.h"
#include "model/scenario/inputs.h"
#include "model/scenario/presets.h"
#include "views/pages/figures.h"
#include "views/params/valuetext.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;
using evaluation::Evaluation;

namespace {

/// Parts smaller than this share of the whole stand together.
constexpr double kSmallPart = 0.004;

constexpr Series kSeries[] = {Series::Chips,       Series::Hosts,   Series::ExpertParallel,
                              Series::Temporaries, Series::Network, Series::PipelineSends,
                              Series::Gradients,   Series::Site,    Series::Optimizer,
                              Series::Cooling,     Series::Fixed,   Series::Other};
static_assert(std::size(kSeries) == cost::kPartCount);

double amountOf(const cost::CostPart<double>& part, CostLevel level)
{
    switch (level) {
    case CostLevel::Hour:
        return part.perHour.si();
    case CostLevel::Capital:
        return part.capital.si();
    default:
        return part.perRun.si();
    }
}

double wholeOf(const Evaluation& e, CostLevel level)
{
    switch (level) {
    case CostLevel::Hour:
        return e.cost.perHour.si();
    case CostLevel::Capital:
        return e.cost.capital.si();
    default:
        return e.cost.perRun.si();
    }
}

const char* pathOf(CostLevel level)
{
    return level == CostLevel::Hour      ? "cost.per_hour"
           : level == CostLevel::Capital ? "cost.capital"
                                         : "cost.per_run";
}

QString partPath(CostLevel level, const std::string& name)
{
    const char* prefix = level == CostLevel::Capital ? "cost.capital_parts." : "cost.parts.";
    return QString::fromLatin1(prefix) + QString::fromStdString(name);
}

QString currencyOf(const PageData& figures)
{
    return QString::fromStdString(figures.scenario->economics.currency);
}

QString perJoule(double value)
{
    return shownNumber(value, units::Unit::Flop) + u"/J"_s;
}

FactRow rowOf(const QString& label, const QString& value, const char* path,
              const QString& detail = {})
{
    FactRow r;
    r.label = label;
    r.value = value;
    r.detail = detail;
    r.quantity = QString::fromLatin1(path);
    return r;
}

WaterfallStep stepOf(const QString& name, Series series, double value, double whole,
                     const QString& path)
{
    WaterfallStep step;
    step.name = name;
    step.valueText = shown(value, Unit::Money);
    step.shareText = shownShare(value, whole);
    step.quantity = path;
    step.tooltip = QString(name + u'\t' + step.valueText + u'\n' + step.shareText);
    step.parts = {{series, value, step.tooltip, path}};
    return step;
}

} // namespace

namespace {

/// The axis in the unit that amounts are told in.
void scaleAxis(WaterfallData& chart, double whole)
{
    const bool chinese = language() == Language::Chinese;
    const double unit = chinese ? (whole >= 1e8 ? 1e8 : 1e4) : 1e6;
    if (whole < unit)
        return;
    for (WaterfallStep& step : chart.steps)
        for (WaterfallPart& part : step.parts)
            part.value /= unit;
    const QString word = !chinese ? u"M"_s : unit > 1e5 ? u"亿"_s : u"万"_s;
    chart.unit = QString(word + u' ' + chart.unit);
}

} // namespace

WaterfallData costWaterfall(const PageData& figures, CostLevel level)
{
    const Evaluation& e = *figures.evaluation;
    const double whole = wholeOf(e, level);
    WaterfallData chart;
    if (!(whole > 0) || !std::isfinite(whole))
        return chart;
    chart.unit = currencyOf(figures);
    WaterfallStep small;
    double smallSum = 0;
    for (std::size_t i = 0; i < cost::kPartCount; ++i) {
        const double value = amountOf(e.cost.parts[i], level);
        if (!(value > 0))
            continue;
        const std::string name(cost::nameOf(static_cast<cost::Part>(i)));
        WaterfallStep step =
            stepOf(say("window.cost." + name), kSeries[i], value, whole, partPath(level, name));
        if (value >= whole * kSmallPart) {
            chart.steps.push_back(std::move(step));
            continue;
        }
        small.parts.push_back(step.parts.front());
        small.tooltip += u'\n' + step.name + u'\t' + step.valueText;
        small.name = step.name;
        small.quantity = step.quantity;
        smallSum += value;
    }
    if (!small.parts.empty()) {
        if (small.parts.size() > 1)
            small.name = say("window.step.small");
        small.valueText = shown(smallSum, Unit::Money);
        small.shareText = shownShare(smallSum, whole);
        small.tooltip = small.name + u'\t' + small.valueText + small.tooltip;
        chart.steps.push_back(std::move(small));
    }
    WaterfallStep total = stepOf(say("window.cost.total"), Series::Total, whole, whole,
                                 QString::fromLatin1(pathOf(level)));
    total.total = true;
    chart.steps.push_back(std::move(total));
    scaleAxis(chart, whole);
    return chart;
}

std::vector<FactRow> costRows(const PageData& figures)
{
    const auto& c = figures.evaluation->cost;
    const QString currency = u' ' + currencyOf(figures);
    const auto money = [&currency](double x) {
        QString text = shown(x, Unit::Money);
        text += currency;
        return text;
    };
    std::vector<FactRow> rows{
        rowOf(say("window.cost.perRun"), money(c.perRun.si()), "cost.per_run"),
        rowOf(say("window.cost.perHour"), money(c.perHour.si()), "cost.per_hour"),
        rowOf(say("window.cost.perChipHour"), money(c.perChipHour), "cost.per_chip_hour"),
        rowOf(say("window.cost.perStep"), money(c.perStep.si()), "cost.per_step"),
        rowOf(say("window.cost.perMillion"), money(c.perMillionTokens.si()),
              "cost.per_million_tokens"),
        rowOf(say("window.cost.capital"), money(c.capital.si()), "cost.capital"),
        rowOf(say("window.cost.energyShare"), shown(c.energyShare, Unit::Percent),
              "cost.energy_share"),
        rowOf(say("window.cost.flops"),
              shownNumber(c.flopsPerMoney, units::Unit::Flop) + u'/' + currencyOf(figures),
              "cost.flops_per_money"),
        rowOf(say("window.cost.perWatt"), perJoule(figures.evaluation->power.flopsPerJoule),
              "power.flops_per_joule")};
    if (c.portingPersonYears > 0)
        rows.push_back(rowOf(say("window.cost.personYears"),
                             shown(c.portingPersonYears, Unit::Plain),
                             "cost.porting_person_years"));
    return rows;
}

std::vector<FactRow> worthRows(const PageData& figures)
{
    const Evaluation& e = *figures.evaluation;
    const QString currency = u' ' + currencyOf(figures);
    const double whole = e.cost.perRun.si();
    const auto row = [&](const char* key, double value, const char* path) {
        QString text = shown(value, Unit::Money);
        text += currency;
        return rowOf(say(key), text, path, shownShare(value, whole));
    };
    return {row("window.cost.worthMfu", e.cost.perMfuPoint.si(), "cost.per_mfu_point"),
            row("window.cost.worthGoodput", e.cost.perGoodputPoint.si(), "cost.per_goodput_point"),
            row("window.cost.worthPue", e.cost.perPuePoint.si(), "cost.per_pue_point")};
}

namespace {

MatrixCell cellOf(const QString& text, const char* quantity, bool own, bool strong = false)
{
    MatrixCell c;
    c.text = text;
    c.strong = strong;
    // What explains a number is the plan's own: only its row can be asked.
    if (own)
        c.quantity = QString::fromLatin1(quantity);
    return c;
}

QString tagOf(const Evaluation& e)
{
    return e.power.overGrid ? say("sites.over-grid")
           : e.feasible     ? QString()
                            : say("sites.infeasible");
}

/// Why a row cannot run, on a line of its own.
QString faultOf(const Evaluation& e)
{
    return e.violations.empty() ? QString()
                                : QString(u'\n' + sayMessage(e.violations.front().rule,
                                                             e.violations.front().arguments));
}

/// "TP 8 · PP 4 · EP 64 · DP 128", without degrees of one.
QString layoutOf(const evaluation::Filled& row)
{
    const scenario::Parallelism& p = row.plan.parallelism;
    QStringList parts;
    const auto add = [&parts](QStringView name, double degree) {
        if (degree > 1)
            parts << QString(name + u' ' + numberLocale().toString(degree, 'f', 0));
    };
    add(u"TP", static_cast<double>(p.tensor));
    add(u"CP", static_cast<double>(p.context));
    add(u"PP", static_cast<double>(p.pipeline));
    add(u"EP", static_cast<double>(p.expert));
    add(u"DP", row.evaluation.layout.data);
    return parts.join(u" · "_s);
}

void cutColumns(MatrixData& table, std::initializer_list<int> wideOnly, bool wide)
{
    if (wide)
        return;
    std::vector<int> columns(wideOnly);
    std::sort(columns.rbegin(), columns.rend());
    for (const int column : columns) {
        table.header.removeAt(column);
        for (MatrixRow& row : table.rows)
            row.cells.erase(row.cells.begin() + (column - 1));
    }
}

} // namespace

MatrixData siteTable(const std::vector<evaluation::AtSite>& rows, scenario::Site own, bool wide)
{
    MatrixData table;
    table.header = {say("sites.site"),
                    say("window.cost.col.day"),
                    say("sites.grid"),
                    say("sites.peak"),
                    say("sites.pue"),
                    say("window.cost.col.power"),
                    say("window.cost.col.factor"),
                    say("window.cost.col.carbon"),
                    say("window.cost.col.water"),
                    say("window.cost.col.price"),
                    say("sites.energy-cost"),
                    say("sites.cost")};
    const auto power = [](double watts) {
        return shownNumber(watts, units::Unit::Watts);
    };
    for (const evaluation::AtSite& at : rows) {
        const Evaluation& e = at.evaluation;
        const scenario::Inputs<double> in(at.plan);
        const bool is = at.site == own;
        MatrixRow r;
        r.name = nameOf("facility.site", scenario::nameOf(at.site));
        r.tag = is ? say("window.cost.planned") : tagOf(e);
        r.tooltip = r.name;
        r.tooltip += faultOf(e);
        if (!is)
            r.tooltip += u'\n' + say("window.cost.takeSite");
        r.cells = {
            cellOf(shown(facility::climateOfHotDay(in).dryBulb, Unit::Celsius), "", false),
            cellOf(power(e.power.gridLimit.si()), "power.grid_limit_w", is),
            cellOf(power(e.power.peakFacility.si()), "power.peak_facility_w", is),
            cellOf(numberLocale().toString(e.power.pue, 'f', 3), "power.pue", is),
            cellOf(power(e.power.average.facility.si()), "power.average.facility_w", is),
            cellOf(numberLocale().toString(1000 * facility::carbonOf(in), 'f', 0), "", false),
            cellOf(shown(e.power.carbon.si() / 1000, Unit::Count), "power.carbon_kg", is),
            cellOf(shown(e.cooling.waterPerRun, Unit::Count), "cooling.water_m3_per_run", is),
            cellOf(numberLocale().toString(facility::energyPriceOf(in), 'g', 3), "", false),
            cellOf(shown(e.cost.part(cost::Part::Energy).perRun.si(), Unit::Money),
                   "cost.parts.energy", is),
            cellOf(shown(e.cost.perRun.si(), Unit::Money), "cost.per_run", is, true)};
        table.rows.push_back(std::move(r));
    }
    cutColumns(table, {1, 5, 8}, wide);
    return table;
}

MatrixData fillTable(const std::vector<evaluation::Filled>& rows, bool wide, bool all)
{
    MatrixData table;
    table.header = {say("sites.machine"), say("sites.chips"),     say("sites.layout"),
                    say("sites.mfu"),     say("sites.per-joule"), say("sites.days"),
                    say("sites.cost"),    say("sites.per-money"), say("sites.effective")};
    for (const evaluation::Filled& filled : rows) {
        const Evaluation& e = filled.evaluation;
        const scenario::Preset* preset =
            filled.system.empty() ? nullptr : scenario::findPreset("system", filled.system);
        MatrixRow r;
        r.name = filled.system.empty() ? say("sites.own-machine")
                 : preset != nullptr   ? QString::fromStdString(preset->name)
                                       : QString::fromStdString(filled.system);
        r.tag = filled.searched ? tagOf(e) : say("window.cost.keptLayout");
        r.tooltip = r.name;
        r.tooltip += faultOf(e);
        r.tooltip += u'\n' + say("window.cost.takeMachine");
        r.cells = {
            cellOf(numberLocale().toString(static_cast<qlonglong>(filled.plan.cluster.chips)), "",
                   false),
            cellOf(layoutOf(filled), "", false),
            cellOf(shown(e.run.effectiveMfu, Unit::Percent), "", false),
            cellOf(perJoule(e.power.flopsPerJoule), "", false),
            cellOf(shown(e.run.days, Unit::Days), "", false),
            cellOf(shown(e.cost.perRun.si(), Unit::Money), "", false),
            cellOf(shownNumber(e.cost.flopsPerMoney, units::Unit::Flop), "", false),
            cellOf(shown(filled.effective, Unit::FlopRate), "", false, true)};
        table.rows.push_back(std::move(r));
    }
    cutColumns(table, {7}, wide);
    cutColumns(table, {3, 5}, all);
    return table;
}

} // namespace cw::views
