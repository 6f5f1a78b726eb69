// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>

class QLockFile;

namespace cw::app {

/// Tells other windows that a plan file is open here, so that two never overwrite each other
/// silently.
class FileLock
{
public:
    FileLock();
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

    /// Takes the lock of a file, giving up the former one. Answers who holds it where somebody else
    /// does; a lock that cannot be written (a read-only folder) is none.
    QString take(const QString& fileName);
    void release();

private:
    std::unique_ptr<QLockFile> m_lock;
};

} // namespace cw::app
