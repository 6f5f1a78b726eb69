// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/painted/linecurve.h"

#include "views/painted/paintutil.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <algorithm>
#include <array>
#include <cmath>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

constexpr double kGrab = 11.0;
constexpr double kKeyShare = 0.01;
constexpr int kSliceTag = 1 << 20;

double yOn(const CurveLine& line, double x)
{
    const auto& p = line.points;
    if (p.empty()) {
        return 0.0;
    }
    for (std::size_t i = 1; i < p.size(); ++i) {
        if (p[i].x() >= x) {
            const double span = p[i].x() - p[i - 1].x();
            const double t = span > 0 ? std::clamp((x - p[i - 1].x()) / span, 0.0, 1.0) : 0.0;
            return p[i - 1].y() + t * (p[i].y() - p[i - 1].y());
        }
    }
    return p.back().y();
}

// The pieces of a curve inside a range of y; by arithmetic, for the SVG engine knows no clip.
std::vector<std::vector<QPointF>> clipped(const std::vector<QPointF>& points, double low,
                                          double high)
{
    std::vector<std::vector<QPointF>> ways(1);
    const auto inside = [&](const QPointF& p) {
        return p.y() >= low && p.y() <= high;
    };
    for (std::size_t i = 0; i < points.size(); ++i) {
        const QPointF& p = points[i];
        if (i > 0 && inside(p) != inside(points[i - 1])) {
            const QPointF& q = points[i - 1];
            const double edge = (inside(p) ? q : p).y() > high ? high : low;
            const double t = (edge - q.y()) / (p.y() - q.y());
            ways.back().emplace_back(q.x() + t * (p.x() - q.x()), edge);
            if (!inside(p)) {
                ways.emplace_back();
            }
        }
        if (inside(p)) {
            ways.back().push_back(p);
        }
    }
    return ways;
}

} // namespace

struct LineCurve::Layout
{
    QRectF plot;
    Scale x;
    Scale y;
    bool log = false;
    [[nodiscard]] double px(double v) const
    {
        return x.at(log ? std::log(std::max(v, 1e-300)) : v);
    }
    [[nodiscard]] double back(double pixel) const
    {
        return log ? std::exp(x.valueAt(pixel)) : x.valueAt(pixel);
    }
    [[nodiscard]] QPointF at(double vx, double vy) const { return {px(vx), y.at(vy)}; }
};

LineCurve::LineCurve(QWidget* parent) : PaintedChart(parent)
{
}

QSize LineCurve::sizeHint() const
{
    return m_data.compact ? QSize(240, 80) : QSize(480, 260);
}

void LineCurve::setData(LineCurveData figures)
{
    m_data = std::move(figures);
    invalidate();
}

bool LineCurve::setPlan(const CurvePoint& plan)
{
    if (!(plan.x >= m_data.xLow && plan.x <= m_data.xHigh && plan.y >= m_data.yLow &&
          plan.y <= m_data.yHigh)) {
        return false;
    }
    m_data.plan = plan;
    invalidateFigures();
    return true;
}

LineCurve::Layout LineCurve::layoutFor(const QRectF& b) const
{
    Layout l;
    const double left = m_data.compact ? 24 : 44;
    const double bottom = 18 + (m_data.xTitle.isEmpty() || m_data.compact ? 0 : 18);
    l.plot = QRectF(b.left() + left, b.top() + 8, std::max(1.0, b.width() - left - 14),
                    std::max(1.0, b.height() - 8 - bottom));
    l.log = m_data.logX && m_data.xLow > 0;
    const auto f = [&l](double v) {
        return l.log ? std::log(v) : v;
    };
    l.x = {f(m_data.xLow), f(m_data.xHigh), l.plot.left(), l.plot.right()};
    l.y = {m_data.yLow, m_data.yHigh, l.plot.bottom(), l.plot.top()};
    return l;
}

double LineCurve::xAt(double pixel) const
{
    return layoutFor(QRectF(rect())).back(pixel);
}

QPointF LineCurve::pixelOf(double x, double y) const
{
    return layoutFor(QRectF(rect())).at(x, y);
}

void LineCurve::paintGround(QPainter& painter, const QRectF& bounds, const Theme& theme) const
{
    const Layout l = layoutFor(bounds);
    paintAxes(painter, l, theme);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& line : m_data.lines) {
        paintLine(painter, l, line, theme);
    }
}

