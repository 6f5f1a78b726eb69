// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/painted/scatterplot.h"

#include "views/painted/paintutil.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

constexpr double kReach = 9.0; ///< of the pointer to a point, in pixels
constexpr double kRadius = 3.4;
constexpr double kLegendRow = 18.0;
constexpr double kAxis = 56.0; ///< for the numbers and the title of the axis at the left

bool isDrawn(double x, double y)
{
    return std::isfinite(x) && std::isfinite(y) && x > 0 && y > 0;
}

void drawShape(QPainter& painter, const QPointF& at, Shape shape, double radius)
{
    switch (shape) {
    case Shape::Circle:
        painter.drawEllipse(at, radius, radius);
        return;
    case Shape::Diamond: {
        const double r = radius * 1.3;
        const QPointF corners[] = {
            {at.x(), at.y() - r}, {at.x() + r, at.y()}, {at.x(), at.y() + r}, {at.x() - r, at.y()}};
        painter.drawPolygon(corners, 4);
        return;
    }
    case Shape::Cross: {
        const double r = radius * 0.9;
        painter.drawLine(at + QPointF(-r, -r), at + QPointF(r, r));
        painter.drawLine(at + QPointF(-r, r), at + QPointF(r, -r));
        return;
    }
    }
}

void setLook(QPainter& painter, const ScatterLook& look, const Theme& theme)
{
    const QColor colour = theme.colour(look.series);
    QColor fill = colour;
    fill.setAlphaF(0.5F);
    painter.setPen(QPen(colour, look.shape == Shape::Cross ? 1.5 : 1.0));
    painter.setBrush(look.filled ? QBrush(fill) : QBrush(Qt::NoBrush));
}

/// 1, 2 and 5 in each decade where there is room, else the decades.
std::vector<double> logTicks(double low, double high, double pixels)
{
    std::vector<double> ticks;
    const double perDecade = pixels / std::max(high - low, 1e-9);
    for (double decade = std::floor(low); decade <= high; decade += 1.0) {
        for (const double digit : {1.0, 2.0, 5.0}) {
            const double at = decade + std::log10(digit);
            if ((digit == 1.0 || perDecade > 190) && at >= low - 1e-9 && at <= high + 1e-9)
                ticks.push_back(digit * std::pow(10.0, decade));
        }
    }
    return ticks;
}

} // namespace

struct ScatterPlot::Layout
{
    QRectF plot;
    Scale x;
    Scale y;
    [[nodiscard]] QPointF at(double vx, double vy) const
    {
        return {x.at(std::log10(vx)), y.at(std::log10(vy))};
    }
};

ScatterPlot::ScatterPlot(QWidget* parent) : PaintedChart(parent)
{
    setMinimumSize(220, 160);
}

void ScatterPlot::setData(ScatterData figures)
{
    m_data = std::move(figures);
    findRange();
    invalidate();
}

void ScatterPlot::setPlan(const std::optional<ScatterPlan>& plan)
{
    m_plan = plan && plan->y > 0 && std::isfinite(plan->y) ? plan : std::nullopt;
    const double low = m_low;
    const double high = m_high;
    findRange();
    if (low == m_low && high == m_high)
        invalidateFigures();
    else
        invalidate();
}

void ScatterPlot::findRange()
{
    double low = m_data.low;
    double high = m_data.high;
    if (!(low > 0) || !(high > low)) {
        low = HUGE_VAL;
        high = 0;
        for (const ScatterPoint& p : m_data.points) {
            if (!isDrawn(p.x, p.y))
                continue;
            low = std::min({low, p.x, p.y});
            high = std::max({high, p.x, p.y});
        }
        if (!(high > 0)) {
            low = 1;
            high = 10;
        }
    }
    m_low = std::log10(low);
    m_high = std::log10(high);
    // A plan outside of all that was measured widens the axes by whole decades, so that they
    // stand still while it is dragged.
    if (m_plan) {
        const double at = std::log10(m_plan->y);
        if (at < m_low)
            m_low = std::floor(at);
        if (at > m_high)
            m_high = std::ceil(at);
    }
    const double room = 0.03 * std::max(m_high - m_low, 0.3);
    m_low -= room;
    m_high += room;
}

