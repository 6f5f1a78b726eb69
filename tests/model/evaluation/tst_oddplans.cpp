// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <algorithm>
#include <cmath>

#include "model/evaluation/evaluation.h"
#include "model/evaluation/quantities.h"
#include "model/scenario/plan.h"
#include "model/scenario/presets.h"

// Plans that people try and that must not look as if they worked.

using namespace cw;
using evaluation::Evaluation;
using scenario::Scenario;

namespace {

Scenario mixture()
{
    Scenario s;
    scenario::applyPreset(s, "model", "deepseek-v3");
    scenario::applyPreset(s, "cluster", "hgx-h800");
    s.cluster.chips = 2048;
    s.parallelism.pipeline = 16;
    s.parallelism.expert = 64;
    s.parallelism.recompute = {scenario::Recompute::Full};
    s.workload.globalBatchSequences = 15360;
    return s;
}

bool violates(const Evaluation& e, const std::string& rule)
{
    return std::any_of(e.violations.begin(), e.violations.end(),
                       [&](const auto& v) { return v.rule == rule; });
}

bool advises(const Evaluation& e, const std::string& rule)
{
    return std::any_of(e.advice.begin(), e.advice.end(),
                       [&](const auto& n) { return n.rule == rule; });
}

std::string listOf(std::size_t count, const char* item)
{
    std::string text = "[";
    for (std::size_t i = 0; i < count; ++i)
        text += (i == 0 ? "" : ",") + std::string(item);
    return text + "]";
}

} // namespace

class TestOddPlans : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theOrderNamesEachAxisOnce();
    void shardingGroupsDivide();
    void whatIsOffloadedNeedsRoom();
    void aFormatWithoutUnitsIsTold();
    void aShapeThatMissesItsTargetIsTold();
    void droppedTokensEvenOutTheRanks();
    void recomputingAFusedCoreIsAdvisedAgainst();
    void jobsShareTheBill();
    void idleChipsAreNeverNegative();
    void derivedDataServesTheExperts();
    void absurdStagesAreAnsweredWithFiniteNumbers();
    void longListsAreReadInLinearTime();
    void aModelNeedsAGroup();
};

void TestOddPlans::theOrderNamesEachAxisOnce()
{
    Scenario s = mixture();
    QVERIFY(!violates(evaluation::evaluate(s), "rule.order"));
    s.parallelism.order = {scenario::Axis::Data, scenario::Axis::Tensor};
    QVERIFY(violates(evaluation::evaluate(s), "rule.order"));
    s.parallelism.order.assign(5, scenario::Axis::Tensor);
    QVERIFY(violates(evaluation::evaluate(s), "rule.order"));
}

void TestOddPlans::shardingGroupsDivide()
{
    Scenario s = mixture();
    s.parallelism.shardingGroup = 64;
    QVERIFY(!violates(evaluation::evaluate(s), "rule.sharding-divides"));
    s.parallelism.shardingGroup = 7;
    QVERIFY(violates(evaluation::evaluate(s), "rule.sharding-divides"));
}

void TestOddPlans::whatIsOffloadedNeedsRoom()
{
    Scenario s = mixture();
    s.parallelism.offload.optimizer = 1;
    const Evaluation there = evaluation::evaluate(s);
    QVERIFY(there.memory.host.si() > 0);
    QVERIFY(!violates(there, "rule.host-memory"));
    s.cluster.node.hostMemoryBytes = 1e9;
    QVERIFY(violates(evaluation::evaluate(s), "rule.host-memory"));
    s.parallelism.offload.target = scenario::OffloadTarget::Nvme;
    s.cluster.node.nvmeBytes = 0;
    const Evaluation none = evaluation::evaluate(s);
    QVERIFY(!violates(none, "rule.host-memory"));
    QVERIFY(violates(none, "rule.nvme-capacity"));
}

void TestOddPlans::aFormatWithoutUnitsIsTold()
{
    Scenario s = mixture();
    QVERIFY(!advises(evaluation::evaluate(s), "advice.format-fallback"));
    s.precision.compute = scenario::Format::Mxfp8; // served by the fp8 units
    QVERIFY(!advises(evaluation::evaluate(s), "advice.format-fallback"));
    s.precision.compute = scenario::Format::Nvfp4;
    QVERIFY(advises(evaluation::evaluate(s), "advice.format-fallback"));
}

