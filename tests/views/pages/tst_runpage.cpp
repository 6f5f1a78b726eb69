// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/painted/charttestmain.h"
#include "views/common/chartframe.h"
#include "views/pages/cardtable.h"
#include "views/pages/runpage.h"
#include "views/painted/linecurve.h"
#include "views/painted/rankedbars.h"
#include "views/painted/runstrip.h"
#include "views/text/words.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <variant>

#include "model/scenario/presets.h"

using namespace cw;
using namespace cw::views;
using namespace Qt::StringLiterals;

namespace {

scenario::Scenario plan()
{
    scenario::Scenario s;
    scenario::applyPreset(s, "model", "llama3.1-70b");
    scenario::applyPreset(s, "cluster", "dgx-h100");
    s.cluster.chips = 16384;
    s.parallelism.tensor = 8;
    s.parallelism.pipeline = 4;
    s.workload.globalBatchSequences = 2048;
    s.reliability.checkpoints.resize(1);
    s.reliability.checkpoints[0].interval = 1200;
    return s;
}

PageData dataOf(const scenario::Scenario& s)
{
    PageData d;
    d.scenario = std::make_shared<const scenario::Scenario>(s);
    d.evaluation = std::make_shared<const evaluation::Evaluation>(evaluation::evaluate(s));
    return d;
}

scenario::Scenario failingEvery(double chipHours)
{
    scenario::Scenario s = plan();
    s.reliability.chipHoursPerFailure = chipHours;
    return s;
}

double goodputOf(const scenario::Scenario& s)
{
    return evaluation::simulateMonth(s, evaluation::evaluate(s), 11).story.goodput;
}

void settle()
{
    for (int i = 0; i < 4; ++i)
        QCoreApplication::processEvents();
}

} // namespace

class RunPageTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        setLanguage(Language::English);
        m_page = std::make_unique<RunPage>();
        m_page->resize(1200, 800);
        m_page->show();
        m_page->setData(dataOf(plan()));
        settle();
    }
    void cleanup() { m_page.reset(); }

    void dragIsOneGesture()
    {
        QSignalSpy edits(m_page.get(), &Page::editsWanted);
        LineCurve* curve = m_page->curve();
        const auto marks = curve->currentMarks();
        const QPoint at = marks.back().rect.center().toPoint(); // the plan's point
        QTest::mousePress(curve, Qt::LeftButton, {}, at);
        for (int d = 5; d <= 60; d += 5)
            QTest::mouseMove(curve, at + QPoint(d, 0));
        QTest::mouseRelease(curve, Qt::LeftButton, {}, at + QPoint(60, 0));
        QVERIFY(edits.count() >= 5);
        double last = 1200;
        for (const auto& call : edits) {
            const auto list = call.at(0).value<PageEdits>();
            QCOMPARE(list.front().first, std::string("reliability.checkpoints.0.interval_s"));
            const double to = std::get<double>(list.front().second);
            QVERIFY(to >= last);
            last = to;
            QCOMPARE(call.at(2).toULongLong(), edits.first().at(2).toULongLong());
        }
        QVERIFY(last > 1300);
        QVERIFY(edits.first().at(2).toULongLong() != 0);
    }

    void planWithoutTiersIsGivenOne()
    {
        scenario::Scenario s = plan();
        s.reliability.checkpoints.clear();
        m_page->setData(dataOf(s));
        settle();
        QSignalSpy edits(m_page.get(), &Page::editsWanted);
        m_page->curve()->setFocus();
        QTest::keyClick(m_page->curve(), Qt::Key_Up);
        QCOMPARE(edits.count(), 1);
        const auto list = edits.first().at(0).value<PageEdits>();
        QVERIFY(!scenario::setValue(s, list.front().first, list.front().second));
        QCOMPARE(s.reliability.checkpoints.size(), std::size_t{1});
        QVERIFY(s.reliability.checkpoints[0].interval.value_or(0) > 0);
    }

    void classesAreExplained()
    {
        QSignalSpy clicked(m_page.get(), &Page::quantityClicked);
        RankedBars* lost = m_page->lost();
        const auto marks = lost->currentMarks();
        QVERIFY(marks.size() >= 5);
        for (const Mark& mark : marks) {
            QTest::mouseClick(lost, Qt::LeftButton, {}, mark.rect.center().toPoint());
            QCOMPARE(clicked.last().at(0).toString(), mark.quantity);
            QVERIFY(mark.quantity.startsWith(u"run."_s));
        }
        // Sorted by what they take, and the longest bar is not beyond the page.
        for (std::size_t i = 1; i < lost->figures().rows.size(); ++i)
            QVERIFY(lost->figures().rows[i].value <= lost->figures().rows[i - 1].value);
    }

    void hourIsChosenByHand()
    {
        RunStrip* strip = m_page->strip();
        QCOMPARE(strip->figures().hours.size(), std::size_t{720});
        const int other = strip->figures().selected == 100 ? 101 : 100;
        QTest::mouseClick(strip, Qt::LeftButton, {}, strip->cellRect(other).center().toPoint());
        QCOMPARE(strip->figures().selected, other);
        double told = 0;
        for (const auto& s : strip->figures().stretches)
            told += s.end - s.begin;
        QVERIFY(std::abs(told - 3600) < 1e-6);
        // By keyboard: a walk to the next hour, and Enter.
        strip->setFocus();
        strip->setFocusedMark(other + 1);
        QTest::keyClick(strip, Qt::Key_Return);
        QCOMPARE(strip->figures().selected, other + 1);
    }

    void monthAndCurvesFollowAtRest()
    {
        const scenario::Scenario still = plan();
        const scenario::Scenario moved = failingEvery(20000);
        QVERIFY(goodputOf(moved) != goodputOf(still));
        const auto told = [this] {
            return m_page->strip()->figures().mean;
        };
        QCOMPARE(told(), goodputOf(still));
        const auto curve = m_page->curve()->table().tsv();
        QSignalSpy shown(m_page.get(), &RunPage::storyShown);
        m_page->setData(dataOf(moved));
        // What was drawn stays; only the plan's own point has moved.
        QCOMPARE(told(), goodputOf(still));
        QCOMPARE(m_page->curve()->table().tsv(), curve);
        QTRY_COMPARE(told(), goodputOf(moved));
        QVERIFY(m_page->curve()->table().tsv() != curve);
        QCOMPARE(shown.count(), 1);
    }

    void olderAnswersAreDropped()
    {
        const scenario::Scenario older = failingEvery(20000);
        const scenario::Scenario newer = failingEvery(30000);
        QSignalSpy shown(m_page.get(), &RunPage::storyShown);
        m_page->setData(dataOf(older));
        QTest::qWait(110); // about where the older one is being read
        m_page->setData(dataOf(newer));
        QTRY_COMPARE(m_page->strip()->figures().mean, goodputOf(newer));
        QTest::qWait(300);
        QCOMPARE(m_page->strip()->figures().mean, goodputOf(newer));
        QVERIFY(shown.count() <= 2);
    }

    void picturesAndCopiesAreOfTheNewestPlan()
    {
        for (const double hours : {30000.0, 20000.0}) {
            const scenario::Scenario s = failingEvery(hours);
            m_page->setData(dataOf(s));
            if (hours == 30000.0)
                m_page->flush();
            else
                for (ChartFrame* frame : m_page->findChildren<ChartFrame*>())
                    if (frame->chart() == m_page->strip())
                        frame->copyData();
            QCOMPARE(m_page->strip()->figures().mean, goodputOf(s));
        }
    }

    void chartsHaveTablesAndPictures()
    {
        QTemporaryDir folder;
        int i = 0;
        for (ChartFrame* frame : m_page->findChildren<ChartFrame*>()) {
            if (!frame->isVisible())
                continue;
            const auto table = frame->chart()->table();
            QVERIFY2(!table.rows.empty(), qPrintable(frame->title()));
            for (const auto& row : table.rows)
                QCOMPARE(row.size(), table.header.size());
            for (const char* ending : {"png", "svg"}) {
                const QString file =
                    folder.filePath(u"%1.%2"_s.arg(i).arg(QLatin1StringView(ending)));
                QVERIFY(frame->savePicture(file));
                QVERIFY(QFileInfo(file).size() > 500);
            }
            ++i;
        }
        QVERIFY(i >= 7);
    }

    void speaksChinese()
    {
        const QString english = m_page->strip()->figures().dayName;
        setLanguage(Language::Chinese);
        m_page->setData(dataOf(plan()));
        settle();
        QVERIFY(m_page->strip()->figures().dayName != english);
        setLanguage(Language::English);
    }

    void rulesForExpertsAreListed()
    {
        // A dense model has one size, a mixture one by each rule; the plan's own in bold.
        const auto rules = [&] {
            std::vector<CardRow> rows;
            for (const CardTable* table : m_page->findChildren<CardTable*>())
                for (const CardRow& row : table->rows())
                    if (row.quantity.startsWith(u"run.loss_by_rule."_s))
                        rows.push_back(row);
            return rows;
        };
        QVERIFY(rules().empty());
        scenario::Scenario s = plan();
        scenario::applyPreset(s, "model", "qwen3-30b-a3b");
        s.workload.expertRule = scenario::ExpertRule::Leverage;
        m_page->setData(dataOf(s));
        settle();
        const auto rows = rules();
        QCOMPARE(rows.size(), scenario::EnumNames<scenario::ExpertRule>::value.size());
        for (const CardRow& row : rows) {
            QCOMPARE(row.cells.size(), qsizetype{3});
            QCOMPARE(row.strong, row.quantity == u"run.loss_by_rule.leverage.loss"_s);
        }
    }

    void phasesAreListed()
    {
        scenario::Scenario s = plan();
        scenario::Phase a;
        a.name = "bf16";
        a.trainingTokens = s.workload.trainingTokens / 2;
        scenario::Phase b = a;
        b.name = "fp8";
        b.set = R"({"precision.compute": "fp8"})";
        s.workload.phases = {a, b};
        m_page->setData(dataOf(s));
        settle();
        bool found = false;
        for (ChartFrame* frame : m_page->findChildren<ChartFrame*>())
            for (const auto& row : frame->chart()->table().rows)
                found = found || (frame->isVisible() && row.contains(u"fp8"_s));
        QVERIFY(found);
    }

    void hopelessPlanIsDrawn()
    {
        scenario::Scenario s = plan();
        s.reliability.chipHoursPerFailure = 1;
        s.reliability.start = 1e6;
        m_page->setData(dataOf(s));
        settle();
        m_page->setData(dataOf(scenario::Scenario{}));
        settle();
        QVERIFY(!m_page->grab().isNull());
    }

private:
    std::unique_ptr<RunPage> m_page;
};

int main(int argc, char** argv)
{
    return test::runChartTest<RunPageTest>(argc, argv);
}
#include "tst_runpage.moc"
