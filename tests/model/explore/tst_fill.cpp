// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include "model/explore/fill.h"
#include "tests/model/scenario/testplans.h"

using namespace cw;
using evaluation::Filled;
using scenario::Scenario;

namespace {

/// A layout of one machine that suits no other: pipelines of 16 for a model of 8 thousand million.
Scenario poorPlan()
{
    Scenario s = testplans::fullySharded();
    s.cluster.chips = 1024;
    s.parallelism.zeroStage = 1;
    s.parallelism.tensor = 8;
    s.parallelism.pipeline = 16;
    s.parallelism.recompute = {scenario::Recompute::Full};
    s.workload.globalBatchSequences = 64;
    s.facility.site = scenario::Site::Nordic;
    s.facility.pue = 1.2;
    return s;
}

} // namespace

class TestFill : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachMachineHasItsLayout_data()
    {
        QTest::addColumn<QByteArray>("system");
        QTest::newRow("the plan's own") << QByteArray();
        QTest::newRow("H100") << QByteArray("dgx-h100");
        QTest::newRow("GB200") << QByteArray("gb200-nvl72");
        QTest::newRow("950DT") << QByteArray("atlas-950-superpod");
    }

    void eachMachineHasItsLayout()
    {
        QFETCH(QByteArray, system);
        const double watts = 2e6;
        const Filled f = explore::fill(poorPlan(), system.toStdString(), watts, 1);
        QVERIFY(f.searched);
        QVERIFY(f.evaluation.power.maximum.facility.si() <= watts);
        // Another node would be too much, but for what the layout leaves over.
        QVERIFY(f.evaluation.power.maximum.facility.si() > 0.7 * watts);
        QVERIFY(f.plan.parallelism.pipeline < 16);
        QCOMPARE(f.plan.cluster.chips % f.plan.cluster.node.chips, std::int64_t(0));
        // The site and what the plan says of it stay; racks and cooling are the machine's.
        QCOMPARE(f.plan.facility.site, scenario::Site::Nordic);
        QCOMPARE(*f.plan.facility.pue, 1.2);
        QCOMPARE(f.plan.facility.preset,
                 system.isEmpty() ? std::string("dgx-h100") : system.toStdString());
        // The plan's layout on as many chips computes less.
        Scenario kept = poorPlan();
        kept.cluster.chips = f.plan.cluster.chips;
        if (!system.isEmpty())
            scenario::applyPreset(kept, "cluster", system.toStdString());
        const auto e = evaluation::evaluate(kept);
        QVERIFY(f.effective > 1.2 * e.power.flopsPerJoule * e.power.average.facility.si());
    }

    void noMoreChipsThanTheNetworkReaches()
    {
        // Two levels of 64 ports carry 2,048 chips, though the power is that of more.
        Scenario s = poorPlan();
        s.cluster.network.scaleOut.topology = scenario::ScaleOutTopology::FatTree;
        s.cluster.network.scaleOut.levels = 2;
        s.cluster.network.scaleOut.radix = 64;
        const Filled f = explore::fill(s, "", 8e6, 1);
        QVERIFY(f.evaluation.topology.reaches);
        QVERIFY(f.plan.cluster.chips <= 2048);
        QVERIFY(f.plan.cluster.chips > 1024);
        s.cluster.network.scaleOut.levels = 3;
        QVERIFY(explore::fill(s, "", 8e6, 1).plan.cluster.chips > 2048);
    }

    void threadsChangeNothing()
    {
        const Filled one = explore::fill(poorPlan(), "gb200-nvl72", 1e6, 1);
        const Filled four = explore::fill(poorPlan(), "gb200-nvl72", 1e6, 4);
        QVERIFY(one.plan == four.plan);
        QCOMPARE(one.effective, four.effective);
    }

    void nothingFitsKeepsTheLayout()
    {
        // 10T parameters do not fit the few chips of 30 kW: the plan's layout stays, one replica.
        Scenario s = poorPlan();
        testplans::use(s, "model", "moe-10t-a500b");
        const Filled f = explore::fill(s, {}, 30e3, 1);
        QVERIFY(!f.searched);
        QCOMPARE(f.plan.cluster.chips, std::int64_t(128));
        QCOMPARE(f.plan.parallelism.pipeline, std::int64_t(16));
        QVERIFY(!f.evaluation.feasible);
    }
};

QTEST_APPLESS_MAIN(TestFill)
#include "tst_fill.moc"
