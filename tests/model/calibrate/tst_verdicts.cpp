// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <cmath>

#include "model/calibrate/comparison.h"
#include "model/calibrate/published.h"

// Verdicts, rows in doubt and collectives of a validation, on rows made up so that every figure can
// be worked out by hand; and that parts of a validation come to the same as the whole.

using namespace cw;
using namespace cw::calibrate;

namespace {

RowResult layout(double fill, bool ran, const char* framework = "nemo")
{
    RowResult r;
    r.quantity = "fits";
    r.file = "made.json";
    r.framework = framework;
    r.predicted = fill < 1 ? 1 : 0;
    r.measured = ran ? 1 : 0;
    r.error = r.predicted == r.measured ? 0 : 1;
    r.bandLow = r.bandHigh = fill;
    return r;
}

/// Two of each kind of right answers, one of each wrong; two of them within 4% of full.
std::vector<RowResult> layouts()
{
    return {layout(0.5, true), layout(0.97, true), layout(0.98, false, "megatron-bridge"),
            layout(1.3, true), layout(1.5, false), layout(100, false)};
}

RowResult stepRow(double measured, double predicted, const char* doubt)
{
    RowResult r;
    r.quantity = "step_time_s";
    r.chip = "H100";
    r.measured = measured;
    r.predicted = predicted;
    r.error = predicted / measured - 1;
    r.doubt = doubt;
    return r;
}

} // namespace

class TestVerdicts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatWasToldAgainstWhatHappened();
    void verdictsByATrait();
    void binsHaveFullInTheMiddleOfOne();
    void rowsInDoubtAreToldApart();
    void collectivesAreRowsAsWell();
    void partsComeToTheWhole();
};

void TestVerdicts::whatWasToldAgainstWhatHappened()
{
    const auto f = summarizeFits(layouts()).front();
    QCOMPARE(f.count, std::size_t{6});
    QCOMPARE(f.bothFit, std::size_t{2});
    QCOMPARE(f.toldToFit, std::size_t{1});
    QCOMPARE(f.toldNotTo, std::size_t{1});
    QCOMPARE(f.neitherFit, std::size_t{2});
    QCOMPARE(f.right, 4.0 / 6.0);
    QCOMPARE(f.inside, 2.0 / 6.0);
    QCOMPARE(f.rightOutside, 3.0 / 4.0);
}

void TestVerdicts::verdictsByATrait()
{
    const auto lines = fitsBy(layouts(), {"fits", {}}, Trait::Framework);
    QCOMPARE(lines.size(), std::size_t{3});
    QCOMPARE(lines[0].group, std::string("all"));
    QCOMPARE(lines[1].group, std::string("nemo")); // the most frequent first
    QCOMPARE(lines[1].count + lines[2].count, lines[0].count);
    QCOMPARE(lines[2].toldToFit, std::size_t{1});
    QCOMPARE(lines[2].right, 0.0);
    QVERIFY(fitsBy({}, {"fits", {}}, Trait::Framework).empty());
}

void TestVerdicts::binsHaveFullInTheMiddleOfOne()
{
    const auto bins = fillBins(layouts(), {"fits", {}});
    std::size_t all = 0;
    for (std::size_t i = 0; i < bins.size(); ++i) {
        all += bins[i].ran + bins[i].ranOut;
        QVERIFY(bins[i].low < bins[i].high);
        if (i > 0)
            QVERIFY(std::fabs(bins[i].low / bins[i - 1].high - 1) < 1e-12);
        if (bins[i].low < 1 && bins[i].high > 1) {
            QVERIFY(std::fabs(bins[i].low - 0.96) < 1e-12);
            QVERIFY(std::fabs(bins[i].high - 1.04) < 1e-12);
            QCOMPARE(bins[i].ran, std::size_t{1});
            QCOMPARE(bins[i].ranOut, std::size_t{1});
        }
    }
    QCOMPARE(all, std::size_t{6});
    QCOMPARE(bins.back().ranOut, std::size_t{1}); // what is far beyond
    QVERIFY(bins.back().low < 12);
    QVERIFY(fillBins({}, {"fits", {}}).empty());
}

