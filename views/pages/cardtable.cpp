// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/cardtable.h"

#include <QPainter>
#include <algorithm>
#include <utility>

#include "views/painted/paintutil.h"

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {
constexpr double kRow = 22;
constexpr double kLeastRow = 17;
constexpr double kGap = 9;
} // namespace

CardTable::CardTable(QWidget* parent) : PaintedChart(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    setMinimumSize(0, 0); // minimumSizeHint() counts
}

void CardTable::setRows(QStringList header, std::vector<CardRow> rows)
{
    m_header = std::move(header);
    m_rows = std::move(rows);
    invalidate();
}

QSize CardTable::sizeHint() const
{
    return {260, static_cast<int>(kRow * static_cast<double>(m_rows.size() + 1))};
}

QSize CardTable::minimumSizeHint() const
{
    return {160, static_cast<int>(kLeastRow * static_cast<double>(m_rows.size() + 1))};
}

double CardTable::rowHeight(const QRectF& bounds) const
{
    return std::clamp(bounds.height() / static_cast<double>(m_rows.size() + 1), 12.0, kRow);
}

std::vector<double> CardTable::edges(const QRectF& bounds) const
{
    const auto columns = static_cast<std::size_t>(m_header.size());
    std::vector<double> all(columns + 1, bounds.right());
    for (std::size_t c = columns; c-- > 1;) {
        double width = textWidth(m_header[static_cast<int>(c)], Theme::font(11));
        for (const CardRow& row : m_rows)
            if (row.cells.size() == m_header.size())
                width = std::max(
                    width, textWidth(row.cells[static_cast<int>(c)], Theme::font(12, row.strong)));
        all[c] = all[c + 1] - width - kGap;
    }
    all[0] = bounds.left();
    return all;
}

void CardTable::paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const
{
    const double height = rowHeight(bounds);
    const auto at = edges(bounds);
    double y = bounds.top();
    const auto line = [&](const QStringList& cells, const QFont& font, const QColor& colour) {
        painter.setFont(font);
        painter.setPen(colour);
        if (cells.size() == 1)
            drawLine(painter, QRectF(bounds.left(), y, bounds.width(), height),
                     Qt::AlignLeft | Qt::AlignVCenter, cells.front());
        for (int c = 0; cells.size() > 1 && c < cells.size(); ++c) {
            const auto i = static_cast<std::size_t>(c);
            const QRectF box(at[i] + (c > 0 ? kGap : 0.0), y,
                             at[i + 1] - at[i] - (c > 0 ? kGap : 4.0), height);
            drawLine(painter, box,
                     static_cast<int>((c > 0 ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter),
                     cells[c]);
        }
        painter.setPen(QPen(theme.hairline, 1));
        painter.drawLine(QPointF(bounds.left(), y + height), QPointF(bounds.right(), y + height));
        y += height;
    };
    line(m_header, Theme::font(11), theme.secondary);
    for (const CardRow& row : m_rows)
        line(row.cells, Theme::font(12, row.strong),
             row.cells.size() == 1 ? theme.secondary : theme.text);
}

std::vector<Mark> CardTable::marks(const QRectF& bounds) const
{
    const double height = rowHeight(bounds);
    std::vector<Mark> all;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const CardRow& row = m_rows[i];
        if (row.quantity.isEmpty())
            continue;
        const QRectF box(bounds.left(), bounds.top() + static_cast<double>(i + 1) * height,
                         bounds.width(), height);
        all.push_back({box, row.tooltip.isEmpty() ? row.cells.join(u'\t') : row.tooltip,
                       row.cells.join(u", "_s), row.quantity, static_cast<int>(i)});
    }
    return all;
}

ChartTable CardTable::table() const
{
    ChartTable t;
    t.header = m_header;
    for (const CardRow& row : m_rows) {
        QStringList cells = row.cells;
        while (cells.size() < m_header.size())
            cells << QString();
        t.rows.push_back(cells);
    }
    return t;
}

} // namespace cw::views
