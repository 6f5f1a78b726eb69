// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/calibrate/comparison.h"
#include "views/pages/page.h"

class QComboBox;
class QLabel;
class QProgressBar;
class QStandardItemModel;
class QTableView;

namespace cw::views {

class Card;
class ChartFrame;
class FactList;
class ScatterPlot;
class ValidationFilter;

/// Predicted against measured: the published rows, what they come to, and where the plan lies.
class ValidationPage final : public Page
{
    Q_OBJECT

public:
    explicit ValidationPage(QWidget* parent = nullptr);
    [[nodiscard]] QString key() const override { return QStringLiteral("validation"); }
    /// How many of the rows are predicted; while they are being.
    void setProgress(int done, int total);
    void setRows(std::shared_ptr<const calibrate::Validation> rows);

    [[nodiscard]] ValidationFilter* filter() const { return m_filter; }
    [[nodiscard]] ScatterPlot* scatter() const { return m_scatter; }
    [[nodiscard]] ChartFrame* scatterFrame() const { return m_scatterFrame; }
    [[nodiscard]] QTableView* statistics() const { return m_table; }
    [[nodiscard]] FactList* alike() const { return m_alike; }
    [[nodiscard]] QLabel* rowText() const { return m_rowText; }

Q_SIGNALS:
    /// Shown for the first time: predict the rows.
    void rowsWanted();

protected:
    void refresh(const PageData& figures) override;
    void showEvent(QShowEvent* event) override;

private:
    void buildScatter();
    void buildStatistics();
    void buildAlike();
    void showRows();
    void showCounts();
    void showStatistics();
    void showPlan();
    void showRow(int index);
    void chooseGroup(int row);
    [[nodiscard]] calibrate::Trait trait() const;

    std::shared_ptr<const calibrate::Validation> m_rows;
    ValidationFilter* m_filter;
    QProgressBar* m_progress;
    ScatterPlot* m_scatter;
    ChartFrame* m_scatterFrame;
    QLabel* m_rowText;
    Card* m_tableCard;
    QComboBox* m_by;
    QTableView* m_table;
    QStandardItemModel* m_lines;
    ChartFrame* m_alikeFrame;
    FactList* m_alike;
    QLabel* m_alikeText;
    bool m_asked = false;
};

} // namespace cw::views
