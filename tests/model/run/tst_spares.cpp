// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <cmath>

#include "model/evaluation/evaluation.h"
#include "model/evaluation/goodputband.h"
#include "model/run/checkpoint.h"
#include "model/run/failures.h"
#include "model/run/process.h"
#include "model/run/shares.h"
#include "model/run/simulate.h"
#include "model/scenario/presets.h"

using cw::run::FailurePart;
using cw::scenario::CheckpointTier;
using cw::scenario::FailurePolicy;
using cw::scenario::Inputs;
using cw::scenario::Scenario;
using Bytes = cw::units::Bytes<double>;
using Seconds = cw::units::Seconds<double>;

namespace {

bool near(double value, double expected, double relative)
{
    return std::abs(value - expected) <= relative * std::abs(expected);
}

cw::run::RunLoad<double> loadOf(const Scenario& s)
{
    cw::run::RunLoad<double> load;
    load.tokensPerSecond = cw::units::TokensPerSecond<double>(1e7);
    load.mfu = 0.4;
    load.chips = static_cast<double>(s.cluster.chips);
    load.dataParallel = 64;
    load.step = Seconds(1);
    load.checkpointBytes = Bytes(1e12);
    return load;
}

cw::run::Run<double> runOf(const Scenario& s)
{
    return cw::run::run(Inputs<double>(s), loadOf(s));
}

/// Only nodes fail, and only waiting for them costs anything.
cw::run::Process<double> waiting(double mean, double repair, double spares)
{
    cw::run::Process<double> p;
    p.mean = Seconds(mean);
    cw::run::TierRun<double> tier;
    tier.interval = Seconds(20);
    tier.every = 1;
    tier.serves = 1;
    p.tiers = {tier};
    p.restart = {{}};
    p.spares = {spares, 1.0, Seconds(repair)};
    return p;
}

/// Llama 3.1 405B on 16,384 chips, with spares left open.
Scenario dense405b()
{
    Scenario s;
    cw::scenario::applyPreset(s, "model", "llama3.1-405b");
    s.cluster.chips = 16384;
    s.parallelism.tensor = 8;
    s.parallelism.pipeline = 16;
    s.workload.globalBatchSequences = 2048;
    return s;
}

} // namespace

class TestSpares : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void erlang_data();
    void erlang();
    void shortOnAverage();
    void playedWaits();
    void spareNodesPayOff();
    void replicasStayAway();
    void corruptionCountsOnce();
    void wholeJobParts();
    void sparesAreBought();
    void hostMemory();
    void checkpointMemoryIsChecked();
    void unstaggeredBursts();
    void jobsShareTheStorage();
    void goodputBand();
};

void TestSpares::erlang_data()
{
    QTest::addColumn<double>("nodes");
    QTest::addColumn<double>("spares");
    QTest::addColumn<double>("waits");
    // B(c, a) = (a^c/c!) / sum of a^k/k!, c one more than the spares; by hand.
    QTest::newRow("no spares: M up, one repair down") << 1.0 << 0.0 << 0.5;
    QTest::newRow("no spares, half") << 0.5 << 0.0 << 1.0 / 3;
    QTest::newRow("two spares") << 2.0 << 2.0 << (8.0 / 6) / (1 + 2 + 2 + 8.0 / 6);
    QTest::newRow("nothing fails") << 0.0 << 0.0 << 0.0;
    // Erlang's table: ten servers offered 5 erlang lose 1.84%.
    QTest::newRow("ten servers") << 5.0 << 9.0 << 0.018385;
}

void TestSpares::erlang()
{
    QFETCH(double, nodes);
    QFETCH(double, spares);
    QFETCH(double, waits);
    const double got = cw::run::waitsForRepair(nodes, spares);
    QVERIFY2(std::abs(got - waits) < 1e-5, qPrintable(QString::number(got, 'g', 8)));
}

void TestSpares::shortOnAverage()
{
    // E[(X - k)+] for a mean of 1: k 0: 1; k 1: 1 - P(X >= 1) = e^-1.
    QVERIFY(near(cw::run::nodesShort(1, 0), 1, 1e-12));
    QVERIFY(near(cw::run::nodesShort(1, 1), std::exp(-1.0), 1e-9));
    QVERIFY(cw::run::nodesShort(10, 100) < 1e-12);
}

void TestSpares::playedWaits()
{
    // Two nodes in repair on average, two spares: 21% of the time, whatever the repair's spread.
    const auto p = waiting(3600, 7200, 2);
    const double closed = cw::run::sharesOf(p).useful;
    QVERIFY2(near(closed, 1 - (8.0 / 6) / (5 + 8.0 / 6), 4e-3),
             qPrintable(QString::number(closed, 'g', 8)));
    const auto played = cw::run::simulate(p, 400 * 3600.0, 400, 7);
    QVERIFY2(played.goodput.low < closed && closed < played.goodput.high,
             qPrintable(QStringLiteral("%1 to %2, closed %3")
                            .arg(played.goodput.low)
                            .arg(played.goodput.high)
                            .arg(closed)));
    QVERIFY(played.goodput.high - played.goodput.low < 0.01);
}

