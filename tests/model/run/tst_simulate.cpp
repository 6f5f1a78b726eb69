// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <cmath>
#include <random>

#include "model/run/process.h"
#include "model/run/run.h"
#include "model/run/shares.h"
#include "model/run/simulate.h"

using cw::run::Activity;
using cw::run::Process;
using cw::run::RunLoad;
using cw::run::Shares;
using cw::run::Simulation;
using cw::scenario::CheckpointTier;
using cw::scenario::FailurePolicy;
using cw::scenario::Inputs;
using cw::scenario::Scenario;
using Seconds = cw::units::Seconds<double>;

namespace {

Process<double> processOf(const Scenario& s, double replicas)
{
    RunLoad<double> load;
    load.tokensPerSecond = cw::units::TokensPerSecond<double>(1e7);
    load.chips = static_cast<double>(s.cluster.chips);
    load.dataParallel = replicas;
    load.step = Seconds(5);
    load.checkpointBytes = cw::units::Bytes<double>(1e14);
    const Inputs<double> in(s);
    return cw::run::processOf(in, load, cw::run::failureRates(in, {load.chips, 700.0, 50000.0}));
}

/// Any policy, one to three tiers, with and without domains, checks, stragglers and corruption.
Scenario randomPlan(std::mt19937_64& random, int number)
{
    const auto between = [&random](double a, double b) {
        return a * std::pow(b / a, static_cast<double>(random() >> 11U) * 0x1p-53);
    };
    Scenario s;
    s.cluster.chips = static_cast<std::int64_t>(between(8000, 300000));
    auto& r = s.reliability;
    r.policy = static_cast<FailurePolicy>(number % 3);
    if (number % 4 != 0)
        r.chipHoursPerFailure = between(20e3, 200e3);
    r.detect = between(5, 120);
    r.reschedule = between(5, 60);
    r.start = between(5, 120);
    r.warmUpSteps = between(0.1, 5);
    r.wholeJobShare = between(0.05, 0.5);
    r.stragglerShare = between(0.001, 0.1);
    r.corruptionPerChipYear = between(1e-4, 3e-3);
    r.subHealthyShare = between(0.001, 0.1);
    r.healthCheckInterval = between(7200, 86400);
    if (number % 5 == 1)
        r.domains = {{"feed", 4096, between(0.5, 5), 7200}, {"leaf", 256, 0.5, 3600}};
    if (number % 7 == 2)
        s.workload.jobs = 2;
    const CheckpointTier kinds[] = {CheckpointTier::Peer, CheckpointTier::Nvme,
                                    CheckpointTier::FileSystem};
    r.checkpoints.clear();
    for (int i = 0; i <= number / 3 % 3; ++i) {
        cw::scenario::CheckpointPlan c;
        c.tier = kinds[i];
        c.blocking = between(1, 20);
        c.servesShare = between(0.5, 0.95);
        if (number % 2 == 0)
            c.interval = between(60, 400) * std::pow(4.0, i);
        r.checkpoints.push_back(c);
    }
    return s;
}

double sum(const Shares<double>& s)
{
    return s.useful + s.save + s.lostProgress + s.detection + s.startUp + s.restore + s.warmUp +
           s.stragglers + s.healthChecks + s.corruption + s.replicasAway + s.repairWait +
           s.fragmentation;
}

double shareOf(const Simulation& s, Activity a)
{
    return s.shares[static_cast<std::size_t>(a)];
}

} // namespace

class TestSimulate : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void agreesWithTheClosedForm();
    void classesAgree_data();
    void classesAgree();
    void sameSeedSameRuns();
    void dalyOneTier();
    void drainingSaves();
    void drainingTiers();
    void nothingFails();
    void interruptionsAgree_data();
    void interruptionsAgree();
    void hopelessRunEnds();
    void storyIsWhole();
};

void TestSimulate::agreesWithTheClosedForm()
{
    std::mt19937_64 random(20261129);
    int outside = 0;
    for (int i = 0; i < 20; ++i) {
        const Scenario s = randomPlan(random, i);
        const Process<double> p = processOf(s, 64);
        const Shares<double> closed = cw::run::sharesOf(p);
        QVERIFY(std::abs(sum(closed) - 1) < 1e-9);
        // Some 200 interruptions a run.
        const double often = 1 / p.mean.si() + (p.apart ? p.replicas.rate.si() : 0.0);
        const double work = std::max(200 / often, 15 * p.mean.si()) * closed.useful;
        const Simulation played = cw::run::simulate(p, work, 400, 1);
        QVERIFY(!played.cut);
        const bool inside =
            closed.useful >= played.goodput.low && closed.useful <= played.goodput.high;
        outside += inside ? 0 : 1;
        QVERIFY(played.goodput.high - played.goodput.low < 0.03);
        QVERIFY2(std::abs(closed.useful - played.goodput.mean) <
                     2 * (played.goodput.high - played.goodput.low),
                 qPrintable(QStringLiteral("plan %1: %2, played %3 to %4")
                                .arg(i)
                                .arg(closed.useful)
                                .arg(played.goodput.low)
                                .arg(played.goodput.high)));
    }
    // 95% of twenty are nineteen.
    QVERIFY2(outside <= 2, qPrintable(QString::number(outside)));
}