void LineCurve::paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const
{
    const Layout l = layoutFor(bounds);
    painter.setRenderHint(QPainter::Antialiasing);
    paintPoints(painter, l, theme);
    if (!m_data.compact) {
        paintLineNames(painter, l, theme);
    }
    paintPlan(painter, l, theme);
}

void LineCurve::paintAxes(QPainter& painter, const Layout& l, const Theme& theme) const
{
    auto yTicks = m_data.yTicks;
    auto xTicks = m_data.xTicks;
    if (yTicks.empty()) {
        const int wanted = std::clamp(static_cast<int>(l.plot.height() / 45), 1, 6);
        for (const double v : niceTicks(m_data.yLow, m_data.yHigh, wanted).values) {
            yTicks.push_back({v, locale().toString(v)});
        }
    }
    if (xTicks.empty()) {
        const int wanted = std::clamp(static_cast<int>(l.plot.width() / 80), 1, 8);
        for (const double v : niceTicks(m_data.xLow, m_data.xHigh, wanted).values) {
            xTicks.push_back({v, locale().toString(v)});
        }
    }
    painter.setFont(Theme::font(10));
    for (const auto& tick : yTicks) {
        painter.setPen(theme.hairline);
        crispH(painter, l.plot.left(), l.plot.right(), l.y.at(tick.value));
        painter.setPen(theme.secondary);
        drawText(painter, QRectF(l.plot.left() - 60, l.y.at(tick.value) - 8, 55, 16),
                 Qt::AlignRight | Qt::AlignVCenter, tick.text);
    }
    for (const auto& tick : xTicks) {
        const double x = l.px(tick.value);
        painter.setPen(theme.hairline);
        if (!m_data.compact) {
            crispV(painter, x, l.plot.top(), l.plot.bottom());
        }
        painter.setPen(theme.secondary);
        const double width = textWidth(tick.text, painter.font());
        const double from =
            std::clamp(x - width / 2, l.plot.left() - 20, l.plot.right() + 14 - width);
        drawText(painter, QRectF(from, l.plot.bottom() + 3, width + 1, 14), Qt::AlignLeft,
                 tick.text);
    }
    if (!m_data.compact && !m_data.xTitle.isEmpty()) {
        drawLine(painter, QRectF(l.plot.left(), l.plot.bottom() + 19, l.plot.width(), 16),
                 Qt::AlignCenter, m_data.xTitle);
    }
}

