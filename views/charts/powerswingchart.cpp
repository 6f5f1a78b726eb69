// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/powerswingchart.h"

#include "views/charts/charttheme.h"
#include "views/painted/paintutil.h"

#include <QChart>
#include <QChartView>
#include <QEvent>
#include <QKeyEvent>
#include <QLegend>
#include <QLineSeries>
#include <QMouseEvent>
#include <QToolTip>
#include <QVBoxLayout>
#include <QValueAxis>
#include <algorithm>
#include <cmath>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

/// The axis itself does not look whether it has that format: it lays the chart out anew.
void setFormat(QValueAxis& axis, const QString& format)
{
    if (axis.labelFormat() != format)
        axis.setLabelFormat(format);
}

/// Bands behind and mean and swing before the curve, in the view's own layers.
class SwingView : public QChartView
{
public:
    SwingView(QChart* owned, QXYSeries* line, const PowerSwingData& figures, const int& current,
              const QString& emptyText)
        : QChartView(owned), m_line(line), m_figures(figures), m_current(current),
          m_emptyText(emptyText)
    {
    }
    [[nodiscard]] QPointF pixelOf(const QPointF& value) const { return at(value.x(), value.y()); }
    /// Appearance of a picture that is being made; null for the screen's own.
    void setPictureTheme(const Theme* theme) { m_theme = theme; }

protected:
    void drawBackground(QPainter* painter, const QRectF& rect) override
    {
        QChartView::drawBackground(painter, rect);
        const QRectF plot = chart()->plotArea();
        const Theme& look = theme();
        bool named = false;
        for (const auto& band : m_figures.bands) {
            const double x0 = std::max(plot.left(), at(band.from, m_figures.mean).x());
            const double x1 = std::min(plot.right(), at(band.to, m_figures.mean).x());
            if (x1 <= x0) {
                continue;
            }
            painter->fillRect(QRectF(x0, plot.top(), x1 - x0, plot.height()),
                              look.wash(look.colour(band.series), 0.22));
            if (!named) {
                painter->setFont(Theme::font(10, true));
                painter->setPen(look.colour(band.series));
                const double w = textWidth(band.name, painter->font());
                const bool left = x0 - w - 5 > plot.left();
                painter->drawText(QRectF(left ? x0 - w - 4 : x1 + 4, plot.bottom() - 20, w + 2, 16),
                                  Qt::AlignLeft, band.name);
                named = true;
            }
        }
    }

    void drawForeground(QPainter* painter, const QRectF& rect) override
    {
        QChartView::drawForeground(painter, rect);
        const QRectF plot = chart()->plotArea();
        const Theme& look = theme();
        if (m_figures.points.empty()) {
            painter->fillRect(rect, look.card);
            painter->setFont(Theme::font(11));
            painter->setPen(look.secondary);
            painter->drawText(rect, Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
            return;
        }
        if (plot.isEmpty()) {
            return;
        }
        QPen dash(look.text, 1);
        dash.setDashPattern({5, 3});
        painter->setPen(dash);
        const double y = at(0, m_figures.mean).y();
        crispH(*painter, plot.left(), plot.right(), y);
        painter->setFont(Theme::font(10));
        painter->setPen(look.text);
        drawHalo(*painter, QRectF(plot.right() - 160, y + 2, 156, 14), Qt::AlignRight,
                 m_figures.meanText, look.card);
        const QPointF top = at(m_figures.swingAt, m_figures.high);
        const QPointF foot = at(m_figures.swingAt, m_figures.low);
        painter->setPen(QPen(look.violation, 1.4));
        crispV(*painter, top.x(), top.y(), foot.y());
        painter->setRenderHint(QPainter::Antialiasing);
        for (const auto& [p, d] : {std::pair(top, 1.0), std::pair(foot, -1.0)}) {
            const double x = std::floor(p.x()) + 0.5;
            painter->drawPolyline(
                QPolygonF({{x - 3, p.y() + 5 * d}, {x, p.y()}, {x + 3, p.y() + 5 * d}}));
        }
        painter->setFont(Theme::font(11, true));
        painter->setPen(look.text);
        // The swing and its ramp below each other: beside each other they would cross the curve.
        double under = (top.y() + foot.y()) / 2 - 8;
        for (const QString& line : m_figures.swingText.split(u'\n')) {
            drawHalo(*painter, QRectF(top.x() + 7, under, 240, 16), Qt::AlignLeft, line, look.card);
            under += 16;
        }
        if (m_current >= 0 && m_current < static_cast<int>(m_figures.points.size())) {
            painter->setPen(QPen(look.accent, 2));
            painter->setBrush(look.card);
            painter->drawEllipse(pixelOf(m_figures.points[static_cast<std::size_t>(m_current)]), 4,
                                 4);
        }
    }

private:
    [[nodiscard]] QPointF at(double x, double y) const
    {
        return chart()->mapToPosition(QPointF(x, y), m_line);
    }

    [[nodiscard]] const Theme& theme() const
    {
        return m_theme != nullptr ? *m_theme : Theme::of(this);
    }

    QXYSeries* m_line;
    const PowerSwingData& m_figures;
    const int& m_current;
    const QString& m_emptyText;
    const Theme* m_theme = nullptr;
};

} // namespace

