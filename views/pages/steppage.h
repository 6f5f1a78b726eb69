// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/pages/page.h"

namespace cw::views {

class ChartFrame;
class HiddenExposedBars;
class PipelineTimeline;
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
    void showTimeline(const PageData& figures);

    Waterfall* m_waterfall;
    HiddenExposedBars* m_communication;
    PipelineTimeline* m_timeline;
    ChartFrame* m_waterfallFrame;
    ChartFrame* m_timelineFrame;
};

} // namespace cw::views
