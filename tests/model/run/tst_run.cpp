// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <cmath>
#include <limits>
#include <random>

#include "model/explain/trace.h"
#include "model/run/checkpoint.h"
#include "model/run/daly.h"
#include "model/run/failures.h"
#include "model/run/run.h"

using cw::explain::Traced;
using cw::explain::valueOf;
using cw::run::RunLoad;
using cw::scenario::FailurePolicy;
using cw::scenario::Inputs;
using cw::scenario::Scenario;
using Seconds = cw::units::Seconds<double>;

namespace {

constexpr double kMinute = 60;

/// A plan whose only loss is failures, saves and restarts of the given length.
Scenario bare(double chips, double chipHours, double restart, double blocking)
{
    Scenario s;
    s.cluster.chips = static_cast<std::int64_t>(chips);
    auto& r = s.reliability;
    r.chipHoursPerFailure = chipHours;
    r.detect = restart;
    r.reschedule = r.startPerDoubling = r.warmUpSteps = 0;
    r.start = 0;
    r.healthCheck = 0;
    r.stragglerShare = 0;
    r.spareQuantile = 1; // enough spares
    cw::scenario::CheckpointPlan c;
    c.blocking = blocking;
    r.checkpoints = {c};
    return s;
}

RunLoad<double> loadOf(const Scenario& s)
{
    RunLoad<double> load;
    load.tokensPerSecond = cw::units::TokensPerSecond<double>(1e7);
    load.mfu = 0.4;
    load.chips = static_cast<double>(s.cluster.chips);
    load.dataParallel = 64;
    load.step = Seconds(0.001);
    return load;
}

cw::run::Run<double> runOf(const Scenario& s)
{
    return cw::run::run(Inputs<double>(s), loadOf(s));
}

double sum(const cw::run::LostTime<double>& l)
{
    return (l.startUp + l.save + l.lostProgress + l.detection + l.restore + l.stragglers +
            l.healthChecks + l.other)
        .si();
}

bool near(double value, double expected, double relative)
{
    return std::abs(value - expected) <= relative * std::abs(expected);
}

} // namespace

class TestRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void optimum_data();
    void optimum();
    void optimumIsTheMinimum();
    void goodputTable_data();
    void goodputTable();
    void checkpointLongerThanFailures();
    void checkpoint15Minutes();
    void failureRates();
    void goodputIsAlwaysAShare();
    void lostTimeAddsUp();
    void replicaDrop();
    void hotSpareSkipsRescheduling();
    void restartParts();
    void blockingFromBandwidth();
    void tiers();
    void spares();
    void days();
    void traceReplays();
};

void TestRun::optimum_data()
{
    QTest::addColumn<double>("mean");
    QTest::addColumn<double>("minutes");
    // Daly 2006 with a checkpoint of 5 minutes.
    QTest::newRow("24 h") << 24 * 60.0 << 116.7;
    QTest::newRow("6 h") << 6 * 60.0 << 56.7;
    QTest::newRow("15 min") << 15.0 << 9.14;
}

void TestRun::optimum()
{
    QFETCH(double, mean);
    QFETCH(double, minutes);
    QVERIFY(near(cw::run::dalySeries(5, mean), minutes, 1e-3));
    const double exact = cw::run::dalyOptimum(Seconds(300), Seconds(mean * 60)).si() / 60;
    // The series is itself 0.3% off where the checkpoint is a third of M.
    QVERIFY2(near(exact, minutes, 4e-3), qPrintable(QString::number(exact)));
}

void TestRun::optimumIsTheMinimum()
{
    for (const double delta : {1e-3, 1.0, 30.0, 300.0, 3600.0, 1e5}) {
        for (const double mean : {10.0, 365.0, 86400.0, 1e9}) {
            const auto logWall = [&](double tau) {
                const double x = (tau + delta) / mean;
                return x + std::log(-std::expm1(-x)) - std::log(tau / mean);
            };
            const double tau = cw::run::dalyOptimum(Seconds(delta), Seconds(mean)).si();
            QVERIFY(logWall(tau) <= logWall(tau * 1.003));
            QVERIFY(logWall(tau) <= logWall(tau * 0.997));
            // It solves tau/M = 1 - e^(-(tau + delta)/M).
            QVERIFY(near(tau / mean, -std::expm1(-(tau + delta) / mean), 1e-6));
        }
    }
}

