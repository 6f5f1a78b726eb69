// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/validationfigures.h"

#include <algorithm>
#include <cmath>

#include "views/pages/figures.h"
#include "views/pages/validationfilter.h"
#include "views/painted/paintutil.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;
using calibrate::RowResult;
using calibrate::Trait;

namespace {

/// Which look a row has; the order of the legend.
enum Look
{
    Dense,
    DenseKeptBack,
    Moe,
    MoeKeptBack,
    InDoubt
};

Look lookOf(const RowResult& row)
{
    if (!row.doubt.empty())
        return InDoubt;
    if (row.kind == "moe")
        return row.keptBack ? MoeKeptBack : Moe;
    return row.keptBack ? DenseKeptBack : Dense;
}

std::vector<ScatterLook> looks()
{
    return {
        {Series::Compute, Shape::Circle, say("window.validation.look.dense"), false},
        {Series::Compute, Shape::Circle, say("window.validation.look.denseKeptBack"), true},
        {Series::ExpertParallel, Shape::Diamond, say("window.validation.look.moe"), false},
        {Series::ExpertParallel, Shape::Diamond, say("window.validation.look.moeKeptBack"), true},
        {Series::Fixed, Shape::Cross, say("window.validation.look.inDoubt"), false}};
}

bool isMemory(const std::string& quantity)
{
    return quantity == "memory_bytes";
}

QString valueText(double value, const std::string& quantity)
{
    return shown(value, isMemory(quantity) ? Unit::GibiBytes : Unit::Seconds);
}

QString shareText(double share)
{
    return shown(share, Unit::Percent);
}

QString chipsText(const RowResult& row)
{
    return QString::fromStdString(row.chip) + u" × "_s + numberLocale().toString(row.chips, 'f', 0);
}

QString tipOf(const RowResult& row)
{
    QStringList lines;
    lines << QString::fromStdString(row.id) + u'\t' + signedShare(row.error);
    lines << traitValue(Trait::Source, row.source);
    lines << QString::fromStdString(row.model);
    lines << chipsText(row) + u" · "_s + traitValue(Trait::Framework, row.framework) + u" · "_s +
                 traitValue(Trait::Precision, row.precision);
    lines << QString::fromStdString(row.degrees);
    lines << say("window.validation.tip.values",
                 {{"measured", valueText(row.measured, row.quantity)},
                  {"predicted", valueText(row.predicted, row.quantity)},
                  {"low", valueText(row.bandLow, row.quantity)},
                  {"high", valueText(row.bandHigh, row.quantity)}});
    lines << traitValue(Trait::Part, calibrate::traitOf(row, Trait::Part));
    if (!row.doubt.empty())
        lines << say("window.validation.tip.inDoubt", {{"why", sayMessage(row.doubt, {})}});
    lines.removeAll(QString());
    return lines.join(u'\n');
}

QStringList cellsOf(const RowResult& row)
{
    const auto plain = [](const std::string& text) {
        return QString::fromStdString(text);
    };
    return {plain(row.id),
            traitValue(Trait::Source, row.source),
            plain(row.chip),
            rawNumber(row.chips),
            traitValue(Trait::Framework, row.framework),
            traitValue(Trait::Kind, row.kind),
            traitValue(Trait::Precision, row.precision),
            plain(row.degrees),
            rawNumber(row.measured),
            rawNumber(row.predicted),
            rawNumber(row.error),
            rawNumber(row.bandLow),
            rawNumber(row.bandHigh),
            traitValue(Trait::Part, calibrate::traitOf(row, Trait::Part)),
            row.doubt.empty() ? QString() : sayMessage(row.doubt, {})};
}

QStringList header(const std::string& quantity)
{
    const QString unit = isMemory(quantity) ? u" (B)"_s : u" (s)"_s;
    const auto column = [](const char* name) {
        return say(std::string("window.validation.column.") + name);
    };
    return {column("row"),
            traitWord(Trait::Source),
            traitWord(Trait::Chip),
            column("chips"),
            traitWord(Trait::Framework),
            traitWord(Trait::Kind),
            traitWord(Trait::Precision),
            column("layout"),
            column("measured") + unit,
            column("predicted") + unit,
            column("error"),
            column("bandLow") + unit,
            column("bandHigh") + unit,
            traitWord(Trait::Part),
            column("doubt")};
}

/// Points of memory lie on an axis of GiB, so that its ticks are whole ones.
double axisUnit(const std::string& quantity)
{
    return isMemory(quantity) ? 1024.0 * 1024.0 * 1024.0 : 1.0;
}

/// A tick of the axis, without digits that say nothing.
QString tickText(double value, bool memory)
{
    const double whole = std::round(value);
    const QString number = std::abs(value - whole) < 1e-9 * value
                               ? numberLocale().toString(whole, 'f', 0)
                               : numberLocale().toString(value, 'g', 2);
    return number + QChar(0x2009) + (memory ? u"GiB"_s : u"s"_s);
}

} // namespace

QString signedShare(double share)
{
    return formatSigned(share, Unit::Percent, numberLocale());
}

