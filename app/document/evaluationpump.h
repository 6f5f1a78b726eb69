// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>

#include "model/evaluation/evaluation.h"

namespace cw::app {

class Document;

/// Evaluates the plan after edits, at most once in a turn of the event loop, however many edits
/// there were.
class EvaluationPump final : public QObject
{
    Q_OBJECT

public:
    using Result = std::shared_ptr<const evaluation::Evaluation>;

    explicit EvaluationPump(Document& document, QObject* parent = nullptr);

    [[nodiscard]] const Result& newest() const { return m_newest; }
    /// Of the pinned baseline; null where there is none.
    [[nodiscard]] const Result& baseline() const { return m_baseline; }
    /// How long the last evaluation took.
    [[nodiscard]] double milliseconds() const { return m_milliseconds; }
    /// Evaluates now what waits; for tests and pictures.
    void flush();

Q_SIGNALS:
    void evaluated();

private:
    void run();

    Document& m_document;
    QTimer m_timer;
    Result m_newest;
    Result m_baseline;
    bool m_baselineStale = true;
    double m_milliseconds = 0;
};

} // namespace cw::app
