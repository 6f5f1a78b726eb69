// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/evaluationpump.h"

#include <QElapsedTimer>

#include "app/document/document.h"

namespace cw::app {

EvaluationPump::EvaluationPump(Document& document, QObject* parent)
    : QObject(parent), m_document(document)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(0);
    connect(&m_timer, &QTimer::timeout, this, &EvaluationPump::run);
    connect(&document, &Document::changed, &m_timer, qOverload<>(&QTimer::start));
    connect(&document, &Document::baselineChanged, this, [this] {
        m_baselineStale = true;
        m_timer.start();
    });
}

void EvaluationPump::flush()
{
    if (!m_timer.isActive())
        return;
    m_timer.stop();
    run();
}

void EvaluationPump::run()
{
    if (!m_document.isOpen())
        return;
    QElapsedTimer clock;
    clock.start();
    m_newest =
        std::make_shared<const evaluation::Evaluation>(evaluation::evaluate(m_document.scenario()));
    m_milliseconds = static_cast<double>(clock.nsecsElapsed()) / 1e6;
    if (m_baselineStale) {
        const auto& baseline = m_document.baseline();
        m_baseline =
            baseline
                ? std::make_shared<const evaluation::Evaluation>(evaluation::evaluate(*baseline))
                : nullptr;
        m_baselineStale = false;
    }
    Q_EMIT evaluated();
}

} // namespace cw::app
