// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/painted/matrixtable.h"

#include "views/painted/linkstyle.h"
#include "views/painted/paintutil.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

constexpr double kHead = 20.0;
constexpr double kRow = 23.0;
constexpr double kTall = 40.0;
constexpr double kNameLine = 18.0;
constexpr double kGap = 9.0;
constexpr double kLeastGap = 3.0;
constexpr int kEmpty = 46; ///< height for the words of an empty table
constexpr double kLeastName = 76.0;

QString shownText(const MatrixCell& cell)
{
    return cell.text.isEmpty() ? u"–"_s : cell.text;
}

} // namespace

MatrixTable::MatrixTable(QWidget* parent) : PaintedChart(parent)
{
}

void MatrixTable::setData(MatrixData figures)
{
    m_data = std::move(figures);
    updateGeometry();
    invalidate();
}

bool MatrixTable::hasDetails() const
{
    return std::any_of(m_data.rows.begin(), m_data.rows.end(),
                       [](const MatrixRow& row) { return !row.detail.isEmpty(); });
}

double MatrixTable::rowHeight() const
{
    return hasDetails() ? kTall : kRow;
}

std::vector<double> MatrixTable::edges(const QRectF& bounds) const
{
    // Each column is as wide as its widest text; the names take what is left.
    std::vector<double> widths;
    for (qsizetype i = 1; i < m_data.header.size(); ++i) {
        double w = textWidth(m_data.header[i], Theme::font(10));
        for (const MatrixRow& row : m_data.rows)
            if (i - 1 < static_cast<qsizetype>(row.cells.size()))
                w = std::max(w, textWidth(shownText(row.cells[static_cast<std::size_t>(i - 1)]),
                                          Theme::font(11, true)));
        widths.push_back(w);
    }
    // Many columns stand closer, before the first is cut off.
    double gap = kGap;
    if (bounds.width() > 0 && !widths.empty()) {
        const double name = hasDetails() ? 0.0 : kLeastName;
        const double all = std::accumulate(widths.begin(), widths.end(), name);
        gap = std::clamp((bounds.width() - all) / static_cast<double>(widths.size()), kLeastGap,
                         kGap);
    }
    for (double& w : widths)
        w += gap;
    std::vector<double> x(widths.size() + 1, bounds.right());
    for (std::size_t i = widths.size(); i-- > 0;)
        x[i] = x[i + 1] - widths[i];
    return x;
}

