// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/steppage.h"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <stdexcept>

#include "model/schedule/timeline.h"
#include "views/pages/figures.h"
#include "views/pages/frames.h"
#include "views/painted/pipelinetimeline.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

/// Above this the picture would take longer than a hand waits.
constexpr double kMostBlocks = 400000;

BlockKind kindOf(schedule::Kind kind)
{
    switch (kind) {
    case schedule::Kind::Forward:
        return BlockKind::Forward;
    case schedule::Kind::Weight:
        return BlockKind::Weight;
    default:
        return BlockKind::Backward;
    }
}

QString tipOf(const TimelineBlock& block)
{
    const char* key = block.kind == BlockKind::Forward    ? "window.timeline.forward"
                      : block.kind == BlockKind::Backward ? "window.timeline.backward"
                                                          : "window.timeline.weight";
    return say(key, {{"batch", QString::number(block.microBatch)},
                     {"chunk", QString::number(block.chunk)},
                     {"stage", QString::number(block.stage)}}) +
           u'\n' + shown(block.start, Unit::Seconds) + u" → "_s + shown(block.end, Unit::Seconds) +
           u", "_s + shown(block.end - block.start, Unit::Seconds);
}

void addBlocks(const schedule::Block& block, TimelineData& chart)
{
    TimelineBlock drawn;
    drawn.stage = block.device;
    drawn.start = block.start;
    drawn.end = block.end;
    drawn.kind = kindOf(block.kind);
    drawn.microBatch = block.microBatch;
    drawn.chunk = block.chunk;
    if (block.kind != schedule::Kind::ForwardBackward) {
        chart.blocks.push_back(drawn);
        return;
    }
    // An overlapped pair is drawn as its halves, one after the other.
    drawn.kind = BlockKind::Forward;
    drawn.end = block.start + (block.end - block.start) / 3;
    chart.blocks.push_back(drawn);
    drawn.kind = BlockKind::Backward;
    drawn.start = drawn.end;
    drawn.end = block.end;
    drawn.microBatch = block.backwardMicroBatch;
    drawn.chunk = block.backwardChunk;
    chart.blocks.push_back(drawn);
}

} // namespace

StepPage::StepPage(QWidget* parent)
    : Page(parent), m_waterfall(new Waterfall(Qt::Vertical, this)),
      m_communication(new HiddenExposedBars(this)), m_timeline(new PipelineTimeline(this)),
      m_waterfallFrame(framed(this, m_waterfall, "window.step.title")),
      m_timelineFrame(framed(this, m_timeline, "window.timeline.title"))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(10);
    auto* top = new QHBoxLayout;
    top->setSpacing(10);
    top->addWidget(m_waterfallFrame, 5);
    top->addWidget(framed(this, m_communication, "window.comm.title"), 3);
    column->addLayout(top, 5);
    column->addWidget(m_timelineFrame, 6);
    m_waterfall->setMinimumHeight(200);
    m_timeline->setMinimumHeight(200);
}

void StepPage::refresh(const PageData& figures)
{
    const auto& e = *figures.evaluation;
    m_waterfall->setData(stepWaterfall(e, true));
    m_waterfallFrame->setSubtitle(say("window.step.subtitleLong"));
    m_waterfallFrame->setRightText(u"MFU <b>"_s + shown(e.throughput.mfu, Unit::Percent) +
                                   u"</b> · HFU <b>"_s + shown(e.throughput.hfu, Unit::Percent) +
                                   u"</b>"_s);
    m_communication->setData(communicationBars(e));
    showTimeline(figures);
}

void StepPage::showTimeline(const PageData& figures)
{
    const auto& e = *figures.evaluation;
    const auto& p = figures.scenario->parallelism;
    TimelineData chart;
    chart.quantity = u"step.pipeline_s"_s;
    const auto stages = static_cast<int>(p.pipeline);
    const auto batches = static_cast<int>(e.layout.steps);
    m_timelineFrame->setSubtitle(
        say("window.timeline.subtitle",
            {{"schedule", nameOf("parallelism.schedule", scenario::nameOf(p.schedule))},
             {"stages", QString::number(stages)},
             {"chunks", QString::number(static_cast<int>(e.layout.chunks))},
             {"batches", QString::number(batches)}}));
    m_timelineFrame->setRightText(say("window.timeline.hint"));
    const double passes =
        schedule::passCount(p.schedule, static_cast<double>(stages),
                            static_cast<double>(p.virtualStages), static_cast<double>(batches));
    if (!(passes > 0) || passes > kMostBlocks) {
        m_timeline->setEmptyText(say("window.timeline.tooMany"));
        m_timeline->setData({});
        return;
    }
    try {
        const auto input = evaluation::timelineOf(*figures.scenario);
        const auto timeline =
            schedule::simulate(p.schedule, stages, static_cast<int>(p.virtualStages), batches,
                               input.costs, input.send);
        chart.stages = stages;
        chart.chunks = static_cast<int>(e.layout.chunks);
        chart.end = timeline.makespan;
        chart.blocks.reserve(timeline.blocks.size());
        for (const auto& block : timeline.blocks)
            addBlocks(block, chart);
        chart.tooltip = tipOf;
        chart.stageName = [](int stage) {
            return say("window.timeline.stage", {{"n", QString::number(stage)}});
        };
        m_timeline->setData(std::move(chart));
    } catch (const std::invalid_argument&) {
        // The degrees do not suit the schedule; Checks say which.
        m_timeline->setEmptyText(say("window.timeline.illegal"));
        m_timeline->setData({});
    }
}

} // namespace cw::views
