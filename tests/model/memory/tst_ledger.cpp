// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/memory/ledger.h"

#include <QTest>

#include <cmath>

#include "model/transformer/counts.h"
#include "tests/model/scenario/testplans.h"

using namespace cw;
using namespace cw::memory;
using scenario::Format;
using scenario::Inputs;
using scenario::Recompute;
using scenario::Scenario;

namespace {

MemoryLedger<double> ledger(const Scenario& s)
{
    const Inputs<double> in(s);
    return ledgerOf(in, scenario::layoutOf(in), transformer::layersOf(in));
}

LayerActivations<double> activations(const Scenario& s, std::size_t group = 0)
{
    const Inputs<double> in(s);
    return activationsOf(in, scenario::layoutOf(in), transformer::layersOf(in)[group], false);
}

bool near(double a, double b, double relative)
{
    return std::fabs(a - b) <= relative * std::fabs(b);
}

/// The plain GPT of Korthikanti et al. with dropout and unfused attention.
Scenario plainGpt(std::int64_t b, std::int64_t h, std::int64_t heads)
{
    Scenario s = testplans::denseGpt();
    s.model.hidden = h;
    s.model.dropout = true;
    s.model.groups[0].attention.heads = heads;
    s.model.groups[0].attention.keyValueHeads = heads;
    s.model.groups[0].attention.headDim = 0;
    s.model.groups[0].ffn.hidden = 4 * h;
    s.workload.sequenceLength = 2048;
    s.parallelism.microBatchSequences = b;
    s.parallelism.recompute.clear();
    s.software.attention = scenario::AttentionKernel::Unfused;
    return s;
}

/// A dense plan on one pipeline stage with t 1 and data parallelism 8, nothing else in the way.
Scenario plainState(std::int64_t zero)
{
    Scenario s;
    scenario::applyPreset(s, "model", "llama3.1-8b");
    s.model.paddedVocabularyMultiple = 1;
    s.cluster.chips = 8;
    s.workload.globalBatchSequences = 8;
    s.parallelism.zeroStage = zero;
    return s;
}

constexpr double kLlama = 8030261248.0;

} // namespace