void TestRun::goodputTable_data()
{
    QTest::addColumn<double>("chips");
    QTest::addColumn<double>("chipHours");
    QTest::addColumn<double>("restart");
    QTest::addColumn<double>("blocking");
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    // One expression, three scales: interval optimal, rates of arXiv 2407.21783 and 2410.21680.
    QTest::newRow("16k 10 min, 30 s") << 16384.0 << 50e3 << 600.0 << 30.0 << 0.875 << 0.895;
    QTest::newRow("16k 10 min, 15 s") << 16384.0 << 50e3 << 600.0 << 15.0 << 0.885 << 0.905;
    QTest::newRow("16k 3 min") << 16384.0 << 50e3 << 180.0 << 15.0 << 0.925 << 0.935;
    QTest::newRow("16k 1 min") << 16384.0 << 50e3 << 60.0 << 6.0 << 0.955 << 0.965;
    QTest::newRow("100k 10 min, 30 s") << 1e5 << 30e3 << 600.0 << 30.0 << 0.445 << 0.455;
    QTest::newRow("100k 10 min, 15 s") << 1e5 << 30e3 << 600.0 << 15.0 << 0.475 << 0.485;
    QTest::newRow("100k 3 min") << 1e5 << 30e3 << 180.0 << 15.0 << 0.705 << 0.715;
    QTest::newRow("100k 1 min") << 1e5 << 30e3 << 60.0 << 6.0 << 0.845 << 0.855;
    QTest::newRow("100k 50k, 10 min") << 1e5 << 50e3 << 600.0 << 30.0 << 0.585 << 0.595;
    QTest::newRow("100k 50k, 3 min") << 1e5 << 50e3 << 180.0 << 15.0 << 0.785 << 0.795;
    QTest::newRow("500k 10 min") << 5e5 << 30e3 << 600.0 << 15.0 << 0.035 << 0.045;
    QTest::newRow("500k 3 min") << 5e5 << 30e3 << 180.0 << 15.0 << 0.285 << 0.295;
    QTest::newRow("500k 1 min") << 5e5 << 30e3 << 60.0 << 6.0 << 0.585 << 0.595;
    QTest::newRow("500k 50k, 10 min") << 5e5 << 50e3 << 600.0 << 30.0 << 0.115 << 0.145;
    QTest::newRow("500k 50k, 3 min") << 5e5 << 50e3 << 180.0 << 15.0 << 0.445 << 0.455;
    QTest::newRow("500k 50k, 1 min") << 5e5 << 50e3 << 60.0 << 6.0 << 0.695 << 0.705;
}

void TestRun::goodputTable()
{
    QFETCH(double, chips);
    QFETCH(double, chipHours);
    QFETCH(double, restart);
    QFETCH(double, blocking);
    QFETCH(double, low);
    QFETCH(double, high);
    const auto r = runOf(bare(chips, chipHours, restart, blocking));
    QVERIFY2(r.goodput >= low && r.goodput <= high, qPrintable(QString::number(r.goodput)));
    QVERIFY(near(r.effectiveMfu, 0.4 * r.goodput, 1e-12));
}

void TestRun::checkpointLongerThanFailures()
{
    // A failure each two hours, a blocking checkpoint of four.
    const double restarts[] = {0, 10 * kMinute, 60 * kMinute};
    const double goodputs[] = {0.052, 0.048, 0.032};
    for (int i = 0; i < 3; ++i) {
        Scenario s = bare(1000, 2000, restarts[i], 4 * 3600);
        s.reliability.checkpoints[0].asynchronous = false;
        const auto r = runOf(s);
        QVERIFY(near(r.checkpointInterval.si() / kMinute, 114, 0.005));
        QVERIFY2(std::abs(r.goodput - goodputs[i]) < 0.0005,
                 qPrintable(QString::number(r.goodput)));
    }
}

void TestRun::checkpoint15Minutes()
{
    const double restarts[] = {10, 3, 1};
    const double goodputs[] = {0.042, 0.13, 0.19};
    for (int i = 0; i < 3; ++i) {
        Scenario s = bare(5e5, 5e5 * 6.08 / 60, restarts[i] * kMinute, 15);
        s.reliability.checkpoints[0].interval = 15 * kMinute;
        auto r = runOf(s);
        QVERIFY(near(r.meanTimeBetweenInterruptions.si(), 6.08 * kMinute, 1e-9));
        QVERIFY2(near(r.goodput, goodputs[i], 0.04), qPrintable(QString::number(r.goodput)));
        s.reliability.checkpoints[0].interval = 3600;
        s.reliability.checkpoints[0].blocking = 5 * kMinute;
        QVERIFY(runOf(s).goodput < 0.0005);
        s.reliability.checkpoints[0].interval.reset();
        s.reliability.checkpoints[0].blocking = 15;
        r = runOf(s);
        QVERIFY2(near(r.checkpointInterval.si() / kMinute, 1.6, 0.03),
                 qPrintable(QString::number(r.checkpointInterval.si())));
    }
}

