// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/painted/hiddenexposedbars.h"

#include "views/painted/paintutil.h"

#include <algorithm>
#include <cmath>

namespace cw::views {

using namespace Qt::StringLiterals;

struct HiddenExposedBars::Layout
{
    double names = 0.0;
    double pitch = 38.0;
    double perUnit = 0.0;
    QRectF area;
    [[nodiscard]] QRectF bar(std::size_t i, double from, double to) const
    {
        const double y = area.top() + pitch * static_cast<double>(i) + (pitch - 18) / 2;
        const double x0 = std::round(area.left() + names + from * perUnit);
        const double x1 = std::round(area.left() + names + to * perUnit);
        return {x0, std::round(y), std::max(0.0, x1 - x0), 18};
    }
};

HiddenExposedBars::HiddenExposedBars(QWidget* parent) : PaintedChart(parent)
{
}

void HiddenExposedBars::setData(HiddenExposedData figures)
{
    m_data = std::move(figures);
    for (auto& row : m_data.rows) {
        row.hidden = std::isfinite(row.hidden) ? std::max(0.0, row.hidden) : 0.0;
        row.exposed = std::isfinite(row.exposed) ? std::max(0.0, row.exposed) : 0.0;
    }
    invalidate();
}

QSize HiddenExposedBars::sizeHint() const
{
    return {320, static_cast<int>(m_data.rows.size()) * 38 + (m_data.note.isEmpty() ? 0 : 22)};
}

HiddenExposedBars::Layout HiddenExposedBars::layoutFor(const QRectF& b) const
{
    Layout l;
    double most = 0.0;
    double value = 0.0;
    for (const auto& row : m_data.rows) {
        l.names = std::max({l.names, textWidth(row.name, Theme::font(12, true)),
                            textWidth(row.detail, Theme::font(10))});
        value = std::max(value, textWidth(row.exposedText, Theme::font(11, true)));
        most = std::max(most, row.hidden + row.exposed);
    }
    l.names += 12;
    const double note = m_data.note.isEmpty() ? 0.0 : 22.0;
    const auto count = static_cast<double>(std::max<std::size_t>(1, m_data.rows.size()));
    l.area = b.adjusted(0, 0, 0, -note);
    l.pitch = std::clamp(l.area.height() / count, 22.0, 40.0);
    l.perUnit = most > 0 ? std::max(1.0, b.width() - l.names - value - 10) / most : 0.0;
    return l;
}

void HiddenExposedBars::paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const
{
    const Layout l = layoutFor(bounds);
    const bool tall = l.pitch >= 30;
    for (std::size_t i = 0; i < m_data.rows.size(); ++i) {
        const auto& row = m_data.rows[i];
        const QColor colour = theme.colour(row.series);
        const QRectF hidden = l.bar(i, 0, row.hidden);
        const QRectF exposed = l.bar(i, row.hidden, row.hidden + row.exposed);
        const double mid = exposed.center().y();
        painter.setPen(theme.text);
        painter.setFont(Theme::font(tall ? 12 : 11, true));
        drawLine(painter, QRectF(bounds.left(), tall ? mid - 16 : mid - 9, l.names - 8, 18),
                 Qt::AlignLeft | Qt::AlignVCenter, row.name);
        if (tall) {
            painter.setFont(Theme::font(10));
            painter.setPen(theme.secondary);
            drawLine(painter, QRectF(bounds.left(), mid + 1, l.names - 8, 14),
                     Qt::AlignLeft | Qt::AlignVCenter, row.detail);
        }
        painter.fillRect(hidden, theme.wash(colour, 0.22));
        painter.fillRect(exposed, colour);
        painter.setPen(colour);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(hidden.united(exposed).adjusted(0.5, 0.5, -0.5, -0.5));
        painter.setPen(theme.text);
        painter.setFont(Theme::font(10));
        if (textWidth(row.hiddenText, painter.font()) + 10 < hidden.width()) {
            drawText(painter, hidden.adjusted(6, 0, -2, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     row.hiddenText);
        }
        painter.setFont(Theme::font(11, true));
        drawText(painter, QRectF(exposed.right() + 7, mid - 9, 140, 18),
                 Qt::AlignLeft | Qt::AlignVCenter, row.exposedText);
    }
    if (!m_data.note.isEmpty()) {
        painter.setPen(theme.secondary);
        painter.setFont(Theme::font(10));
        const double y = l.area.top() + l.pitch * static_cast<double>(m_data.rows.size()) + 4;
        // Below the bars where it fits there, else from the left edge.
        const bool below = textWidth(m_data.note, painter.font()) <= bounds.width() - l.names;
        const double left = bounds.left() + (below ? l.names : 0.0);
        drawLine(painter, QRectF(left, y, bounds.right() - left, 16),
                 Qt::AlignLeft | Qt::AlignVCenter, m_data.note);
    }
}

std::vector<Mark> HiddenExposedBars::marks(const QRectF& bounds) const
{
    const Layout l = layoutFor(bounds);
    std::vector<Mark> all;
    for (std::size_t i = 0; i < m_data.rows.size(); ++i) {
        const auto& row = m_data.rows[i];
        const QRectF bar = l.bar(i, 0, row.hidden + row.exposed);
        const QRectF line(bounds.left(), bar.center().y() - l.pitch / 2 + 1, bounds.width(),
                          l.pitch - 2);
        all.push_back({line, row.tooltip,
                       row.name + u", "_s + row.hiddenText + u", "_s + row.exposedText,
                       row.quantity, static_cast<int>(i)});
    }
    return all;
}

ChartTable HiddenExposedBars::table() const
{
    ChartTable t;
    const QString unit = m_data.unit.isEmpty() ? QString() : u" ("_s + m_data.unit + u')';
    t.header = {tr("Dimension"), tr("Hidden") + unit, tr("Exposed") + unit};
    for (const auto& row : m_data.rows) {
        t.rows.push_back({row.name, rawNumber(row.hidden), rawNumber(row.exposed)});
    }
    return t;
}

} // namespace cw::views
