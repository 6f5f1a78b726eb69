// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/paintedchart.h"

namespace cw::views {

struct RankedRow
{
    Series series = Series::Other;
    QString name;
    QString detail; ///< below the name, where there is room
    double value = 0.0;
    QString valueText;
    QString shareText; ///< at the right edge
    QString tooltip;
    QString quantity;
};

struct RankedBarsData
{
    std::vector<RankedRow> rows;
    QString unit;     ///< of the values, for the table
    QString category; ///< heads the first column of the table
    QString left;     ///< line below the bars
    QString right;
};

/// Bars side by side from zero, one to a row, with name, value and share.
class RankedBars : public PaintedChart
{
    Q_OBJECT

public:
    explicit RankedBars(QWidget* parent = nullptr);
    void setData(RankedBarsData figures);
    [[nodiscard]] const RankedBarsData& figures() const { return m_data; }

    void paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const override;
    [[nodiscard]] std::vector<Mark> marks(const QRectF& bounds) const override;
    [[nodiscard]] bool isEmpty() const override { return m_data.rows.empty(); }
    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

private:
    struct Layout;
    [[nodiscard]] Layout layoutFor(const QRectF& bounds) const;
    RankedBarsData m_data;
};

} // namespace cw::views
