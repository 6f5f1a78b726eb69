// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/calibrate/validate.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include "model/calibrate/measuredrows.h"
#include "model/evaluation/evaluation.h"

namespace cw::calibrate {

using Json = nlohmann::json;

namespace {

std::string scaleOf(double chips)
{
    if (chips <= 8)
        return "1-8";
    if (chips <= 64)
        return "9-64";
    if (chips <= 512)
        return "65-512";
    return chips <= 4096 ? "513-4096" : "4097-";
}

RowResult resultOf(const MeasuredRow& row, const std::string& file, std::string quantity,
                   double predicted, double measured)
{
    RowResult r;
    r.id = row.id;
    r.file = file;
    r.quantity = std::move(quantity);
    r.predicted = predicted;
    r.measured = measured;
    r.error = predicted / measured - 1;
    r.chip = row.chip;
    r.kind = row.moe ? "moe" : "dense";
    r.precision = row.precision;
    r.scale = scaleOf(row.chips);
    return r;
}

void setBand(RowResult& r, const evaluation::Evaluation& e, const char* quantity, double predicted)
{
    for (const evaluation::Band& band : e.bands) {
        if (band.quantity != quantity)
            continue;
        r.bandLow = band.low;
        r.bandHigh = band.high;
        return;
    }
    r.bandLow = r.bandHigh = predicted;
}

void evaluateRow(const MeasuredRow& row, const std::string& file, Validation& v)
{
    const evaluation::Evaluation e = evaluation::evaluate(row.plan);
    if (row.stepTime) {
        RowResult r = resultOf(row, file, "step_time_s", e.step.time.si(), *row.stepTime);
        setBand(r, e, "step.time_s", r.predicted);
        v.rows.push_back(std::move(r));
    }
    if (row.memory) {
        // What a monitor shows is what the allocator reserves.
        const double predicted = e.memory.reserved.si();
        RowResult r = resultOf(row, file, "memory_bytes", predicted, *row.memory);
        r.bandLow = predicted * 0.94;
        r.bandHigh = predicted * 1.06;
        v.rows.push_back(std::move(r));
    }
    if (row.fits) {
        const bool predicted = e.memory.reserved < e.memory.usable;
        RowResult r = resultOf(row, file, "fits", predicted ? 1 : 0, *row.fits ? 1 : 0);
        r.error = predicted == *row.fits ? 0 : 1;
        r.bandLow = r.bandHigh = e.memory.reserved / e.memory.usable;
        v.rows.push_back(std::move(r));
    }
}

double quantile(std::vector<double> values, double share)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const double at = share * static_cast<double>(values.size() - 1);
    const auto low = static_cast<std::size_t>(std::floor(at));
    const std::size_t high = std::min(low + 1, values.size() - 1);
    const double part = at - std::floor(at);
    return values[low] * (1 - part) + values[high] * part;
}

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

} // namespace

std::vector<SummaryRow> summarize(const std::vector<RowResult>& rows)
{
    // "all" sorts before the groups with a colon by the order of insertion below.
    std::map<std::pair<std::string, std::string>, std::vector<const RowResult*>> groups;
    for (const RowResult& r : rows) {
        for (const std::string& group :
             {std::string("all"), "chip:" + r.chip, "file:" + r.file, "kind:" + r.kind,
              "precision:" + r.precision, "scale:" + r.scale})
            groups[{r.quantity, group}].push_back(&r);
    }
    std::vector<SummaryRow> summary;
    for (const auto& [key, members] : groups)
        summary.push_back(summaryOf(key.first, key.second, members));
    return summary;
}

Validation validate(const std::vector<RowsFile>& files, scenario::Faults& faults)
{
    Validation v;
    for (const RowsFile& file : files) {
        const Json json = Json::parse(file.text, nullptr, false);
        if (!json.is_array()) {
            faults.push_back({json.is_discarded() ? "fault.syntax" : "fault.type",
                              "",
                              {{"name", file.name}, {"value", file.name}, {"allowed", "[...]"}}});
            continue;
        }
        for (const Json& j : json) {
            if (!j.is_object()) {
                v.skipped.push_back({"", file.name, "validate.no-object"});
                continue;
            }
            const MeasuredRow row = readRow(j);
            if (row.skipped.empty())
                evaluateRow(row, file.name, v);
            else
                v.skipped.push_back({row.id, file.name, row.skipped});
        }
    }
    v.summary = summarize(v.rows);
    return v;
}

} // namespace cw::calibrate
