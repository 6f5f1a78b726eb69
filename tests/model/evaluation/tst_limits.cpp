// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <algorithm>

#include "model/evaluation/limits.h"
#include "tests/model/scenario/testplans.h"

using namespace cw;
using evaluation::Evaluation;
using evaluation::Limit;
using scenario::Scenario;

namespace {

struct Ranked
{
    Evaluation e;
    std::vector<Limit> limits;

    const Limit* find(std::string_view kind) const
    {
        const auto at = std::find_if(limits.begin(), limits.end(),
                                     [&](const Limit& l) { return l.kind == kind; });
        return at == limits.end() ? nullptr : &*at;
    }
};

Ranked ranked(const Scenario& s)
{
    Ranked r;
    r.e = evaluation::evaluate(s);
    r.limits = evaluation::limitsOf(s, r.e);
    return r;
}

Scenario roomy()
{
    Scenario s = testplans::denseGpt();
    s.facility.rackPowerLimit = 150e3;
    return s;
}

} // namespace

class LimitsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void slacks();
    void whatCannotRunComesFirst();
    void theRestIsRankedByItsShare();
    void memoryIsRelaxed();
    void batchIsRelaxed();
    void hostLinkOnlyWhereUsed();
    void storage();
    void site();
    void whatCostsTimeIsRelaxedOnlyWhereItPays();
    void partsOfTheStepSumToIt();
    void noModel();
};

void LimitsTest::slacks()
{
    const Ranked r = ranked(roomy());
    QCOMPARE(r.find("memory")->slack, r.e.memory.usable.si() - r.e.memory.reserved.si());
    QCOMPARE(r.find("tensor")->slack, -r.e.step.tensorComm.si());
    QCOMPARE(r.find("bubble")->slack, -r.e.step.bubble.si());
    QCOMPARE(r.find("failures")->slack, r.e.run.goodput - 1);
    QCOMPARE(r.find("batch")->slack, r.e.forecast.criticalBatchTokens - r.e.forecast.batchTokens);
    // Without a limit of the plan's own, that of its site: one campus at Ashburn, 2 GW.
    QCOMPARE(r.find("power")->slack, 2e9 - r.e.power.peakFacility.si());
    QVERIFY(!r.find("power")->binding);
    QVERIFY(!r.find("storage"));
}

void LimitsTest::whatCannotRunComesFirst()
{
    Scenario s = roomy();
    s.cluster.chip.hbmUsableBytes = 4e9;
    const Ranked r = ranked(s);
    QCOMPARE(r.limits.front().kind, std::string_view("memory"));
    QVERIFY(r.limits.front().binding && r.limits.front().slack < 0);
}

void LimitsTest::theRestIsRankedByItsShare()
{
    for (const auto& [name, plan] : testplans::all()) {
        const Ranked r = ranked(plan);
        for (std::size_t i = 1; i < r.limits.size(); ++i) {
            const Limit& a = r.limits[i - 1];
            const Limit& b = r.limits[i];
            QVERIFY2(a.binding > b.binding || (a.binding == b.binding && a.weight >= b.weight),
                     name.c_str());
        }
    }
}

void LimitsTest::memoryIsRelaxed()
{
    Scenario s = roomy();
    s.cluster.chip.hbmUsableBytes = 0.9 * evaluation::evaluate(s).memory.reserved.si();
    Ranked r = ranked(s);
    QVERIFY(!r.e.feasible);
    evaluation::findRelaxations(r.limits, s, r.e);
    const Limit* memory = r.find("memory");
    QVERIFY(memory->relax.has_value());
    QVERIFY(memory->relax->after.feasible);
    // It is what it says: set, the plan gives that evaluation.
    QVERIFY(!scenario::setValue(s, memory->relax->path, memory->relax->value));
    QCOMPARE(evaluation::evaluate(s).memory.reserved.si(),
             memory->relax->after.memory.reserved.si());
}

