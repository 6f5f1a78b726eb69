// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/autosave.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QStandardPaths>
#include <QUuid>

#include "app/document/document.h"

namespace cw::app {

using namespace Qt::StringLiterals;

namespace {

QString folder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + u"/recovery"_s;
}

bool writeWhole(const QString& fileName, const QByteArray& bytes)
{
    QSaveFile file(fileName);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
}

} // namespace

Autosave::Autosave(Document& document, QObject* parent) : QObject(parent), m_document(document)
{
    m_copy =
        folder() + u'/' + QUuid::createUuid().toString(QUuid::WithoutBraces) + u".clusterwright"_s;
    m_timer.setSingleShot(true);
    m_timer.setInterval(kDelayMs);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::saveNow);
    connect(&document, &Document::changed, this, &Autosave::stateChanged);
    connect(&document, &Document::fileChanged, this, &Autosave::stateChanged);
}

Autosave::~Autosave() = default;

void Autosave::stateChanged()
{
    if (m_document.isOpen() && m_document.isModified())
        m_timer.start();
    else
        forget();
}

bool Autosave::saveNow()
{
    if (!m_document.isOpen() || !m_document.isModified())
        return false;
    QDir().mkpath(folder());
    if (!m_lock) {
        m_lock = std::make_unique<QLockFile>(m_copy + u".lock"_s);
        m_lock->setStaleLockTime(0);
        m_lock->tryLock(0);
    }
    const QJsonObject about{{u"file"_s, m_document.fileName()}, {u"title"_s, m_document.title()}};
    return writeWhole(m_copy, QByteArray::fromStdString(scenario::writePlan(m_document.plan()))) &&
           writeWhole(m_copy + u".about"_s, QJsonDocument(about).toJson());
}

void Autosave::forget()
{
    m_timer.stop();
    QFile::remove(m_copy);
    QFile::remove(m_copy + u".about"_s);
    m_lock.reset();
}

QList<Autosave::Leftover> Autosave::leftovers()
{
    QList<Leftover> found;
    const QFileInfoList copies =
        QDir(folder()).entryInfoList({u"*.clusterwright"_s}, QDir::Files, QDir::Time);
    for (const QFileInfo& info : copies) {
        const QString copy = info.absoluteFilePath();
        QLockFile lock(copy + u".lock"_s);
        lock.setStaleLockTime(0);
        if (!lock.tryLock(0))
            continue; // its window is still there
        QFile about(copy + u".about"_s);
        QJsonObject object;
        if (about.open(QIODevice::ReadOnly))
            object = QJsonDocument::fromJson(about.readAll()).object();
        found.append({copy, object.value(u"file"_s).toString(), object.value(u"title"_s).toString(),
                      info.lastModified()});
    }
    return found;
}

void Autosave::discard(const Leftover& leftover)
{
    QFile::remove(leftover.copy);
    QFile::remove(leftover.copy + u".about"_s);
}

} // namespace cw::app
