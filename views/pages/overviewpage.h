// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/evaluation/limits.h"
#include "views/pages/page.h"

namespace cw::views {

class BindingList;
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
    /// What binds the plan that is shown, with the changes found for it.
    void setLimits(std::vector<evaluation::Limit> limits);

protected:
    void refresh(const PageData& figures) override;

private:
    void showPlan(const PageData& figures);
    void showLimits(const PageData& figures);

    FactList* m_plan;
    BindingList* m_binds;
    StackedBars* m_memory;
    Waterfall* m_step;
    ShareBar* m_run;
    ShareBar* m_power;
    ShareBar* m_cost;
    std::vector<evaluation::Limit> m_limits;
    std::shared_ptr<const evaluation::Evaluation> m_limitsOf; ///< the evaluation they belong to
    ChartFrame* m_bindsFrame;
    ChartFrame* m_memoryFrame;
    ChartFrame* m_stepFrame;
    ChartFrame* m_runFrame;
    ChartFrame* m_powerFrame;
    ChartFrame* m_costFrame;
};

} // namespace cw::views
