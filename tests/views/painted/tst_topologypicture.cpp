// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/painted/charttestmain.h"
#include "views/common/chartframe.h"
#include "views/painted/topologypicture.h"

#include <QBuffer>
#include <QScreen>
#include <QSignalSpy>
#include <QWheelEvent>

using namespace cw::views;
using namespace Qt::StringLiterals;

namespace {

void fill(TopologyPanel& panel, int count, std::int64_t chips, const QString& prefix)
{
    panel.title = prefix;
    for (int i = 0; i < count; ++i) {
        TopologyTile t;
        t.name = prefix + QString::number(i);
        t.first = i * chips;
        t.chips = chips;
        t.utilization = i == count - 1 ? 0.95 : 0.5;
        t.quantity = u"network."_s + prefix;
        panel.tiles.push_back(t);
    }
}

MapLevel level(std::int64_t chips, const QString& prefix)
{
    MapLevel l;
    l.chips = chips;
    l.prefix = prefix;
    l.utilization = 0.5;
    return l;
}

/// Pods of 40 racks of 8 nodes of 8 chips.
TopologyData sample(std::int64_t pods, MapShape shape = MapShape::Star)
{
    TopologyData d;
    d.map.chips = pods * 2560;
    d.map.shape = shape;
    d.map.levels = {level(2560, u"P"_s), level(64, u"R"_s), level(8, u"N"_s), level(1, u"C"_s)};
    d.map.levels[2].wide = true;
    d.map.coreName = u"Fat tree"_s;
    d.map.selected = 0;
    d.title = u"Site"_s;
    fill(d.pod, 40, 64, u"R"_s);
    fill(d.rack, 8, 8, u"N"_s);
    fill(d.node, 8, 1, u"C"_s);
    d.pod.columns = 10;
    d.rack.fabricName = u"backplane"_s;
    for (int a = 0; a < 8; ++a) {
        for (int b = a + 1; b < 8; ++b) {
            d.node.links.push_back({a, b, 0.5, u"link"_s, u"network.link"_s});
        }
    }
    d.table.header = QStringList{u"Tier"_s, u"Use"_s};
    d.table.rows = {{u"Leaf"_s, u"0.5"_s}};
    return d;
}

std::vector<Mark> ofLevel(const TopologyPicture& chart, TopologyLevel wanted)
{
    std::vector<Mark> found;
    for (const auto& mark : chart.currentMarks()) {
        if (TopologyPicture::levelOf(mark.tag) == wanted &&
            TopologyPicture::indexOf(mark.tag) >= 0) {
            found.push_back(mark);
        }
    }
    return found;
}

void wheel(QWidget& widget, const QPointF& at, int turned)
{
    QWheelEvent event(at, widget.mapToGlobal(at), {}, QPoint(0, turned), Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&widget, &event);
}

void showSized(TopologyPicture& chart, std::int64_t pods, MapShape shape = MapShape::Star)
{
    chart.resize(1000, 640);
    chart.setData(sample(pods, shape));
    chart.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chart));
}

} // namespace

class TopologyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void clickChoosesAPanelsTile_data()
    {
        QTest::addColumn<int>("level");
        QTest::addColumn<int>("index");
        QTest::addColumn<int>("first");
        QTest::addRow("rack") << 1 << 33 << 33 * 64;
        QTest::addRow("node") << 2 << 7 << 56;
        QTest::addRow("chip") << 3 << 2 << 2;
    }
    void clickChoosesAPanelsTile()
    {
        QFETCH(int, level);
        QFETCH(int, index);
        QFETCH(int, first);
        TopologyPicture chart;
        showSized(chart, 64);
        QSignalSpy chosen(&chart, &TopologyPicture::chipChosen);
        QSignalSpy hovered(&chart, &TopologyPicture::chipsHovered);
        const auto tiles = ofLevel(chart, static_cast<TopologyLevel>(level));
        const QPoint at = tiles[static_cast<std::size_t>(index)].rect.center().toPoint();
        QTest::mouseMove(&chart, at);
        QTRY_VERIFY(!hovered.isEmpty());
        QCOMPARE(hovered.last().at(0).toLongLong(), first);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, at);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.at(0).at(0).toLongLong(), first);
    }

    void clickOnTheMapChoosesAPod()
    {
        TopologyPicture chart;
        showSized(chart, 64);
        QSignalSpy chosen(&chart, &TopologyPicture::chipChosen);
        const QPoint at = chart.rectOfPart(0, 5 * 2560).center().toPoint();
        QTest::mouseMove(&chart, at);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, at);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.at(0).at(0).toLongLong(), 5 * 2560);
        QCOMPARE(chosen.at(0).at(1).toLongLong(), 2560);
    }

    void wheelZoomsAboutThePointer()
    {
        TopologyPicture chart;
        showSized(chart, 64);
        const QPointF at = chart.rectOfPart(0, 7 * 2560).center();
        for (int i = 0; i < 12; ++i) {
            wheel(chart, at, 120);
            // What was under the pointer stays there, as far as the map's edge allows.
            QVERIFY(chart.rectOfPart(0, 7 * 2560).adjusted(-1, -1, 1, 1).contains(at));
        }
        QVERIFY(chart.sight().zoom > 10);
        for (int i = 0; i < 40; ++i)
            wheel(chart, at, -120);
        QCOMPARE(chart.sight(), MapSight{});
    }

    void wheelBesideTheMapIsLeftToOthers()
    {
        TopologyPicture chart;
        showSized(chart, 64);
        wheel(chart, QPointF(chart.width() - 20, 60), 120);
        QCOMPARE(chart.sight().zoom, 1.0);
    }

    void dragPansAndDoesNotClick()
    {
        TopologyPicture chart;
        showSized(chart, 64);
        chart.zoomBy(8);
        QSignalSpy chosen(&chart, &TopologyPicture::chipChosen);
        const QRectF before = chart.rectOfPart(0, 0);
        const QPoint from = chart.mapArea().center().toPoint();
        QTest::mousePress(&chart, Qt::LeftButton, {}, from);
        for (int i = 1; i <= 10; ++i)
            QTest::mouseMove(&chart, from + QPoint(4 * i, 3 * i));
        QTest::mouseRelease(&chart, Qt::LeftButton, {}, from + QPoint(40, 30));
        const QPointF way = chart.rectOfPart(0, 0).center() - before.center();
        QVERIFY2(std::abs(way.x() - 40) < 1e-6 && std::abs(way.y() - 30) < 1e-6,
                 qPrintable(u"%1 %2"_s.arg(way.x()).arg(way.y())));
        QCOMPARE(chosen.count(), 0);
    }

    /// After a zoom only the map is painted: nothing of the old map is left on the screen.
    void zoomLeavesNothingBehind()
    {
        TopologyPicture chart;
        showSized(chart, 64);
        wheel(chart, chart.rectOfPart(0, 7 * 2560).center(), 480);
        QCoreApplication::processEvents();
        const QImage screen = chart.screen()->grabWindow(chart.winId()).toImage();
        const QImage whole = chart.grab().toImage();
        QCOMPARE(screen.size(), whole.size());
        int differ = 0;
        for (int y = 0; y < whole.height(); ++y)
            for (int x = 0; x < whole.width(); ++x)
                differ += screen.pixelColor(x, y).rgb() != whole.pixelColor(x, y).rgb() ? 1 : 0;
        QVERIFY2(differ < 50, qPrintable(QString::number(differ)));
    }

    void keysZoomAndMove()
    {
        TopologyPicture chart;
        showSized(chart, 64);
        chart.setFocus();
        QTest::keyClick(&chart, Qt::Key_Plus);
        QCOMPARE(chart.sight().zoom, 1.5);
        QTest::keyClick(&chart, Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(chart.sight().centre.x() > 0.5);
        QTest::keyClick(&chart, Qt::Key_0);
        QCOMPARE(chart.sight(), MapSight{});
        // Arrows alone walk the tiles, Enter chooses.
        QSignalSpy chosen(&chart, &TopologyPicture::chipChosen);
        QTest::keyClick(&chart, Qt::Key_Right);
        QTest::keyClick(&chart, Qt::Key_Right);
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.at(0).at(0).toLongLong(), 2560);
    }

    void everyLevelCanBeReached_data()
    {
        QTest::addColumn<int>("shape");
        QTest::addColumn<qlonglong>("pods");
        for (const auto shape : {MapShape::Star, MapShape::Pairs, MapShape::Rows})
            for (const qlonglong pods : {1LL, 2LL, 64LL, 3000LL})
                QTest::addRow("%d of %lld pods", static_cast<int>(shape), pods)
                    << static_cast<int>(shape) << pods;
    }
    /// Zoomed to any part, that part is what lies in the middle.
    void everyLevelCanBeReached()
    {
        QFETCH(int, shape);
        QFETCH(qlonglong, pods);
        TopologyPicture chart;
        showSized(chart, pods, static_cast<MapShape>(shape));
        const std::int64_t chip = chart.map().chips * 2 / 3 + 5;
        for (int l = 0; l < 4; ++l) {
            const std::int64_t size = chart.map().levels[static_cast<std::size_t>(l)].chips;
            chart.zoomToPart(l, chip / size * size);
            const QRectF rect = chart.rectOfPart(l, chip / size * size);
            QVERIFY(chart.mapArea().contains(rect.center()));
            const QPointF corner = rect.bottomRight() - QPointF(rect.width(), rect.height()) * 0.02;
            const MapPart found = chart.partAt(corner);
            QVERIFY2(found.level >= l, qPrintable(QString::number(found.level)));
            QVERIFY(found.first >= chip / size * size && found.first < chip / size * size + size);
        }
        QVERIFY(chart.rectOfPart(3, chip).width() > 20);
        const MapPart own = chart.partAt(chart.rectOfPart(3, chip).center());
        QCOMPARE(own, (MapPart{3, chip, 1, false}));
    }

    void groupsLightTheTilesThatHoldThem()
    {
        TopologyPicture chart;
        showSized(chart, 64);
        const QImage before = chart.grab().toImage();
        chart.setGroups({{u"EP"_s, Series::ExpertParallel, {0, 5, 64 * 33}}});
        const QImage after = chart.grab().toImage();
        const QColor own = Theme::of(&chart).colour(Series::ExpertParallel);
        const auto tiles = ofLevel(chart, TopologyLevel::Pod);
        // The dot in the middle of a lit rack.
        QCOMPARE(after.pixelColor(tiles[33].rect.center().toPoint()).rgb(), own.rgb());
        QVERIFY(before.pixelColor(tiles[33].rect.center().toPoint()).rgb() != own.rgb());
        QCOMPARE(after.pixelColor(tiles[20].rect.center().toPoint()),
                 before.pixelColor(tiles[20].rect.center().toPoint()));
    }

    void tilesDoNotOverlap()
    {
        TopologyPicture chart;
        showSized(chart, 8);
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

    void tableTwinIsGiven()
    {
        ChartFrame frame(u"Network"_s);
        auto* chart = new TopologyPicture;
        chart->setData(sample(4));
        frame.setChart(chart);
        frame.setTableShown(true);
        QVERIFY(frame.isTableShown());
        QCOMPARE(chart->tsv(), u"Tier\tUse\nLeaf\t0.5\n"_s);
    }

    void vectorFileHoldsThePicture()
    {
        TopologyPicture chart;
        showSized(chart, 64);
        for (const double zoom : {1.0, 30.0}) {
            chart.zoomBy(zoom);
            QBuffer buffer;
            buffer.open(QIODevice::WriteOnly);
            QVERIFY(writeChartSvg(chart, u"Network"_s, u"64 pods"_s, Theme::light(),
                                  QSize(1024, 694), buffer));
            const QByteArray text = buffer.data();
            QVERIFY(text.contains("<svg"));
            QVERIFY(text.contains(zoom > 1 ? "backplane" : "Fat tree"));
            QVERIFY(!text.contains("<image")); // lines and text, no picture of them
        }
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
