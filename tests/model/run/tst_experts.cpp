// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <cmath>

#include "model/run/experts.h"
#include "model/run/loss.h"

using namespace cw::run;
using cw::scenario::ExpertRule;
using cw::scenario::FfnKind;
using cw::scenario::Inputs;
using cw::scenario::LossLaw;
using cw::scenario::Scenario;
using Flop = cw::units::Flop<double>;

namespace {

constexpr ExpertRule kRules[] = {ExpertRule::Weight, ExpertRule::EffectiveCount,
                                 ExpertRule::Leverage};

/// A mixture whose experts have 2 d_model / G columns.
Scenario mixture(int experts, int topK, int shared, int hidden, int expertHidden)
{
    Scenario s;
    s.model.hidden = hidden;
    s.model.groups.resize(1);
    auto& ffn = s.model.groups[0].ffn;
    ffn.kind = FfnKind::Moe;
    ffn.experts = experts;
    ffn.topK = topK;
    ffn.sharedExperts = shared;
    ffn.hidden = expertHidden;
    return s;
}

/// Ling-mini-beta (2507.17702, table 3).
Scenario lingMini()
{
    return mixture(384, 12, 1, 2048, 384);
}

double counted(const Scenario& s, ExpertRule rule, double active, double total = 1e18,
               double flops = 1e22)
{
    return effectiveParameters(Inputs<double>(s), rule,
                               ExpertLoad<double>{total, active, Flop(flops)});
}

bool near(double a, double b, double tolerance)
{
    return std::fabs(a / b - 1) <= tolerance;
}

} // namespace

class ExpertsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void effectiveCount_data();
    void effectiveCount();
    void expertsStopHelpingAtTheCutoff();
    void leverage_data();
    void leverage();
    void lingMiniIsWorthSixBillion();
    void bestGranularity();
    void shape();
    void denseCountsAsItself();
    void moreExpertsAreNotFewer();
    void betweenActiveAndTotal();
    void fitRanges();
    void theForecastTellsAllRules();
    void theJointLawHasItsOwn();
};

void ExpertsTest::effectiveCount_data()
{
    QTest::addColumn<double>("active");
    QTest::addColumn<int>("experts");
    QTest::addColumn<double>("worth");
    QTest::addColumn<double>("tolerance");
    // Published: "about 55 million" (2202.01169, sec. 5.2), from coefficients with more digits.
    QTest::newRow("published") << 5e6 << 128 << 55e6 << 0.07;
    // By hand: E' = 1/(1/(127 + 1.8579) + 1/314.478) = 91.40; (-0.082 x 6.69897 - 0.108 x
    // (1.96096 - 0.26647) + 0.009 x 6.69897 x 1.96096) / (-0.082 + 0.009 x 0.26647) = 7.71457.
    QTest::newRow("by hand") << 5e6 << 128 << 51.828e6 << 1e-3;
    QTest::newRow("a billion, 64") << 1e9 << 64 << 3.1376e9 << 1e-3;
}

void ExpertsTest::effectiveCount()
{
    QFETCH(double, active);
    QFETCH(int, experts);
    QFETCH(double, worth);
    QFETCH(double, tolerance);
    const double got =
        counted(mixture(experts, 1, 0, 1024, 4096), ExpertRule::EffectiveCount, active);
    QVERIFY2(near(got, worth, tolerance), qPrintable(QString::number(got, 'g', 8)));
}

void ExpertsTest::expertsStopHelpingAtTheCutoff()
{
    // 10^(0.108/0.009) as printed; 937 billion from the digits that were not.
    const Scenario s = mixture(64, 1, 0, 8192, 8192);
    QVERIFY(counted(s, ExpertRule::EffectiveCount, 0.9e12) > 0.9e12);
    QVERIFY(near(counted(s, ExpertRule::EffectiveCount, 0.9999e12), 0.9999e12, 1e-4));
    QCOMPARE(counted(s, ExpertRule::EffectiveCount, 2e12), 2e12); // the law itself says less
}

