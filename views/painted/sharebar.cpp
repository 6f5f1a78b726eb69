// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/painted/sharebar.h"

#include "views/painted/paintutil.h"

#include <algorithm>
#include <cmath>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {
constexpr double kBar = 18.0;
constexpr double kRow = 19.0;
constexpr double kNote = 18.0;
} // namespace

struct ShareBar::Layout
{
    std::vector<QRectF> parts;
    std::vector<QRectF> rows;
    std::vector<QRectF> extras;
    QRectF note;
    double rule = 0.0;
    double shares = 0.0; ///< width of the last column
};

ShareBar::ShareBar(QWidget* parent) : PaintedChart(parent)
{
}

void ShareBar::setData(ShareBarData figures)
{
    m_data = std::move(figures);
    for (auto& item : m_data.items) {
        item.value = std::isfinite(item.value) ? std::max(0.0, item.value) : 0.0;
    }
    invalidate();
}

QSize ShareBar::sizeHint() const
{
    const auto rows = static_cast<double>(m_data.items.size() + m_data.extras.size());
    const double height = kBar + 8 + rows * kRow + (m_data.note.isEmpty() ? 0 : kNote) +
                          (m_data.extras.empty() ? 0 : 7);
    return {260, static_cast<int>(height)};
}

QSize ShareBar::minimumSizeHint() const
{
    return {180, sizeHint().height()};
}

ShareBar::Layout ShareBar::layoutFor(const QRectF& b) const
{
    Layout l;
    double sum = 0.0;
    for (const auto& item : m_data.items) {
        sum += std::max(0.0, item.value);
        l.shares = std::max(l.shares, textWidth(item.shareText, Theme::font(11)));
    }
    l.shares += l.shares > 0 ? 8 : 0;
    double at = 0.0;
    double y = b.top() + kBar + 8;
    for (const auto& item : m_data.items) {
        const double x0 = sum > 0 ? std::round(b.left() + b.width() * at / sum) : b.left();
        at += std::max(0.0, item.value);
        const double x1 = sum > 0 ? std::round(b.left() + b.width() * at / sum) : b.left();
        const double gap = x1 - x0 > 3 ? 1 : 0;
        l.parts.emplace_back(x0, b.top(), std::max(0.0, x1 - x0 - gap), kBar);
        l.rows.emplace_back(b.left(), y, b.width(), kRow);
        y += kRow;
    }
    if (!m_data.note.isEmpty()) {
        l.note = QRectF(b.left(), y, b.width(), kNote);
        y += kNote;
    }
    l.rule = y + 3;
    y += 7;
    for (std::size_t i = 0; i < m_data.extras.size(); ++i) {
        l.extras.emplace_back(b.left(), y, b.width(), kRow);
        y += kRow;
    }
    return l;
}

void ShareBar::paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const
{
    const Layout l = layoutFor(bounds);
    for (std::size_t i = 0; i < m_data.items.size(); ++i) {
        const auto& item = m_data.items[i];
        const SeriesStyle style = theme.series(item.series);
        fillSeries(painter, l.parts[i], style, theme);
        const QRectF row = l.rows[i];
        const QRectF swatch(row.left(), std::round(row.center().y() - 5), 9, 9);
        fillSeries(painter, swatch, style, theme);
        painter.setFont(Theme::font(11));
        painter.setPen(theme.secondary);
        drawText(painter, row, Qt::AlignRight | Qt::AlignVCenter, item.shareText);
        painter.setFont(Theme::font(11, true));
        painter.setPen(theme.text);
        const QRectF value = row.adjusted(0, 0, -l.shares, 0);
        drawText(painter, value, Qt::AlignRight | Qt::AlignVCenter, item.valueText);
        const double used = textWidth(item.valueText, painter.font());
        painter.setFont(Theme::font(11));
        drawLine(painter, value.adjusted(16, 0, -used - 6, 0), Qt::AlignLeft | Qt::AlignVCenter,
                 item.name);
    }
    painter.setFont(Theme::font(10));
    painter.setPen(theme.secondary);
    drawLine(painter, l.note, Qt::AlignLeft | Qt::AlignVCenter, m_data.note);
    if (!m_data.extras.empty()) {
        painter.setPen(theme.hairline);
        crispH(painter, bounds.left(), bounds.right(), l.rule);
    }
    for (std::size_t i = 0; i < m_data.extras.size(); ++i) {
        const QRectF value = l.extras[i].adjusted(0, 0, -l.shares, 0);
        painter.setPen(theme.text);
        painter.setFont(Theme::font(11));
        drawLine(painter, value.adjusted(0, 0, -70, 0), Qt::AlignLeft | Qt::AlignVCenter,
                 m_data.extras[i].name);
        painter.setFont(Theme::font(11, true));
        drawText(painter, value, Qt::AlignRight | Qt::AlignVCenter, m_data.extras[i].valueText);
    }
}

std::vector<Mark> ShareBar::marks(const QRectF& bounds) const
{
    const Layout l = layoutFor(bounds);
    std::vector<Mark> all;
    for (std::size_t i = 0; i < m_data.items.size(); ++i) {
        const auto& item = m_data.items[i];
        const QString spoken = item.name + u", "_s + item.valueText + u", "_s + item.shareText;
        all.push_back({l.rows[i], item.tooltip, spoken, item.quantity, static_cast<int>(i)});
    }
    for (std::size_t i = 0; i < m_data.extras.size(); ++i) {
        const auto& extra = m_data.extras[i];
        all.push_back(
            {l.extras[i], QString(), extra.name + u", "_s + extra.valueText, extra.quantity, -1});
    }
    // The bar repeats the rows: pointed at, but not walked a second time.
    for (std::size_t i = 0; i < m_data.items.size(); ++i) {
        const auto& item = m_data.items[i];
        const QString tip = item.tooltip.isEmpty()
                                ? item.name + u'\t' + item.valueText + u'\n' + item.shareText
                                : item.tooltip;
        all.push_back({l.parts[i], tip, item.name, item.quantity, static_cast<int>(i), 0.0, false});
    }
    return all;
}

ChartTable ShareBar::table() const
{
    ChartTable t;
    t.header = {tr("Part"), tr("Value"), tr("Share")};
    for (const auto& item : m_data.items) {
        t.rows.push_back({item.name, item.valueText, item.shareText});
    }
    for (const auto& extra : m_data.extras) {
        t.rows.push_back({extra.name, extra.valueText, QString()});
    }
    return t;
}

} // namespace cw::views