PowerSwingChart::PowerSwingChart(QWidget* parent)
    : QWidget(parent), m_line(new QLineSeries), m_x(new QValueAxis), m_y(new QValueAxis)
{
    auto* chart = new QChart;
    chart->addSeries(m_line);
    chart->addAxis(m_x, Qt::AlignBottom);
    chart->addAxis(m_y, Qt::AlignLeft);
    m_line->attachAxis(m_x);
    m_line->attachAxis(m_y);
    chart->legend()->hide();
    m_x->setGridLineVisible(false);
    m_y->setTickCount(5);
    m_view = new SwingView(chart, m_line, m_data, m_at, m_emptyText);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setRenderHint(QPainter::Antialiasing);
    m_view->setBackgroundBrush(Qt::NoBrush);
    m_view->setFocusPolicy(Qt::NoFocus);
    m_view->viewport()->installEventFilter(this);
    m_view->viewport()->setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    m_view->viewport()->setAutoFillBackground(false);
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->addWidget(m_view);
    setMinimumSize(200, 120);
    applyChartTheme(*chart, Theme::of(this));
}

void PowerSwingChart::setData(PowerSwingData figures)
{
    m_data = std::move(figures);
    m_at = -1;
    m_line->replace(QList<QPointF>(m_data.points.begin(), m_data.points.end()));
    m_line->setPen(QPen(Theme::of(this).colour(Series::Compute), 1.8));
    setAxes();
    m_view->viewport()->update();
}

void PowerSwingChart::setAxes()
{
    if (m_data.points.empty()) {
        return;
    }
    double low = m_data.points.front().y();
    double high = low;
    for (const auto& p : m_data.points) {
        low = std::min(low, p.y());
        high = std::max(high, p.y());
    }
    // The axis is cut: its ticks stay round and in sight.
    const double pad = std::max((high - low) * 0.18, std::abs(high) * 1e-3);
    const AxisTicks ticks = niceTicks(low - pad, high + pad, 4);
    const double from = std::floor((low - pad) / ticks.step) * ticks.step;
    const double to = std::ceil((high + pad) / ticks.step) * ticks.step;
    m_y->setRange(from, to);
    m_y->setTickCount(std::max(2, static_cast<int>(std::lround((to - from) / ticks.step)) + 1));
    setFormat(*m_y, ticks.step >= 1 ? u"%.0f"_s : u"%.2f"_s);
    m_y->setTitleText(m_data.yTitle);
    const AxisTicks times = niceTicks(m_data.points.front().x(), m_data.points.back().x(), 6);
    m_x->setRange(m_data.points.front().x(), m_data.points.back().x());
    m_x->setTickType(QValueAxis::TicksDynamic);
    m_x->setTickAnchor(0);
    m_x->setTickInterval(times.step);
    setFormat(*m_x, m_data.xFormat.isEmpty() ? u"%g"_s : m_data.xFormat);
    m_x->setTitleText(m_data.xTitle);
}

void PowerSwingChart::dress(const Theme& theme)
{
    applyChartTheme(*m_view->chart(), theme);
    m_line->setPen(QPen(theme.colour(Series::Compute), 1.8));
}

