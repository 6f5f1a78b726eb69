// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/calibrate/comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "model/calibrate/statistics.h"

namespace cw::calibrate {

namespace {

constexpr const char* kFitted = "fitted";
constexpr const char* kKeptBack = "kept-back";

/// Scales sort by their size, "1-8" before "9-64".
double leastChips(const std::string& scale)
{
    return std::strtod(scale.c_str(), nullptr);
}

SummaryRow summaryOfAll(const std::vector<RowResult>& rows, const std::vector<std::size_t>& which,
                        bool withDoubt = false)
{
    std::vector<RowResult> chosen;
    chosen.reserve(which.size());
    for (const std::size_t i : which)
        if (withDoubt || rows[i].doubt.empty())
            chosen.push_back(rows[i]);
    for (SummaryRow& s : summarize(chosen))
        if (s.group == "all")
            return std::move(s);
    return {};
}

/// The parts of a selection by the values of a trait, as far as it allows them.
std::vector<std::pair<std::string, Selection>> parts(const std::vector<RowResult>& rows,
                                                     const Selection& selection, Trait trait)
{
    std::vector<std::pair<std::string, Selection>> all;
    const auto chosen = selection.traits.find(trait);
    for (const TraitCount& c : countsOf(rows, selection.quantity, trait)) {
        if (chosen != selection.traits.end() && chosen->second != c.value)
            continue;
        all.emplace_back(c.value, selection);
        all.back().second.traits[trait] = c.value;
    }
    return all;
}

} // namespace

std::string traitOf(const RowResult& row, Trait trait)
{
    switch (trait) {
    case Trait::Chip:
        return row.chip;
    case Trait::Framework:
        return row.framework;
    case Trait::Kind:
        return row.kind;
    case Trait::Precision:
        return row.precision;
    case Trait::Scale:
        return row.scale;
    case Trait::Source:
        return row.source;
    case Trait::Sweep:
        return row.sweep;
    case Trait::Part:
        break;
    }
    return row.keptBack ? kKeptBack : kFitted;
}

bool matches(const RowResult& row, const Selection& selection)
{
    return row.quantity == selection.quantity &&
           std::all_of(selection.traits.begin(), selection.traits.end(),
                       [&row](const auto& t) { return traitOf(row, t.first) == t.second; });
}

std::vector<std::size_t> select(const std::vector<RowResult>& rows, const Selection& selection)
{
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (matches(rows[i], selection))
            found.push_back(i);
    return found;
}

std::vector<TraitCount> countsOf(const std::vector<RowResult>& rows, const std::string& quantity,
                                 Trait trait)
{
    std::map<std::string, std::size_t> counts;
    for (const RowResult& row : rows)
        if (row.quantity == quantity)
            ++counts[traitOf(row, trait)];
    std::vector<TraitCount> sorted;
    for (const auto& [value, count] : counts)
        sorted.push_back({value, count});
    std::stable_sort(sorted.begin(), sorted.end(), [trait](const auto& a, const auto& b) {
        return trait == Trait::Scale ? leastChips(a.value) < leastChips(b.value)
                                     : a.count > b.count;
    });
    return sorted;
}

std::pair<double, double> rangeOf(const std::vector<RowResult>& rows, const std::string& quantity)
{
    double low = 0;
    double high = 0;
    for (const RowResult& row : rows) {
        if (row.quantity != quantity || !(row.measured > 0) || !(row.predicted > 0))
            continue;
        const double least = std::min(row.measured, row.predicted);
        low = low > 0 ? std::min(low, least) : least;
        high = std::max({high, row.measured, row.predicted});
    }
    return {low, high};
}

std::vector<SummaryRow> summaryBy(const std::vector<RowResult>& rows, const Selection& selection,
                                  Trait trait)
{
    std::vector<SummaryRow> all;
    const auto add = [&](const Selection& part, const std::string& group) {
        SummaryRow s = summaryOfAll(rows, select(rows, part));
        if (s.count == 0)
            return;
        s.group = group;
        all.push_back(std::move(s));
    };
    add(selection, "all");
    for (const auto& [value, part] : parts(rows, selection, trait))
        add(part, value);
    return all;
}

SummaryRow summaryWithDoubt(const std::vector<RowResult>& rows, const Selection& selection)
{
    const auto which = select(rows, selection);
    const bool any = std::any_of(which.begin(), which.end(),
                                 [&rows](std::size_t i) { return !rows[i].doubt.empty(); });
    return any ? summaryOfAll(rows, which, true) : SummaryRow();
}

std::vector<FitsSummary> fitsBy(const std::vector<RowResult>& rows, const Selection& selection,
                                Trait trait)
{
    std::vector<FitsSummary> all;
    const auto add = [&](const Selection& part, const std::string& group) {
        std::vector<const RowResult*> chosen;
        for (const std::size_t i : select(rows, part))
            chosen.push_back(&rows[i]);
        if (!chosen.empty())
            all.push_back(summarizeFits(group, chosen));
    };
    add(selection, "all");
    for (const auto& [value, part] : parts(rows, selection, trait))
        add(part, value);
    return all;
}

std::vector<FillBin> fillBins(const std::vector<RowResult>& rows, const Selection& selection)
{
    constexpr double kMiddle = 1 + kBorderlineHalfWidth;
    constexpr double kRatio = kMiddle / (1 - kBorderlineHalfWidth);
    constexpr double kFarthest = 30;
    // Counted from the bin that has full in its middle.
    const auto binOf = [=](double fill) {
        const double steps = std::ceil(std::log(fill / kMiddle) / std::log(kRatio));
        return static_cast<int>(std::clamp(steps, -kFarthest, kFarthest));
    };
    std::map<int, FillBin> bins;
    for (const std::size_t i : select(rows, selection)) {
        if (!(rows[i].bandLow > 0))
            continue;
        FillBin& bin = bins[binOf(rows[i].bandLow)];
        ++(rows[i].measured > 0 ? bin.ran : bin.ranOut);
    }
    std::vector<FillBin> all;
    if (bins.empty())
        return all;
    for (int k = bins.begin()->first; k <= bins.rbegin()->first; ++k) {
        FillBin bin = bins[k];
        bin.high = kMiddle * std::pow(kRatio, k);
        bin.low = bin.high / kRatio;
        all.push_back(bin);
    }
    return all;
}

Alike alike(const std::vector<RowResult>& rows, const scenario::Scenario& plan,
            const std::string& quantity, double predicted, std::size_t least)
{
    Alike found;
    const bool moe =
        std::any_of(plan.model.groups.begin(), plan.model.groups.end(),
                    [](const auto& g) { return g.ffn.kind == scenario::FfnKind::Moe; });
    std::map<Trait, std::string> traits = {
        {Trait::Framework, plan.software.preset},
        {Trait::Kind, moe ? "moe" : "dense"},
        {Trait::Scale, scaleOf(static_cast<double>(plan.cluster.chips))}};
    for (const RowResult& row : rows) {
        if (row.quantity != quantity)
            continue;
        found.mostChips = std::max(found.mostChips, row.chips);
        if (row.chipPreset == plan.cluster.chip.preset)
            traits[Trait::Chip] = row.chip;
    }
    const std::vector<std::vector<Trait>> ladder = {
        {Trait::Chip, Trait::Framework, Trait::Kind, Trait::Scale},
        {Trait::Chip, Trait::Framework, Trait::Kind},
        {Trait::Chip, Trait::Kind},
        {Trait::Kind, Trait::Scale},
        {Trait::Kind}};
    for (const auto& step : ladder) {
        Selection selection{quantity, {}};
        for (const Trait trait : step)
            if (traits.count(trait) > 0)
                selection.traits[trait] = traits[trait];
        if (selection.traits.size() < step.size())
            continue;
        std::vector<double> errors;
        const auto which = select(rows, selection);
        for (const std::size_t i : which)
            if (rows[i].doubt.empty())
                errors.push_back(rows[i].error);
        if (errors.size() < std::max<std::size_t>(1, least))
            continue;
        found.by = step;
        found.selection = selection;
        found.summary = summaryOfAll(rows, which);
        found.errorLow = quantile(errors, 0.1);
        found.errorHigh = quantile(errors, 0.9);
        found.measuredLow = predicted / (1 + found.errorHigh);
        found.measuredHigh = predicted / (1 + found.errorLow);
        break;
    }
    return found;
}

} // namespace cw::calibrate
