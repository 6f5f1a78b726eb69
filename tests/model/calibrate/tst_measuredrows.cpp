// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/calibrate/measuredrows.h"

#include <QTest>

#include <algorithm>

#include "model/evaluation/evaluation.h"
#include "resources/embedded.h"

using namespace cw;
using Json = nlohmann::json;

namespace {

/// A row of the published measurements by file and id.
Json row(const char* file, const std::string& id)
{
    for (const Json& r : Json::parse(resources::file(std::string("measured/") + file)))
        if (r["id"] == id)
            return r;
    return {};
}

scenario::Scenario planOf(const char* file, const char* id)
{
    const calibrate::MeasuredRow r = calibrate::readRow(row(file, id));
    return r.plan;
}

} // namespace

/// How rows become plans.
class TestMeasuredRows : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void graphsAndDispatchersComeFromTheRecipe()
    {
        const char* file = "megatron_bridge_perf_summary.json";
        const auto full = planOf(file, "mbridge-0042"); // full iteration, HybridEP, overlap
        QCOMPARE(full.software.graphs, scenario::Graphs::Full);
        QCOMPARE(full.software.dispatcher, scenario::Dispatcher::Fused);
        QVERIFY(std::count(full.software.overlap.begin(), full.software.overlap.end(),
                           scenario::Overlap::Expert) == 1);
        const auto partial = planOf(file, "mbridge-0103"); // attention and router, HybridEP
        QCOMPARE(partial.software.graphs, scenario::Graphs::Partial);
        QVERIFY(std::count(partial.software.overlap.begin(), partial.software.overlap.end(),
                           scenario::Overlap::Expert) == 0);
        const auto eager = planOf(file, "mbridge-0096"); // a recipe that names none of it
        QCOMPARE(eager.software.graphs, scenario::Graphs::None);
        QCOMPARE(eager.software.dispatcher, scenario::Dispatcher::AllToAll);
        QVERIFY(planOf(file, "mbridge-0282").workload.tokenDrop);
        QVERIFY(!planOf(file, "mbridge-0290").workload.tokenDrop); // "token-dropless"
    }

    void everyOtherLayerHasAWindowOrExperts()
    {
        const auto oss = planOf("megatron_bridge_perf_summary.json", "mbridge-0096");
        QCOMPARE(oss.model.groups.size(), std::size_t{2});
        QCOMPARE(oss.model.interleavedGroups, std::int64_t{2});
        QCOMPARE(oss.model.groups[0].attention.kind, scenario::AttentionKind::Full);
        QCOMPARE(oss.model.groups[1].attention.kind, scenario::AttentionKind::SlidingWindow);
        QCOMPARE(oss.model.groups[0].count + oss.model.groups[1].count, std::int64_t{36});
        const auto maverick = planOf("dgxc_benchmarking.json", "dgxc-0297");
        QCOMPARE(maverick.model.groups[0].count, std::int64_t{24});
        QCOMPARE(maverick.model.groups[0].ffn.kind, scenario::FfnKind::Dense);
        QCOMPARE(maverick.model.groups[1].ffn.kind, scenario::FfnKind::Moe);
    }

    void recipesLeaveTheRemainderToTheLastChunk()
    {
        // 61 layers on 2 x 8 chunks: fifteen of four, and one beside head and prediction module.
        const auto s = planOf("megatron_bridge_perf_summary.json", "mbridge-0040");
        QCOMPARE(s.parallelism.stageLayers.size(), std::size_t{16});
        QCOMPARE(s.parallelism.stageLayers.front(), std::int64_t{4});
        QCOMPARE(s.parallelism.stageLayers.back(), std::int64_t{1});
    }

    void alephAlphaEvensParameters()
    {
        // LLaMA 13B with 128k tokens on four stages: a table weighs about two layers, so
        // 9 + 2 against 11.
        const auto s = planOf("alephalpha_layouts.json", "aa-0810");
        QCOMPARE(s.parallelism.stageLayers, (std::vector<std::int64_t>{9, 11, 11, 9}));
    }

    void bandwidthOfTheRowsOwnChip()
    {
        // "400 Gbps per node (A100), 800 Gbps (H100)"
        const auto s = planOf("fms_fsdp.json", "fms-0002");
        QCOMPARE(s.cluster.network.scaleOut.bandwidth, 800e9 / 8 / 8);
    }

    void memoryAsTheSourceReadIt()
    {
        const auto simumax = calibrate::readRow(row("simumax_b200.json", "simumax-0001"));
        const auto e = evaluation::evaluateCore(simumax.plan);
        const auto& stage = e.memory.stages[e.memory.peakStage];
        QCOMPARE(calibrate::shownMemory(simumax, e.memory), (stage.peak - stage.fixed).si());
        const auto bubble = calibrate::readRow(row("zero_bubble.json", "zb-0001"));
        const auto z = evaluation::evaluateCore(bubble.plan);
        QCOMPARE(calibrate::shownMemory(bubble, z.memory), z.memory.reserved.si());
        // An analytical figure is no measurement.
        QVERIFY(!calibrate::readRow(row("papers.json", "papers-0034")).memory);
    }

    void whatAPlanCannotSayIsSkipped()
    {
        QCOMPARE(calibrate::readRow(row("vocab_parallel_a100.json", "vocabpp-0003")).skipped,
                 std::string("validate.vocabulary-parallel"));
    }
};

QTEST_APPLESS_MAIN(TestMeasuredRows)
#include "tst_measuredrows.moc"
