// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/paintedchart.h"

namespace cw::views {

struct FactRow
{
    QString label;
    QString value;    ///< strong
    QString detail;   ///< secondary, at the right
    QString quantity; ///< explained by a click
    bool heading = false;
    bool total = false;  ///< the closing line of a sum
    bool indent = false; ///< a part of the row above
    Series series = Series::Other;
    bool marked = false; ///< shows the colour of the series
};

/// Lines of label, value and detail; each with a quantity can be clicked and reached by keyboard.
class FactList : public PaintedChart
{
    Q_OBJECT

public:
    /// `valueAtLeft`: values follow the labels as in a sentence, else they stand in a column at the
    /// right.
    explicit FactList(bool valueAtLeft = false, QWidget* parent = nullptr);
    void setRows(std::vector<FactRow> rows);
    [[nodiscard]] const std::vector<FactRow>& rows() const { return m_rows; }
    /// Height of a row where there is room for more.
    void setMostRow(double height) { m_mostRow = height; }
    /// The most that the column of details takes.
    void setDetailWidth(double width) { m_detailWidth = width; }

    void paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const override;
    [[nodiscard]] std::vector<Mark> marks(const QRectF& bounds) const override;
    [[nodiscard]] bool isEmpty() const override { return m_rows.empty(); }
    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

private:
    [[nodiscard]] double rowHeight(const QRectF& bounds) const;
    [[nodiscard]] double detailWidth() const;

    std::vector<FactRow> m_rows;
    bool m_valueAtLeft;
    double m_detailWidth = 60;
    double m_mostRow = 22;
};

} // namespace cw::views