QString rowLine(const RowResult& row)
{
    QStringList parts;
    parts << QString::fromStdString(row.id) << chipsText(row)
          << traitValue(Trait::Framework, row.framework) << QString::fromStdString(row.degrees)
          << say("window.validation.line", {{"measured", valueText(row.measured, row.quantity)},
                                            {"predicted", valueText(row.predicted, row.quantity)},
                                            {"error", signedShare(row.error)}});
    parts.removeAll(QString());
    return parts.join(u" · "_s);
}

ScatterData validationPoints(const Validated& rows, const calibrate::Selection& selection)
{
    ScatterData chart;
    const bool memory = isMemory(selection.quantity);
    chart.looks = looks();
    chart.xTitle = say(memory ? "window.validation.axis.measuredMemory"
                              : "window.validation.axis.measuredStep");
    chart.yTitle = say("window.validation.axis.predicted");
    chart.equalText = say("window.validation.equal");
    for (const double share : {0.1, 0.25})
        chart.bands.push_back({share, say("window.validation.band",
                                          {{"n", numberLocale().toString(100 * share, 'f', 0)}})});
    chart.header = header(selection.quantity);
    chart.number = [memory](double v) {
        return tickText(v, memory);
    };
    if (!rows)
        return chart;
    const auto which =
        std::make_shared<std::vector<std::size_t>>(calibrate::select(rows->rows, selection));
    const double unit = axisUnit(selection.quantity);
    for (const std::size_t i : *which)
        chart.points.push_back({rows->rows[i].measured / unit, rows->rows[i].predicted / unit,
                                static_cast<int>(lookOf(rows->rows[i]))});
    const auto row = [rows, which](int index) -> const RowResult& {
        return rows->rows[which->at(static_cast<std::size_t>(index))];
    };
    chart.tip = [row](int index) {
        return tipOf(row(index));
    };
    chart.spoken = [row](int index) {
        return rowLine(row(index));
    };
    chart.row = [row](int index) {
        return cellsOf(row(index));
    };
    const auto range = calibrate::rangeOf(rows->rows, selection.quantity);
    chart.low = range.first / unit;
    chart.high = range.second / unit;
    return chart;
}

double validationValue(const evaluation::Evaluation& e, const std::string& quantity)
{
    return isMemory(quantity) ? e.memory.reserved.si() : e.step.time.si();
}

std::optional<ScatterPlan> validationPlan(const PageData& figures, const std::string& quantity,
                                          const calibrate::Alike& alike)
{
    if (!figures.evaluation)
        return std::nullopt;
    ScatterPlan plan;
    const double value = validationValue(*figures.evaluation, quantity);
    const double unit = axisUnit(quantity);
    plan.y = value / unit;
    plan.low = alike.measuredLow / unit;
    plan.high = alike.measuredHigh / unit;
    plan.title = say("window.validation.plan", {{"value", valueText(value, quantity)}});
    plan.detail = alike.summary.count == 0 ? say("window.validation.noneAlike")
                                           : say("window.validation.planDetail",
                                                 {{"low", valueText(alike.measuredLow, quantity)},
                                                  {"high", valueText(alike.measuredHigh, quantity)},
                                                  {"n", QString::number(alike.summary.count)}});
    plan.quantity = isMemory(quantity) ? u"memory.reserved_bytes"_s : u"step.time_s"_s;
    return plan;
}

std::vector<FactRow> alikeFacts(const PageData& figures, const std::string& quantity,
                                const calibrate::Alike& alike)
{
    std::vector<FactRow> facts;
    const auto add = [&facts](const char* key, const QString& value) -> FactRow& {
        FactRow row;
        row.label = say(std::string("window.validation.alike.") + key);
        row.value = value;
        facts.push_back(std::move(row));
        return facts.back();
    };
    if (figures.evaluation)
        add("plan", valueText(validationValue(*figures.evaluation, quantity), quantity)).quantity =
            isMemory(quantity) ? u"memory.reserved_bytes"_s : u"step.time_s"_s;
    add("rows", numberLocale().toString(static_cast<qulonglong>(alike.summary.count)));
    if (alike.summary.count == 0)
        return facts;
    add("median", shareText(alike.summary.medianAbsError));
    add("bias", signedShare(alike.summary.bias));
    add("spread", signedShare(alike.errorLow) + u" … "_s + signedShare(alike.errorHigh));
    add("measured", valueText(alike.measuredLow, quantity) + u" … "_s +
                        valueText(alike.measuredHigh, quantity));
    return facts;
}

QString alikeSentence(const PageData& figures, const calibrate::Alike& alike)
{
    QStringList common;
    for (const Trait trait : alike.by)
        common << traitValue(trait, alike.selection.traits.at(trait));
    QString text = common.isEmpty()
                       ? say("window.validation.noneAlike")
                       : say("window.validation.alikeIn", {{"what", common.join(u" · "_s)}});
    if (figures.scenario && alike.mostChips > 0 &&
        static_cast<double>(figures.scenario->cluster.chips) > alike.mostChips)
        text += u' ' + say("window.validation.beyond",
                           {{"n", numberLocale().toString(alike.mostChips, 'f', 0)}});
    return text;
}

} // namespace cw::views
