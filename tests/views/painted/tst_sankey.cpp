// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/painted/charttestmain.h"
#include "views/painted/sankey.h"

#include <QSignalSpy>

using namespace cw::views;
using namespace Qt::StringLiterals;

namespace {

SankeyData sample()
{
    SankeyData d;
    d.unit = u"MW"_s;
    d.nodes = {{0, Series::Fixed, 100, u"Grid"_s, u"100 MW"_s, false, {}, u"power.grid"_s},
               {1, Series::Chips, 70, u"Chips"_s, u"70 MW"_s, false, {}, u"power.chips"_s},
               {1, Series::Cooling, 20, u"Cooling"_s, u"20 MW"_s, false, {}, u"power.cooling"_s},
               {1, Series::Losses, 10, u"Losses"_s, u"10 MW"_s, true, {}, u"power.losses"_s}};
    d.links = {{0, 1, 70, Series::Chips, false, {}, u"power.chips"_s},
               {0, 2, 20, Series::Cooling, false, {}, u"power.cooling"_s},
               {0, 3, 10, Series::Losses, true, {}, u"power.losses"_s}};
    return d;
}

} // namespace

class SankeyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void heightsFollowValuesAndNodesKeepApart()
    {
        Sankey chart;
        chart.resize(600, 300);
        chart.setData(sample());
        const auto& marks = chart.currentMarks();
        // Marks of nodes come first and reach two pixels over the node.
        const auto height = [&marks](std::size_t i) {
            return marks[i].rect.height() - 4;
        };
        QVERIFY(std::abs(height(1) / height(0) - 0.7) < 0.01);
        QVERIFY(std::abs(height(2) / height(0) - 0.2) < 0.01);
        QVERIFY(marks[1].rect.bottom() < marks[2].rect.top());
        QVERIFY(marks[2].rect.bottom() < marks[3].rect.top());
        QVERIFY(marks[3].rect.bottom() <= 302);
    }

    void hoverAndClickOnAFlow()
    {
        Sankey chart;
        chart.resize(600, 300);
        chart.setData(sample());
        chart.show();
        QSignalSpy hovered(&chart, &PaintedChart::quantityHovered);
        QSignalSpy clicked(&chart, &PaintedChart::quantityClicked);
        const auto marks = chart.currentMarks();
        const QPoint at = marks[4 + 12 + 3].rect.center().toPoint();
        const QImage before = chart.grab().toImage();
        QTest::mouseMove(&chart, at);
        QTRY_COMPARE(hovered.last().at(0).toString(), u"power.cooling"_s);
        QVERIFY(chart.grab().toImage() != before);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, at);
        QCOMPARE(clicked.last().at(0).toString(), u"power.cooling"_s);
    }

    void keyboardMeetsEveryFlowOnce()
    {
        Sankey chart;
        chart.resize(600, 300);
        chart.setData(sample());
        chart.show();
        chart.setFocus();
        int stops = 0;
        QTest::keyClick(&chart, Qt::Key_Home);
        for (int last = -1; chart.focusedMark() != last; ++stops) {
            last = chart.focusedMark();
            QTest::keyClick(&chart, Qt::Key_Right);
        }
        QCOMPARE(stops, 7);
    }

    void tableListsFlows()
    {
        Sankey chart;
        chart.setData(sample());
        QCOMPARE(chart.tsv(), u"From\tTo\tFlow (MW)\nGrid\tChips\t70\nGrid\tCooling\t20\n"
                              "Grid\tLosses\t10\n"_s);
    }
};

int main(int argc, char** argv)
{
    return cw::test::runChartTest<SankeyTest>(argc, argv);
}

#include "tst_sankey.moc"
