// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/newplandialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <algorithm>

#include "model/scenario/presets.h"
#include "model/units/text.h"
#include "views/params/valuetext.h"
#include "views/presets/presetpicker.h"
#include "views/text/words.h"

namespace cw::app {

using namespace Qt::StringLiterals;
using views::say;

namespace {

QString nameOfPreset(const char* kind, const std::string& id)
{
    const auto* preset = scenario::findPreset(kind, id);
    return QString::fromStdString(preset ? preset->name : id);
}

} // namespace

NewPlanDialog::NewPlanDialog(QWidget* parent)
    : QDialog(parent), m_modelButton(new QPushButton(this)), m_systemButton(new QPushButton(this)),
      m_chips(new QLineEdit(u"1024"_s, this))
{
    setWindowTitle(say("window.new.title"));
    auto* form = new QFormLayout(this);
    form->addRow(say("window.new.model"), m_modelButton);
    form->addRow(say("window.new.system"), m_systemButton);
    form->addRow(say("window.new.chips"), m_chips);
    m_modelButton->setAccessibleName(say("window.new.model"));
    m_systemButton->setAccessibleName(say("window.new.system"));
    m_chips->setAccessibleName(say("window.new.chips"));
    for (QPushButton* button : {m_modelButton, m_systemButton})
        button->setMinimumWidth(300);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Ok)->setText(say("window.new.create"));
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_modelButton, &QPushButton::clicked, this, [this] { choose("model", m_model); });
    connect(m_systemButton, &QPushButton::clicked, this, [this] { choose("system", m_system); });
    showChoice();
}

void NewPlanDialog::choose(const char* kind, std::string& id)
{
    views::PresetPicker picker(kind, QString::fromStdString(id), this);
    if (picker.exec() == QDialog::Accepted && !picker.chosenId().isEmpty())
        id = picker.chosenId().toStdString();
    showChoice();
}

void NewPlanDialog::showChoice()
{
    m_modelButton->setText(nameOfPreset("model", m_model));
    m_modelButton->setToolTip(views::keyNumbersOf("model", m_model));
    m_systemButton->setText(nameOfPreset("system", m_system));
    m_systemButton->setToolTip(views::keyNumbersOf("system", m_system));
}

scenario::Plan NewPlanDialog::planOf(const std::string& model, const std::string& system,
                                     std::int64_t chips)
{
    scenario::Plan plan;
    scenario::applyPreset(plan.scenario, "model", model);
    scenario::applyPreset(plan.scenario, "cluster", system);
    plan.scenario.cluster.chips = std::max<std::int64_t>(1, chips);
    const QString name = nameOfPreset("model", model) + u" · "_s + nameOfPreset("system", system);
    plan.name = name.toStdString();
    return plan;
}

scenario::Plan NewPlanDialog::plan() const
{
    const auto typed =
        units::parse(views::plainNumberText(m_chips->text()).toStdString(), units::Unit::None);
    const double chips = std::clamp(typed.value_or(1024), 1.0, 1e8);
    return planOf(m_model, m_system, static_cast<std::int64_t>(chips));
}

} // namespace cw::app
