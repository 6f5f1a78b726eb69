// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/bindinglist.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/painted/paintutil.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {
constexpr double kRow = 22;
constexpr double kLeastRow = 17;
constexpr double kNumber = 16;
constexpr double kBar = 46;
constexpr double kGap = 10;
} // namespace

struct BindingList::Columns
{
    double height = kRow;
    double names = 0;  ///< width
    double bar = 0;    ///< left edge; the bar is left out where names need its room
    double amount = 0; ///< right edge
    double change = 0; ///< left edge
    bool bars = true;
};

BindingList::BindingList(QWidget* parent) : PaintedChart(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    setMinimumSize(0, 0); // minimumSizeHint() counts
}

void BindingList::setRows(std::vector<BindingRow> rows)
{
    const bool grows = rows.size() != m_rows.size();
    m_rows = std::move(rows);
    if (grows)
        updateGeometry();
    invalidate();
}

QSize BindingList::sizeHint() const
{
    return {380,
            static_cast<int>(kRow * static_cast<double>(std::max<std::size_t>(1, m_rows.size())))};
}

QSize BindingList::minimumSizeHint() const
{
    return {160, static_cast<int>(kLeastRow *
                                  static_cast<double>(std::max<std::size_t>(1, m_rows.size())))};
}

BindingList::Columns BindingList::columnsFor(const QRectF& bounds) const
{
    Columns c;
    double amounts = 0;
    double changes = 0;
    for (const BindingRow& row : m_rows) {
        c.names = std::max(c.names, textWidth(row.name, Theme::font(12, true)));
        amounts = std::max(amounts, textWidth(row.amount, Theme::font(12)));
        changes = std::max(changes, textWidth(row.change, Theme::font(12)));
    }
    const double whole = bounds.width() - kNumber;
    c.height = std::clamp(
        bounds.height() / static_cast<double>(std::max<std::size_t>(1, m_rows.size())), 12.0, kRow);
    // The bars give way first, then the changes, whose tips tell them in full.
    const double needed = c.names + amounts + 2 * kGap;
    c.bars = needed + kBar + kGap + std::min(changes, whole * 0.32) <= whole;
    const double bar = c.bars ? kBar + kGap : 0;
    c.names = std::max(60.0, std::min(c.names, whole * 0.4));
    c.bar = bounds.left() + kNumber + c.names + kGap;
    c.amount = c.bar + bar + amounts;
    c.change = c.amount + kGap;
    return c;
}

void BindingList::paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const
{
    const Columns c = columnsFor(bounds);
    double y = bounds.top();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const BindingRow& row = m_rows[i];
        const auto draw = [&](double left, double right, const QString& text, const QColor& colour,
                              bool strong, Qt::Alignment side) {
            painter.setFont(Theme::font(12, strong));
            painter.setPen(colour);
            drawLine(painter, QRectF(left, y, std::max(0.0, right - left), c.height),
                     static_cast<int>(side | Qt::AlignVCenter), text);
        };
        const double names = bounds.left() + kNumber;
        draw(bounds.left(), names, QString::number(static_cast<int>(i) + 1), theme.secondary, false,
             Qt::AlignLeft);
        draw(names, names + c.names, row.name, theme.text, true, Qt::AlignLeft);
        if (c.bars) {
            const QRectF bar(std::round(c.bar), std::round(y + c.height / 2 - 4), kBar, 8);
            painter.fillRect(bar, theme.sunken);
            const double length = std::clamp(std::isfinite(row.share) ? row.share : 0.0, 0.0, 1.0);
            fillSeries(painter,
                       QRectF(bar.left(), bar.top(), std::max(1.0, kBar * length), bar.height()),
                       theme.series(row.series), theme);
        }
        draw(c.bar, c.amount, row.amount, theme.text, false, Qt::AlignRight);
        draw(c.change, bounds.right(), row.change,
             row.edits.empty() ? theme.secondary : theme.accent, false, Qt::AlignLeft);
        painter.setPen(QPen(theme.hairline, 1));
        painter.drawLine(QPointF(bounds.left(), y + c.height),
                         QPointF(bounds.right(), y + c.height));
        y += c.height;
    }
}

std::vector<Mark> BindingList::marks(const QRectF& bounds) const
{
    const Columns c = columnsFor(bounds);
    std::vector<Mark> marks;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const BindingRow& row = m_rows[i];
        const double y = bounds.top() + static_cast<double>(i) * c.height;
        Mark formula;
        formula.rect = QRectF(bounds.left(), y, c.amount - bounds.left(), c.height);
        formula.tooltip = row.name + u'\t' + row.amount;
        formula.accessible = row.name + u", "_s + row.amount;
        formula.quantity = row.quantity;
        marks.push_back(std::move(formula));
        if (row.edits.empty())
            continue;
        Mark change;
        change.rect = QRectF(c.change - 4, y, bounds.right() - c.change + 4, c.height);
        change.tooltip = row.tooltip;
        change.accessible = row.name + u", "_s + row.change;
        change.tag = static_cast<int>(i);
        marks.push_back(std::move(change));
    }
    return marks;
}

void BindingList::activateMark(const Mark& mark)
{
    if (mark.tag >= 0)
        Q_EMIT changeWanted(mark.tag);
}

ChartTable BindingList::table() const
{
    ChartTable table;
    table.header = {say("window.binds.limit"), say("window.binds.amount"),
                    say("window.binds.change")};
    for (const BindingRow& row : m_rows)
        table.rows.push_back({row.name, row.amount, row.change});
    return table;
}

} // namespace cw::views