void TestSpares::spareNodesPayOff()
{
    Scenario s;
    s.cluster.chips = 16384;
    double last = 0;
    for (const std::int64_t spares : {0, 16, 64, 160}) {
        s.cluster.spareChips = spares;
        const auto r = runOf(s);
        QVERIFY(r.goodput > last);
        last = r.goodput;
    }
    s.cluster.spareChips = 0;
    const auto none = runOf(s);
    // Seven failures of nodes a day of repair each: hardly ever all there.
    QVERIFY(none.goodput < 0.25 && none.otherLost.repairWait > none.wall * 0.7);
}

void TestSpares::replicasStayAway()
{
    Scenario s;
    s.cluster.chips = 16384;
    s.reliability.policy = FailurePolicy::DropReplica;
    const auto enough = runOf(s);
    s.cluster.spareChips = 0;
    const auto none = runOf(s);
    QVERIFY(none.goodput < enough.goodput - 0.03);
    // Some 6.4 nodes are in repair, and each keeps one of 64 replicas away.
    const double nodes = cw::run::nodesInRepair(
        Inputs<double>(s), cw::run::failureRates(Inputs<double>(s), {16384.0, 0.0, 0.0}));
    const double away = none.otherLost.replicasAway / none.wall;
    QVERIFY2(near(away, nodes / 64, 0.25), qPrintable(QString::number(away * 64 / nodes)));
}

void TestSpares::corruptionCountsOnce()
{
    // Llama 3, table 5: 262 events of chips and 6 silent corruptions, 419 in all, in 54 days.
    Scenario s;
    s.cluster.chips = 16384;
    const auto r = cw::run::failureRates(Inputs<double>(s), {16384.0, 0.0, 0.0});
    const auto in54 = [&](FailurePart part) {
        return r.parts[std::size_t(part)].si() * 54 * 86400;
    };
    QVERIFY(near(in54(FailurePart::Chip), 262, 1e-3));
    QVERIFY(near(in54(FailurePart::Corruption), 6, 2e-3));
    const auto run = runOf(s);
    double sum = 0;
    for (std::size_t i = 0; i < cw::run::kFailurePartCount; ++i)
        if (FailurePart(i) != FailurePart::Unsplit)
            sum += run.failuresPerDay[i];
    QVERIFY(near(run.failuresPerDay[std::size_t(FailurePart::Unsplit)], sum, 1e-12));
    QVERIFY(near(86400 / run.meanTimeBetweenInterruptions.si(), sum, 1e-9));
}

void TestSpares::wholeJobParts()
{
    // Where replicas survive the rest, the job's own failures still take all of it down.
    Scenario s;
    s.cluster.chips = 16384;
    s.reliability.policy = FailurePolicy::DropReplica;
    s.reliability.wholeJobShare = 0;
    const auto meanOf = [&] {
        const Inputs<double> in(s);
        return cw::run::processOf(in, loadOf(s), cw::run::failureRates(in, {16384.0, 0.0, 0.0}))
            .mean.si();
    };
    QVERIFY(meanOf() > 1e15);
    s.reliability.failuresPerYear.job = 365;
    QVERIFY(near(meanOf(), 86400, 1e-6));
    s.storage.pools = {{}};
    s.reliability.failuresPerYear.storage = 365;
    QVERIFY(near(meanOf(), 43200, 1e-6));
}

void TestSpares::sparesAreBought()
{
    Scenario s = dense405b();
    const auto open = cw::evaluation::evaluate(s);
    QVERIFY(open.run.spareChips > 0);
    s.reliability.repair = 0; // none are needed
    const auto none = cw::evaluation::evaluate(s);
    QCOMPARE(none.run.spareChips, 0.0);
    const double share = open.run.spareChips / 16384;
    const auto chips = [](const auto& e) {
        return e.cost.part(cw::cost::Part::Chips).capital.si();
    };
    QVERIFY(near(chips(open) / chips(none), 1 + share, 1e-9));
    QVERIFY(open.power.average.it > none.power.average.it);
    QVERIFY(near(open.spares.capital, open.cost.capital.si() * share / (1 + share), 1e-9));
}

