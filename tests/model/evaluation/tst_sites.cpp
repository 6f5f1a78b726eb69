// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <algorithm>

#include "model/evaluation/quantities.h"
#include "model/evaluation/siting.h"
#include "model/scenario/plan.h"
#include "model/scenario/registry.h"
#include "tests/model/scenario/testplans.h"

using namespace cw;
using evaluation::Evaluation;
using scenario::Scenario;
using scenario::Site;

namespace {

bool hasRule(const Evaluation& e, const char* rule)
{
    return std::any_of(e.violations.begin(), e.violations.end(),
                       [&](const auto& v) { return v.rule == rule; });
}

Scenario atSite(Site site, std::int64_t chips)
{
    Scenario s = testplans::fullySharded();
    s.cluster.chips = chips;
    s.workload.globalBatchSequences = 2 * chips;
    s.facility.site = site;
    return s;
}

scenario::PlanReading read(const char* rest)
{
    return scenario::readPlan(
        std::string(R"({"format": "clusterwright-plan", "version": 1, "name": "t",
                        "model": {"preset": "llama3.1-8b"}, )") +
        rest + "}");
}

} // namespace

class TestSites : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void gridLimitOfTheSite()
    {
        // 163,840 H100 draw some 236 MW in a step: above Frankfurt's largest campus (200 MW,
        // Digital Park Fechenheim), within what one at Ashburn is offered.
        const Evaluation over = evaluation::evaluate(atSite(Site::Frankfurt, 163840));
        QVERIFY(over.power.overGrid);
        QVERIFY(!over.feasible);
        QVERIFY(hasRule(over, "rule.grid-limit"));
        QCOMPARE(*evaluation::figure(over, "power.grid_limit_w"), 200e6);
        const Evaluation within = evaluation::evaluate(atSite(Site::Temperate, 163840));
        QVERIFY(!within.power.overGrid);
        QVERIFY(!hasRule(within, "rule.grid-limit"));
        // The plan's own number comes before the site's.
        Scenario own = atSite(Site::Frankfurt, 163840);
        own.facility.gridLimit = 1e9;
        QVERIFY(!evaluation::evaluate(own).power.overGrid);
    }

    void remediesOfTheGridLimitWork()
    {
        const Scenario s = atSite(Site::Frankfurt, 163840);
        const Evaluation e = evaluation::evaluate(s);
        int applied = 0;
        for (const auto& note : e.advice) {
            if (note.rule != "advice.site-with-grid" && note.rule != "advice.cap-to-grid")
                continue;
            Scenario mended = s;
            for (const auto& [path, text] : note.change)
                for (const scenario::Parameter& p : scenario::parameters(mended))
                    if (p.path == path)
                        QVERIFY(!scenario::setValue(mended, path, *scenario::parseValue(p, text)));
            QVERIFY2(!evaluation::evaluate(mended).power.overGrid, note.rule.c_str());
            ++applied;
        }
        QCOMPARE(applied, 2);
    }

    void swingsInTheBandOfTheGrid()
    {
        // 0.1 to 20 Hz (arXiv 2508.14318). A pause of the loader in each step makes the swing.
        const auto told = [](const Scenario& s) {
            const Evaluation e = evaluation::evaluate(s);
            return std::any_of(e.advice.begin(), e.advice.end(),
                               [](const auto& n) { return n.rule == "advice.swing-in-band"; });
        };
        Scenario s = atSite(Site::Temperate, 65536);
        s.storage.loaderTokensPerSecondPerNode = 8e4;
        const Evaluation e = evaluation::evaluate(s);
        QVERIFY2(
            e.power.swing.si() > 10e6 && e.power.swingHz > 0.1 && e.power.swingHz < 20,
            qPrintable(QStringLiteral("%1 W, %2 Hz").arg(e.power.swing.si()).arg(e.power.swingHz)));
        QVERIFY(told(s));
        s.facility.powerFloor = 1; // chips that never fall do not swing
        QVERIFY(!told(s));
        Scenario few = s;
        few.facility.powerFloor = 0;
        few.cluster.chips = 64;
        few.workload.globalBatchSequences = 128;
        QVERIFY(!told(few));
    }

    void rampsBeyondStoredEnergyOfferNone()
    {
        Scenario s = atSite(Site::Temperate, 65536);
        s.facility.gridRampLimit = 1;
        const Evaluation e = evaluation::evaluate(s);
        QVERIFY(hasRule(e, "rule.grid-ramp"));
        for (const auto& note : e.advice)
            QVERIFY(note.rule != "advice.buffer-ramps");
    }

    void ownSiteStaysAsPlanned()
    {
        Scenario s = atSite(Site::Nordic, 64);
        s.facility.ambientC = 3;
        s.facility.gridLimit = 5e6;
        s.facility.carbonKgPerKwh = 0.02;
        s.economics.energyPerKwh = 0.03;
        s.economics.buildingPerW = 9;
        QVERIFY(evaluation::movedTo(s, Site::Nordic) == s);
        const Scenario there = evaluation::movedTo(s, Site::Guiyang);
        QVERIFY(!there.facility.ambientC && !there.facility.gridLimit);
        QVERIFY(!there.facility.carbonKgPerKwh && !there.economics.energyPerKwh);
        const auto rows = evaluation::atAllSites(s);
        QCOMPARE(rows.size(), facility::kSiteCount);
        for (const auto& row : rows)
            QVERIFY(row.evaluation.power.gridLimit.si() > 0);
        QCOMPARE(rows[std::size_t(Site::Nordic)].evaluation.power.gridLimit.si(), 5e6);
    }

    void machineBringsItsCooling_data()
    {
        QTest::addColumn<QByteArray>("rest");
        QTest::addColumn<QByteArray>("preset");
        QTest::addColumn<int>("cooling");
        using scenario::Cooling;
        QTest::newRow("air") << QByteArray(R"("cluster": {"preset": "dgx-h100"})")
                             << QByteArray("dgx-h100") << int(Cooling::Air);
        QTest::newRow("liquid") << QByteArray(R"("cluster": {"preset": "gb200-nvl72"})")
                                << QByteArray("gb200-nvl72") << int(Cooling::DirectLiquid);
        QTest::newRow("the plan's word")
            << QByteArray(
                   R"("cluster": {"preset": "dgx-h100"}, "facility": {"cooling": "rear-door"})")
            << QByteArray("dgx-h100") << int(Cooling::RearDoor);
        QTest::newRow("another's racks")
            << QByteArray(
                   R"("cluster": {"preset": "dgx-h100"}, "facility": {"preset": "mi355x-ubb8-dlc"})")
            << QByteArray("mi355x-ubb8-dlc") << int(Cooling::DirectLiquid);
        QTest::newRow("none")
            << QByteArray(R"("cluster": {"preset": "dgx-h100"}, "facility": {"preset": null})")
            << QByteArray() << int(Cooling::DirectLiquid);
        QTest::newRow("no machine") << QByteArray(R"("cluster": {"chips": 64})") << QByteArray()
                                    << int(Cooling::DirectLiquid);
    }

    void machineBringsItsCooling()
    {
        QFETCH(QByteArray, rest);
        QFETCH(QByteArray, preset);
        QFETCH(int, cooling);
        const auto reading = read(rest.constData());
        QVERIFY(reading.plan);
        const scenario::Facility& f = reading.plan->scenario.facility;
        QCOMPARE(f.preset, preset.toStdString());
        QCOMPARE(int(f.cooling), cooling);
        // What is written reads as the same plan.
        const auto again = scenario::readPlan(scenario::writePlan(*reading.plan));
        QVERIFY(again.plan);
        QVERIFY(again.plan->scenario == reading.plan->scenario);
    }

    void anotherMachineKeepsTheSite()
    {
        Scenario s = atSite(Site::Guiyang, 64);
        s.facility.gridLimit = 7e6;
        QVERIFY(!scenario::applyPreset(s, "cluster", "gb200-nvl72"));
        QCOMPARE(s.facility.site, Site::Guiyang);
        QCOMPARE(*s.facility.gridLimit, 7e6);
        QCOMPARE(s.facility.cooling, scenario::Cooling::DirectLiquid);
        QCOMPARE(s.facility.rackPowerLimit, 132e3);
    }
};

QTEST_APPLESS_MAIN(TestSites)
#include "tst_sites.moc"
