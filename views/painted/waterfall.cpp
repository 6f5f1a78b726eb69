// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/painted/waterfall.h"

#include "views/painted/paintutil.h"

#include <QFontMetricsF>
#include <QLocale>
#include <algorithm>
#include <cmath>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {
constexpr double kTextGap = 6.0;
constexpr double kShare = 15.0;      ///< line of the shares, just below the axis
constexpr double kValueShift = 13.0; ///< a value above its neighbour's

double widestWord(const QString& text, const QFont& font)
{
    double widest = 0.0;
    for (const QString& word : text.split(u' '))
        for (const QString& piece : word.split(u'-'))
            widest = std::max(widest, textWidth(piece, font));
    return widest;
}
} // namespace

struct Waterfall::Layout
{
    QRectF plot;
    Scale value;
    double pitch = 1.0;
    double bar = 1.0;
    double names = 0.0;     ///< room for names: width (horizontal) or height (vertical)
    double nameWidth = 0.0; ///< vertical: room of one name
    double nameHeight = 0.0;
    bool staggered = false; ///< vertical: names stand in two rows, as one row has no room
    AxisTicks ticks;
};

Waterfall::Waterfall(Qt::Orientation orientation, QWidget* parent)
    : PaintedChart(parent), m_orientation(orientation)
{
}

QSize Waterfall::sizeHint() const
{
    const int count = static_cast<int>(m_data.steps.size());
    return m_orientation == Qt::Vertical ? QSize(560, 240) : QSize(360, 24 + 21 * count);
}

void Waterfall::setData(WaterfallData figures)
{
    m_data = std::move(figures);
    m_starts.clear();
    m_ends.clear();
    double end = 0.0;
    for (auto& step : m_data.steps) {
        for (auto& part : step.parts) {
            part.value = std::isfinite(part.value) ? part.value : 0.0;
        }
        const double start = step.total ? 0.0 : std::isfinite(step.start) ? step.start : end;
        end = start;
        for (const auto& part : step.parts) {
            end += part.value;
        }
        m_starts.push_back(start);
        m_ends.push_back(end);
    }
    invalidate();
}

Waterfall::Layout Waterfall::layoutFor(const QRectF& b) const
{
    Layout l;
    double low = 0.0;
    double high = 0.0;
    for (std::size_t i = 0; i < m_starts.size(); ++i) {
        low = std::min({low, m_starts[i], m_ends[i]});
        high = std::max({high, m_starts[i], m_ends[i]});
    }
    high = high > low ? high : low + 1.0;
    const auto count = static_cast<double>(std::max<std::size_t>(1, m_data.steps.size()));
    if (m_orientation == Qt::Vertical) {
        placeNames(l, b, count);
        l.plot = QRectF(b.left() + 40, b.top() + 32, b.width() - 44,
                        std::max(1.0, b.height() - 32 - l.names));
        l.value = {low, high, l.plot.bottom(), l.plot.top()};
        l.ticks = niceTicks(low, high, std::clamp(static_cast<int>(l.plot.height() / 32), 2, 7));
        l.pitch = l.plot.width() / count;
        l.bar = std::min(56.0, l.pitch * 0.8);
        return l;
    }
    for (const auto& step : m_data.steps) {
        l.names = std::max(l.names, textWidth(step.name, Theme::font(11)));
    }
    l.names = std::min(l.names + 12, b.width() * 0.45);
    l.plot = QRectF(b.left() + l.names, b.top(), std::max(1.0, b.width() - l.names - 8),
                    std::max(1.0, b.height() - 18));
    l.value = {low, high, l.plot.left(), l.plot.right()};
    l.ticks = niceTicks(low, high, std::clamp(static_cast<int>(l.plot.width() / 60), 2, 7));
    l.pitch = l.plot.height() / count;
    l.bar = std::min(18.0, l.pitch * 0.72);
    return l;
}

void Waterfall::placeNames(Layout& l, const QRectF& b, double count) const
{
    const QFont font = Theme::font(10, true);
    const double slot = std::max(10.0, (b.width() - 44) / count - 4);
    for (const auto& step : m_data.steps)
        l.staggered = l.staggered || widestWord(step.name, font) > slot;
    l.nameWidth = l.staggered ? 2 * slot + 2 : slot;
    const QFontMetricsF metrics(font);
    double lines = 1.0;
    for (const auto& step : m_data.steps) {
        const QRectF used = metrics.boundingRect(QRectF(0, 0, l.nameWidth, 200),
                                                 Qt::AlignHCenter | Qt::TextWordWrap, step.name);
        lines = std::max(lines, std::ceil(used.height() / metrics.lineSpacing() - 0.1));
    }
    l.nameHeight = std::min(2.0, lines) * metrics.lineSpacing();
    l.names = 4 + kShare + l.nameHeight * (l.staggered ? 2 : 1) + 4;
}