void LineCurve::paintLine(QPainter& painter, const Layout& l, const CurveLine& line,
                          const Theme& theme) const
{
    const QColor colour = theme.colour(line.series);
    if (!line.points.empty() && line.low.size() == line.points.size() &&
        line.high.size() == line.points.size()) {
        QPolygonF band;
        for (std::size_t i = 0; i < line.points.size(); ++i) {
            band << l.at(line.points[i].x(), std::clamp(line.high[i], m_data.yLow, m_data.yHigh));
        }
        for (std::size_t i = line.points.size(); i-- > 0;) {
            band << l.at(line.points[i].x(), std::clamp(line.low[i], m_data.yLow, m_data.yHigh));
        }
        QColor wash = colour;
        wash.setAlphaF(0.13F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(wash);
        painter.drawPolygon(band);
    }
    painter.setPen(QPen(colour, 1.8, line.pen));
    painter.setBrush(Qt::NoBrush);
    for (const auto& way : clipped(line.points, m_data.yLow, m_data.yHigh)) {
        QPolygonF drawn;
        for (const auto& p : way) {
            drawn << l.at(p.x(), p.y());
        }
        painter.drawPolyline(drawn);
    }
}

QRectF LineCurve::planBox(const Layout& l) const
{
    if (!m_data.plan || m_data.compact)
        return {};
    const auto& plan = *m_data.plan;
    const QPointF at = l.at(plan.x, plan.y);
    const double width = std::max(textWidth(plan.title, Theme::font(11, true)),
                                  textWidth(plan.detail, Theme::font(11))) +
                         18;
    const double height = plan.detail.isEmpty() ? 24 : 40;
    const bool left = at.x() + 40 + width > l.plot.right();
    const double y = std::clamp(at.y() - height + 6, l.plot.top(),
                                std::max(l.plot.top(), l.plot.bottom() - height));
    return {left ? std::max(l.plot.left(), at.x() - 22 - width) : at.x() + 40, y, width, height};
}

QRectF LineCurve::optimumBox(const Layout& l) const
{
    if (!m_data.optimum || m_data.compact)
        return {};
    const auto& best = *m_data.optimum;
    const QPointF at = l.at(best.x, best.y);
    const double width = std::max(textWidth(best.title, Theme::font(11, true)),
                                  textWidth(best.detail, Theme::font(10)));
    const bool left = at.x() - width - 10 > l.plot.left();
    const double x = left ? at.x() - width - 9 : at.x() + 9;
    // Below the point, or above it where there is no room; clear of the plan's words.
    const QRectF plan = planBox(l);
    const std::array<double, 3> tops{at.y() + 18, at.y() - 42, plan.top() - 34};
    for (const double y : tops) {
        const QRectF box(x, y, width + 2, 30);
        if (y >= l.plot.top() && box.bottom() <= l.plot.bottom() && !box.intersects(plan))
            return box;
    }
    return {x, std::clamp(at.y() + 18, l.plot.top(), std::max(l.plot.top(), l.plot.bottom() - 30)),
            width + 2, 30};
}

/// Each name beside its own line, at the first place where it covers no other words.
void LineCurve::paintLineNames(QPainter& painter, const Layout& l, const Theme& theme) const
{
    painter.setFont(Theme::font(11, true));
    std::vector<QRectF> taken{planBox(l), optimumBox(l)};
    if (m_data.plan)
        taken.emplace_back(l.at(m_data.plan->x, m_data.plan->y) - QPointF(14, 9), QSizeF(28, 18));
    // Nor across the lines that come down from the plan and the optimum.
    for (const auto& point : {m_data.plan, m_data.optimum})
        if (point)
            taken.emplace_back(l.px(point->x) - 3, l.y.at(point->y), 6,
                               std::max(0.0, l.plot.bottom() - l.y.at(point->y)));
    for (const auto& line : m_data.lines) {
        if (line.labelAt < 0 || line.name.isEmpty() || line.points.empty())
            continue;
        const double width = textWidth(line.name, painter.font()) + 2;
        const auto boxAt = [&](double share, bool above) {
            const double px = l.plot.left() + l.plot.width() * share;
            const double x =
                std::clamp(px + 6, l.plot.left(), std::max(l.plot.left(), l.plot.right() - width));
            const auto yAt = [&](double pixel) {
                return l.y.at(std::clamp(yOn(line, l.back(pixel)), m_data.yLow, m_data.yHigh));
            };
            // Clear of the line over the whole name.
            const double ends[] = {yAt(x), yAt(x + width / 2), yAt(x + width)};
            const double y = above ? *std::min_element(std::begin(ends), std::end(ends)) - 19
                                   : *std::max_element(std::begin(ends), std::end(ends)) + 3;
            return QRectF(x, std::clamp(y, l.plot.top(), l.plot.bottom() - 16), width, 16);
        };
        const auto free = [&](const QRectF& box) {
            return std::none_of(taken.begin(), taken.end(),
                                [&](const QRectF& t) { return t.intersects(box); });
        };
        QRectF place = boxAt(line.labelAt, true);
        for (int i = 0; i < 40 && !free(place); ++i)
            place = boxAt(0.02 + 0.05 * (i % 20), i < 20);
        // Where there is no such place, the pointer and the table tell the name.
        if (!free(place))
            continue;
        taken.push_back(place);
        painter.setPen(theme.colour(line.series));
        drawHalo(painter, place, Qt::AlignLeft | Qt::AlignVCenter, line.name, theme.card);
    }
}

void LineCurve::paintPoints(QPainter& painter, const Layout& l, const Theme& theme) const
{
    painter.setFont(Theme::font(10));
    for (const auto& marker : m_data.markers) {
        QPen dots(theme.secondary, 1);
        dots.setDashPattern({1, 2});
        painter.setPen(dots);
        crispV(painter, l.px(marker.x), l.plot.top(), l.plot.bottom());
        painter.setPen(theme.secondary);
        drawHalo(painter, QRectF(l.px(marker.x) + 5, l.plot.bottom() - 20, 200, 14), Qt::AlignLeft,
                 marker.text, theme.card);
    }
    if (m_data.baseline) {
        painter.setPen(QPen(theme.secondary, 1.6));
        painter.setBrush(theme.card);
        painter.drawEllipse(l.at(m_data.baseline->x, m_data.baseline->y), 4, 4);
    }
    if (!m_data.optimum) {
        return;
    }
    const auto& best = *m_data.optimum;
    const QPointF at = l.at(best.x, best.y);
    if (!m_data.compact) {
        QPen dash(theme.ok, 1);
        dash.setDashPattern({3, 2});
        painter.setPen(dash);
        crispV(painter, at.x(), at.y(), l.plot.bottom());
    }
    painter.setPen(QPen(theme.ok, 2));
    painter.setBrush(theme.card);
    painter.drawEllipse(at, m_data.compact ? 3.5 : 5, m_data.compact ? 3.5 : 5);
    painter.setPen(theme.ok);
    if (m_data.compact) {
        painter.setFont(Theme::font(10));
        drawHalo(painter, QRectF(at.x() - 60, at.y() + 7, 120, 14), Qt::AlignCenter, best.title,
                 theme.card);
        return;
    }
    painter.setFont(Theme::font(11, true));
    const QRectF both = optimumBox(l);
    const QRectF box(both.topLeft(), QSizeF(both.width(), 15));
    const int align = both.left() < at.x() ? Qt::AlignRight : Qt::AlignLeft;
    drawHalo(painter, box, align, best.title, theme.card);
    painter.setFont(Theme::font(10));
    drawHalo(painter, box.translated(0, 15), align, best.detail, theme.card);
}

void LineCurve::paintPlan(QPainter& painter, const Layout& l, const Theme& theme) const
{
    if (!m_data.plan) {
        return;
    }
    const auto& plan = *m_data.plan;
    const QPointF at = l.at(plan.x, plan.y);
    painter.setPen(QPen(theme.accent, 1.4));
    if (!m_data.compact) {
        crispV(painter, at.x(), at.y(), l.plot.bottom());
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    painter.drawEllipse(at, m_data.compact ? 3.5 : 5.5, m_data.compact ? 3.5 : 5.5);
    if (m_data.compact) {
        painter.setPen(theme.text);
        painter.setFont(Theme::font(10, true));
        const double width = textWidth(plan.title, painter.font());
        const bool left = at.x() + 8 + width > l.plot.right() + 12;
        drawHalo(painter,
                 QRectF(left ? at.x() - 8 - width : at.x() + 8, at.y() - 10, width + 2, 14),
                 Qt::AlignLeft, plan.title, theme.card);
        return;
    }
    if (m_data.planDraggable) {
        for (const double d : {-1.0, 1.0}) {
            painter.drawPolygon(QPolygonF({{at.x() + d * 13, at.y()},
                                           {at.x() + d * 8, at.y() - 4},
                                           {at.x() + d * 8, at.y() + 4}}));
        }
    }
    const QRectF box = planBox(l);
    painter.setPen(QPen(theme.accent, 1));
    painter.setBrush(theme.card);
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(theme.text);
    painter.setFont(Theme::font(11, true));
    drawText(painter, box.adjusted(9, 4, -6, -4), Qt::AlignLeft | Qt::AlignTop, plan.title);
    painter.setPen(theme.better);
    painter.setFont(Theme::font(11));
    drawText(painter, box.adjusted(9, 4, -6, -4), Qt::AlignLeft | Qt::AlignBottom, plan.detail);
}

/// Slices of the plot from side to side, each with the values of all lines there.
void LineCurve::addSlices(const Layout& l, std::vector<Mark>& all) const
{
    constexpr int kSlices = 24;
    if (!m_data.xText || !m_data.yText || m_data.lines.empty())
        return;
    const double width = l.plot.width() / kSlices;
    for (int i = 0; i < kSlices; ++i) {
        const double left = l.plot.left() + width * i;
        const double x = l.back(left + width / 2);
        QString tip = m_data.xText(x);
        for (const auto& line : m_data.lines)
            tip += u'\n' + line.name + u'\t' + m_data.yText(yOn(line, x));
        QString spoken = tip;
        spoken.replace(u'\t', u' ').replace(u'\n', u", "_s);
        all.push_back({QRectF(left, l.plot.top(), width, l.plot.height()), tip, spoken,
                       m_data.lines.front().quantity, kSliceTag});
    }
}

std::vector<Mark> LineCurve::marks(const QRectF& bounds) const
{
    const Layout l = layoutFor(bounds);
    std::vector<Mark> all;
    addSlices(l, all);
    const auto add = [&](const std::optional<CurvePoint>& point) {
        if (point) {
            const QPointF at = l.at(point->x, point->y);
            all.push_back({QRectF(at.x() - kGrab, at.y() - kGrab, 2 * kGrab, 2 * kGrab),
                           point->title + u'\n' + point->detail,
                           point->title + u", "_s + point->detail, point->quantity, -1});
        }
    };
    add(m_data.baseline);
    add(m_data.optimum);
    add(m_data.plan);
    return all;
}

void LineCurve::paintHover(QPainter& painter, const Mark& mark, const Theme& theme) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.accent, 1));
    painter.setBrush(Qt::NoBrush);
    if (mark.tag != kSliceTag) {
        painter.drawEllipse(mark.rect.center(), 8, 8);
        return;
    }
    const Layout l = layoutFor(QRectF(rect()));
    const double px = mark.rect.center().x();
    painter.setPen(QPen(theme.secondary, 1));
    crispV(painter, px, l.plot.top(), l.plot.bottom());
    for (const auto& line : m_data.lines) {
        const double y = yOn(line, l.back(px));
        if (y < m_data.yLow || y > m_data.yHigh)
            continue;
        painter.setPen(QPen(theme.colour(line.series), 2));
        painter.setBrush(theme.card);
        painter.drawEllipse(QPointF(px, l.y.at(y)), 3.5, 3.5);
    }
}

