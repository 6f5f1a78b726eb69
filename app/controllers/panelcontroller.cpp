// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/controllers/panelcontroller.h"

#include "app/controllers/reading.h"
#include "model/scenario/presets.h"
#include "views/params/parampanel.h"
#include "views/params/valuetext.h"
#include "views/presets/presetpicker.h"
#include "views/text/words.h"

namespace cw::app {

using namespace Qt::StringLiterals;

std::string partOfPreset(const std::string& path)
{
    return path.substr(0, path.rfind('.'));
}

PanelController::PanelController(Document& document, EvaluationPump& pump, views::ParamPanel& panel,
                                 QObject* parent)
    : QObject(parent), m_document(document), m_pump(pump), m_panel(panel)
{
    using views::ParamPanel;
    connect(&panel, &ParamPanel::edited, this, &PanelController::edit);
    connect(&panel, &ParamPanel::presetWanted, this, &PanelController::pickPreset);
    connect(&panel, &ParamPanel::lockToggled, this, [this](const QString& path, bool locked) {
        m_document.setLocked(path.toStdString(), locked);
    });
    connect(&panel, &ParamPanel::resetWanted, this,
            [this](const QString& path) { m_document.resetToPreset(path.toStdString()); });
    connect(&panel, &ParamPanel::keepDataWanted, this, [this](bool keepData) {
        m_document.setKeepFixed(keepData ? KeepFixed::DataParallel : KeepFixed::Chips,
                                dataDegreeOf(m_document.scenario(), m_pump.newest().get()));
    });
    connect(&document, &Document::locksChanged, this, &PanelController::refresh);
    connect(&document, &Document::baselineChanged, this, &PanelController::refresh);
    connect(&pump, &EvaluationPump::evaluated, this, [this] {
        refresh();
        summarize();
    });
}

void PanelController::refresh()
{
    if (!m_document.isOpen())
        return;
    views::PanelState state;
    state.scenario = &m_document.scenario();
    state.preset = &m_document.presetScenario();
    state.baseline = m_document.baseline() ? &*m_document.baseline() : nullptr;
    state.locked = m_document.locked();
    state.scaled = scaledValues(m_document.scenario());
    state.keepData = m_document.keepFixed() == KeepFixed::DataParallel;
    if (const auto& evaluation = m_pump.newest()) {
        state.derived = derivedTexts(m_document.scenario(), *evaluation);
        state.derivedNumbers = derivedNumbers(*evaluation);
        state.problems = problemTexts(*evaluation);
    }
    m_panel.setState(state);
}

void PanelController::summarize()
{
    if (const auto& evaluation = m_pump.newest())
        for (const auto& [group, text] : groupSummaries(m_document.scenario(), *evaluation))
            m_panel.setSummary(group, text);
}

void PanelController::edit(const QString& path, const scenario::Value& value, quint64 gesture)
{
    const std::string p = path.toStdString();
    if (m_document.isLocked(p))
        return;
    say(m_document.requestEdit(p, value, gesture), p);
}

void PanelController::editTogether(const std::vector<Edit>& edits, const QString& text,
                                   GestureToken gesture)
{
    if (!edits.empty())
        say(m_document.requestEdits(edits, text, gesture), edits.front().first);
}

void PanelController::say(const std::optional<scenario::Refusal>& refusal, const std::string& path)
{
    if (!refusal)
        return;
    Q_EMIT refused(QString::fromStdString(path) + u": "_s +
                   views::sayMessage(refusal->code, {{"allowed", refusal->allowed}}));
}

void PanelController::pickPreset(const QString& path)
{
    const std::string p = path.toStdString();
    std::string kind;
    for (const auto& parameter : scenario::parameters(m_document.scenario()))
        if (parameter.path == p)
            kind = parameter.presetKind;
    if (kind.empty())
        return;
    const auto value = scenario::valueAt(m_document.scenario(), p);
    const auto* id = value ? std::get_if<std::string>(&*value) : nullptr;
    views::PresetPicker picker(kind, id ? QString::fromStdString(*id) : QString(), &m_panel);
    if (picker.exec() == QDialog::Accepted && !picker.chosenId().isEmpty())
        say(m_document.requestPreset(partOfPreset(p), picker.chosenId().toStdString()), p);
}

} // namespace cw::app
