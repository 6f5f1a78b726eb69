// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <algorithm>
#include <cmath>

#include "model/evaluation/evaluation.h"
#include "model/evaluation/explanation.h"
#include "model/evaluation/quantities.h"
#include "model/evaluation/runcurve.h"
#include "model/scenario/phases.h"
#include "model/scenario/plan.h"
#include "model/scenario/presets.h"

using cw::evaluation::Evaluation;
using cw::scenario::Phase;
using cw::scenario::Scenario;

namespace {

Scenario plan()
{
    Scenario s;
    cw::scenario::applyPreset(s, "model", "llama3.1-70b");
    cw::scenario::applyPreset(s, "cluster", "dgx-h100");
    s.cluster.chips = 2048;
    s.parallelism.tensor = 8;
    s.parallelism.pipeline = 4;
    s.workload.globalBatchSequences = 1024;
    s.workload.trainingTokens = 1e12;
    return s;
}

Phase phase(const char* name, double tokens, const char* set)
{
    Phase p;
    p.name = name;
    p.trainingTokens = tokens;
    p.set = set;
    return p;
}

bool near(double a, double b, double relative = 1e-9)
{
    return std::abs(a - b) <= relative * std::abs(b);
}

bool breaks(const Evaluation& e, const char* rule)
{
    return std::any_of(e.violations.begin(), e.violations.end(),
                       [rule](const auto& v) { return v.rule == rule; });
}

} // namespace

class TestPhases : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void phasesOfOneKindAreThePlan();
    void eachHasItsStep();
    void powerAndPlayAreThePhases();
    void longContextIsSlowerByToken();
    void rampTakesLonger();
    void mistakesAreTold();
    void listsAreSet();
    void daysAreExplained();
    void curveHasItsOptimum();
    void monthRepeats();
};

void TestPhases::phasesOfOneKindAreThePlan()
{
    Scenario s = plan();
    const Evaluation whole = cw::evaluation::evaluate(s);
    s.workload.phases = {phase("a", 3e11, "{}"), phase("b", 7e11, "{}")};
    const Evaluation parts = cw::evaluation::evaluate(s);
    QVERIFY(parts.feasible == whole.feasible);
    QCOMPARE(parts.phases.size(), std::size_t{2});
    QVERIFY(near(parts.run.days, whole.run.days));
    QVERIFY(near(parts.run.goodput, whole.run.goodput));
    QVERIFY(near(parts.run.effectiveMfu, whole.run.effectiveMfu));
    QVERIFY(near(parts.cost.perRun.si(), whole.cost.perRun.si()));
    QVERIFY(near(parts.power.energyPerRun.si(), whole.power.energyPerRun.si()));
    QVERIFY(near(parts.flops.modelPerRun.si(), whole.flops.modelPerRun.si()));
    QVERIFY(near(parts.run.lost.lostProgress.si(), whole.run.lost.lostProgress.si()));
    QVERIFY(near(parts.phases[0].days, 0.3 * whole.run.days));
    QCOMPARE(parts.phases[0].name, std::string("a"));
}

void TestPhases::powerAndPlayAreThePhases()
{
    Scenario s = plan();
    s.workload.phases = {phase("bf16", 6e11, "{}"),
                         phase("fp8", 4e11, R"({"precision.compute": "fp8"})")};
    const Evaluation e = cw::evaluation::evaluate(s);
    // The mean power of the run is what its energy is over its time, and its parts sum up to it.
    QVERIFY(near(e.power.average.facility.si() * e.run.wall.si(), e.power.energyPerRun.si()));
    QVERIFY(near(e.cost.perHour.si() * e.run.wall.si() / 3600, e.cost.perRun.si()));
    const auto& c = e.power.chipUse;
    QVERIFY(near((c.matrix + c.memory + c.communication + c.idle).si(), e.power.average.chip.si()));
    // Played phase by phase, the run takes as long.
    const auto played = cw::evaluation::simulateRun(s, e, 100, 3);
    QVERIFY2(std::abs(played.days.mean / e.run.days - 1) < 0.01,
             qPrintable(QString::number(played.days.mean / e.run.days)));
}

