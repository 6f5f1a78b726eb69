// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <cmath>

#include "model/calibrate/comparison.h"
#include "model/scenario/presets.h"

// Parts of a validation, on rows made up so that every figure can be worked out by hand.

using namespace cw;
using namespace cw::calibrate;

namespace {

RowResult row(const char* id, double measured, double predicted, double chips, const char* kind,
              const char* framework)
{
    RowResult r;
    r.id = id;
    r.file = "made.json";
    r.source = "made";
    r.quantity = "step_time_s";
    r.measured = measured;
    r.predicted = predicted;
    r.error = predicted / measured - 1;
    r.bandLow = predicted * 0.9;
    r.bandHigh = predicted * 1.1;
    r.chip = "H100";
    r.chipPreset = "h100-sxm";
    r.framework = framework;
    r.kind = kind;
    r.precision = "bf16";
    r.chips = chips;
    r.scale = scaleOf(chips);
    return r;
}

/// Three dense rows of one stack with errors -10%, 0 and +20%, an expert row, one in doubt.
std::vector<RowResult> sample()
{
    std::vector<RowResult> rows = {
        row("a", 10, 9, 8, "dense", "nemo"), row("b", 10, 10, 8, "dense", "nemo"),
        row("c", 10, 12, 8, "dense", "nemo"), row("d", 20, 30, 1024, "moe", "megatron-bridge"),
        row("e", 10, 50, 64, "dense", "nemo")};
    rows[3].keptBack = true;
    rows[4].doubt = "doubt.inconsistent";
    rows.push_back(row("f", 7, 7, 8, "dense", "nemo"));
    rows.back().quantity = "memory_bytes";
    return rows;
}

scenario::Scenario plan(double chips)
{
    scenario::Scenario s;
    scenario::applyPreset(s, "cluster", "dgx-h100");
    scenario::applyPreset(s, "software", "nemo");
    s.cluster.chips = static_cast<std::int64_t>(chips);
    s.model.groups.resize(1);
    s.model.groups[0].ffn.kind = scenario::FfnKind::Dense;
    return s;
}

} // namespace

class TestComparison : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSelectionTakesWhatHasAllItsTraits();
    void countsAreSorted();
    void rowsInDoubtAreNotCounted();
    void groupsAddUp();
    void theRangeHoldsMeasuredAndPredicted();
    void alikeTakesTheNearestClassOfEnoughRows();
    void alikeLetsGoOfTraits();
    void nothingIsAlikeAnUnknownKind();
};

void TestComparison::aSelectionTakesWhatHasAllItsTraits()
{
    const auto rows = sample();
    QCOMPARE(select(rows, {"step_time_s", {}}).size(), std::size_t{5});
    QCOMPARE(select(rows, {"memory_bytes", {}}), std::vector<std::size_t>{5});
    QCOMPARE(select(rows, {"step_time_s", {{Trait::Kind, "moe"}, {Trait::Part, "kept-back"}}}),
             std::vector<std::size_t>{3});
    QVERIFY(select(rows, {"step_time_s", {{Trait::Kind, "moe"}, {Trait::Part, "fitted"}}}).empty());
}

void TestComparison::countsAreSorted()
{
    const auto scales = countsOf(sample(), "step_time_s", Trait::Scale);
    QCOMPARE(scales.size(), std::size_t{3});
    QCOMPARE(scales[0].value, std::string("1-8"));
    QCOMPARE(scales[1].value, std::string("9-64"));
    QCOMPARE(scales[2].value, std::string("513-4096"));
    const auto kinds = countsOf(sample(), "step_time_s", Trait::Kind);
    QCOMPARE(kinds[0].value, std::string("dense"));
    QCOMPARE(kinds[0].count, std::size_t{4});
}

void TestComparison::rowsInDoubtAreNotCounted()
{
    const auto lines = summaryBy(sample(), {"step_time_s", {{Trait::Kind, "dense"}}}, Trait::Scale);
    QCOMPARE(lines[0].group, std::string("all"));
    QCOMPARE(lines[0].count, std::size_t{3});
    QCOMPARE(lines[0].medianAbsError, 0.1);
    QVERIFY(std::fabs(lines[0].meanAbsError - 0.1) < 1e-12); // (10 + 0 + 20) / 3
    QVERIFY(std::fabs(lines[0].worstAbsError - 0.2) < 1e-12);
    QCOMPARE(lines[0].bias, 0.0);
    // a: 10 in 8.1 to 9.9, no; b: yes; c: 10 in 10.8 to 13.2, no
    QCOMPARE(lines[0].bandCoverage, 1.0 / 3.0);
    // The scale of the row in doubt alone has nothing to tell.
    QCOMPARE(lines.size(), std::size_t{2});
}

void TestComparison::groupsAddUp()
{
    for (const Trait trait : kTraits) {
        const auto lines = summaryBy(sample(), {"step_time_s", {}}, trait);
        std::size_t sum = 0;
        for (std::size_t i = 1; i < lines.size(); ++i)
            sum += lines[i].count;
        QCOMPARE(sum, lines[0].count);
    }
}

void TestComparison::theRangeHoldsMeasuredAndPredicted()
{
    const auto range = rangeOf(sample(), "step_time_s");
    QCOMPARE(range.first, 9.0);
    QCOMPARE(range.second, 50.0);
    QCOMPARE(rangeOf(sample(), "fits").second, 0.0);
}

void TestComparison::alikeTakesTheNearestClassOfEnoughRows()
{
    const Alike a = alike(sample(), plan(8), "step_time_s", 6.0, 3);
    QCOMPARE(a.by.size(), std::size_t{4});
    QCOMPARE(a.summary.count, std::size_t{3});
    // Errors -0.1, 0, 0.2: the 10th percentile lies a fifth of the way from the first to the
    // second, the 90th four fifths of the way from the second to the third.
    QVERIFY(std::fabs(a.errorLow + 0.08) < 1e-12);
    QVERIFY(std::fabs(a.errorHigh - 0.16) < 1e-12);
    QVERIFY(std::fabs(a.measuredLow - 6.0 / 1.16) < 1e-12);
    QVERIFY(std::fabs(a.measuredHigh - 6.0 / 0.92) < 1e-12);
    QCOMPARE(a.mostChips, 1024.0);
}

void TestComparison::alikeLetsGoOfTraits()
{
    const Alike a = alike(sample(), plan(100000), "step_time_s", 6.0, 3);
    QCOMPARE(a.by.size(), std::size_t{3}); // no row of that scale
    QCOMPARE(a.selection.traits.count(Trait::Scale), std::size_t{0});
    QCOMPARE(a.summary.count, std::size_t{3});
}

void TestComparison::nothingIsAlikeAnUnknownKind()
{
    scenario::Scenario s = plan(8);
    s.model.groups[0].ffn.kind = scenario::FfnKind::Moe;
    const Alike a = alike(sample(), s, "step_time_s", 6.0, 3);
    QVERIFY(a.by.empty());
    QCOMPARE(a.summary.count, std::size_t{0});
    QCOMPARE(a.measuredHigh, 0.0);
}

QTEST_APPLESS_MAIN(TestComparison)
#include "tst_comparison.moc"