ScatterPlot::Layout ScatterPlot::layoutFor(const QRectF& b) const
{
    Layout l;
    double top = b.top() + 6;
    for (const QRectF& box : legendBoxes(b))
        top = std::max(top, box.bottom() + 6);
    l.plot = QRectF(b.left() + kAxis, top, std::max(1.0, b.width() - kAxis - 14),
                    std::max(1.0, b.bottom() - 38 - top));
    l.x = {m_low, m_high, l.plot.left(), l.plot.right()};
    l.y = {m_low, m_high, l.plot.bottom(), l.plot.top()};
    return l;
}

QPointF ScatterPlot::pixelOf(double x, double y) const
{
    return layoutFor(QRectF(rect())).at(x, y);
}

int ScatterPlot::pointOf(int mark) const
{
    const auto& all = currentMarks();
    return mark >= 0 && mark < static_cast<int>(all.size())
               ? all[static_cast<std::size_t>(mark)].tag
               : -1;
}

void ScatterPlot::paintGround(QPainter& painter, const QRectF& bounds, const Theme& theme) const
{
    const Layout l = layoutFor(bounds);
    paintAxes(painter, l, theme);
    painter.setRenderHint(QPainter::Antialiasing);
    paintBands(painter, l, theme);
    paintLegend(painter, bounds, theme);
    paintPoints(painter, l, theme);
}