ChartTable LineCurve::table() const
{
    ChartTable t;
    t.header << (m_data.xTitle.isEmpty() ? u"x"_s : m_data.xTitle);
    for (const auto& line : m_data.lines) {
        t.header << line.name;
    }
    if (m_data.lines.empty()) {
        return t;
    }
    for (const auto& p : m_data.lines.front().points) {
        QStringList row = {rawNumber(p.x())};
        for (const auto& line : m_data.lines) {
            row << rawNumber(yOn(line, p.x()));
        }
        t.rows.push_back(row);
    }
    return t;
}

void LineCurve::movePlan(double x)
{
    const double to = std::clamp(x, m_data.xLow, m_data.xHigh);
    if (!m_data.plan || m_data.plan->x == to) {
        return;
    }
    // The point stays on its curve until the owner answers.
    m_data.plan->x = to;
    if (!m_data.lines.empty()) {
        m_data.plan->y = yOn(m_data.lines.front(), to);
    }
    invalidateFigures();
    Q_EMIT planDragged(to);
}

void LineCurve::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && m_data.plan && m_data.planDraggable) {
        const QPointF at = pixelOf(m_data.plan->x, m_data.plan->y);
        if (std::hypot(at.x() - event->position().x(), at.y() - event->position().y()) <=
            kGrab + 3) {
            m_dragging = true;
            Q_EMIT planDragStarted();
            return;
        }
    }
    PaintedChart::mousePressEvent(event);
}

