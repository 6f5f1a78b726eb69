// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/validationfigures.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "views/pages/figures.h"
#include "views/pages/validationfilter.h"
#include "views/painted/paintutil.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;
using calibrate::RowResult;
using calibrate::Trait;

namespace {

bool isCollective(const std::string& quantity)
{
    return quantity == "collective_time_s";
}

/// Which look a row has; the order of the legend.
enum Look
{
    Dense,
    DenseKeptBack,
    Moe,
    MoeKeptBack,
    InDoubt
};

/// The same of collectives.
enum CollectiveLook
{
    Gathered,
    GatheredKeptBack,
    Exchanged,
    ExchangedKeptBack
};

int lookOf(const RowResult& row)
{
    if (isCollective(row.quantity)) {
        if (row.kind == "all_to_all" || row.kind == "dispatch" || row.kind == "combine")
            return row.keptBack ? ExchangedKeptBack : Exchanged;
        return row.keptBack ? GatheredKeptBack : Gathered;
    }
    if (!row.doubt.empty())
        return InDoubt;
    if (row.kind == "moe")
        return row.keptBack ? MoeKeptBack : Moe;
    return row.keptBack ? DenseKeptBack : Dense;
}

std::vector<ScatterLook> looks(const std::string& quantity)
{
    if (isCollective(quantity))
        return {
            {Series::DataParallel, Shape::Circle, say("window.validation.look.gathered"), false},
            {Series::DataParallel, Shape::Circle, say("window.validation.look.gatheredKeptBack"),
             true},
            {Series::ExpertParallel, Shape::Diamond, say("window.validation.look.exchanged"),
             false},
            {Series::ExpertParallel, Shape::Diamond,
             say("window.validation.look.exchangedKeptBack"), true}};
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

QString collectiveTip(const RowResult& row)
{
    QStringList lines;
    lines << QString::fromStdString(row.id) + u'\t' + signedShare(row.error);
    lines << traitValue(Trait::Kind, row.kind) + u" · "_s + QString::fromStdString(row.degrees);
    lines << traitValue(Trait::Chip, row.chip);
    lines << QString::fromStdString(row.framework);
    lines << traitValue(Trait::Source, row.source);
    lines << say("window.validation.line", {{"measured", valueText(row.measured, row.quantity)},
                                            {"predicted", valueText(row.predicted, row.quantity)},
                                            {"error", signedShare(row.error)}});
    lines << traitValue(Trait::Part, calibrate::traitOf(row, Trait::Part));
    lines.removeAll(QString());
    return lines.join(u'\n');
}

QString tipOf(const RowResult& row)
{
    if (isCollective(row.quantity))
        return collectiveTip(row);
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
    if (isCollective(row.quantity))
        return {plain(row.id),
                traitValue(Trait::Source, row.source),
                traitValue(Trait::Chip, row.chip),
                traitValue(Trait::Kind, row.kind),
                plain(row.degrees),
                rawNumber(row.chips),
                rawNumber(row.measured),
                rawNumber(row.predicted),
                rawNumber(row.error),
                traitValue(Trait::Part, calibrate::traitOf(row, Trait::Part))};
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
    if (isCollective(quantity))
        return {column("row"),
                traitWord(Trait::Source),
                traitWord(Trait::Chip, ValidationMode::Collectives),
                traitWord(Trait::Kind, ValidationMode::Collectives),
                column("layout"),
                column("ranks"),
                column("measured") + unit,
                column("predicted") + unit,
                column("error"),
                traitWord(Trait::Part)};
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

/// A tick of a short time: "20 us", "5 ms".
QString microText(double seconds)
{
    const bool milli = seconds > 0.9999e-3;
    return numberLocale().toString(seconds * (milli ? 1e3 : 1e6), 'g', 4) + QChar(0x2009) +
           (milli ? u"ms"_s : u"µs"_s);
}

} // namespace

QString signedShare(double share)
{
    return formatSigned(share, Unit::Percent, numberLocale());
}

QString rowLine(const RowResult& row)
{
    QStringList parts;
    parts << QString::fromStdString(row.id);
    if (isCollective(row.quantity))
        parts << traitValue(Trait::Kind, row.kind) << traitValue(Trait::Chip, row.chip);
    else
        parts << chipsText(row) << traitValue(Trait::Framework, row.framework);
    parts << QString::fromStdString(row.degrees)
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
    chart.looks = looks(selection.quantity);
    chart.xTitle =
        say(memory                             ? "window.validation.axis.measuredMemory"
            : isCollective(selection.quantity) ? "window.validation.axis.measuredCollective"
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
    if (isCollective(selection.quantity))
        chart.number = [](double v) {
            return microText(v);
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
    // A sweep fills the axes by itself: its order is what is looked at.
    if (selection.traits.count(Trait::Sweep) > 0)
        return chart;
    const auto range = calibrate::rangeOf(rows->rows, selection.quantity);
    chart.low = range.first / unit;
    chart.high = range.second / unit;
    return chart;
}

double validationValue(const evaluation::Evaluation& e, const std::string& quantity)
{
    return isMemory(quantity) ? e.memory.reserved.si() : e.step.time.si();
}

namespace {

/// The plan's own band, the same as everywhere; null where it has none.
const evaluation::Band* bandOf(const PageData& figures, const std::string& quantity)
{
    const std::string_view name = isMemory(quantity) ? "memory.reserved_bytes" : "step.time_s";
    for (const evaluation::Band& band : figures.evaluation->bands)
        if (band.quantity == name)
            return &band;
    return nullptr;
}

} // namespace

std::optional<ScatterPlan> validationPlan(const PageData& figures, const std::string& quantity,
                                          const calibrate::Alike& alike)
{
    if (!figures.evaluation)
        return std::nullopt;
    ScatterPlan plan;
    const double value = validationValue(*figures.evaluation, quantity);
    const double unit = axisUnit(quantity);
    plan.y = value / unit;
    const evaluation::Band* band = bandOf(figures, quantity);
    plan.low = (band != nullptr ? band->low : value) / unit;
    plan.high = (band != nullptr ? band->high : value) / unit;
    plan.title = say("window.validation.plan", {{"value", valueText(value, quantity)}});
    plan.detail =
        alike.summary.count == 0 || band == nullptr
            ? say("window.validation.noneAlike")
            : say("window.validation.planDetail", {{"low", valueText(band->low, quantity)},
                                                   {"high", valueText(band->high, quantity)},
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
    if (figures.evaluation) {
        add("plan", valueText(validationValue(*figures.evaluation, quantity), quantity)).quantity =
            isMemory(quantity) ? u"memory.reserved_bytes"_s : u"step.time_s"_s;
        if (const evaluation::Band* band = bandOf(figures, quantity))
            add("band",
                valueText(band->low, quantity) + u" … "_s + valueText(band->high, quantity));
    }
    add("rows", numberLocale().toString(static_cast<qulonglong>(alike.summary.count)));
    if (alike.summary.count == 0)
        return facts;
    add("median", shareText(alike.summary.medianAbsError));
    add("bias", signedShare(alike.summary.bias));
    add("spread", signedShare(alike.errorLow) + u" … "_s + signedShare(alike.errorHigh));
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

QString skippedLine(const Validated& rows)
{
    return say("window.validation.skipped",
               {{"n", numberLocale().toString(static_cast<qulonglong>(rows->skipped.size()))}});
}

QString skippedTip(const Validated& rows)
{
    std::map<std::string, std::size_t> reasons;
    for (const auto& s : rows->skipped)
        ++reasons[s.reason];
    std::vector<std::pair<std::string, std::size_t>> sorted(reasons.begin(), reasons.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    QStringList lines;
    for (const auto& [reason, count] : sorted) {
        const std::size_t colon = reason.find(':');
        const std::string value = colon == std::string::npos ? "" : reason.substr(colon + 1);
        lines << numberLocale().toString(static_cast<qulonglong>(count)) + u" × "_s +
                     sayMessage(reason.substr(0, colon), {{"value", value}}).simplified();
    }
    return lines.join(u'\n');
}

} // namespace cw::views
