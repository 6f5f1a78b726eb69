// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/paintedchart.h"

namespace cw::views {

/// Communication of one dimension: what hides behind compute and what does not, in one unit.
struct HiddenExposedRow
{
    Series series = Series::Other;
    QString name;   ///< "Tensor"
    QString detail; ///< "TP, 5.10 s"
    double hidden = 0.0;
    double exposed = 0.0;
    QString hiddenText;  ///< "hidden 3.76", in the bar where it fits
    QString exposedText; ///< "1.34 s", beside the bar
    QString tooltip;
    QString quantity;
};

struct HiddenExposedData
{
    std::vector<HiddenExposedRow> rows;
    QString note; ///< "outline: hidden behind compute; solid: exposed"
    QString unit; ///< for the table
};

class HiddenExposedBars : public PaintedChart
{
    Q_OBJECT

public:
    explicit HiddenExposedBars(QWidget* parent = nullptr);
    void setData(HiddenExposedData figures);

    void paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const override;
    [[nodiscard]] std::vector<Mark> marks(const QRectF& bounds) const override;
    [[nodiscard]] bool isEmpty() const override { return m_data.rows.empty(); }
    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    struct Layout;
    [[nodiscard]] Layout layoutFor(const QRectF& bounds) const;
    HiddenExposedData m_data;
};

} // namespace cw::views
