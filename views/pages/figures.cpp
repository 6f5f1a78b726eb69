// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/figures.h"

#include <algorithm>
#include <cmath>

#include "model/memory/borderline.h"
#include "views/pages/ticks.h"
#include "views/params/valuetext.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;
using evaluation::Evaluation;

namespace {

constexpr double kGibi = 1024.0 * 1024.0 * 1024.0;

struct StepPart
{
    const char* key;
    const char* path;
    Series series;
    double value;
};

std::vector<StepPart> stepParts(const Evaluation& e)
{
    const auto& s = e.step;
    // What compute takes beyond the peak and the passes that are told apart.
    const double efficiency = s.compute.si() - s.ideal.si() - s.stream.si() - s.quantization.si();
    return {
        {"window.step.ideal", "step.ideal_s", Series::Compute, s.ideal.si()},
        {"window.step.efficiency", "step.compute_s", Series::LostEfficiency, efficiency},
        {"window.step.quantization", "step.quantization_s", Series::LostEfficiency,
         s.quantization.si()},
        {"window.step.stream", "step.stream_s", Series::BandwidthBound, s.stream.si()},
        {"window.step.recompute", "step.recompute_s", Series::Recompute, s.recompute.si()},
        {"window.step.tensor", "step.tensor_comm_s", Series::TensorParallel, s.tensorComm.si()},
        {"window.step.context", "step.context_comm_s", Series::TensorParallel, s.contextComm.si()},
        {"window.step.expert", "step.expert_comm_s", Series::ExpertParallel, s.expertComm.si()},
        {"window.step.pipeline", "step.pipeline_comm_s", Series::PipelineSends,
         s.pipelineComm.si()},
        {"window.step.bubble", "step.bubble_s", Series::Bubble, s.bubble.si()},
        {"window.step.data", "step.data_comm_s", Series::DataParallel, s.dataComm.si()},
        {"window.step.offload", "step.offload_s", Series::Hosts, s.offload.si()},
        {"window.step.optimizer", "step.optimizer_s", Series::Optimizer, s.optimizer.si()},
        {"window.step.loading", "step.data_loading_s", Series::Storage, s.dataLoading.si()},
        {"window.step.host", "step.host_s", Series::Hosts, s.host.si()},
        {"window.step.jitter", "step.jitter_s", Series::Jitter, s.jitter.si()}};
}

/// Steps below this share of the whole are drawn together where labels stand side by side.
constexpr double kSmallStep = 5e-3;

QString seconds(double value)
{
    return shown(value, Unit::Seconds);
}

/// A share below a narrow bar: whole hundredths, one decimal below the first.
QString briefShare(double share)
{
    const double steps = std::abs(share) >= 0.0095 ? 100.0 : 1000.0;
    return percentTick(std::round(share * steps) / steps);
}

QString stepValue(double value, bool vertical, bool first)
{
    if (!vertical)
        return seconds(value);
    const QString text = formatSignificant(value, 3, numberLocale());
    return !first && value > 0 ? u'+' + text : text;
}

void addMemory(StackedBar& bar, const char* key, Series series, double bytes, std::size_t stage,
               const char* name)
{
    if (bytes <= 0)
        return;
    BarSegment segment;
    segment.series = series;
    segment.value = bytes / kGibi;
    segment.label = say(key);
    segment.tooltip =
        say("window.memory.segment",
            {{"stage", QString::number(static_cast<int>(stage))}, {"part", segment.label}}) +
        u'\t' + shown(bytes, Unit::GibiBytes);
    segment.quantity = u"memory.stages."_s + QString::number(static_cast<int>(stage)) + u'.' +
                       QString::fromLatin1(name);
    bar.segments.push_back(segment);
}

StackedBar stageBar(const Evaluation& e, const Evaluation* baseline, std::size_t i,
                    MemoryLevel level)
{
    const auto& m = e.memory.stages[i];
    StackedBar bar;
    bar.name = QString::number(static_cast<int>(i));
    addMemory(bar, "window.memory.weights", Series::Weights, m.weights.si(), i, "weights");
    addMemory(bar, "window.memory.gradients", Series::Gradients, m.gradients.si(), i, "gradients");
    addMemory(bar, "window.memory.optimizer", Series::Optimizer, m.optimizer.si(), i, "optimizer");
    if (level != MemoryLevel::Resident) {
        addMemory(bar, "window.memory.activations", Series::Activations, m.activations.si(), i,
                  "activations");
        addMemory(bar, "window.memory.temporary", Series::Temporaries, m.temporary.si(), i,
                  "temporary");
        addMemory(bar, "window.memory.buffers", Series::Network, m.buffers.si(), i, "buffers");
    }
    addMemory(bar, "window.memory.fixed", Series::Fixed, m.fixed.si(), i, "fixed");
    if (level == MemoryLevel::Reserved)
        addMemory(bar, "window.memory.fragmentation", Series::Fragmentation, m.fragmentation.si(),
                  i, "fragmentation");
    const auto whole = [level](const auto& stage) {
        return level == MemoryLevel::Resident ? stage.resident.si()
               : level == MemoryLevel::Peak   ? stage.peak.si()
                                              : stage.reserved.si();
    };
    const QString name = level == MemoryLevel::Resident ? u".resident"_s
                         : level == MemoryLevel::Peak   ? u".peak"_s
                                                        : u".reserved"_s;
    bar.totalText = formatSignificant(whole(m) / kGibi, 4, numberLocale());
    bar.quantity = u"memory.stages."_s + QString::number(static_cast<int>(i)) + name;
    if (baseline && i < baseline->memory.stages.size())
        bar.baseline = whole(baseline->memory.stages[i]) / kGibi;
    return bar;
}

} // namespace