void TestSimulate::classesAgree_data()
{
    QTest::addColumn<int>("policy");
    QTest::newRow("restart") << 0;
    QTest::newRow("hot spare") << 1;
    QTest::newRow("drop a replica") << 2;
}

void TestSimulate::classesAgree()
{
    QFETCH(int, policy);
    Scenario s;
    s.cluster.chips = 60000;
    auto& r = s.reliability;
    r.policy = static_cast<FailurePolicy>(policy);
    r.wholeJobShare = 0.3;
    r.domains = {{"loop", 4096, 20, 3600}};
    r.corruptionPerChipYear = 0.02;
    r.stragglerShare = 0.1;
    r.subHealthyShare = 0.2;
    r.checkpoints.resize(2);
    r.checkpoints[0].tier = CheckpointTier::Peer;
    r.checkpoints[0].blocking = 10;
    r.checkpoints[0].servesShare = 0.8;
    r.checkpoints[1].blocking = 30;
    s.workload.jobs = 2;
    const Process<double> p = processOf(s, 48);
    const Shares<double> closed = cw::run::sharesOf(p);
    const Simulation played = cw::run::simulate(p, 1500 * p.mean.si() * closed.useful, 400, 9);
    const std::pair<Activity, double> classes[] = {{Activity::Useful, closed.useful},
                                                   {Activity::Save, closed.save},
                                                   {Activity::LostProgress, closed.lostProgress},
                                                   {Activity::Detection, closed.detection},
                                                   {Activity::StartUp, closed.startUp},
                                                   {Activity::Restore, closed.restore},
                                                   {Activity::WarmUp, closed.warmUp},
                                                   {Activity::Stragglers, closed.stragglers},
                                                   {Activity::HealthChecks, closed.healthChecks},
                                                   {Activity::Corruption, closed.corruption},
                                                   {Activity::ReplicasAway, closed.replicasAway},
                                                   {Activity::RepairWait, closed.repairWait},
                                                   {Activity::Fragmentation, closed.fragmentation}};
    for (const auto& [activity, share] : classes)
        QVERIFY2(std::abs(shareOf(played, activity) - share) <= 0.03 * share + 2e-5,
                 qPrintable(QStringLiteral("%1: played %2, closed %3")
                                .arg(QLatin1StringView(cw::run::nameOf(activity).data()))
                                .arg(shareOf(played, activity))
                                .arg(share)));
}

void TestSimulate::sameSeedSameRuns()
{
    Scenario s;
    s.cluster.chips = 100000;
    s.reliability.start = 60;
    const Process<double> p = processOf(s, 64);
    const auto a = cw::run::simulate(p, 1e6, 20, 5);
    const auto b = cw::run::simulate(p, 1e6, 20, 5);
    const auto c = cw::run::simulate(p, 1e6, 20, 6);
    QCOMPARE(a.goodput.mean, b.goodput.mean);
    QVERIFY(a.goodput.mean != c.goodput.mean);
    // A run does not depend on how many there are.
    const auto d = cw::run::simulate(p, 1e6, 3, 5);
    QCOMPARE(a.runs[2].wall, d.runs[2].wall);
    QVERIFY(a.runs[0].wall != a.runs[1].wall);
    int seen = 0;
    cw::run::simulate(p, 1e6, 20, 5, [&seen](int done) {
        seen = done;
        return done < 7;
    });
    QCOMPARE(seen, 7);
}

