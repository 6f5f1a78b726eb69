// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/painted/stackedbars.h"

#include "views/painted/paintutil.h"
#include "views/theme/icons.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

constexpr double kHandleHeight = 22.0;
constexpr double kNameHeight = 18.0;
constexpr double kTitleHeight = 18.0;
constexpr int kTotalTag = -2;

double handleWidth(const BarLimit& limit)
{
    return std::max(96.0, textWidth(limit.text, Theme::font(11, true)) + 32);
}

double sumOf(const StackedBar& bar)
{
    double sum = 0.0;
    for (const auto& s : bar.segments) {
        sum += std::isfinite(s.value) ? std::max(0.0, s.value) : 0.0;
    }
    return sum;
}

QColor limitColour(LimitRole role, const Theme& theme)
{
    switch (role) {
    case LimitRole::Limit:
        return theme.violation;
    case LimitRole::Borderline:
        return theme.warning;
    case LimitRole::Physical:
        return theme.secondary;
    case LimitRole::Mean:
        break;
    }
    return theme.text;
}

QPen limitPen(LimitRole role, const Theme& theme)
{
    QPen pen(limitColour(role, theme), role == LimitRole::Limit ? 2 : 1);
    if (role == LimitRole::Borderline || role == LimitRole::Mean) {
        pen.setDashPattern({5, 3});
    } else if (role == LimitRole::Physical) {
        pen.setDashPattern({2, 2});
    }
    return pen;
}

} // namespace

struct StackedBars::Layout
{
    QRectF plot;
    QRectF legend;
    QRectF names;
    QRectF title;
    Scale y;
    double pitch = 1.0;
    double barWidth = 1.0;
    AxisTicks ticks;
    [[nodiscard]] QRectF column(std::size_t i) const
    {
        const double left = plot.left() + pitch * (static_cast<double>(i) + 0.5) - barWidth / 2;
        const double x = barWidth >= 4 ? std::round(left) : left;
        const double w = barWidth >= 4 ? std::round(barWidth) : barWidth;
        return {x, plot.top(), w, plot.height()};
    }
};

StackedBars::StackedBars(QWidget* parent) : PaintedChart(parent)
{
}

double StackedBars::wantedTop() const
{
    double top = m_data.axisBase;
    for (const auto& bar : m_data.bars) {
        top = std::max(top, m_data.axisBase + sumOf(bar));
        top = std::isfinite(bar.baseline) ? std::max(top, bar.baseline) : top;
    }
    for (const auto& limit : m_data.limits) {
        top = std::isfinite(limit.value) ? std::max(top, limit.value) : top;
    }
    const double span = top - m_data.axisBase;
    return m_data.axisBase + (span > 0 ? span * 1.09 : 1.0);
}

void StackedBars::setData(StackedBarsData figures)
{
    m_data = std::move(figures);
    for (auto& bar : m_data.bars) {
        for (auto& s : bar.segments) {
            s.value = std::isfinite(s.value) ? std::max(0.0, s.value) : 0.0;
        }
    }
    std::erase_if(m_data.limits, [](const BarLimit& l) { return !std::isfinite(l.value); });
    // During a gesture the axis must not run with the bars, or nothing would seem to move.
    if (m_dragging) {
        updateGeometry();
    } else {
        m_top = m_hold ? std::max(m_top, wantedTop()) : wantedTop();
    }
    const bool dragging = m_dragging;
    invalidate();
    m_dragging = dragging;
}

void StackedBars::setSelectedBar(int index)
{
    m_selected = index;
    update();
}

void StackedBars::setAxisHold(bool hold)
{
    m_hold = hold;
    if (!hold) {
        m_top = wantedTop();
        invalidate();
    }
}

