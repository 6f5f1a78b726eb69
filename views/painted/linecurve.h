// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/paintedchart.h"

#include <QPointF>
#include <functional>
#include <optional>

namespace cw::views {

struct CurveLine
{
    Series series = Series::Compute;
    QString name;                ///< direct label, at labelAt
    std::vector<QPointF> points; ///< rising in x
    std::vector<double> low;     ///< band, as many as points, or empty
    std::vector<double> high;
    Qt::PenStyle pen = Qt::SolidLine;
    double labelAt = 0.5; ///< place of the label along the x axis, 0 to 1; below 0: none
    QString quantity;
};

struct CurvePoint
{
    double x = 0.0;
    double y = 0.0;
    QString title;
    QString detail;
    QString quantity;
};

struct CurveMarker
{
    double x = 0.0;
    QString text;
};

struct CurveTick
{
    double value = 0.0;
    QString text;
};

struct LineCurveData
{
    std::vector<CurveLine> lines;
    std::optional<CurvePoint> optimum;  ///< hollow green ring
    std::optional<CurvePoint> plan;     ///< accent disc, can be dragged along x
    std::optional<CurvePoint> baseline; ///< hollow grey ring
    std::vector<CurveMarker> markers;   ///< dotted vertical lines
    std::vector<CurveTick> xTicks;      ///< empty: round ticks
    std::vector<CurveTick> yTicks;      ///< empty: round ticks
    bool logX = false;
    double xLow = 0.0;
    double xHigh = 1.0;
    double yLow = 0.0;
    double yHigh = 1.0;
    QString xTitle;
    QString yTitle;
    /// Words for a place and a value; with both, the values are told where the pointer is.
    std::function<QString(double)> xText;
    std::function<QString(double)> yText;
    bool planDraggable = true;
    bool compact = false; ///< small card: no titles of axes, no guide lines, short labels
};

/// Curves over one axis, with the optimum and the plan's own point.
class LineCurve : public PaintedChart
{
    Q_OBJECT

public:
    explicit LineCurve(QWidget* parent = nullptr);
    void setData(LineCurveData figures);
    /// Moves the plan's own point over the lines there are; false, and nothing is done, where it
    /// would lie beyond the axes.
    bool setPlan(const CurvePoint& plan);
    [[nodiscard]] double xAt(double pixel) const;
    [[nodiscard]] QPointF pixelOf(double x, double y) const;

    void paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const override;
    void paintGround(QPainter& painter, const QRectF& bounds, const Theme& theme) const override;
    [[nodiscard]] bool hasGround() const override { return true; }
    [[nodiscard]] std::vector<Mark> marks(const QRectF& bounds) const override;
    [[nodiscard]] bool isEmpty() const override { return m_data.lines.empty(); }
    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void planDragStarted();
    void planDragged(double x);
    void planDragFinished();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintHover(QPainter& painter, const Mark& mark, const Theme& theme) const override;

private:
    struct Layout;
    [[nodiscard]] Layout layoutFor(const QRectF& bounds) const;
    void movePlan(double x);
    void paintAxes(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintLine(QPainter& painter, const Layout& l, const CurveLine& line,
                   const Theme& theme) const;
    void paintLineNames(QPainter& painter, const Layout& l, const Theme& theme) const;
    /// Where the plan's words stand, and those of the optimum.
    [[nodiscard]] QRectF planBox(const Layout& l) const;
    [[nodiscard]] QRectF optimumBox(const Layout& l) const;
    void addSlices(const Layout& l, std::vector<Mark>& all) const;
    void paintPoints(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintPlan(QPainter& painter, const Layout& l, const Theme& theme) const;

    LineCurveData m_data;
    bool m_dragging = false;
};

} // namespace cw::views
