// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/validationverdict.h"

#include <algorithm>
#include <set>

#include "views/pages/figures.h"
#include "views/pages/validationfilter.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;
using calibrate::Trait;

namespace {

QString countText(std::size_t n)
{
    return numberLocale().toString(static_cast<qulonglong>(n));
}

/// A share without digits that say nothing: "96 %".
QString wholeShare(double share)
{
    return say("window.validation.fill", {{"n", numberLocale().toString(100 * share, 'f', 0)}});
}

MatrixCell cellOf(const QString& text, bool strong, const QString& tooltip)
{
    MatrixCell cell;
    cell.text = text;
    cell.strong = strong;
    cell.tooltip = tooltip;
    return cell;
}

const calibrate::CollectiveSummary* summaryOf(const Validated& rows, const std::string& group)
{
    const auto found = std::find_if(rows->collectiveSummary.begin(), rows->collectiveSummary.end(),
                                    [&group](const auto& s) { return s.group == group; });
    return found == rows->collectiveSummary.end() ? nullptr : &*found;
}

} // namespace

StackedBarsData verdictBars(const Validated& rows, const calibrate::Selection& selection)
{
    StackedBarsData chart;
    chart.axisTitle = say("window.validation.verdict.axis");
    chart.categoryName = say("window.validation.verdict.told");
    if (!rows)
        return chart;
    const QString ran = say("window.validation.verdict.ran");
    const QString ranOut = say("window.validation.verdict.ranOut");
    for (const auto& bin : calibrate::fillBins(rows->rows, selection)) {
        StackedBar bar;
        bar.name = wholeShare((bin.low + bin.high) / 2);
        const QString head = say("window.validation.verdict.bin",
                                 {{"low", wholeShare(bin.low)}, {"high", wholeShare(bin.high)}});
        const QString tip = head + u'\n' + ran + u'\t' + countText(bin.ran) + u'\n' + ranOut +
                            u'\t' + countText(bin.ranOut);
        bar.segments = {{Series::Compute, static_cast<double>(bin.ran), ran, tip, {}},
                        {Series::Losses, static_cast<double>(bin.ranOut), ranOut, tip, {}}};
        chart.bars.push_back(std::move(bar));
    }
    return chart;
}

int fullBar(const Validated& rows, const calibrate::Selection& selection)
{
    if (!rows)
        return -1;
    const auto bins = calibrate::fillBins(rows->rows, selection);
    const auto found = std::find_if(bins.begin(), bins.end(),
                                    [](const auto& bin) { return bin.low < 1 && bin.high > 1; });
    return found == bins.end() ? -1 : static_cast<int>(found - bins.begin());
}

MatrixData confusion(const Validated& rows, const calibrate::Selection& selection)
{
    MatrixData table;
    table.header = {say("window.validation.verdict.measured"),
                    say("window.validation.verdict.toldFits"),
                    say("window.validation.verdict.toldNot")};
    const auto all = rows ? calibrate::fitsBy(rows->rows, selection, Trait::Part)
                          : std::vector<calibrate::FitsSummary>();
    if (all.empty())
        return table;
    const auto& f = all.front();
    const auto cell = [](std::size_t n, bool right, const char* key) {
        return cellOf(countText(n), right,
                      say(std::string("window.validation.verdict.") + key, {{"n", countText(n)}}));
    };
    table.rows.push_back(
        {say("window.validation.verdict.ran"),
         {},
         {},
         {},
         {cell(f.bothFit, true, "bothFit"), cell(f.toldNotTo, false, "toldNotTo")}});
    table.rows.push_back(
        {say("window.validation.verdict.ranOut"),
         {},
         {},
         {},
         {cell(f.toldToFit, false, "toldToFit"), cell(f.neitherFit, true, "neitherFit")}});
    return table;
}

MatrixData collectiveBias(const Validated& rows)
{
    MatrixData table;
    table.header << traitWord(Trait::Chip, ValidationMode::Collectives);
    const std::vector<std::string> sizes = {"-1MiB", "1-64MiB", "64MiB-"};
    for (const std::string& size : sizes)
        table.header << say("window.validation.shortSize." + size);
    if (!rows)
        return table;
    const auto add = [&](const QString& name, const std::string& group) {
        MatrixRow row;
        row.name = name;
        for (const std::string& size : sizes) {
            const auto* s = summaryOf(rows, group + "size:" + size);
            row.cells.push_back(
                s == nullptr ? MatrixCell{}
                             : cellOf(signedShare(s->bias), group.empty(),
                                      say("window.validation.collectiveTip",
                                          {{"name", name},
                                           {"n", countText(s->count)},
                                           {"bias", signedShare(s->bias)},
                                           {"median", shown(s->medianAbsError, Unit::Percent)},
                                           {"p90", shown(s->p90AbsError, Unit::Percent)}})));
        }
        table.rows.push_back(std::move(row));
    };
    add(say("window.validation.allSystems"), "");
    std::set<std::string> seen;
    for (const auto& c : rows->collectives)
        if (seen.insert(c.system).second)
            add(traitValue(Trait::Chip, c.system), "system:" + c.system + " ");
    return table;
}

std::vector<FactRow> orderFacts(const Validated& rows, const calibrate::Selection& selection)
{
    std::vector<FactRow> facts;
    const auto chosen = selection.traits.find(Trait::Sweep);
    if (!rows || chosen == selection.traits.end())
        return facts;
    const auto add = [&facts](const char* key, const QString& value) {
        FactRow row;
        row.label = say(std::string("window.validation.order.") + key);
        row.value = value;
        facts.push_back(std::move(row));
    };
    for (const auto& s : rows->sweeps) {
        if (s.name != chosen->second)
            continue;
        add("count", countText(s.count));
        add("spearman", numberLocale().toString(s.spearman, 'f', 3));
        add("regret", shown(s.regret, Unit::Percent));
        add("firstThree", say(s.bestAmongFirst ? "window.validation.yes" : "window.validation.no"));
        break;
    }
    return facts;
}

QString orderSentence(const Validated& rows)
{
    if (!rows)
        return {};
    const auto found = static_cast<std::size_t>(std::count_if(
        rows->sweeps.begin(), rows->sweeps.end(), [](const auto& s) { return s.bestAmongFirst; }));
    return say("window.validation.orderSentence",
               {{"n", countText(found)}, {"all", countText(rows->sweeps.size())}});
}

} // namespace cw::views
