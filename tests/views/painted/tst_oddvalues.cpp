// SPDX-License-Identifier: GPL-3.0-or-later
// Charts meet plans that do not work out: values that are infinite, absent or negative.
#include "tests/views/painted/charttestmain.h"
#include "views/painted/hiddenexposedbars.h"
#include "views/painted/linecurve.h"
#include "views/painted/pipelinetimeline.h"
#include "views/painted/sankey.h"
#include "views/painted/sharebar.h"
#include "views/painted/stackedbars.h"
#include "views/painted/topologypicture.h"
#include "views/painted/waterfall.h"

#include <cmath>
#include <limits>

using namespace cw::views;
using namespace Qt::StringLiterals;

class OddValuesTest : public QObject
{
    Q_OBJECT

    static void check(PaintedChart& chart)
    {
        for (const QSize size : {QSize(500, 300), QSize(40, 20), QSize(1, 1)}) {
            const QImage image = chartImage(chart, u"Chart"_s, {}, Theme::night(), size, 1.0);
            QCOMPARE(image.size(), size);
            for (const auto& mark : chart.marks(QRectF(QPointF(0, 0), QSizeF(size)))) {
                QVERIFY(std::isfinite(mark.rect.x()) && std::isfinite(mark.rect.y()));
                QVERIFY(std::isfinite(mark.rect.width()) && std::isfinite(mark.rect.height()));
            }
        }
    }

private Q_SLOTS:
    void values_data()
    {
        QTest::addColumn<double>("value");
        QTest::addRow("infinite") << std::numeric_limits<double>::infinity();
        QTest::addRow("absent") << std::numeric_limits<double>::quiet_NaN();
        QTest::addRow("negative") << -5.0;
        QTest::addRow("zero") << 0.0;
        QTest::addRow("huge") << 1e300;
    }
    void values()
    {
        QFETCH(double, value);
        StackedBars bars;
        StackedBarsData b;
        b.bars = {{u"0"_s, {{Series::Weights, value, u"Weights"_s, {}, {}}}, u"x"_s, {}, value}};
        b.limits.resize(1);
        b.limits[0].value = value;
        bars.setData(b);
        check(bars);

        for (const auto orientation : {Qt::Horizontal, Qt::Vertical}) {
            Waterfall fall(orientation);
            WaterfallData w;
            w.steps.resize(2);
            w.steps[0].parts = {{Series::Compute, value, {}, {}}};
            w.steps[1].parts = {{Series::Compute, 1.0, {}, {}}};
            fall.setData(w);
            check(fall);
        }
        HiddenExposedBars hidden;
        hidden.setData({{{Series::Network, u"a"_s, {}, value, value, {}, {}, {}, {}}}, {}, {}});
        check(hidden);
        ShareBar share;
        share.setData({{{Series::Network, value, u"a"_s, {}, {}, {}, {}}}, {}, {}});
        check(share);
        Sankey flow;
        flow.setData({{{0, Series::Network, value, u"a"_s, {}, false, {}, {}},
                       {1, Series::Network, 1, u"b"_s, {}, false, {}, {}}},
                      {{0, 1, value, Series::Network, false, {}, {}},
                       {0, 7, 1, Series::Network, false, {}, {}}},
                      {}});
        check(flow);
        QVERIFY(flow.table().rows.size() <= 1);
    }

    void emptyAndStrayData()
    {
        PipelineTimeline line;
        TimelineData d;
        d.stages = 2;
        d.end = 0.0;
        d.blocks = {{5, 0, 1, BlockKind::Forward, 0, 9, Series::Other},
                    {0, 1, 1, BlockKind::Forward, 0, 9, Series::Other},
                    {0, 0, 1, BlockKind::Forward, 0, 9, Series::Other}};
        line.setData(d);
        check(line);
        TopologyPicture picture;
        TopologyData t;
        t.map.chips = 1;
        t.map.levels.resize(1);
        t.histogram.links = {0.0};
        t.node.links = {{0, 9, 0.5, {}, {}}};
        picture.setData(t);
        check(picture);
        LineCurve curve;
        LineCurveData c;
        c.lines.resize(1);
        c.lines[0].name = u"none"_s;
        c.logX = true;
        curve.setData(c);
        check(curve);
    }
};

int main(int argc, char** argv)
{
    return cw::test::runChartTest<OddValuesTest>(argc, argv);
}

#include "tst_oddvalues.moc"