void ExpertsTest::leverage_data()
{
    QTest::addColumn<int>("experts");
    QTest::addColumn<int>("topK");
    QTest::addColumn<int>("expertHidden");
    QTest::addColumn<double>("flops");
    QTest::addColumn<double>("worth");
    QTest::addColumn<double>("tolerance");
    // "over 7x at 1e22 FLOPs, 3.1%, G 12" (2507.17702, abstract and sec. 4.2.2): 31 of 1,000 and
    // 2 x 6144 / 1024. By hand: A' = 0.031 + 0.0163; alpha = 1.23 - 0.0761 x 22 = -0.4442; log2 12
    // = 3.58496, gamma and beta give -0.20482; 0.0473^-0.64902 = 7.245.
    QTest::newRow("published") << 1000 << 31 << 1024 << 1e22 << 7.245 << 1e-3;
    // 4 of 64 and G 2 at 1e20: A' = 0.0788, alpha -0.292, 0.0167 - 0.117: 0.0788^-0.3923 = 2.710.
    QTest::newRow("coarse") << 64 << 4 << 6144 << 1e20 << 2.710 << 1e-3;
}

void ExpertsTest::leverage()
{
    QFETCH(int, experts);
    QFETCH(int, topK);
    QFETCH(int, expertHidden);
    QFETCH(double, flops);
    QFETCH(double, worth);
    QFETCH(double, tolerance);
    const double got = counted(mixture(experts, topK, 0, 6144, expertHidden), ExpertRule::Leverage,
                               1.0, 1e6, flops);
    QVERIFY2(near(got, worth, tolerance), qPrintable(QString::number(got, 'g', 8)));
}

void ExpertsTest::lingMiniIsWorthSixBillion()
{
    // 0.855 of 17.5 billion on a trillion tokens equals 6.1 billion dense (sec. 5).
    const double got =
        counted(lingMini(), ExpertRule::Leverage, 0.855e9, 17.5e9, 6 * 0.855e9 * 1e12);
    QVERIFY2(near(got, 6.1e9, 0.10), qPrintable(QString::number(got, 'g', 6)));
}

void ExpertsTest::bestGranularity()
{
    // 2^(0.117/(2 x 0.0167)) = 11.3, printed as 8 to 12; 8 and 16 are worse.
    const auto at = [](int expertHidden) {
        return counted(mixture(1000, 31, 0, 6144, expertHidden), ExpertRule::Leverage, 1.0, 1e6);
    };
    const double best = at(1084); // G 11.34
    for (const int expertHidden : {12288, 6144, 3072, 1536, 768, 384})
        QVERIFY(at(expertHidden) < best);
}

void ExpertsTest::shape()
{
    const Scenario ling = lingMini();
    const auto a = shapeOf(Inputs<double>(ling));
    QCOMPARE(a.activation, 13.0 / 385.0);      // printed as 3.4%
    QCOMPARE(a.granularity, 2 * 2048.0 / 384); // printed as 12
    // A shared expert eight times as wide is eight of them.
    Scenario wide = mixture(64, 8, 1, 3584, 2560);
    wide.model.groups[0].ffn.sharedHidden = 8 * 2560;
    QCOMPARE(shapeOf(Inputs<double>(wide)).activation, 16.0 / 72.0);
    // Of two groups the one with the most experts for each taken.
    wide.model.groups.push_back(wide.model.groups[0]);
    wide.model.groups[1].ffn.experts = 128;
    QCOMPARE(expansionOf(Inputs<double>(wide)), 16.0);
    const Scenario dense;
    QCOMPARE(expansionOf(Inputs<double>(dense)), 1.0);
    QCOMPARE(shapeOf(Inputs<double>(dense)).activation, 1.0);
}

void ExpertsTest::denseCountsAsItself()
{
    const Scenario dense;
    for (const ExpertRule rule : kRules)
        for (const double size : {1e6, 1e9, 1e13})
            QCOMPARE(counted(dense, rule, size, size), size);
    // A mixture that takes all its experts is a dense model too.
    const Scenario all = mixture(8, 8, 0, 4096, 1024);
    for (const ExpertRule rule : kRules)
        QVERIFY(near(counted(all, rule, 1e9, 1e9), 1e9, 1e-12));
}