void MatrixTable::paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const
{
    const auto x = edges(bounds);
    painter.setFont(Theme::font(10));
    painter.setPen(theme.secondary);
    for (qsizetype i = 0; i < m_data.header.size(); ++i) {
        const bool name = i == 0;
        const auto k = static_cast<std::size_t>(i);
        const QRectF box = name ? QRectF(bounds.left(), bounds.top(),
                                         std::max(0.0, x[0] - bounds.left() - 4), kHead)
                                : QRectF(x[k - 1], bounds.top(), x[k] - x[k - 1], kHead);
        drawLine(painter, box, (name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter,
                 m_data.header[i]);
    }
    double y = bounds.top() + kHead;
    for (const MatrixRow& row : m_data.rows) {
        painter.setPen(QPen(theme.hairline, 1));
        crispH(painter, bounds.left(), bounds.right(), y);
        paintRow(painter, QRectF(bounds.left(), y, bounds.width(), rowHeight()), row, x, theme);
        y += rowHeight();
    }
}

QRectF MatrixTable::nameBox(const QRectF& line, double cells) const
{
    // With details the names have a line of their own, above the figures.
    return hasDetails() ? QRectF(line.left(), line.top() + 2, line.width(), kNameLine)
                        : QRectF(line.left(), line.top(), std::max(0.0, cells - line.left() - 4),
                                 line.height());
}

QRectF MatrixTable::cellBox(const QRectF& line, double from, double to) const
{
    const double top = hasDetails() ? line.top() + kNameLine : line.top();
    return {from, top, to - from, line.bottom() - top};
}

void MatrixTable::paintRow(QPainter& painter, const QRectF& line, const MatrixRow& row,
                           const std::vector<double>& x, const Theme& theme) const
{
    const QRectF name = nameBox(line, x[0]);
    painter.setFont(Theme::font(11, hasDetails()));
    painter.setPen(theme.text);
    drawLine(painter, name, Qt::AlignLeft | Qt::AlignVCenter, row.name);
    const double at = name.left() + textWidth(row.name, painter.font()) + 8;
    if (!row.tag.isEmpty()) {
        painter.setFont(Theme::font(9.5));
        const QRectF box(at, name.center().y() - 7.5, textWidth(row.tag, painter.font()) + 8, 15);
        if (box.right() < name.right()) {
            painter.setPen(QPen(theme.border, 1));
            painter.drawRect(box);
            painter.setPen(theme.secondary);
            drawText(painter, box, Qt::AlignCenter, row.tag);
        }
    }
    painter.setFont(Theme::font(10));
    painter.setPen(theme.secondary);
    if (at < name.right())
        drawLine(painter, QRectF(at, name.top(), name.right() - at, name.height()),
                 Qt::AlignLeft | Qt::AlignVCenter, row.detail);
    for (std::size_t i = 0; i < row.cells.size() && i + 1 < x.size(); ++i)
        paintCell(painter, cellBox(line, x[i], x[i + 1]), row.cells[i], theme);
}

void MatrixTable::paintCell(QPainter& painter, const QRectF& box, const MatrixCell& cell,
                            const Theme& theme)
{
    painter.setFont(Theme::font(11, cell.strong));
    painter.setPen(cell.change != Change::Neutral ? theme.change(cell.change)
                   : cell.text.isEmpty()          ? theme.weak
                                                  : theme.text);
    drawText(painter, box, Qt::AlignRight | Qt::AlignVCenter, shownText(cell));
    if (!std::isfinite(cell.band))
        return;
    const double width = textWidth(shownText(cell), painter.font());
    painter.setPen(linkPen(cell.band, theme, 0.7));
    const double low = box.center().y() + 9;
    painter.drawLine(QPointF(box.right() - width, low), QPointF(box.right(), low));
}

std::vector<Mark> MatrixTable::marks(const QRectF& bounds) const
{
    std::vector<Mark> all;
    const auto x = edges(bounds);
    double y = bounds.top() + kHead;
    for (std::size_t r = 0; r < m_data.rows.size(); ++r) {
        const MatrixRow& row = m_data.rows[r];
        const QRectF line(bounds.left(), y, bounds.width(), rowHeight());
        all.push_back({nameBox(line, x[0]),
                       row.tooltip.isEmpty() ? row.name + u'\n' + row.detail : row.tooltip,
                       row.name + u", "_s + row.detail,
                       {},
                       static_cast<int>(r)});
        for (std::size_t i = 0; i < row.cells.size() && i + 1 < x.size(); ++i) {
            const MatrixCell& cell = row.cells[i];
            if (cell.text.isEmpty())
                continue;
            const QString head = row.name + u", "_s + m_data.header.value(static_cast<int>(i) + 1) +
                                 u'\t' + cell.text;
            all.push_back({cellBox(line, x[i], x[i + 1]),
                           cell.tooltip.isEmpty() ? head : head + u'\n' + cell.tooltip,
                           QString(head).replace(u'\t', u' '), cell.quantity, static_cast<int>(r)});
        }
        y += rowHeight();
    }
    return all;
}

ChartTable MatrixTable::table() const
{
    ChartTable t;
    t.header = m_data.header;
    for (const MatrixRow& row : m_data.rows) {
        QStringList cells{row.detail.isEmpty() ? row.name : row.name + u", "_s + row.detail};
        for (const MatrixCell& cell : row.cells)
            cells << (cell.raw.isEmpty() ? cell.text : cell.raw);
        t.rows.push_back(cells);
    }
    return t;
}

int MatrixTable::heightOf(std::size_t rows)
{
    return static_cast<int>(kHead + kRow * static_cast<double>(rows)) + 2;
}

QSize MatrixTable::sizeHint() const
{
    if (isEmpty())
        return {280, kEmpty};
    return {280,
            static_cast<int>(kHead + rowHeight() * static_cast<double>(m_data.rows.size())) + 2};
}

QSize MatrixTable::minimumSizeHint() const
{
    const auto x = edges(QRectF(0, 0, 0, 0));
    return {static_cast<int>((hasDetails() ? 0.0 : kLeastName) - x.front()), sizeHint().height()};
}

void MatrixTable::activateMark(const Mark& mark)
{
    Q_EMIT rowClicked(mark.tag);
}

} // namespace cw::views