QString shown(double value, Unit unit)
{
    return format(value, unit, numberLocale());
}

QString shownShare(double part, double whole)
{
    return whole > 0 ? shown(part / whole, Unit::Percent) : QString();
}

WaterfallData stepWaterfall(const Evaluation& e, bool vertical)
{
    WaterfallData chart;
    const double whole = e.step.time.si();
    if (!(whole > 0) || !std::isfinite(whole))
        return chart;
    chart.unit = say("window.step.unit");
    WaterfallStep small;
    double smallSum = 0.0;
    for (const StepPart& part : stepParts(e)) {
        if (std::abs(part.value) < whole * 5e-4)
            continue;
        WaterfallStep step;
        step.name = say(part.key);
        step.valueText = stepValue(part.value, vertical, chart.steps.empty());
        step.shareText = shownShare(part.value, whole);
        step.quantity = QString::fromLatin1(part.path);
        step.tooltip = say(part.key) + u'\t' + seconds(part.value) + u'\n' +
                       say("window.step.share", {{"share", step.shareText}});
        if (vertical)
            step.shareText = briefShare(part.value / whole);
        step.parts = {{part.series, part.value, step.tooltip, step.quantity}};
        if (vertical && std::abs(part.value) < whole * kSmallStep) {
            // Too thin to stand alone: one step together, each still with its own tip.
            small.parts.push_back(step.parts.front());
            small.tooltip += u'\n' + say(part.key) + u'\t' + seconds(part.value);
            small.name = step.name;
            small.quantity = step.quantity;
            smallSum += part.value;
            continue;
        }
        chart.steps.push_back(step);
    }
    if (!small.parts.empty()) {
        if (small.parts.size() > 1)
            small.name = say("window.step.small");
        small.valueText = stepValue(smallSum, vertical, false);
        small.shareText = briefShare(smallSum / whole);
        small.tooltip = small.name + u'\t' + seconds(smallSum) + small.tooltip;
        chart.steps.push_back(small);
    }
    WaterfallStep total;
    total.name = say("window.page.step");
    total.valueText = seconds(whole);
    total.total = true;
    total.quantity = u"step.time_s"_s;
    total.tooltip = total.name + u'\t' + seconds(whole);
    total.parts = {{Series::Total, whole, total.tooltip, total.quantity}};
    chart.steps.push_back(total);
    return chart;
}

