// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/paintedchart.h"

#include <limits>

namespace cw::views {

/// A coloured part of a step; most steps have one.
struct WaterfallPart
{
    Series series = Series::Other;
    double value = 0.0; ///< in the unit of the axis; negative goes back
    QString tooltip;
    QString quantity;
};

struct WaterfallStep
{
    QString name;      ///< may hold a line break
    QString valueText; ///< "+0.86"
    QString shareText; ///< "3 %"; vertical only
    std::vector<WaterfallPart> parts;
    double start = std::numeric_limits<double>::quiet_NaN(); ///< NaN: where the last one ended
    bool total = false;                                      ///< starts at zero and closes the sum
    QString tooltip;
    QString quantity;
};

struct WaterfallData
{
    std::vector<WaterfallStep> steps;
    QString unit; ///< at the axis
};

/// Steps that add up, joined by dashed lines, from a true zero.
class Waterfall : public PaintedChart
{
    Q_OBJECT

public:
    /// Vertical: steps side by side. Horizontal: one row per step.
    explicit Waterfall(Qt::Orientation orientation, QWidget* parent = nullptr);

    void setData(WaterfallData figures);

    void paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const override;
    [[nodiscard]] std::vector<Mark> marks(const QRectF& bounds) const override;
    [[nodiscard]] bool isEmpty() const override { return m_data.steps.empty(); }
    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    struct Layout;
    [[nodiscard]] Layout layoutFor(const QRectF& bounds) const;
    void paintVertical(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintHorizontal(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintParts(QPainter& painter, const Layout& l, std::size_t step, const Theme& theme) const;
    void placeNames(Layout& l, const QRectF& bounds, double count) const;
    void paintName(QPainter& painter, const Layout& l, std::size_t step, double centre,
                   const Theme& theme) const;
    void paintValues(QPainter& painter, const Layout& l, const Theme& theme) const;
    [[nodiscard]] QRectF partRect(const Layout& l, std::size_t step, double from, double to) const;

    WaterfallData m_data;
    Qt::Orientation m_orientation;
    std::vector<double> m_starts;
    std::vector<double> m_ends;
};

} // namespace cw::views
