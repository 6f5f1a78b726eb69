// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/painted/charttestmain.h"
#include "views/charts/powerswingchart.h"
#include "views/painted/linecurve.h"

#include <QPainter>
#include <QSignalSpy>

using namespace cw::views;
using namespace Qt::StringLiterals;

namespace {

LineCurveData sample()
{
    LineCurveData d;
    CurveLine line;
    line.name = u"goodput"_s;
    line.points = {{10, 60}, {100, 70}, {1000, 20}};
    d.lines = {line};
    d.logX = true;
    d.xLow = 10;
    d.xHigh = 1000;
    d.yHigh = 80;
    d.xTitle = u"interval"_s;
    d.plan = CurvePoint{100, 70, u"plan"_s, u"70 %"_s, u"run.goodput"_s};
    d.optimum = CurvePoint{50, 65.6, u"best"_s, {}, u"run.optimum"_s};
    return d;
}

} // namespace

class LineCurveTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void linesAreDrawnOnScreenAndInPictures()
    {
        const Theme& theme = Theme::of(static_cast<const QWidget*>(nullptr));
        for (const bool compact : {false, true}) {
            LineCurve chart;
            chart.resize(400, 200);
            LineCurveData d = sample();
            d.compact = compact;
            chart.setData(d);
            chart.show();
            QImage picture(400, 200, QImage::Format_RGB32);
            picture.fill(theme.card);
            QPainter painter(&picture);
            chart.renderTo(painter, QRectF(0, 0, 400, 200), theme);
            painter.end();
            const QRgb line = theme.colour(d.lines.front().series).rgb();
            for (const QImage& seen : {picture, chart.grab().toImage()}) {
                int columns = 0; // that have the line's own colour, away from the plan's point
                for (int x = 0; x < 160; ++x)
                    for (int y = 0; y < seen.height(); ++y)
                        if (seen.pixel(x, y) == line) {
                            ++columns;
                            break;
                        }
                QVERIFY2(columns > 40, compact ? "compact" : "full");
            }
        }
    }

    void dragOfThePlanEmitsMonotoneValues()
    {
        LineCurve chart;
        chart.resize(500, 300);
        chart.setData(sample());
        chart.show();
        QSignalSpy started(&chart, &LineCurve::planDragStarted);
        QSignalSpy moved(&chart, &LineCurve::planDragged);
        QSignalSpy finished(&chart, &LineCurve::planDragFinished);
        const QPoint at = chart.pixelOf(100, 70).toPoint();
        QTest::mousePress(&chart, Qt::LeftButton, {}, at);
        for (int d = 10; d <= 400; d += 10) {
            QTest::mouseMove(&chart, at + QPoint(d, 0));
        }
        QTest::mouseRelease(&chart, Qt::LeftButton, {}, at + QPoint(400, 0));
        QCOMPARE(started.count(), 1);
        QCOMPARE(finished.count(), 1);
        double last = 100.0;
        for (const auto& call : moved) {
            QVERIFY(call.at(0).toDouble() > last);
            last = call.at(0).toDouble();
        }
        QCOMPARE(last, 1000.0);
    }

    void clickOnTheOptimumAndKeys()
    {
        LineCurve chart;
        chart.resize(500, 300);
        chart.setData(sample());
        chart.show();
        chart.setFocus();
        QSignalSpy clicked(&chart, &PaintedChart::quantityClicked);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.pixelOf(50, 65.6).toPoint());
        QCOMPARE(clicked.last().at(0).toString(), u"run.optimum"_s);
        QSignalSpy moved(&chart, &LineCurve::planDragged);
        QTest::keyClick(&chart, Qt::Key_Up);
        QVERIFY(moved.last().at(0).toDouble() > 100.0);
        QTest::keyClick(&chart, Qt::Key_Down);
        QVERIFY(std::abs(moved.last().at(0).toDouble() - 100.0) < 1e-6);
    }

    void tableHoldsTheCurve()
    {
        LineCurve chart;
        chart.setData(sample());
        QCOMPARE(chart.tsv(), u"interval\tgoodput\n10\t60\n100\t70\n1000\t20\n"_s);
    }

    void swingDrawsInBothThemesAndTellsItsQuantity()
    {
        PowerSwingChart chart;
        chart.resize(480, 240);
        PowerSwingData d;
        for (int i = 0; i < 100; ++i) {
            d.points.emplace_back(i, i % 50 < 40 ? 660 : 580);
        }
        d.mean = 640;
        d.low = 580;
        d.high = 660;
        d.swingAt = 20;
        d.bands = {{40, 50, Series::DataParallel, u"reduction"_s}};
        d.quantity = u"power.swing"_s;
        chart.setData(d);
        chart.show();
        for (const auto* theme : {&Theme::light(), &Theme::night()}) {
            const QImage image = chartImage(chart, u"Swing"_s, {}, *theme, QSize(500, 300), 2.0);
            QCOMPARE(image.width(), 1000);
            QVERIFY(cw::test::inked(image, theme->card) > 2000);
        }
        QSignalSpy clicked(&chart, &PowerSwingChart::quantityClicked);
        QTest::mouseClick(chart.childAt(240, 120), Qt::LeftButton);
        QCOMPARE(clicked.last().at(0).toString(), u"power.swing"_s);
        QCOMPARE(chart.table().rows.size(), std::size_t(100));
    }
};

int main(int argc, char** argv)
{
    return cw::test::runChartTest<LineCurveTest>(argc, argv);
}

#include "tst_linecurve.moc"
