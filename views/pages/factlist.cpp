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
constexpr double kMostLabel = 96;
} // namespace

FactList::FactList(bool valueAtLeft, QWidget* parent)
    : PaintedChart(parent), m_valueAtLeft(valueAtLeft)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    setMinimumSize(0, 0); // minimumSizeHint() counts
}

void FactList::setRows(std::vector<FactRow> rows)
{
    m_rows = std::move(rows);
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
    double labels = 0;
    for (const FactRow& row : m_rows)
        labels = std::max(labels, m_valueAtLeft ? textWidth(row.label, Theme::font(12)) + 1 : 0.0);
    labels = std::min(labels, kMostLabel);
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
            draw(QRectF(left.left(), y, labels, height), row.label, theme.secondary, false,
                 Qt::AlignLeft);
            const double x = left.left() + labels + 10;
            // Smaller type before anything is left out, and the detail before the value; nothing
            // is cut to a stub, and the tip tells what is left out.
            const double room = line.right() - x;
            double size = 12;
            double taken = 0;
            for (; size >= 11; size -= 1) {
                taken = row.detail.isEmpty() ? 0 : textWidth(row.detail, Theme::font(size)) + 10;
                if (textWidth(row.value, Theme::font(size, true)) + 1 + taken <= room)
                    break;
            }
            if (size < 11) {
                size = textWidth(row.value, Theme::font(12, true)) <= room ? 12 : 11;
                taken = 0;
            }
            painter.setFont(Theme::font(size, true));
            painter.setPen(theme.text);
            drawLine(painter, QRectF(x, y, room - taken, height),
                     static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), row.value);
            painter.setFont(Theme::font(size));
            painter.setPen(theme.secondary);
            if (taken > 0)
                drawLine(painter, QRectF(line.right() - taken, y, taken, height),
                         static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), row.detail);
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
        marks.push_back(
            {QRectF(bounds.left(), bounds.top() + static_cast<double>(i) * height, bounds.width(),
                    height),
             row.label + u'\t' + row.value +
                 (m_valueAtLeft && !row.detail.isEmpty() ? u'\n' + row.detail : QString()),
             row.label + u", "_s + row.value, row.quantity, static_cast<int>(i)});
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