void TestRun::failureRates()
{
    // 1 to 2% of 500,000 chips a year: one each 105 to 53 minutes.
    Scenario s;
    s.cluster.chips = 500000;
    s.reliability.failuresPerYear = {};
    s.reliability.corruptionPerChipYear = 0;
    auto& f = s.reliability.failuresPerYear;
    f.host = f.nic = f.optic = f.networkSwitch = f.softwarePerChip = f.storage = 0;
    f.chip = 0.01;
    QVERIFY(near(runOf(s).meanTimeBetweenInterruptions.si() / kMinute, 105.1, 1e-3));
    f.chip = 0.02;
    QVERIFY(near(runOf(s).meanTimeBetweenInterruptions.si() / kMinute, 52.6, 1e-3));
    // Each part counts: 62,500 hosts, a feed for each 4,096 chips.
    f.chip = 0;
    f.host = 0.5;
    const auto perDay = [&s] {
        return 86400 / runOf(s).meanTimeBetweenInterruptions.si();
    };
    QVERIFY(near(perDay(), 62500 * 0.5 / 365, 1e-9));
    f.host = 0;
    s.reliability.domains = {{"feed", 4096, 0.2, 14400}};
    QVERIFY(near(perDay(), 123 * 0.2 / 365, 1e-9));
    // Llama 3: 419 in 54 days on 16,384, hence one each 6 minutes on 500,000 and 4.7 a day on 10k.
    s.reliability.chipHoursPerFailure = 50677;
    QVERIFY(near(runOf(s).meanTimeBetweenInterruptions.si() / kMinute, 6.08, 1e-3));
    s.cluster.chips = 16384;
    QVERIFY(near(perDay(), 419 / 54.0, 1e-3));
    s.cluster.chips = 10000;
    QVERIFY(near(perDay(), 4.7, 0.01));
    // The default rates of the parts agree with it within a fifth.
    Scenario d;
    d.cluster.chips = 16384;
    RunLoad<double> load = loadOf(d);
    load.switches = 768;
    load.optics = 3 * 16384;
    const double parts =
        86400 / cw::run::run(Inputs<double>(d), load).meanTimeBetweenInterruptions.si();
    QVERIFY2(near(parts, 419 / 54.0, 0.2), qPrintable(QString::number(parts)));
}

void TestRun::goodputIsAlwaysAShare()
{
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> exponent(-6, 9);
    const auto draw = [&] {
        return std::pow(10.0, exponent(random));
    };
    for (int i = 0; i < 20000; ++i) {
        Scenario s = bare(std::floor(1 + std::min(draw(), 1e8)), 1, draw(), draw());
        s.reliability.chipHoursPerFailure = std::max(1.0, draw());
        s.reliability.policy = static_cast<FailurePolicy>(i % 3);
        if (i % 2 == 0)
            s.reliability.checkpoints[0].interval = i % 4 == 0 ? 0 : draw();
        if (i % 5 == 0)
            s.reliability.checkpoints[0].blocking = 0;
        if (i % 7 == 0) {
            s.reliability.checkpoints.resize(3);
            s.reliability.checkpoints[0].servesShare = 0.5;
            s.reliability.checkpoints[1].interval = draw();
        }
        const auto r = runOf(s);
        QVERIFY(r.goodput > 0 && r.goodput < 1);
        QVERIFY(std::isfinite(r.days) && r.days > 0);
        QVERIFY(std::isfinite(r.checkpointInterval.si()) && r.checkpointInterval.si() > 0);
        QVERIFY2(r.lost.lostProgress.si() >= 0 && r.lost.save.si() >= 0,
                 qPrintable(QStringLiteral("%1: %2 %3 of %4")
                                .arg(i)
                                .arg(r.lost.lostProgress.si())
                                .arg(r.lost.save.si())
                                .arg(r.wall.si())));
        QVERIFY(near(sum(r.lost) + r.goodput * r.wall.si(), r.wall.si(), 1e-9));
    }
    // A restart of a day and a failure each second.
    const auto r = runOf(bare(3600, 1, 86400, 10));
    QVERIFY(r.goodput > 0);
    // No failures at all.
    Scenario none = bare(8, 1e12, 0, 0);
    none.reliability.chipHoursPerFailure.reset();
    none.reliability.failuresPerYear = {0, 0, 0, 0, 0, 0, 0};
    none.reliability.corruptionPerChipYear = 0;
    const auto n = runOf(none);
    QVERIFY(n.goodput > 0.999 && n.goodput < 1);
    QVERIFY(std::isfinite(n.meanTimeBetweenInterruptions.si()));
}