void PowerSwingChart::renderTo(QPainter& painter, const QRectF& bounds, const Theme& theme)
{
    auto* view = static_cast<SwingView*>(m_view);
    dress(theme);
    view->setPictureTheme(&theme);
    if (!m_view->isVisible()) {
        m_view->resize(bounds.size().toSize());
    }
    // Without both rectangles a picture at twice the pixels would be cropped.
    m_view->render(&painter, bounds, m_view->viewport()->rect(), Qt::IgnoreAspectRatio);
    view->setPictureTheme(nullptr);
    dress(Theme::of(this));
}

ChartTable PowerSwingChart::table() const
{
    ChartTable t;
    t.header = {m_data.xTitle.isEmpty() ? tr("Time (s)") : m_data.xTitle,
                m_data.yTitle.isEmpty() ? tr("Power") : m_data.yTitle};
    for (const auto& p : m_data.points) {
        t.rows.push_back({rawNumber(p.x()), rawNumber(p.y())});
    }
    return t;
}

void PowerSwingChart::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        dress(Theme::of(this));
    }
    QWidget::changeEvent(event);
}

void PowerSwingChart::setEmptyText(const QString& text)
{
    m_emptyText = text;
    m_view->viewport()->update();
}

QPointF PowerSwingChart::pixelOf(int point) const
{
    const auto* view = static_cast<const SwingView*>(m_view);
    const QPointF at = view->pixelOf(m_data.points.at(static_cast<std::size_t>(point)));
    return m_view->viewport()->mapTo(this, at.toPoint());
}

bool PowerSwingChart::walks(int point) const
{
    return point >= 0 && point < static_cast<int>(m_data.points.size()) &&
           !m_data.tips.value(point).isEmpty();
}

int PowerSwingChart::nearest(const QPointF& position) const
{
    constexpr double kReach = 40;
    int best = -1;
    double least = kReach;
    for (int i = 0; i < static_cast<int>(m_data.points.size()); ++i) {
        const double distance = walks(i) ? std::abs(pixelOf(i).x() - position.x()) : kReach;
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

void PowerSwingChart::setPoint(int point, bool tell)
{
    if (point == m_at) {
        return;
    }
    m_at = point;
    m_view->viewport()->update();
    if (point < 0) {
        QToolTip::hideText();
        setAccessibleDescription({});
        return;
    }
    const QString tip = m_data.tips.value(point);
    QString spoken = tip;
    spoken.replace(u'\t', u' ').replace(u'\n', u", "_s);
    setAccessibleDescription(spoken);
    if (tell) {
        QToolTip::showText(mapToGlobal(pixelOf(point).toPoint() + QPoint(8, -8)), tipHtml(tip),
                           this);
    }
}

bool PowerSwingChart::walk(int step)
{
    const int count = static_cast<int>(m_data.points.size());
    int at = m_at < 0 ? (step > 0 ? -1 : count) : m_at;
    do {
        at += step;
    } while (at >= 0 && at < count && !walks(at));
    if (at < 0 || at >= count) {
        return false;
    }
    setPoint(at, true);
    return true;
}

void PowerSwingChart::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        walk(-1);
        return;
    case Qt::Key_Right:
        walk(1);
        return;
    case Qt::Key_Home:
        setPoint(-1, false);
        walk(1);
        return;
    case Qt::Key_End:
        setPoint(-1, false);
        walk(-1);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (!m_data.quantity.isEmpty()) {
            Q_EMIT quantityClicked(m_data.quantity);
        }
        return;
    case Qt::Key_Escape:
        if (m_at >= 0) {
            setPoint(-1, false);
            return;
        }
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void PowerSwingChart::focusOutEvent(QFocusEvent* event)
{
    setPoint(-1, false);
    QWidget::focusOutEvent(event);
}

bool PowerSwingChart::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonRelease && !m_data.quantity.isEmpty() &&
        static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton) {
        Q_EMIT quantityClicked(m_data.quantity);
    } else if (event->type() == QEvent::MouseMove) {
        const QPoint at = static_cast<QMouseEvent*>(event)->pos();
        setPoint(nearest(m_view->viewport()->mapTo(this, at)), true);
    } else if (event->type() == QEvent::Leave) {
        setPoint(-1, false);
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace cw::views