void TestPhases::eachHasItsStep()
{
    Scenario s = plan();
    s.workload.phases = {phase("bf16", 6e11, "{}"),
                         phase("fp8", 4e11, R"({"precision.compute": "fp8"})")};
    const Evaluation e = cw::evaluation::evaluate(s);
    Scenario first = plan();
    first.workload.trainingTokens = 6e11;
    Scenario second = plan();
    second.workload.trainingTokens = 4e11;
    second.precision.compute = cw::scenario::Format::Fp8;
    const Evaluation a = cw::evaluation::evaluate(first);
    const Evaluation b = cw::evaluation::evaluate(second);
    QVERIFY(b.step.time < a.step.time);
    QCOMPARE(e.phases[0].step.si(), a.step.time.si());
    QCOMPARE(e.phases[1].step.si(), b.step.time.si());
    QCOMPARE(e.phases[1].cost, b.cost.perRun.si());
    QVERIFY(near(e.run.days, a.run.days + b.run.days));
    QVERIFY(near(e.cost.perRun.si(), a.cost.perRun.si() + b.cost.perRun.si()));
    // Useful time over wall time of both.
    QVERIFY(near(e.run.goodput, (a.run.days * a.run.goodput + b.run.days * b.run.goodput) /
                                    (a.run.days + b.run.days)));
    QCOMPARE(*cw::evaluation::figure(e, "run.phases.1.days"), e.phases[1].days);
}

void TestPhases::longContextIsSlowerByToken()
{
    Scenario s = plan();
    s.workload.phases = {
        phase("main", 9e11, "{}"),
        phase("long", 1e11,
              R"({"workload": {"sequence_length": 32768, "global_batch_sequences": 256},
                  "parallelism.context": 4})")};
    const Evaluation e = cw::evaluation::evaluate(s);
    QCOMPARE(e.phases[1].sequenceLength, 32768.0);
    QCOMPARE(e.phases[1].batchSequences, 256.0);
    // More attention for each token: the hundred billion tokens take more than a ninth of the rest.
    QVERIFY(e.phases[1].days > e.phases[0].days / 9);
}

void TestPhases::rampTakesLonger()
{
    Scenario s = plan();
    s.workload.phases = {phase("all", 1e12, "{}")};
    const double flat = cw::evaluation::evaluate(s).run.days;
    Phase& p = s.workload.phases[0];
    p.rampTokens = 2e11;
    p.rampFromSequences = 1024;
    QVERIFY(near(cw::evaluation::evaluate(s).run.days, flat));
    // By hand: eight parts of the ramp, each at the middle of its batches; the layout cuts by 64.
    p.rampFromSequences = 64;
    const Evaluation e = cw::evaluation::evaluate(s);
    double useful = 8e11 / cw::evaluation::evaluateCore(plan()).throughput.tokens.si();
    for (int i = 0; i < 8; ++i) {
        Scenario level = plan();
        level.workload.globalBatchSequences = 64 * std::llround((64 + 960 * (i + 0.5) / 8) / 64);
        useful += 2.5e10 / cw::evaluation::evaluateCore(level).throughput.tokens.si();
    }
    // The closed form times the levels; the pass-by-pass timing of the full batch sets their scale.
    useful *= cw::evaluation::evaluateCore(plan()).throughput.tokens.si() /
              cw::evaluation::evaluate(plan()).throughput.tokens.si();
    QVERIFY2(near(e.run.wall.si() * e.run.goodput, useful, 1e-6),
             qPrintable(QString::number(e.run.wall.si() * e.run.goodput / useful)));
    QVERIFY(e.run.days > flat);
    QVERIFY(e.phases[0].rampDays > 0.2 * flat && e.phases[0].rampDays < e.run.days);
}

void TestPhases::mistakesAreTold()
{
    Scenario s = plan();
    s.workload.phases = {phase("a", 1e11, "{}"), phase("b", 1e11, "{}")};
    QVERIFY(breaks(cw::evaluation::evaluate(s), "rule.phase-tokens"));
    s.workload.phases = {phase("a", 1e12, R"({"precision.compute": "fp7"})")};
    QVERIFY(breaks(cw::evaluation::evaluate(s), "rule.phase-setting"));
    s.workload.phases = {phase("a", 1e12, R"({"cluster.chips": 8})")};
    QVERIFY(breaks(cw::evaluation::evaluate(s), "rule.phase-setting"));
    s.workload.phases = {phase("a", 1e12, R"({"parallelism.tensor": 7})")};
    QVERIFY(!cw::evaluation::evaluate(s).feasible);
    s.workload.phases = {phase("a", 1e12, R"({"workload.sequence_length": 1048576})")};
    QVERIFY(breaks(cw::evaluation::evaluate(s), "rule.phase-memory"));
    // In a file it is a fault, with its place.
    const auto reading = cw::scenario::readPlan(R"({"format": "clusterwright-plan", "version": 1,
        "workload": {"phases": [{}, {"set": {"precision.compute": "fp7"}}]}})");
    QVERIFY(!reading.faults.empty());
    QCOMPARE(reading.faults[0].pointer, std::string("/workload/phases/1/set/precision.compute"));
}