int StackedBars::draggable() const
{
    for (std::size_t i = 0; i < m_data.limits.size(); ++i) {
        if (m_data.limits[i].draggable) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

StackedBars::Layout StackedBars::layoutFor(const QRectF& bounds) const
{
    Layout l;
    const Theme& theme = Theme::light(); // sizes only
    const auto entries = m_data.legend ? legendEntries(theme) : std::vector<LegendEntry>{};
    l.ticks =
        niceTicks(m_data.axisBase, m_top, std::clamp(static_cast<int>(bounds.height() / 42), 2, 8));
    double axis = 0.0;
    for (const double v : l.ticks.values) {
        const QString text = m_data.tickText ? m_data.tickText(v) : locale().toString(v);
        axis = std::max(axis, textWidth(text, Theme::font(10)));
    }
    const double left = bounds.left() + std::ceil(axis) + 8;
    const double legendHeight =
        drawLegend(nullptr, QRectF(left, 0, bounds.right() - left, 0), entries, theme);
    double bottom = bounds.bottom() - legendHeight - (legendHeight > 0 ? 4 : 0);
    l.legend = QRectF(left, bottom + 4, bounds.right() - left, legendHeight);
    if (!m_data.axisTitle.isEmpty()) {
        l.title = QRectF(left, bottom - kTitleHeight, bounds.right() - left, kTitleHeight);
        bottom -= kTitleHeight;
    }
    bottom -= kNameHeight;
    l.names = QRectF(left, bottom + 1, bounds.right() - left, kNameHeight);
    const bool totals = std::any_of(m_data.bars.begin(), m_data.bars.end(),
                                    [](const StackedBar& b) { return !b.totalText.isEmpty(); });
    const double top = bounds.top() + (totals ? 18 : 4);
    l.plot = QRectF(left, top, std::max(1.0, bounds.right() - left), std::max(1.0, bottom - top));
    l.y = {m_data.axisBase, m_top, l.plot.bottom(), l.plot.top()};
    l.pitch = l.plot.width() / static_cast<double>(std::max<std::size_t>(1, m_data.bars.size()));
    l.barWidth = std::min(l.pitch * (l.pitch > 8 ? 0.76 : 0.9), 64.0);
    return l;
}

double StackedBars::valueAt(double y) const
{
    return layoutFor(QRectF(rect())).y.valueAt(y);
}
double StackedBars::pixelOf(double value) const
{
    return layoutFor(QRectF(rect())).y.at(value);
}

QRectF StackedBars::handleRect() const
{
    const int i = draggable();
    if (i < 0 || isEmpty()) {
        return {};
    }
    const Layout l = layoutFor(QRectF(rect()));
    const double y = l.y.at(m_data.limits[static_cast<std::size_t>(i)].value);
    const double width = handleWidth(m_data.limits[static_cast<std::size_t>(i)]);
    return {l.plot.right() - width, y - kHandleHeight / 2, width, kHandleHeight};
}

std::vector<LegendEntry> StackedBars::legendEntries(const Theme& theme) const
{
    std::vector<LegendEntry> entries;
    const auto known = [&entries](const QString& label) {
        return std::any_of(entries.begin(), entries.end(),
                           [&label](const LegendEntry& e) { return e.label == label; });
    };
    for (const auto& bar : m_data.bars) {
        for (const auto& s : bar.segments) {
            if (!s.label.isEmpty() && !known(s.label)) {
                entries.push_back({theme.series(s.series), s.label, false});
            }
        }
    }
    if (!m_data.baselineLabel.isEmpty()) {
        entries.push_back({{theme.text, Hatch::None}, m_data.baselineLabel, true});
    }
    return entries;
}

void StackedBars::paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const
{
    const Layout l = layoutFor(bounds);
    paintAxis(painter, l, theme);
    paintBars(painter, l, theme);
    paintLimits(painter, l, theme);
    paintBarTexts(painter, l, theme);
    if (m_data.legend) {
        drawLegend(&painter, l.legend, legendEntries(theme), theme);
    }
}

void StackedBars::paintAxis(QPainter& painter, const Layout& l, const Theme& theme) const
{
    for (const auto& limit : m_data.limits) {
        if (limit.role == LimitRole::Limit && limit.value < m_top) {
            const double y = l.y.at(limit.value);
            painter.fillRect(QRectF(l.plot.left(), l.plot.top(), l.plot.width(),
                                    std::max(0.0, y - l.plot.top())),
                             theme.wash(theme.violation, theme.dark ? 0.14 : 0.07));
        }
    }
    painter.setFont(Theme::font(10));
    for (const double v : l.ticks.values) {
        const double y = l.y.at(v);
        painter.setPen(theme.hairline);
        crispH(painter, l.plot.left(), l.plot.right(), y);
        painter.setPen(theme.secondary);
        const QString text = m_data.tickText ? m_data.tickText(v) : locale().toString(v);
        drawText(painter, QRectF(l.plot.left() - 106, y - 8, 100, 16),
                 Qt::AlignRight | Qt::AlignVCenter, text);
    }
    painter.setPen(theme.secondary);
    if (!m_data.axisTitle.isEmpty()) {
        drawLine(painter, l.title, Qt::AlignCenter, m_data.axisTitle);
    }
}

void StackedBars::paintBars(QPainter& painter, const Layout& l, const Theme& theme) const
{
    for (std::size_t i = 0; i < m_data.bars.size(); ++i) {
        const auto& bar = m_data.bars[i];
        const QRectF col = l.column(i);
        double at = m_data.axisBase;
        for (const auto& s : bar.segments) {
            if (!(s.value > 0)) {
                continue;
            }
            const double bottom = std::round(l.y.at(at));
            at += s.value;
            const double top = std::round(l.y.at(at));
            // A hair of the ground between the parts keeps neighbours of like lightness apart.
            const double gap = bottom - top > 3 && l.barWidth > 3 ? 1.0 : 0.0;
            fillSeries(painter, QRectF(col.left(), top + gap, col.width(), bottom - top - gap),
                       theme.series(s.series), theme);
        }
    }
}

void StackedBars::paintBarTexts(QPainter& painter, const Layout& l, const Theme& theme) const
{
    double widestName = 1.0;
    for (const auto& bar : m_data.bars) {
        widestName = std::max(widestName, textWidth(bar.name, Theme::font(10, true)));
    }
    const auto totals = totalBoxes(l);
    // The name of a limit comes before a total; the tip still tells that.
    std::vector<QRectF> names;
    for (const BarLimit& limit : m_data.limits)
        if (!limit.draggable && std::isfinite(limit.value))
            names.push_back(limitTextBox(l, limit, totals));
    const int everyName = std::max(1, static_cast<int>(std::ceil((widestName + 6) / l.pitch)));
    for (std::size_t i = 0; i < m_data.bars.size(); ++i) {
        const auto& bar = m_data.bars[i];
        const QRectF col = l.column(i);
        const int index = static_cast<int>(i);
        const bool selected = index == m_selected;
        const double cx = col.center().x();
        const double top = l.y.at(m_data.axisBase + sumOf(bar));
        painter.setFont(Theme::font(10, selected));
        painter.setPen(selected ? theme.text : theme.secondary);
        if (selected || (index % everyName == 0 &&
                         (m_selected < 0 || std::abs(index - m_selected) >= everyName))) {
            drawText(painter, QRectF(cx - 60, l.names.top(), 120, l.names.height()),
                     Qt::AlignCenter, bar.name);
        }
        const QRectF& total = totals[i];
        const bool hidden =
            !selected && std::any_of(names.begin(), names.end(), [&total](const QRectF& name) {
                return name.intersects(total);
            });
        if (!total.isEmpty() && !hidden) {
            painter.setPen(theme.text);
            drawHalo(painter, total, Qt::AlignCenter, bar.totalText, theme.card);
        }
        if (bar.baseline >= m_data.axisBase && bar.baseline <= m_top) {
            const double y = std::round(l.y.at(bar.baseline)) + 0.5;
            const double over = std::min(3.0, (l.pitch - col.width()) / 2);
            painter.setPen(QPen(theme.card, 3));
            painter.drawLine(QPointF(col.left() - over, y), QPointF(col.right() + over, y));
            QPen pen(theme.text, 1.5);
            pen.setDashPattern({3, 2});
            painter.setPen(pen);
            painter.drawLine(QPointF(col.left() - over, y), QPointF(col.right() + over, y));
        }
        if (selected) {
            painter.setPen(QPen(theme.accent, 1.5));
            painter.setBrush(Qt::NoBrush);
            const double half = std::max(col.width() / 2 + 4,
                                         textWidth(bar.totalText, Theme::font(10, true)) / 2 + 3);
            const double from = top - 18; // the total stands inside, above the plot if need be
            const double x = std::max(cx - half, l.plot.left());
            painter.drawRoundedRect(QRectF(x, from, 2 * half, l.names.bottom() - from), 3, 3);
        }
    }
}

std::vector<QRectF> StackedBars::totalBoxes(const Layout& l) const
{
    double widest = 1.0;
    for (const auto& bar : m_data.bars)
        widest = std::max(widest, textWidth(bar.totalText, Theme::font(10, true)));
    const int every = std::max(1, static_cast<int>(std::ceil((widest + 6) / l.pitch)));
    std::vector<QRectF> boxes(m_data.bars.size());
    const auto [low, high] =
        std::minmax_element(m_data.bars.begin(), m_data.bars.end(),
                            [](const auto& a, const auto& b) { return sumOf(a) < sumOf(b); });
    const auto told = [&](int index) {
        const auto least = low - m_data.bars.begin();
        const auto most = high - m_data.bars.begin();
        if (every > 1 && m_data.extremesOnly)
            return index == most || (index == least && std::abs(least - most) >= every);
        return index % every == 0;
    };
    for (std::size_t i = 0; i < m_data.bars.size(); ++i) {
        const auto& bar = m_data.bars[i];
        const int index = static_cast<int>(i);
        const bool selected = index == m_selected;
        const bool near = m_selected >= 0 && std::abs(index - m_selected) < every;
        if (bar.totalText.isEmpty() || (!selected && (!told(index) || near)))
            continue;
        const double top = l.y.at(m_data.axisBase + sumOf(bar));
        const double half = textWidth(bar.totalText, Theme::font(10, selected)) / 2 + 1;
        const double at = std::clamp(l.column(i).center().x(), l.plot.left() + half,
                                     std::max(l.plot.left() + half, l.plot.right() - half));
        boxes[i] = QRectF(at - half, top - 16, 2 * half, 14);
    }
    return boxes;
}

QRectF StackedBars::limitTextBox(const Layout& l, const BarLimit& limit,
                                 const std::vector<QRectF>& totals) const
{
    constexpr double kIcon = 16.0;
    const bool border = limit.role == LimitRole::Borderline;
    const double y = l.y.at(limit.value);
    const int handle = draggable();
    const double shift =
        handle >= 0 ? handleWidth(m_data.limits[static_cast<std::size_t>(handle)]) + 12 : 4;
    const double width = textWidth(limit.text, Theme::font(10, limit.role == LimitRole::Limit)) +
                         2 + (border ? kIcon : 0);
    const double left = l.plot.left() + 5;
    const double right = std::max(left, l.plot.right() - shift - width);
    const double above = std::max(y - 16, l.plot.top() - 4);
    const double below = y + 2;
    std::vector<QPointF> places = {{right, above}, {left, above}, {right, below}, {left, below}};
    if (limit.role == LimitRole::Physical)
        places = {{left, above}, {right, above}};
    else if (border)
        places = {{right, below}, {left, below}, {right, above}, {left, above}};
    // Where neither a total nor another line is in the way; else the first place.
    for (const QPointF& place : places) {
        const QRectF box(place, QSizeF(width, 14));
        const bool total = std::any_of(totals.begin(), totals.end(), [&box](const QRectF& other) {
            return !other.isEmpty() && other.intersects(box);
        });
        const bool line =
            std::any_of(m_data.limits.begin(), m_data.limits.end(), [&](const BarLimit& other) {
                const double at = l.y.at(other.value);
                return other.role != limit.role && at > box.top() && at < box.bottom();
            });
        if (!total && !line)
            return box;
    }
    return {places.front(), QSizeF(width, 14)};
}

void StackedBars::paintLimits(QPainter& painter, const Layout& l, const Theme& theme) const
{
    for (const auto& limit : m_data.limits) {
        if (!std::isfinite(limit.value)) {
            continue;
        }
        const double y = std::round(l.y.at(limit.value)) + 0.5;
        painter.setPen(limitPen(limit.role, theme));
        painter.drawLine(QPointF(l.plot.left(), y), QPointF(l.plot.right(), y));
        if (!limit.draggable) {
            paintLimitText(painter, l, theme, limit);
        }
    }
    const int drag = draggable();
    if (drag >= 0) {
        paintHandle(painter, l, theme, m_data.limits[static_cast<std::size_t>(drag)]);
    }
}

void StackedBars::paintLimitText(QPainter& painter, const Layout& l, const Theme& theme,
                                 const BarLimit& limit) const
{
    const QRectF box = limitTextBox(l, limit, totalBoxes(l));
    const bool border = limit.role == LimitRole::Borderline;
    painter.setFont(Theme::font(10, limit.role == LimitRole::Limit));
    painter.setPen(limitColour(limit.role, theme));
    drawHalo(painter, box, Qt::AlignRight | Qt::AlignVCenter, limit.text, theme.card);
    if (border)
        paintIcon(painter, QRectF(box.left(), box.top() + 1, 11, 11), Icon::Warning, theme);
}

void StackedBars::paintHandle(QPainter& painter, const Layout& l, const Theme& theme,
                              const BarLimit& limit) const
{
    const double y = l.y.at(limit.value);
    const double width = handleWidth(limit);
    const QRectF box(l.plot.right() - width - 0.5, std::round(y - kHandleHeight / 2) + 0.5, width,
                     kHandleHeight);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.violation, 1.2));
    painter.setBrush(theme.wash(theme.violation, theme.dark ? 0.3 : 0.12));
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.violation);
    const double x = box.left() + 12;
    const double c = box.center().y();
    painter.drawPolygon(QPolygonF({{x, c - 7}, {x + 4, c - 2}, {x - 4, c - 2}}));
    painter.drawPolygon(QPolygonF({{x, c + 7}, {x + 4, c + 2}, {x - 4, c + 2}}));
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(theme.text);
    painter.setFont(Theme::font(11, true));
    drawLine(painter, box.adjusted(22, 0, -4, 0), Qt::AlignLeft | Qt::AlignVCenter, limit.text);
}

