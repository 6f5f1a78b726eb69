// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/paintedchart.h"

#include <limits>

namespace cw::views {

struct MatrixCell
{
    QString text; ///< empty: a dash
    QString raw;  ///< for the table of data; empty: the text
    QString tooltip;
    QString quantity;
    bool strong = false;
    /// Utilization, 1 = 100 %: underlined in its band; NaN: none.
    double band = std::numeric_limits<double>::quiet_NaN();
    Change change = Change::Neutral; ///< colours the text, which bears a sign
};

struct MatrixRow
{
    QString name;
    QString detail; ///< beside the name; rows with one have their figures on a line below
    QString tag;    ///< in a frame beside the name
    QString tooltip;
    std::vector<MatrixCell> cells;
};

struct MatrixData
{
    QStringList header; ///< the corner, then one for each cell
    std::vector<MatrixRow> rows;
};

/// A small table of figures: names at the left, figures at the right, hairlines between rows. A row
/// or a figure can be pointed at and reached by keyboard.
class MatrixTable : public PaintedChart
{
    Q_OBJECT

public:
    explicit MatrixTable(QWidget* parent = nullptr);
    void setData(MatrixData figures);
    [[nodiscard]] const MatrixData& figures() const { return m_data; }

    void paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const override;
    [[nodiscard]] std::vector<Mark> marks(const QRectF& bounds) const override;
    [[nodiscard]] bool isEmpty() const override { return m_data.rows.empty(); }
    [[nodiscard]] ChartTable table() const override;
    /// Of so many rows without details.
    [[nodiscard]] static int heightOf(std::size_t rows);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void rowClicked(int row);

protected:
    void activateMark(const Mark& mark) override;

private:
    [[nodiscard]] bool hasDetails() const;
    [[nodiscard]] double rowHeight() const;
    /// Left edges of the cells and the right edge of the last.
    [[nodiscard]] std::vector<double> edges(const QRectF& bounds) const;
    [[nodiscard]] QRectF nameBox(const QRectF& line, double cells) const;
    [[nodiscard]] QRectF cellBox(const QRectF& line, double from, double to) const;
    static void paintCell(QPainter& painter, const QRectF& box, const MatrixCell& cell,
                          const Theme& theme);
    void paintRow(QPainter& painter, const QRectF& line, const MatrixRow& row,
                  const std::vector<double>& x, const Theme& theme) const;

    MatrixData m_data;
};

} // namespace cw::views
