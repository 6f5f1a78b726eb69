// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <algorithm>
#include <cmath>
#include <set>

#include "model/calibrate/bandtable.h"
#include "model/calibrate/published.h"
#include "model/calibrate/statistics.h"
#include "model/calibrate/validate.h"
#include "model/evaluation/bands.h"
#include "model/scenario/presets.h"
#include "model/text/catalogue.h"

// Intervals of predictions: the table, what a plan is like, and what they cover.

using namespace cw;
using calibrate::BandResidual;
using evaluation::BandClass;
using evaluation::Likeness;

namespace {

const calibrate::Validation& validation()
{
    static const calibrate::Validation result = [] {
        scenario::Faults faults;
        return calibrate::validate(calibrate::publishedRows(), faults);
    }();
    return result;
}

const BandClass* classOf(const std::vector<BandClass>& all, const char* stack, const char* kind,
                         const char* scale)
{
    const auto it = std::find_if(all.begin(), all.end(), [&](const BandClass& c) {
        return c.stack == stack && c.kind == kind && c.scale == scale;
    });
    return it == all.end() ? nullptr : &*it;
}

} // namespace

class TestBands : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tailsAreThoseOfFurtherRows();
    void fewRowsGetAWiderClass();
    void thePlansClassIsTheNarrowest();
    void whatNobodyMeasuredHasTheWideBand();
    void figuresOfTheStepMoveTogether();
    void keptBackRowsLieInside_data();
    void keptBackRowsLieInside();
    void ranksAgree();
};

void TestBands::tailsAreThoseOfFurtherRows()
{
    // 99 residuals 0.01 .. 0.99: the 10th and the 90th leave a tenth of a hundred on each side.
    std::vector<BandResidual> all;
    for (int i = 1; i < 100; ++i)
        all.push_back({{"s", "dense", "1-64", ""}, 0.01 * i});
    const auto classes = calibrate::classesOf("step", all, 10);
    const BandClass* c = classOf(classes, "s", "dense", "");
    QVERIFY(c != nullptr);
    QCOMPARE(c->rows, std::size_t{99});
    QVERIFY(std::fabs(std::log(c->low) - 0.10) < 1e-3);
    QVERIFY(std::fabs(std::log(c->high) - 0.90) < 1e-3);
}

void TestBands::fewRowsGetAWiderClass()
{
    std::vector<BandResidual> all;
    for (int i = 0; i < 30; ++i)
        all.push_back({{i < 10 ? "few" : "many", "dense", "1-64", ""}, 0.001 * i});
    const auto classes = calibrate::classesOf("step", all, 20);
    QVERIFY(classOf(classes, "few", "dense", "") == nullptr);
    QVERIFY(classOf(classes, "many", "dense", "") != nullptr);
    QVERIFY(classOf(classes, "named", "", "") != nullptr);
    const BandClass* c = evaluation::classFor(classes, "step", {"few", "dense", "1-64", ""});
    QVERIFY(c != nullptr);
    QCOMPARE(c->stack, std::string("named"));
    QCOMPARE(c->rows, std::size_t{30});
    QVERIFY(evaluation::classFor(classes, "step", {"unnamed", "dense", "1-64", ""}) == nullptr);
}

void TestBands::thePlansClassIsTheNarrowest()
{
    const std::vector<BandClass> table{{"step", "named", "", "", 100, 0.8, 1.2, 0},
                                       {"step", "named", "moe", "", 50, 0.7, 1.3, 0},
                                       {"step", "nemo", "", "", 60, 0.9, 1.1, 0},
                                       {"memory", "nemo", "moe", "", 60, 0.9, 1.1, 0}};
    const auto rows = [&](Likeness l) {
        const BandClass* c = evaluation::classFor(table, "step", l);
        return c == nullptr ? std::size_t{0} : c->rows;
    };
    QCOMPARE(rows({"nemo", "moe", "1-64", ""}), std::size_t{60});
    QCOMPARE(rows({"mlperf", "moe", "1-64", ""}), std::size_t{50});
    QCOMPARE(rows({"mlperf", "dense", "65-", ""}), std::size_t{100});
    QCOMPARE(rows({"unnamed", "dense", "65-", ""}), std::size_t{0});
}