std::vector<Mark> StackedBars::marks(const QRectF& bounds) const
{
    const Layout l = layoutFor(bounds);
    std::vector<Mark> all;
    for (std::size_t i = 0; i < m_data.bars.size(); ++i) {
        const auto& bar = m_data.bars[i];
        const QRectF col = l.column(i);
        double at = m_data.axisBase;
        for (const auto& s : bar.segments) {
            if (!(s.value > 0)) {
                continue;
            }
            const double bottom = l.y.at(at);
            at += s.value;
            const double top = l.y.at(at);
            const QString spoken =
                bar.name + u", "_s + s.label + u", "_s + locale().toString(s.value, 'g', 4);
            all.push_back({QRectF(col.left(), top, col.width(), bottom - top), s.tooltip, spoken,
                           s.quantity, static_cast<int>(i)});
        }
        all.push_back({QRectF(col.left(), l.y.at(at) - 17, col.width(), 16), QString(),
                       bar.name + u", "_s + bar.totalText, bar.quantity, static_cast<int>(i)});
        all.push_back({QRectF(col.left(), l.names.top(), col.width(), l.names.height()), QString(),
                       bar.name, QString(), static_cast<int>(i)});
    }
    for (const auto& limit : m_data.limits) {
        const double y = l.y.at(limit.value);
        const double width = std::min(l.plot.width(), 170.0);
        const double x = limit.role == LimitRole::Physical ? l.plot.left() : l.plot.right() - width;
        all.push_back(
            {QRectF(x, y - 9, width, 18), limit.text, limit.text, limit.quantity, kTotalTag});
    }
    return all;
}

