// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/painted/charttestmain.h"
#include "views/painted/pipelinetimeline.h"

#include <QSignalSpy>
#include <QWheelEvent>

using namespace cw::views;
using namespace Qt::StringLiterals;

namespace {

TimelineData sample(int stages, int micro)
{
    TimelineData d;
    d.stages = stages;
    d.end = stages + 3.0 * micro;
    d.quantity = u"step.pipeline"_s;
    for (int s = 0; s < stages; ++s) {
        for (int m = 0; m < micro; ++m) {
            d.blocks.push_back(
                {s, s + 1.0 * m, s + m + 1.0, BlockKind::Forward, m, 0, Series::Other});
            const double at = s + micro + 2.0 * m;
            d.blocks.push_back({s, at, at + 2.0, BlockKind::Backward, m, 0, Series::Other});
        }
    }
    return d;
}

void wheel(PipelineTimeline& chart, const QPointF& at, int delta)
{
    QWheelEvent event(at, chart.mapToGlobal(at), {}, QPoint(0, delta), Qt::NoButton, {},
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&chart, &event);
}

} // namespace

class TimelineTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<PipelineTimeline> makeChart(int stages, int micro)
    {
        auto chart = std::make_unique<PipelineTimeline>();
        chart->resize(800, 300);
        chart->setData(sample(stages, micro));
        chart->show();
        return chart;
    }

private Q_SLOTS:
    void wheelKeepsTheTimeUnderThePointer()
    {
        const auto chart = makeChart(4, 8);
        const QRectF plot = chart->plotRect();
        const QPointF at(plot.left() + plot.width() * 0.25, plot.center().y());
        const double before = chart->windowTo() * 0.25;
        wheel(*chart, at, 480);
        const double span = chart->windowTo() - chart->windowFrom();
        QVERIFY(span < 28.0 * 0.7);
        QVERIFY(std::abs(chart->windowFrom() + span * 0.25 - before) < 1e-6);
        wheel(*chart, at, -9600);
        QCOMPARE(chart->windowFrom(), 0.0);
        QCOMPARE(chart->windowTo(), 28.0);
    }

    void dragPansAndDoesNotClick()
    {
        const auto chart = makeChart(4, 8);
        chart->setWindow(5, 15);
        QSignalSpy clicked(chart.get(), &PipelineTimeline::blockClicked);
        const QPoint at = chart->plotRect().center().toPoint();
        QTest::mousePress(chart.get(), Qt::LeftButton, {}, at);
        QTest::mouseMove(chart.get(), at + QPoint(60, 0));
        QTest::mouseRelease(chart.get(), Qt::LeftButton, {}, at + QPoint(60, 0));
        QVERIFY(chart->windowFrom() < 5.0);
        QVERIFY(std::abs(chart->windowTo() - chart->windowFrom() - 10.0) < 1e-9);
        QCOMPARE(clicked.count(), 0);
    }

    void stripMovesAndWidensTheWindow()
    {
        const auto chart = makeChart(4, 8);
        chart->setWindow(0, 7);
        const QRectF strip = chart->stripRect();
        const auto x = [&strip](double t) {
            return static_cast<int>(strip.left() + strip.width() * t / 28.0);
        };
        const int y = static_cast<int>(strip.center().y());
        QTest::mouseClick(chart.get(), Qt::LeftButton, {}, QPoint(x(20), y));
        QVERIFY(std::abs(chart->windowFrom() - 16.5) < 0.1);
        const int edge = x(chart->windowTo());
        QTest::mousePress(chart.get(), Qt::LeftButton, {}, QPoint(edge, y));
        QTest::mouseMove(chart.get(), QPoint(x(27), y));
        QTest::mouseRelease(chart.get(), Qt::LeftButton, {}, QPoint(x(27), y));
        QVERIFY(std::abs(chart->windowTo() - 27.0) < 0.1);
        QVERIFY(std::abs(chart->windowFrom() - 16.5) < 0.1);
    }

    void clickOnABlock()
    {
        const auto chart = makeChart(4, 8);
        QSignalSpy block(chart.get(), &PipelineTimeline::blockClicked);
        QSignalSpy clicked(chart.get(), &PaintedChart::quantityClicked);
        const auto marks = chart->currentMarks();
        QTest::mouseClick(chart.get(), Qt::LeftButton, {}, marks[3].rect.center().toPoint());
        QCOMPARE(block.last().at(0).toInt(), marks[3].tag);
        QCOMPARE(clicked.last().at(0).toString(), u"step.pipeline"_s);
    }

    void keysZoomAndSpeakOfTheBlock()
    {
        const auto chart = makeChart(4, 8);
        chart->setFocus();
        QTest::keyClick(chart.get(), Qt::Key_Plus);
        QVERIFY(chart->windowTo() - chart->windowFrom() < 28.0);
        QTest::keyClick(chart.get(), Qt::Key_0);
        QCOMPARE(chart->windowTo(), 28.0);
        QTest::keyClick(chart.get(), Qt::Key_Right);
        QCOMPARE(chart->accessibleDescription(), u"Forward, micro batch 0, chunk 0, stage 0"_s);
    }

    void mergedRowsShowTheShareOfBusyTime()
    {
        // 40,000 blocks on some 700 pixels: rows merge, none can be pointed at.
        const auto chart = makeChart(2, 10000);
        QVERIFY(chart->currentMarks().empty());
        const QRectF plot = chart->plotRect();
        const QImage image = chart->grab().toImage();
        const QPoint forward(static_cast<int>(plot.left() + plot.width() * 0.1),
                             static_cast<int>(plot.top() + 10));
        const QPoint backward(static_cast<int>(plot.left() + plot.width() * 0.8), forward.y());
        QVERIFY(image.pixelColor(forward).blue() > image.pixelColor(forward).red() + 40);
        QVERIFY(image.pixelColor(backward).green() > image.pixelColor(backward).red() + 40);
    }

    void tableHoldsTheWindow()
    {
        const auto chart = makeChart(2, 2);
        QCOMPARE(chart->table().rows.size(), std::size_t(8));
        chart->setWindow(0, 0.5);
        QCOMPARE(chart->tsv(),
                 u"Stage\tKind\tMicro batch\tChunk\tStart (s)\tEnd (s)\n0\tF\t0\t0\t0\t1\n"_s);
    }
};

int main(int argc, char** argv)
{
    return cw::test::runChartTest<TimelineTest>(argc, argv);
}

#include "tst_pipelinetimeline.moc"