void LineCurve::mouseMoveEvent(QMouseEvent* event)
{
    if (m_dragging) {
        movePlan(xAt(event->position().x()));
        return;
    }
    PaintedChart::mouseMoveEvent(event);
    if (m_data.plan && m_data.planDraggable) {
        const QPointF at = pixelOf(m_data.plan->x, m_data.plan->y);
        const bool near =
            std::hypot(at.x() - event->position().x(), at.y() - event->position().y()) <= kGrab + 3;
        if (near) {
            setCursor(Qt::SizeHorCursor);
        } else if (cursor().shape() == Qt::SizeHorCursor) {
            setCursor(Qt::ArrowCursor);
        }
    }
}

void LineCurve::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_dragging && event->button() == Qt::LeftButton) {
        m_dragging = false;
        Q_EMIT planDragFinished();
        return;
    }
    PaintedChart::mouseReleaseEvent(event);
}

void LineCurve::keyPressEvent(QKeyEvent* event)
{
    const bool up = event->key() == Qt::Key_Up;
    if ((up || event->key() == Qt::Key_Down) && m_data.plan && m_data.planDraggable) {
        const Layout l = layoutFor(QRectF(rect()));
        const double step = l.plot.width() * kKeyShare * (up ? 1 : -1);
        Q_EMIT planDragStarted();
        movePlan(l.back(l.px(m_data.plan->x) + step));
        Q_EMIT planDragFinished();
        return;
    }
    PaintedChart::keyPressEvent(event);
}

} // namespace cw::views