QRectF Waterfall::partRect(const Layout& l, std::size_t step, double from, double to) const
{
    const double a = l.value.at(std::min(from, to));
    const double c = l.value.at(std::max(from, to));
    const double mid = l.pitch * (static_cast<double>(step) + 0.5);
    if (m_orientation == Qt::Vertical) {
        const double x = std::round(l.plot.left() + mid - l.bar / 2);
        const double height = std::max(1.0, std::round(a) - std::round(c));
        return {x, std::round(a) - height, std::round(l.bar), height};
    }
    const double y = std::round(l.plot.top() + mid - l.bar / 2);
    return {std::round(a), y, std::max(1.0, std::round(c) - std::round(a)), std::round(l.bar)};
}

void Waterfall::paintParts(QPainter& painter, const Layout& l, std::size_t i,
                           const Theme& theme) const
{
    double at = m_starts[i];
    for (const auto& part : m_data.steps[i].parts) {
        if (part.value != 0.0) {
            fillSeries(painter, partRect(l, i, at, at + part.value), theme.series(part.series),
                       theme);
            at += part.value;
        }
    }
}

void Waterfall::paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const
{
    const Layout l = layoutFor(bounds);
    if (m_orientation == Qt::Vertical) {
        paintVertical(painter, l, theme);
    } else {
        paintHorizontal(painter, l, theme);
    }
}

void Waterfall::paintVertical(QPainter& painter, const Layout& l, const Theme& theme) const
{
    painter.setFont(Theme::font(10));
    for (const double v : l.ticks.values) {
        painter.setPen(theme.hairline);
        crispH(painter, l.plot.left(), l.plot.right(), l.value.at(v));
        painter.setPen(theme.secondary);
        drawText(painter, QRectF(l.plot.left() - 40, l.value.at(v) - 8, 34, 16),
                 Qt::AlignRight | Qt::AlignVCenter, locale().toString(v));
    }
    drawText(painter, QRectF(l.plot.left() - 40, l.plot.top() - 20, 34, 14), Qt::AlignRight,
             m_data.unit);
    for (std::size_t i = 0; i < m_data.steps.size(); ++i) {
        paintParts(painter, l, i, theme);
        const QRectF whole = partRect(l, i, m_starts[i], m_ends[i]);
        if (i + 1 < m_data.steps.size()) {
            QPen dash(theme.weak, 1);
            dash.setDashPattern({2, 2});
            painter.setPen(dash);
            const QRectF next = partRect(l, i + 1, m_ends[i], m_ends[i]);
            crispH(painter, whole.right(), next.left(), l.value.at(m_ends[i]));
        }
        paintName(painter, l, i, whole.center().x(), theme);
    }
    paintValues(painter, l, theme);
}

void Waterfall::paintName(QPainter& painter, const Layout& l, std::size_t i, double cx,
                          const Theme& theme) const
{
    const auto& step = m_data.steps[i];
    painter.setPen(theme.secondary);
    painter.setFont(Theme::font(10));
    const double top = l.plot.bottom() + 3;
    if (textWidth(step.shareText, painter.font()) > l.pitch - 3)
        painter.setFont(Theme::font(9.5));
    if (textWidth(step.shareText, painter.font()) <= l.pitch - 1)
        drawText(painter, QRectF(cx - l.pitch / 2, top, l.pitch, kShare - 1), Qt::AlignCenter,
                 step.shareText);
    const bool lower = l.staggered && i % 2 == 1;
    const double y = top + kShare + (lower ? l.nameHeight : 0);
    if (lower) {
        painter.setPen(theme.hairline);
        crispV(painter, cx, top + kShare, y);
    }
    painter.setPen(theme.text);
    painter.setFont(Theme::font(10, step.total));
    // Names of the outer steps stay inside the picture.
    const double left = std::clamp(cx - l.nameWidth / 2, l.plot.left() - 40,
                                   std::max(l.plot.left() - 40, l.plot.right() + 4 - l.nameWidth));
    const QRectF box(left, y, l.nameWidth, l.nameHeight);
    if (widestWord(step.name, painter.font()) > l.nameWidth)
        drawLine(painter, box, Qt::AlignHCenter | Qt::AlignTop, step.name);
    else
        painter.drawText(box, Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, step.name);
}

void Waterfall::paintValues(QPainter& painter, const Layout& l, const Theme& theme) const
{
    std::vector<QRectF> taken;
    const auto free = [&taken](const QRectF& box) {
        return std::none_of(taken.begin(), taken.end(),
                            [&box](const QRectF& other) { return other.intersects(box); });
    };
    // The total first: its value is never the one to give way.
    for (std::size_t k = m_data.steps.size(); k-- > 0;) {
        const std::size_t i = m_data.steps.back().total
                                  ? (k + 1 == m_data.steps.size() ? k : m_data.steps.size() - 2 - k)
                                  : m_data.steps.size() - 1 - k;
        const auto& step = m_data.steps[i];
        const QRectF whole = partRect(l, i, m_starts[i], m_ends[i]);
        painter.setFont(Theme::font(step.total ? 11 : 10, true));
        const double width = textWidth(step.valueText, painter.font()) + 3;
        const double left = std::min(whole.center().x() - width / 2, l.plot.right() + 4 - width);
        QRectF box(left, whole.top() - 16, width, 13);
        if (!free(box))
            box.translate(0, -kValueShift);
        if (!free(box))
            continue; // the tip still tells it
        taken.push_back(box);
        painter.setPen(theme.text);
        drawText(painter, box, Qt::AlignCenter, step.valueText);
    }
}

