// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <algorithm>
#include <cmath>

#include "model/evaluation/bands.h"
#include "model/evaluation/evaluation.h"
#include "model/evaluation/memoryrule.h"
#include "model/scenario/presets.h"
#include "model/scenario/registry.h"
#include "tests/model/scenario/testplans.h"

// Figures that must tell the same: the step and a stated utilization, the verdict on memory and
// the violations, a band and its extrapolation.

using namespace cw;
using evaluation::Evaluation;
using scenario::Scenario;

namespace {

const scenario::Violation* memoryFault(const Evaluation& e)
{
    const auto at = std::find_if(e.violations.begin(), e.violations.end(),
                                 [](const auto& v) { return evaluation::isMemoryRule(v.rule); });
    return at == e.violations.end() ? nullptr : &*at;
}

double partsOf(const step::StepTime<double>& s)
{
    return (s.compute + s.recompute + s.bubble + s.tensorComm + s.contextComm + s.expertComm +
            s.pipelineComm + s.dataComm + s.offload + s.optimizer + s.dataLoading + s.host +
            s.jitter)
        .si();
}

} // namespace

class TestAgreement : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void statedUtilizationReachesAll()
    {
        double before = 0;
        for (const double mfu : {0.05, 0.1, 0.2, 0.4, 0.8}) {
            Scenario s = testplans::deepSeek();
            s.software.assumedMfu = mfu;
            const Evaluation e = evaluation::evaluate(s);
            QVERIFY(std::fabs(e.throughput.mfu / mfu - 1) < 1e-9);
            QVERIFY(std::fabs(partsOf(e.step) / e.step.time.si() - 1) < 1e-9);
            const double matrix =
                (e.step.matrix + e.step.attention + e.step.stream + e.step.quantization).si();
            QVERIFY(std::fabs(matrix / e.step.compute.si() - 1) < 1e-9);
            // MFU is 6 N D and the like over peak and time: the step is as long as it says.
            QVERIFY(std::fabs(e.step.ideal.si() / mfu / e.step.time.si() - 1) < 1e-9);
            const double tokens =
                double(s.workload.globalBatchSequences * s.workload.sequenceLength);
            QVERIFY(std::fabs(e.throughput.tokens.si() * e.step.time.si() / tokens - 1) < 1e-9);
            // The run is at that rate, for its productive time.
            const double run = e.run.tokens.si() / (e.run.wall.si() * e.run.goodput);
            QVERIFY(std::fabs(run / e.throughput.tokens.si() - 1) < 1e-9);
            // Busier chips draw more, up to what products alone draw.
            QVERIFY(e.power.typical.chip.si() > (mfu < 0.5 ? 1.02 : 1 - 1e-9) * before);
            before = e.power.typical.chip.si();
        }
    }

    void computedUtilizationStatedChangesNothing()
    {
        Scenario s = testplans::deepSeek();
        const Evaluation computed = evaluation::evaluate(s);
        s.software.assumedMfu = computed.throughput.mfu;
        const Evaluation stated = evaluation::evaluate(s);
        QVERIFY(std::fabs(stated.step.time / computed.step.time - 1) < 1e-9);
        QVERIFY(std::fabs(stated.step.bubble / computed.step.bubble - 1) < 1e-6);
        QVERIFY(std::fabs(stated.power.typical.facility / computed.power.typical.facility - 1) <
                1e-9);
        for (const evaluation::Band& b : stated.bands)
            QVERIFY(b.quantity != "step.time_s");
    }

    void notFittingIsAViolation()
    {
        Scenario s = testplans::deepSeek();
        s.cluster.chip.hbmBytes = 24e9;
        s.cluster.chip.hbmUsableBytes.reset();
        const Evaluation e = evaluation::evaluate(s);
        QVERIFY(e.memory.verdict == memory::Verdict::DoesNotFit);
        QVERIFY(!e.feasible);
        const auto* fault = memoryFault(e);
        QVERIFY(fault != nullptr);
        QVERIFY(memoryFault(evaluation::evaluateCore(s)) != nullptr);
        // With the memory that the plain fault names, it fits.
        const auto core = evaluation::evaluateCore(s);
        const auto* plain = memoryFault(core);
        QCOMPARE(plain->path, std::string("cluster.chip.hbm_bytes"));
        s.cluster.chip.hbmBytes = 1.05 * plain->nearest.front();
        QVERIFY(memoryFault(evaluation::evaluate(s)) == nullptr);
    }

    void itsRemedyMakesItFit()
    {
        Scenario s = testplans::deepSeek();
        s.parallelism.recompute.clear();
        s.cluster.chip.hbmUsableBytes.reset();
        const double reserved = evaluation::evaluateCore(s).memory.reserved.si();
        bool remedied = false;
        for (double share = 0.9; share > 0.3; share -= 0.1) {
            s.cluster.chip.hbmBytes = share * reserved;
            const Evaluation e = evaluation::evaluate(s);
            QCOMPARE(memoryFault(e) != nullptr, e.memory.verdict == memory::Verdict::DoesNotFit);
            const auto* fault = memoryFault(e);
            if (fault == nullptr || fault->rule != "rule.memory-remedy")
                continue;
            remedied = true;
            bool fits = false;
            for (const auto& [path, value] : evaluation::memoryCandidates(s)) {
                if (path + " = " + scenario::toText(value) != fault->arguments.at("remedy"))
                    continue;
                Scenario changed = s;
                QVERIFY(!scenario::setValue(changed, path, value));
                fits = memoryFault(evaluation::evaluate(changed)) == nullptr;
            }
            QVERIFY(fits);
        }
        QVERIFY(remedied);
    }

    void extrapolationWidensBothSides()
    {
        Scenario s;
        scenario::applyPreset(s, "model", "kimi-k2");
        scenario::applyPreset(s, "cluster", "gb200-nvl72");
        scenario::applyPreset(s, "software", "nemo");
        s.cluster.chips = 65536;
        const auto like = evaluation::likenessOf(s);
        QCOMPARE(like.beyond, std::string("scale"));
        const auto* measured = evaluation::classFor(evaluation::bandClasses(), "step", like);
        QVERIFY(measured != nullptr);
        const evaluation::BandClass wide = evaluation::extrapolated(*measured, like);
        QVERIFY(wide.low <= measured->low && wide.high >= measured->high);
        QVERIFY(std::fabs(wide.low * wide.high - 1) < 1e-12);
        // Within what was measured it stays.
        s.cluster.chips = 1024;
        const auto near = evaluation::likenessOf(s);
        const auto* same = evaluation::classFor(evaluation::bandClasses(), "step", near);
        QCOMPARE(evaluation::extrapolated(*same, near).high, same->high);
    }
};

QTEST_APPLESS_MAIN(TestAgreement)
#include "tst_agreement.moc"