void TestPhases::listsAreSet()
{
    using cw::scenario::setValue;
    Scenario s = plan();
    QVERIFY(!setValue(s, "workload.phases", std::string(R"([{"name": "a", "training_tokens": 4e11},
                          {"name": "b", "training_tokens": 6e11, "set": {"precision.compute": "fp8"}}])")));
    QCOMPARE(s.workload.phases.size(), std::size_t{2});
    QCOMPARE(s.workload.phases[1].trainingTokens, 6e11);
    QVERIFY(!setValue(s, "workload.phases.0.set.workload.sequence_length", std::string("8k")));
    QCOMPARE(cw::scenario::phasePlan(s, 0).scenario.workload.sequenceLength, std::int64_t{8000});
    QVERIFY(setValue(s, "workload.phases.0.set.precision.compute", std::string("fp7")));
    QVERIFY(setValue(s, "workload.phases.5.set.precision.compute", std::string("fp8")));
    QVERIFY(setValue(s, "workload.phases", std::string("[{\"training_tokens\": -1}]")));
    QVERIFY(setValue(s, "workload.phases", std::string("no list")));
    QVERIFY(setValue(s, "workload.phase", std::string("[]")));
    QCOMPARE(s.workload.phases.size(), std::size_t{2});
    QVERIFY(!setValue(s, "reliability.checkpoints",
                      std::string(R"([{"tier": "peer", "interval_s": 60}])")));
    QCOMPARE(*s.reliability.checkpoints[0].interval, 60.0);
}

void TestPhases::daysAreExplained()
{
    Scenario s = plan();
    s.workload.phases = {phase("a", 4e11, "{}"),
                         phase("b", 6e11, R"({"precision.compute": "fp8"})")};
    const cw::evaluation::Explanation why(s, cw::text::Language::English);
    const Evaluation e = cw::evaluation::evaluate(s);
    for (const char* path : {"run.days", "run.phases.0.days", "run.phases.1.step_s"}) {
        const auto node = why.find(path);
        QVERIFY2(node, path);
        QCOMPARE(why.trace().node(*node).value, *cw::evaluation::figure(e, path));
        QCOMPARE(why.trace().replay(*node), *cw::evaluation::figure(e, path));
    }
}

void TestPhases::curveHasItsOptimum()
{
    Scenario s = plan();
    const Evaluation e = cw::evaluation::evaluate(s);
    const auto curves = cw::evaluation::runCurves(s, e);
    QCOMPARE(curves.curves.size(), std::size_t{3});
    QCOMPARE(curves.plan.goodput, e.run.goodput);
    QCOMPARE(curves.plan.interval, e.run.checkpointInterval.si());
    QVERIFY(curves.plan.low < curves.plan.goodput && curves.plan.goodput < curves.plan.high);
    for (const auto& p : curves.curves[0].points)
        QVERIFY(p.goodput <= curves.optimum.goodput + 1e-6);
    s.reliability.checkpoints.resize(1);
    s.reliability.checkpoints[0].interval = 4000;
    const Evaluation there = cw::evaluation::evaluate(s);
    QCOMPARE(cw::evaluation::curveAt(s, there, 4000).goodput, there.run.goodput);
    bool own = false;
    double last = -1;
    for (const auto& step : cw::evaluation::spareSteps(s, there)) {
        QVERIFY(step.coverage >= last && step.coverage <= 1);
        last = step.coverage;
        own = own || (step.plan && step.chips == there.run.spareChips);
    }
    QVERIFY(own);
}

void TestPhases::monthRepeats()
{
    const Scenario s = plan();
    const Evaluation e = cw::evaluation::evaluate(s);
    const auto a = cw::evaluation::simulateMonth(s, e, 11);
    const auto b = cw::evaluation::simulateMonth(s, e, 11);
    QCOMPARE(a.story.goodput, b.story.goodput);
    QCOMPARE(a.story.hours.size(), std::size_t{720});
    const auto played = cw::evaluation::simulateRun(s, e, 200, 4);
    QVERIFY(e.run.goodput > played.goodput.low - 0.002 &&
            e.run.goodput < played.goodput.high + 0.002);
    QVERIFY(played.earliest <= played.days.mean && played.days.mean <= played.latest);
    QVERIFY(near(played.days.mean, e.run.days, 0.01));
}

QTEST_APPLESS_MAIN(TestPhases)
#include "tst_phases.moc"
