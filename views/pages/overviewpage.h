// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/pages/page.h"

namespace cw::views {

class ChartFrame;
class FactList;
class ShareBar;
class StackedBars;
class Waterfall;

/// The plan on one page.
class OverviewPage final : public Page
{
    Q_OBJECT

public:
    explicit OverviewPage(QWidget* parent = nullptr);
    [[nodiscard]] QString key() const override { return QStringLiteral("overview"); }

protected:
    void refresh(const PageData& figures) override;

private:
    void showPlan(const PageData& figures);
    void showLosses(const PageData& figures);

    FactList* m_plan;
    FactList* m_losses;
    StackedBars* m_memory;
    Waterfall* m_step;
    ShareBar* m_run;
    ShareBar* m_power;
    ShareBar* m_cost;
    ChartFrame* m_memoryFrame;
    ChartFrame* m_stepFrame;
    ChartFrame* m_runFrame;
    ChartFrame* m_powerFrame;
    ChartFrame* m_costFrame;
};

} // namespace cw::views