class TestLedger : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void published_data()
    {
        QTest::addColumn<int>("b");
        QTest::addColumn<int>("h");
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("kind");
        QTest::addColumn<double>("gigabytes");
        // Korthikanti et al. 2022 (2205.05198), eqs. 1-4: 22B with b 4, 175B with b 1, s 2048.
        QTest::newRow("22B none") << 4 << 6144 << 64 << 0 << 7.080;
        QTest::newRow("22B TP8") << 4 << 6144 << 64 << 1 << 1.325;
        QTest::newRow("22B TP8+SP") << 4 << 6144 << 64 << 2 << 0.885;
        QTest::newRow("22B selective") << 4 << 6144 << 64 << 3 << 0.214;
        QTest::newRow("22B full") << 4 << 6144 << 64 << 4 << 0.101;
        QTest::newRow("175B none") << 1 << 12288 << 96 << 0 << 2.869;
        QTest::newRow("175B TP8") << 1 << 12288 << 96 << 1 << 0.579;
        QTest::newRow("175B TP8+SP") << 1 << 12288 << 96 << 2 << 0.359;
        QTest::newRow("175B selective") << 1 << 12288 << 96 << 3 << 0.107;
        QTest::newRow("175B full") << 1 << 12288 << 96 << 4 << 0.050;
    }
    void published()
    {
        QFETCH(int, b);
        QFETCH(int, h);
        QFETCH(int, heads);
        QFETCH(int, kind);
        QFETCH(double, gigabytes);
        Scenario s = plainGpt(b, h, heads);
        s.parallelism.tensor = kind == 0 ? 1 : 8;
        s.parallelism.sequenceParallel = kind == 2 || kind == 3;
        if (kind == 3)
            s.parallelism.recompute = {Recompute::Selective};
        if (kind == 4)
            s.parallelism.recompute = {Recompute::Full};
        const double bytes = activations(s).total().si();
        QVERIFY2(std::fabs(bytes / 1e9 - gigabytes) <= 0.0005 + 1e-9,
                 std::to_string(bytes / 1e9).c_str());
        // And the formula itself, exactly.
        const double sbh = 2048.0 * b * h;
        const double scores = 5.0 * heads * 2048 / h;
        const double exact = kind == 0   ? sbh * (34 + scores)
                             : kind == 1 ? sbh * (10 + 24.0 / 8 + scores / 8)
                             : kind == 2 ? sbh / 8 * (34 + scores)
                             : kind == 3 ? sbh / 8 * 34
                                         : 2 * sbh;
        QVERIFY2(near(bytes, exact, 1e-12), std::to_string(exact / 1e9).c_str());
    }

    void fullRecomputeShardsItsInput()
    {
        Scenario s = plainGpt(1, 12288, 96);
        s.parallelism.recompute = {Recompute::Full};
        s.parallelism.tensor = 8;
        s.parallelism.sequenceParallel = true;
        QCOMPARE(activations(s).total().si(), 2.0 * 2048 * 12288 / 8);
    }

    void flashAttentionKeepsOneNumberOfEachRow()
    {
        Scenario s = plainGpt(1, 12288, 96);
        s.parallelism.tensor = 8;
        s.software.attention = scenario::AttentionKernel::Flash2;
        QCOMPARE(activations(s).total().si(), 34.0 * 2048 * 12288 / 8 + 4.0 * 2048 * 96 / 8);
    }

    void contextParallelismDivides()
    {
        Scenario s = testplans::denseGpt();
        const double one = activations(s).total().si();
        s.parallelism.context = 2;
        QCOMPARE(activations(s).total().si(), one / 2);
    }

    void phi3Attention()
    {
        // Unfused attention of one Phi-3 layer, s 4096, 32 heads: probabilities 1,024 MiB, dropout
        // mask and output 1,536 MiB more, as PyTorch's allocator showed. [users' report]
        Scenario s = plainGpt(1, 3072, 32);
        s.workload.sequenceLength = 4096;
        s.parallelism.tensor = 1;
        s.model.dropout = false;
        const double without = activations(s).total().si();
        s.software.attention = scenario::AttentionKernel::Flash2;
        const double rows = 4.0 * 4096 * 32;
        QCOMPARE(without - activations(s).total().si() + rows, 1024.0 * 1048576);
        s.model.dropout = true;
        const double fused = activations(s).total().si();
        s.software.attention = scenario::AttentionKernel::Unfused;
        QCOMPARE(activations(s).total().si() - fused + rows, 2560.0 * 1048576);
    }

    void zero_data()
    {
        QTest::addColumn<int>("stage");
        QTest::addColumn<double>("weights");
        QTest::addColumn<double>("gradients");
        QTest::addColumn<double>("optimizer");
        // bf16 weights 2, fp32 gradients 4, Adam with fp32 master 12, over G = 8.
        QTest::newRow("ZeRO 0: 18") << 0 << 2.0 << 4.0 << 12.0;
        QTest::newRow("ZeRO 1: 6 + 12/8") << 1 << 2.0 << 4.0 << 12.0 / 8;
        QTest::newRow("ZeRO 2: 2 + 16/8") << 2 << 2.0 << 4.0 / 8 << 12.0 / 8;
        QTest::newRow("ZeRO 3: 18/8") << 3 << 2.0 / 8 << 4.0 / 8 << 12.0 / 8;
    }
    void zero()
    {
        QFETCH(int, stage);
        QFETCH(double, weights);
        QFETCH(double, gradients);
        QFETCH(double, optimizer);
        const auto m = ledger(plainState(stage)).stages[0];
        QCOMPARE(m.weights.si(), weights * kLlama);
        QCOMPARE(m.gradients.si(), gradients * kLlama);
        QCOMPARE(m.optimizer.si(), optimizer * kLlama);
        // Beside the logits the gradient of the head in fp32; with ZeRO 3 the gathered layers too.
        const double head = 4.0 * 128256 * 4096;
        QCOMPARE(m.temporary.si() - m.temporaryLogits.si() > head * (1 + 1e-9), stage == 3);
    }

    void zero2WithHalfGradients()
    {
        // 2 P + (2 + 4 + 4 + 4) P / N with 16-bit gradients.
        Scenario s = plainState(2);
        s.precision.gradients = Format::Bf16;
        const auto m = ledger(s).stages[0];
        QCOMPARE((m.weights + m.gradients + m.optimizer).si(), kLlama * (2 + 14.0 / 8));
    }

    void formats()
    {
        QCOMPARE(bytesOf(Format::Fp32), 4.0);
        QCOMPARE(bytesOf(Format::Bf16), 2.0);
        QCOMPARE(bytesOf(Format::Fp8), 1.0);
        QCOMPARE(bytesOf(Format::Mxfp8), 1.03125); // 1 byte of scale for 32: 3.1%
        QCOMPARE(bytesOf(Format::Nvfp4), 0.5625);  // 0.5 + 1/16
        QCOMPARE(bytesOf(Format::Mxfp4), 0.53125);
        // DeepSeek-V3: fp32 master and bf16 moments are 8 bytes.
        Scenario s = plainState(0);
        s.precision.optimizerMoments = Format::Bf16;
        QCOMPARE(ledger(s).stages[0].optimizer.si(), 8 * kLlama);
        s.precision.optimizer = scenario::Optimizer::Muon;
        s.precision.optimizerMoments = Format::Fp32;
        QCOMPARE(ledger(s).stages[0].optimizer.si(), 8 * kLlama);
    }

    void stateOnlyFigureOf72B()
    {
        // Weights alone: 70,553,706,496 parameters in 16 bit are 141.1 GB.
        Scenario s = plainState(0);
        scenario::applyPreset(s, "model", "llama3.1-70b");
        s.model.paddedVocabularyMultiple = 1;
        QCOMPARE(ledger(s).stages[0].weights.si(), 2 * 70553706496.0);
    }

    void logits()
    {
        // s 8192, b 1, V 131072, t 1: 4.3 GB for each fp32 copy; three without fusion.
        Scenario s = plainState(1);
        s.workload.sequenceLength = 8192;
        s.model.vocabulary = 131072;
        s.software.fusedLoss = false;
        QCOMPARE(ledger(s).stages[0].temporaryLogits.si(), 3 * 8192.0 * 131072 * 4);
        QVERIFY(near(8192.0 * 131072 * 4, 4.3e9, 0.002));
        s.software.fusedLoss = true;
        QVERIFY(ledger(s).stages[0].temporaryLogits.si() < 2 * 8192.0 * 131072 * 4);
        s.parallelism.tensor = 8;
        const double split = ledger(s).stages[0].temporaryLogits.si();
        s.software.logits = scenario::Logits::Gathered;
        QCOMPARE(ledger(s).stages[0].temporaryLogits.si(), 8 * split);
    }

    void vocabularyPadding()
    {
        // Megatron's default pads to 128 t: 131,073 becomes 131,200, with t 8 132,096.
        Scenario s = plainState(0);
        s.model.vocabulary = 131073;
        s.model.paddedVocabularyMultiple = 1;
        const double bare = ledger(s).stages[0].weights.si();
        s.model.paddedVocabularyMultiple = 128;
        QCOMPARE(ledger(s).stages[0].weights.si() - bare, 2.0 * 2 * 127 * 4096);
        // 155,136 is a multiple of 128 but not of 256. [a user's slice of Seed-OSS at t 2]
        s.model.vocabulary = 155136;
        s.parallelism.tensor = 2;
        s.parallelism.sequenceParallel = true;
        const double padded = ledger(s).stages[0].weights.si();
        s.model.paddedVocabularyMultiple = 1;
        QCOMPARE(padded - ledger(s).stages[0].weights.si(), 0.0); // 155,136 = 606 x 256
        s.model.vocabulary = 155137;
        const double odd = ledger(s).stages[0].weights.si();
        s.model.paddedVocabularyMultiple = 128;
        QVERIFY(ledger(s).stages[0].weights.si() > odd);
    }

    void seedOssSlice()
    {
        // Four layers on TP 2, PP 2, D 2: 12 bytes a parameter of (2 x 540.0 M + 794.3 M)/2 is
        // 10,725.0 MiB; the first stage measured 10,732.2. Head dimension 128 on its own.
        Scenario s = plainState(1);
        s.model.hidden = 5120;
        s.model.vocabulary = 155136;
        s.model.paddedVocabularyMultiple = 1;
        auto& g = s.model.groups[0];
        g.count = 4;
        g.attention.heads = 80;
        g.attention.keyValueHeads = 8;
        g.attention.headDim = 128;
        g.attention.queryKeyValueBias = true;
        g.ffn.hidden = 27648;
        s.parallelism.tensor = 2;
        s.parallelism.pipeline = 2;
        s.workload.globalBatchSequences = 32;
        const auto m = ledger(s).stages[0];
        const double state = (m.weights + m.gradients + m.optimizer).si() / 1048576;
        QVERIFY2(near(state, 10725.0, 0.001), std::to_string(state).c_str());
    }

    void expertBuckets()
    {
        // Tensor-cut, replicated and routed parameters: / t, / 1, / (x e).
        Scenario s = testplans::gptOss();
        s.parallelism.pipeline = 1;
        s.parallelism.zeroStage = 0;
        s.cluster.chips = 32;
        const auto base = ledger(s).stages[0];
        const Inputs<double> in(s);
        const auto layers = transformer::layersOf(in);
        double experts = 0;
        for (std::size_t g = 0; g < layers.size(); ++g)
            experts +=
                double(s.model.groups[g].count) * transformer::parametersOf(layers[g]).experts;
        QVERIFY(near(base.parametersExperts, experts / 8, 1e-12));
        Scenario tensor = s;
        tensor.parallelism.tensor = 4;
        QVERIFY(near(ledger(tensor).stages[0].parametersExperts, experts / 8, 1e-12));
        Scenario inner = s;
        inner.parallelism.expertTensor = 2;
        QVERIFY(near(ledger(inner).stages[0].parametersExperts, experts / 16, 1e-12));
        // Optimizer of experts goes over their own data-parallel group: t c D / (x e) = 4.
        Scenario sharded = s;
        sharded.parallelism.zeroStage = 1;
        const auto m = ledger(sharded).stages[0];
        QVERIFY(near(m.optimizer.si(), 12 * (base.parameters / 16 + base.parametersExperts / 4),
                     1e-12));
    }

    void expertParallelismDoesNotDivideRoutedActivations()
    {
        Scenario s = testplans::gptOss();
        const double before = activations(s).experts.si();
        s.parallelism.expert = 1;
        QCOMPARE(activations(s).experts.si(), before);
        s.workload.expertImbalance = 1.5;
        QVERIFY(activations(s).experts.si() > before);
    }

    void stages()
    {
        const auto m = ledger(testplans::denseGpt());
        QCOMPARE(m.stages.size(), 4U);
        // 1F1B holds p - i micro batches on stage i.
        for (std::size_t i = 0; i < 4; ++i) {
            QCOMPARE(m.stages[i].inFlight, 4.0 - double(i));
            QCOMPARE(m.stages[i].layers, 12);
        }
        QVERIFY(m.stages[3].temporaryLogits.si() > 0);
        QCOMPARE(m.stages[0].temporaryLogits.si(), 0.0);
    }

    void fewMicroBatchesLimitWhatIsHeld()
    {
        Scenario s = testplans::denseGpt();
        s.workload.globalBatchSequences = 4; // D 2: two micro batches
        QCOMPARE(ledger(s).stages[0].inFlight, 2.0);
        s.parallelism.schedule = scenario::Schedule::Gpipe;
        s.workload.globalBatchSequences = 128;
        QCOMPARE(ledger(s).stages[0].inFlight, 64.0);
    }

    void tiedEmbeddings()
    {
        Scenario s = plainState(0);
        const double table = 2.0 * 128256 * 4096;
        const double untied = ledger(s).stages[0].weights.si();
        s.model.tiedEmbeddings = true;
        QCOMPARE(ledger(s).stages[0].weights.si(), untied - table);
        // On two stages the head is a copy of the embedding.
        s.parallelism.pipeline = 2;
        const auto two = ledger(s);
        s.model.tiedEmbeddings = false;
        const auto twoUntied = ledger(s);
        QCOMPARE(two.stages[0].weights.si(), twoUntied.stages[0].weights.si());
        QCOMPARE(two.stages[1].weights.si(), twoUntied.stages[1].weights.si());
    }

    void dualPipeKeepsTwoCopies()
    {
        Scenario s = testplans::deepSeek();
        const auto both = ledger(s);
        s.parallelism.schedule = scenario::Schedule::OneFOneB;
        const auto one = ledger(s);
        for (std::size_t i = 0; i < 16; ++i)
            QVERIFY(near(both.stages[i].parametersExperts,
                         one.stages[i].parametersExperts + one.stages[15 - i].parametersExperts,
                         1e-12));
    }

    void unevenLayoutReportsTheFullest()
    {
        // Layers 1, 2, 2, 3 on four stages: the last holds three layers, not the mean of two.
        Scenario s = testplans::denseGpt();
        s.model.groups[0].count = 8;
        s.parallelism.stageLayers = {1, 2, 2, 3};
        const auto m = ledger(s);
        for (std::size_t i = 0; i < 4; ++i)
            QCOMPARE(m.stages[i].layers, (std::vector<std::int64_t>{1, 2, 2, 3})[i]);
        const double block = m.stages[2].parameters / 2;
        QVERIFY(near(m.stages[1].parameters, 2 * block, 1e-12));
        QVERIFY(m.stages[3].parameters > 3 * block);
    }

    void partsSum()
    {
        for (const auto& [name, s] : testplans::all()) {
            const auto m = ledger(s);
            QCOMPARE(m.stages.size(), std::size_t(s.parallelism.pipeline));
            double most = 0;
            for (const auto& x : m.stages) {
                const auto sum = [](std::initializer_list<double> parts) {
                    double t = 0;
                    for (const double p : parts)
                        t += p;
                    return t;
                };
                QVERIFY(
                    near(x.resident.si(),
                         sum({x.weights.si(), x.gradients.si(), x.optimizer.si(), x.fixed.si()}),
                         1e-12));
                QVERIFY(near(
                    x.peak.si(),
                    sum({x.resident.si(), x.activations.si(), x.temporary.si(), x.buffers.si()}),
                    1e-12));
                QVERIFY(near(x.reserved.si(), x.peak.si() + x.fragmentation.si(), 1e-12));
                QVERIFY(near(x.activations.si(),
                             sum({x.activationsAttention.si(), x.activationsDense.si(),
                                  x.activationsExperts.si(), x.activationsNorms.si()}),
                             1e-12));
                QVERIFY(x.resident.si() <= x.peak.si() && x.peak.si() <= x.reserved.si());
                most = std::fmax(most, x.reserved.si());
            }
            QCOMPARE(m.reserved.si(), most);
            QCOMPARE(m.stages[m.peakStage].reserved.si(), most);
        }
    }

    void verdict_data()
    {
        QTest::addColumn<double>("share");
        QTest::addColumn<int>("verdict");
        // The band around usable memory in which a job fails some of the time is 8% wide.
        QTest::newRow("far below") << 0.5 << int(Verdict::Fits);
        QTest::newRow("just below the band") << 0.955 << int(Verdict::Fits);
        QTest::newRow("in the band") << 0.97 << int(Verdict::Borderline);
        QTest::newRow("in the band, above") << 1.03 << int(Verdict::Borderline);
        QTest::newRow("above") << 1.045 << int(Verdict::DoesNotFit);
    }
    void verdict()
    {
        QFETCH(double, share);
        QFETCH(int, verdict);
        Scenario s = plainState(1);
        s.cluster.chip.hbmUsableBytes = ledger(s).reserved.si() / share;
        QCOMPARE(int(ledger(s).verdict), verdict);
    }

    void offload()
    {
        Scenario s = testplans::gptOss();
        const auto before = ledger(s);
        s.parallelism.offload.optimizer = 1;
        const auto after = ledger(s);
        QCOMPARE(after.stages[0].optimizer.si(), 0.0);
        double most = 0; // host memory is planned for the stage that keeps the most there
        for (const auto& stage : before.stages)
            most = std::fmax(most, stage.optimizer.si());
        QVERIFY(near(after.host.si(), 8 * most, 1e-12));
        QCOMPARE(after.nvme.si(), 0.0);
        QCOMPARE(before.host.si(), 0.0);
        s.parallelism.offload.target = scenario::OffloadTarget::Nvme;
        const auto disk = ledger(s);
        QCOMPARE(disk.host.si(), 0.0);
        QCOMPARE(disk.nvme.si(), after.host.si());
        s.parallelism.offload.activations = 0.5;
        QVERIFY(near(ledger(s).stages[0].activations.si(), before.stages[0].activations.si() / 2,
                     1e-12));
    }

    void plainDataParallelismIsNotHelpedByChips()
    {
        // 3B parameters without sharding: 16 to 20 bytes each on every device. [users' report]
        Scenario s = plainState(0);
        const double eight = ledger(s).reserved.si();
        s.cluster.chips = 64;
        s.workload.globalBatchSequences = 64;
        QCOMPARE(ledger(s).reserved.si(), eight);
        QVERIFY(eight > 18 * kLlama);
    }

    void zero2OfAMoeDoesNotFit()
    {
        // Qwen3-30B-A3B on 16 of 80 GB: ZeRO-2 keeps 57 GiB of weights on each; ran out of memory.
        Scenario s = plainState(2);
        scenario::applyPreset(s, "model", "qwen3-30b-a3b");
        scenario::applyPreset(s, "cluster", "dgx-a100-80");
        s.cluster.chips = 16;
        s.workload.sequenceLength = 8192;
        s.workload.globalBatchSequences = 16;
        const auto m = ledger(s);
        QVERIFY(m.stages[0].weights.si() > 56 * 1073741824.0);
        QCOMPARE(m.verdict, Verdict::DoesNotFit);
    }

    void recomputationNeverAdds()
    {
        for (const auto& [name, base] : testplans::all()) {
            Scenario s = base;
            s.parallelism.recompute.clear();
            const double none = ledger(s).stages[0].activations.si();
            for (int r = 0; r < 10; ++r) {
                s.parallelism.recompute = {static_cast<Recompute>(r)};
                QVERIFY2(ledger(s).stages[0].activations.si() <= none * (1 + 1e-12), name.c_str());
            }
            s.parallelism.recompute = {Recompute::Full};
            const double full = ledger(s).stages[0].activations.si();
            QVERIFY(full < none);
            s.parallelism.recomputeLayers = 0;
            QVERIFY(near(ledger(s).stages[0].activations.si(), none, 1e-12));
        }
    }
};

QTEST_APPLESS_MAIN(TestLedger)
#include "tst_ledger.moc"