void TestRun::lostTimeAddsUp()
{
    for (const auto policy :
         {FailurePolicy::Restart, FailurePolicy::HotSpare, FailurePolicy::DropReplica}) {
        Scenario s;
        s.cluster.chips = 65536;
        s.reliability.policy = policy;
        const auto r = runOf(s);
        QVERIFY(near(sum(r.lost), (1 - r.goodput) * r.wall.si(), 1e-9));
        QVERIFY(r.lost.healthChecks.si() > 0 && r.lost.stragglers.si() > 0);
        QVERIFY(r.lost.detection.si() > 0 && r.lost.startUp.si() > 0);
    }
    // By hand: M 1 h, R 6 min all of it detection, delta 36 s, tau 0.1 h.
    Scenario s = bare(1000, 1000, 360, 36);
    s.reliability.checkpoints[0].interval = 360;
    const auto r = runOf(s);
    const double goodput = 0.1 / (std::exp(0.1) * (std::exp(0.11) - 1));
    QVERIFY(near(r.goodput, goodput, 1e-12));
    QVERIFY(near(r.lost.save.si() / r.wall.si(), 0.1 * goodput, 1e-9));
    QVERIFY(near(r.lost.detection.si() / r.wall.si(), 1 - std::exp(-0.1), 1e-9));
    QVERIFY(near(r.lostBusyShare, 1 - 1.1 * goodput - (1 - std::exp(-0.1)), 1e-9));
}

void TestRun::replicaDrop()
{
    // arXiv 2602.00277: 98,304 chips, a failure each 18 minutes, a stall of 3: the stall alone
    // leaves 0.83 to first order; 0.80 is published.
    Scenario s = bare(98304, 98304 * 18 / 60.0, 175, 2);
    s.reliability.policy = FailurePolicy::DropReplica;
    const auto r = runOf(s);
    QVERIFY2(r.goodput > 0.79 && r.goodput < 0.85, qPrintable(QString::number(r.goodput)));
    s.reliability.policy = FailurePolicy::Restart;
    QVERIFY(runOf(s).goodput < r.goodput);
    // The stall is detection and swap, with catch-up also the state sent to the replica; no
    // warm-up: 1e15 bytes over a 64th of the chips at 50 GB/s each.
    RunLoad<double> state = loadOf(s);
    s.reliability.policy = FailurePolicy::DropReplica;
    s.reliability.warmUpSteps = 1000;
    state.checkpointBytes = cw::units::Bytes<double>(1e15);
    const auto stall = [&] {
        return cw::run::run(Inputs<double>(s), state).restart.si();
    };
    QVERIFY(near(stall(), 175 + 5 + 1e15 / (98304 / 64.0 * 50e9), 1e-12));
    s.reliability.catchUp = false;
    QVERIFY(near(stall(), 180, 1e-12));
    s.reliability.catchUp = true;
    s.reliability.warmUpSteps = 0;
    // One replica has no others to go on.
    s.reliability.policy = FailurePolicy::DropReplica;
    RunLoad<double> load = loadOf(s);
    load.dataParallel = 1;
    const double alone = cw::run::run(Inputs<double>(s), load).goodput;
    s.reliability.policy = FailurePolicy::Restart;
    QCOMPARE(alone, runOf(s).goodput);
}

void TestRun::hotSpareSkipsRescheduling()
{
    Scenario s;
    s.cluster.chips = 65536;
    const auto restart = runOf(s);
    s.reliability.policy = FailurePolicy::HotSpare;
    const auto spare = runOf(s);
    QVERIFY(spare.restart < restart.restart);
    QVERIFY(spare.goodput > restart.goodput);
}

