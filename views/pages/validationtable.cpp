// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/validationtable.h"

#include "views/pages/figures.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;
using calibrate::Trait;

namespace {

QString countText(std::size_t n)
{
    return numberLocale().toString(static_cast<qulonglong>(n));
}

QString shareText(double share)
{
    return shown(share, Unit::Percent);
}

/// Columns by their names in the catalogue; those with a help there have it.
void setHeader(StatisticsTable& t, const std::vector<const char*>& names)
{
    for (const char* name : names) {
        const std::string key = std::string("window.validation.statistic.") + name;
        t.header << say(key);
        t.help << (isKnown(key + ".help") ? say(key + ".help") : QString());
    }
}

StatisticsLine lineOf(const std::string& group, Trait trait)
{
    StatisticsLine line;
    line.strong = group == "all";
    line.cells << (line.strong ? say("window.validation.shown") : traitValue(trait, group));
    line.group = line.strong ? QString() : QString::fromStdString(group);
    return line;
}

StatisticsTable errors(const Validated& rows, const calibrate::Selection& selection, Trait trait,
                       bool hasBand)
{
    StatisticsTable t;
    std::vector<const char*> names{"group", "count", "median", "mean", "p90", "worst", "bias"};
    if (hasBand)
        names.push_back("coverage");
    setHeader(t, names);
    const auto add = [&](StatisticsLine line, const calibrate::SummaryRow& s) {
        line.cells << countText(s.count) << shareText(s.medianAbsError) << shareText(s.meanAbsError)
                   << shareText(s.p90AbsError) << shareText(s.worstAbsError) << signedShare(s.bias);
        if (hasBand)
            line.cells << shareText(s.bandCoverage);
        t.lines.push_back(std::move(line));
    };
    const auto doubted = calibrate::summaryWithDoubt(rows->rows, selection);
    for (const auto& s : calibrate::summaryBy(rows->rows, selection, trait)) {
        add(lineOf(s.group, trait), s);
        if (t.lines.size() == 1 && doubted.count > 0)
            add({{say("window.validation.withDoubt")}, {}, false}, doubted);
    }
    return t;
}

StatisticsTable verdicts(const Validated& rows, const calibrate::Selection& selection, Trait trait)
{
    StatisticsTable t;
    setHeader(t, {"group", "count", "right", "toldToFit", "toldNotTo", "inside", "rightOutside"});
    for (const auto& f : calibrate::fitsBy(rows->rows, selection, trait)) {
        StatisticsLine line = lineOf(f.group, trait);
        line.cells << countText(f.count) << shareText(f.right) << countText(f.toldToFit)
                   << countText(f.toldNotTo) << shareText(f.inside) << shareText(f.rightOutside);
        t.lines.push_back(std::move(line));
    }
    return t;
}

StatisticsTable orders(const Validated& rows, const calibrate::Selection& selection)
{
    StatisticsTable t;
    setHeader(t, {"sweep", "layouts", "spearman", "regret", "firstThree"});
    const auto chosen = selection.traits.find(Trait::Sweep);
    for (const auto& s : rows->sweeps) {
        StatisticsLine line;
        line.group = QString::fromStdString(s.name);
        line.strong = chosen != selection.traits.end() && chosen->second == s.name;
        line.cells << line.group << countText(s.count)
                   << numberLocale().toString(s.spearman, 'f', 3) << shareText(s.regret)
                   << say(s.bestAmongFirst ? "window.validation.yes" : "window.validation.no");
        t.lines.push_back(std::move(line));
    }
    return t;
}

} // namespace

StatisticsTable statisticsOf(const Validated& rows, ValidationMode mode,
                             const calibrate::Selection& selection, Trait trait)
{
    if (!rows)
        return {};
    if (mode == ValidationMode::Order)
        return orders(rows, selection);
    if (mode == ValidationMode::Verdict)
        return verdicts(rows, selection, trait);
    return errors(rows, selection, trait, mode != ValidationMode::Collectives);
}

} // namespace cw::views
