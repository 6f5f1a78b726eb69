// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/painted/charttestmain.h"
#include "views/painted/hiddenexposedbars.h"
#include "views/painted/sharebar.h"
#include "views/painted/waterfall.h"

#include <QSignalSpy>

using namespace cw::views;
using namespace Qt::StringLiterals;

namespace {

WaterfallStep step(const QString& name, double value, const QString& quantity, bool total = false)
{
    WaterfallStep s;
    s.name = name;
    s.valueText = QString::number(value);
    s.shareText = u"10 %"_s;
    s.parts = {{Series::Compute, value, {}, quantity}};
    s.total = total;
    s.quantity = quantity;
    return s;
}

WaterfallData sample()
{
    WaterfallData d;
    d.unit = u"s"_s;
    d.steps = {step(u"Compute\nat peak"_s, 10, u"step.compute"_s),
               step(u"Bubble"_s, 2.5, u"step.bubble"_s),
               step(u"Step"_s, 12.5, u"step.time"_s, true)};
    d.steps[1].parts.push_back({Series::Jitter, 0.5, u"Jitter"_s, u"step.jitter"_s});
    return d;
}

} // namespace

class WaterfallTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stepsStartWhereTheLastEnded()
    {
        Waterfall chart(Qt::Vertical);
        chart.setData(sample());
        QCOMPARE(chart.tsv(), u"Step\tStart (s)\tAmount (s)\tShare\nCompute at peak\t0\t10\t10 %\n"
                              "Bubble\t10\t3\t10 %\nStep\t0\t12.5\t10 %\n"_s);
    }

    void bothWaysRoundClicksTellTheQuantity_data()
    {
        QTest::addColumn<int>("orientation");
        QTest::addRow("vertical") << static_cast<int>(Qt::Vertical);
        QTest::addRow("horizontal") << static_cast<int>(Qt::Horizontal);
    }
    void bothWaysRoundClicksTellTheQuantity()
    {
        QFETCH(int, orientation);
        Waterfall chart(static_cast<Qt::Orientation>(orientation));
        chart.resize(420, 240);
        chart.setData(sample());
        chart.show();
        QSignalSpy clicked(&chart, &PaintedChart::quantityClicked);
        const auto marks = chart.currentMarks();
        QCOMPARE(marks.size(), std::size_t(5));
        for (const auto& mark : marks) {
            QVERIFY(QRectF(chart.rect()).adjusted(-20, -20, 20, 20).contains(mark.rect));
        }
        QTest::mouseClick(&chart, Qt::LeftButton, {}, marks.back().rect.center().toPoint());
        QCOMPARE(clicked.last().at(0).toString(), u"step.time"_s);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, marks[3].rect.center().toPoint());
        QCOMPARE(clicked.last().at(0).toString(), u"step.jitter"_s);
    }

    void tabWalksASmallChart()
    {
        Waterfall chart(Qt::Vertical);
        chart.resize(420, 240);
        chart.setData(sample());
        chart.show();
        chart.activateWindow();
        chart.setFocus();
        QVERIFY(QTest::qWaitForWindowActive(&chart));
        QTest::keyClick(&chart, Qt::Key_Tab);
        QCOMPARE(chart.focusedMark(), 0);
        QTest::keyClick(&chart, Qt::Key_Tab);
        QCOMPARE(chart.focusedMark(), 1);
        QTest::keyClick(&chart, Qt::Key_Backtab, Qt::ShiftModifier);
        QCOMPARE(chart.focusedMark(), 0);
    }

    void hiddenAndExposed()
    {
        HiddenExposedBars chart;
        chart.resize(320, 160);
        HiddenExposedData d;
        d.unit = u"s"_s;
        d.rows = {{Series::TensorParallel,
                   u"Tensor"_s,
                   u"TP"_s,
                   3.76,
                   1.34,
                   u"hidden 3.76"_s,
                   u"1.34 s"_s,
                   {},
                   u"comm.tp"_s},
                  {Series::DataParallel,
                   u"Data"_s,
                   u"DP"_s,
                   1.06,
                   0.86,
                   u"hidden 1.06"_s,
                   u"0.86 s"_s,
                   {},
                   u"comm.dp"_s}};
        chart.setData(d);
        chart.show();
        QSignalSpy clicked(&chart, &PaintedChart::quantityClicked);
        QTest::mouseClick(&chart, Qt::LeftButton, {},
                          chart.currentMarks()[1].rect.center().toPoint());
        QCOMPARE(clicked.last().at(0).toString(), u"comm.dp"_s);
        QCOMPARE(chart.tsv(), u"Dimension\tHidden (s)\tExposed (s)\nTensor\t3.76\t1.34\n"
                              "Data\t1.06\t0.86\n"_s);
    }

    void sharesFillTheBarAndWalkOnce()
    {
        ShareBar chart;
        chart.resize(300, 160);
        ShareBarData d;
        d.items = {{Series::UsefulWork, 3, u"Useful"_s, u"3 d"_s, u"75 %"_s, {}, u"run.useful"_s},
                   {Series::Restore, 1, u"Restore"_s, u"1 d"_s, u"25 %"_s, {}, u"run.restore"_s}};
        d.extras = {{u"1 pp"_s, u"$10 M"_s, u"cost.pp"_s}};
        chart.setData(d);
        chart.show();
        const auto marks = chart.currentMarks();
        QCOMPARE(marks.size(), std::size_t(5));
        QCOMPARE(marks[3].rect.left(), 0.0);
        QCOMPARE(marks[4].rect.left(), 225.0);
        QSignalSpy clicked(&chart, &PaintedChart::quantityClicked);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, marks[4].rect.center().toPoint());
        QCOMPARE(clicked.last().at(0).toString(), u"run.restore"_s);
        chart.setFocus();
        QTest::keyClick(&chart, Qt::Key_End);
        QCOMPARE(chart.focusedMark(), 2);
        QCOMPARE(chart.tsv(),
                 u"Part\tValue\tShare\nUseful\t3 d\t75 %\nRestore\t1 d\t25 %\n1 pp\t$10 M\t\n"_s);
    }
};

int main(int argc, char** argv)
{
    return cw::test::runChartTest<WaterfallTest>(argc, argv);
}

#include "tst_waterfall.moc"