void TestRun::restartParts()
{
    Scenario s = bare(4096, 50e3, 10, 1);
    auto& r = s.reliability;
    r.reschedule = 20;
    r.start = 40;
    r.startPerDoubling = 5;
    r.warmUpSteps = 3;
    s.storage.pools = {{}};
    RunLoad<double> load = loadOf(s);
    load.step = Seconds(7);
    load.checkpointBytes = cw::units::Bytes<double>(2e13);
    // detect + reschedule + start + two doublings over 1,024 + 20 TB at 2 TB/s + three steps.
    QCOMPARE(cw::run::run(Inputs<double>(s), load).restart.si(), 10 + 20 + 40 + 2 * 5 + 10 + 21.0);
}

void TestRun::blockingFromBandwidth()
{
    Scenario s = bare(1000, 50e3, 10, 1);
    s.storage.pools = {{}};
    s.reliability.checkpoints[0].blocking.reset();
    const cw::units::Bytes<double> bytes(5.5e15);
    const auto cost = [&] {
        return cw::run::checkpointCost(Inputs<double>(s), s.reliability.checkpoints[0], bytes,
                                       1000.0, Seconds(10));
    };
    // To the host at 55 GB/s a chip, + 1 s; the file system drains 1 TB/s.
    QCOMPARE(cost().blocking.si(), 101.0);
    QCOMPARE(cost().drain.si(), 5500.0);
    s.reliability.checkpoints[0].asynchronous = false;
    QCOMPARE(cost().blocking.si(), 5501.0);
    s.reliability.checkpoints[0].tier = cw::scenario::CheckpointTier::Nvme;
    QCOMPARE(cost().blocking.si(), 1 + 5.5e15 / (125 * 20e9));
    QCOMPARE(cost().restore.si(), 5.5e15 / (125 * 40e9));
    s.reliability.checkpoints[0].tier = cw::scenario::CheckpointTier::Peer;
    QCOMPARE(cost().restore.si(), 5.5e15 / (1000 * 50e9));
    // An asynchronous checkpoint drains before the next one starts.
    s.reliability.checkpoints[0].asynchronous = true;
    s.reliability.checkpoints[0].tier = cw::scenario::CheckpointTier::FileSystem;
    s.reliability.checkpoints[0].interval = 1;
    RunLoad<double> load = loadOf(s);
    load.checkpointBytes = bytes;
    QCOMPARE(cw::run::run(Inputs<double>(s), load).checkpointInterval.si(), 5500.0);
}

void TestRun::tiers()
{
    // M 1 h. Peers save each 60 s for 1 s and serve 0.9; the file system each 600 s for 6 s.
    Scenario s = bare(1000, 1000, 0, 1);
    s.storage.pools = {{}};
    s.reliability.checkpoints.resize(2);
    auto& fast = s.reliability.checkpoints[0];
    fast.tier = cw::scenario::CheckpointTier::Peer;
    fast.interval = 60;
    fast.blocking = 1;
    fast.servesShare = 0.9;
    auto& slow = s.reliability.checkpoints[1];
    slow.interval = 600;
    slow.blocking = 6;
    cw::run::TierFailures<double> failures;
    failures.mean = Seconds(3600);
    const auto tiersOf = [&](double bytes) {
        return cw::run::tiersOf(Inputs<double>(s), cw::units::Bytes<double>(bytes), 1000.0,
                                Seconds(0.001), failures);
    };
    // 50 TB from peers at 50 TB/s, from the file system at 2 TB/s.
    auto both = tiersOf(5e13);
    QCOMPARE(both[0].restore.si(), 1.0);
    QCOMPARE(both[1].restore.si(), 25.0);
    QVERIFY(near(both[0].serves, 0.9, 1e-12) && near(both[1].serves, 0.1, 1e-12));
    QCOMPARE(both[1].every, 10.0);
    // Ten segments, the last of which saves twice, as a chain: E_j = a_j + b_j E_0 is the time from
    // the start of segment j to the end of the period.
    double a = 0;
    double b = 0;
    for (int j = 9; j >= 0; --j) {
        const double saved = std::exp(-(j == 9 ? 67 : 61) / 3600.0);
        const double stays = 1 - 0.9 * (1 - saved);
        a = ((1 - saved) * 3600 + saved * a) / stays;
        b = (0.1 * (1 - saved) + saved * b) / stays;
    }
    const auto r = runOf(s);
    QVERIFY2(near(r.goodput, 600 / (a / (1 - b)), 1e-12), qPrintable(QString::number(r.goodput)));
    QVERIFY(near(r.lost.save.si(), r.goodput * r.wall.si() * 16 / 600, 1e-9));
    QVERIFY(near(sum(r.lost), (1 - r.goodput) * r.wall.si(), 1e-9));
    // Left to itself, the slow tier saves as its tenth of the failures asks, with whole intervals
    // of the first.
    slow.interval.reset();
    const double optimum = cw::run::dalyOptimum(Seconds(6), Seconds(36000)).si();
    QCOMPARE(tiersOf(0)[1].interval.si(), 60 * std::round(optimum / 60));
    // Where the first serves all, a second costs its saves only.
    fast.servesShare = 1;
    slow.interval = 600;
    double whole = 0;
    for (int j = 0; j < 10; ++j)
        whole += 3600 * std::expm1((j == 9 ? 67 : 61) / 3600.0);
    QVERIFY(near(runOf(s).goodput, 600 / whole, 1e-9));
    // One tier serves all there is.
    s.reliability.checkpoints.resize(1);
    s.reliability.checkpoints[0].servesShare = 0.5;
    QCOMPARE(tiersOf(0)[0].serves, 1.0);
    QVERIFY(near(runOf(s).goodput, (60 / 3600.0) / std::expm1(61 / 3600.0), 1e-12));
}