void TestSimulate::dalyOneTier()
{
    // M 1 h, R 6 min, delta 36 s, tau 6 min, worked out by hand: 0.1/(e^0.1 (e^0.11 - 1)).
    Process<double> p;
    p.mean = Seconds(3600);
    cw::run::TierRun<double> tier;
    tier.interval = Seconds(360);
    tier.blocking = Seconds(36);
    tier.every = 1;
    tier.serves = 1;
    p.tiers = {tier};
    cw::run::RestartParts<double> restart;
    restart.detect = Seconds(360);
    p.restart = {restart};
    const double goodput = 0.1 / (std::exp(0.1) * std::expm1(0.11));
    QVERIFY(std::abs(cw::run::sharesOf(p).useful / goodput - 1) < 1e-12);
    const auto played = cw::run::simulate(p, 3.6e6, 400, 3);
    QVERIFY(played.goodput.low < goodput && goodput < played.goodput.high);
    QVERIFY(played.goodput.high - played.goodput.low < 0.004);
    QVERIFY(std::abs(played.interruptions.mean / 24 - 1) < 0.01);
    // Three tiers of which the first serves all are one that saves more.
    p.tiers.resize(3, tier);
    p.tiers[1].every = 2;
    p.tiers[1].serves = p.tiers[2].serves = 0;
    p.tiers[2].every = 3;
    p.restart.resize(3, restart);
    // Six segments of which three save for 36 s, two for 72 and one for 108.
    double wall = 0;
    for (const double saves : {0.01, 0.02, 0.01, 0.02, 0.01, 0.03})
        wall += std::exp(0.1) * std::expm1(0.1 + saves);
    QVERIFY(std::abs(cw::run::sharesOf(p).useful / (0.6 / wall) - 1) < 1e-9);
}

void TestSimulate::drainingSaves()
{
    // M 1 h, R 6 min, delta 36 s, tau 6 min, restorable 5 min after a save. By the chain: a save
    // counts after tau + delta without a failure since the one before counted, or, from a restart,
    // after tau + delta + lag, so that T = M (1 - p) + (1 - p) (M (r - 1) + M r (l/p - 1)) with
    // p = e^-0.11, r = e^0.1, l = e^(300/3600).
    Process<double> p;
    p.mean = Seconds(3600);
    cw::run::TierRun<double> tier;
    tier.interval = Seconds(360);
    tier.blocking = Seconds(36);
    tier.every = 1;
    tier.serves = 1;
    p.tiers = {tier};
    p.lags = {Seconds(300)};
    cw::run::RestartParts<double> restart;
    restart.detect = Seconds(360);
    p.restart = {restart};
    const double pass = std::exp(-0.11);
    const double r = std::exp(0.1);
    const double l = std::exp(300 / 3600.0);
    const double wall = (1 - pass) + (1 - pass) * ((r - 1) + (r * (l / pass - 1)));
    const auto closed = cw::run::sharesOf(p);
    QVERIFY(std::abs(closed.useful / (0.1 / wall) - 1) < 1e-12);
    QVERIFY(std::abs(sum(closed) - 1) < 1e-12);
    // To first order each failure loses half a segment and the drain: 0.05 + 0.083 of M, and the
    // half of its save.
    p.restart = {{}};
    p.mean = Seconds(3.6e6);
    const double lost = cw::run::sharesOf(p).lostProgress * 3.6e6;
    QVERIFY2(std::abs(lost / (0.5 * 396 + 300) - 1) < 1e-3, qPrintable(QString::number(lost)));
    p.restart = {restart};
    p.mean = Seconds(3600);
    const auto played = cw::run::simulate(p, 3.6e6, 400, 3);
    QVERIFY2(played.goodput.low < closed.useful && closed.useful < played.goodput.high,
             qPrintable(QString::number(played.goodput.mean / closed.useful)));
    QVERIFY(played.goodput.high - played.goodput.low < 0.004);
    QVERIFY(std::abs(shareOf(played, Activity::LostProgress) - closed.lostProgress) < 0.003);
}

void TestSimulate::drainingTiers()
{
    // Two and three tiers that drain for much of their interval, failures of all of them.
    int outside = 0;
    for (int i = 0; i < 8; ++i) {
        Process<double> p;
        p.mean = Seconds(3600);
        double interval = 200;
        for (int t = 0; t < 2 + i % 2; ++t) {
            cw::run::TierRun<double> tier;
            tier.every = t == 0 ? 1 : 3 + i % 3;
            interval *= tier.every;
            tier.interval = Seconds(interval);
            tier.blocking = Seconds(5 * (t + 1));
            tier.serves = t == 1 + i % 2 ? 1 - (t == 1 ? 0.6 : 0.85) : t == 0 ? 0.6 : 0.25;
            p.tiers.push_back(tier);
            cw::run::RestartParts<double> restart;
            restart.detect = Seconds(60 + 120 * t);
            p.restart.push_back(restart);
            p.lags.push_back(Seconds(interval * (i < 4 ? 0.3 : 0.8)));
        }
        const auto closed = cw::run::sharesOf(p);
        QVERIFY(std::abs(sum(closed) - 1) < 1e-9);
        const auto played = cw::run::simulate(p, 3600.0 * 300, 400, 5);
        const bool inside =
            played.goodput.low <= closed.useful && closed.useful <= played.goodput.high;
        outside += inside ? 0 : 1;
        QVERIFY2(std::abs(played.goodput.mean - closed.useful) < 0.004,
                 qPrintable(QStringLiteral("%1: %2, played %3 to %4")
                                .arg(i)
                                .arg(closed.useful)
                                .arg(played.goodput.low)
                                .arg(played.goodput.high)));
        QVERIFY(played.goodput.high - played.goodput.low < 0.01);
        // Saves that drain cost something.
        auto at = p;
        at.lags.clear();
        QVERIFY(cw::run::sharesOf(at).useful > closed.useful + 0.003);
    }
    QVERIFY2(outside <= 1, qPrintable(QString::number(outside)));
}

