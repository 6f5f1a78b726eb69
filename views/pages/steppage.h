// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/pages/page.h"

class QButtonGroup;

namespace cw::views {

class ChartFrame;
class HiddenExposedBars;
class PipelineTimeline;
class TimelineLegend;
class Waterfall;

/// From compute at peak to the real step; what communication hides; the pipeline in time.
class StepPage final : public Page
{
    Q_OBJECT

public:
    explicit StepPage(QWidget* parent = nullptr);
    [[nodiscard]] QString key() const override { return QStringLiteral("step"); }

protected:
    void refresh(const PageData& figures) override;

private:
    /// What of the step the timeline shows; a hand that pans or zooms takes it over.
    enum class Part : std::uint8_t
    {
        First,
        Steady,
        Drain,
        Whole,
        Own
    };

    void addParts();
    void showTimeline(const PageData& figures);
    void showPart(Part part);
    void resizeEvent(QResizeEvent* event) override;

    Part m_part = Part::First;
    bool m_moves = false; ///< the window is being set by the page
    double m_passes = 0;  ///< blocks in the timeline's longest row
    double m_end = 0;     ///< seconds of the timeline
    QButtonGroup* m_parts = nullptr;
    TimelineLegend* m_legend = nullptr;
    Waterfall* m_waterfall;
    HiddenExposedBars* m_communication;
    PipelineTimeline* m_timeline;
    ChartFrame* m_waterfallFrame;
    ChartFrame* m_timelineFrame;
};

} // namespace cw::views