HiddenExposedData communicationBars(const Evaluation& e)
{
    struct Kind
    {
        const char* key;
        const char* symbol;
        const char* path;
        Series series;
        double whole;
        double exposed;
    };
    const auto& s = e.step;
    const Kind kinds[] = {{"window.comm.tensor", "TP", "step.tensor_comm_s", Series::TensorParallel,
                           s.tensorCost.si(), s.tensorComm.si()},
                          {"window.comm.context", "CP", "step.context_comm_s",
                           Series::TensorParallel, s.contextCost.si(), s.contextComm.si()},
                          {"window.comm.expert", "EP", "step.expert_comm_s", Series::ExpertParallel,
                           s.expertCost.si(), s.expertComm.si()},
                          {"window.comm.pipeline", "PP", "step.pipeline_comm_s",
                           Series::PipelineSends, s.pipelineCost.si(), s.pipelineComm.si()},
                          {"window.comm.data", "DP", "step.data_comm_s", Series::DataParallel,
                           s.dataCost.si(), s.dataComm.si()}};
    HiddenExposedData chart;
    chart.note = say("window.comm.note");
    chart.unit = say("window.step.unit");
    for (const Kind& kind : kinds) {
        const double whole = std::max(kind.whole, kind.exposed);
        if (!(whole > 0))
            continue;
        HiddenExposedRow row;
        row.series = kind.series;
        row.name = say(kind.key);
        row.detail = QString::fromLatin1(kind.symbol) + u", "_s + seconds(whole);
        row.exposed = kind.exposed;
        row.hidden = whole - kind.exposed;
        row.hiddenText = say("window.comm.hidden", {{"time", seconds(row.hidden)}});
        row.exposedText = seconds(kind.exposed);
        row.tooltip = row.name + u'\t' + seconds(whole) + u'\n' +
                      say("window.comm.exposed", {{"time", row.exposedText}});
        row.quantity = QString::fromLatin1(kind.path);
        chart.rows.push_back(row);
    }
    return chart;
}

StackedBarsData memoryBars(const PageData& figures, bool draggable, MemoryLevel level)
{
    const Evaluation& e = *figures.evaluation;
    StackedBarsData chart;
    for (std::size_t i = 0; i < e.memory.stages.size(); ++i)
        chart.bars.push_back(stageBar(e, draggable ? figures.baseline.get() : nullptr, i, level));
    chart.axisTitle = say("window.memory.axis");
    chart.categoryName = say("window.memory.stage");
    if (draggable && figures.baseline)
        chart.baselineLabel = say("window.memory.baseline");
    BarLimit usable;
    usable.role = LimitRole::Limit;
    usable.value = e.memory.usable.si() / kGibi;
    usable.text =
        say("window.memory.usable", {{"size", shown(e.memory.usable.si(), Unit::GibiBytes)}});
    usable.quantity = u"memory.usable_bytes"_s;
    usable.draggable = draggable;
    usable.least = 1;
    usable.most = 4096;
    chart.limits.push_back(usable);
    if (draggable) {
        BarLimit borderline;
        borderline.role = LimitRole::Borderline;
        borderline.value = usable.value * (1 - memory::kBorderline);
        borderline.text = say("window.memory.borderline",
                              {{"size", shown(borderline.value * kGibi, Unit::GibiBytes)}});
        chart.limits.push_back(borderline);
    }
    if (draggable && e.memory.capacity.si() > e.memory.usable.si()) {
        BarLimit physical;
        physical.role = LimitRole::Physical;
        physical.value = e.memory.capacity.si() / kGibi;
        physical.text = say("window.memory.physical",
                            {{"vendor", shown(e.memory.capacity.si(), Unit::GigaBytes)},
                             {"size", shown(e.memory.capacity.si(), Unit::GibiBytes)}});
        physical.quantity = u"memory.capacity_bytes"_s;
        chart.limits.push_back(physical);
    }
    return chart;
}

