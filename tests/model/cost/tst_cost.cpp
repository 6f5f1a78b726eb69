// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <cmath>
#include <random>

#include "model/cost/cost.h"
#include "model/explain/trace.h"

using cw::cost::Cost;
using cw::cost::CostLoad;
using cw::cost::Part;
using cw::explain::Traced;
using cw::explain::valueOf;
using cw::scenario::Inputs;
using cw::scenario::Scenario;

namespace {

bool near(double value, double expected, double relative = 1e-12)
{
    return std::abs(value - expected) <= relative * std::abs(expected);
}

template <class T>
CostLoad<T> loadOf(double chips)
{
    CostLoad<T> load;
    load.chips = chips;
    load.switches = 96;
    load.optics = 6144;
    load.links = 4096;
    load.racks = chips / 32;
    load.itMaximum = cw::units::Watts<T>(chips * 1275);
    load.facilityAverage = cw::units::Watts<T>(chips * 1200);
    load.step = cw::units::Seconds<T>(10);
    load.runTime = cw::units::Seconds<T>(30 * 86400.0);
    load.tokens = cw::units::Tokens<T>(1e12);
    return load;
}

Cost<double> costOf(const Scenario& s, const CostLoad<double>& load)
{
    return cw::cost::cost(Inputs<double>(s), load);
}

/// Nothing costs anything until a test says so.
Scenario free()
{
    Scenario s;
    auto& e = s.economics;
    e.chipPrice = e.nodePrice = e.switchPrice = e.opticPrice = e.cablePrice = 0;
    e.buildingPerW = e.energyPerKwh = e.nicPrice = e.rackPrice = 0;
    e.maintenanceSharePerYear = 0;
    return s;
}

} // namespace

class TestCost : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void capitalRecovery();
    void byHand();
    void partsSum();
    void stepCost();
    void assumedPrices();
    void systemPriceOfAnH100();
    void currency();
    void finiteForEveryPlan();
    void traceReplays();
};

void TestCost::capitalRecovery()
{
    // r (1+r)^n/((1+r)^n - 1): a loan at 8% over 5 years is paid back with 0.25046 a year.
    const double r = 0.08;
    const double growth = std::pow(1 + r, 5);
    QVERIFY(near(cw::cost::capitalRecovery(r, 5.0), r * growth / (growth - 1), 1e-13));
    QVERIFY(near(cw::cost::capitalRecovery(r, 5.0), 0.250456, 1e-5));
    QVERIFY(near(cw::cost::capitalRecovery(0.0, 5.0), 0.2));
    QVERIFY(near(cw::cost::capitalRecovery(1e-8, 5.0), 0.2, 1e-7));
    QVERIFY(near(cw::cost::capitalRecovery(1.0, 100.0), 1.0));
}

void TestCost::byHand()
{
    const CostLoad<double> load = loadOf<double>(1000);
    Scenario s = free();
    s.economics.chipPrice = 30000;
    s.economics.discountRate = 0;
    // 30 million over five years.
    auto c = costOf(s, load);
    QVERIFY(near(c.capital.si(), 30e6));
    QVERIFY(near(c.perHour.si(), 30e6 / 5 / 8760));
    QVERIFY(near(c.perRun.si(), 30e6 / 5 * 30 / 365));
    QVERIFY(near(c.perMillionTokens.si(), c.perRun.si() / 1e6));
    QVERIFY(near(c.perChipHour, 30000.0 / 5 / 8760));
    // Maintenance of 3% a year on it.
    s.economics.maintenanceSharePerYear = 0.03;
    c = costOf(s, load);
    QVERIFY(near(c.part(Part::Maintenance).perHour.si(), 0.9e6 / 8760));
    // 1.2 MW at 8 cents.
    s.economics.energyPerKwh = 0.08;
    c = costOf(s, load);
    QVERIFY(near(c.part(Part::Energy).perHour.si(), 1200 * 0.08));
    // 11.7 a watt, over fifteen years.
    s.economics.buildingPerW = 11.7;
    c = costOf(s, load);
    QVERIFY(near(c.part(Part::Building).capital.si(), 11.7 * 1275e3));
    QVERIFY(near(c.part(Part::Building).perHour.si(), 11.7 * 1275e3 / 15 / 8760));
    QVERIFY(near(c.part(Part::Maintenance).perHour.si(), 0.9e6 / 8760)); // of the machine only
    // 125 nodes, 96 switches, 6,144 modules, 4,096 cables.
    s.economics.nodePrice = 1000;
    s.economics.switchPrice = 100;
    s.economics.opticPrice = 10;
    s.economics.cablePrice = 1;
    c = costOf(s, load);
    QVERIFY(near(c.part(Part::Nodes).capital.si(), 125e3));
    QVERIFY(near(c.part(Part::Switches).capital.si(), 9600));
    QVERIFY(near(c.part(Part::Optics).capital.si(), 61440));
    QVERIFY(near(c.part(Part::Cables).capital.si(), 4096));
    s.economics.staffPerYear = 8.76e6;
    s.economics.portingPersonYears = 10;
    c = costOf(s, load);
    QVERIFY(near(c.part(Part::Staff).perHour.si(), 1000));
    QVERIFY(near(c.part(Part::Porting).capital.si(), 2e6));
}

