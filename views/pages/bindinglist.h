// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/paintedchart.h"
#include "views/pages/page.h"

namespace cw::views {

/// What binds the plan, with the cheapest change that was found to relax it.
struct BindingRow
{
    Series series = Series::Other;
    QString name;
    double share = 0; ///< of the run, or of what there is; the length of the bar
    QString amount;
    QString quantity;
    QString change;  ///< empty: none was found, or none is known yet
    QString tooltip; ///< of the change
    PageEdits edits; ///< of the change
};

/// Ranked rows: number, name, bar, amount, change. A click on a row asks for its formula, one on
/// the change for the change itself.
class BindingList final : public PaintedChart
{
    Q_OBJECT

public:
    explicit BindingList(QWidget* parent = nullptr);
    void setRows(std::vector<BindingRow> rows);
    [[nodiscard]] const std::vector<BindingRow>& rows() const { return m_rows; }

    void paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const override;
    [[nodiscard]] std::vector<Mark> marks(const QRectF& bounds) const override;
    [[nodiscard]] bool isEmpty() const override { return m_rows.empty(); }
    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The change of this row is wanted.
    void changeWanted(int row);

protected:
    void activateMark(const Mark& mark) override;

private:
    struct Columns;
    [[nodiscard]] Columns columnsFor(const QRectF& bounds) const;

    std::vector<BindingRow> m_rows;
};

} // namespace cw::views
