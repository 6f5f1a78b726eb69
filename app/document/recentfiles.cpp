// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/recentfiles.h"

#include <QFileInfo>
#include <QSettings>

namespace cw::app {

using namespace Qt::StringLiterals;

namespace {
constexpr auto kKey = u"recentFiles";
QString key()
{
    return QString::fromUtf16(kKey);
}
} // namespace

QStringList RecentFiles::files() const
{
    QStringList files = QSettings().value(key()).toStringList();
    files.removeIf([](const QString& file) { return !QFileInfo::exists(file); });
    return files;
}

void RecentFiles::add(const QString& fileName)
{
    QStringList all = QSettings().value(key()).toStringList();
    const QString absolute = QFileInfo(fileName).absoluteFilePath();
    all.removeAll(absolute);
    all.prepend(absolute);
    if (all.size() > kMost)
        all.resize(kMost);
    QSettings().setValue(key(), all);
    Q_EMIT changed();
}

void RecentFiles::clear()
{
    QSettings().remove(key());
    Q_EMIT changed();
}

} // namespace cw::app