void TestBands::whatNobodyMeasuredHasTheWideBand()
{
    scenario::Scenario s;
    scenario::applyPreset(s, "cluster", "dgx-h100");
    scenario::applyPreset(s, "software", "nemo");
    s.cluster.chips = 64;
    QCOMPARE(evaluation::likenessOf(s).stack, std::string("nemo"));
    scenario::Scenario large = s;
    large.cluster.chips = 500000;
    QCOMPARE(evaluation::likenessOf(large).stack, std::string("unnamed"));
    QCOMPARE(evaluation::likenessOf(large).beyond, std::string("scale"));
    scenario::Scenario fresh = s;
    scenario::applyPreset(fresh, "cluster.chip", "ascend-960");
    QCOMPARE(evaluation::likenessOf(fresh).beyond, std::string("chip"));
    const auto width = [](const scenario::Scenario& plan) {
        const Likeness l = evaluation::likenessOf(plan);
        const BandClass* c = evaluation::classFor(evaluation::bandClasses(), "step", l);
        return c == nullptr ? 0.0 : c->high / c->low;
    };
    QVERIFY(width(s) > 1);
    QVERIFY(width(large) > width(s));
    QVERIFY(width(fresh) > width(s));
    for (const BandClass& c : evaluation::bandClasses())
        for (const char* beyond : {"", "chip", "scale"})
            QVERIFY(text::Catalogue::of(text::Language::Chinese)
                        .has(text::Section::Messages,
                             evaluation::keyOf(c, {c.stack, "dense", "1-64", beyond})));
}

void TestBands::figuresOfTheStepMoveTogether()
{
    scenario::Scenario s;
    scenario::applyPreset(s, "model", "llama3.1-8b");
    scenario::applyPreset(s, "cluster", "dgx-h100");
    scenario::applyPreset(s, "software", "nemo");
    s.cluster.chips = 64;
    const auto e = evaluation::evaluate(s);
    double ratio = 0;
    for (const auto& b : e.bands)
        if (b.quantity == "step.time_s")
            ratio = b.high / b.low;
    std::set<std::string> told;
    for (const auto& b : e.bands) {
        told.insert(b.quantity);
        QVERIFY2(b.low <= b.high && (b.rows > 0 || b.quantity == "run.goodput"),
                 b.quantity.c_str());
        if (b.quantity.rfind("memory.", 0) == 0)
            continue;
        if (b.quantity == "run.goodput")
            continue;
        // All of them are the step's, upright or upside down; the run's are wider by the goodput's.
        const bool ofTheRun = b.quantity.rfind("run.", 0) == 0 || b.quantity == "cost.per_run" ||
                              b.quantity == "cost.per_million_tokens";
        QVERIFY2(ofTheRun ? b.high / b.low >= ratio : std::fabs(b.high / b.low / ratio - 1) < 1e-9,
                 b.quantity.c_str());
    }
    for (const char* quantity : {"step.time_s", "throughput.mfu", "run.days", "cost.per_run",
                                 "memory.peak_bytes", "memory.reserved_bytes"})
        QVERIFY2(told.count(quantity) == 1, quantity);
    s.software.assumedMfu = 0.4; // the run is then the planner's word
    for (const auto& b : evaluation::evaluate(s).bands)
        QVERIFY(b.quantity.rfind("run.", 0) != 0 || b.quantity == "run.goodput");
}

void TestBands::keptBackRowsLieInside_data()
{
    QTest::addColumn<QString>("quantity");
    QTest::addColumn<QString>("group");
    QTest::addColumn<double>("least");
    QTest::addColumn<double>("most");
    // 80% claimed; rows of a source err alike, so that smaller groups may be further off.
    QTest::newRow("steps") << "step_time_s"
                           << "kept-back:all" << 0.75 << 0.85;
    QTest::newRow("dense steps") << "step_time_s"
                                 << "kept-back:dense" << 0.74 << 0.86;
    QTest::newRow("MoE steps") << "step_time_s"
                               << "kept-back:moe" << 0.72 << 0.88;
    QTest::newRow("memory") << "memory_bytes"
                            << "kept-back:all" << 0.70 << 0.92;
}

void TestBands::keptBackRowsLieInside()
{
    QFETCH(const QString, quantity);
    QFETCH(const QString, group);
    QFETCH(const double, least);
    QFETCH(const double, most);
    for (const auto& s : validation().summary) {
        if (s.quantity != quantity.toStdString() || s.group != group.toStdString())
            continue;
        QVERIFY2(s.bandCoverage >= least && s.bandCoverage <= most,
                 qPrintable(QString::number(s.bandCoverage)));
        return;
    }
    QFAIL("no such group");
}

void TestBands::ranksAgree()
{
    QCOMPARE(calibrate::spearman({1, 2, 3, 4}, {10, 20, 30, 40}), 1.0);
    QCOMPARE(calibrate::spearman({1, 2, 3, 4}, {4, 3, 2, 1}), -1.0);
    // Ranks 1 2 3 4 5 against 2 1 4 3 5: 1 - 6 * 4 / (5 * 24).
    QCOMPARE(calibrate::spearman({1, 2, 3, 4, 5}, {2, 1, 4, 3, 5}), 0.8);
    QCOMPARE(calibrate::spearman({1, 1, 1}, {1, 2, 3}), 0.0);
}

QTEST_APPLESS_MAIN(TestBands)
#include "tst_bands.moc"
