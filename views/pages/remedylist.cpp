// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/remedylist.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "views/common/elidedlabel.h"
#include "views/text/words.h"
#include "views/theme/theme.h"

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

constexpr int kNarrow = 270;
constexpr int kBars = 440;
constexpr int kWide = 660;

/// What is saved, against the most that any saves.
class SavesBar final : public QWidget
{
public:
    SavesBar(double share, QWidget* parent) : QWidget(parent), m_share(share)
    {
        setMinimumWidth(60);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        setFixedHeight(9);
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override
    {
        const Theme& theme = Theme::of(this);
        QPainter painter(this);
        painter.fillRect(rect(), theme.sunken);
        painter.fillRect(QRectF(0, 0, width() * m_share, height()), theme.better);
    }

private:
    double m_share;
};

/// A difference of what should be small: an arrow for the direction, a sign, and its colour for
/// good or bad.
QLabel* change(const QString& text, double difference, QWidget* parent)
{
    const QString arrow = difference > 0 ? u"▲ "_s : difference < 0 ? u"▼ "_s : QString();
    auto* label = new QLabel(arrow + text, parent);
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    if (difference != 0)
        setRole(label, "change", difference < 0 ? u"better"_s : u"worse"_s);
    return label;
}

/// One line that is cut with an ellipsis, and told whole by its tip.
ElidedLabel* elided(const QString& text, const QString& role, const QString& tip, QWidget* parent)
{
    auto* label = new ElidedLabel(parent);
    label->setText(text);
    label->setToolTip(tip);
    setRole(label, "role", role);
    return label;
}

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
    m_grid->setHorizontalSpacing(10);
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
    if (room() == m_room)
        return;
    m_room = room();
    // Not while the layout that brought this size is at work.
    QTimer::singleShot(0, this, &RemedyList::rebuild);
}

RemedyList::Room RemedyList::room() const
{
    return width() < kNarrow ? Room::Stacked
           : width() < kBars ? Room::Line
           : width() < kWide ? Room::Bars
                             : Room::Wide;
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
        m_grid->addWidget(none, 0, 0, 1, 6);
        return;
    }
    const bool wide = m_room == Room::Wide;
    const bool bars = m_room == Room::Bars || wide;
    m_grid->setColumnStretch(0, 3);
    m_grid->setColumnStretch(1, bars ? 2 : 0);
    m_grid->setColumnStretch(4, wide ? 5 : 0);
    const auto head = [this](const char* key, int column, Qt::Alignment side) {
        m_grid->addWidget(cell(say(key), u"secondary"_s, side, this), 0, column);
    };
    if (bars) {
        head("window.remedy.change", 0, Qt::AlignLeft);
        head("window.remedy.savesBar", 1, Qt::AlignLeft);
    }
    if (wide)
        head("window.remedy.why", 4, Qt::AlignLeft);
    head("window.remedy.saves", 2, Qt::AlignRight);
    head("window.remedy.step", 3, Qt::AlignRight);
    for (std::size_t i = 0; i < m_remedies.size(); ++i)
        addRow(static_cast<int>(i), m_remedies[i]);
}

void RemedyList::addRow(int index, const Remedy& remedy)
{
    const bool stacked = m_room == Room::Stacked;
    const int row = stacked ? 2 * index + 2 : index + 1;
    auto* name =
        elided(remedy.name, u"strong"_s,
               remedy.why.isEmpty() ? remedy.name : remedy.name + u'\n' + remedy.why, this);
    stacked ? m_grid->addWidget(name, row - 1, 0, 1, 6) : m_grid->addWidget(name, row, 0);
    m_grid->addWidget(change(remedy.saves, -remedy.saved, this), row, 2);
    m_grid->addWidget(change(remedy.step, remedy.slower, this), row, 3);
    if (m_room == Room::Bars || m_room == Room::Wide) {
        double most = 0;
        for (const Remedy& other : m_remedies)
            most = std::max(most, other.saved);
        m_grid->addWidget(new SavesBar(most > 0 ? remedy.saved / most : 0, this), row, 1);
    }
    if (m_room == Room::Wide) {
        auto* why = elided(remedy.why, u"secondary"_s, remedy.why, this);
        why->setContentsMargins(8, 0, 0, 0);
        m_grid->addWidget(why, row, 4);
    }
    auto* apply = new QPushButton(say("window.checks.apply"), this);
    apply->setProperty("small", true);
    apply->setAccessibleName(say("window.checks.apply") + u": "_s + remedy.name);
    apply->setToolTip(remedy.fits ? say("window.remedy.fits") : say("window.remedy.stillNot"));
    m_grid->addWidget(apply, row, 5);
    connect(apply, &QPushButton::clicked, this, [this, index] { Q_EMIT wanted(index); });
}

} // namespace cw::views
