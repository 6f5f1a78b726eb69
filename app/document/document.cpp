// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/document.h"

#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <algorithm>
#include <utility>

#include "model/scenario/presets.h"
#include "views/params/valuetext.h"
#include "views/text/words.h"

namespace cw::app {

using namespace Qt::StringLiterals;
using scenario::Scenario;
using scenario::Value;

namespace {

QString toQString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// The parameter at a path, for its label and unit.
std::optional<scenario::Parameter> parameterAt(const Scenario& s, std::string_view path)
{
    const auto all = scenario::parameters(s);
    const auto found = std::find_if(
        all.begin(), all.end(), [path](const scenario::Parameter& p) { return p.path == path; });
    if (found == all.end())
        return {};
    return *found;
}

} // namespace

Document::Document(QObject* parent) : QObject(parent)
{
    connect(&m_history, &QUndoStack::cleanChanged, this, &Document::fileChanged);
}

Document::~Document()
{
    // The stack tells of its end while members are already gone.
    m_history.disconnect(this);
}

QString Document::title() const
{
    if (!m_plan.name.empty())
        return toQString(m_plan.name);
    if (!m_fileName.isEmpty())
        return QFileInfo(m_fileName).completeBaseName();
    return views::say("window.untitled");
}

void Document::push(Scenario after, std::string path, const QString& text, GestureToken gesture)
{
    if (after == m_plan.scenario)
        return;
    auto before = std::make_shared<const Scenario>(m_plan.scenario);
    auto* command = new EditCommand(*this, std::move(before),
                                    std::make_shared<const Scenario>(std::move(after)),
                                    std::move(path), gesture);
    // What merges into the command before lends it no text: a drag makes one for each frame.
    const auto* last =
        m_history.index() > 0 && m_history.index() != m_history.cleanIndex()
            ? static_cast<const EditCommand*>(m_history.command(m_history.index() - 1))
            : nullptr;
    if (!text.isEmpty())
        command->setText(text);
    else if (last == nullptr || !command->continues(*last))
        command->describe();
    m_history.push(command);
}

void Document::followDegrees(Scenario& s, std::string_view path) const
{
    if (m_keepFixed != KeepFixed::DataParallel || path == "cluster.chips" || !s.parallelism.data)
        return;
    const auto& p = s.parallelism;
    s.cluster.chips = p.tensor * p.context * p.pipeline * *p.data * s.workload.jobs +
                      s.cluster.spareChips.value_or(0);
}

std::optional<scenario::Refusal> Document::requestEdit(std::string_view path, const Value& value,
                                                       GestureToken gesture)
{
    Scenario after = m_plan.scenario;
    if (auto refusal = scenario::setValue(after, path, value))
        return refusal;
    if (path.starts_with("parallelism."))
        followDegrees(after, path);
    push(std::move(after), std::string(path), {}, gesture);
    return {};
}

std::optional<scenario::Refusal> Document::requestEdits(const std::vector<Edit>& edits,
                                                        const QString& text, GestureToken gesture)
{
    Scenario after = m_plan.scenario;
    for (const auto& [path, value] : edits)
        if (auto refusal = scenario::setValue(after, path, value))
            return refusal;
    const std::string path = edits.size() == 1 || gesture != 0 ? edits.front().first : "";
    push(std::move(after), path, text, gesture);
    return {};
}

std::optional<scenario::Refusal> Document::requestPreset(std::string_view partPath,
                                                         std::string_view id)
{
    Scenario after = m_plan.scenario;
    const std::vector<std::string> keep(m_locked.begin(), m_locked.end());
    if (auto refusal = scenario::applyPreset(after, partPath, id, keep))
        return refusal;
    push(std::move(after), std::string(partPath) + ".preset", {}, 0);
    return {};
}

void Document::resetToPreset(std::string_view path)
{
    if (const auto value = scenario::valueAt(presetScenario(), path))
        requestEdit(path, *value);
}

bool Document::isLocked(std::string_view path) const
{
    return m_locked.contains(std::string(path));
}

void Document::setLocked(std::string_view path, bool locked)
{
    if (locked)
        m_locked.emplace(path);
    else
        m_locked.erase(std::string(path));
    Q_EMIT locksChanged();
}

void Document::setKeepFixed(KeepFixed keep, std::int64_t dataDegree)
{
    m_keepFixed = keep;
    if (keep == KeepFixed::DataParallel)
        requestEdit("parallelism.data", static_cast<double>(dataDegree));
    else
        requestEdit("parallelism.data", Value());
    Q_EMIT locksChanged();
}

void Document::pinBaseline()
{
    m_baseline = m_plan.scenario;
    m_baselineName = m_history.undoText(); // empty: as it was opened
    Q_EMIT baselineChanged();
}

void Document::unpinBaseline()
{
    m_baseline.reset();
    m_baselineName.clear();
    Q_EMIT baselineChanged();
}

const Scenario& Document::presetScenario() const
{
    if (!m_presetScenario)
        m_presetScenario = scenario::presetBaseline(m_plan.scenario);
    return *m_presetScenario;
}

void Document::restore(const EditCommand::Snapshot& snapshot)
{
    m_plan.scenario = *snapshot;
    m_presetScenario.reset();
    Q_EMIT changed();
}

QString Document::editText(std::string_view path, const Scenario& before,
                           const Scenario& after) const
{
    // A drag asks for the same one at each move.
    if (!m_lastTold || m_lastTold->path != path)
        m_lastTold = parameterAt(after, path);
    if (!m_lastTold)
        return toQString(path);
    const auto text = [&](const Scenario& s) {
        const auto value = scenario::valueAt(s, path);
        return value ? views::shownText(*m_lastTold, *value) : u"–"_s;
    };
    return views::shortLabelOf(*m_lastTold) + u' ' + text(before) + u" → "_s + text(after);
}

void Document::take(scenario::Plan plan, const QString& fileName)
{
    m_plan = std::move(plan);
    m_fileName = fileName;
    m_open = true;
    m_locked.clear();
    m_keepFixed = m_plan.scenario.parallelism.data ? KeepFixed::DataParallel : KeepFixed::Chips;
    m_presetScenario.reset();
    m_history.clear();
    if (fileName.isEmpty())
        m_lock.release();
    pinBaseline();
    Q_EMIT fileChanged();
    Q_EMIT locksChanged();
    Q_EMIT changed();
}

void Document::markModified()
{
    m_history.resetClean();
    Q_EMIT fileChanged();
}

Document::Opening Document::openText(std::string_view json, const QString& fileName)
{
    Opening opening;
    auto reading = scenario::readPlan(json);
    opening.faults = std::move(reading.faults);
    opening.notices = std::move(reading.notices);
    if (!opening.faults.empty() || !reading.plan) {
        if (opening.faults.empty())
            opening.fileError = views::say("window.open.unreadable");
        return opening;
    }
    take(std::move(*reading.plan), fileName);
    return opening;
}

Document::Opening Document::open(const QString& fileName)
{
    Opening opening;
    QFile file(fileName);
    if (!file.open(QIODevice::ReadOnly)) {
        opening.fileError = file.errorString();
        return opening;
    }
    if (file.size() > static_cast<qint64>(scenario::kLargestPlanBytes)) {
        opening.fileError = views::say("window.open.tooLarge");
        return opening;
    }
    const QByteArray bytes = file.readAll();
    opening = openText({bytes.constData(), static_cast<std::size_t>(bytes.size())}, fileName);
    if (!opening.opened())
        return opening;
    opening.lockedBy = m_lock.take(fileName);
    if (!opening.lockedBy.isEmpty()) {
        // A copy without a file: saving asks for a name and overwrites nobody's work.
        m_fileName.clear();
        Q_EMIT fileChanged();
    }
    return opening;
}

QString Document::saveAs(const QString& fileName)
{
    const std::string text = scenario::writePlan(m_plan);
    QSaveFile file(fileName);
    if (!file.open(QIODevice::WriteOnly) ||
        file.write(text.data(), static_cast<qint64>(text.size())) !=
            static_cast<qint64>(text.size()) ||
        !file.commit())
        return file.errorString();
    if (fileName != m_fileName) {
        m_fileName = fileName;
        m_lock.take(fileName);
    }
    m_history.setClean();
    Q_EMIT fileChanged();
    return {};
}

void Document::close()
{
    m_open = false;
    m_plan = {};
    m_fileName.clear();
    m_lock.release();
    m_history.clear();
    Q_EMIT fileChanged();
}

} // namespace cw::app
