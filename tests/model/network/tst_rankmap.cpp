// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <set>

#include "model/network/rankmap.h"
#include "model/scenario/presets.h"

using namespace cw;
using network::GroupKind;
using network::RankMap;

namespace {

scenario::Scenario planOf(std::int64_t chips, std::int64_t domain, std::int64_t tensor,
                          std::int64_t pipeline, std::int64_t expert, std::int64_t jobs)
{
    scenario::Scenario s;
    s.cluster.chips = chips;
    s.cluster.network.scaleUp.chips = domain;
    s.cluster.node.chips = domain < 8 ? domain : 8;
    s.facility.rackChips = domain;
    s.parallelism.tensor = tensor;
    s.parallelism.pipeline = pipeline;
    s.parallelism.expert = expert;
    s.workload.jobs = jobs;
    s.workload.globalBatchSequences = 27720;
    return s;
}

} // namespace

class TestRankMap : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyRankHasAChipOfItsOwn_data();
    void everyRankHasAChipOfItsOwn();
    void groupsPartitionTheRanks_data() { everyRankHasAChipOfItsOwn_data(); }
    void groupsPartitionTheRanks();
    void sixtyFourOfSeventyTwo();
    void outOfRange();
};

void TestRankMap::everyRankHasAChipOfItsOwn_data()
{
    QTest::addColumn<int>("chips");
    QTest::addColumn<int>("domain");
    QTest::addColumn<int>("tensor");
    QTest::addColumn<int>("pipeline");
    QTest::addColumn<int>("expert");
    QTest::addColumn<int>("jobs");
    QTest::newRow("8") << 8 << 8 << 8 << 1 << 1 << 1;
    QTest::newRow("64 of 72") << 720 << 72 << 8 << 2 << 64 << 1;
    QTest::newRow("ragged") << 1000 << 8 << 4 << 3 << 8 << 1;
    QTest::newRow("two jobs") << 512 << 8 << 8 << 2 << 8 << 2;
}

void TestRankMap::everyRankHasAChipOfItsOwn()
{
    QFETCH(int, chips);
    QFETCH(int, domain);
    QFETCH(int, tensor);
    QFETCH(int, pipeline);
    QFETCH(int, expert);
    QFETCH(int, jobs);
    const RankMap map(planOf(chips, domain, tensor, pipeline, expert, jobs));
    std::set<std::int64_t> used;
    for (std::int64_t job = 0; job < map.jobs(); ++job)
        for (std::int64_t rank = 0; rank < map.ranks(); ++rank) {
            const auto place = map.place(rank, job);
            QVERIFY(place.chip >= 0 && place.chip < chips);
            QVERIFY(used.insert(place.chip).second);
            const auto back = map.onChip(place.chip);
            QVERIFY(back && back->rank == rank && back->job == job);
            QCOMPARE(map.machine().index(place.place), place.chip);
        }
    std::int64_t idle = 0;
    for (std::int64_t chip = 0; chip < chips; ++chip)
        idle += map.onChip(chip) ? 0 : 1;
    QCOMPARE(idle, map.idle());
}

void TestRankMap::groupsPartitionTheRanks()
{
    QFETCH(int, chips);
    QFETCH(int, domain);
    QFETCH(int, tensor);
    QFETCH(int, pipeline);
    QFETCH(int, expert);
    QFETCH(int, jobs);
    const RankMap map(planOf(chips, domain, tensor, pipeline, expert, jobs));
    for (std::size_t k = 0; k < network::kGroupKinds; ++k) {
        const auto kind = static_cast<GroupKind>(k);
        std::int64_t members = 0;
        for (std::int64_t rank = 0; rank < map.ranks(); ++rank) {
            const auto peers = map.peers(rank, kind);
            const auto mine = static_cast<std::size_t>(map.place(rank).member[k]);
            QVERIFY(mine < peers.size() && peers[mine] == rank);
            for (const std::int64_t p : peers)
                QCOMPARE(map.place(p).group[k], map.place(rank).group[k]);
            members += mine == 0 ? static_cast<std::int64_t>(peers.size()) : 0;
        }
        QCOMPARE(members, map.ranks());
    }
}

/// TP 8 x EP 64 in domains of 72: 64 hold ranks, 8 are left; rank 64 stands on the second domain.
void TestRankMap::sixtyFourOfSeventyTwo()
{
    const RankMap map(planOf(720, 72, 8, 1, 64, 1));
    QCOMPARE(map.chipOf(63), std::int64_t(63));
    QCOMPARE(map.chipOf(64), std::int64_t(72));
    QVERIFY(!map.onChip(64).has_value());
    QCOMPARE(map.place(64).domain, std::int64_t(1));
}

void TestRankMap::outOfRange()
{
    const RankMap map(planOf(64, 8, 8, 1, 1, 1));
    QVERIFY(map.peers(-1, GroupKind::Data).empty());
    QVERIFY(map.peers(64, GroupKind::Data).empty());
    QVERIFY(!map.onChip(64).has_value());
    QVERIFY(!map.onChip(-1).has_value());
}

QTEST_APPLESS_MAIN(TestRankMap)
#include "tst_rankmap.moc"