void ExpertsTest::moreExpertsAreNotFewer()
{
    for (const ExpertRule rule : kRules)
        for (const double active : {5e6, 1e9, 4e10, 3e11, 2e12})
            for (const double flops : {1e12, 1e18, 1e22, 1e26}) {
                double last = 0;
                for (const int experts : {8, 9, 16, 32, 64, 128, 512, 4096, 100000}) {
                    const double got = counted(mixture(experts, 8, 1, 4096, 1024), rule, active,
                                               active * (1 + 0.5 * (experts / 8.0 - 1)), flops);
                    QVERIFY2(got >= last * (1 - 1e-12), qPrintable(QString::number(experts)));
                    last = got;
                }
            }
}

void ExpertsTest::betweenActiveAndTotal()
{
    for (const ExpertRule rule : kRules)
        for (const double flops : {1.0, 1e20, 1e30}) {
            const Scenario s = mixture(512, 8, 1, 8192, 2048);
            const double got = counted(s, rule, 1e11, 2e11, flops);
            QVERIFY(got >= 1e11 && got <= 2e11);
        }
    // Far beyond the fit the leverage of these would be above 20.
    QCOMPARE(counted(mixture(512, 8, 1, 8192, 2048), ExpertRule::Leverage, 1e11, 2e11, 1e27), 2e11);
}

void ExpertsTest::fitRanges()
{
    const auto beyond = [](const Scenario& s, ExpertRule rule, double active, double flops,
                           double tokens) {
        return beyondFit(Inputs<double>(s), rule, {1e13, active, Flop(flops)}, tokens);
    };
    const Scenario s = mixture(128, 2, 1, 2048, 1024);
    QVERIFY(!beyond(s, ExpertRule::EffectiveCount, 1e9, 1e20, 130e9));
    QVERIFY(beyond(s, ExpertRule::EffectiveCount, 1e10, 1e20, 130e9));
    QVERIFY(beyond(s, ExpertRule::EffectiveCount, 1e9, 1e20, 1e12));
    QVERIFY(!beyond(s, ExpertRule::Leverage, 1e9, 1e20, 1e12));
    QVERIFY(beyond(s, ExpertRule::Leverage, 1e9, 1e25, 1e12));
    QVERIFY(beyond(mixture(128, 2, 1, 2048, 64), ExpertRule::Leverage, 1e9, 1e20, 1e12));
    QVERIFY(!beyond(s, ExpertRule::Weight, 1e12, 1e27, 1e14));
    QVERIFY(!beyond(Scenario(), ExpertRule::Leverage, 1e12, 1e27, 1e14));
}

void ExpertsTest::theForecastTellsAllRules()
{
    Scenario s = lingMini();
    const auto forecastOf = [](const Scenario& plan) {
        return forecast(Inputs<double>(plan),
                        ForecastLoad<double>{17.5e9, 0.855e9,
                                             cw::units::TokensPerSecond<double>(1e6), 0.9,
                                             Flop(6 * 0.855e9 * 1e12)});
    };
    double least = 1e9;
    double most = 0;
    for (const ExpertRule rule : kRules) {
        s.workload.expertRule = rule;
        const auto f = forecastOf(s);
        const auto& told = f.byRule[static_cast<std::size_t>(rule)];
        QCOMPARE(f.effectiveParameters, told.parameters);
        QCOMPARE(f.loss.loss, told.loss);
        QVERIFY(f.loss.low < f.loss.loss && f.loss.loss < f.loss.high);
        least = std::min(least, told.loss);
        most = std::max(most, told.loss);
    }
    QVERIFY(near(forecastOf(s).ruleSpread, most - least, 1e-12));
    QVERIFY(most > least);
    const auto f = forecastOf(s);
    QVERIFY(near(f.lawSpread,
                 std::fabs(f.byLaw[std::size_t(LossLaw::Chinchilla)].loss -
                           f.byLaw[std::size_t(LossLaw::ChinchillaCorrected)].loss),
                 1e-12));
}

void ExpertsTest::theJointLawHasItsOwn()
{
    Scenario s = lingMini();
    s.workload.lossLaw = LossLaw::JointMoe;
    for (const ExpertRule rule : kRules)
        QCOMPARE(countedParameters(Inputs<double>(s), LossLaw::JointMoe, rule,
                                   {17.5e9, 0.855e9, Flop(5e21)}),
                 0.855e9);
}

QTEST_APPLESS_MAIN(ExpertsTest)
#include "tst_experts.moc"
