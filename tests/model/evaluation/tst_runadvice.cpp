// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <algorithm>
#include <cmath>

#include "model/evaluation/evaluation.h"
#include "model/scenario/presets.h"
#include "model/scenario/registry.h"

using cw::evaluation::evaluate;
using cw::evaluation::Evaluation;
using cw::scenario::CheckpointPlan;
using cw::scenario::CheckpointTier;
using cw::scenario::FailurePolicy;
using cw::scenario::Scenario;

namespace {

Scenario plan()
{
    Scenario s;
    cw::scenario::applyPreset(s, "model", "llama3.1-405b");
    s.cluster.chips = 16384;
    s.parallelism.tensor = 8;
    s.parallelism.pipeline = 16;
    s.workload.globalBatchSequences = 2048;
    return s;
}

CheckpointPlan tier(CheckpointTier kind, std::optional<double> interval = {})
{
    CheckpointPlan c;
    c.tier = kind;
    c.interval = interval;
    return c;
}

const cw::evaluation::Note* find(const Evaluation& e, std::string_view rule)
{
    for (const auto& note : e.advice)
        if (note.rule == rule)
            return &note;
    return nullptr;
}

bool breaks(const Evaluation& e, std::string_view rule)
{
    return std::any_of(e.violations.begin(), e.violations.end(),
                       [&](const auto& v) { return v.rule == rule; });
}

Scenario changed(Scenario s, const cw::evaluation::Note& note)
{
    for (const auto& [path, text] : note.change) {
        for (const auto& p : cw::scenario::parameters(s)) {
            if (p.path != path)
                continue;
            const auto value = cw::scenario::parseValue(p, text);
            if (!value || cw::scenario::setValue(s, path, *value))
                qFatal("refused");
            break;
        }
    }
    return s;
}

} // namespace

class TestRunAdvice : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hostMemoryDiesWithItsNode();
    void givenIntervalsAreKept();
    void whatIsNotKeptIsTold_data();
    void whatIsNotKeptIsTold();
    void rareSaves();
    void policyAndPool();
    void newNodesAreSentTheirState();
    void jobsShareTheSpares();
    void sparesDrawWithTheirNodes();
    void phasesAreChecked();
};

void TestRunAdvice::hostMemoryDiesWithItsNode()
{
    // 78% of the failures of an all-cause rate are hardware's.
    Scenario s = plan();
    s.reliability.chipHoursPerFailure = 50677;
    s.reliability.checkpoints = {tier(CheckpointTier::Host), tier(CheckpointTier::Peer),
                                 tier(CheckpointTier::FileSystem)};
    auto e = evaluate(s);
    QVERIFY(std::abs(e.run.tiers[0].serves - 0.22) < 1e-9);
    QVERIFY(std::abs(e.run.tiers[1].serves - 0.78) < 1e-9);
    QVERIFY(std::abs(e.run.tiers[2].serves) < 1e-9);
    QVERIFY(find(e, "advice.serves-less") == nullptr);
    // A share that is given counts up to that.
    s.reliability.checkpoints[0].servesShare = 0.1;
    QVERIFY(std::abs(evaluate(s).run.tiers[0].serves - 0.1) < 1e-9);
    s.reliability.checkpoints[0].servesShare = 0.9;
    e = evaluate(s);
    QVERIFY(std::abs(e.run.tiers[0].serves - 0.22) < 1e-9);
    QVERIFY(find(e, "advice.serves-less") != nullptr);
    // Without a tier that outlives a node there is nothing to go back to.
    s.reliability.checkpoints = {tier(CheckpointTier::Host)};
    QVERIFY(find(evaluate(s), "advice.no-tier-survives") != nullptr);
    s.reliability.checkpoints.push_back(tier(CheckpointTier::FileSystem));
    QVERIFY(find(evaluate(s), "advice.no-tier-survives") == nullptr);
}

