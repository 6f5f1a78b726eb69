// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include "model/network/machine.h"

using cw::network::ChipPlace;
using cw::network::Machine;
using cw::scenario::Scenario;

class TestMachine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void halfAMillion();
    void domainAboveARack();
    void everyChipHasOnePlace_data();
    void everyChipHasOnePlace();
};

void TestMachine::halfAMillion()
{
    Scenario s;
    s.cluster.chips = 500000;
    const Machine m = cw::network::machine(s);
    QCOMPARE(m.nodes(), std::int64_t(62500));
    QVERIFY(!m.podIsDomain);
}

void TestMachine::domainAboveARack()
{
    // 64 SuperPoDs of 8,192; a pod is not a whole number of racks of 72.
    Scenario s;
    s.cluster.chips = 524288;
    s.cluster.network.scaleUp.chips = 8192;
    const Machine m = cw::network::machine(s);
    QVERIFY(m.podIsDomain);
    QCOMPARE(m.pods, std::int64_t(64));
    QCOMPARE(m.racksPerPod, std::int64_t(114));
    QCOMPARE(m.racks(), std::int64_t(64 * 114));
    QCOMPARE(m.nodes(), std::int64_t(65536));
    QCOMPARE(m.chipsIn(0, 113), std::int64_t(8192 - 113 * 72));
    QCOMPARE(m.place(8192), (ChipPlace{1, 0, 0, 0}));
}

void TestMachine::everyChipHasOnePlace_data()
{
    QTest::addColumn<int>("chips");
    QTest::addColumn<int>("node");
    QTest::addColumn<int>("rack");
    QTest::addColumn<int>("domain");
    QTest::addColumn<int>("sites");
    QTest::newRow("one") << 1 << 8 << 72 << 8 << 1;
    QTest::newRow("ragged node") << 8197 << 8 << 72 << 8 << 1;
    QTest::newRow("rack of a node") << 1000 << 16 << 8 << 16 << 1;
    QTest::newRow("nvl72") << 9216 + 5 << 4 << 72 << 72 << 1;
    QTest::newRow("superpod") << 20000 << 8 << 64 << 8192 << 1;
    QTest::newRow("three sites") << 20000 << 8 << 64 << 512 << 3;
}

void TestMachine::everyChipHasOnePlace()
{
    QFETCH(int, chips);
    QFETCH(int, node);
    QFETCH(int, rack);
    QFETCH(int, domain);
    QFETCH(int, sites);
    Scenario s;
    s.cluster.chips = chips;
    s.cluster.node.chips = node;
    s.facility.rackChips = rack;
    s.cluster.network.scaleUp.chips = domain;
    s.cluster.network.sites = sites;
    const Machine m = cw::network::machine(s);
    std::int64_t counted = 0;
    std::int64_t racks = 0;
    std::int64_t nodes = 0;
    for (std::int64_t p = 0; p < m.pods; ++p) {
        QVERIFY(m.siteOf(p) < m.sites);
        racks += m.racksIn(p);
        for (std::int64_t r = 0; r < m.racksIn(p); ++r) {
            nodes += m.nodesIn(p, r);
            for (std::int64_t n = 0; n < m.nodesIn(p, r); ++n) {
                QVERIFY(m.chipsIn(p, r, n) > 0);
                for (std::int64_t c = 0; c < m.chipsIn(p, r, n); ++c, ++counted) {
                    const ChipPlace place{p, r, n, c};
                    QCOMPARE(m.index(place), counted);
                    QCOMPARE(m.place(counted), place);
                }
            }
        }
    }
    QCOMPARE(counted, std::int64_t(chips));
    QCOMPARE(racks, m.racks());
    QCOMPARE(nodes, m.nodes());
}

QTEST_APPLESS_MAIN(TestMachine)
#include "tst_topology_machine.moc"
