// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QLineEdit;

namespace cw::views {

/// Undo and redo in a field that has nothing of its own to take back are the plan's: after Return,
/// Ctrl+Z takes back what was entered. (A QLineEdit keeps these keys even where they do nothing.)
class UndoPass final : public QObject
{
    Q_OBJECT

public:
    /// Belongs to the field.
    explicit UndoPass(QLineEdit* field);
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QLineEdit* m_field;
};

} // namespace cw::views
