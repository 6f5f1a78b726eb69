// SPDX-License-Identifier: GPL-3.0-or-later
// What racks hold and how far groups reach, against a count of every chip.
#include "model/network/groupreach.h"

#include <QTest>
#include <algorithm>

#include "tests/model/scenario/testplans.h"

using namespace cw;
using namespace Qt::StringLiterals;
using network::GroupKind;
using scenario::Axis;

namespace {

/// SuperPoDs of 8,192 chips in racks of 64, nodes of 8.
scenario::Scenario superPods(std::int64_t chips)
{
    scenario::Scenario s;
    testplans::use(s, "model", "deepseek-v3");
    testplans::use(s, "cluster", "atlas-950-superpod");
    s.facility.rackChips = 64;
    s.cluster.chips = chips;
    s.workload.globalBatchSequences = 65536;
    s.parallelism.tensor = 8;
    s.parallelism.pipeline = 16;
    s.parallelism.expert = 64;
    return s;
}

} // namespace

class GroupReachTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// 524,288 chips, TP 8, PP 16: 32,768 ranks a stage, so that a pipeline's stages stand four
    /// pods apart, and each pod of 8,192 holds a quarter of one stage.
    void stagesOutermost()
    {
        const auto s = superPods(524288);
        const network::RankMap map(s);
        QCOMPARE(map.stride(GroupKind::Pipeline), 32768);
        const auto own = *map.onChip(5 * 8192 + 3 * 64 + 2);
        const auto pipe = network::reachOf(map, own, {GroupKind::Pipeline, GroupKind::Tensor});
        QCOMPARE(pipe.ranks, 128);
        QCOMPARE(pipe.nodes, 16);
        QCOMPARE(pipe.racks, 16);
        QCOMPARE(pipe.pods, 16);
        // Within the second quarter of stage 1 the chip stands in the 25th node.
        QCOMPARE(own.member[std::size_t(GroupKind::Pipeline)], 1);
        QCOMPARE(pipe.number, (8192 + 3 * 64) / 8);
        const auto pod = network::podRacks(map, 5);
        QCOMPARE(pod.racks.size(), std::size_t(128));
        QVERIFY(!pod.byStage);
        QCOMPARE(pod.stageFirst, 1);
        QCOMPARE(pod.stageLast, 1);
        QVERIFY(pod.kind == GroupKind::Expert && pod.grouped);
        QCOMPARE(pod.perGroup, 1); // 64 experts' ranks fill a rack
        QCOMPARE(pod.racks[3].groupFirst, 128 + 3);
        QCOMPARE(pod.racks[3].groupLast, 128 + 3);
    }

    /// With TP 8 x CP 8 = EP 64 chips a rack and the stages before the data axis, 16 stages of 8
    /// groups fill a pod of 128 racks: columns of stages and rows of groups.
    void stagesInside()
    {
        auto s = superPods(524288);
        s.parallelism.order = {Axis::Tensor, Axis::Context, Axis::Expert, Axis::Pipeline,
                               Axis::Data};
        s.parallelism.context = 8;
        const network::RankMap map(s);
        QCOMPARE(map.stride(GroupKind::Pipeline), 64);
        // Rack 1,037 is the 14th of pod 8: stage 13 of the pipeline 64.
        const auto own = *map.onChip(1037 * 64 + 9);
        const auto pipe = network::reachOf(
            map, own, {GroupKind::Pipeline, GroupKind::Context, GroupKind::Tensor});
        QCOMPARE(pipe.number, 64);
        QCOMPARE(pipe.ranks, 1024);
        QCOMPARE(pipe.racks, 16);
        QCOMPARE(pipe.pods, 1);
        const auto pod = network::podRacks(map, 8);
        for (std::size_t i = 0; i < 128; ++i) {
            QCOMPARE(pod.racks[i].stageFirst, std::int64_t(i % 16));
            QCOMPARE(pod.racks[i].groupFirst, std::int64_t(64 + i / 16));
            QCOMPARE(pod.racks[i].groupLast, std::int64_t(64 + i / 16));
        }
        QVERIFY(pod.byStage);
        QCOMPARE(pod.stageFirst, 0);
        QCOMPARE(pod.stageLast, 15);
    }

    void rackRangesAreThoseOfItsChips_data()
    {
        QTest::addColumn<int>("tensor");
        QTest::addColumn<int>("pipeline");
        QTest::addColumn<int>("expert");
        QTest::addColumn<qlonglong>("chips");
        QTest::addColumn<bool>("stagesFirst");
        for (const bool first : {false, true}) {
            QTest::addRow("one stage a pod %d", first) << 8 << 4 << 64 << 65536LL << first;
            QTest::addRow("stage within a rack %d", first) << 2 << 8 << 4 << 128LL << first;
            QTest::addRow("odd sizes %d", first) << 4 << 3 << 8 << 9000LL << first;
            QTest::addRow("no experts' groups %d", first) << 8 << 2 << 1 << 4096LL << first;
        }
    }
    void rackRangesAreThoseOfItsChips()
    {
        QFETCH(int, tensor);
        QFETCH(int, pipeline);
        QFETCH(int, expert);
        QFETCH(qlonglong, chips);
        QFETCH(bool, stagesFirst);
        auto s = superPods(chips);
        s.parallelism.tensor = tensor;
        s.parallelism.pipeline = pipeline;
        s.parallelism.expert = expert;
        if (stagesFirst)
            s.parallelism.order = {Axis::Pipeline, Axis::Tensor, Axis::Context, Axis::Expert,
                                   Axis::Data};
        const network::RankMap map(s);
        const auto& m = map.machine();
        for (std::int64_t pod = 0; pod < m.pods; ++pod) {
            const auto all = network::podRacks(map, pod);
            QCOMPARE(std::int64_t(all.racks.size()), m.racksIn(pod));
            for (std::int64_t rack = 0; rack < m.racksIn(pod); ++rack) {
                const auto& holds = all.racks[std::size_t(rack)];
                std::int64_t low = INT64_MAX;
                std::int64_t high = -1;
                std::int64_t lowGroup = INT64_MAX;
                std::int64_t highGroup = -1;
                // Groups of one stage, numbered as they are met in the order of the ranks.
                const std::int64_t extent =
                    map.stride(all.kind) * (expert > 1 ? map.size(all.kind) : 1);
                const bool across = map.stride(GroupKind::Pipeline) < extent;
                const std::int64_t inStage = across ? extent / pipeline : extent;
                for (std::int64_t i = 0; i < m.chipsIn(pod, rack); ++i) {
                    const auto at = map.onChip(pod * m.chipsPerPod + rack * m.chipsPerRack() + i);
                    if (!at)
                        continue;
                    const std::int64_t stage = at->member[std::size_t(GroupKind::Pipeline)];
                    const std::int64_t group =
                        at->group[std::size_t(GroupKind::Pipeline)] / inStage;
                    low = std::min(low, stage);
                    high = std::max(high, stage);
                    lowGroup = std::min(lowGroup, group);
                    highGroup = std::max(highGroup, group);
                }
                QCOMPARE(holds.idle, high < 0);
                if (holds.idle)
                    continue;
                QCOMPARE(holds.stageFirst, low);
                QCOMPARE(holds.stageLast, high);
                QCOMPARE(holds.groupFirst, lowGroup);
                QCOMPARE(holds.groupLast, highGroup);
            }
        }
    }

    void groupsAreNumberedWithoutGaps()
    {
        const auto s = superPods(8192);
        const network::RankMap map(s);
        std::vector<std::int64_t> seen;
        for (std::int64_t rank = 0; rank < map.ranks(); ++rank)
            seen.push_back(
                network::reachOf(map, map.place(rank), {GroupKind::Pipeline, GroupKind::Tensor})
                    .number);
        std::sort(seen.begin(), seen.end());
        seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
        QCOMPARE(std::int64_t(seen.size()), map.ranks() / 128);
        QCOMPARE(seen.front(), 0);
        QCOMPARE(seen.back(), map.ranks() / 128 - 1);
    }

    void switchesAboveAPod_data()
    {
        QTest::addColumn<QString>("system");
        QTest::addColumn<qlonglong>("chips");
        QTest::addColumn<qlonglong>("switches");
        // 9 trays of 2 NVLink switch chips, GB200 NVL72.
        QTest::addRow("nvl72") << u"gb200-nvl72"_s << 7200LL << 18LL;
        QTest::addRow("torus") << u"tpu-v5p-pod"_s << 17920LL << 0LL;
    }
    void switchesAboveAPod()
    {
        QFETCH(QString, system);
        QFETCH(qlonglong, chips);
        QFETCH(qlonglong, switches);
        scenario::Scenario s;
        testplans::use(s, "model", "llama-3.1-405b");
        testplans::use(s, "cluster", system.toStdString().c_str());
        s.facility.rackChips = 16;
        s.cluster.chips = chips;
        const auto t = network::topology(scenario::Inputs<double>(s));
        QCOMPARE(network::switchesOfPod(s, t, network::machine(s)), switches);
    }
};

QTEST_APPLESS_MAIN(GroupReachTest)
#include "tst_groupreach.moc"
