// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QLockFile>
#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>

namespace cw::app {

class Document;

/// Keeps a copy of unsaved work beside the application's data. The copy goes when the work is saved
/// or given up; one that is left tells of a crash.
class Autosave final : public QObject
{
    Q_OBJECT

public:
    static constexpr int kDelayMs = 30000;

    /// What a former window left behind.
    struct Leftover
    {
        QString copy;     ///< the file with the unsaved work
        QString fileName; ///< of the plan; empty where it had none
        QString title;
        QDateTime time;
    };

    explicit Autosave(Document& document, QObject* parent = nullptr);
    ~Autosave() override;

    /// Copies of windows that are no longer there.
    [[nodiscard]] static QList<Leftover> leftovers();
    static void discard(const Leftover& leftover);
    /// Writes the copy now, where there is unsaved work; answers whether a copy stands.
    bool saveNow();
    void setDelay(int milliseconds) { m_timer.setInterval(milliseconds); }
    /// Removes the copy: the work is saved or given up.
    void forget();

private:
    void stateChanged();

    Document& m_document;
    QTimer m_timer;
    QString m_copy;
    std::unique_ptr<QLockFile> m_lock;
};

} // namespace cw::app
