// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/remedylist.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <utility>

#include "views/text/words.h"
#include "views/theme/theme.h"

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

constexpr int kNarrow = 270;

QLabel* cell(const QString& text, const QString& role, Qt::Alignment side, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setAlignment(side | Qt::AlignVCenter);
    setRole(label, "role", role);
    return label;
}

} // namespace

RemedyList::RemedyList(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(6);
    m_grid->setVerticalSpacing(2);
    m_grid->setColumnStretch(0, 1);
    bindText(this, [this] { rebuild(); });
}

void RemedyList::setRemedies(std::vector<Remedy> remedies)
{
    if (remedies == m_remedies)
        return;
    m_remedies = std::move(remedies);
    rebuild();
}

void RemedyList::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const bool narrow = width() < kNarrow;
    if (narrow == m_narrow)
        return;
    m_narrow = narrow;
    // Not while the layout that brought this size is at work.
    QTimer::singleShot(0, this, &RemedyList::rebuild);
}

void RemedyList::rebuild()
{
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    if (m_remedies.empty()) {
        auto* none = cell(say("window.remedy.none"), u"secondary"_s, Qt::AlignLeft, this);
        none->setWordWrap(true);
        m_grid->addWidget(none, 0, 0, 1, 4);
        return;
    }
    m_grid->addWidget(cell(say("window.remedy.saves"), u"note"_s, Qt::AlignRight, this), 0, 1);
    m_grid->addWidget(cell(say("window.remedy.step"), u"note"_s, Qt::AlignRight, this), 0, 2);
    for (std::size_t i = 0; i < m_remedies.size(); ++i)
        addRow(static_cast<int>(i), m_remedies[i]);
}

void RemedyList::addRow(int index, const Remedy& remedy)
{
    const int row = m_narrow ? 2 * index + 2 : index + 1;
    auto* name = cell(remedy.name, u"plain"_s, Qt::AlignLeft, this);
    name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    name->setToolTip(remedy.name);
    m_narrow ? m_grid->addWidget(name, row - 1, 0, 1, 4) : m_grid->addWidget(name, row, 0);
    m_grid->addWidget(
        cell(remedy.saves, remedy.helps ? u"strong"_s : u"secondary"_s, Qt::AlignRight, this), row,
        1);
    m_grid->addWidget(cell(remedy.step, u"secondary"_s, Qt::AlignRight, this), row, 2);
    auto* apply = new QPushButton(say("window.checks.apply"), this);
    apply->setProperty("small", true);
    apply->setAccessibleName(say("window.checks.apply") + u": "_s + remedy.name);
    apply->setToolTip(remedy.fits ? say("window.remedy.fits") : say("window.remedy.stillNot"));
    m_grid->addWidget(apply, row, 3);
    connect(apply, &QPushButton::clicked, this, [this, index] { Q_EMIT wanted(index); });
}

} // namespace cw::views
