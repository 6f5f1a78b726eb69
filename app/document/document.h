// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QUndoStack>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/document/editcommand.h"
#include "app/document/filelock.h"
#include "model/scenario/plan.h"
#include "model/scenario/registry.h"

namespace cw::app {

/// What stays fixed while the degrees of parallelism change.
enum class KeepFixed : std::uint8_t
{
    Chips,
    DataParallel
};

using Edit = std::pair<std::string, scenario::Value>;

/// The plan that is open: its scenario, its history, its file. Widgets hold no state of their own;
/// they ask for edits here and are told what became of them.
class Document : public QObject
{
    Q_OBJECT

public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    [[nodiscard]] bool isOpen() const { return m_open; }
    [[nodiscard]] const scenario::Plan& plan() const { return m_plan; }
    [[nodiscard]] const scenario::Scenario& scenario() const { return m_plan.scenario; }
    [[nodiscard]] QUndoStack& history() { return m_history; }
    [[nodiscard]] const QString& fileName() const { return m_fileName; }
    [[nodiscard]] bool isModified() const { return !m_history.isClean(); }
    /// Name of the plan, of its file, or "Untitled".
    [[nodiscard]] QString title() const;

    /// One edit as one undo step; edits of one gesture and one path make one step together. Answers
    /// why not where it is refused; the plan is then as it was.
    std::optional<scenario::Refusal>
    requestEdit(std::string_view path, const scenario::Value& value, GestureToken gesture = 0);
    /// Several edits as one undo step, all or none.
    std::optional<scenario::Refusal> requestEdits(const std::vector<Edit>& edits,
                                                  const QString& text, GestureToken gesture = 0);
    /// Starts a part anew from a preset, as one undo step; locked inputs keep their values.
    std::optional<scenario::Refusal> requestPreset(std::string_view partPath, std::string_view id);
    void resetToPreset(std::string_view path);

    [[nodiscard]] bool isLocked(std::string_view path) const;
    void setLocked(std::string_view path, bool locked);
    [[nodiscard]] const std::set<std::string>& locked() const { return m_locked; }
    [[nodiscard]] KeepFixed keepFixed() const { return m_keepFixed; }
    /// With DataParallel the degree is written into the plan and the chips follow from then on.
    void setKeepFixed(KeepFixed keep, std::int64_t dataDegree);

    /// The pinned plan that changes are shown against.
    [[nodiscard]] const std::optional<scenario::Scenario>& baseline() const { return m_baseline; }
    [[nodiscard]] const QString& baselineName() const { return m_baselineName; }
    void pinBaseline();
    void unpinBaseline();

    /// The plan as presets and defaults give it: what "changed" is measured by.
    [[nodiscard]] const scenario::Scenario& presetScenario() const;

    /// Takes a plan in place of the present one. `fileName` is empty for a plan without a file.
    void take(scenario::Plan plan, const QString& fileName);
    void markModified();
    struct Opening
    {
        scenario::Faults faults;
        scenario::Faults notices;
        QString fileError; ///< of the system, where the file cannot be read
        QString lockedBy;  ///< who has it open; here it is then a copy without a file
        [[nodiscard]] bool opened() const { return faults.empty() && fileError.isEmpty(); }
    };
    /// Opens a file; with faults the present plan stays as it is.
    Opening open(const QString& fileName);
    /// Reads a plan from text, as `open` does.
    Opening openText(std::string_view json, const QString& fileName);
    /// Writes the plan whole or not at all; answers what went wrong.
    QString saveAs(const QString& fileName);
    void close();

    // For EditCommand.
    void restore(const EditCommand::Snapshot& snapshot);
    [[nodiscard]] QString editText(std::string_view path, const scenario::Scenario& before,
                                   const scenario::Scenario& after) const;

Q_SIGNALS:
    /// The scenario is another.
    void changed();
    /// Another plan is open, or the file's name or state changed.
    void fileChanged();
    void locksChanged();
    void baselineChanged();

private:
    void push(scenario::Scenario after, std::string path, const QString& text,
              GestureToken gesture);
    void followDegrees(scenario::Scenario& scenario, std::string_view path) const;

    bool m_open = false;
    scenario::Plan m_plan;
    QUndoStack m_history;
    QString m_fileName;
    FileLock m_lock;
    std::set<std::string> m_locked;
    KeepFixed m_keepFixed = KeepFixed::Chips;
    std::optional<scenario::Scenario> m_baseline;
    QString m_baselineName;
    mutable std::optional<scenario::Scenario> m_presetScenario;
    mutable std::optional<scenario::Parameter> m_lastTold;
};

} // namespace cw::app
