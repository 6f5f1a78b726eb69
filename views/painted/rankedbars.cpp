// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/painted/rankedbars.h"

#include "views/painted/paintutil.h"

#include <algorithm>
#include <cmath>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {
constexpr double kFoot = 26.0;

/// Height with so much for each row, which has two lines where any row has a detail.
int heightWith(const RankedBarsData& figures, int two, int one)
{
    const bool both = std::any_of(figures.rows.begin(), figures.rows.end(),
                                  [](const RankedRow& row) { return !row.detail.isEmpty(); });
    const bool foot = !figures.left.isEmpty() || !figures.right.isEmpty();
    return static_cast<int>(figures.rows.size()) * (both ? two : one) +
           (foot ? static_cast<int>(kFoot) : 0);
}
} // namespace

struct RankedBars::Layout
{
    QRectF area;
    double names = 0.0;
    double shares = 0.0;
    double pitch = 24.0;
    double perUnit = 0.0;
    [[nodiscard]] QRectF row(std::size_t i) const
    {
        return {area.left(), area.top() + pitch * static_cast<double>(i), area.width(), pitch};
    }
    [[nodiscard]] QRectF bar(std::size_t i, double value) const
    {
        const QRectF r = row(i);
        const double height = std::clamp(pitch - 10, 6.0, 18.0);
        return {std::round(r.left() + names), std::round(r.center().y() - height / 2),
                std::max(1.0, std::round(value * perUnit)), height};
    }
};

RankedBars::RankedBars(QWidget* parent) : PaintedChart(parent)
{
    setMinimumSize(0, 0); // minimumSizeHint() counts
}

void RankedBars::setData(RankedBarsData figures)
{
    m_data = std::move(figures);
    for (auto& row : m_data.rows)
        row.value = std::isfinite(row.value) ? std::max(0.0, row.value) : 0.0;
    updateGeometry();
    invalidate();
}

QSize RankedBars::sizeHint() const
{
    return {360, heightWith(m_data, 34, 22)};
}

QSize RankedBars::minimumSizeHint() const
{
    return {240, heightWith(m_data, 32, 19)};
}

RankedBars::Layout RankedBars::layoutFor(const QRectF& b) const
{
    Layout l;
    double most = 0.0;
    double values = 0.0;
    for (const auto& row : m_data.rows) {
        l.names = std::max({l.names, textWidth(row.name, Theme::font(12, true)),
                            textWidth(row.detail, Theme::font(10))});
        values = std::max(values, textWidth(row.valueText, Theme::font(11, true)));
        l.shares = std::max(l.shares, textWidth(row.shareText, Theme::font(11)));
        most = std::max(most, row.value);
    }
    l.names = std::min(l.names + 12, b.width() * 0.42);
    const double foot = m_data.left.isEmpty() && m_data.right.isEmpty() ? 0.0 : kFoot;
    l.area = b.adjusted(0, 0, 0, -foot);
    const auto count = static_cast<double>(std::max<std::size_t>(1, m_data.rows.size()));
    l.pitch = std::clamp(l.area.height() / count, 15.0, 38.0);
    const double room = b.width() - l.names - values - l.shares - 22;
    l.perUnit = most > 0 ? std::max(8.0, room) / most : 0.0;
    return l;
}

void RankedBars::paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const
{
    const Layout l = layoutFor(bounds);
    const bool tall = l.pitch >= 29;
    for (std::size_t i = 0; i < m_data.rows.size(); ++i) {
        const auto& row = m_data.rows[i];
        const QRectF line = l.row(i);
        const QRectF bar = l.bar(i, row.value);
        const double mid = line.center().y();
        const bool both = tall && !row.detail.isEmpty();
        painter.setPen(theme.text);
        painter.setFont(Theme::font(l.pitch >= 20 ? 12 : 11, true));
        drawLine(painter, QRectF(line.left(), both ? mid - 16 : mid - 9, l.names - 8, 18),
                 Qt::AlignLeft | Qt::AlignVCenter, row.name);
        if (both) {
            painter.setFont(Theme::font(10));
            painter.setPen(theme.secondary);
            drawLine(painter, QRectF(line.left(), mid + 1, l.names - 8, 14),
                     Qt::AlignLeft | Qt::AlignVCenter, row.detail);
        }
        fillSeries(painter, bar, theme.series(row.series), theme);
        painter.setPen(theme.text);
        painter.setFont(Theme::font(11, true));
        painter.drawText(QRectF(bar.right() + 6, mid - 9, 160, 18),
                         Qt::AlignLeft | Qt::AlignVCenter, row.valueText);
        painter.setFont(Theme::font(11));
        painter.setPen(theme.secondary);
        painter.drawText(QRectF(line.right() - l.shares - 2, mid - 9, l.shares + 2, 18),
                         Qt::AlignRight | Qt::AlignVCenter, row.shareText);
    }
    if (m_data.left.isEmpty() && m_data.right.isEmpty())
        return;
    const double y = bounds.bottom() - kFoot + 6;
    painter.setPen(theme.hairline);
    crispH(painter, bounds.left(), bounds.right(), y);
    painter.setPen(theme.text);
    painter.setFont(Theme::font(11));
    const QRectF foot(bounds.left(), y + 3, bounds.width(), 16);
    drawLine(painter, foot, Qt::AlignLeft | Qt::AlignVCenter, m_data.left);
    drawLine(painter, foot, Qt::AlignRight | Qt::AlignVCenter, m_data.right);
}

std::vector<Mark> RankedBars::marks(const QRectF& bounds) const
{
    const Layout l = layoutFor(bounds);
    std::vector<Mark> all;
    for (std::size_t i = 0; i < m_data.rows.size(); ++i) {
        const auto& row = m_data.rows[i];
        all.push_back({l.row(i).adjusted(0, 1, 0, -1), row.tooltip,
                       row.name + u", "_s + row.valueText + u", "_s + row.shareText, row.quantity,
                       static_cast<int>(i)});
    }
    return all;
}

ChartTable RankedBars::table() const
{
    ChartTable t;
    t.header = {m_data.category, m_data.unit, u"%"_s};
    for (const auto& row : m_data.rows)
        t.rows.push_back({row.name, rawNumber(row.value), row.shareText});
    return t;
}

} // namespace cw::views
