// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/paintedchart.h"

namespace cw::views {

struct CardRow
{
    QStringList cells; ///< as many as the header; a row of one cell is a line of its own
    QString quantity;  ///< explained by a click
    QString tooltip;
    bool strong = false; ///< all of it
};

/// A small table in a card: the first column at the left, the others in columns at the right. Rows
/// with a quantity can be clicked and reached by keyboard.
class CardTable : public PaintedChart
{
    Q_OBJECT

public:
    explicit CardTable(QWidget* parent = nullptr);
    void setRows(QStringList header, std::vector<CardRow> rows);
    [[nodiscard]] const std::vector<CardRow>& rows() const { return m_rows; }

    void paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const override;
    [[nodiscard]] std::vector<Mark> marks(const QRectF& bounds) const override;
    [[nodiscard]] bool isEmpty() const override { return m_rows.empty(); }
    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

private:
    [[nodiscard]] double rowHeight(const QRectF& bounds) const;
    /// Left edges of the columns, and the right edge of the last.
    [[nodiscard]] std::vector<double> edges(const QRectF& bounds) const;

    QStringList m_header;
    std::vector<CardRow> m_rows;
};

} // namespace cw::views
