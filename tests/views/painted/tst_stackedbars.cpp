// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/painted/charttestmain.h"
#include "views/painted/stackedbars.h"

#include <QSignalSpy>
#include <algorithm>

using namespace cw::views;
using namespace Qt::StringLiterals;

namespace {

StackedBarsData sample(int count)
{
    StackedBarsData d;
    d.categoryName = u"Stage"_s;
    for (int i = 0; i < count; ++i) {
        StackedBar bar;
        bar.name = QString::number(i);
        bar.segments = {{Series::Weights, 20, u"Weights"_s, {}, u"memory.weights"_s},
                        {Series::Gradients, 40, u"Gradients"_s, {}, u"memory.gradients"_s}};
        bar.totalText = u"60.0"_s;
        d.bars.push_back(bar);
    }
    BarLimit limit;
    limit.value = 90;
    limit.text = u"usable 90 GiB"_s;
    limit.quantity = u"chip.usable"_s;
    limit.draggable = true;
    limit.least = 10;
    limit.most = 100;
    limit.keyStep = 5;
    d.limits = {limit};
    return d;
}

} // namespace

class StackedBarsTest : public QObject
{
    Q_OBJECT

    StackedBars* makeChart(int count)
    {
        m_chart = std::make_unique<StackedBars>();
        m_chart->resize(600, 400);
        m_chart->setData(sample(count));
        m_chart->show();
        return m_chart.get();
    }
    std::unique_ptr<StackedBars> m_chart;

private Q_SLOTS:
    void dragOfTheLimitEmitsMonotoneValues()
    {
        auto* chart = makeChart(4);
        QSignalSpy started(chart, &StackedBars::limitDragStarted);
        QSignalSpy moved(chart, &StackedBars::limitDragged);
        QSignalSpy finished(chart, &StackedBars::limitDragFinished);
        const QPoint at = chart->handleRect().center().toPoint();
        QTest::mousePress(chart, Qt::LeftButton, {}, at);
        for (int d = 5; d <= 150; d += 5) {
            QTest::mouseMove(chart, at + QPoint(0, d));
            // The owner answers each value with new data, as a plan would.
            auto answer = sample(4);
            answer.limits[0].value = moved.isEmpty() ? 90 : moved.last().at(0).toDouble();
            chart->setData(answer);
        }
        QTest::mouseRelease(chart, Qt::LeftButton, {}, at + QPoint(0, 150));
        QCOMPARE(started.count(), 1);
        QCOMPARE(finished.count(), 1);
        QVERIFY(moved.count() >= 20);
        double last = 90.5;
        for (const auto& call : moved) {
            QVERIFY2(call.at(0).toDouble() < last,
                     qPrintable(QString::number(call.at(0).toDouble())));
            last = call.at(0).toDouble();
        }
        QVERIFY(last < 70);
    }

    void dragStopsAtTheRange()
    {
        auto* chart = makeChart(4);
        QSignalSpy moved(chart, &StackedBars::limitDragged);
        const QPoint at = chart->handleRect().center().toPoint();
        QTest::mousePress(chart, Qt::LeftButton, {}, at);
        QTest::mouseMove(chart, QPoint(at.x(), 399));
        QTest::mouseMove(chart, QPoint(at.x(), 1));
        QTest::mouseRelease(chart, Qt::LeftButton, {}, QPoint(at.x(), 1));
        for (const auto& call : moved) {
            QVERIFY(call.at(0).toDouble() >= 10.0 && call.at(0).toDouble() <= 100.0);
        }
        QVERIFY(!moved.isEmpty());
    }

    void keysMoveTheLimit()
    {
        auto* chart = makeChart(4);
        chart->setFocus();
        QSignalSpy moved(chart, &StackedBars::limitDragged);
        QTest::keyClick(chart, Qt::Key_Up);
        QCOMPARE(moved.last().at(0).toDouble(), 95.0);
        QTest::keyClick(chart, Qt::Key_Down);
        QCOMPARE(moved.last().at(0).toDouble(), 90.0);
    }

    void clickOnASegmentTellsItsQuantity()
    {
        auto* chart = makeChart(4);
        QSignalSpy clicked(chart, &PaintedChart::quantityClicked);
        QSignalSpy bar(chart, &StackedBars::barClicked);
        const auto& marks = chart->currentMarks();
        const auto mark = std::find_if(marks.begin(), marks.end(), [](const Mark& m) {
            return m.quantity == u"memory.gradients"_s && m.tag == 2;
        });
        QVERIFY(mark != marks.end());
        QTest::mouseClick(chart, Qt::LeftButton, {}, mark->rect.center().toPoint());
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked.at(0).at(0).toString(), u"memory.gradients"_s);
        QCOMPARE(bar.at(0).at(0).toInt(), 2);
    }

    void arrowsWalkAndEnterClicks()
    {
        auto* chart = makeChart(2);
        chart->setFocus();
        QSignalSpy clicked(chart, &PaintedChart::quantityClicked);
        QTest::keyClick(chart, Qt::Key_Right);
        QCOMPARE(chart->focusedMark(), 0);
        QVERIFY(chart->accessibleDescription().contains(u"Weights"_s));
        QTest::keyClick(chart, Qt::Key_Right);
        QTest::keyClick(chart, Qt::Key_Return);
        QCOMPARE(clicked.last().at(0).toString(), u"memory.gradients"_s);
        QTest::keyClick(chart, Qt::Key_Left);
        QCOMPARE(chart->focusedMark(), 0);
        QTest::keyClick(chart, Qt::Key_Escape);
        QCOMPARE(chart->focusedMark(), -1);
    }

    void tableHoldsEverySegment()
    {
        auto* chart = makeChart(2);
        QCOMPARE(chart->tsv(),
                 u"Stage\tWeights\tGradients\tTotal\n0\t20\t40\t60\n1\t20\t40\t60\n"_s);
    }

    void axisHeldOnlyGrows()
    {
        auto* chart = makeChart(2);
        const double before = chart->valueAt(0);
        chart->setAxisHold(true);
        auto small = sample(2);
        small.limits.clear();
        chart->setData(small);
        QCOMPARE(chart->valueAt(0), before);
        chart->setAxisHold(false);
        QVERIFY(chart->valueAt(0) < before);
    }

    void twoHundredAndFiftySixBarsStayInside()
    {
        auto* chart = makeChart(256);
        const QRectF area(chart->rect());
        for (const auto& mark : chart->currentMarks()) {
            QVERIFY(mark.rect.left() >= area.left() - 10 && mark.rect.right() <= area.right() + 10);
        }
    }

    void emptyChartSaysWhy()
    {
        StackedBars chart;
        chart.resize(300, 200);
        chart.setEmptyText(u"No plan is open."_s);
        chart.show();
        QVERIFY(chart.currentMarks().empty());
        const QImage image = chart.grab().toImage();
        QVERIFY(cw::test::inked(image, image.pixelColor(0, 0)) > 50);
    }
};

int main(int argc, char** argv)
{
    return cw::test::runChartTest<StackedBarsTest>(argc, argv);
}

#include "tst_stackedbars.moc"
