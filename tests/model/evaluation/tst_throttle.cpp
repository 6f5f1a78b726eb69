// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/evaluation/throttle.h"

#include <QTest>

#include <algorithm>
#include <cmath>

#include "model/evaluation/evaluation.h"
#include "model/evaluation/explanation.h"
#include "model/evaluation/quantities.h"
#include "tests/model/scenario/testplans.h"

using namespace cw;
using namespace cw::evaluation;
using scenario::PowerCapKind;
using scenario::Scenario;

namespace {

Scenario basePlan()
{
    Scenario s = derived(testplans::all().front().second);
    s.cluster.chip.ratedPower = s.cluster.chip.powerLimit;
    return s;
}

bool hasRule(const Evaluation& e, const std::string& rule)
{
    return std::any_of(e.violations.begin(), e.violations.end(),
                       [&](const auto& v) { return v.rule == rule; });
}

const Note* noteOf(const Evaluation& e, const std::string& rule)
{
    for (const Note& n : e.advice)
        if (n.rule == rule)
            return &n;
    return nullptr;
}

} // namespace

class TestThrottle : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingBinds()
    {
        for (const auto& [name, plan] : testplans::all()) {
            const Throttle t = throttleOf(derived(plan));
            QVERIFY2(!t.binds(), name.c_str());
            // A cap that does not bind changes no number.
            Scenario capped = plan;
            capped.facility.powerCap = 1e13;
            const Evaluation with = evaluate(capped);
            const Evaluation without = evaluate(plan);
            QCOMPARE(with.step.time.si(), without.step.time.si());
            QCOMPARE(with.power.average.facility.si(), without.power.average.facility.si());
            QCOMPARE(with.power.slowdown, 0.0);
        }
    }

    void chipLimitLowersTheClock()
    {
        Scenario s = basePlan();
        const Evaluation full = evaluate(s);
        const double idle = s.cluster.chip.idlePower;
        const double rated = s.cluster.chip.powerLimit;
        s.cluster.chip.powerLimit = idle + 0.5 * (rated - idle);
        const Evaluation held = evaluate(s);
        const double clock = std::cbrt(0.5);
        QVERIFY(std::fabs(held.power.clockShare - clock) < 1e-9);
        // Products take longer, memory and links do not: between nothing and the whole clock.
        QVERIFY(held.step.time.si() > full.step.time.si() * 1.01);
        QVERIFY(held.step.time.si() < full.step.time.si() / clock);
        QVERIFY(std::fabs(held.step.matrix.si() * clock / full.step.matrix.si() - 1) < 0.05);
        QVERIFY(std::fabs(held.power.slowdown - (held.step.time.si() / full.step.time.si() - 1)) <
                1e-12);
        QVERIFY(held.power.typical.chip < full.power.typical.chip);
        QVERIFY(held.throughput.mfu < full.throughput.mfu); // against the same peak
        QVERIFY(noteOf(held, "advice.throttled") != nullptr);
    }

    void capIsKept_data()
    {
        QTest::addColumn<bool>("hard");
        QTest::addColumn<double>("share");
        for (const double share : {0.97, 0.93, 0.88}) {
            QTest::addRow("hard %g", share) << true << share;
            QTest::addRow("soft %g", share) << false << share;
        }
    }

    void capIsKept()
    {
        QFETCH(bool, hard);
        QFETCH(double, share);
        Scenario s = basePlan();
        const auto heldDown = [hard](const Evaluation& e) {
            return hard ? e.power.peakFacility.si() : e.power.typical.facility.si();
        };
        const Evaluation full = evaluate(s);
        s.facility.powerCapKind = hard ? PowerCapKind::Hard : PowerCapKind::Soft;
        s.facility.powerCap = share * heldDown(full);
        const Evaluation held = evaluate(s);
        QVERIFY2(!hasRule(held, "rule.power-cap"), "in reach");
        QVERIFY(heldDown(held) <= *s.facility.powerCap);
        QVERIFY(heldDown(held) >= *s.facility.powerCap * (1 - 2e-4));
        QVERIFY(held.step.time.si() > full.step.time.si());
        // The fixed point: the plan typed at that clock draws the same and steps the same.
        Scenario typed = basePlan();
        typed.cluster.chip.clockShare = held.power.clockShare;
        const Evaluation again = evaluate(typed);
        QCOMPARE(again.step.time.si(), held.step.time.si());
        QCOMPARE(heldDown(again), heldDown(held));
    }

    void lowerCapsTakeLonger()
    {
        Scenario s = basePlan();
        const double whole = evaluate(s).power.peakFacility.si();
        double before = 0;
        for (const double share : {1.0, 0.96, 0.92, 0.88}) {
            s.facility.powerCap = whole * share;
            const double time = evaluate(s).step.time.si();
            QVERIFY(time > before);
            before = time;
            // Searches see the same cap.
            QVERIFY(evaluateCore(s).step.time.si() > 0);
        }
        Scenario open = s;
        open.facility.powerCap.reset();
        QVERIFY(evaluateCore(s).step.time.si() > evaluateCore(open).step.time.si());
    }

    void softLeavesMoreClockThanHard()
    {
        Scenario s = basePlan();
        s.facility.powerCap = 0.9 * evaluate(s).power.typical.facility.si();
        s.facility.powerCapKind = PowerCapKind::Hard;
        const double hard = throttleOf(s).clock;
        s.facility.powerCapKind = PowerCapKind::Soft;
        QVERIFY(throttleOf(s).clock > hard);
    }

    void outOfReach()
    {
        Scenario s = basePlan();
        s.facility.powerCap = 1000;
        const Evaluation e = evaluate(s);
        QVERIFY(hasRule(e, "rule.power-cap"));
        QVERIFY(!e.feasible);
        QVERIFY(std::isfinite(e.step.time.si()));
    }

    void statedUtilizationFeelsTheClock()
    {
        Scenario s = basePlan();
        s.software.assumedMfu = 0.4;
        const Evaluation full = evaluate(s);
        s.facility.powerCap = 0.85 * full.power.peakFacility.si();
        const Evaluation held = evaluate(s);
        QVERIFY(
            std::fabs(held.run.effectiveMfu / held.run.goodput * (1 + held.power.slowdown) / 0.4 -
                      1) < 1e-9);
    }

    void gridLimitNamesItsRemedy()
    {
        Scenario s = basePlan();
        s.facility.gridLimit = 0.9 * evaluate(s).power.peakFacility.si();
        const Evaluation e = evaluate(s);
        QVERIFY(hasRule(e, "rule.grid-limit"));
        const Note* note = noteOf(e, "advice.cap-to-grid");
        QVERIFY(note != nullptr);
        // The remedy works.
        s.facility.powerCap = *s.facility.gridLimit;
        QCOMPARE(note->change.front().first, std::string("facility.power_cap"));
        QVERIFY(!hasRule(evaluate(s), "rule.grid-limit"));
    }

    void rampNamesItsRemedy()
    {
        Scenario s = basePlan();
        const Evaluation plain = evaluate(s);
        const double ramp =
            std::max(plain.power.swingPerSecond, plain.power.checkpointSwingPerSecond);
        if (!(ramp > 0))
            QSKIP("this plan does not swing");
        s.facility.gridRampLimit = 0.3 * ramp;
        const Evaluation e = evaluate(s);
        QVERIFY(hasRule(e, "rule.grid-ramp"));
        const Note* note = noteOf(e, "advice.buffer-ramps");
        QVERIFY(note != nullptr);
        s.facility.bufferJoulesPerChip = std::stod(note->change.front().second);
        QVERIFY(!hasRule(evaluate(s), "rule.grid-ramp"));
    }

    void densityNamesItsRemedy()
    {
        Scenario s = basePlan();
        s.facility.cooling = scenario::Cooling::Air;
        s.facility.rackChips = 256;
        s.facility.rackPowerLimit = 1e6;
        s.cluster.chips = std::max<std::int64_t>(s.cluster.chips, 256);
        const Evaluation e = evaluate(s);
        QVERIFY(hasRule(e, "rule.rack-density"));
        for (const auto& v : e.violations)
            if (v.rule == "rule.rack-density")
                s.facility.rackChips = static_cast<std::int64_t>(v.nearest.front());
        QVERIFY(!hasRule(evaluate(s), "rule.rack-density"));
    }

    void explained()
    {
        Scenario s = basePlan();
        s.facility.powerCap = 0.9 * evaluate(s).power.peakFacility.si();
        const Evaluation e = evaluate(s);
        const Explanation why(s, text::Language::English);
        for (const char* path : {"step.time_s", "power.slowdown", "power.peak_facility_w"}) {
            const auto node = why.find(path);
            QVERIFY2(node, path);
            QCOMPARE(why.trace().node(*node).value, *figure(e, path));
        }
    }
};

QTEST_APPLESS_MAIN(TestThrottle)
#include "tst_throttle.moc"
