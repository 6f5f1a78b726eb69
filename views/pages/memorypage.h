// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/pages/page.h"
#include "views/pages/remedylist.h"

namespace cw::views {

class Card;
class ChartFrame;
class FactList;
class StackedBars;

/// Memory of each stage against the line that can be dragged; beside it the ledger of one stage.
class MemoryPage final : public Page
{
    Q_OBJECT

public:
    explicit MemoryPage(QWidget* parent = nullptr);
    [[nodiscard]] QString key() const override { return QStringLiteral("memory"); }
    /// What may save memory; told when it is known, later than the data.
    void setRemedies(std::vector<Remedy> remedies);
    [[nodiscard]] RemedyList* remedies() const { return m_remedies; }
    [[nodiscard]] StackedBars* bars() const { return m_bars; }

protected:
    void refresh(const PageData& figures) override;

private:
    void addLevels();
    void showLedger();
    void dragUsable(double gibi);

    StackedBars* m_bars;
    FactList* m_ledger;
    ChartFrame* m_barsFrame;
    ChartFrame* m_ledgerFrame;
    RemedyList* m_remedies;
    int m_stage = -1; ///< chosen by the reader; -1: the fullest
    quint64 m_gesture = 0;
    int m_level = 2; ///< resident, peak, reserved
};

} // namespace cw::views
