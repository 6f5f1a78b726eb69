// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/editcommand.h"

#include <utility>

#include "app/document/document.h"
#include "model/scenario/registry.h"

namespace cw::app {

EditCommand::EditCommand(Document& document, Snapshot before, Snapshot after, std::string path,
                         GestureToken gesture)
    : m_document(document), m_before(std::move(before)), m_after(std::move(after)),
      m_path(std::move(path)), m_gesture(gesture)
{
}

void EditCommand::describe()
{
    if (!m_path.empty())
        setText(m_document.editText(m_path, *m_before, *m_after));
}

void EditCommand::undo()
{
    m_document.restore(m_before);
}

void EditCommand::redo()
{
    m_document.restore(m_after);
}

bool EditCommand::continues(const EditCommand& before) const
{
    return m_gesture != 0 && before.m_gesture == m_gesture;
}

bool EditCommand::mergeWith(const QUndoCommand* other)
{
    const auto* next = static_cast<const EditCommand*>(other);
    if (!next->continues(*this))
        return false;
    m_after = next->m_after;
    setObsolete(*m_before == *m_after);
    describe();
    return true;
}

} // namespace cw::app