void TestVerdicts::rowsInDoubtAreToldApart()
{
    std::vector<RowResult> rows{stepRow(10, 11, ""), stepRow(10, 30, "doubt.inconsistent")};
    const auto with = summaryWithDoubt(rows, {"step_time_s", {}});
    QCOMPARE(with.count, std::size_t{2});
    QCOMPARE(with.worstAbsError, 2.0);
    QCOMPARE(summaryBy(rows, {"step_time_s", {}}, Trait::Chip).front().count, std::size_t{1});
    rows.pop_back();
    QCOMPARE(summaryWithDoubt(rows, {"step_time_s", {}}).count, std::size_t{0});
}

void TestVerdicts::collectivesAreRowsAsWell()
{
    CollectiveResult c;
    c.id = "coll-1";
    c.system = "dgx-h100";
    c.collective = "all_reduce";
    c.bytes = 4.0 * 1048576;
    c.ranks = 16;
    c.domains = 2;
    c.predicted = 2e-4;
    c.measured = 1e-4;
    c.error = 1;
    const auto rows = asRows({c});
    QCOMPARE(rows.size(), std::size_t{1});
    QCOMPARE(traitOf(rows[0], Trait::Chip), std::string("dgx-h100"));
    QCOMPARE(traitOf(rows[0], Trait::Kind), std::string("all_reduce"));
    QCOMPARE(traitOf(rows[0], Trait::Scale), std::string("1-64MiB"));
    QCOMPARE(rows[0].degrees, std::string("4 MiB, 2 x 8 ranks"));
    QCOMPARE(summaryBy(rows, {"collective_time_s", {}}, Trait::Chip).front().medianAbsError, 1.0);
    // Classes of size stand in their order.
    auto small = c;
    small.bytes = 512;
    const auto sizes = countsOf(asRows({c, c, small}), "collective_time_s", Trait::Scale);
    QCOMPARE(sizes.front().value, std::string("-1MiB"));
}

/// As the window reads them: file by file.
void TestVerdicts::partsComeToTheWhole()
{
    const auto files = publishedRows();
    scenario::Faults faults;
    const Validation whole = validate(files, faults);
    Validation parts;
    for (const auto& file : files) {
        auto part = validate({file}, faults);
        parts.rows.insert(parts.rows.end(), part.rows.begin(), part.rows.end());
        parts.collectives.insert(parts.collectives.end(), part.collectives.begin(),
                                 part.collectives.end());
    }
    summarize(parts);
    QCOMPARE(parts.summary.size(), whole.summary.size());
    QCOMPARE(parts.sweeps.size(), whole.sweeps.size());
    QCOMPARE(parts.collectiveSummary.size(), whole.collectiveSummary.size());
    QCOMPARE(parts.fits.front().right, whole.fits.front().right);
    for (std::size_t i = 0; i < whole.summary.size(); ++i)
        QCOMPARE(parts.summary[i].medianAbsError, whole.summary[i].medianAbsError);
    // What a table of the window says of all rows is what the terminal says.
    const auto shown = summaryBy(whole.rows, {"step_time_s", {}}, Trait::Chip).front();
    const auto with = summaryWithDoubt(whole.rows, {"step_time_s", {}});
    for (const auto& s : whole.summary) {
        if (s.quantity == "step_time_s" && s.group == "undoubted")
            QCOMPARE(shown.p90AbsError, s.p90AbsError);
        if (s.quantity == "step_time_s" && s.group == "all")
            QCOMPARE(with.p90AbsError, s.p90AbsError);
    }
    const auto rows = asRows(whole.collectives);
    QCOMPARE(summaryBy(rows, {"collective_time_s", {}}, Trait::Chip).front().medianAbsError,
             whole.collectiveSummary.front().medianAbsError);
}

QTEST_APPLESS_MAIN(TestVerdicts)
#include "tst_verdicts.moc"
