// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <cmath>

#include "model/evaluation/evaluation.h"
#include "model/explore/allocate.h"
#include "model/explore/layouts.h"
#include "model/run/loss.h"
#include "model/scenario/phases.h"
#include "model/scenario/presets.h"

using namespace cw;
using explore::Allocated;
using explore::BudgetKind;
using explore::Goal;
using scenario::Scenario;

namespace {

/// A small dense model on one node.
Scenario oneNode()
{
    Scenario s;
    scenario::applyPreset(s, "model", "llama3.1-8b");
    scenario::applyPreset(s, "cluster", "dgx-h100");
    s.cluster.chips = 8;
    s.facility.rackPowerLimit = 1e6;
    s.workload.sequenceLength = 4096;
    s.workload.globalBatchSequences = 64;
    return s;
}

Allocated allocated(const Scenario& s, BudgetKind kind, double amount, Goal goal = Goal::Loss,
                    unsigned threads = 2)
{
    return explore::allocate(s, {{kind, amount}, goal, threads}, [](double) {});
}

Scenario applied(Scenario s, const explore::Allocation& a)
{
    for (const auto& [path, value] : a.set)
        if (scenario::setValue(s, path, value))
            qFatal("%s was refused", path.c_str());
    return s;
}

} // namespace

class AllocateTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theBestIsAPlan();
    void threadsDoNotMatter();
    void theBestIsTheLeastLoss();
    void nearTheLawsOwnOptimum();
    void moreTimeIsNotWorse();
    void otherBudgets_data();
    void otherBudgets();
    void tokensForThePlansOwnModel();
    void nothingFits();
    void budgetBelowOneStep();
    void mixture();
    void theRuleForExpertsCounts();
    void phasesShareTheTokens();
    void aPhaseThatFitsNowhere();
    void otherSchedulesAreTried();
};

void AllocateTest::theBestIsAPlan()
{
    const Scenario plan = oneNode();
    const Allocated found = allocated(plan, BudgetKind::Days, 2);
    QVERIFY(found.best.has_value());
    const auto& best = found.sizes[*found.best];
    const auto e = evaluation::evaluate(applied(plan, best));
    QVERIFY(e.feasible);
    QCOMPARE(e.parameters.total, best.total);
    QCOMPARE(e.forecast.loss.loss, best.loss);
    QCOMPARE(e.run.days, best.days);
    QVERIFY(best.days <= 2.002 && best.days > 1.99);
    QVERIFY(best.total <= found.largestTotal);
}

void AllocateTest::threadsDoNotMatter()
{
    const Scenario plan = oneNode();
    const Allocated one = allocated(plan, BudgetKind::Days, 1, Goal::Loss, 1);
    const Allocated many = allocated(plan, BudgetKind::Days, 1, Goal::Loss, 5);
    QCOMPARE(one.sizes.size(), many.sizes.size());
    QCOMPARE(one.evaluated, many.evaluated);
    for (std::size_t i = 0; i < one.sizes.size(); ++i) {
        QVERIFY(one.sizes[i].set == many.sizes[i].set);
        QCOMPARE(one.sizes[i].loss, many.sizes[i].loss);
    }
}

void AllocateTest::theBestIsTheLeastLoss()
{
    const Allocated found = allocated(oneNode(), BudgetKind::Days, 1);
    for (const auto& size : found.sizes)
        QVERIFY(size.loss >= found.sizes[*found.best].loss);
    // Largest first, and the largest is too large to see enough tokens.
    for (std::size_t i = 1; i < found.sizes.size(); ++i)
        QVERIFY(found.sizes[i].total < found.sizes[i - 1].total);
    QVERIFY(*found.best > 0);
    QVERIFY(*found.best + 1 < found.sizes.size());
}

void AllocateTest::nearTheLawsOwnOptimum()
{
    // Of what the machine computes in that time the law asks for one ratio of tokens to
    // parameters; MFU and batch, which hang on the size, move it a little.
    const Scenario plan = oneNode();
    const Allocated found = allocated(plan, BudgetKind::Days, 4);
    const auto& best = found.sizes[*found.best];
    const scenario::Inputs<double> in(plan);
    const auto law = run::lawTerms(in, plan.workload.lossLaw);
    const auto optimum = run::optimumOf(law, units::Flop<double>(6 * best.active * best.tokens));
    const double ratio = (best.tokens / best.active) / (optimum.tokens / optimum.parameters);
    QVERIFY2(ratio > 0.4 && ratio < 2.5, qPrintable(QString::number(ratio)));
}

void AllocateTest::moreTimeIsNotWorse()
{
    double last = 1e9;
    for (const double days : {0.5, 2.0, 8.0}) {
        const Allocated found = allocated(oneNode(), BudgetKind::Days, days);
        const double loss = found.sizes[*found.best].loss;
        QVERIFY(loss < last);
        last = loss;
    }
}

void AllocateTest::otherBudgets_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<double>("amount");
    QTest::newRow("energy") << int(BudgetKind::Energy) << 1e9;
    QTest::newRow("cost") << int(BudgetKind::Cost) << 1000.0;
}

void AllocateTest::otherBudgets()
{
    QFETCH(int, kind);
    QFETCH(double, amount);
    const Allocated found = allocated(oneNode(), static_cast<BudgetKind>(kind), amount);
    QVERIFY(found.best.has_value());
    for (const auto& size : found.sizes) {
        const double spent = kind == int(BudgetKind::Energy) ? size.energy : size.cost;
        QVERIFY(spent <= 1.001 * amount && spent > 0.98 * amount);
    }
}