namespace {

/// What lives off the device, and the link to it: always there, also where it is nothing.
void addOffDevice(const Evaluation& e, std::vector<FactRow>& rows)
{
    const auto add = [&](const char* key, const char* quantity, const QString& value,
                         const QString& detail) {
        FactRow row;
        row.label = say(key);
        row.value = value;
        row.detail = detail;
        row.quantity = QString::fromLatin1(quantity);
        row.heading = true;
        rows.push_back(row);
    };
    const bool disks = e.memory.nvme.si() > 0;
    add(disks ? "window.memory.nvme" : "window.memory.host",
        disks ? "memory.nvme_bytes" : "memory.host_bytes",
        shown(disks ? e.memory.nvme.si() : e.memory.host.si(), Unit::GibiBytes), {});
    add("window.memory.hostLink", "host_link.utilization",
        shown(e.hostLinkUtilization, Unit::Percent), shown(e.step.offload.si(), Unit::Seconds));
}

} // namespace

std::vector<FactRow> ledgerRows(const Evaluation& e, std::size_t stage)
{
    if (stage >= e.memory.stages.size())
        return {};
    const auto& m = e.memory.stages[stage];
    const double usable = e.memory.usable.si();
    const QString prefix = u"memory.stages."_s + QString::number(static_cast<int>(stage)) + u'.';
    std::vector<FactRow> rows;
    const auto head = [&](const char* key, const char* name, Series series, double bytes) {
        FactRow row;
        row.label = say(key);
        row.value = shown(bytes, Unit::GibiBytes);
        row.detail = shownShare(bytes, usable);
        row.quantity = prefix + QString::fromLatin1(name);
        row.heading = true;
        row.series = series;
        row.marked = true;
        if (bytes > 0)
            rows.push_back(row);
    };
    const auto part = [&](const char* key, const char* name, double bytes) {
        FactRow row;
        row.label = say(key);
        row.value = shown(bytes, Unit::GibiBytes);
        row.quantity = name ? prefix + QString::fromLatin1(name) : QString();
        row.indent = true;
        if (bytes > 0)
            rows.push_back(row);
    };
    head("window.memory.weights", "weights", Series::Weights, m.weights.si());
    part("window.memory.weightsExperts", "weights_experts", m.weightsExperts.si());
    head("window.memory.gradients", "gradients", Series::Gradients, m.gradients.si());
    head("window.memory.optimizer", "optimizer", Series::Optimizer, m.optimizer.si());
    head("window.memory.activations", "activations", Series::Activations, m.activations.si());
    part("window.memory.attention", "activations_attention", m.activationsAttention.si());
    part("window.memory.dense", "activations_dense", m.activationsDense.si());
    part("window.memory.experts", "activations_experts", m.activationsExperts.si());
    part("window.memory.norms", "activations_norms", m.activationsNorms.si());
    head("window.memory.temporary", "temporary", Series::Temporaries, m.temporary.si());
    part("window.memory.logits", "temporary_logits", m.temporaryLogits.si());
    part("window.memory.recompute", "temporary_recompute", m.temporaryRecompute.si());
    head("window.memory.buffers", "buffers", Series::Network, m.buffers.si());
    head("window.memory.fixed", "fixed", Series::Fixed, m.fixed.si());
    head("window.memory.fragmentation", "fragmentation", Series::Fragmentation,
         m.fragmentation.si());
    const auto total = [&](const char* key, const char* name, double bytes) {
        head(key, name, Series::Total, bytes);
        rows.back().marked = false;
        rows.back().total = true;
    };
    total("window.memory.resident", "resident", m.resident.si());
    total("window.memory.peak", "peak", m.peak.si());
    total("window.memory.reserved", "reserved", m.reserved.si());
    addOffDevice(e, rows);
    return rows;
}

} // namespace cw::views
