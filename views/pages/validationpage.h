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
class MatrixTable;
class ScatterPlot;
class StackedBars;
class ValidationFilter;
enum class ValidationMode : std::uint8_t;

/// Predicted against measured: the published rows, what they come to, and where the plan lies; so
/// too collectives, verdicts of memory and the order within sweeps of layouts.
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
    [[nodiscard]] StackedBars* verdict() const { return m_verdict; }
    [[nodiscard]] ChartFrame* verdictFrame() const { return m_verdictFrame; }
    /// Confusion of verdicts, bias of collectives.
    [[nodiscard]] MatrixTable* matrix() const { return m_matrix; }
    /// Of the card at the left: rows shown, in doubt, that cannot be told.
    [[nodiscard]] QLabel* skippedText() const { return m_skipped; }
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
    void buildVerdict();
    void buildMatrix();
    void showRows();
    void showChart();
    void showSide();
    void showTraits();
    void showCounts();
    void showSkipped();
    void showStatistics();
    void showPlan();
    void showRow(int index);
    void chooseGroup(int row);
    [[nodiscard]] calibrate::Trait trait() const;
    [[nodiscard]] ValidationMode mode() const;
    [[nodiscard]] bool comparesPlan() const;

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
    StackedBars* m_verdict;
    ChartFrame* m_verdictFrame;
    MatrixTable* m_matrix;
    ChartFrame* m_matrixFrame;
    QLabel* m_skipped;
    bool m_asked = false;
};

} // namespace cw::views