void TestRunAdvice::givenIntervalsAreKept()
{
    // The open tiers before do not keep a given one from its interval.
    Scenario s = plan();
    s.reliability.checkpoints = {tier(CheckpointTier::Host), tier(CheckpointTier::Peer),
                                 tier(CheckpointTier::FileSystem, 1800)};
    const auto e = evaluate(s);
    QVERIFY2(std::abs(e.run.tiers[2].interval.si() / 1800 - 1) < 0.5,
             qPrintable(QString::number(e.run.tiers[2].interval.si())));
    QVERIFY(e.run.tiers[1].interval.si() <= 1800);
    // Left open, it is saved for silent corruptions: days apart, not months.
    s.reliability.checkpoints[2].interval.reset();
    QVERIFY(evaluate(s).run.tiers[2].interval.si() < 5 * 86400);
}

void TestRunAdvice::whatIsNotKeptIsTold_data()
{
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("rule");
    QTest::newRow("a second") << 0 << "advice.interval-step";
    QTest::newRow("none") << 1 << "advice.interval-step";
    QTest::newRow("below the drain") << 2 << "advice.interval-drain";
    QTest::newRow("file system before host") << 3 << "advice.interval-order";
    QTest::newRow("no multiple") << 4 << "advice.interval-multiple";
    QTest::newRow("all as given") << 5 << "";
}

void TestRunAdvice::whatIsNotKeptIsTold()
{
    QFETCH(int, which);
    QFETCH(QString, rule);
    Scenario s = plan();
    auto& tiers = s.reliability.checkpoints;
    if (which < 2) {
        tiers = {tier(CheckpointTier::FileSystem, which == 0 ? 1 : 0)};
    } else if (which == 2) {
        s.storage.pools = {{}};
        s.storage.pools[0].writeBandwidth = 1e10;
        tiers = {tier(CheckpointTier::FileSystem, 60)};
    } else if (which == 3) {
        tiers = {tier(CheckpointTier::FileSystem, 1800), tier(CheckpointTier::Host, 60)};
    } else {
        tiers = {tier(CheckpointTier::Host, 600),
                 tier(CheckpointTier::FileSystem, which == 4 ? 900 : 1800)};
    }
    const auto e = evaluate(s);
    for (const char* any : {"advice.interval-step", "advice.interval-drain",
                            "advice.interval-order", "advice.interval-multiple"})
        QCOMPARE(find(e, any) != nullptr, rule == QLatin1StringView(any));
    if (rule.isEmpty())
        return;
    const auto* note = find(e, rule.toStdString());
    QVERIFY(!note->change.empty());
    const auto mended = evaluate(changed(s, *note));
    QVERIFY(find(mended, rule.toStdString()) == nullptr);
    if (which == 3)
        QCOMPARE(mended.run.tiers[0].interval.si(), 60.0);
}

void TestRunAdvice::rareSaves()
{
    Scenario s = plan();
    s.reliability.chipHoursPerFailure = 16384;
    s.reliability.checkpoints = {tier(CheckpointTier::FileSystem, 4 * 3600)};
    const auto e = evaluate(s);
    const auto* note = find(e, "advice.interval-beyond-failures");
    QVERIFY(note != nullptr);
    const auto mended = evaluate(changed(s, *note));
    QVERIFY(mended.run.goodput > 2 * e.run.goodput);
    QVERIFY(find(mended, "advice.interval-beyond-failures") == nullptr);
    s.reliability.checkpoints[0].interval = 600;
    QVERIFY(find(evaluate(s), "advice.interval-beyond-failures") == nullptr);
    s.reliability.checkpoints[0].blocking = 7200;
    s.reliability.checkpoints[0].asynchronous = false;
    const auto blocked = evaluate(s);
    note = find(blocked, "advice.save-beyond-failures");
    QVERIFY(note != nullptr);
    QVERIFY(evaluate(changed(s, *note)).run.goodput > 2 * blocked.run.goodput);
}