void AllocateTest::tokensForThePlansOwnModel()
{
    const Scenario plan = oneNode();
    const Allocated found = allocated(plan, BudgetKind::Days, 1, Goal::Tokens);
    QCOMPARE(found.sizes.size(), std::size_t(1));
    QCOMPARE(found.sizes[0].total, evaluation::evaluate(plan).parameters.total);
    for (const auto& [path, value] : found.sizes[0].set)
        QVERIFY2(path.rfind("model.", 0) != 0, path.c_str());
}

void AllocateTest::nothingFits()
{
    Scenario plan = oneNode();
    plan.software.fixedBytes = 1e12;
    const Allocated found = allocated(plan, BudgetKind::Days, 1);
    QVERIFY(!found.best && found.sizes.empty());
    QCOMPARE(found.largestTotal, 0.0);
    plan.model.groups.clear();
    QVERIFY(!allocated(plan, BudgetKind::Days, 1).best);
}

void AllocateTest::budgetBelowOneStep()
{
    const Allocated found = allocated(oneNode(), BudgetKind::Cost, 1e-9);
    QVERIFY(found.largestTotal > 0);
    QVERIFY(!found.best);
}

void AllocateTest::mixture()
{
    Scenario plan = oneNode();
    scenario::applyPreset(plan, "model", "qwen3-30b-a3b");
    plan.cluster.chips = 16;
    const Allocated found = allocated(plan, BudgetKind::Days, 1);
    QVERIFY(found.best.has_value());
    const auto& best = found.sizes[*found.best];
    QVERIFY(best.active < best.total);
    QVERIFY(evaluation::evaluate(applied(plan, best)).feasible);
}

void AllocateTest::theRuleForExpertsCounts()
{
    Scenario plan = oneNode();
    scenario::applyPreset(plan, "model", "qwen3-30b-a3b");
    plan.cluster.chips = 16;
    for (const auto rule : {scenario::ExpertRule::EffectiveCount, scenario::ExpertRule::Leverage}) {
        plan.workload.expertRule = rule;
        const Allocated found = allocated(plan, BudgetKind::Days, 1);
        QVERIFY(found.best.has_value());
        const auto& best = found.sizes[*found.best];
        const auto e = evaluation::evaluate(applied(plan, best));
        QCOMPARE(e.forecast.byRule[static_cast<std::size_t>(rule)].loss, best.loss);
    }
}

void AllocateTest::phasesShareTheTokens()
{
    Scenario plan = oneNode();
    plan.workload.phases.resize(2);
    plan.workload.phases[0] = {"main", 9e11, 16, 9e10, "{}"};
    plan.workload.phases[1] = {
        "long",
        1e11,
        {},
        0.0,
        R"({"workload.sequence_length": 32768, "precision.compute": "fp8"})"};
    const Allocated found = allocated(plan, BudgetKind::Days, 2);
    QCOMPARE(found.phases, std::size_t(2));
    QVERIFY(found.best.has_value());
    const auto& best = found.sizes[*found.best];
    Scenario run = applied(plan, best);
    QVERIFY(!scenario::setValue(run, "workload.phases", best.phases));
    QCOMPARE(run.workload.phases.size(), std::size_t(2));
    const auto e = evaluation::evaluate(run);
    QVERIFY(e.feasible);
    QCOMPARE(e.run.days, best.days);
    QCOMPARE(e.forecast.loss.loss, best.loss);
    QVERIFY(best.days <= 2.002 && best.days > 1.98);
    QVERIFY(std::fabs(run.workload.phases[0].trainingTokens / best.tokens - 0.9) < 1e-12);
    QVERIFY(std::fabs(run.workload.phases[0].rampTokens / best.tokens - 0.09) < 1e-12);
    const Scenario last = scenario::phasePlan(run, 1).scenario;
    QCOMPARE(last.workload.sequenceLength, std::int64_t(32768));
    QVERIFY(last.precision.compute == scenario::Format::Fp8);
    const Allocated again = allocated(plan, BudgetKind::Days, 2, Goal::Loss, 5);
    QCOMPARE(again.sizes[*again.best].phases, best.phases);
}

void AllocateTest::aPhaseThatFitsNowhere()
{
    // One sequence of sixteen million tokens is more than the node holds, whatever the size.
    Scenario plan = oneNode();
    plan.workload.phases.resize(1);
    plan.workload.phases[0] = {"long", 1e12, {}, 0.0, R"({"workload.sequence_length": 268435456})"};
    const Allocated found = allocated(plan, BudgetKind::Days, 1);
    QVERIFY(!found.best.has_value());
    plan.workload.phases.clear();
    QVERIFY(allocated(plan, BudgetKind::Days, 1).best.has_value());
}

void AllocateTest::otherSchedulesAreTried()
{
    // A model too large for one node's tensor group, on few micro batches: a schedule with less of
    // a bubble than GPipe's is worth more.
    Scenario plan = oneNode();
    scenario::applyPreset(plan, "model", "llama3.1-70b");
    plan.cluster.chips = 32;
    plan.parallelism.schedule = scenario::Schedule::Gpipe;
    plan.workload.criticalBatchTokens = 2e6;
    const explore::LayoutSearched found = explore::bestLayout(plan, {2e6, 2});
    QVERIFY(found.best.has_value());
    const Scenario& best = found.best->plan;
    if (best.parallelism.pipeline > 1)
        QVERIFY(best.parallelism.schedule != scenario::Schedule::Gpipe);
    Scenario own = best;
    own.parallelism.schedule = scenario::Schedule::Gpipe;
    own.parallelism.virtualStages = 1;
    const auto e = evaluation::evaluate(own);
    QVERIFY(found.best->tokensPerSecond >= e.throughput.tokens.si() * 0.99);
}

QTEST_APPLESS_MAIN(AllocateTest)
#include "tst_allocate.moc"