void TestOddPlans::aShapeThatMissesItsTargetIsTold()
{
    Scenario s = mixture();
    s.model.scaleTo.total = 1e12;
    s.model.scaleTo.active = 5e10;
    const Evaluation met = evaluation::evaluate(s);
    QVERIFY(!advises(met, "advice.scale-missed"));
    QVERIFY(std::fabs(met.parameters.total / 1e12 - 1) < 0.01);
    QVERIFY(std::fabs(met.parameters.active / 5e10 - 1) < 0.01);
    s.model.scaleTo.active = 2e12; // more than the total
    QVERIFY(advises(evaluation::evaluate(s), "advice.scale-missed"));
}

void TestOddPlans::droppedTokensEvenOutTheRanks()
{
    Scenario s = mixture();
    s.workload.expertImbalance = 3;
    const double uneven = evaluation::evaluate(s).step.time.si();
    s.workload.tokenDrop = true;
    const double dropped = evaluation::evaluate(s).step.time.si();
    s.workload.expertImbalance = 1;
    QVERIFY(dropped < uneven);
    QCOMPARE(dropped, evaluation::evaluate(s).step.time.si());
}

void TestOddPlans::recomputingAFusedCoreIsAdvisedAgainst()
{
    Scenario s = mixture();
    s.parallelism.recompute = {scenario::Recompute::Norm, scenario::Recompute::AttentionCore,
                               scenario::Recompute::MlaUp};
    const Evaluation e = evaluation::evaluate(s);
    const auto it = std::find_if(e.advice.begin(), e.advice.end(),
                                 [](const auto& n) { return n.rule == "advice.selective-fused"; });
    QVERIFY(it != e.advice.end());
    // Only the core goes; what else is recomputed stays.
    QCOMPARE(it->change.front().second, std::string("norm,mla-up"));
    s.software.attention = scenario::AttentionKernel::Unfused;
    QVERIFY(!advises(evaluation::evaluate(s), "advice.selective-fused"));
}

void TestOddPlans::jobsShareTheBill()
{
    Scenario s = mixture();
    const Evaluation one = evaluation::evaluate(s);
    s.workload.jobs = 2;
    s.cluster.chips *= 2;
    const Evaluation two = evaluation::evaluate(s);
    // Two equal jobs on twice the machine: the same price for a token, but for what does not
    // double (switches come whole, larger machines fail more often).
    QVERIFY(std::fabs(two.cost.perMillionTokens / one.cost.perMillionTokens - 1) < 0.05);
}

void TestOddPlans::idleChipsAreNeverNegative()
{
    Scenario s = mixture();
    s.cluster.spareChips = 99999;
    QCOMPARE(evaluation::evaluate(s).layout.idle, 0.0);
    QVERIFY(violates(evaluation::evaluate(s), "rule.more-chips-than-there-are"));
}

void TestOddPlans::derivedDataServesTheExperts()
{
    // 2,040 chips hold 127 replicas of 16; 120 divides the batch, but only multiples of 64 serve
    // expert groups of 64.
    Scenario s = mixture();
    s.cluster.spareChips = 8;
    QCOMPARE(scenario::derivedData(s), std::int64_t{64});
    QVERIFY(!violates(evaluation::evaluate(s), "rule.expert-group"));
}

void TestOddPlans::absurdStagesAreAnsweredWithFiniteNumbers()
{
    Scenario s = mixture();
    s.parallelism.schedule = scenario::Schedule::Interleaved;
    s.parallelism.pipeline = 10000;
    s.parallelism.virtualStages = 10000;
    const Evaluation e = evaluation::evaluate(s);
    QVERIFY(violates(e, "rule.fewer-layers-than-stages"));
    QVERIFY(std::isfinite(e.step.time.si()));
    QVERIFY(std::isfinite(e.memory.peak.si()));
}

void TestOddPlans::longListsAreReadInLinearTime()
{
    // Half a million objects: quadratic reading takes minutes, which the runner's limit notices.
    const std::string plan = R"({"format":"clusterwright-plan","version":1,"training":{"a":)" +
                             listOf(500000, "{}") + R"(},"reliability":{"domains":)" +
                             listOf(4096, "{}") + "}}";
    const auto reading = scenario::readPlan(plan);
    QVERIFY(reading.plan.has_value());
    QCOMPARE(reading.plan->scenario.reliability.domains.size(), std::size_t{4096});
}

void TestOddPlans::aModelNeedsAGroup()
{
    const auto reading =
        scenario::readPlan(R"({"format":"clusterwright-plan","version":1,"model":{"groups":[]}})");
    QVERIFY(!reading.plan.has_value());
    QCOMPARE(reading.faults.size(), std::size_t{1});
    QCOMPARE(reading.faults.front().pointer, std::string("/model/groups"));
}

QTEST_APPLESS_MAIN(TestOddPlans)
#include "tst_oddplans.moc"