void TestRunAdvice::policyAndPool()
{
    Scenario s = plan();
    s.reliability.policy = FailurePolicy::DropReplica;
    QVERIFY(find(evaluate(s), "advice.one-replica") == nullptr);
    s.cluster.chips = 128;
    s.parallelism.data = 1;
    QVERIFY(find(evaluate(s), "advice.one-replica") != nullptr);
    s.parallelism.offload.target = cw::scenario::OffloadTarget::Pool;
    QVERIFY(find(evaluate(s), "advice.no-pool") == nullptr);
    s.parallelism.offload.optimizer = 1;
    QVERIFY(find(evaluate(s), "advice.no-pool") != nullptr);
    s.cluster.node.poolMemoryBytes = 1e13;
    QVERIFY(find(evaluate(s), "advice.no-pool") == nullptr);
}

void TestRunAdvice::newNodesAreSentTheirState()
{
    Scenario s = plan();
    s.reliability.policy = FailurePolicy::HotSpare;
    s.reliability.checkpoints = {tier(CheckpointTier::Peer)};
    auto e = evaluate(s);
    // 405.8 billion parameters over 8 x 16 chips in 2 bytes, and more optimizer state than none.
    const double weights = 405.8e9 / 128 * 2 / s.cluster.network.scaleOut.bandwidth;
    QVERIFY2(e.run.restartParts.restore.si() > weights, qPrintable(QString::number(weights)));
    QVERIFY(e.run.restartParts.restore.si() < 8 * weights);
    // A file system is read in full by all.
    s.storage.pools = {{}};
    s.storage.pools[0].readBandwidth = 1e11;
    s.reliability.checkpoints = {tier(CheckpointTier::FileSystem)};
    e = evaluate(s);
    const double whole = e.run.checkpointBytes.si() / 1e11;
    QVERIFY(std::abs(e.run.restartParts.restore.si() / whole - 1) < 1e-9);
}

void TestRunAdvice::jobsShareTheSpares()
{
    Scenario s = plan();
    const double one = evaluate(s).run.spareChips;
    s.workload.jobs = 4;
    const auto four = evaluate(s);
    // A quarter of the chips in each job, but all of them fail.
    QVERIFY2(std::abs(four.run.spareChips - one) <= 8, qPrintable(QString::number(one)));
    QVERIFY(four.run.spareCoverage > 0.98);
    QVERIFY(four.run.otherLost.repairWait / four.run.wall < 0.005);
}

void TestRunAdvice::sparesDrawWithTheirNodes()
{
    Scenario s = plan();
    const auto with = evaluate(s);
    s.reliability.repair = 0;
    const auto none = evaluate(s);
    const double more = (with.power.typical.it - none.power.typical.it).si();
    const double chips = s.cluster.chip.idlePower * with.run.spareChips;
    QVERIFY(with.spares.power.si() > 1.2 * chips);
    // What they add to the machine, but for their ports of the network.
    QVERIFY2(std::abs(with.spares.power.si() / more - 1) < 0.1,
             qPrintable(QString::number(with.spares.power.si() / more)));
}

void TestRunAdvice::phasesAreChecked()
{
    Scenario s = plan();
    s.workload.trainingTokens = 1e12;
    cw::scenario::Phase a;
    a.name = "a";
    a.trainingTokens = 1e12;
    cw::scenario::Phase b;
    b.name = "b";
    s.workload.phases = {a, b};
    QVERIFY(breaks(evaluate(s), "rule.phase-empty"));
    s.workload.phases = {a};
    s.workload.phases[0].rampFromSequences = 256;
    s.workload.phases[0].rampTokens = 2e12;
    QVERIFY(breaks(evaluate(s), "rule.ramp-tokens"));
    s.workload.phases[0].rampTokens = 1e11;
    QVERIFY(evaluate(s).violations.empty());
    s.workload.phases[0].rampFromSequences = 4096;
    QVERIFY(breaks(evaluate(s), "rule.ramp-from"));
    s.workload.phases[0].rampFromSequences = 200; // 128 replicas
    const auto e = evaluate(s);
    QVERIFY(breaks(e, "rule.ramp-divides"));
    QCOMPARE(e.violations.front().nearest.front(), 256.0);
}

QTEST_APPLESS_MAIN(TestRunAdvice)
#include "tst_runadvice.moc"
