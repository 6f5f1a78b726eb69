// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/step/optimizer.h"

#include <QTest>

#include <cmath>

#include "model/evaluation/evaluation.h"
#include "tests/model/scenario/testplans.h"

using namespace cw;
using evaluation::evaluateCore;
using scenario::Format;
using scenario::Optimizer;
using scenario::Scenario;

namespace {

bool near(double a, double b)
{
    return std::fabs(a - b) <= 1e-9 * std::fabs(b);
}

} // namespace

/// The optimizer's time, and what the expert path costs in each of its modes.
class TestOptimizer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bytes_data()
    {
        QTest::addColumn<int>("optimizer");
        QTest::addColumn<double>("bytes");
        // fp32 gradient read 4, fp32 master read and written 8, bf16 weights written 2; each fp32
        // moment read and written 8; Adafactor reads the gradient twice.
        QTest::newRow("Adam") << int(Optimizer::Adam) << 30.0;
        QTest::newRow("Muon") << int(Optimizer::Muon) << 22.0;
        QTest::newRow("SGD") << int(Optimizer::Sgd) << 22.0;
        QTest::newRow("Adafactor") << int(Optimizer::Adafactor) << 18.0;
    }
    void bytes()
    {
        QFETCH(int, optimizer);
        QFETCH(double, bytes);
        scenario::Precision p;
        p.optimizer = static_cast<Optimizer>(optimizer);
        QCOMPARE(step::optimizerBytesPerParameter(p), bytes);
    }

    void withoutMasterWeights()
    {
        // bf16 gradient 2, bf16 weights read and written 4, two bf16 moments 8.
        scenario::Precision p;
        p.gradients = Format::Bf16;
        p.masterWeights.reset();
        p.optimizerMoments = Format::Bf16;
        QCOMPARE(step::optimizerBytesPerParameter(p), 14.0);
    }

    void newtonSchulz()
    {
        // Five steps of 2 (2 m^2 n + m^3), m = 100, n = 300: 5 * 2 * (6e6 + 1e6).
        QCOMPARE(step::newtonSchulzFlops(100.0, 300.0), 7e7);
        QCOMPARE(step::newtonSchulzFlops(300.0, 100.0), 7e7);
    }

    void streamsItsShard()
    {
        // Adam: bytes of the shard over what the optimizer reaches of memory bandwidth.
        Scenario s = testplans::denseGpt();
        const double adam = evaluateCore(s).step.optimizer.si();
        s.precision.optimizer = Optimizer::Sgd;
        QVERIFY(near(evaluateCore(s).step.optimizer.si(), adam * 22 / 30));
        // Muon moves as much and makes the matrices orthogonal beside it.
        s.precision.optimizer = Optimizer::Muon;
        QVERIFY(evaluateCore(s).step.optimizer.si() > adam * 22 / 30);
    }

    void fullGraphsSpareTheHost()
    {
        // Qwen-like experts on one node: the host's waits vanish with the whole step in a graph.
        Scenario s = testplans::gptOss();
        s.software.graphs = scenario::Graphs::None;
        const auto eager = evaluateCore(s).step;
        const double layers = 36.0 / 4; // of a stage
        const double m = evaluateCore(s).layout.microBatches;
        // Forward and backward each wait once a layer and micro batch at least.
        QVERIFY(eager.host.si() >= 2 * layers * m * s.software.constants.hostMoeLayer);
        s.software.graphs = scenario::Graphs::Full;
        const auto whole = evaluateCore(s).step;
        QVERIFY(whole.host.si() < 0.5 * eager.host.si());
        QVERIFY(whole.time.si() < eager.time.si());
    }

    void tensorRanksShareASend()
    {
        // 2048 tokens x 6144 in 16 bit, an eighth from each of eight ranks, with the sequence cut
        // between them or not.
        Scenario s = testplans::denseGpt();
        const auto sent = [&] {
            const auto e = evaluateCore(s);
            const double sends = 2.0 * e.layout.microBatches;
            const double latency = s.cluster.network.scaleOut.latency;
            return (e.step.pipelineCost.si() / sends - latency) *
                   s.cluster.network.scaleOut.bandwidth * s.cluster.chip.efficiency.scaleOut;
        };
        const double bytes = 2.0 * 2048 * 6144 / 8;
        s.parallelism.sequenceParallel = true;
        QVERIFY(std::fabs(sent() / bytes - 1) < 1e-6);
        s.parallelism.sequenceParallel = false;
        QVERIFY(std::fabs(sent() / bytes - 1) < 1e-6);
    }

    void dispatchers()
    {
        Scenario s = testplans::gptOss();
        const auto cost = [&](std::int64_t ranks, scenario::Dispatcher d) {
            s.parallelism.expert = ranks;
            s.software.dispatcher = d;
            return evaluateCore(s).step.expertCost.si();
        };
        using scenario::Dispatcher;
        // Over two nodes a token goes once to the other node, or once to each expert there.
        QVERIFY(cost(16, Dispatcher::Fused) < cost(16, Dispatcher::AllToAll));
        // Within a node four copies of a token leave its rank, or it goes to all seven others.
        s.parallelism.tensor = 1;
        QVERIFY(cost(8, Dispatcher::AllToAll) < cost(8, Dispatcher::Gather));
    }
};

QTEST_APPLESS_MAIN(TestOptimizer)
#include "tst_optimizer.moc"