void TestSpares::hostMemory()
{
    Scenario s;
    s.cluster.chips = 800;
    const auto host = [&](CheckpointTier tier, bool asynchronous) {
        cw::scenario::CheckpointPlan c;
        c.tier = tier;
        c.asynchronous = asynchronous;
        return cw::run::checkpointCost(Inputs<double>(s), c, Bytes(1e14), 800.0, Seconds(1))
            .host.si();
    };
    // 100 TB over 100 nodes.
    QCOMPARE(host(CheckpointTier::Host, true), 2e12);
    QCOMPARE(host(CheckpointTier::Peer, true), 3e12);
    QCOMPARE(host(CheckpointTier::FileSystem, true), 1e12);
    QCOMPARE(host(CheckpointTier::Nvme, false), 0.0);
}

void TestSpares::checkpointMemoryIsChecked()
{
    Scenario s;
    cw::scenario::applyPreset(s, "model", "llama3.1-405b");
    s.cluster.chips = 128;
    s.parallelism.tensor = 8;
    s.parallelism.pipeline = 16;
    s.reliability.checkpoints.resize(1);
    s.reliability.checkpoints[0].tier = CheckpointTier::Peer;
    const auto broken = [&] {
        const auto e = cw::evaluation::evaluate(s);
        return std::any_of(e.violations.begin(), e.violations.end(),
                           [](const auto& v) { return v.rule == "rule.checkpoint-memory"; });
    };
    // 405 billion parameters of 14 bytes over 16 nodes, three times: 1.06 TB.
    s.cluster.node.hostMemoryBytes = 1.0e12;
    QVERIFY(broken());
    const auto e = cw::evaluation::evaluate(s);
    const auto note = std::find_if(e.advice.begin(), e.advice.end(), [](const auto& n) {
        return n.rule == "advice.checkpoint-to-nvme";
    });
    QVERIFY(note != e.advice.end());
    s.cluster.node.hostMemoryBytes = 1.1e12;
    QVERIFY(!broken());
}

void TestSpares::unstaggeredBursts()
{
    Scenario s;
    s.cluster.chips = 1000;
    s.storage.pools = {{}};
    s.storage.prefetchSteps = 2;
    cw::scenario::CheckpointPlan c;
    const auto blocking = [&] {
        return cw::run::checkpointCost(Inputs<double>(s), c, Bytes(1e15), 1000.0, Seconds(10))
            .blocking.si();
    };
    const double staggered = blocking();
    QVERIFY(near(staggered, 1 + 1e15 / (1000 * 55e9), 1e-9));
    // 1,000 s at 1 TB/s, of which two steps were prefetched.
    c.staggered = false;
    QVERIFY(near(blocking() - staggered, 1000 - 20, 1e-9));
    // Where the data set lies elsewhere, only the network is busy: 20 s at 50 TB/s.
    s.storage.pools.push_back({});
    s.storage.pools[0].holds = {cw::scenario::PoolContent::Checkpoints};
    s.storage.pools[1].holds = {cw::scenario::PoolContent::Dataset};
    QVERIFY(near(blocking() - staggered, 20, 1e-9));
}

void TestSpares::jobsShareTheStorage()
{
    Scenario s;
    s.cluster.chips = 1000;
    s.storage.pools = {{}};
    const auto cost = [&] {
        return cw::run::checkpointCost(Inputs<double>(s), cw::scenario::CheckpointPlan{},
                                       Bytes(1e15), 1000.0, Seconds(10));
    };
    const auto one = cost();
    s.workload.jobs = 4;
    const auto four = cost();
    QCOMPARE(four.drain.si(), 4 * one.drain.si());
    QCOMPARE(four.restore.si(), one.restore.si());
}

void TestSpares::goodputBand()
{
    Scenario s = dense405b();
    const auto e = cw::evaluation::evaluate(s);
    const auto band = cw::evaluation::goodputBand(s, e);
    QVERIFY(0 < band.low && band.low < e.run.goodput && e.run.goodput < band.high && band.high < 1);
    // Corruptions that nobody sees for hours are a doubt of their own: ten times as many.
    Scenario corrupt = s;
    corrupt.reliability.corruptionPerChipYear *= 10;
    const auto more = cw::evaluation::evaluate(corrupt);
    const auto wide = cw::evaluation::goodputBand(corrupt, more);
    QVERIFY(wide.low / more.run.goodput < band.low / e.run.goodput - 0.01);
    // Fewer chips, less doubt.
    s.cluster.chips = 1024;
    const auto few = cw::evaluation::evaluate(s);
    const auto narrow = cw::evaluation::goodputBand(s, few);
    QVERIFY(narrow.high - narrow.low < band.high - band.low);
    const auto told = std::find_if(e.bands.begin(), e.bands.end(),
                                   [](const auto& b) { return b.quantity == "run.goodput"; });
    QVERIFY(told != e.bands.end() && told->low == band.low);
}

QTEST_APPLESS_MAIN(TestSpares)
#include "tst_spares.moc"
