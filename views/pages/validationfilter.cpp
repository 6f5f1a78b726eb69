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

/// By mode: what the rows are of, and what the button says.
struct ModeOfRows
{
    const char* quantity;
    const char* text;
};
constexpr std::array<ModeOfRows, 5> kModes = {
    {{"step_time_s", "window.validation.step"},
     {"memory_bytes", "window.validation.memory"},
     {"collective_time_s", "window.validation.collectives"},
     {"fits", "window.validation.verdict"},
     {"step_time_s", "window.validation.order"}}};
constexpr Trait kChosen[] = {Trait::Chip,  Trait::Framework, Trait::Kind, Trait::Precision,
                             Trait::Scale, Trait::Source,    Trait::Sweep};
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
    case Trait::Sweep:
        return "sweep";
    }
    return "";
}

QString systemName(const std::string& id)
{
    for (const auto& preset : scenario::presetsOf("system"))
        if (preset.id == id)
            return QString::fromStdString(preset.name);
    return QString::fromStdString(id);
}

/// "8 to 64 chips", or "under 1 MiB" of buffers.
QString scaleWord(const QString& scale)
{
    if (scale.contains("MiB"_L1))
        return say("window.validation.size." + scale.toStdString());
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

QString traitWord(Trait trait, ValidationMode mode)
{
    const bool other =
        mode == ValidationMode::Collectives && (trait == Trait::Chip || trait == Trait::Framework ||
                                                trait == Trait::Kind || trait == Trait::Scale);
    return say((other ? "window.validation.collectiveTrait." : "window.validation.trait.") +
               std::string(keyOf(trait)));
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
        return systemName(value); // a chip's name is no system's
    case Trait::Sweep:
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
    auto* group = new QButtonGroup(this);
    auto* row = new QWidget(this);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(0);
    for (const ModeOfRows& mode : kModes) {
        auto* button = new QPushButton(row);
        button->setCheckable(true);
        button->setChecked(m_quantities.empty());
        button->setProperty("segment", true);
        bindText(button, [button, mode] { setSegmentText(button, say(mode.text)); });
        group->addButton(button, static_cast<int>(m_quantities.size()));
        m_quantities.push_back(button);
        line->addWidget(button);
    }
    connect(group, &QButtonGroup::idClicked, this,
            [this](int index) { setMode(static_cast<ValidationMode>(index)); });
    layout()->addWidget(row);
}

void ValidationFilter::addCombo(Trait trait)
{
    auto* combo = new QComboBox(this);
    // Narrow in the row of filters; the list shows the names in full.
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumContentsLength(trait == Trait::Sweep ? 44 : 11);
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

void ValidationFilter::setRows(const calibrate::Validation* rows)
{
    m_rows = rows;
    fill();
}

bool ValidationFilter::offers(Trait trait) const
{
    if (m_mode == ValidationMode::Order || trait == Trait::Sweep)
        return m_mode == ValidationMode::Order && trait == Trait::Sweep;
    return m_rows == nullptr ||
           calibrate::countsOf(m_rows->rows, m_selection.quantity, trait).size() > 1;
}

void ValidationFilter::fill()
{
    for (const Trait trait : kChosen) {
        m_combos.at(trait)->setVisible(offers(trait));
        if (trait == Trait::Sweep)
            fillSweeps();
        else if (offers(trait))
            fillCombo(trait);
    }
    const QSignalBlocker still(m_keptBack);
    m_keptBack->setChecked(m_selection.traits.count(Trait::Part) > 0);
    m_keptBack->setVisible(offers(Trait::Part));
    m_clear->setVisible(m_mode != ValidationMode::Order);
    m_clear->setEnabled(!m_selection.traits.empty());
}

void ValidationFilter::fillCombo(Trait trait)
{
    QComboBox* combo = m_combos.at(trait);
    const auto chosen = m_selection.traits.find(trait);
    const QString name = traitWord(trait, m_mode);
    combo->clear();
    combo->addItem(say("window.validation.all", {{"trait", name}}), QString());
    if (m_rows != nullptr)
        for (const auto& c : calibrate::countsOf(m_rows->rows, m_selection.quantity, trait))
            combo->addItem(traitValue(trait, c.value) + u"  ("_s +
                               numberLocale().toString(static_cast<qulonglong>(c.count)) + u')',
                           QString::fromStdString(c.value));
    const int index = chosen == m_selection.traits.end()
                          ? 0
                          : combo->findData(QString::fromStdString(chosen->second));
    combo->setCurrentIndex(std::max(0, index));
    combo->setAccessibleName(name);
    combo->setToolTip(name);
    combo->view()->setMinimumWidth(combo->view()->sizeHintForColumn(0) + 24);
}

/// One sweep is always chosen: layouts of different ones have no order.
void ValidationFilter::fillSweeps()
{
    QComboBox* combo = m_combos.at(Trait::Sweep);
    combo->clear();
    combo->setAccessibleName(traitWord(Trait::Sweep));
    combo->setToolTip(traitWord(Trait::Sweep));
    if (m_rows == nullptr || m_mode != ValidationMode::Order || m_rows->sweeps.empty())
        return;
    for (const auto& sweep : m_rows->sweeps) {
        const QString name = QString::fromStdString(sweep.name);
        combo->addItem(name, name);
    }
    std::string& chosen = m_selection.traits[Trait::Sweep];
    if (combo->findData(QString::fromStdString(chosen)) < 0)
        chosen = m_rows->sweeps.front().name;
    combo->setCurrentIndex(combo->findData(QString::fromStdString(chosen)));
}

void ValidationFilter::setMode(ValidationMode mode)
{
    if (m_mode == mode)
        return;
    if (mode == ValidationMode::Order || m_mode == ValidationMode::Order)
        m_selection.traits.clear();
    m_mode = mode;
    m_selection.quantity = kModes.at(static_cast<std::size_t>(mode)).quantity;
    dropWhatNoRowHas();
    fill();
    Q_EMIT changed();
}

/// It would show nothing at all.
void ValidationFilter::dropWhatNoRowHas()
{
    if (m_rows == nullptr)
        return;
    std::erase_if(m_selection.traits, [this](const auto& chosen) {
        const auto counts = calibrate::countsOf(m_rows->rows, m_selection.quantity, chosen.first);
        return std::none_of(counts.begin(), counts.end(),
                            [&chosen](const auto& c) { return c.value == chosen.second; });
    });
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
    if (m_selection.traits.empty() || m_mode == ValidationMode::Order)
        return;
    m_selection.traits.clear();
    fill();
    Q_EMIT changed();
}

} // namespace cw::views
