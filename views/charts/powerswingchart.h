// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/paintedchart.h"

#include <QPointF>

class QChart;
class QKeyEvent;
class QChartView;
class QLineSeries;
class QValueAxis;

namespace cw::views {

/// A stretch of time with a colour behind the curve.
struct SwingBand
{
    double from = 0.0;
    double to = 0.0;
    Series series = Series::DataParallel;
    QString name; ///< shown at the first band
};

struct PowerSwingData
{
    std::vector<QPointF> points; ///< time in s, power in the unit of the axis; up to 500
    QStringList tips;            ///< of each point, as Mark::tooltip; empty: not walked to
    double mean = 0.0;
    QString meanText;
    double low = 0.0; ///< ends of the swing arrow
    double high = 0.0;
    double swingAt = 0.0; ///< time the arrow stands at
    QString swingText;
    std::vector<SwingBand> bands;
    QString xTitle;
    QString yTitle;
    QString xFormat; ///< of QValueAxis, "%.0f s"
    QString quantity;
};

/// Power over the time of a step or two. The only chart drawn by Qt Charts.
class PowerSwingChart : public QWidget, public ChartContent
{
    Q_OBJECT

public:
    explicit PowerSwingChart(QWidget* parent = nullptr);
    void setData(PowerSwingData figures);

    QWidget* widget() override { return this; }
    void renderTo(QPainter& painter, const QRectF& bounds, const Theme& theme) override;
    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override { return {480, 230}; }
    /// Point with the ring, by pointer or keyboard; -1 for none.
    [[nodiscard]] int currentPoint() const { return m_at; }
    /// Where a point stands in this widget, for tests and guides.
    [[nodiscard]] QPointF pixelOf(int point) const;
    void setEmptyText(const QString& text);

Q_SIGNALS:
    void quantityClicked(const QString& path);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void setAxes();
    void dress(const Theme& theme);
    [[nodiscard]] bool walks(int point) const;
    [[nodiscard]] int nearest(const QPointF& position) const;
    void setPoint(int point, bool tell);
    bool walk(int step);

    PowerSwingData m_data;
    int m_at = -1;
    QString m_emptyText;
    QChartView* m_view;
    QLineSeries* m_line;
    QValueAxis* m_x;
    QValueAxis* m_y;
};

} // namespace cw::views
