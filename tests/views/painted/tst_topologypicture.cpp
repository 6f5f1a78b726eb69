// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/painted/charttestmain.h"
#include "views/painted/topologypicture.h"

#include <QSignalSpy>

using namespace cw::views;
using namespace Qt::StringLiterals;

Q_DECLARE_METATYPE(cw::views::TopologyLevel)

namespace {

void fill(TopologyPanel& panel, int count, const QString& prefix)
{
    panel.title = prefix;
    for (int i = 0; i < count; ++i) {
        TopologyTile t;
        t.name = prefix + QString::number(i);
        t.utilization = i == count - 1 ? 0.95 : 0.5;
        t.quantity = u"network."_s + prefix;
        panel.tiles.push_back(t);
    }
}

TopologyData sample(int pods)
{
    TopologyData d;
    fill(d.site, pods, u"P"_s);
    fill(d.pod, 40, u"R"_s);
    fill(d.rack, 8, u"N"_s);
    fill(d.node, 8, u"T"_s);
    d.site.selected = 1;
    d.pod.columns = 10;
    d.rack.fabricName = u"backplane"_s;
    for (int a = 0; a < 8; ++a) {
        for (int b = a + 1; b < 8; ++b) {
            d.node.links.push_back({a, b, 0.5, u"link"_s, u"network.link"_s});
        }
    }
    return d;
}

std::vector<Mark> ofLevel(const TopologyPicture& chart, TopologyLevel level)
{
    std::vector<Mark> found;
    for (const auto& mark : chart.currentMarks()) {
        if (TopologyPicture::levelOf(mark.tag) == level &&
            TopologyPicture::indexOf(mark.tag) >= 0) {
            found.push_back(mark);
        }
    }
    return found;
}

} // namespace

class TopologyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qRegisterMetaType<TopologyLevel>("cw::views::TopologyLevel"); }

    void clickDescends_data()
    {
        QTest::addColumn<int>("level");
        QTest::addColumn<int>("index");
        QTest::addRow("pod") << 0 << 5;
        QTest::addRow("rack") << 1 << 33;
        QTest::addRow("node") << 2 << 7;
        QTest::addRow("chip") << 3 << 2;
    }
    void clickDescends()
    {
        QFETCH(int, level);
        QFETCH(int, index);
        TopologyPicture chart;
        chart.resize(1000, 640);
        chart.setData(sample(64));
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        QSignalSpy clicked(&chart, &TopologyPicture::tileClicked);
        QSignalSpy hovered(&chart, &TopologyPicture::tileHovered);
        const auto tiles = ofLevel(chart, static_cast<TopologyLevel>(level));
        const QPoint at = tiles[static_cast<std::size_t>(index)].rect.center().toPoint();
        QTest::mouseMove(&chart, at);
        QTRY_COMPARE(hovered.count(), 1);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, at);
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(static_cast<int>(clicked.at(0).at(0).value<TopologyLevel>()), level);
        QCOMPARE(clicked.at(0).at(1).toInt(), index);
        QCOMPARE(hovered.at(0).at(1).toInt(), index);
    }

    void manyPodsAreGroupedAndTheWorstSpeaks()
    {
        TopologyPicture chart;
        chart.resize(1000, 640);
        chart.setData(sample(1000));
        const auto pods = ofLevel(chart, TopologyLevel::Site);
        QVERIFY(pods.size() <= 96);
        QVERIFY(pods[0].accessible.contains(u"P0 – P10"_s));
        QCOMPARE(TopologyPicture::indexOf(pods[1].tag), 11);
    }

    void tilesDoNotOverlap()
    {
        TopologyPicture chart;
        chart.resize(1000, 640);
        chart.setData(sample(8));
        for (const auto level : {TopologyLevel::Pod, TopologyLevel::Rack, TopologyLevel::Node}) {
            const auto tiles = ofLevel(chart, level);
            for (std::size_t a = 0; a < tiles.size(); ++a) {
                QVERIFY(QRectF(chart.rect()).contains(tiles[a].rect));
                for (std::size_t b = a + 1; b < tiles.size(); ++b) {
                    QVERIFY(!tiles[a].rect.intersects(tiles[b].rect));
                }
            }
        }
    }

    void tableListsEveryTile()
    {
        TopologyPicture chart;
        chart.setData(sample(4));
        QCOMPARE(chart.table().rows.size(), std::size_t(4 + 40 + 8 + 8));
        QVERIFY(
            chart.tsv().startsWith(u"Level\tName\tUtilization\tIn the group\nSite\tP0\t0.5\t\n"_s));
    }

    void bandsOfUtilization_data()
    {
        QTest::addColumn<double>("utilization");
        QTest::addColumn<int>("band");
        QTest::addRow("idle") << 0.0 << 0;
        QTest::addRow("20") << 0.2 << 1;
        QTest::addRow("59") << 0.59 << 2;
        QTest::addRow("84") << 0.84 << 4;
        QTest::addRow("100") << 1.0 << 4;
        QTest::addRow("over") << 1.01 << 5;
        QTest::addRow("unknown") << std::numeric_limits<double>::quiet_NaN() << 0;
    }
    void bandsOfUtilization()
    {
        QFETCH(double, utilization);
        QFETCH(int, band);
        QCOMPARE(Theme::band(utilization), band);
    }
};

int main(int argc, char** argv)
{
    return cw::test::runChartTest<TopologyTest>(argc, argv);
}

#include "tst_topologypicture.moc"