void ScatterPlot::paintBands(QPainter& painter, const Layout& l, const Theme& theme) const
{
    const auto clamped = [this](double v) {
        return std::clamp(v, m_low, m_high);
    };
    for (auto band = m_data.bands.rbegin(); band != m_data.bands.rend(); ++band) {
        const double above = std::log10(1 + band->share);
        const double below = std::log10(1 - std::min(band->share, 0.99));
        // Cut at the frame by arithmetic: the SVG engine knows no clip.
        QPolygonF area;
        for (const double x : {m_low, m_high - above, m_high})
            area << QPointF(l.x.at(x), l.y.at(clamped(x + above)));
        for (const double x : {m_high, m_low - below, m_low})
            area << QPointF(l.x.at(x), l.y.at(clamped(x + below)));
        QColor wash = theme.accent;
        wash.setAlphaF(0.09F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(wash);
        painter.drawPolygon(area);
    }
    painter.setPen(QPen(theme.weak, 1));
    painter.drawLine(QPointF(l.x.at(m_low), l.y.at(m_low)),
                     QPointF(l.x.at(m_high), l.y.at(m_high)));
    painter.setFont(Theme::font(10));
    painter.setPen(theme.secondary);
    double x = l.plot.right() - 6;
    QStringList shares;
    for (const ScatterBand& band : m_data.bands)
        shares << band.text;
    const QString names = m_data.equalText + u' ' + shares.join(u", "_s);
    const double width = textWidth(names, painter.font());
    x -= width;
    drawHalo(painter, QRectF(x, l.plot.bottom() - 20, width + 2, 14), Qt::AlignLeft, names,
             theme.card);
}

void ScatterPlot::paintAxes(QPainter& painter, const Layout& l, const Theme& theme) const
{
    const auto text = [this](double v) {
        return m_data.number ? m_data.number(v) : locale().toString(v);
    };
    painter.setFont(Theme::font(10));
    for (const double v : logTicks(m_low, m_high, l.plot.height() * 2.5)) {
        const double y = l.y.at(std::log10(v));
        painter.setPen(theme.hairline);
        crispH(painter, l.plot.left(), l.plot.right(), y);
        painter.setPen(theme.secondary);
        drawText(painter, QRectF(l.plot.left() - 60, y - 8, 54, 16),
                 Qt::AlignRight | Qt::AlignVCenter, text(v));
    }
    for (const double v : logTicks(m_low, m_high, l.plot.width())) {
        const double x = l.x.at(std::log10(v));
        painter.setPen(theme.hairline);
        crispV(painter, x, l.plot.top(), l.plot.bottom());
        painter.setPen(theme.secondary);
        const QString tick = text(v);
        const double width = textWidth(tick, painter.font());
        const double from = std::clamp(x - width / 2, l.plot.left() - 20,
                                       std::max(l.plot.left(), l.plot.right() + 14 - width));
        drawText(painter, QRectF(from, l.plot.bottom() + 3, width + 1, 14), Qt::AlignLeft, tick);
    }
    drawLine(painter, QRectF(l.plot.left(), l.plot.bottom() + 20, l.plot.width(), 16),
             Qt::AlignCenter, m_data.xTitle);
    painter.save();
    painter.translate(l.plot.left() - 50, l.plot.center().y());
    painter.rotate(-90);
    drawLine(painter, QRectF(-l.plot.height() / 2, -8, l.plot.height(), 16), Qt::AlignCenter,
             m_data.yTitle);
    painter.restore();
}

std::vector<QRectF> ScatterPlot::legendBoxes(const QRectF& bounds) const
{
    const QFont font = Theme::font(11);
    const double left = bounds.left() + kAxis;
    double x = left;
    double y = bounds.top();
    std::vector<QRectF> boxes;
    for (const ScatterLook& look : m_data.looks) {
        const double width = look.name.isEmpty() ? 0 : 16 + textWidth(look.name, font);
        if (x > left && x + width > bounds.right()) {
            x = left;
            y += kLegendRow;
        }
        boxes.emplace_back(x, y, std::min(width, bounds.right() - x), kLegendRow);
        x += width > 0 ? width + 14 : 0;
    }
    return boxes;
}

void ScatterPlot::paintLegend(QPainter& painter, const QRectF& bounds, const Theme& theme) const
{
    const auto boxes = legendBoxes(bounds);
    painter.setFont(Theme::font(11));
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (boxes[i].isEmpty())
            continue;
        setLook(painter, m_data.looks[i], theme);
        drawShape(painter, QPointF(boxes[i].left() + 4, boxes[i].center().y()),
                  m_data.looks[i].shape, 4);
        painter.setPen(theme.secondary);
        drawLine(painter, boxes[i].adjusted(14, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                 m_data.looks[i].name);
    }
}

void ScatterPlot::paintPoints(QPainter& painter, const Layout& l, const Theme& theme) const
{
    // Look by look: a change of pen and brush costs more than a point.
    for (std::size_t look = 0; look < m_data.looks.size(); ++look) {
        setLook(painter, m_data.looks[look], theme);
        const Shape shape = m_data.looks[look].shape;
        for (const ScatterPoint& p : m_data.points)
            if (p.look == static_cast<int>(look) && isDrawn(p.x, p.y))
                drawShape(painter, l.at(p.x, p.y), shape, kRadius);
    }
}

void ScatterPlot::paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const
{
    if (!m_plan)
        return;
    const Layout l = layoutFor(bounds);
    const QPointF at = l.at(m_plan->y, m_plan->y);
    painter.setRenderHint(QPainter::Antialiasing);
    QPen dash(theme.accent, 1);
    dash.setDashPattern({3, 2});
    painter.setPen(dash);
    crispH(painter, l.plot.left(), at.x(), at.y());
    if (m_plan->low > 0 && m_plan->high >= m_plan->low) {
        const auto x = [&l](double v) {
            return std::clamp(l.x.at(std::log10(v)), l.plot.left(), l.plot.right());
        };
        painter.setPen(QPen(theme.accent, 2));
        painter.drawLine(QPointF(x(m_plan->low), at.y()), QPointF(x(m_plan->high), at.y()));
        for (const double end : {x(m_plan->low), x(m_plan->high)})
            painter.drawLine(QPointF(end, at.y() - 4), QPointF(end, at.y() + 4));
    }
    painter.setPen(QPen(theme.accent, 2));
    painter.setBrush(theme.card);
    painter.drawEllipse(at, 6, 6);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    painter.drawEllipse(at, 2.5, 2.5);
    // The name stands left above the line of equality, where the fewest points are.
    painter.setFont(Theme::font(11, true));
    const double width = textWidth(m_plan->title, painter.font());
    const double left = std::max(l.plot.left() + 6, std::min(at.x() - 30, l.plot.right()) - width);
    const double top = at.y() - 19 < l.plot.top() ? at.y() + 4 : at.y() - 19;
    painter.setPen(theme.text);
    drawHalo(painter, QRectF(left, top, width + 2, 16), Qt::AlignLeft | Qt::AlignVCenter,
             m_plan->title, theme.card);
}

std::vector<Mark> ScatterPlot::marks(const QRectF& bounds) const
{
    const Layout l = layoutFor(bounds);
    std::vector<Mark> all;
    all.reserve(m_data.points.size() + 1);
    for (std::size_t i = 0; i < m_data.points.size(); ++i) {
        const ScatterPoint& p = m_data.points[i];
        if (!isDrawn(p.x, p.y))
            continue;
        Mark mark;
        const QPointF at = l.at(p.x, p.y);
        mark.rect = QRectF(at.x() - 5, at.y() - 5, 10, 10);
        mark.tag = static_cast<int>(i);
        all.push_back(std::move(mark));
    }
    // The keyboard walks from the left to the right.
    std::stable_sort(all.begin(), all.end(),
                     [](const Mark& a, const Mark& b) { return a.rect.left() < b.rect.left(); });
    if (m_plan) {
        const QPointF at = l.at(m_plan->y, m_plan->y);
        all.push_back({QRectF(at.x() - 8, at.y() - 8, 16, 16),
                       m_plan->title + u'\n' + m_plan->detail,
                       m_plan->title + u", "_s + m_plan->detail, m_plan->quantity, -1});
    }
    return all;
}

int ScatterPlot::markAt(const QPointF& position) const
{
    const auto& all = currentMarks();
    int found = -1;
    double nearest = kReach;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const QPointF d = all[i].rect.center() - position;
        // The plan's mark is larger and lies on top.
        const double distance = std::hypot(d.x(), d.y()) - (all[i].tag < 0 ? 4.0 : 0.0);
        if (distance <= nearest) {
            nearest = distance;
            found = static_cast<int>(i);
        }
    }
    return found;
}

QString ScatterPlot::markTip(const Mark& mark) const
{
    return mark.tag >= 0 && m_data.tip ? m_data.tip(mark.tag) : mark.tooltip;
}

QString ScatterPlot::markSpoken(const Mark& mark) const
{
    return mark.tag >= 0 && m_data.spoken ? m_data.spoken(mark.tag) : mark.accessible;
}

void ScatterPlot::hoverChanged(int mark)
{
    Q_EMIT pointTouched(pointOf(mark));
}

void ScatterPlot::paintHover(QPainter& painter, const Mark& mark, const Theme& theme) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.text, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(mark.rect.center(), mark.rect.width() / 2 + 2, mark.rect.width() / 2 + 2);
}

ChartTable ScatterPlot::table() const
{
    ChartTable t;
    t.header = m_data.header;
    if (!m_data.row)
        return t;
    t.rows.reserve(m_data.points.size());
    for (std::size_t i = 0; i < m_data.points.size(); ++i)
        t.rows.push_back(m_data.row(static_cast<int>(i)));
    return t;
}

} // namespace cw::views
