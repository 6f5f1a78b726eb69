// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/memorypage.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "views/pages/figures.h"
#include "views/pages/frames.h"
#include "views/pages/segments.h"
#include "views/params/valueslider.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {
constexpr double kGibi = 1024.0 * 1024.0 * 1024.0;
}

MemoryPage::MemoryPage(QWidget* parent)
    : Page(parent), m_bars(new StackedBars(this)), m_ledger(new FactList(false, this)),
      m_barsFrame(framed(this, m_bars, "window.memory.title")),
      m_ledgerFrame(framed(this, m_ledger, "window.memory.ledger")),
      m_remedies(new RemedyList(this))
{
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(12, 12, 12, 12);
    line->setSpacing(10);
    auto* left = new QVBoxLayout;
    left->setSpacing(10);
    left->addWidget(m_barsFrame, 1);
    auto* card = new Card({}, {}, this);
    bindText(card, [card] {
        card->setTitle(say("window.remedy.title"));
        card->setSubtitle(say("window.remedy.subtitle"));
    });
    card->body()->addWidget(m_remedies);
    card->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    left->addWidget(card);
    line->addLayout(left, 5);
    line->addWidget(m_ledgerFrame, 3);
    m_bars->setMinimumHeight(240);
    m_ledgerFrame->setMinimumWidth(270);
    m_ledger->setDetailWidth(46);
    connect(m_remedies, &RemedyList::wanted, this, [this](int index) {
        const auto& all = m_remedies->remedies();
        if (index >= 0 && index < static_cast<int>(all.size()))
            Q_EMIT editsWanted(all[static_cast<std::size_t>(index)].edits,
                               all[static_cast<std::size_t>(index)].name, 0);
    });
    addLevels();
    connect(m_bars, &StackedBars::barClicked, this, [this](int index) {
        m_stage = index;
        showLedger();
    });
    connect(m_bars, &StackedBars::limitDragStarted, this, [this] { m_gesture = nextGesture(); });
    connect(m_bars, &StackedBars::limitDragged, this, &MemoryPage::dragUsable);
    connect(m_bars, &StackedBars::limitDragFinished, this, [this] { m_gesture = 0; });
}

void MemoryPage::addLevels()
{
    auto* group = addSegments(
        m_barsFrame, {"window.memory.resident", "window.memory.peak", "window.memory.reserved"},
        m_level);
    connect(group, &QButtonGroup::idClicked, this, [this](int level) {
        m_level = level;
        if (current().evaluation)
            refresh(current());
    });
}

void MemoryPage::refresh(const PageData& figures)
{
    const auto& e = *figures.evaluation;
    m_bars->setData(memoryBars(figures, true, static_cast<MemoryLevel>(m_level)));
    m_barsFrame->setSubtitle(say("window.memory.subtitle"));
    m_barsFrame->setRightText(say("window.memory.fullest",
                                  {{"stage", QString::number(static_cast<int>(e.memory.peakStage))},
                                   {"size", shown(e.memory.reserved.si(), Unit::GibiBytes)},
                                   {"usable", shown(e.memory.usable.si(), Unit::GibiBytes)}}));
    showLedger();
}

void MemoryPage::setRemedies(std::vector<Remedy> remedies)
{
    m_remedies->setRemedies(std::move(remedies));
}

void MemoryPage::showLedger()
{
    if (!current().evaluation)
        return;
    const auto& e = *current().evaluation;
    const auto count = static_cast<int>(e.memory.stages.size());
    const int stage =
        m_stage >= 0 && m_stage < count ? m_stage : static_cast<int>(e.memory.peakStage);
    m_bars->setSelectedBar(stage);
    m_ledger->setRows(ledgerRows(e, static_cast<std::size_t>(stage)));
    m_ledgerFrame->setSubtitle(say("window.memory.ofStage", {{"stage", QString::number(stage)}}));
}

void MemoryPage::dragUsable(double gibi)
{
    if (!current().scenario)
        return;
    const auto& chip = current().scenario->cluster.chip;
    const double usable = gibi * kGibi;
    // The line is what a framework sees. Where the plan gives that number it is the one that
    // moves; the device is never smaller than what is seen of it.
    PageEdits edits;
    if (chip.hbmUsableBytes) {
        edits.emplace_back("cluster.chip.hbm_usable_bytes", usable);
        edits.emplace_back("cluster.chip.hbm_bytes", std::max(chip.hbmBytes, usable));
    } else {
        const double seen = current().evaluation->memory.usable.si();
        edits.emplace_back("cluster.chip.hbm_bytes",
                           seen > 0 ? usable * chip.hbmBytes / seen : usable);
    }
    Q_EMIT editsWanted(edits, say("window.memory.undo", {{"size", shown(usable, Unit::GibiBytes)}}),
                       m_gesture);
}

} // namespace cw::views
