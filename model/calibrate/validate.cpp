// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/calibrate/validate.h"

#include <nlohmann/json.hpp>

#include "model/calibrate/datasplit.h"
#include "model/calibrate/measuredrows.h"
#include "model/calibrate/refit.h"
#include "model/evaluation/evaluation.h"

namespace cw::calibrate {

using Json = nlohmann::json;

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

namespace {

std::string sweepOf(const MeasuredRow& row)
{
    const auto& p = row.plan;
    return row.model + ", " + std::to_string(p.cluster.chips) + " " + row.chip + ", s " +
           std::to_string(p.workload.sequenceLength) + ", B " +
           std::to_string(p.workload.globalBatchSequences) + ", " + row.precision;
}

std::string layoutOf(const MeasuredRow& row)
{
    const auto& p = row.plan.parallelism;
    const auto& s = row.plan.software;
    std::string layout;
    for (const std::int64_t x : {p.tensor, p.context, p.pipeline, p.virtualStages, p.expert,
                                 p.zeroStage, p.microBatchSequences})
        layout += std::to_string(x) + " ";
    for (const scenario::Recompute part : p.recompute)
        layout += std::to_string(static_cast<int>(part)) + "r";
    return layout + (p.sequenceParallel ? " sp" : "") + (s.fusedKernels ? " fused" : "") + " " +
           std::to_string(static_cast<int>(s.attention));
}

std::string degreesOf(const scenario::Scenario& s)
{
    const auto& p = s.parallelism;
    std::string text = "TP " + std::to_string(p.tensor) + " PP " + std::to_string(p.pipeline);
    if (p.virtualStages > 1)
        text += "x" + std::to_string(p.virtualStages);
    if (p.context > 1)
        text += " CP " + std::to_string(p.context);
    if (p.expert > 1)
        text += " EP " + std::to_string(p.expert);
    return text + " DP " + std::to_string(p.data.value_or(1)) + ", micro batch " +
           std::to_string(p.microBatchSequences) + " of " +
           std::to_string(s.workload.globalBatchSequences);
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
    r.source = sourceOf(row, file);
    r.framework = row.plan.software.preset;
    r.model = row.model;
    r.sweep = sweepOf(row);
    r.layout = layoutOf(row);
    r.degrees = degreesOf(row.plan);
    r.chipPreset = row.plan.cluster.chip.preset;
    r.chips = row.chips;
    r.doubt = doubtOf(row.id);
    r.keptBack = keptBack(row.id);
    return r;
}

} // namespace

RowResult resultOfStep(const StepRow& row, double predicted)
{
    return resultOf(row.row, row.file, "step_time_s", predicted, *row.row.stepTime);
}

namespace {

/// The band of a figure of the evaluation, as far around the prediction.
void setBand(RowResult& r, const evaluation::Evaluation& e, const char* quantity, double figure)
{
    r.bandLow = r.bandHigh = r.predicted;
    for (const evaluation::Band& band : e.bands) {
        if (band.quantity != quantity || !(figure > 0))
            continue;
        r.bandLow = r.predicted * band.low / figure;
        r.bandHigh = r.predicted * band.high / figure;
    }
}

void evaluateRow(const MeasuredRow& row, const std::string& file, Validation& v)
{
    const evaluation::Evaluation e = evaluation::evaluate(row.plan);
    if (row.stepTime) {
        RowResult r = resultOf(row, file, "step_time_s", e.step.time.si(), *row.stepTime);
        setBand(r, e, "step.time_s", e.step.time.si());
        v.rows.push_back(std::move(r));
    }
    if (row.memory) {
        const double predicted = shownMemory(row, e.memory);
        RowResult r = resultOf(row, file, "memory_bytes", predicted, *row.memory);
        setBand(r, e, "memory.reserved_bytes", e.memory.reserved.si());
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

} // namespace

namespace {

/// "line:column" of a byte, both from 1.
std::string placeOf(const std::string& text, std::size_t byte)
{
    std::size_t line = 1;
    std::size_t column = 1;
    for (std::size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
        column = text[i] == '\n' ? 1 : column + 1;
        line += text[i] == '\n' ? 1 : 0;
    }
    return std::to_string(line) + ":" + std::to_string(column);
}

} // namespace

Validation validate(const std::vector<RowsFile>& files, scenario::Faults& faults)
{
    Validation v;
    for (const RowsFile& file : files) {
        Json json;
        try {
            json = Json::parse(file.text);
        } catch (const Json::parse_error& e) {
            faults.push_back(
                {"fault.syntax", "", {{"name", file.name}, {"value", placeOf(file.text, e.byte)}}});
            continue;
        }
        if (!json.is_array()) {
            faults.push_back({"fault.type",
                              "",
                              {{"name", file.name}, {"value", file.name}, {"allowed", "[...]"}}});
            continue;
        }
        for (const Json& j : json) {
            if (!j.is_object()) {
                v.skipped.push_back({"", file.name, "validate.no-object"});
                continue;
            }
            if (isCollective(j)) {
                std::string why;
                CollectiveResult r = collectiveResult(j, file.name, why);
                if (why.empty())
                    v.collectives.push_back(std::move(r));
                else
                    v.skipped.push_back({r.id, file.name, why});
                continue;
            }
            const MeasuredRow row = readRow(j);
            if (row.skipped.empty())
                evaluateRow(row, file.name, v);
            else
                v.skipped.push_back({row.id, file.name, row.skipped});
        }
    }
    summarize(v);
    return v;
}

void summarize(Validation& v)
{
    v.summary = summarize(v.rows);
    v.fits = summarizeFits(v.rows);
    v.sweeps = rankSweeps(v.rows);
    v.collectiveSummary = summarize(v.collectives);
}

} // namespace cw::calibrate
