// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/paintedchart.h"

#include <QPointF>
#include <functional>
#include <optional>

namespace cw::views {

/// The second channel beside colour.
enum class Shape : std::uint8_t
{
    Circle,
    Diamond,
    Cross
};

struct ScatterLook
{
    Series series = Series::Compute;
    Shape shape = Shape::Circle;
    QString name; ///< in the legend
    bool filled = true;
};

struct ScatterPoint
{
    double x = 0.0;
    double y = 0.0;
    int look = 0; ///< index into ScatterData::looks
};

/// A share beside the line of equality: y from x (1 - share) to x (1 + share).
struct ScatterBand
{
    double share = 0.1;
    QString text;
};

struct ScatterData
{
    std::vector<ScatterLook> looks;
    std::vector<ScatterPoint> points; ///< what is not above zero and finite is left out
    double low = 0.0;                 ///< of both axes; 0: as the points need
    double high = 0.0;
    std::vector<ScatterBand> bands; ///< the narrow ones first
    QString xTitle;
    QString yTitle;
    QString equalText; ///< on the line of equality
    std::function<QString(double)> number;
    std::function<QString(int)> tip;     ///< of the point at an index
    std::function<QString(int)> spoken;  ///< one line of it
    std::function<QStringList(int)> row; ///< its figures in the table
    QStringList header;
};

/// The plan's own place: what is predicted of it and where a measurement of it would lie.
struct ScatterPlan
{
    double y = 0.0;
    double low = 0.0; ///< of x; 0 where nothing is known of it
    double high = 0.0;
    QString title;
    QString detail;
    QString quantity;
};

/// Points on two logarithmic axes of one range, with the line where both are equal.
class ScatterPlot final : public PaintedChart
{
    Q_OBJECT

public:
    explicit ScatterPlot(QWidget* parent = nullptr);
    void setData(ScatterData figures);
    /// Apart from the data, for it moves with every change of the plan.
    void setPlan(const std::optional<ScatterPlan>& plan);
    [[nodiscard]] const ScatterData& figures() const { return m_data; }
    [[nodiscard]] const std::optional<ScatterPlan>& plan() const { return m_plan; }
    [[nodiscard]] QPointF pixelOf(double x, double y) const;
    /// Index of the point a mark stands for; -1 for the plan.
    [[nodiscard]] int pointOf(int mark) const;

    [[nodiscard]] bool hasGround() const override { return true; }
    void paintGround(QPainter& painter, const QRectF& bounds, const Theme& theme) const override;
    void paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const override;
    [[nodiscard]] std::vector<Mark> marks(const QRectF& bounds) const override;
    /// The nearest point within reach, not the topmost.
    [[nodiscard]] int markAt(const QPointF& position) const override;
    [[nodiscard]] bool isEmpty() const override { return m_data.points.empty(); }
    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override { return {420, 220}; }

Q_SIGNALS:
    /// Pointer or keyboard came to a point, or left all (-1).
    void pointTouched(int index);

protected:
    [[nodiscard]] QString markTip(const Mark& mark) const override;
    [[nodiscard]] QString markSpoken(const Mark& mark) const override;
    void hoverChanged(int mark) override;
    void paintHover(QPainter& painter, const Mark& mark, const Theme& theme) const override;

private:
    struct Layout;
    [[nodiscard]] Layout layoutFor(const QRectF& bounds) const;
    void paintBands(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintAxes(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintLegend(QPainter& painter, const QRectF& bounds, const Theme& theme) const;
    void paintPoints(QPainter& painter, const Layout& l, const Theme& theme) const;
    void findRange();
    /// Where each look stands in the legend; empty where it has no name.
    [[nodiscard]] std::vector<QRectF> legendBoxes(const QRectF& bounds) const;

    ScatterData m_data;
    std::optional<ScatterPlan> m_plan;
    double m_low = 1.0; ///< of both axes, logarithms to base ten
    double m_high = 2.0;
};

} // namespace cw::views