ChartTable StackedBars::table() const
{
    ChartTable t;
    t.header << m_data.categoryName;
    QStringList labels;
    for (const auto& bar : m_data.bars) {
        for (const auto& s : bar.segments) {
            if (!labels.contains(s.label)) {
                labels << s.label;
            }
        }
    }
    t.header << labels << tr("Total");
    for (const auto& bar : m_data.bars) {
        QStringList row(labels.size() + 2);
        row[0] = bar.name;
        for (const auto& s : bar.segments) {
            row[labels.indexOf(s.label) + 1] = rawNumber(s.value);
        }
        row.last() = rawNumber(m_data.axisBase + sumOf(bar));
        t.rows.push_back(row);
    }
    return t;
}

void StackedBars::activateMark(const Mark& mark)
{
    if (mark.tag >= 0) {
        Q_EMIT barClicked(mark.tag);
    }
}

void StackedBars::moveLimit(double value)
{
    const int i = draggable();
    if (i < 0) {
        return;
    }
    auto& limit = m_data.limits[static_cast<std::size_t>(i)];
    const double v = std::clamp(value, limit.least, std::max(limit.least, limit.most));
    if (v == limit.value) {
        return;
    }
    // The line follows the hand at once; the owner's answer brings its text.
    limit.value = v;
    update();
    Q_EMIT limitDragged(v);
}