void LimitsTest::batchIsRelaxed()
{
    Scenario s = roomy();
    s.workload.criticalBatchTokens = 1e5;
    Ranked r = ranked(s);
    QVERIFY(r.find("batch")->binding && r.find("batch")->slack < 0);
    evaluation::findRelaxations(r.limits, s, r.e);
    const Limit* batch = r.find("batch");
    QVERIFY(batch->relax.has_value());
    QVERIFY(batch->relax->after.forecast.batchPrice < r.e.forecast.batchPrice);
}

void LimitsTest::whatCostsTimeIsRelaxedOnlyWhereItPays()
{
    const auto worth = [](const Evaluation& e) {
        return e.cost.perRun.si() * (1 + e.forecast.batchPrice);
    };
    int offered = 0;
    for (const auto& [name, plan] : testplans::all()) {
        Ranked r = ranked(plan);
        evaluation::findRelaxations(r.limits, plan, r.e);
        for (const Limit& l : r.limits) {
            if (!l.relax)
                continue;
            ++offered;
            QVERIFY2(l.binding || l.weight >= evaluation::kWorthTelling, name.c_str());
            QVERIFY2(!r.e.feasible || l.relax->after.feasible, name.c_str());
            if (r.e.feasible && (l.unit == units::Unit::Seconds || l.kind == "failures"))
                QVERIFY2(worth(l.relax->after) < worth(r.e), name.c_str());
            // Set, it is the plan that was evaluated.
            Scenario changed = plan;
            QVERIFY(!scenario::setValue(changed, l.relax->path, l.relax->value));
            QCOMPARE(evaluation::evaluate(changed).run.days, l.relax->after.run.days);
        }
    }
    QVERIFY(offered > 3);
}

void LimitsTest::partsOfTheStepSumToIt()
{
    // With the peak, the optimizer, offload and the wait for data they are the step.
    for (const auto& [name, plan] : testplans::all()) {
        const Ranked r = ranked(plan);
        if (evaluation::secondsBelowPeak(r.e) < 0)
            continue;
        double sum = (r.e.step.ideal + r.e.step.optimizer + r.e.step.offload).si();
        for (const Limit& l : r.limits)
            if (l.unit == units::Unit::Seconds && l.kind != "storage")
                sum -= l.slack;
        const double whole = (r.e.step.time - r.e.step.dataLoading).si();
        QVERIFY2(std::abs(sum - whole) <= 1e-9 * whole, name.c_str());
    }
}

void LimitsTest::hostLinkOnlyWhereUsed()
{
    Scenario s = roomy();
    QVERIFY(!ranked(s).find("host-link"));
    s.parallelism.offload.optimizer = 1;
    s.cluster.node.hostLinkBandwidth = 1e7;
    const Ranked r = ranked(s);
    QVERIFY(r.find("host-link")->binding);
    QVERIFY(r.find("host-link")->slack < 0);
}

void LimitsTest::storage()
{
    Scenario s = roomy();
    s.storage.pools.resize(1);
    QVERIFY(ranked(s).find("storage")->slack > 0);
    s.storage.pools[0].capacityBytes = 1e9;
    Ranked r = ranked(s);
    QVERIFY(r.find("storage")->binding && r.find("storage")->weight > 1);
    QVERIFY(!r.e.feasible);
    s.storage.pools.clear();
    s.storage.loaderTokensPerSecondPerCore = 1;
    r = ranked(s);
    QVERIFY(r.find("storage")->binding);
    QCOMPARE(r.find("storage")->slack, -r.e.step.dataLoading.si());
}

void LimitsTest::site()
{
    Scenario s = roomy();
    s.facility.gridLimit = 1e3;
    s.facility.rackPowerLimit = 1e3;
    const Ranked r = ranked(s);
    QVERIFY(r.find("power")->binding && r.find("power")->weight > 1);
    QVERIFY(r.find("cooling")->binding);
    QCOMPARE(r.find("cooling")->slack, 1e3 - r.e.cooling.rack.si());
}

void LimitsTest::noModel()
{
    Scenario s = roomy();
    s.model.groups.clear();
    QVERIFY(ranked(s).limits.empty());
}

QTEST_APPLESS_MAIN(LimitsTest)
#include "tst_limits.moc"
