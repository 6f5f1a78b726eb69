// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/painted/charttestmain.h"

#include <QPushButton>
#include <QSignalSpy>
#include <cmath>
#include <memory>

#include "model/evaluation/evaluation.h"
#include "model/evaluation/quantities.h"
#include "tests/model/scenario/testplans.h"
#include "views/charts/powerswingchart.h"
#include "views/common/chartframe.h"
#include "views/pages/costpage.h"
#include "views/pages/factlist.h"
#include "views/pages/powerfigures.h"
#include "views/pages/powerpage.h"
#include "views/painted/matrixtable.h"
#include "views/painted/rackview.h"
#include "views/painted/waterfall.h"
#include "views/text/words.h"

using namespace cw;
using namespace cw::views;
using namespace Qt::StringLiterals;

namespace {

PageData dataOf(scenario::Scenario plan)
{
    PageData d;
    d.evaluation = std::make_shared<evaluation::Evaluation>(evaluation::evaluate(plan));
    d.scenario = std::make_shared<scenario::Scenario>(std::move(plan));
    return d;
}

scenario::Scenario plan()
{
    return testplans::deepSeek();
}

/// Every quantity that a mark would explain is one of the evaluation.
bool allKnown(const PaintedChart& chart, const evaluation::Evaluation& e)
{
    for (const Mark& m : chart.currentMarks()) {
        if (!m.quantity.isEmpty() && !evaluation::figure(e, m.quantity.toStdString())) {
            qWarning("no figure %s", qPrintable(m.quantity));
            return false;
        }
    }
    return !chart.currentMarks().empty();
}

} // namespace

class PowerAndCostTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void flowsBalance()
    {
        const PageData d = dataOf(plan());
        const SankeyData chart = powerFlows(*d.evaluation);
        // What comes into a node goes out of it, unless it ends there.
        for (std::size_t i = 0; i < chart.nodes.size(); ++i) {
            double in = 0;
            double out = 0;
            for (const SankeyLink& k : chart.links) {
                in += k.to == static_cast<int>(i) ? k.value : 0;
                out += k.from == static_cast<int>(i) ? k.value : 0;
            }
            if (in > 0 && out > 0)
                QVERIFY2(std::abs(in - out) < 1e-3 * in, qPrintable(chart.nodes[i].name));
        }
        QCOMPARE(chart.nodes.front().value, d.evaluation->power.average.facility.si());
    }

    void everyMarkExplains()
    {
        const PageData d = dataOf(plan());
        PowerPage page;
        page.resize(1200, 700);
        page.show();
        page.setData(d);
        for (const auto* chart : page.findChildren<PaintedChart*>())
            QVERIFY2(allKnown(*chart, *d.evaluation), qPrintable(chart->accessibleName()));
        CostPage cost;
        cost.resize(1200, 700);
        cost.show();
        cost.setData(d);
        QVERIFY(allKnown(*cost.findChild<Waterfall*>(), *d.evaluation));
    }

    void supplyIsDraggedAtTheRack()
    {
        auto s = plan();
        s.facility.cooling = scenario::Cooling::DirectLiquid;
        s.facility.supplyC = 30;
        PowerPage page;
        page.resize(1200, 700);
        page.show();
        page.setData(dataOf(s));
        auto* rack = page.findChild<RackView*>();
        QVERIFY(rack != nullptr);
        QSignalSpy edits(&page, &Page::editsWanted);
        QTest::mousePress(rack, Qt::LeftButton, {}, rack->handleRect().center().toPoint());
        const QPoint to(rack->handleRect().center().toPoint().x(),
                        static_cast<int>(std::lround(rack->pixelOf(36))));
        QTest::mouseMove(rack, to);
        QTest::mouseRelease(rack, Qt::LeftButton, {}, to);
        QCOMPARE(edits.count(), 1);
        const auto wanted = edits.front().front().value<PageEdits>();
        QCOMPARE(wanted.front().first, std::string("facility.supply_c"));
        QVERIFY(std::abs(std::get<double>(wanted.front().second) - 36) <= 1);
        QVERIFY(edits.front().at(2).toULongLong() != 0); // one gesture, one undo step
        edits.clear();
        rack->setFocus();
        QTest::keyClick(rack, Qt::Key_Down);
        QCOMPARE(std::get<double>(edits.front().front().value<PageEdits>().front().second), 29.0);
    }

    void airIsDraggedWhereAirCools()
    {
        auto s = plan();
        s.facility.cooling = scenario::Cooling::Air;
        PowerPage page;
        page.resize(1200, 700);
        page.show();
        page.setData(dataOf(s));
        QSignalSpy edits(&page, &Page::editsWanted);
        auto* rack = page.findChild<RackView*>();
        QVERIFY(!rack->figures().liquid);
        QTest::keyClick(rack, Qt::Key_Up);
        QCOMPARE(edits.front().front().value<PageEdits>().front().first,
                 std::string("facility.air_supply_c"));
    }

    void swingIsWalkedAndPointedAt()
    {
        const PageData d = dataOf(plan());
        PowerPage page;
        page.resize(1200, 700);
        page.show();
        page.setData(d);
        auto* swing = page.findChild<PowerSwingChart*>();
        QVERIFY(swing != nullptr);
        QCOMPARE(swing->currentPoint(), -1);
        swing->setFocus();
        QTest::keyClick(swing, Qt::Key_Right);
        const int first = swing->currentPoint();
        QVERIFY(first >= 0);
        QVERIFY(!swing->accessibleDescription().isEmpty());
        QTest::keyClick(swing, Qt::Key_Right);
        QVERIFY(swing->currentPoint() > first);
        QTest::keyClick(swing, Qt::Key_Home);
        QCOMPARE(swing->currentPoint(), first);
        QTest::keyClick(swing, Qt::Key_Escape);
        QCOMPARE(swing->currentPoint(), -1);
        QSignalSpy asked(&page, &Page::quantityClicked);
        QTest::keyClick(swing, Qt::Key_Return);
        QCOMPARE(asked.front().front().toString(), u"power.swing_w"_s);
        // The table twin has each point; two steps end at twice the step's time.
        const ChartTable table = swing->table();
        QVERIFY(table.rows.size() >= 4);
        QVERIFY(std::abs(table.rows.back().front().toDouble() - 2 * d.evaluation->step.time.si()) <
                1e-6);
    }

    void monthsStandOnOne()
    {
        const PageData d = dataOf(plan());
        const StackedBarsData chart = pueOfMonths(*d.evaluation);
        QCOMPARE(chart.bars.size(), std::size_t(12));
        QCOMPARE(chart.axisBase, 1.0);
        for (std::size_t m = 0; m < 12; ++m) {
            double sum = chart.axisBase;
            for (const BarSegment& s : chart.bars[m].segments)
                sum += s.value;
            QVERIFY(std::abs(sum - d.evaluation->cooling.months[m].pue) < 1e-9);
        }
    }

    void costPartsAddUpAtEachLevel()
    {
        const PageData d = dataOf(plan());
        CostPage page;
        page.resize(1200, 700);
        page.show();
        page.setData(d);
        auto* parts = page.findChild<Waterfall*>();
        const double wholes[] = {d.evaluation->cost.perRun.si(), d.evaluation->cost.perHour.si(),
                                 d.evaluation->cost.capital.si()};
        const auto buttons = page.findChildren<QPushButton*>();
        for (int level = 0; level < 3; ++level) {
            QTest::mouseClick(buttons[level], Qt::LeftButton);
            const ChartTable table = parts->table();
            double last = 0;
            for (const QString& cell : table.rows.back()) {
                bool isNumber = false;
                const double value = cell.toDouble(&isNumber);
                last = isNumber ? std::max(last, value) : last;
            }
            // The axis is in millions where amounts are.
            const double unit = wholes[level] >= 1e6 ? 1e6 : 1;
            QVERIFY2(std::abs(last * unit / wholes[level] - 1) < 1e-6, qPrintable(table.tsv()));
        }
    }

    void sitesAndMachinesCome()
    {
        CostPage page;
        page.resize(1200, 700);
        page.show();
        QSignalSpy shown(&page, &CostPage::comparisonsShown);
        page.setData(dataOf(testplans::denseGpt()));
        page.flush();
        QTRY_VERIFY_WITH_TIMEOUT(shown.count() == 1, 60000);
        const auto tables = page.findChildren<MatrixTable*>();
        QCOMPARE(tables.size(), 2);
        QCOMPARE(tables[0]->figures().rows.size(), std::size_t(7));
        QCOMPARE(tables[1]->figures().rows.size(), std::size_t(5)); // the plan's own, four others
        for (const MatrixTable* table : tables)
            for (const MatrixRow& row : table->figures().rows)
                QCOMPARE(row.cells.size() + 1, std::size_t(table->figures().header.size()));
        // Data that came later drops what an older plan's answer says.
        page.setData(dataOf(testplans::denseGpt()));
        QCOMPARE(shown.count(), 1);
    }

    void aRowBecomesThePlan()
    {
        CostPage page;
        page.resize(1200, 900);
        page.show();
        QSignalSpy shown(&page, &CostPage::comparisonsShown);
        auto before = testplans::denseGpt();
        before.facility.site = scenario::Site::Nordic;
        before.facility.ambientC = 4;
        page.setData(dataOf(before));
        page.flush();
        QTRY_VERIFY_WITH_TIMEOUT(shown.count() == 1, 60000);
        QSignalSpy edits(&page, &Page::editsWanted);
        const auto tables = page.findChildren<MatrixTable*>();
        const auto press = [](MatrixTable* table, int row) {
            const auto& marks = table->currentMarks();
            for (std::size_t i = 0; i < marks.size(); ++i)
                if (marks[i].tag == row) {
                    table->setFocus();
                    table->setFocusedMark(static_cast<int>(i));
                    QTest::keyClick(table, Qt::Key_Return);
                    return;
                }
        };
        const auto applied = [&](int at) {
            scenario::Scenario after = before;
            for (const auto& [path, value] : edits.at(at).front().value<PageEdits>())
                if (scenario::setValue(after, path, value))
                    qWarning("refused: %s", path.c_str());
            return after;
        };
        press(tables[0], 1); // the plan's own site
        QCOMPARE(edits.count(), 0);
        press(tables[0], 4);
        QCOMPARE(edits.count(), 1);
        QVERIFY(applied(0) == evaluation::movedTo(before, scenario::Site::Guiyang));
        QVERIFY(edits.at(0).at(1).toString().contains(u"Guiyang"_s));
        press(tables[1], 2); // GB200
        QCOMPARE(edits.count(), 2);
        const scenario::Scenario machine = applied(1);
        QCOMPARE(machine.cluster.preset, std::string("gb200-nvl72"));
        QCOMPARE(machine.facility.site, scenario::Site::Nordic);
        const auto e = evaluation::evaluate(machine);
        QVERIFY(e.power.maximum.facility.si() <=
                evaluation::evaluate(before).power.maximum.facility.si());
    }

    void bothLanguages()
    {
        PowerPage page;
        page.resize(1280, 720);
        page.show();
        page.setData(dataOf(plan()));
        for (const Language l : {Language::Chinese, Language::English}) {
            setLanguage(l);
            page.setData(dataOf(plan()));
            for (const auto* frame : page.findChildren<ChartFrame*>()) {
                QVERIFY(!frame->title().isEmpty());
                QVERIFY2(!frame->title().contains(u"window."_s), qPrintable(frame->title()));
                QVERIFY2(!frame->subtitle().contains(u"window."_s), qPrintable(frame->subtitle()));
            }
            for (const FactRow& r : siteRows(dataOf(plan())))
                QVERIFY2(!r.label.contains(u"window."_s), qPrintable(r.label));
        }
    }

    void emptyEvaluationsShowWords()
    {
        // A plan without layers has no numbers: pages say so instead of drawing nonsense.
        PageData d;
        d.scenario = std::make_shared<scenario::Scenario>();
        d.evaluation = std::make_shared<evaluation::Evaluation>();
        PowerPage page;
        page.resize(1000, 600);
        page.show();
        page.setData(d);
        QVERIFY(page.findChild<Sankey*>()->isEmpty());
        QVERIFY(page.findChild<RackView*>()->isEmpty());
        page.grab();
        CostPage cost;
        cost.resize(1000, 600);
        cost.show();
        cost.setData(d);
        QVERIFY(cost.findChild<Waterfall*>()->isEmpty());
        cost.grab();
    }
};

int main(int argc, char** argv)
{
    return cw::test::runChartTest<PowerAndCostTest>(argc, argv);
}

#include "tst_powerandcost.moc"
