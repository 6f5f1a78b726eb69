// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <algorithm>
#include <cmath>

#include "model/evaluation/evaluation.h"
#include "tests/model/scenario/testplans.h"

using namespace cw;
using evaluation::evaluateCore;
using scenario::OffloadTarget;
using scenario::Scenario;

namespace {

bool near(double a, double b, double tolerance)
{
    return std::fabs(a / b - 1) <= tolerance;
}

const step::Offloading<double>& offloadingOf(const evaluation::Evaluation& e)
{
    return e.step.offloading;
}

/// Parameters whose optimizer state one rank keeps, of the fullest stage: two replicas share them.
double shardOf(const evaluation::Evaluation& e)
{
    double most = 0;
    for (const auto& stage : e.memory.stages)
        most = std::fmax(most, stage.parameters + stage.parametersExperts);
    return most / e.layout.data;
}

Scenario dense()
{
    Scenario s = testplans::denseGpt();
    s.cluster.node.hostLinkSharedWithNic = false;
    return s;
}

} // namespace

class OffloadTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingOffloadedMovesNothing()
    {
        const auto o = offloadingOf(evaluateCore(dense()));
        QCOMPARE(o.down.si() + o.up.si() + o.diskRead.si() + o.hostOptimizer.si(), 0.0);
        QCOMPARE(o.stall.si(), 0.0);
        QCOMPARE(o.available.si(), dense().cluster.node.hostLinkBandwidth);
    }

    void optimizerEachWay()
    {
        Scenario s = dense();
        s.parallelism.offload.optimizer = 0.5;
        const auto e = evaluateCore(s);
        const auto& o = offloadingOf(e);
        QVERIFY(near(o.down.si(), 0.5 * 4 * shardOf(e), 1e-12)); // fp32 gradients
        QVERIFY(near(o.up.si(), 0.5 * 2 * shardOf(e), 1e-12));   // bf16 weights
        QVERIFY(near(o.busy.si(), o.down.si() / o.available.si(), 1e-12));
        QCOMPARE(o.diskRead.si(), 0.0);
    }

    void hostUpdatesAsPublished()
    {
        // ZeRO-Offload (2101.06840), table 4: 10 billion parameters in 2.57 s on two sockets of
        // 128 GB/s. State 8 + 4 bytes read and written, gradient 4, weight 2: 30 each.
        Scenario s = dense();
        s.cluster.node.chips = 1;
        s.cluster.node.hostMemoryBandwidth = 256e9;
        s.parallelism.offload.optimizer = 1;
        const auto e = evaluateCore(s);
        QVERIFY(near(offloadingOf(e).hostOptimizer.si() * 1e10 / shardOf(e), 2.57, 0.001));
        // A slower host is waited for, however fast the link.
        s.cluster.node.hostMemoryBandwidth = 1e9;
        QVERIFY(offloadingOf(evaluateCore(s)).stall.si() > 1);
    }

    void disksReadAndWriteTheState()
    {
        Scenario s = dense();
        s.parallelism.offload.optimizer = 1;
        s.parallelism.offload.target = OffloadTarget::Nvme;
        s.cluster.node.nvmeReadBandwidth = 8e9; // 1 GB/s for each chip
        s.cluster.node.nvmeWriteBandwidth = 4e9;
        const auto e = evaluateCore(s);
        const auto& o = offloadingOf(e);
        QVERIFY(near(o.diskRead.si(), 12 * shardOf(e), 1e-12));
        QCOMPARE(o.diskWritten.si(), o.diskRead.si());
        QVERIFY(near(o.busy.si(), 12 * shardOf(e) / 0.5e9, 1e-12)); // writing is slower
    }

    void activationsBothWays()
    {
        Scenario s = dense();
        s.parallelism.offload.activations = 0.25;
        const auto e = evaluateCore(s);
        const auto& o = offloadingOf(e);
        const double one = e.memory.stages[e.memory.peakStage].activationsPerMicroBatch.si();
        QVERIFY(near(o.down.si(), 0.25 * e.layout.microBatches * one, 1e-12));
        QCOMPARE(o.up.si(), o.down.si());
    }

    void expertsMoveInEachMicroBatch()
    {
        Scenario s = testplans::gptOss();
        s.parallelism.offload.experts = 1;
        const auto e = evaluateCore(s);
        double experts = 0;
        double most = 0;
        for (const auto& stage : e.memory.stages)
            if (most < stage.parameters + stage.parametersExperts) {
                most = stage.parameters + stage.parametersExperts;
                experts = stage.parametersExperts;
            }
        // Weights up for forward and backward, gradients down.
        const auto& o = offloadingOf(e);
        QVERIFY(near(o.up.si(), e.layout.microBatches * experts * 4, 1e-12));
        QVERIFY(near(o.down.si(), e.layout.microBatches * experts * 4, 1e-12));
    }

    void poolUsesTheSuperNodesLinks()
    {
        Scenario s = dense();
        s.parallelism.offload.optimizer = 1;
        s.parallelism.offload.target = OffloadTarget::Pool;
        QCOMPARE(offloadingOf(evaluateCore(s)).available.si(), s.cluster.network.scaleUp.bandwidth);
        s.cluster.node.poolBandwidth = 1e9;
        QCOMPARE(offloadingOf(evaluateCore(s)).available.si(), 1e9);
    }

    void neededBandwidthWouldHideIt()
    {
        // Given what it says is needed, and perfect prefetching, nothing stalls.
        Scenario s = dense();
        s.cluster.node.hostMemoryBandwidth = 1e15;
        s.parallelism.offload.activations = 1;
        s.parallelism.offload.prefetch = 1;
        s.cluster.node.hostLinkBandwidth = 1e8;
        const auto slow = evaluateCore(s);
        QVERIFY(offloadingOf(slow).stall.si() > 0);
        s.cluster.node.hostLinkBandwidth = offloadingOf(slow).needed.si() * 1.0001;
        QCOMPARE(offloadingOf(evaluateCore(s)).stall.si(), 0.0);
        s.cluster.node.hostLinkBandwidth = offloadingOf(slow).needed.si() * 0.99;
        QVERIFY(offloadingOf(evaluateCore(s)).stall.si() > 0);
    }

    void sharedLinkHidesLess()
    {
        Scenario s = testplans::denseGpt();
        s.parallelism.offload.activations = 1;
        s.cluster.node.hostLinkSharedWithNic = true;
        const auto shared = evaluateCore(s);
        s.cluster.node.hostLinkSharedWithNic = false;
        const auto own = evaluateCore(s);
        QVERIFY(offloadingOf(shared).window.si() < offloadingOf(own).window.si());
        QVERIFY(offloadingOf(shared).needed.si() > offloadingOf(own).needed.si());
    }

    void worsePrefetchStallsMore()
    {
        Scenario s = dense();
        s.parallelism.offload = {1, 1, 0, OffloadTarget::Host, 0};
        s.cluster.node.hostLinkBandwidth = 5e9;
        double last = 1e300;
        for (const double prefetch : {0.0, 0.2, 0.5, 0.9, 1.0}) {
            s.parallelism.offload.prefetch = prefetch;
            const double stall = offloadingOf(evaluateCore(s)).stall.si();
            QVERIFY(stall <= last);
            last = stall;
        }
        s.parallelism.offload.prefetch = 0;
        const auto o = offloadingOf(evaluateCore(s)); // nothing is hidden
        QVERIFY(o.stall.si() >= o.busy.si());
    }

    void workingBuffersStay()
    {
        Scenario s = dense();
        const auto before = evaluateCore(s);
        s.parallelism.offload.activations = 1;
        const auto after = evaluateCore(s);
        QCOMPARE(after.memory.stages[0].activations.si(), 0.0);
        // Two layers of 34 s b h / t bytes. [Korthikanti et al. 2022, table 2]
        const double layer = 34.0 * 2048 * 6144 / 8;
        QVERIFY(near(after.memory.stages[0].buffers.si() - before.memory.stages[0].buffers.si(),
                     2 * layer, 0.01));
        s = testplans::gptOss();
        const auto resident = evaluateCore(s);
        s.parallelism.offload.experts = 1;
        const auto away = evaluateCore(s);
        QVERIFY(away.memory.stages[0].buffers.si() > resident.memory.stages[0].buffers.si());
        QVERIFY(away.memory.stages[0].peak.si() < resident.memory.stages[0].peak.si());
    }

    void capacityIsAViolation()
    {
        Scenario s = dense();
        s.parallelism.offload.optimizer = 1;
        s.parallelism.offload.target = OffloadTarget::Pool;
        s.cluster.node.poolMemoryBytes = 1e9;
        const auto e = evaluation::evaluate(s);
        QVERIFY(std::any_of(e.violations.begin(), e.violations.end(),
                            [](const auto& v) { return v.rule == "rule.pool-memory"; }));
    }
};

QTEST_APPLESS_MAIN(OffloadTest)
#include "tst_offload.moc"
