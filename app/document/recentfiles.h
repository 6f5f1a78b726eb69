// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

namespace cw::app {

/// The plan files opened last, newest first, kept in the settings.
class RecentFiles final : public QObject
{
    Q_OBJECT

public:
    static constexpr int kMost = 12;

    using QObject::QObject;
    /// Those that still exist.
    [[nodiscard]] QStringList files() const;
    void add(const QString& fileName);
    void clear();

Q_SIGNALS:
    void changed();
};

} // namespace cw::app