void TestSimulate::nothingFails()
{
    // One long interval whose save drains when the run ends: it is done all the same.
    Process<double> p;
    p.mean = Seconds(1e18);
    cw::run::TierRun<double> tier;
    tier.interval = Seconds(1e9);
    tier.blocking = Seconds(1);
    tier.every = 1;
    tier.serves = 1;
    p.tiers = {tier};
    p.lags = {Seconds(3.5)};
    p.restart = {{}};
    const auto played = cw::run::simulate(p, 1e6, 3, 1);
    QVERIFY(!played.cut);
    QVERIFY2(std::abs(played.goodput.mean - cw::run::sharesOf(p).useful) < 1e-6,
             qPrintable(QString::number(played.goodput.mean)));
}

void TestSimulate::interruptionsAgree_data()
{
    QTest::addColumn<int>("policy");
    QTest::addColumn<int>("spares");
    QTest::newRow("restart") << 0 << -1;
    QTest::newRow("restart, no spares") << 0 << 0;
    QTest::newRow("hot spare") << 1 << -1;
    QTest::newRow("drop a replica") << 2 << -1;
    QTest::newRow("drop a replica, no spares") << 2 << 0;
}

void TestSimulate::interruptionsAgree()
{
    QFETCH(int, policy);
    QFETCH(int, spares);
    Scenario s;
    s.cluster.chips = 60000;
    if (spares >= 0)
        s.cluster.spareChips = spares;
    s.reliability.policy = static_cast<FailurePolicy>(policy);
    s.reliability.domains = {{"loop", 4096, 2, 3600}};
    s.reliability.corruptionPerChipYear = 0.02;
    const Process<double> p = processOf(s, 48);
    const Shares<double> closed = cw::run::sharesOf(p);
    const auto played = cw::run::simulate(p, 400 * p.mean.si() * closed.useful, 100, 9);
    const double perDay = closed.interruptions.si() * 86400;
    QVERIFY2(std::abs(played.interruptions.mean / perDay - 1) < 0.02,
             qPrintable(
                 QStringLiteral("%1 a day, played %2").arg(perDay).arg(played.interruptions.mean)));
    // A month tells as many.
    const auto story = cw::run::tellRun(p, 30 * 86400.0, 11);
    const double days = story.stretches.back().end / 86400;
    const auto seen = static_cast<double>(story.failures.size());
    QVERIFY2(std::abs(seen - perDay * days) < 5 * std::sqrt(perDay * days) + 1,
             qPrintable(QStringLiteral("%1, expected %2").arg(seen).arg(perDay * days)));
}

void TestSimulate::hopelessRunEnds()
{
    Scenario s;
    s.cluster.chips = 500000;
    s.reliability.chipHoursPerFailure = 1000;
    s.reliability.start = 86400;
    const Process<double> p = processOf(s, 64);
    const auto played = cw::run::simulate(p, 1e7, 2, 1, {}, 1e4);
    QVERIFY(played.cut && played.runs[0].cut);
    QVERIFY(played.goodput.mean >= 0 && played.goodput.mean < 0.01);
    QVERIFY(played.runs[0].wall > 0);
}

void TestSimulate::storyIsWhole()
{
    constexpr double kMonth = 30 * 86400.0;
    Scenario s;
    s.cluster.chips = 200000;
    s.reliability.start = 30;
    for (int policy = 0; policy < 3; ++policy) {
        s.reliability.policy = static_cast<FailurePolicy>(policy);
        const Process<double> p = processOf(s, 64);
        const auto story = cw::run::tellRun(p, kMonth, 11);
        QCOMPARE(story.hours.size(), std::size_t{720});
        double at = 0;
        for (const auto& stretch : story.stretches) {
            QVERIFY(std::abs(stretch.begin - at) < 1e-3 && stretch.end >= stretch.begin);
            at = stretch.end;
        }
        QVERIFY(std::abs(at - kMonth) < 1e-3);
        double mean = 0;
        for (const double hour : story.hours) {
            QVERIFY(hour >= 0 && hour <= 1 + 1e-9);
            mean += hour / 720;
        }
        QVERIFY(std::abs(mean - story.goodput) < 1e-6);
        QVERIFY(std::abs(mean - cw::run::sharesOf(p).useful) < 0.02);
    }
}

QTEST_APPLESS_MAIN(TestSimulate)
#include "tst_simulate.moc"
