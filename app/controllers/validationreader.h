// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>
#include <atomic>

namespace cw::views {
class ValidationPage;
}

namespace cw::app {

/// Predicts the published rows in a thread of its own, once, when its page is first shown.
class ValidationReader final : public QObject
{
    Q_OBJECT

public:
    explicit ValidationReader(views::ValidationPage& page, QObject* parent = nullptr);
    ~ValidationReader() override;

    /// Waits until what was started is done and shown; for tests and pictures.
    void flush();

private:
    void start();

    views::ValidationPage& m_page;
    QThreadPool m_pool;
    std::atomic_bool m_stop = false;
};

} // namespace cw::app
