// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/filelock.h"

#include <QDir>
#include <QFileInfo>
#include <QLockFile>

namespace cw::app {

using namespace Qt::StringLiterals;

FileLock::FileLock() = default;
FileLock::~FileLock() = default;

QString FileLock::take(const QString& fileName)
{
    release();
    const QFileInfo info(fileName);
    auto lock = std::make_unique<QLockFile>(
        info.absoluteDir().filePath(u".~lock."_s + info.fileName() + u"#"_s));
    lock->setStaleLockTime(0); // a plan may stay open for days
    if (lock->tryLock(0)) {
        m_lock = std::move(lock);
        return {};
    }
    if (lock->error() != QLockFile::LockFailedError)
        return {};
    qint64 pid = 0;
    QString host;
    QString program;
    lock->getLockInfo(&pid, &host, &program);
    return program + u" ("_s + QString::number(pid) + u") @ "_s + host;
}

void FileLock::release()
{
    m_lock.reset();
}

} // namespace cw::app
