// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/paintedchart.h"

namespace cw::views {

struct ShareItem
{
    Series series = Series::Other;
    double value = 0.0; ///< any one unit
    QString name;
    QString valueText;
    QString shareText;
    QString tooltip;
    QString quantity;
};

/// A line below the list, with a value but no share of the bar.
struct ShareExtra
{
    QString name;
    QString valueText;
    QString quantity;
};

struct ShareBarData
{
    std::vector<ShareItem> items;
    std::vector<ShareExtra> extras; ///< below a hairline
    QString note;                   ///< between list and extras
};

/// One horizontal bar of shares above a list of its parts.
class ShareBar : public PaintedChart
{
    Q_OBJECT

public:
    explicit ShareBar(QWidget* parent = nullptr);
    void setData(ShareBarData figures);

    void paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const override;
    [[nodiscard]] std::vector<Mark> marks(const QRectF& bounds) const override;
    [[nodiscard]] bool isEmpty() const override { return m_data.items.empty(); }
    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

private:
    struct Layout;
    [[nodiscard]] Layout layoutFor(const QRectF& bounds) const;
    ShareBarData m_data;
};

} // namespace cw::views
