// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/factlist.h"

#include <QPainter>
#include <algorithm>
#include <utility>

#include "views/painted/paintutil.h"

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {
constexpr double kRow = 22;
constexpr double kLeastRow = 17;
constexpr double kLabelWidth = 78;
} // namespace

FactList::FactList(bool valueAtLeft, QWidget* parent)
    : PaintedChart(parent), m_valueAtLeft(valueAtLeft)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    setMinimumSize(0, 0); // minimumSizeHint() counts
}

void FactList::setRows(std::vector<FactRow> rows)
{
    const bool grows = rows.size() != m_rows.size();
    m_rows = std::move(rows);
    if (grows)
        updateGeometry();
    invalidate();
}

QSize FactList::sizeHint() const
{
    return {260,
            static_cast<int>(kRow * static_cast<double>(std::max<std::size_t>(1, m_rows.size())))};
}

QSize FactList::minimumSizeHint() const
{
    return {120, static_cast<int>(kLeastRow *
                                  static_cast<double>(std::max<std::size_t>(1, m_rows.size())))};
}

double FactList::rowHeight(const QRectF& bounds) const
{
    return std::clamp(bounds.height() /
                          static_cast<double>(std::max<std::size_t>(1, m_rows.size())),
                      12.0, m_mostRow);
}

double FactList::detailWidth() const
{
    double widest = 0;
    for (const FactRow& row : m_rows)
        if (!row.detail.isEmpty())
            widest = std::max(widest, textWidth(row.detail, Theme::font(12)) + 14);
    return std::min(widest, m_detailWidth);
}

void FactList::paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const
{
    const double height = rowHeight(bounds);
    const double details = detailWidth();
    double y = bounds.top();
    for (const FactRow& row : m_rows) {
        const QRectF line(bounds.left(), y, bounds.width(), height);
        const auto draw = [&](const QRectF& box, const QString& text, const QColor& colour,
                              bool strong, Qt::Alignment side) {
            painter.setFont(Theme::font(12, strong));
            painter.setPen(colour);
            drawLine(painter, box, static_cast<int>(side | Qt::AlignVCenter), text);
        };
        const double detail = row.detail.isEmpty() && m_valueAtLeft ? 0 : details;
        QRectF left = line.adjusted(row.marked ? 17 : row.indent ? 17 : 0, 0, 0, 0);
        if (row.marked)
            fillSeries(painter, QRectF(line.left(), line.center().y() - 5, 10, 10),
                       theme.series(row.series), theme);
        if (m_valueAtLeft) {
            draw(QRectF(left.left(), y, kLabelWidth, height), row.label, theme.secondary, false,
                 Qt::AlignLeft);
            const double x = left.left() + kLabelWidth + 6;
            painter.setFont(Theme::font(12));
            // The value comes before the detail, which is left out rather than cut to a stub.
            const double room = line.right() - x;
            const double need = textWidth(row.value, Theme::font(12, true)) + 4;
            double taken = std::min(textWidth(row.detail, painter.font()) + 8.0,
                                    std::max(room - need, room * 0.2));
            if (taken < 40)
                taken = 0;
            draw(QRectF(x, y, line.right() - x - taken, height), row.value, theme.text, true,
                 Qt::AlignLeft);
            if (taken > 0)
                draw(QRectF(line.right() - taken, y, taken, height), row.detail, theme.secondary,
                     false, Qt::AlignRight);
        } else {
            painter.setFont(Theme::font(12, true));
            const double value = textWidth(row.value, painter.font()) + 2.0;
            // A row without a detail gives its column up before it cuts its label.
            const double whole =
                textWidth(row.label, Theme::font(12, row.heading || row.total)) + value + 10;
            const bool lends = row.detail.isEmpty() && whole > line.right() - detail - left.left();
            const double right = lends ? line.right() : line.right() - detail;
            draw(QRectF(left.left(), y, std::max(30.0, right - value - 8 - left.left()), height),
                 row.label, row.indent ? theme.secondary : theme.text, row.heading || row.total,
                 Qt::AlignLeft);
            draw(QRectF(right - value, y, value, height), row.value,
                 row.indent ? theme.secondary : theme.text, !row.indent, Qt::AlignRight);
            draw(QRectF(right, y, detail, height), row.detail, theme.secondary, false,
                 Qt::AlignRight);
        }
        painter.setPen(QPen(row.total ? theme.border : theme.hairline, 1));
        const double edge = row.total ? y : y + height;
        painter.drawLine(QPointF(line.left(), edge), QPointF(line.right(), edge));
        y += height;
    }
}

std::vector<Mark> FactList::marks(const QRectF& bounds) const
{
    const double height = rowHeight(bounds);
    std::vector<Mark> marks;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const FactRow& row = m_rows[i];
        if (row.quantity.isEmpty())
            continue;
        marks.push_back({QRectF(bounds.left(), bounds.top() + static_cast<double>(i) * height,
                                bounds.width(), height),
                         row.label + u'\t' + row.value, row.label + u", "_s + row.value,
                         row.quantity, static_cast<int>(i)});
    }
    return marks;
}

ChartTable FactList::table() const
{
    ChartTable table;
    table.header = {tr("Part"), tr("Value"), QString()};
    for (const FactRow& row : m_rows)
        table.rows.push_back({row.label, row.value, row.detail});
    return table;
}

} // namespace cw::views
