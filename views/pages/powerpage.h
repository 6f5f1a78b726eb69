// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/pages/page.h"

class QBoxLayout;

namespace cw::views {

class ChartFrame;
class FactList;
class PowerSwingChart;
class RackView;
class Sankey;
class StackedBars;

/// From the grid to the chip, one rack with its coolant, the months, the swing, the run.
class PowerPage final : public Page
{
    Q_OBJECT

public:
    explicit PowerPage(QWidget* parent = nullptr);
    [[nodiscard]] QString key() const override { return QStringLiteral("power"); }

protected:
    void refresh(const PageData& figures) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void dragSupply(double celsius);
    void tellTitles(const PageData& figures);

    Sankey* m_flows;
    RackView* m_rack;
    StackedBars* m_months;
    PowerSwingChart* m_swing;
    FactList* m_run;
    ChartFrame* m_flowsFrame;
    ChartFrame* m_rackFrame;
    ChartFrame* m_monthsFrame;
    ChartFrame* m_swingFrame;
    ChartFrame* m_runFrame;
    QBoxLayout* m_top;
    QBoxLayout* m_bottom;
    quint64 m_gesture = 0;
};

} // namespace cw::views
