// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/paintedchart.h"

namespace cw::views {

/// The six bands of utilization: each has a colour, a width and, above 100 %, dashes.
class LinkLegend final : public PaintedChart
{
    Q_OBJECT

public:
    explicit LinkLegend(QWidget* parent = nullptr);

    void paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const override;
    [[nodiscard]] std::vector<Mark> marks(const QRectF&) const override { return {}; }
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override { return {220, 52}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {180, 52}; }
};

} // namespace cw::views
