// SPDX-License-Identifier: GPL-3.0-or-later
// The network page against the model: what is lit, found and tabled is what the model says.
#include <QApplication>
#include <QBuffer>
#include <QLineEdit>
#include <QPushButton>
#include <QSet>
#include <QTest>

#include "model/scenario/registry.h"
#include "tests/model/scenario/testplans.h"
#include "tests/views/painted/charttestmain.h"
#include "views/common/chartframe.h"
#include "views/pages/networkpage.h"
#include "views/painted/linkstyle.h"
#include "views/text/words.h"

using namespace cw;
using namespace Qt::StringLiterals;
using scenario::Scenario;
using views::MapGroup;
using views::NetworkPage;
using views::TopologyPicture;

namespace {

views::PageData dataOf(const Scenario& s)
{
    return {std::make_shared<const Scenario>(s),
            std::make_shared<const evaluation::Evaluation>(evaluation::evaluate(s)), nullptr};
}

/// Mixture of experts on SuperPoDs of 8,192 chips.
Scenario superPods(std::int64_t chips)
{
    Scenario s;
    testplans::use(s, "model", "deepseek-v3");
    testplans::use(s, "cluster", "atlas-950-superpod");
    s.cluster.chips = chips;
    s.workload.globalBatchSequences = 65536;
    s.parallelism.tensor = 8;
    s.parallelism.pipeline = 16;
    s.parallelism.expert = 64;
    return s;
}

struct Shown
{
    explicit Shown(const Scenario& s, const QSize& size = {1280, 760}) : plan(s)
    {
        page.resize(size);
        page.show();
        page.setData(dataOf(s));
        QCoreApplication::processEvents();
        picture = page.findChild<TopologyPicture*>();
    }

    Scenario plan;
    NetworkPage page;
    TopologyPicture* picture = nullptr;
};

void press(NetworkPage& page, const QString& text)
{
    for (auto* button : page.findChildren<QPushButton*>())
        if (button->text() == text)
            button->click();
}

} // namespace

class NetworkPageTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void clickLightsThePeersOfTheModel_data()
    {
        QTest::addColumn<int>("kind");
        for (std::size_t i = 0; i < views::kShownKinds.size(); ++i)
            QTest::addRow("%s", views::kShownKinds[i].name) << static_cast<int>(i);
    }
    void clickLightsThePeersOfTheModel()
    {
        QFETCH(int, kind);
        const auto& shownKind = views::kShownKinds[static_cast<std::size_t>(kind)];
        Shown shown(superPods(524288));
        press(shown.page, QString::fromLatin1(shownKind.name));
        // A click on a chip of the node's panel, then one on a pod of the map.
        const auto& marks = shown.picture->currentMarks();
        const auto tile = std::find_if(marks.begin(), marks.end(), [](const views::Mark& m) {
            return TopologyPicture::levelOf(m.tag) == views::TopologyLevel::Node &&
                   TopologyPicture::indexOf(m.tag) == 5;
        });
        QVERIFY(tile != marks.end());
        const network::RankMap ranks(shown.plan);
        const auto lit = [&](std::int64_t chip) {
            std::vector<std::int64_t> wanted;
            for (const std::int64_t rank : ranks.peers(ranks.onChip(chip)->rank, shownKind.kind))
                wanted.push_back(ranks.chipOf(rank, ranks.onChip(chip)->job));
            std::sort(wanted.begin(), wanted.end());
            return shown.picture->map().groups.size() == 1 &&
                   shown.picture->map().groups.front().chips == wanted;
        };
        QVERIFY(lit(0));
        QTest::mouseClick(shown.picture, Qt::LeftButton, {}, tile->rect.center().toPoint());
        QCOMPARE(shown.picture->map().selected, 5);
        QVERIFY(lit(5));
        const std::int64_t pod = 7 * ranks.machine().chipsPerPod;
        const QPoint at = shown.picture->rectOfPart(0, pod).center().toPoint();
        QTest::mouseMove(shown.picture, at);
        QTest::mouseClick(shown.picture, Qt::LeftButton, {}, at);
        QCOMPARE(shown.picture->map().selected, pod);
        QVERIFY(lit(pod));
    }

    void hoverLightsAndLeavingRestores()
    {
        Shown shown(superPods(524288));
        press(shown.page, u"EP"_s);
        const auto before = shown.picture->map().groups.front().chips;
        const network::RankMap ranks(shown.plan);
        const std::int64_t pod = 20 * ranks.machine().chipsPerPod;
        QTest::mouseMove(shown.picture, shown.picture->rectOfPart(0, pod).center().toPoint());
        QTRY_VERIFY(shown.picture->map().groups.front().holds(pod, pod + 1));
        QVERIFY(shown.picture->map().groups.front().chips != before);
        QTest::mouseMove(shown.picture, QPoint(shown.picture->width() - 3, 3));
        QTRY_COMPARE(shown.picture->map().groups.front().chips, before);
    }

    void rankIsFoundByKeyboard_data()
    {
        QTest::addColumn<int>("rank");
        QTest::addColumn<bool>("there");
        QTest::addRow("first") << 0 << true;
        QTest::addRow("far") << 300017 << true;
        QTest::addRow("none") << 900000 << false;
    }
    void rankIsFoundByKeyboard()
    {
        QFETCH(int, rank);
        QFETCH(bool, there);
        Shown shown(superPods(524288));
        shown.page.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&shown.page));
        shown.picture->setFocus();
        QTest::keyClick(shown.picture, Qt::Key_Slash);
        auto* field = shown.page.findChild<QLineEdit*>();
        QTRY_VERIFY(field->hasFocus());
        QTest::keyClicks(field, QString::number(rank));
        QTest::keyClick(field, Qt::Key_Return);
        if (!there) {
            QCOMPARE(shown.picture->map().selected, 0);
            return;
        }
        const network::RankMap ranks(shown.plan);
        const std::int64_t chip = ranks.chipOf(rank);
        QCOMPARE(shown.picture->map().selected, chip);
        const int last = static_cast<int>(shown.picture->map().levels.size()) - 1;
        const QRectF rect = shown.picture->rectOfPart(last, chip);
        QVERIFY(shown.picture->mapArea().contains(rect.center()));
        QVERIFY(rect.width() > 3);
        QCOMPARE(shown.picture->partAt(rect.center()).first, chip);
    }

    void everyTopologyHasAPicture_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<qlonglong>("chips");
        for (std::size_t kind = 0; kind < 7; ++kind)
            for (const qlonglong chips : {1LL, 7LL, 72LL, 1000LL, 500000LL, 524288LL})
                QTest::addRow("%zu, %lld chips", kind, chips) << static_cast<int>(kind) << chips;
    }
    void everyTopologyHasAPicture()
    {
        QFETCH(int, kind);
        QFETCH(qlonglong, chips);
        Scenario s = testplans::denseGpt();
        s.cluster.chips = chips;
        s.cluster.network.scaleOut.topology = static_cast<scenario::ScaleOutTopology>(kind);
        s.cluster.network.scaleOut.planes = 4;
        Shown shown(s);
        const auto& map = shown.picture->map();
        QVERIFY(!shown.picture->isEmpty());
        QCOMPARE(map.chips, chips);
        QCOMPARE(map.levels.back().chips, 1);
        for (std::size_t l = 1; l < map.levels.size(); ++l)
            QVERIFY(map.levels[l].chips < map.levels[l - 1].chips);
        const int last = static_cast<int>(map.levels.size()) - 1;
        // The last chip of a ragged machine is there, and has its words.
        shown.picture->zoomToPart(last, chips - 1);
        const auto part =
            shown.picture->partAt(shown.picture->rectOfPart(last, chips - 1).center());
        QCOMPARE(part, (views::MapPart{last, chips - 1, 1, false}));
        QVERIFY(!map.describe(part).isEmpty());
        QBuffer buffer;
        buffer.open(QIODevice::WriteOnly);
        QVERIFY(views::writeChartSvg(*shown.picture, u"Network"_s, {}, views::Theme::light(),
                                     QSize(900, 600), buffer));
        QVERIFY(buffer.data().size() > 2000);
    }

    void scaleUpTorusIsDrawnAsSheets()
    {
        Scenario s;
        testplans::use(s, "model", "llama-3.1-405b");
        testplans::use(s, "cluster", "tpu-v5p-pod");
        s.cluster.chips = 4 * s.cluster.network.scaleUp.chips;
        Shown shown(s);
        const auto& levels = shown.picture->map().levels;
        QVERIFY(levels.size() >= 2);
        QCOMPARE(static_cast<int>(levels.back().cables), static_cast<int>(views::MapCables::Ring));
    }

    void aDegreeMovesThePicture()
    {
        Shown shown(superPods(524288));
        press(shown.page, u"TP"_s);
        QCOMPARE(shown.picture->map().groups.front().chips.size(), std::size_t(8));
        shown.picture->zoomBy(3);
        Scenario other = shown.plan;
        other.parallelism.tensor = 16;
        shown.page.setData(dataOf(other));
        QCOMPARE(shown.picture->map().groups.front().chips.size(), std::size_t(16));
        QCOMPARE(shown.picture->sight().zoom, 3.0); // what is looked at stays in sight
        other.cluster.chips = 65536;
        shown.page.setData(dataOf(other));
        QCOMPARE(shown.picture->map().chips, 65536);
        QCOMPARE(shown.picture->sight().zoom, 1.0);
    }

    void tableTwinHoldsTiersAndLinks()
    {
        const Scenario s = superPods(524288);
        Shown shown(s);
        const auto e = evaluation::evaluate(s);
        const auto loads = evaluation::linkLoads(s, e);
        const auto table = shown.picture->table();
        QCOMPARE(table.rows.size(), e.topology.tierCount + loads.classes.size());
        for (std::size_t i = 0; i < e.topology.tierCount; ++i) {
            const QStringList& row = table.rows[i];
            QCOMPARE(row.size(), table.header.size());
            QCOMPARE(row[1].toDouble(), e.topology.tiers[i].chips);
            QVERIFY(std::abs(row[3].toDouble() - e.traffic.tiers[i].bytes[0]) <=
                    1e-9 * e.traffic.tiers[i].bytes[0]);
        }
        auto* frame = qobject_cast<views::ChartFrame*>(shown.picture->parentWidget());
        QVERIFY(frame);
        frame->setTableShown(true);
        QVERIFY(frame->isTableShown());
    }

    void histogramCountsEveryLink()
    {
        const Scenario s = superPods(524288);
        const views::NetworkFigures figures(dataOf(s));
        double counted = 0;
        for (const double n : views::linkHistogram(figures, true).links)
            counted += n;
        double all = 0;
        for (const auto& c : figures.loads.classes)
            all += c.count;
        QVERIFY(all > 0);
        QVERIFY(std::abs(counted / all - 1) < 1e-12);
    }

    void meanAndInUseAreTheModels()
    {
        const Scenario s = superPods(524288);
        const views::NetworkFigures figures(dataOf(s));
        const auto& tiers = figures.page.evaluation->traffic.tiers;
        for (const bool inUse : {false, true}) {
            const auto table = views::trafficTable(figures, inUse);
            for (std::size_t i = 0; i < table.rows.size(); ++i)
                QCOMPARE(table.rows[i].cells.back().band,
                         inUse ? tiers[i].inUse : tiers[i].utilization);
        }
    }

    void bandsAreToldApartWithoutColour()
    {
        QSet<QString> looks;
        double last = 0;
        for (int band = 0; band < 6; ++band) {
            const QPen pen = views::linkPen(band / 5.0 + 0.1, views::Theme::light());
            looks.insert(QString::number(pen.widthF()) +
                         (pen.style() == Qt::SolidLine ? QString() : u"dashed"_s));
            QVERIFY(pen.widthF() >= last);
            last = pen.widthF();
            QVERIFY(!views::bandName(band).isEmpty());
        }
        QCOMPARE(looks.size(), 6);
    }

    void narrowWindowsPutTheSideBelow()
    {
        Shown wide(superPods(8192), {1400, 800});
        Shown narrow(superPods(8192), {680, 700});
        QVERIFY(wide.picture->width() > 900);
        QVERIFY(narrow.picture->width() > 560);
    }
};

int main(int argc, char** argv)
{
    return cw::test::runChartTest<NetworkPageTest>(argc, argv);
}

#include "tst_networkpage.moc"