void TestRun::spares()
{
    // Tables of the Poisson distribution.
    QCOMPARE(cw::run::poissonQuantile(0, 0.99), 0.0);
    QCOMPARE(cw::run::poissonQuantile(1, 0.5), 1.0);
    QCOMPARE(cw::run::poissonQuantile(1, 0.99), 4.0);
    QCOMPARE(cw::run::poissonQuantile(10, 0.99), 18.0);
    QCOMPARE(cw::run::poissonQuantile(100, 0.99), 124.0);
    QCOMPARE(cw::run::poissonQuantile(0.01, 0.99), 0.0);
    QVERIFY(std::abs(cw::run::poissonQuantile(9999, 0.99) -
                     cw::run::poissonQuantile(10001, 0.99)) <= 4);
    QVERIFY(std::isfinite(cw::run::poissonQuantile(50, 1)));
    QVERIFY(std::isfinite(cw::run::poissonQuantile(1e12, 1)));
    Scenario s = bare(1000, 1, 0, 0);
    s.reliability.chipHoursPerFailure.reset();
    s.reliability.failuresPerYear = {};
    s.reliability.failuresPerYear.chip = 3.65;
    s.reliability.failuresPerYear.host = s.reliability.failuresPerYear.nic = 0;
    s.reliability.subHealthyShare = 0;
    s.reliability.spareQuantile = 0.99;
    // Ten failures a day, a day of repair: 18 nodes of 8.
    QCOMPARE(runOf(s).spareChips, 144.0);
    s.cluster.spareChips = 5;
    QCOMPARE(runOf(s).spareChips, 5.0);
}

void TestRun::days()
{
    Scenario s = bare(1e5, 30e3, 600, 30);
    s.workload.trainingTokens = 86400e7;
    const auto r = runOf(s);
    QVERIFY(near(r.days, 1 / r.goodput, 1e-12));
    RunLoad<double> load = loadOf(s);
    load.tokensPerSecond = cw::units::TokensPerSecond<double>(0);
    QVERIFY(std::isfinite(cw::run::run(Inputs<double>(s), load).days));
}

void TestRun::traceReplays()
{
    for (int i = 0; i < 6; ++i) {
        Scenario s;
        s.cluster.chips = 65536;
        s.storage.pools = {{}};
        s.reliability.policy = static_cast<FailurePolicy>(i % 3);
        if (i > 2)
            s.reliability.chipHoursPerFailure = 50677;
        cw::explain::Trace trace;
        const Inputs<Traced> in(s, trace);
        RunLoad<Traced> load;
        const RunLoad<double> plain = loadOf(s);
        load.tokensPerSecond = cw::units::TokensPerSecond<Traced>(plain.tokensPerSecond.si());
        load.mfu = plain.mfu;
        load.chips = in(s.cluster.chips);
        load.dataParallel = plain.dataParallel;
        load.step = cw::units::Seconds<Traced>(plain.step.si());
        const auto traced = cw::run::run(in, load);
        const auto value = runOf(s);
        QCOMPARE(valueOf(traced.days), value.days);
        QCOMPARE(valueOf(traced.spareChips), value.spareChips);
        for (const Traced& x : {traced.days, traced.goodput, traced.spareChips,
                                traced.lost.lostProgress.si(), traced.lost.other.si()})
            QVERIFY(trace.replay(x.node) == x.value);
    }
}

QTEST_APPLESS_MAIN(TestRun)
#include "tst_run.moc"
