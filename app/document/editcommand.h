// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUndoCommand>
#include <memory>

#include "model/scenario/scenario.h"

namespace cw::app {

class Document;

/// Which edits belong together: all of one drag carry the same token; 0 stands alone.
using GestureToken = quint64;

/// One edit, as the plan before and after it.
class EditCommand final : public QUndoCommand
{
public:
    using Snapshot = std::shared_ptr<const scenario::Scenario>;

    /// `path` is what was edited, "" for several at once.
    EditCommand(Document& document, Snapshot before, Snapshot after, std::string path,
                GestureToken gesture);

    void undo() override;
    void redo() override;
    [[nodiscard]] int id() const override { return 1; }
    /// Merges an edit of the same gesture. Back at the start, nothing is left.
    bool mergeWith(const QUndoCommand* other) override;
    /// Whether it is of the same gesture as one before, so that the two merge; the path may differ
    /// where the first edit made the list that the next ones change.
    [[nodiscard]] bool continues(const EditCommand& before) const;
    /// Names itself by what it changes.
    void describe();

private:
    Document& m_document;
    Snapshot m_before;
    Snapshot m_after;
    std::string m_path;
    GestureToken m_gesture;
};

} // namespace cw::app
