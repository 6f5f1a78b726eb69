// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QThreadPool>
#include <QTimer>
#include <atomic>
#include <memory>

#include "model/evaluation/runcurve.h"
#include "views/pages/page.h"

class QBoxLayout;
class QGridLayout;

namespace cw::views {

class CardTable;
class ChartFrame;
class FactList;
class LineCurve;
class RankedBars;
class RunStrip;
class StackedBars;
struct CardRow;

/// The run: days, goodput against the checkpoint interval, what is lost to what, a month of it
/// played out, tiers, spares, phases and the loss it buys. The curves and the month are read in a
/// thread of their own once the plan is still; until then those of the plan before stay, and the
/// plan's own point moves over them.
class RunPage final : public Page
{
    Q_OBJECT

public:
    explicit RunPage(QWidget* parent = nullptr);
    ~RunPage() override;
    [[nodiscard]] QString key() const override { return QStringLiteral("run"); }
    [[nodiscard]] LineCurve* curve() const { return m_curve; }
    [[nodiscard]] RunStrip* strip() const { return m_strip; }
    [[nodiscard]] RankedBars* lost() const { return m_lost; }
    /// Reads now what waits; for tests and pictures.
    void flush() override;

Q_SIGNALS:
    /// Curves and month are those of the newest plan.
    void storyShown();

protected:
    void refresh(const PageData& figures) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// What takes too long for a drag.
    struct Story
    {
        evaluation::RunCurves curves;
        evaluation::Month month;
        double goodput = 0; ///< of the evaluation
    };
    [[nodiscard]] static Story read(const PageData& figures);
    void startReading();
    void take(quint64 ticket, const Story& story);
    void showCurve();
    void movePlan();
    void showLost(const evaluation::Evaluation& e);
    void showMonth();
    void showHour();
    void showFacts(const PageData& figures);
    void showTiers(const evaluation::Evaluation& e);
    void showSpares(const PageData& figures);
    void showLaws(const PageData& figures);
    void addRules(const PageData& figures, std::vector<CardRow>& rows) const;
    void showLoss(const PageData& figures);
    void showPhases(const evaluation::Evaluation& e);
    void dragInterval(double seconds);
    void arrange();

    LineCurve* m_curve;
    RankedBars* m_lost;
    RunStrip* m_strip;
    FactList* m_facts;
    CardTable* m_tiers;
    StackedBars* m_spares;
    CardTable* m_laws;
    LineCurve* m_loss;
    FactList* m_phases;
    ChartFrame* m_curveFrame;
    ChartFrame* m_lostFrame;
    ChartFrame* m_stripFrame;
    ChartFrame* m_factsFrame;
    ChartFrame* m_tiersFrame;
    ChartFrame* m_sparesFrame;
    ChartFrame* m_lawsFrame;
    ChartFrame* m_lossFrame;
    ChartFrame* m_phasesFrame;
    QGridLayout* m_cards;
    QBoxLayout* m_top;
    Story m_story;
    QTimer m_timer;
    QThreadPool m_pool;
    std::atomic<quint64> m_ticket = 0; ///< of the newest plan; answers to older ones are dropped
    int m_hour = -1;                   ///< chosen by hand; -1: one that tells
    int m_columns = 0;
    quint64 m_gesture = 0;
};

} // namespace cw::views
