// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/controllers/filecontroller.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QUrl>

#include "app/dialogs/faultsdialog.h"
#include "app/dialogs/newplandialog.h"
#include "resources/embedded.h"
#include "views/text/words.h"

namespace cw::app {

using namespace Qt::StringLiterals;
using views::say;

namespace {

QString suffix()
{
    return u".clusterwright"_s;
}

QString fileFilter()
{
    return say("window.open.filter") + u" (*.clusterwright);;"_s + say("window.open.all") +
           u" (*)"_s;
}

std::string_view exampleText(const QString& id)
{
    return resources::file("examples/" + id.toStdString() + ".clusterwright");
}

} // namespace

FileController::FileController(Document& document, QWidget* window)
    : QObject(window), m_document(document), m_window(window), m_autosave(document),
      m_leftovers(Autosave::leftovers())
{
}

bool FileController::openNamed(const QString& name)
{
    if (!QFileInfo::exists(name) && !exampleText(name).empty())
        return openExample(name);
    return open(name);
}

bool FileController::show(const Document::Opening& opening, const QString& name)
{
    if (opening.opened()) {
        if (!opening.lockedBy.isEmpty())
            QMessageBox::warning(m_window, say("window.open.lockedTitle"),
                                 say("window.open.locked", {{"who", opening.lockedBy}}));
        if (!opening.notices.empty()) {
            auto* dialog = new FaultsDialog(say("window.open.notices"),
                                            say("window.open.noticesLine", {{"file", name}}),
                                            opening.notices, m_window);
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            dialog->show();
        }
        return true;
    }
    const QString summary =
        opening.fileError.isEmpty()
            ? say("window.open.faults",
                  {{"file", name}, {"n", QString::number(static_cast<int>(opening.faults.size()))}})
            : say("window.open.failed", {{"file", name}, {"reason", opening.fileError}});
    auto* dialog =
        new FaultsDialog(say("window.open.failedTitle"), summary, opening.faults, m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
    return false;
}

bool FileController::open(const QString& fileName)
{
    if (!mayLeave())
        return false;
    const QString absolute = QFileInfo(fileName).absoluteFilePath();
    if (!show(m_document.open(absolute), QFileInfo(fileName).fileName()))
        return false;
    m_recent.add(absolute);
    return true;
}

bool FileController::openExample(const QString& id)
{
    if (!mayLeave())
        return false;
    return show(m_document.openText(exampleText(id), {}), id);
}

void FileController::openDialog()
{
    const QString start = m_document.fileName().isEmpty()
                              ? QDir::homePath()
                              : QFileInfo(m_document.fileName()).absolutePath();
    const QString name =
        QFileDialog::getOpenFileName(m_window, say("window.open.title"), start, fileFilter());
    if (!name.isEmpty())
        open(name);
}

void FileController::newFromPreset()
{
    if (!mayLeave())
        return;
    NewPlanDialog dialog(m_window);
    if (dialog.exec() == QDialog::Accepted)
        m_document.take(dialog.plan(), {});
}

bool FileController::write(const QString& fileName)
{
    const QString error = m_document.saveAs(fileName);
    if (!error.isEmpty()) {
        QMessageBox::critical(m_window, say("window.save.failedTitle"),
                              say("window.save.failed", {{"file", fileName}, {"reason", error}}));
        return false;
    }
    m_recent.add(fileName);
    Q_EMIT notice(say("window.save.done", {{"file", QFileInfo(fileName).fileName()}}));
    return true;
}

bool FileController::save()
{
    return m_document.fileName().isEmpty() ? saveAs() : write(m_document.fileName());
}

bool FileController::saveAs()
{
    QString start = m_document.fileName();
    if (start.isEmpty())
        start = QDir::home().filePath(m_document.title().replace(u'/', u'-') + suffix());
    QString name =
        QFileDialog::getSaveFileName(m_window, say("window.save.title"), start, fileFilter());
    if (name.isEmpty())
        return false;
    if (QFileInfo(name).suffix().isEmpty())
        name += suffix();
    return write(name);
}

void FileController::closePlan()
{
    if (m_document.isOpen() && mayLeave())
        m_document.close();
}

bool FileController::mayLeave()
{
    if (!m_document.isOpen() || !m_document.isModified())
        return true;
    QMessageBox box(QMessageBox::Question, say("window.leave.title"),
                    say("window.leave.text", {{"title", m_document.title()}}),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, m_window);
    box.setDefaultButton(QMessageBox::Save);
    switch (box.exec()) {
    case QMessageBox::Save:
        return save();
    case QMessageBox::Discard:
        m_autosave.forget();
        return true;
    default:
        return false;
    }
}

void FileController::recover(int index)
{
    if (index < 0 || index >= m_leftovers.size() || !mayLeave())
        return;
    const Autosave::Leftover leftover = m_leftovers[index];
    QFile file(leftover.copy);
    if (!file.open(QIODevice::ReadOnly))
        return;
    const std::string text = file.readAll().toStdString();
    if (!show(m_document.openText(text, leftover.fileName), leftover.title))
        return;
    m_document.markModified();
    m_autosave.saveNow();
    Autosave::discard(leftover);
    m_leftovers.removeAt(index);
    Q_EMIT leftoversChanged();
}

void FileController::discard(int index)
{
    if (index < 0 || index >= m_leftovers.size())
        return;
    Autosave::discard(m_leftovers[index]);
    m_leftovers.removeAt(index);
    Q_EMIT leftoversChanged();
}

QStringList FileController::planFiles(const QMimeData* data)
{
    QStringList files;
    for (const QUrl& url : data->urls())
        if (url.isLocalFile() && url.toLocalFile().endsWith(suffix()))
            files << url.toLocalFile();
    return files;
}

} // namespace cw::app
