// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "model/calibrate/statistics.h"
#include "model/calibrate/validate.h"

namespace cw::calibrate {

namespace {

SummaryRow summaryOf(const std::string& quantity, const std::string& group,
                     const std::vector<const RowResult*>& rows)
{
    SummaryRow s;
    s.quantity = quantity;
    s.group = group;
    s.count = rows.size();
    std::vector<double> absolute;
    std::vector<double> errors;
    double inside = 0;
    for (const RowResult* r : rows) {
        absolute.push_back(std::fabs(r->error));
        errors.push_back(r->error);
        s.meanAbsError += std::fabs(r->error) / static_cast<double>(rows.size());
        s.worstAbsError = std::max(s.worstAbsError, std::fabs(r->error));
        inside += r->measured >= r->bandLow && r->measured <= r->bandHigh ? 1 : 0;
    }
    s.medianAbsError = quantile(absolute, 0.5);
    s.p90AbsError = quantile(absolute, 0.9);
    s.bias = quantile(errors, 0.5);
    s.bandCoverage = inside / static_cast<double>(rows.size());
    return s;
}

std::vector<std::string> groupsOf(const RowResult& r)
{
    std::vector<std::string> groups{"all",
                                    "chip:" + r.chip,
                                    "file:" + r.file,
                                    "framework:" + r.framework,
                                    "kind:" + r.kind,
                                    "precision:" + r.precision,
                                    "scale:" + r.scale,
                                    "source:" + r.source};
    if (r.doubt.empty())
        groups.emplace_back("undoubted");
    if (r.keptBack && r.framework != "unnamed") {
        groups.emplace_back("kept-back:all");
        groups.push_back("kept-back:" + r.kind);
    }
    return groups;
}

} // namespace

FitsSummary summarizeFits(const std::string& group, const std::vector<const RowResult*>& rows)
{
    FitsSummary f;
    f.group = group;
    f.count = rows.size();
    f.halfWidth = kBorderlineHalfWidth;
    double right = 0;
    double inside = 0;
    double rightOutside = 0;
    for (const RowResult* r : rows) {
        const bool near = std::fabs(r->bandLow - 1) <= kBorderlineHalfWidth;
        right += r->error == 0 ? 1 : 0;
        inside += near ? 1 : 0;
        rightOutside += !near && r->error == 0 ? 1 : 0;
        std::size_t& cell = r->predicted > 0  ? r->measured > 0 ? f.bothFit : f.toldToFit
                            : r->measured > 0 ? f.toldNotTo
                                              : f.neitherFit;
        ++cell;
    }
    const auto n = static_cast<double>(std::max<std::size_t>(1, rows.size()));
    f.right = right / n;
    f.inside = inside / n;
    f.rightOutside = inside < n ? rightOutside / (n - inside) : 1;
    return f;
}

namespace {

SweepRanking rankingOf(const RowResult& first, const std::vector<const RowResult*>& rows)
{
    SweepRanking s;
    s.file = first.file;
    s.name = first.sweep;
    s.count = rows.size();
    std::vector<double> predicted;
    std::vector<double> measured;
    for (const RowResult* r : rows) {
        predicted.push_back(r->predicted);
        measured.push_back(r->measured);
    }
    s.spearman = spearman(predicted, measured);
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return predicted[a] < predicted[b]; });
    const double best = *std::min_element(measured.begin(), measured.end());
    s.regret = measured[order.front()] / best - 1;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, order.size()); ++i)
        s.bestAmongFirst = s.bestAmongFirst || measured[order[i]] == best;
    return s;
}

} // namespace

std::vector<SummaryRow> summarize(const std::vector<RowResult>& rows)
{
    std::map<std::pair<std::string, std::string>, std::vector<const RowResult*>> groups;
    for (const RowResult& r : rows)
        for (const std::string& group : groupsOf(r))
            groups[{r.quantity, group}].push_back(&r);
    std::vector<SummaryRow> summary;
    summary.reserve(groups.size());
    for (const auto& [key, members] : groups)
        summary.push_back(summaryOf(key.first, key.second, members));
    return summary;
}

std::vector<FitsSummary> summarizeFits(const std::vector<RowResult>& rows)
{
    std::map<std::string, std::vector<const RowResult*>> groups;
    for (const RowResult& r : rows) {
        if (r.quantity != "fits")
            continue;
        groups["all"].push_back(&r);
        groups["file:" + r.file].push_back(&r);
    }
    std::vector<FitsSummary> fits;
    for (const auto& [group, members] : groups)
        fits.push_back(summarizeFits(group, members));
    return fits;
}

std::vector<SweepRanking> rankSweeps(const std::vector<RowResult>& rows)
{
    std::map<std::pair<std::string, std::string>, std::vector<const RowResult*>> groups;
    for (const RowResult& r : rows)
        if (r.quantity == "step_time_s")
            groups[{r.file, r.sweep}].push_back(&r);
    std::vector<SweepRanking> sweeps;
    for (const auto& [key, members] : groups) {
        std::set<std::string> layouts;
        for (const RowResult* r : members)
            layouts.insert(r->layout);
        if (layouts.size() >= kSmallestSweep)
            sweeps.push_back(rankingOf(*members.front(), members));
    }
    return sweeps;
}

} // namespace cw::calibrate
