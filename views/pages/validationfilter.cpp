// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/validationfilter.h"

#include <QAbstractItemView>
#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <algorithm>
#include <array>

#include "model/scenario/presets.h"
#include "views/pages/frames.h"
#include "views/params/flowlayout.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;
using calibrate::Trait;

namespace {

constexpr std::array<const char*, 2> kQuantities = {"step_time_s", "memory_bytes"};
constexpr Trait kChosen[] = {Trait::Chip,      Trait::Framework, Trait::Kind,
                             Trait::Precision, Trait::Scale,     Trait::Source};
const std::string kKeptBack = "kept-back";

const char* keyOf(Trait trait)
{
    switch (trait) {
    case Trait::Chip:
        return "chip";
    case Trait::Framework:
        return "framework";
    case Trait::Kind:
        return "kind";
    case Trait::Precision:
        return "precision";
    case Trait::Scale:
        return "scale";
    case Trait::Source:
        return "source";
    case Trait::Part:
        return "part";
    }
    return "";
}

QString scaleWord(const QString& scale)
{
    const QStringList ends = scale.split(u'-');
    const auto grouped = [](const QString& end) {
        return numberLocale().toString(end.toLongLong());
    };
    if (ends.size() != 2)
        return scale;
    if (ends[1].isEmpty())
        return say("window.validation.scaleFrom", {{"low", grouped(ends[0])}});
    return say("window.validation.scale", {{"low", grouped(ends[0])}, {"high", grouped(ends[1])}});
}

} // namespace

QString traitWord(Trait trait)
{
    return say(std::string("window.validation.trait.") + keyOf(trait));
}

QString traitValue(Trait trait, const std::string& value)
{
    QString plain = QString::fromStdString(value);
    switch (trait) {
    case Trait::Framework:
        for (const auto& preset : scenario::presetsOf("software"))
            if (preset.id == value)
                return QString::fromStdString(preset.name);
        return value.empty() ? say("window.validation.unnamed") : plain;
    case Trait::Kind:
    case Trait::Part:
        return say("window.validation.value." + value);
    case Trait::Precision:
        return plain.toUpper();
    case Trait::Scale:
        return scaleWord(plain);
    case Trait::Source:
        return QString(plain).replace(u'_', u' ');
    case Trait::Chip:
        break;
    }
    return plain;
}

ValidationFilter::ValidationFilter(QWidget* parent)
    : QWidget(parent), m_keptBack(new QCheckBox(this)), m_clear(new QPushButton(this))
{
    new FlowLayout(this, 6);
    addQuantities();
    for (const Trait trait : kChosen)
        addCombo(trait);
    layout()->addWidget(m_keptBack);
    layout()->addWidget(m_clear);
    bindText(this, [this] {
        m_keptBack->setText(say("window.validation.keptBackOnly"));
        m_keptBack->setToolTip(say("window.validation.keptBackHelp"));
        m_clear->setText(say("window.validation.clear"));
        fill();
    });
    connect(m_keptBack, &QCheckBox::toggled, this,
            [this](bool on) { choose(Trait::Part, on ? kKeptBack : std::string()); });
    connect(m_clear, &QPushButton::clicked, this, &ValidationFilter::clear);
}

void ValidationFilter::addQuantities()
{
    auto* pair = new QWidget(this);
    auto* line = new QHBoxLayout(pair);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(0);
    auto* group = new QButtonGroup(this);
    for (const char* key : {"window.validation.step", "window.validation.memory"}) {
        auto* button = new QPushButton(pair);
        button->setCheckable(true);
        button->setChecked(m_quantities.empty());
        button->setProperty("segment", true);
        bindText(button, [button, key] { setSegmentText(button, say(key)); });
        group->addButton(button, static_cast<int>(m_quantities.size()));
        m_quantities.push_back(button);
        line->addWidget(button);
    }
    connect(group, &QButtonGroup::idClicked, this, &ValidationFilter::setQuantity);
    layout()->addWidget(pair);
}

void ValidationFilter::addCombo(Trait trait)
{
    auto* combo = new QComboBox(this);
    // Narrow in the row of filters; the list shows the names in full.
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumContentsLength(11);
    m_combos[trait] = combo;
    layout()->addWidget(combo);
    connect(combo, &QComboBox::activated, this, [this, trait, combo](int index) {
        choose(trait, combo->itemData(index).toString().toStdString());
    });
}

QPushButton* ValidationFilter::quantityButton(int index) const
{
    return m_quantities.at(static_cast<std::size_t>(index));
}

void ValidationFilter::setRows(const std::vector<calibrate::RowResult>* rows)
{
    m_rows = rows;
    fill();
}

void ValidationFilter::fill()
{
    for (const Trait trait : kChosen)
        fillCombo(trait);
    const QSignalBlocker still(m_keptBack);
    m_keptBack->setChecked(m_selection.traits.count(Trait::Part) > 0);
    m_clear->setEnabled(!m_selection.traits.empty());
}

void ValidationFilter::fillCombo(Trait trait)
{
    QComboBox* combo = m_combos.at(trait);
    const auto chosen = m_selection.traits.find(trait);
    combo->clear();
    combo->addItem(say("window.validation.all", {{"trait", traitWord(trait)}}), QString());
    if (m_rows != nullptr)
        for (const auto& c : calibrate::countsOf(*m_rows, m_selection.quantity, trait))
            combo->addItem(traitValue(trait, c.value) + u"  ("_s +
                               numberLocale().toString(static_cast<qulonglong>(c.count)) + u')',
                           QString::fromStdString(c.value));
    const int index = chosen == m_selection.traits.end()
                          ? 0
                          : combo->findData(QString::fromStdString(chosen->second));
    combo->setCurrentIndex(std::max(0, index));
    combo->setAccessibleName(traitWord(trait));
    combo->setToolTip(traitWord(trait));
    combo->view()->setMinimumWidth(combo->view()->sizeHintForColumn(0) + 24);
}

void ValidationFilter::setQuantity(int index)
{
    const char* quantity = kQuantities.at(static_cast<std::size_t>(index));
    if (m_selection.quantity == quantity)
        return;
    m_selection.quantity = quantity;
    // What no row of this quantity has would show nothing at all.
    if (m_rows != nullptr)
        std::erase_if(m_selection.traits, [this](const auto& chosen) {
            const auto counts = calibrate::countsOf(*m_rows, m_selection.quantity, chosen.first);
            return std::none_of(counts.begin(), counts.end(),
                                [&chosen](const auto& c) { return c.value == chosen.second; });
        });
    fill();
    Q_EMIT changed();
}

void ValidationFilter::choose(Trait trait, const std::string& value)
{
    const calibrate::Selection before = m_selection;
    if (value.empty())
        m_selection.traits.erase(trait);
    else
        m_selection.traits[trait] = value;
    if (before == m_selection)
        return;
    fill();
    Q_EMIT changed();
}

void ValidationFilter::clear()
{
    if (m_selection.traits.empty())
        return;
    m_selection.traits.clear();
    fill();
    Q_EMIT changed();
}

} // namespace cw::views
