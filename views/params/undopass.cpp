// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/params/undopass.h"

#include <QKeyEvent>
#include <QKeySequence>
#include <QLineEdit>

namespace cw::views {

UndoPass::UndoPass(QLineEdit* field) : QObject(field), m_field(field)
{
    field->installEventFilter(this);
}

bool UndoPass::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride)
        return QObject::eventFilter(watched, event);
    const auto* key = static_cast<const QKeyEvent*>(event);
    const bool idle = (key->matches(QKeySequence::Undo) && !m_field->isUndoAvailable()) ||
                      (key->matches(QKeySequence::Redo) && !m_field->isRedoAvailable());
    if (!idle)
        return QObject::eventFilter(watched, event);
    event->ignore();
    return true;
}

} // namespace cw::views
