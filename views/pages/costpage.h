// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QThreadPool>
#include <QTimer>
#include <atomic>
#include <vector>

#include "model/evaluation/siting.h"
#include "views/pages/page.h"

class QBoxLayout;

namespace cw::views {

class ChartFrame;
class FactList;
class MatrixTable;
class Waterfall;

/// What the run costs, by part; what a point of utilization is worth; the plan at other sites and
/// other machines under the same power. The last two are read in a thread of their own once the
/// plan is still; a click on a row of theirs makes it the plan.
class CostPage final : public Page
{
    Q_OBJECT

public:
    explicit CostPage(QWidget* parent = nullptr);
    ~CostPage() override;
    [[nodiscard]] QString key() const override { return QStringLiteral("cost"); }
    /// Reads now what waits; for tests and pictures.
    void flush() override;

Q_SIGNALS:
    /// Sites and machines are there.
    void comparisonsShown();

protected:
    void refresh(const PageData& figures) override;
    void resizeEvent(QResizeEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void addLevels();
    void startReading();
    [[nodiscard]] bool tablesAreWide() const;
    void showTables();
    void takePlan(const scenario::Scenario& plan, const QString& text);
    void takeSite(int row);
    void takeMachine(int row);
    void takeSites(quint64 ticket, const std::vector<evaluation::AtSite>& sites);
    void takeMachines(quint64 ticket, const std::vector<evaluation::Filled>& machines);

    Waterfall* m_parts;
    FactList* m_sums;
    FactList* m_worth;
    MatrixTable* m_sites;
    MatrixTable* m_machines;
    ChartFrame* m_partsFrame;
    ChartFrame* m_worthFrame;
    ChartFrame* m_sitesFrame;
    ChartFrame* m_machinesFrame;
    QBoxLayout* m_top;
    QBoxLayout* m_side;
    QBoxLayout* m_bottom;
    std::vector<evaluation::AtSite> m_siteRows;
    std::vector<evaluation::Filled> m_machineRows;
    QTimer m_timer;
    QThreadPool m_pool;
    std::atomic<quint64> m_ticket = 0; ///< of the newest plan; answers to older ones are dropped
    int m_level = 0;
};

} // namespace cw::views