void Waterfall::paintHorizontal(QPainter& painter, const Layout& l, const Theme& theme) const
{
    painter.setFont(Theme::font(10));
    for (const double v : l.ticks.values) {
        painter.setPen(theme.hairline);
        crispV(painter, l.value.at(v), l.plot.top(), l.plot.bottom());
        painter.setPen(theme.secondary);
        drawText(painter, QRectF(l.value.at(v) - 30, l.plot.bottom() + 3, 60, 14), Qt::AlignCenter,
                 locale().toString(v));
    }
    drawLine(painter, QRectF(l.plot.left() - l.names, l.plot.bottom() + 3, l.names - 30, 14),
             Qt::AlignLeft | Qt::AlignVCenter, m_data.unit);
    for (std::size_t i = 0; i < m_data.steps.size(); ++i) {
        const auto& step = m_data.steps[i];
        paintParts(painter, l, i, theme);
        const QRectF whole = partRect(l, i, m_starts[i], m_ends[i]);
        if (i + 1 < m_data.steps.size() && !m_data.steps[i + 1].total) {
            QPen dash(theme.weak, 1);
            dash.setDashPattern({2, 2});
            painter.setPen(dash);
            crispV(painter, l.value.at(m_ends[i]), whole.bottom(),
                   whole.bottom() + l.pitch - l.bar);
        }
        painter.setPen(theme.text);
        painter.setFont(Theme::font(11, step.total));
        const QRectF row(l.plot.left() - l.names, whole.center().y() - 9, l.names - 8, 18);
        drawLine(painter, row, Qt::AlignLeft | Qt::AlignVCenter, step.name);
        painter.setFont(Theme::font(11, step.total));
        const double width = textWidth(step.valueText, painter.font());
        const bool fits = whole.right() + kTextGap + width <= l.plot.right() + 8;
        if (!fits && step.total && whole.width() > width + 2 * kTextGap) {
            painter.setPen(theme.card);
            drawText(painter, whole.adjusted(0, 0, -kTextGap, 0), Qt::AlignVCenter | Qt::AlignRight,
                     step.valueText);
            continue;
        }
        const double x = fits ? whole.right() + kTextGap : whole.left() - kTextGap - width;
        drawHalo(painter, QRectF(x, row.top(), width + 1, 18), Qt::AlignVCenter | Qt::AlignLeft,
                 step.valueText, theme.card);
    }
}

std::vector<Mark> Waterfall::marks(const QRectF& bounds) const
{
    const Layout l = layoutFor(bounds);
    std::vector<Mark> all;
    for (std::size_t i = 0; i < m_data.steps.size(); ++i) {
        const auto& step = m_data.steps[i];
        const QRectF whole = partRect(l, i, m_starts[i], m_ends[i]);
        // The slot around the bar counts too: thin steps must stay easy to hit.
        const QRectF slot =
            m_orientation == Qt::Vertical
                ? QRectF(whole.left() - 2, whole.top() - 17, whole.width() + 4, whole.height() + 19)
                : QRectF(bounds.left(), whole.top() - 2, bounds.width(), whole.height() + 4);
        QString name = step.name;
        name.replace(u'\n', u' ');
        all.push_back({slot, step.tooltip, name + u", "_s + step.valueText, step.quantity,
                       static_cast<int>(i)});
        double at = m_starts[i];
        for (const auto& part : step.parts) {
            if (step.parts.size() > 1 && part.value != 0.0) {
                all.push_back({partRect(l, i, at, at + part.value), part.tooltip,
                               part.tooltip.section(u'\n', 0, 0), part.quantity,
                               static_cast<int>(i)});
            }
            at += part.value;
        }
    }
    return all;
}

ChartTable Waterfall::table() const
{
    ChartTable t;
    const QString unit = m_data.unit.isEmpty() ? QString() : u" ("_s + m_data.unit + u')';
    t.header = {tr("Step"), tr("Start") + unit, tr("Amount") + unit, tr("Share")};
    for (std::size_t i = 0; i < m_data.steps.size(); ++i) {
        QString name = m_data.steps[i].name;
        name.replace(u'\n', u' ');
        t.rows.push_back({name, rawNumber(m_starts[i]), rawNumber(m_ends[i] - m_starts[i]),
                          m_data.steps[i].shareText});
    }
    return t;
}

} // namespace cw::views
