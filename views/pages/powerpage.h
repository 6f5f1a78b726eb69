// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/pages/page.h"

namespace cw::views {

class ChartFrame;
class FactList;
class Sankey;

/// From the grid to the chip, and the heat back out.
class PowerPage final : public Page
{
    Q_OBJECT

public:
    explicit PowerPage(QWidget* parent = nullptr);
    [[nodiscard]] QString key() const override { return QStringLiteral("power"); }

protected:
    void refresh(const PageData& figures) override;

private:
    Sankey* m_flows;
    FactList* m_limits;
    FactList* m_rack;
    FactList* m_cooling;
    FactList* m_run;
    ChartFrame* m_flowsFrame;
    ChartFrame* m_rackFrame;
};

} // namespace cw::views
