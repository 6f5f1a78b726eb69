// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/steppage.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPushButton>
#include <QResizeEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "model/schedule/timeline.h"
#include "views/pages/figures.h"
#include "views/pages/frames.h"
#include "views/pages/ticks.h"
#include "views/pages/timelinelegend.h"
#include "views/painted/pipelinetimeline.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

/// Above this the picture would take longer than a hand waits.
constexpr double kMostBlocks = 400000;
/// Wide enough for the number of a micro batch.
constexpr double kReadableBlock = 13;
/// A narrower page has no room for the legend beside the buttons.
constexpr int kLegendWidth = 800;

/// The round time next below: 1, 2 or 5 times a power of ten.
double roundBelow(double seconds)
{
    const double decade = std::pow(10.0, std::floor(std::log10(seconds)));
    for (const double step : {5.0, 2.0})
        if (seconds >= step * decade)
            return step * decade;
    return decade;
}

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
    addParts();
}

void StepPage::addParts()
{
    m_legend = new TimelineLegend(this);
    m_timelineFrame->addRightWidget(m_legend);
    m_parts = new QButtonGroup(this);
    m_parts->setExclusive(false);
    for (const char* key : {"window.timeline.firstPart", "window.timeline.steady",
                            "window.timeline.drain", "window.timeline.whole"}) {
        auto* button = new QPushButton(this);
        button->setProperty("small", true);
        m_parts->addButton(button, static_cast<int>(m_parts->buttons().size()));
        m_timelineFrame->addRightWidget(button);
        bindText(button, [button, key] { button->setText(say(key, {{"time", QString()}})); });
    }
    connect(m_parts, &QButtonGroup::idClicked, this,
            [this](int id) { showPart(static_cast<Part>(id)); });
    connect(m_timeline, &PipelineTimeline::windowChanged, this, [this] {
        if (!m_moves)
            m_part = Part::Own;
    });
}

void StepPage::showPart(Part part)
{
    m_part = part;
    if (part == Part::Own || !(m_end > 0) || !(m_passes > 0))
        return;
    // As much time as leaves the blocks of a row readable.
    const double readable =
        m_end * m_timeline->plotRect().width() / kReadableBlock / std::max(m_passes, 1.0);
    const double span = readable >= m_end ? m_end : roundBelow(readable);
    m_parts->button(0)->setText(say("window.timeline.firstPart", {{"time", timeTick(span)}}));
    m_moves = true;
    switch (part) {
    case Part::First:
        m_timeline->setWindow(0, span);
        break;
    case Part::Steady:
        m_timeline->setWindow((m_end - span) / 2, (m_end + span) / 2);
        break;
    case Part::Drain:
        m_timeline->setWindow(m_end - span, m_end);
        break;
    default:
        m_timeline->setWindow(0, m_end);
    }
    m_moves = false;
}

void StepPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    m_legend->setVisible(width() >= kLegendWidth);
    if (m_part == Part::First)
        showPart(m_part);
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
    m_timelineFrame->setSubtitle(m_timelineFrame->subtitle() + u"; "_s +
                                 say("window.timeline.hint"));
    m_passes = 0;
    const double passes =
        schedule::passCount(p.schedule, static_cast<double>(stages),
                            static_cast<double>(p.virtualStages), static_cast<double>(batches));
    if (!(passes > 0) || passes > kMostBlocks) {
        m_legend->setParts(0, false, {});
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
        m_passes = passes / std::max(1, stages);
        m_end = chart.end;
        m_legend->setParts(
            chart.chunks,
            std::any_of(chart.blocks.begin(), chart.blocks.end(),
                        [](const TimelineBlock& b) { return b.kind == BlockKind::Weight; }),
            say("window.timeline.bubble"));
        m_timeline->setData(std::move(chart));
        showPart(m_part);
    } catch (const std::invalid_argument&) {
        // The degrees do not suit the schedule; Checks say which.
        m_legend->setParts(0, false, {});
        m_timeline->setEmptyText(say("window.timeline.illegal"));
        m_timeline->setData({});
    }
}

} // namespace cw::views
