// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

#include "app/document/autosave.h"
#include "app/document/document.h"
#include "app/document/recentfiles.h"

class QMimeData;
class QWidget;

namespace cw::app {

/// Opening and saving with all that is said about it. Nothing that is not saved is lost without
/// being asked for.
class FileController final : public QObject
{
    Q_OBJECT

public:
    FileController(Document& document, QWidget* window);

    [[nodiscard]] RecentFiles& recent() { return m_recent; }
    [[nodiscard]] Autosave& autosave() { return m_autosave; }
    [[nodiscard]] QList<Autosave::Leftover> leftovers() const { return m_leftovers; }

    /// A file, or the id of a worked example.
    bool openNamed(const QString& name);
    bool open(const QString& fileName);
    bool openExample(const QString& id);
    void openDialog();
    void newFromPreset();
    bool save();
    bool saveAs();
    void closePlan();
    /// Whether the present plan may go: it is saved, or the reader gives it up.
    bool mayLeave();
    void recover(int index);
    void discard(int index);
    /// The plan files that are dragged over the window.
    [[nodiscard]] static QStringList planFiles(const QMimeData* data);

Q_SIGNALS:
    void leftoversChanged();
    /// Something worth a line in the status bar.
    void notice(const QString& text);

private:
    bool show(const Document::Opening& opening, const QString& name);
    bool write(const QString& fileName);

    Document& m_document;
    QWidget* m_window;
    RecentFiles m_recent;
    Autosave m_autosave;
    QList<Autosave::Leftover> m_leftovers;
};

} // namespace cw::app
