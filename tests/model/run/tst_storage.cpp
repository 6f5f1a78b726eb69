// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <cmath>

#include "model/run/storage.h"

using cw::run::StorageLoad;
using cw::run::storageUse;
using cw::scenario::Inputs;
using cw::scenario::PoolContent;
using cw::scenario::Scenario;
using cw::scenario::StorageMedia;
using cw::step::loadingOf;
using cw::step::Starves;
using Seconds = cw::units::Seconds<double>;

namespace {

/// 1,024 chips in 128 nodes, a batch of 2,097,152 tokens.
Scenario plan()
{
    Scenario s;
    s.cluster.chips = 1024;
    s.cluster.node.chips = 8;
    s.cluster.node.cpuCores = 128;
    s.workload.globalBatchSequences = 512;
    s.workload.sequenceLength = 4096;
    s.workload.trainingTokens = 1e13;
    return s;
}

cw::scenario::Layout<double> layout()
{
    cw::scenario::Layout<double> l;
    l.chips = 1024;
    return l;
}

StorageLoad<double> load()
{
    StorageLoad<double> l;
    l.tokensPerSecond = cw::units::TokensPerSecond<double>(1e7);
    l.checkpoint = cw::units::Bytes<double>(1.4e12);
    l.interval = Seconds(1000);
    l.days = 10;
    return l;
}

cw::scenario::StoragePool pool(const char* name, double capacity, double bandwidth,
                               std::vector<PoolContent> holds)
{
    cw::scenario::StoragePool p;
    p.name = name;
    p.capacityBytes = capacity;
    p.readBandwidth = p.writeBandwidth = bandwidth;
    p.holds = std::move(holds);
    return p;
}

} // namespace

class StorageTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void loaderByCores();
    void loaderByNode();
    void poolStarves();
    void nothingIsPrefetched();
    void jobsShareThePools();
    void whatPoolsHold();
    void contentIsSpread();
    void burst();
    void checkpointsThatStayInTheNodes();
};

void StorageTest::loaderByCores()
{
    Scenario s = plan();
    // 128 nodes x 64 cores x 1e6
    auto l = loadingOf(Inputs<double>(s), layout(), Seconds(5));
    QCOMPARE(l.loader.si(), 8.192e9);
    QCOMPARE(l.stall.si(), 0.0);
    QVERIFY(l.starves == Starves::Nothing);
    s.storage.loaderTokensPerSecondPerCore = 25;
    l = loadingOf(Inputs<double>(s), layout(), Seconds(5));
    // 2,097,152 tokens at 204,800 a second: 10.24 s, 5 of them behind the step
    QCOMPARE(l.prepare.si(), 10.24);
    QCOMPARE(l.stall.si(), 5.24);
    QVERIFY(l.starves == Starves::Loader);
}

void StorageTest::loaderByNode()
{
    Scenario s = plan();
    s.storage.loaderTokensPerSecondPerNode = 1600;
    const auto l = loadingOf(Inputs<double>(s), layout(), Seconds(5));
    QCOMPARE(l.prepare.si(), 10.24);
}

void StorageTest::poolStarves()
{
    Scenario s = plan();
    s.storage.pools = {pool("cold", 1e15, 1e6, {PoolContent::Dataset})};
    const auto l = loadingOf(Inputs<double>(s), layout(), Seconds(5));
    // 8,388,608 bytes at 1 MB/s
    QCOMPARE(l.read.si(), 8.388608);
    QCOMPARE(l.stall.si(), 3.388608);
    QVERIFY(l.starves == Starves::Pool);
}

void StorageTest::nothingIsPrefetched()
{
    Scenario s = plan();
    s.storage.loaderTokensPerSecondPerCore = 25;
    s.storage.prefetchSteps = 0;
    QCOMPARE(loadingOf(Inputs<double>(s), layout(), Seconds(50)).stall.si(), 10.24);
}

void StorageTest::jobsShareThePools()
{
    Scenario s = plan();
    s.storage.pools = {pool("cold", 1e15, 4e6, {PoolContent::Dataset})};
    s.workload.jobs = 4;
    QCOMPARE(loadingOf(Inputs<double>(s), layout(), Seconds(5)).read.si(), 8.388608);
}

void StorageTest::whatPoolsHold()
{
    Scenario s = plan();
    s.workload.jobs = 2;
    s.storage.checkpointsKept = 5;
    s.storage.logBytesPerChipDay = 1e9;
    s.storage.pools = {pool("fast", 1e14, 1e12, {PoolContent::Checkpoints, PoolContent::Logs}),
                       pool("cold", 1e15, 1e10, {PoolContent::Dataset})};
    s.storage.pools[1].media = StorageMedia::Hdd;
    const auto use = storageUse(Inputs<double>(s), load());
    QCOMPARE(use.read.si(), 4e7);                    // 1e7 tokens/s of 4 bytes
    QCOMPARE(use.pools[0].checkpoints.si(), 1.4e13); // 5 of 1.4 TB, two jobs
    QCOMPARE(use.pools[0].logs.si(), 1.024e13);      // 1 GB x 1,024 x 10 days
    QCOMPARE(use.pools[0].utilization, 0.2424);
    QCOMPARE(use.pools[0].dataset.si(), 0.0);
    QCOMPARE(use.pools[1].used.si(), 4e13); // one copy for both jobs
    QCOMPARE(use.pools[1].readUtilization, 0.004);
    // 2.8 TB each 1,000 s, and 1.024 TB of logs a day
    QVERIFY(std::fabs(use.write.si() - (2.8e9 + 1.024e12 / 86400)) < 1);
    QVERIFY(std::fabs(use.pools[0].writeUtilization - use.write.si() / 1e12) < 1e-12);
}

void StorageTest::contentIsSpread()
{
    Scenario s = plan();
    s.storage.pools = {pool("a", 3e14, 1e12, {PoolContent::Dataset}),
                       pool("b", 1e14, 3e12, {PoolContent::Dataset}),
                       pool("c", 1e14, 1e12, {PoolContent::Logs})};
    const auto use = storageUse(Inputs<double>(s), load());
    QCOMPARE(use.pools[0].dataset.si(), 3e13); // by capacity
    QCOMPARE(use.pools[1].dataset.si(), 1e13);
    QCOMPARE(use.pools[2].dataset.si(), 0.0);
    QCOMPARE(use.pools[0].readUtilization, 1e-5); // by bandwidth: equally busy
    QCOMPARE(use.pools[1].readUtilization, 1e-5);
}

void StorageTest::burst()
{
    Scenario s = plan();
    s.workload.jobs = 3;
    s.storage.pools = {pool("fast", 1e15, 1e11, {PoolContent::Checkpoints})};
    const auto use = storageUse(Inputs<double>(s), load());
    QCOMPARE(use.burst.si(), 4.2e12);
    QCOMPARE(use.burstTime.si(), 42.0);
}

void StorageTest::checkpointsThatStayInTheNodes()
{
    Scenario s = plan();
    s.storage.logBytesPerChipDay = 0;
    s.storage.pools = {pool("fast", 1e15, 1e11, {PoolContent::Checkpoints})};
    StorageLoad<double> peers = load();
    peers.reachesPools = false;
    const auto use = storageUse(Inputs<double>(s), peers);
    QCOMPARE(use.burst.si(), 0.0);
    QCOMPARE(use.write.si(), 0.0);
    QCOMPARE(use.pools[0].used.si(), 0.0);
}

QTEST_APPLESS_MAIN(StorageTest)
#include "tst_storage.moc"
