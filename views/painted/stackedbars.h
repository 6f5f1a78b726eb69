// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/paintedchart.h"

#include <functional>
#include <limits>

namespace cw::views {

/// One part of a bar, bottom first. Values are in the unit of the axis.
struct BarSegment
{
    Series series = Series::Other;
    double value = 0.0;
    QString label;   ///< name of the series, in legend and table
    QString tooltip; ///< lines, see Mark::tooltip
    QString quantity;
};

struct StackedBar
{
    QString name; ///< below the bar
    std::vector<BarSegment> segments;
    QString totalText; ///< above the bar; empty hides it
    QString quantity;  ///< explained by a click on the total
    double baseline = std::numeric_limits<double>::quiet_NaN(); ///< dashed tick
};

enum class LimitRole : std::uint8_t
{
    Limit,
    Borderline,
    Physical,
    Mean
};

/// A horizontal line across the bars.
struct BarLimit
{
    LimitRole role = LimitRole::Limit;
    double value = 0.0;
    QString text; ///< name and value, stands on the line
    QString quantity;
    bool draggable = false; ///< at most one
    double least = 0.0;     ///< range of the drag
    double most = std::numeric_limits<double>::infinity();
    double keyStep = 1.0; ///< change by Up or Down
};

struct StackedBarsData
{
    std::vector<StackedBar> bars;
    std::vector<BarLimit> limits;
    QString axisTitle;     ///< below the bars
    QString categoryName;  ///< heads the first column of the table
    double axisBase = 0.0; ///< value the bars stand on: 0, or 1 for PUE; segments add to it
    bool legend = true;
    bool extremesOnly = false; ///< where not all totals find room, the least and the most are told
    QString baselineLabel;     ///< legend entry of the dashed ticks
    std::function<QString(double)> tickText; ///< default: number by the locale of the widget
};

/// Stacked vertical bars with limits; up to 256 bars.
class StackedBars : public PaintedChart
{
    Q_OBJECT

public:
    explicit StackedBars(QWidget* parent = nullptr);

    void setData(StackedBarsData figures);
    [[nodiscard]] const StackedBarsData& figures() const { return m_data; }
    void setSelectedBar(int index);
    [[nodiscard]] int selectedBar() const { return m_selected; }
    /// While held, the axis only grows: call around a gesture elsewhere that changes the data.
    void setAxisHold(bool hold);
    /// Value at a height of the widget, and back; for tests and guides.
    [[nodiscard]] double valueAt(double y) const;
    [[nodiscard]] double pixelOf(double value) const;
    /// Where the draggable limit can be taken; empty when there is none.
    [[nodiscard]] QRectF handleRect() const;

    void paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const override;
    [[nodiscard]] std::vector<Mark> marks(const QRectF& bounds) const override;
    [[nodiscard]] bool isEmpty() const override { return m_data.bars.empty(); }
    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override { return {480, 240}; }

Q_SIGNALS:
    void barClicked(int index);
    void limitDragStarted();
    void limitDragged(double value);
    void limitDragFinished();

protected:
    void activateMark(const Mark& mark) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Layout;
    [[nodiscard]] Layout layoutFor(const QRectF& bounds) const;
    [[nodiscard]] double wantedTop() const;
    [[nodiscard]] int draggable() const;
    void moveLimit(double value);
    void paintAxis(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintBars(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintBarTexts(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintLimits(QPainter& painter, const Layout& l, const Theme& theme) const;
    [[nodiscard]] std::vector<QRectF> totalBoxes(const Layout& l) const;
    [[nodiscard]] QRectF limitTextBox(const Layout& l, const BarLimit& limit,
                                      const std::vector<QRectF>& totals) const;
    void paintLimitText(QPainter& painter, const Layout& l, const Theme& theme,
                        const BarLimit& limit) const;
    void paintHandle(QPainter& painter, const Layout& l, const Theme& theme,
                     const BarLimit& limit) const;
    [[nodiscard]] std::vector<struct LegendEntry> legendEntries(const Theme& theme) const;

    StackedBarsData m_data;
    double m_top = 1.0;
    int m_selected = -1;
    bool m_hold = false;
    bool m_dragging = false;
    double m_grab = 0.0;
};

} // namespace cw::views
