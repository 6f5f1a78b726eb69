// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/transformer/counts.h"

#include <QTest>

#include <cmath>

#include "tests/model/scenario/testplans.h"

using namespace cw;
using namespace cw::transformer;
using scenario::Inputs;
using scenario::Scenario;

namespace {

Scenario modelPlan(const char* preset, std::int64_t sequence)
{
    Scenario s;
    scenario::applyPreset(s, "model", preset);
    s.workload.sequenceLength = sequence;
    return s;
}

struct Counted
{
    ParameterCounts<double> parameters;
    FlopCounts<double> flops;
};

Counted count(const Scenario& s)
{
    const Inputs<double> in(s);
    const auto layers = layersOf(in);
    Counted c;
    c.parameters = countParameters(in, layers);
    c.flops = countFlops(in, layers, c.parameters);
    return c;
}

/// Equal where rounded to the last digit printed: `unit` is that digit's worth.
bool printsAs(double value, double printed, double unit)
{
    return std::fabs(value - printed) <= 0.5 * unit * (1 + 1e-9);
}

} // namespace

class TestCounts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void parameters_data()
    {
        QTest::addColumn<QByteArray>("preset");
        QTest::addColumn<double>("total");
        QTest::addColumn<double>("active");
        QTest::addColumn<double>("digit");
        // Computed from the published configurations by the formulas of their reports; totals as
        // the model cards print them.
        QTest::newRow("DeepSeek-V3 671.03 B / 37.55 B (2412.19437)")
            << QByteArray("deepseek-v3") << 671.03e9 << 37.55e9 << 1e7;
        QTest::newRow("Kimi K2 1,026.4 B / 32.9 B")
            << QByteArray("kimi-k2") << 1026.4e9 << 32.9e9 << 1e8;
        QTest::newRow("Mixtral 8x7B 46.703 B / 12.880 B (2401.04088)")
            << QByteArray("mixtral-8x7b") << 46.703e9 << 12.880e9 << 1e6;
        QTest::newRow("Llama 3.1 405B 405.853 B (2407.21783)")
            << QByteArray("llama3.1-405b") << 405.853e9 << 405.853e9 << 1e6;
        QTest::newRow("GPT-3 174.60 B (2005.14165)")
            << QByteArray("gpt3-175b") << 174.60e9 << 174.60e9 << 1e7;
        // 70,553,706,496 on the model card.
        QTest::newRow("Llama 3.1 70B 70.553706496 B")
            << QByteArray("llama3.1-70b") << 70553706496.0 << 70553706496.0 << 1.0;
        QTest::newRow("Llama 3.1 8B 8.030261248 B")
            << QByteArray("llama3.1-8b") << 8030261248.0 << 8030261248.0 << 1.0;
    }
    void parameters()
    {
        QFETCH(QByteArray, preset);
        QFETCH(double, total);
        QFETCH(double, active);
        QFETCH(double, digit);
        const auto c = count(modelPlan(preset.data(), 4096)).parameters;
        QVERIFY2(printsAs(c.total, total, digit), std::to_string(c.total).c_str());
        QVERIFY2(printsAs(c.active, active, digit), std::to_string(c.active).c_str());
    }

    void deepSeekParts()
    {
        const Scenario s = modelPlan("deepseek-v3", 4096);
        const auto c = count(s).parameters;
        // The report counts 36.6 B active with one embedding; the MTP module adds 11.6 B.
        QVERIFY2(printsAs(c.activeHeadOnly, 36.6e9, 1e8), std::to_string(c.activeHeadOnly).c_str());
        QVERIFY2(printsAs(c.mtp, 11.6e9, 1e8), std::to_string(c.mtp).c_str());
        // One MLA block is 0.187 B, by hand: 7168*1536 + 1536*128*192 + 7168*576 + 512*128*256 +
        // 128*128*7168 + 1536 + 512.
        const double mla = 7168.0 * 1536 + 1536.0 * 128 * 192 + 7168.0 * 576 + 512.0 * 128 * 256 +
                           128.0 * 128 * 7168 + 1536 + 512;
        QVERIFY(printsAs(mla, 0.187e9, 1e6));
        // First layers: MLA, two norms and a dense FFN of 18432.
        QCOMPARE(c.perLayer[0], mla + 2 * 7168.0 + 3.0 * 7168 * 18432);
        QVERIFY(printsAs(c.embedding, 129280.0 * 7168, 1));
    }

    void byHand()
    {
        // h 8, V 100, 2 heads of 4, one key head, FFN 16 gated, 3 layers, tied.
        Scenario s;
        s.model.hidden = 8;
        s.model.vocabulary = 100;
        s.model.tiedEmbeddings = true;
        s.model.groups.resize(1);
        auto& g = s.model.groups[0];
        g.count = 3;
        g.attention.heads = 2;
        g.attention.keyValueHeads = 1;
        g.ffn.hidden = 16;
        s.workload.sequenceLength = 10;
        const auto c = count(s);
        const double layer = 8 * 8 + 2 * 8 * 4 + 8 * 8 + 3 * 8 * 16 + 2 * 8;
        QCOMPARE(c.parameters.perLayer[0], layer);
        QCOMPARE(c.parameters.head, 0.0);
        QCOMPARE(c.parameters.total, 100 * 8 + 3 * layer + 8);
        // 6 per matrix parameter with the head, and 3 * 4 * s/2 * heads * dimension.
        QCOMPARE(c.flops.modelPerToken.si(), 6 * (3 * (layer - 16) + 800) + 3 * 3 * 4.0 * 5 * 8);
        QCOMPARE(c.flops.unhalvedPerToken.si(),
                 6 * (3 * (layer - 16) + 800) + 3 * 3 * 4.0 * 10 * 8);
        // A head dimension of its own: heads times dimension twice the hidden size.
        g.attention.headDim = 8;
        QCOMPARE(count(s).parameters.perLayer[0], 8 * 16.0 + 2 * 8 * 8 + 16 * 8 + 3 * 8 * 16 + 16);
    }

    void moeByHand()
    {
        Scenario s = modelPlan("llama3.1-8b", 1024);
        auto& f = s.model.groups[0].ffn;
        const double dense = count(s).parameters.perLayer[0] - 3.0 * 4096 * 14336;
        f.kind = scenario::FfnKind::Moe;
        f.hidden = 512;
        f.experts = 16;
        f.topK = 3;
        f.sharedExperts = 2;
        const auto c = count(s);
        const double expert = 3.0 * 4096 * 512;
        QCOMPARE(c.parameters.perLayer[0], dense + 18 * expert + 16 * 4096);
        QCOMPARE(c.parameters.experts, 32 * 16 * expert);
        QCOMPARE(c.parameters.total - c.parameters.active, 32 * 13 * expert);
        // FLOPs see active experts of the experts' width only.
        f.experts = 32;
        const auto more = count(s);
        QCOMPARE(more.flops.modelPerToken.si() - c.flops.modelPerToken.si(),
                 6.0 * 32 * 16 * 4096); // the router's columns
    }

    void flops_data()
    {
        QTest::addColumn<QByteArray>("preset");
        QTest::addColumn<double>("sequence");
        QTest::addColumn<double>("causal");
        QTest::addColumn<double>("withMtp");
        // GFLOP per token, forward and backward, head counted, embedding not.
        QTest::newRow("Llama 3.1 405B at 8192: 2,524.0")
            << QByteArray("llama3.1-405b") << 8192.0 << 2524.0 << 2524.0;
        QTest::newRow("DeepSeek-V3 at 4096: 250.4, with MTP 260.6")
            << QByteArray("deepseek-v3") << 4096.0 << 250.4 << 260.6;
    }
    void flops()
    {
        QFETCH(QByteArray, preset);
        QFETCH(double, sequence);
        QFETCH(double, causal);
        QFETCH(double, withMtp);
        const auto f = count(modelPlan(preset.data(), std::int64_t(sequence))).flops;
        QVERIFY2(printsAs(f.withoutMtp.si() / 1e9, causal, 0.1),
                 std::to_string(f.withoutMtp.si() / 1e9).c_str());
        QVERIFY2(printsAs(f.modelPerToken.si() / 1e9, withMtp, 0.1),
                 std::to_string(f.modelPerToken.si() / 1e9).c_str());
    }

    void flopsUnhalved()
    {
        // 2,625.4 GFLOP per token, the whole square counted.
        const auto f = count(modelPlan("llama3.1-405b", 8192)).flops;
        QVERIFY2(printsAs(f.unhalvedPerToken.si() / 1e9, 2625.4, 0.1),
                 std::to_string(f.unhalvedPerToken.si() / 1e9).c_str());
    }

    void deepSeekWithoutRouter()
    {
        // 249.8 and 260.0 where the router's matrix is left out, as Megatron-Bridge counts.
        const auto f = count(modelPlan("deepseek-v3", 4096)).flops;
        const double router = 6.0 * 256 * 7168 / 1e9;
        QVERIFY(printsAs(f.withoutMtp.si() / 1e9 - 58 * router, 249.8, 0.1));
        QVERIFY(printsAs(f.modelPerToken.si() / 1e9 - 59 * router, 260.0, 0.1));
    }

    void mixtralStep()
    {
        // 16 H100 at 5912.1 ms and 220.9 TFLOP/s each: 2.090e16 per step of 128 sequences of 2048
        // tokens, attention not halved. [Megatron-LM users' reports]
        Scenario s = modelPlan("mixtral-8x7b", 2048);
        const auto f = count(s).flops;
        const double step = f.unhalvedPerToken.si() * 128 * 2048;
        QVERIFY2(std::fabs(step / 2.090e16 - 1) < 0.005, std::to_string(step).c_str());
    }

    void windowsAndSparseSelection()
    {
        // Mean keys of a causal query within w of s: w - w^2/(2 s).
        Scenario s = modelPlan("llama3.1-8b", 1000);
        auto& a = s.model.groups[0].attention;
        const Inputs<double> in(s);
        QCOMPARE(layersOf(in)[0].core.context, 500.0);
        a.kind = scenario::AttentionKind::SlidingWindow;
        a.window = 100;
        QCOMPARE(layersOf(in)[0].core.context, 100 - 100.0 * 100 / 2000);
        a.window = 5000;
        QCOMPARE(layersOf(in)[0].core.context, 500.0);
        a.kind = scenario::AttentionKind::Chunked;
        a.window = 200;
        QCOMPARE(layersOf(in)[0].core.context, 100.0);
        a.kind = scenario::AttentionKind::Full;
        a.indexerHeads = 4;
        a.indexerDim = 16;
        a.indexerTopK = 200;
        QCOMPARE(layersOf(in)[0].core.context, 200 - 200.0 * 200 / 2000);
        QCOMPARE(layersOf(in)[0].core.indexer, 64.0);
    }

    void totalsFollow()
    {
        Scenario s = testplans::deepSeek();
        const auto c = count(s);
        QCOMPARE(c.flops.modelPerStep.si(), c.flops.modelPerToken.si() * 15360.0 * 4096.0);
        QCOMPARE(c.flops.modelPerRun.si(), c.flops.modelPerToken.si() * 14.8e12);
        QCOMPARE(c.flops.sixNd.si(), 6 * c.parameters.active * 14.8e12);
    }

    void vocabularyPaddingIsNotCounted()
    {
        Scenario s = modelPlan("llama3.1-8b", 4096);
        const double before = count(s).parameters.total;
        s.model.paddedVocabularyMultiple = 4096;
        s.parallelism.tensor = 8;
        QCOMPARE(count(s).parameters.total, before);
    }
};

QTEST_APPLESS_MAIN(TestCounts)
#include "tst_counts.moc"