void StackedBars::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && handleRect().contains(event->position())) {
        m_dragging = true;
        m_grab = event->position().y() - handleRect().center().y();
        Q_EMIT limitDragStarted();
        event->accept();
        return;
    }
    PaintedChart::mousePressEvent(event);
}

void StackedBars::mouseMoveEvent(QMouseEvent* event)
{
    if (m_dragging) {
        moveLimit(valueAt(event->position().y() - m_grab));
        return;
    }
    PaintedChart::mouseMoveEvent(event);
    if (handleRect().contains(event->position())) {
        setCursor(Qt::SizeVerCursor);
    } else if (cursor().shape() == Qt::SizeVerCursor) {
        setCursor(Qt::ArrowCursor);
    }
}

void StackedBars::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_dragging && event->button() == Qt::LeftButton) {
        m_dragging = false;
        m_top = m_hold ? std::max(m_top, wantedTop()) : wantedTop();
        invalidate();
        Q_EMIT limitDragFinished();
        return;
    }
    PaintedChart::mouseReleaseEvent(event);
}

void StackedBars::keyPressEvent(QKeyEvent* event)
{
    const int i = draggable();
    if (i >= 0 && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)) {
        const auto& limit = m_data.limits[static_cast<std::size_t>(i)];
        Q_EMIT limitDragStarted();
        moveLimit(limit.value + (event->key() == Qt::Key_Up ? limit.keyStep : -limit.keyStep));
        m_top = wantedTop();
        invalidate();
        Q_EMIT limitDragFinished();
        return;
    }
    PaintedChart::keyPressEvent(event);
}

} // namespace cw::views
