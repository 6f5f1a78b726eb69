// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <set>
#include <string>
#include <vector>

#include "app/document/document.h"
#include "app/document/evaluationpump.h"
#include "model/evaluation/limits.h"

namespace cw::app {

/// A change of the plan and its evaluation.
struct TriedChange
{
    std::vector<Edit> edits;
    evaluation::Evaluation evaluation;
};

/// What is too slow for a drag: read once the plan has been still for a moment.
struct IdleReading
{
    std::set<std::string> assumed;          ///< paths of assumed inputs that the answer rests on
    std::vector<std::string> assumedLabels; ///< of those that describe the chip
    std::vector<TriedChange> remedies;      ///< legal changes that may save memory
    std::vector<TriedChange> topologies;    ///< the same plan on other networks
    std::vector<evaluation::Limit> limits;  ///< what binds, with the changes that relax it
};

/// Reads a plan in a thread of its own after the plan has been still.
class IdleReader final : public QObject
{
    Q_OBJECT

public:
    IdleReader(Document& document, EvaluationPump& pump, QObject* parent = nullptr);
    ~IdleReader() override;

    [[nodiscard]] const IdleReading& newest() const { return m_newest; }
    /// Reads now what waits; for tests and pictures.
    void flush();

Q_SIGNALS:
    void read();

private:
    void start();
    void take(quint64 ticket, const IdleReading& reading);

    Document& m_document;
    QTimer m_timer;
    QThreadPool m_pool;
    IdleReading m_newest;
    quint64 m_ticket = 0; ///< of the newest plan; answers to older ones are dropped
};

/// The changes that are tried, in the order they are shown.
std::vector<std::vector<Edit>> remediesFor(const scenario::Scenario& scenario);
/// The other topologies of the scale-out network, each in the shape that fits; none where all chips
/// are in one scale-up domain.
std::vector<std::vector<Edit>> topologiesFor(const scenario::Scenario& scenario);
IdleReading readIdly(const scenario::Scenario& scenario, bool chinese);

} // namespace cw::app