void TestCost::partsSum()
{
    Scenario s;
    s.economics.staffPerYear = 1e6;
    s.economics.portingPersonYears = 5;
    const auto c = costOf(s, loadOf<double>(2048));
    double capital = 0;
    double hour = 0;
    double run = 0;
    for (const auto& part : c.parts) {
        QVERIFY(part.perHour.si() > 0);
        capital += part.capital.si();
        hour += part.perHour.si();
        run += part.perRun.si();
    }
    QVERIFY(near(capital, c.capital.si()));
    QVERIFY(near(hour, c.perHour.si()));
    QVERIFY(near(run, c.perRun.si()));
    QVERIFY(near(c.perStep.si(), c.perHour.si() / 360));
    QCOMPARE(cw::cost::nameOf(Part::Staff), std::string_view("staff"));
    QCOMPARE(cw::cost::nameOf(Part::Chips), std::string_view("chips"));
}

void TestCost::stepCost()
{
    // 500,000 chips at 2.5 an hour, 1e9 tokens a step of 6 x 5e11 FLOP each at 35% of 1 PFLOP/s:
    // 17 s, 210 steps an hour, 1.25 million an hour, about 6,000 a step.
    Scenario s = free();
    s.economics.discountRate = 0;
    s.economics.chipPrice = 2.5 * 5 * 8760;
    CostLoad<double> load = loadOf<double>(500000);
    load.step = cw::units::Seconds<double>(1e9 * 6 * 5e11 / (500000 * 0.35e15));
    const auto c = costOf(s, load);
    QVERIFY(near(load.step.si(), 17, 0.01));
    QVERIFY(near(c.perHour.si(), 1.25e6, 1e-9));
    QVERIFY(near(c.perStep.si(), 6000, 0.01));
    QVERIFY(near(c.perChipHour, 2.5, 1e-9));
}

void TestCost::assumedPrices()
{
    cw::scenario::Chip chip;
    auto& bf16 = chip.matrixFlops[static_cast<std::size_t>(cw::scenario::Format::Bf16)];
    bf16 = 148e12; // H20
    QCOMPARE(cw::cost::assumedChipPrice(chip).usd, 14e3);
    bf16 = 989e12; // H100
    QCOMPARE(cw::cost::assumedChipPrice(chip).usd, 30e3);
    bf16 = 2500e12; // GB200
    QCOMPARE(cw::cost::assumedChipPrice(chip).usd, 40e3);
    bf16.reset();
    QCOMPARE(cw::cost::assumedChipPrice(chip).usd, 30e3);
}

void TestCost::systemPriceOfAnH100()
{
    // 47 to 52 thousand USD for each H100 in a system, network included, building not.
    Scenario s;
    s.cluster.chip.matrixFlops[static_cast<std::size_t>(cw::scenario::Format::Bf16)] = 989e12;
    CostLoad<double> load = loadOf<double>(16384);
    load.switches = 768;
    load.links = 2 * 16384;
    load.optics = 3 * 16384;
    const auto c = costOf(s, load);
    const double each = (c.capital.si() - c.part(Part::Building).capital.si()) / 16384;
    QVERIFY2(each > 0.9 * 47e3 && each < 52e3, qPrintable(QString::number(each)));
}

void TestCost::currency()
{
    Scenario s;
    s.economics.energyPerKwh = 0.1;
    const auto usd = costOf(s, loadOf<double>(1024));
    s.economics.perUsd = 7;
    const auto other = costOf(s, loadOf<double>(1024));
    for (const Part part :
         {Part::Chips, Part::Nodes, Part::Nics, Part::Switches, Part::Optics, Part::Cables})
        QVERIFY(near(other.part(part).capital.si(), 7 * usd.part(part).capital.si()));
    // What the plan itself gives is in its currency already.
    QVERIFY(near(other.part(Part::Energy).perHour.si(), usd.part(Part::Energy).perHour.si()));
}

void TestCost::finiteForEveryPlan()
{
    std::mt19937_64 random(3);
    const auto pick = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
    for (int i = 0; i < 5000; ++i) {
        Scenario s;
        s.economics.discountRate = i % 4 == 0 ? 0 : std::pow(10.0, pick(-15, 0));
        s.economics.lifetimeYears = pick(0.1, 100);
        CostLoad<double> load = loadOf<double>(std::pow(10.0, pick(0, 8)));
        load.tokens = cw::units::Tokens<double>(i % 7 == 0 ? 0 : 1e13);
        const auto c = costOf(s, load);
        QVERIFY(std::isfinite(c.perMillionTokens.si()) && c.perMillionTokens.si() > 0);
        // The yearly payments return at least the capital.
        QVERIFY(c.part(Part::Chips).perHour.si() * 8760 * s.economics.lifetimeYears >=
                c.part(Part::Chips).capital.si() * (1 - 1e-6));
    }
}

void TestCost::traceReplays()
{
    Scenario s;
    cw::explain::Trace trace;
    const Inputs<Traced> in(s, trace);
    const auto traced = cw::cost::cost(in, loadOf<Traced>(2048));
    const auto plain = costOf(s, loadOf<double>(2048));
    QCOMPARE(valueOf(traced.perMillionTokens), plain.perMillionTokens.si());
    for (const Traced& x : {traced.capital.si(), traced.perHour.si(), traced.perStep.si(),
                            traced.perRun.si(), traced.perMillionTokens.si()})
        QVERIFY(trace.replay(x.node) == x.value);
}

QTEST_APPLESS_MAIN(TestCost)
#include "tst_cost.moc"
