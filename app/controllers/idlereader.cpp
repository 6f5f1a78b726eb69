// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/controllers/idlereader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "model/evaluation/assumptions.h"
#include "model/evaluation/memoryrule.h"
#include "views/text/words.h"

namespace cw::app {

using scenario::Value;

namespace {
constexpr int kStillMs = 200;

bool isChinese()
{
    return views::language() == views::Language::Chinese;
}

/// The plan with all of the edits; nothing where one changes nothing or is refused.
std::optional<evaluation::Evaluation> tried(const scenario::Scenario& s,
                                            const std::vector<Edit>& edits)
{
    scenario::Scenario after = s;
    const bool taken = std::all_of(edits.begin(), edits.end(), [&after](const Edit& edit) {
        const auto before = scenario::valueAt(after, edit.first);
        return before && *before != edit.second &&
               !scenario::setValue(after, edit.first, edit.second);
    });
    if (!taken)
        return {};
    return evaluation::evaluate(after);
}

/// No fault but that it still does not fit.
bool isLegal(const evaluation::Evaluation& e)
{
    return std::all_of(e.violations.begin(), e.violations.end(),
                       [](const auto& v) { return evaluation::isMemoryRule(v.rule); });
}
} // namespace

std::vector<std::vector<Edit>> remediesFor(const scenario::Scenario& s)
{
    using Names = std::vector<std::string>;
    const auto& p = s.parallelism;
    std::vector<std::vector<Edit>> all = {
        {{"parallelism.recompute", Value(Names{"selective"})}},
        {{"parallelism.recompute", Value(Names{"full"})}},
        {{"precision.gradients", Value(std::string("bf16"))}},
        {{"precision.activations", Value(std::string("fp8"))}},
        {{"parallelism.zero_stage", Value(2.0)}},
        {{"parallelism.zero_stage", Value(3.0)}},
        {{"parallelism.offload.optimizer", Value(1.0)}},
        {{"parallelism.tensor", Value(static_cast<double>(p.tensor) * 2)}},
        {{"parallelism.pipeline", Value(static_cast<double>(p.pipeline) * 2)}},
    };
    if (p.expert > 1)
        all.push_back({{"parallelism.expert", Value(static_cast<double>(p.expert) * 2)}});
    return all;
}

std::vector<std::vector<Edit>> topologiesFor(const scenario::Scenario& s)
{
    std::vector<std::vector<Edit>> all;
    const auto& network = s.cluster.network;
    if (s.cluster.chips <= network.scaleUp.chips)
        return all;
    for (const std::string_view name : scenario::EnumNames<scenario::ScaleOutTopology>::value) {
        if (name == scenario::nameOf(network.scaleOut.topology))
            continue;
        std::vector<Edit> edits;
        if (!network.scaleOut.shape.empty())
            edits.emplace_back("cluster.network.scale_out.shape", Value(std::vector<double>{}));
        edits.emplace_back("cluster.network.scale_out.topology", Value(std::string(name)));
        all.push_back(std::move(edits));
    }
    return all;
}

IdleReading readIdly(const scenario::Scenario& s, bool chinese)
{
    IdleReading reading;
    for (const auto& assumption : evaluation::assumptionsOf(s, chinese ? text::Language::Chinese
                                                                       : text::Language::English)) {
        if (reading.assumed.insert(assumption.path).second &&
            assumption.path.starts_with("cluster.chip."))
            reading.assumedLabels.push_back(assumption.label);
    }
    for (auto& edits : remediesFor(s))
        if (auto evaluation = tried(s, edits); evaluation && isLegal(*evaluation))
            reading.remedies.push_back({std::move(edits), std::move(*evaluation)});
    for (auto& edits : topologiesFor(s))
        if (auto evaluation = tried(s, edits))
            reading.topologies.push_back({std::move(edits), std::move(*evaluation)});
    const evaluation::Evaluation now = evaluation::evaluate(s);
    reading.limits = evaluation::limitsOf(s, now);
    evaluation::findRelaxations(reading.limits, s, now);
    return reading;
}

IdleReader::IdleReader(Document& document, EvaluationPump& pump, QObject* parent)
    : QObject(parent), m_document(document)
{
    m_pool.setMaxThreadCount(1);
    m_timer.setSingleShot(true);
    m_timer.setInterval(kStillMs);
    connect(&m_timer, &QTimer::timeout, this, &IdleReader::start);
    connect(&pump, &EvaluationPump::evaluated, this, [this] {
        ++m_ticket;
        m_timer.start();
    });
}

IdleReader::~IdleReader()
{
    m_pool.clear();
    m_pool.waitForDone();
}

void IdleReader::start()
{
    if (!m_document.isOpen())
        return;
    m_pool.clear();
    m_pool.start([this, ticket = m_ticket, plan = m_document.scenario(), chinese = isChinese()] {
        IdleReading reading = readIdly(plan, chinese);
        QMetaObject::invokeMethod(
            this, [this, ticket, found = std::move(reading)] { take(ticket, found); },
            Qt::QueuedConnection);
    });
}

void IdleReader::flush()
{
    if (!m_timer.isActive() || !m_document.isOpen())
        return;
    m_timer.stop();
    take(m_ticket, readIdly(m_document.scenario(), isChinese()));
}

void IdleReader::take(quint64 ticket, const IdleReading& reading)
{
    if (ticket != m_ticket || !m_document.isOpen())
        return;
    m_newest = reading;
    Q_EMIT read();
}

} // namespace cw::app
