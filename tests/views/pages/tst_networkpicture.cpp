// SPDX-License-Identifier: GPL-3.0-or-later
// What the network page draws beside its map: stages and groups of a pod, the histogram and its
// sentence, what is built, the words of a group; with mouse and keyboard as a person has them.
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include "model/evaluation/quantities.h"
#include "tests/model/scenario/testplans.h"
#include "tests/views/painted/charttestmain.h"
#include "views/common/chartframe.h"
#include "views/common/elidedlabel.h"
#include "views/pages/networkpage.h"
#include "views/text/words.h"

using namespace cw;
using namespace Qt::StringLiterals;
using scenario::Axis;
using scenario::Scenario;
using views::Mark;
using views::NetworkFigures;
using views::NetworkPage;
using views::TopologyLevel;
using views::TopologyPicture;

namespace {

views::PageData dataOf(const Scenario& s)
{
    return {std::make_shared<const Scenario>(s),
            std::make_shared<const evaluation::Evaluation>(evaluation::evaluate(s)), nullptr};
}

/// SuperPoDs in which 16 stages of 8 groups fill a pod of 128 racks.
Scenario stagesInPods(std::int64_t chips = 524288)
{
    Scenario s;
    testplans::use(s, "model", "deepseek-v3");
    testplans::use(s, "cluster", "atlas-950-superpod");
    s.facility.rackChips = 64;
    s.cluster.chips = chips;
    s.workload.globalBatchSequences = 65536;
    s.parallelism.tensor = 8;
    s.parallelism.context = 8;
    s.parallelism.pipeline = 16;
    s.parallelism.expert = 64;
    s.parallelism.order = {Axis::Tensor, Axis::Context, Axis::Expert, Axis::Pipeline, Axis::Data};
    return s;
}

Scenario onNetwork(const char* system, const char* network, std::int64_t chips)
{
    Scenario s = testplans::denseGpt();
    testplans::use(s, "cluster", system);
    if (network)
        testplans::use(s, "cluster.network", network);
    s.cluster.chips = chips;
    s.workload.globalBatchSequences = 16384;
    s.parallelism.tensor = 8;
    s.parallelism.pipeline = 4;
    return s;
}

struct Shown
{
    explicit Shown(const Scenario& s, const QSize& size = {1500, 900}) : plan(s)
    {
        page.resize(size);
        page.show();
        page.setData(dataOf(s));
        QCoreApplication::processEvents();
        picture = page.findChild<TopologyPicture*>();
    }
    std::vector<Mark> marksOf(TopologyLevel level) const
    {
        std::vector<Mark> found;
        for (const Mark& mark : picture->currentMarks())
            if (TopologyPicture::levelOf(mark.tag) == level &&
                TopologyPicture::indexOf(mark.tag) >= 0)
                found.push_back(mark);
        return found;
    }
    void press(const QString& text)
    {
        for (auto* button : page.findChildren<QPushButton*>())
            if (button->text() == text)
                QTest::mouseClick(button, Qt::LeftButton);
    }

    Scenario plan;
    NetworkPage page;
    TopologyPicture* picture = nullptr;
};

} // namespace

class NetworkPictureTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// 128 racks as 16 columns of stages and 8 rows of groups, switches between the halves.
    void podIsStagesByGroups()
    {
        Shown shown(stagesInPods());
        const auto racks = shown.marksOf(TopologyLevel::Pod);
        QCOMPARE(racks.size(), std::size_t(128));
        for (std::size_t i = 0; i < racks.size(); ++i) {
            const QRectF& r = racks[i].rect;
            // Rack i holds stage i % 16 of group i / 16 (tst_groupreach).
            QCOMPARE(r.left(), racks[i % 16].rect.left());
            QCOMPARE(r.top(), racks[i / 16 * 16].rect.top());
            if (i % 16 > 0)
                QVERIFY(r.left() > racks[i - 1].rect.right());
        }
        const double step = racks[1].rect.left() - racks[0].rect.left();
        const double middle = racks[8].rect.left() - racks[7].rect.left();
        QVERIFY2(middle > step * 1.5, "no room for the switches in the middle");
    }

    void litPipelineIsALineThroughTheRacks()
    {
        Shown shown(stagesInPods());
        shown.press(u"PP"_s);
        const auto racks = shown.marksOf(TopologyLevel::Pod);
        const QImage image = shown.picture->grab().toImage();
        const QColor own = views::Theme::of(shown.picture).colour(views::Series::PipelineSends);
        // Between two racks of the first row, where nothing else is drawn.
        const double y = racks[2].rect.center().y();
        const double x = (racks[2].rect.right() + racks[3].rect.left()) / 2;
        QCOMPARE(image.pixelColor(QPointF(x, y).toPoint()).rgb(), own.rgb());
        const double low = racks[18].rect.center().y();
        QVERIFY(image.pixelColor(QPointF(x, low).toPoint()).rgb() != own.rgb());
    }

    void sentenceOnTheLitGroup_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("text");
        QTest::addRow("tp") << 0 << u"TP group 0: 8 chips, inside one node"_s;
        QTest::addRow("cp") << 1 << u"CP group 0: 8 chips in 8 nodes, inside one rack"_s;
        QTest::addRow("ep") << 2 << u"EP group 0: 64 chips in 8 nodes, inside one rack"_s;
        QTest::addRow("pp")
            << 3 << u"Pipeline 0: 16 stages × TP 8 × CP 8 = 1,024 chips, inside one pod"_s;
        QTest::addRow("dp") << 4 << u"DP group 0: 512 chips in 512 nodes, over 64 pods"_s;
    }
    void sentenceOnTheLitGroup()
    {
        QFETCH(int, kind);
        QFETCH(QString, text);
        const NetworkFigures figures(dataOf(stagesInPods()));
        QCOMPARE(views::groupSentence(figures, 0, kind), text);
    }

    void sentenceFollowsTheClickedRank()
    {
        Shown shown(stagesInPods());
        shown.press(u"PP"_s);
        const auto* sentence = shown.page.findChild<views::ElidedLabel*>(u"sentence"_s);
        QVERIFY(sentence);
        QVERIFY2(sentence->text().contains(u"Pipeline 0:"_s), qPrintable(sentence->text()));
        // The third row of the pod is the third pipeline.
        const auto racks = shown.marksOf(TopologyLevel::Pod);
        QTest::mouseClick(shown.picture, Qt::LeftButton, {}, racks[37].rect.center().toPoint());
        QVERIFY2(sentence->text().contains(u"Pipeline 2:"_s), qPrintable(sentence->text()));
        QCOMPARE(shown.picture->map().selected, 37 * 64);
    }

    void histogramSaysTheWorst()
    {
        const auto s = onNetwork("dgx-h100", nullptr, 1024);
        const NetworkFigures figures(dataOf(s));
        const auto h = views::linkHistogram(figures, true);
        const auto& hot = figures.loads.classes[figures.loads.hottest];
        QCOMPARE(h.warning, hot.inUse > 1);
        QVERIFY(h.notes.front().startsWith(views::linkName(hot)));
        for (std::size_t i = 0; i < h.links.size(); ++i)
            QCOMPARE(h.links[i] > 0, !h.tips[qsizetype(i)].isEmpty());
    }

    /// A click on a bar explains the load of the tier whose links it counts, as does one on a
    /// cable.
    void barsAndCablesExplainTheirLoad()
    {
        Shown shown(onNetwork("dgx-h100", nullptr, 16384));
        QSignalSpy asked(&shown.page, &NetworkPage::quantityClicked);
        const auto bars = shown.marksOf(TopologyLevel::Links);
        QVERIFY(!bars.empty());
        const auto e = evaluation::evaluate(shown.plan);
        for (const Mark& bar : bars) {
            asked.clear();
            QTest::mouseClick(shown.picture, Qt::LeftButton, {}, bar.rect.center().toPoint());
            QCOMPARE(asked.count(), 1);
            const QString path = asked.at(0).at(0).toString();
            QVERIFY2(path.startsWith(u"traffic.tiers."_s) && path.endsWith(u".in_use"_s),
                     qPrintable(path));
            QVERIFY(evaluation::figure(e, path.toStdString()).has_value());
        }
        asked.clear();
        const QPointF core = shown.picture->mapArea().center();
        const QPointF pod = shown.picture->rectOfPart(0, 0).center();
        QTest::mouseClick(shown.picture, Qt::LeftButton, {}, (core * 0.35 + pod * 0.65).toPoint());
        QCOMPARE(asked.count(), 1);
        QVERIFY(evaluation::figure(e, asked.at(0).at(0).toString().toStdString()).has_value());
    }

    void everyTrafficFigureIsExplained()
    {
        const auto s = stagesInPods(65536);
        const auto e = evaluation::evaluate(s);
        const NetworkFigures figures(dataOf(s));
        for (const bool inUse : {false, true})
            for (const auto& row : views::trafficTable(figures, inUse).rows)
                for (const auto& cell : row.cells)
                    if (!cell.text.isEmpty())
                        QVERIFY2(evaluation::figure(e, cell.quantity.toStdString()).has_value(),
                                 qPrintable(cell.quantity));
        for (const auto& row : views::builtRows(figures))
            if (!row.quantity.isEmpty())
                QVERIFY2(evaluation::figure(e, row.quantity.toStdString()).has_value(),
                         qPrintable(row.quantity));
    }

    void builtTellsPowerAndPrice()
    {
        const auto s = stagesInPods();
        const NetworkFigures figures(dataOf(s));
        QSet<QString> asked;
        for (const auto& row : views::builtRows(figures))
            asked.insert(row.quantity);
        QVERIFY(asked.contains(u"power.average.network_w"_s));
        QVERIFY(asked.contains(u"topology.capital"_s));
        QVERIFY(asked.contains(u"topology.diameter_hops"_s));
    }

    /// No row of zeros: less than one hundredth of a GB is said to be so.
    void smallTrafficIsShort()
    {
        auto s = onNetwork("dgx-h100", "dragonfly", 16384);
        testplans::use(s, "model", "llama3.1-405b");
        s.workload.sequenceLength = 8192;
        const NetworkFigures figures(dataOf(s));
        bool small = false;
        for (const auto& row : views::trafficTable(figures, true).rows)
            for (const auto& cell : row.cells) {
                QVERIFY2(cell.text.size() <= 6, qPrintable(cell.text));
                small = small || cell.text == u"<0.01"_s;
            }
        QVERIFY(small);
    }

    void tableTwinTellsTheFullest()
    {
        const auto s = stagesInPods();
        const NetworkFigures figures(dataOf(s));
        const auto table = views::networkTable(figures);
        double most = 0;
        for (const auto& c : figures.loads.classes)
            most = std::max(most, c.hottest);
        double told = 0;
        const auto tiers = figures.page.evaluation->topology.tierCount;
        for (std::size_t i = 0; i < tiers; ++i)
            told = std::max(told, table.rows[i].last().toDouble());
        QVERIFY(most > 0 && std::abs(told / most - 1) < 1e-9);
    }

    void keysReachEveryPartInSight_data()
    {
        QTest::addColumn<QString>("network");
        QTest::addColumn<qlonglong>("chips");
        QTest::addRow("tree") << u"ib-ndr-rail"_s << 16384LL;
        QTest::addRow("dragonfly") << u"dragonfly"_s << 16384LL;
        QTest::addRow("torus") << u"torus-3d"_s << 500000LL;
    }
    /// Zoomed to a rack, its nodes or chips are walked by arrow and chosen by Enter.
    void keysReachEveryPartInSight()
    {
        QFETCH(QString, network);
        QFETCH(qlonglong, chips);
        Shown shown(onNetwork("dgx-h100", network.toStdString().c_str(), chips));
        shown.page.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&shown.page));
        shown.picture->setFocus();
        const int last = static_cast<int>(shown.picture->map().levels.size()) - 1;
        QVERIFY(!shown.marksOf(TopologyLevel::Site).empty());
        QTest::keyClick(shown.picture, Qt::Key_Home);
        QTest::keyClick(shown.picture, Qt::Key_PageDown);
        QVERIFY(shown.picture->sight().zoom > 1);
        for (int i = 0; i < last + 6; ++i) {
            QTest::keyClick(shown.picture, Qt::Key_Home);
            QTest::keyClick(shown.picture, Qt::Key_PageDown);
        }
        const auto parts = shown.marksOf(TopologyLevel::Site);
        QVERIFY(!parts.empty());
        QTest::keyClick(shown.picture, Qt::Key_Home);
        QTest::keyClick(shown.picture, Qt::Key_Right);
        QVERIFY(!shown.picture->accessibleDescription().isEmpty());
        QSignalSpy chosen(shown.picture, &TopologyPicture::chipChosen);
        QTest::keyClick(shown.picture, Qt::Key_Return);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.at(0).at(1).toLongLong(), 1); // one chip
        for (int i = 0; i < last + 3; ++i)
            QTest::keyClick(shown.picture, Qt::Key_PageUp);
        QCOMPARE(shown.picture->sight().zoom, 1.0);
    }

    void marksInSightAreThePartsOfTheMap()
    {
        Shown shown(onNetwork("dgx-h100", "ib-ndr-rail", 16384));
        shown.picture->zoomToPart(1, 0);
        QSignalSpy chosen(shown.picture, &TopologyPicture::chipChosen);
        for (const Mark& mark : shown.marksOf(TopologyLevel::Site)) {
            const QPointF at = mark.rect.center();
            if (!shown.picture->mapArea().contains(at))
                continue;
            const auto part = shown.picture->partAt(at);
            QVERIFY(part.level >= 0);
            QVERIFY(mark.rect.adjusted(-1, -1, 1, 1)
                        .contains(shown.picture->rectOfPart(part.level, part.first).center()));
        }
    }

    /// Half of 500,000 chips hold no rank: the ring shows it.
    void idlePodsAreHatched()
    {
        Scenario s;
        testplans::use(s, "model", "deepseek-v3");
        testplans::use(s, "cluster", "gb200-nvl72");
        s.cluster.chips = 500000;
        s.workload.globalBatchSequences = 65536;
        s.parallelism.tensor = 8;
        s.parallelism.pipeline = 8;
        s.parallelism.expert = 64;
        Shown shown(s);
        const auto& map = shown.picture->map();
        QVERIFY(map.used < map.chips);
        const network::RankMap ranks(s);
        QVERIFY(map.idle(map.used, map.chips));
        QVERIFY(!map.idle(0, map.levels[0].chips));
        std::int64_t idle = 0;
        for (std::int64_t chip = 0; chip < map.chips; ++chip)
            idle += map.idle(chip, chip + 1) ? 1 : 0;
        QCOMPARE(idle, ranks.idle());
        const auto at = [&](std::int64_t first) {
            const QRectF rect = shown.picture->rectOfPart(0, first / 72 * 72);
            return shown.picture->grab().toImage().copy(rect.adjusted(-6, -6, 6, 6).toRect());
        };
        QVERIFY(at(map.used / 2) != at(map.chips - 3000));
    }

    void faultsColourTheCore_data()
    {
        QTest::addColumn<int>("part");
        QTest::addColumn<double>("planes");
        QTest::addColumn<double>("sectors");
        using scenario::FaultPart;
        QTest::addRow("plane") << static_cast<int>(FaultPart::Plane) << 0.25 << 0.0;
        QTest::addRow("rail") << static_cast<int>(FaultPart::Rail) << 0.0 << 0.25;
        QTest::addRow("link") << static_cast<int>(FaultPart::Link) << 0.0 << 0.0;
    }
    void faultsColourTheCore()
    {
        QFETCH(int, part);
        QFETCH(double, planes);
        QFETCH(double, sectors);
        Scenario s = onNetwork("dgx-h100", "ib-ndr-multi-plane", 16384);
        scenario::NetworkFault fault;
        fault.part = static_cast<scenario::FaultPart>(part);
        fault.share = 0.25;
        fault.rate = 0.6;
        s.cluster.network.faults = {fault};
        Shown shown(s);
        const auto& map = shown.picture->map();
        QCOMPARE(map.faultyPlanes, planes);
        QCOMPARE(map.faultySectors, sectors);
        QCOMPARE(map.warnings, 2);
        const QImage image = shown.picture->grab().toImage();
        const views::Theme& theme = views::Theme::of(shown.picture);
        const QColor wash =
            planes > 0 ? theme.wash(theme.warning, 0.5) : theme.wash(theme.warning, 0.35);
        int tinted = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                tinted += image.pixelColor(x, y).rgb() == wash.rgb() ? 1 : 0;
        QCOMPARE(tinted > 20, planes > 0 || sectors > 0);
    }

    void chordsTellTheFullerEnd()
    {
        const auto figures = std::make_shared<const NetworkFigures>(
            dataOf(onNetwork("dgx-h100", "dragonfly", 16384)));
        const auto map = views::mapOf(figures, {});
        QVERIFY(map.shape == views::MapShape::Pairs);
        // The ring's load is that of the cables between groups, not of those inside one.
        double least = 1e9;
        double most = 0;
        for (const auto& c : figures->loads.classes)
            if (c.from == network::LinkEnd::Group) {
                least = std::min(least, c.inUse);
                most = std::max(most, c.inUse);
            }
        for (const double use : map.levels[0].each) {
            QVERIFY(use >= least * 0.999 && use <= most * 1.001);
        }
    }

    void axesOfATorusHaveLoadsOfTheirOwn()
    {
        Scenario s = onNetwork("dgx-h100", nullptr, 4096);
        s.cluster.network.scaleOut.topology = scenario::ScaleOutTopology::Torus;
        s.cluster.network.scaleOut.shape = {16, 16, 16};
        const auto figures = std::make_shared<const NetworkFigures>(dataOf(s));
        const auto map = views::mapOf(figures, {});
        QCOMPARE(map.levels.size(), std::size_t(2));
        std::array<double, 3> axis{};
        for (const auto& c : figures->loads.classes)
            if (c.axis >= 0)
                axis[static_cast<std::size_t>(c.axis)] = c.inUse;
        QCOMPARE(map.levels[1].utilization, axis[0]);
        QCOMPARE(map.levels[1].across, axis[1]);
        QCOMPARE(map.levels[0].utilization, axis[2]);
        QVERIFY(axis[0] != axis[1]);
    }

    /// A click on another network asks for it once, as edits of one step; its own asks for nothing.
    void anotherNetworkIsOneStep()
    {
        Shown shown(onNetwork("dgx-h100", "ib-ndr-rail", 16384), {1500, 1400});
        views::TopologyAlternative own;
        own.name = u"Rail-optimized"_s;
        own.own = true;
        views::TopologyAlternative other;
        other.name = u"Dragonfly+"_s;
        other.switches = 96;
        other.change = -0.4;
        other.edits = {{"cluster.network.scale_out.topology", std::string("dragonfly-plus")},
                       {"cluster.network.scale_out.planes", 1.0}};
        shown.page.setAlternatives({own, other});
        QCoreApplication::processEvents();
        views::MatrixTable* table = nullptr;
        for (auto* found : shown.page.findChildren<views::MatrixTable*>())
            if (!found->figures().rows.empty() && found->figures().rows.back().name == other.name)
                table = found;
        QVERIFY(table);
        QSignalSpy wanted(&shown.page, &NetworkPage::editsWanted);
        const auto& marks = table->currentMarks();
        for (const int row : {0, 1}) {
            const auto mark = std::find_if(marks.begin(), marks.end(),
                                           [row](const Mark& m) { return m.tag == row; });
            QVERIFY(mark != marks.end());
            QTest::mouseClick(table, Qt::LeftButton, {}, mark->rect.center().toPoint());
            QCOMPARE(wanted.count(), row);
        }
        QCOMPARE(wanted.at(0).at(0).value<views::PageEdits>().size(), std::size_t(2));
        QCOMPARE(wanted.at(0).at(1).toString(), other.name);
    }

    /// Where the choices leave no room, the sentence heads the picture.
    void sentenceStandsWhereThereIsRoom()
    {
        Shown shown(stagesInPods(), {1500, 900});
        shown.press(u"PP"_s);
        auto* frame = qobject_cast<views::ChartFrame*>(shown.picture->parentWidget());
        const auto* sentence = shown.page.findChild<views::ElidedLabel*>(u"sentence"_s);
        QVERIFY(sentence->text().contains(u"16 stages"_s));
        QVERIFY(!frame->subtitle().contains(u"16 stages"_s));
        shown.page.resize(930, 900);
        QTRY_VERIFY(frame->subtitle().contains(u"16 stages"_s));
        QVERIFY(sentence->text().isEmpty());
    }

    void pictureAndDataAreCopiedByRightClick()
    {
        Shown shown(stagesInPods(65536));
        auto* frame = qobject_cast<views::ChartFrame*>(shown.picture->parentWidget());
        QVERIFY(frame);
        const std::unique_ptr<QMenu> menu(frame->createMenu());
        QVERIFY(menu->actions().size() >= 4);
        frame->copyData();
        const QString text = QApplication::clipboard()->text();
        QCOMPARE(text.count(u'\n'), shown.picture->table().tsv().count(u'\n'));
        QVERIFY(text.contains(u"fullest"_s));
    }

    void cardsOutOfSightAreFilledAtRest()
    {
        Shown shown(stagesInPods(65536), {1200, 420});
        auto other = shown.plan;
        other.cluster.chips = 131072;
        shown.page.setData(dataOf(other));
        const auto facts = shown.page.findChildren<views::FactList*>();
        const auto told = [&](const QString& text) {
            return std::any_of(facts.begin(), facts.end(), [&](const views::FactList* list) {
                return std::any_of(list->rows().begin(), list->rows().end(),
                                   [&](const views::FactRow& row) { return row.value == text; });
            });
        };
        const auto e = evaluation::evaluate(other);
        const QString cables = views::wholeNumber(std::llround(e.topology.links));
        QTRY_VERIFY(told(cables));
    }

    void bothLanguagesAndSizesFit_data()
    {
        QTest::addColumn<bool>("chinese");
        QTest::addColumn<QSize>("size");
        for (const bool chinese : {false, true})
            for (const QSize size : {QSize(700, 620), QSize(930, 880), QSize(2000, 1300)})
                QTest::addRow("%d %d", chinese, size.width()) << chinese << size;
    }
    void bothLanguagesAndSizesFit()
    {
        QFETCH(bool, chinese);
        QFETCH(QSize, size);
        views::setLanguage(chinese ? views::Language::Chinese : views::Language::English);
        Shown shown(stagesInPods(), size);
        const QRectF all(shown.picture->rect());
        const auto bars = shown.marksOf(TopologyLevel::Links);
        QVERIFY(!bars.empty()); // the histogram is there
        for (const auto level :
             {TopologyLevel::Pod, TopologyLevel::Rack, TopologyLevel::Node, TopologyLevel::Links})
            for (const Mark& mark : shown.marksOf(level))
                QVERIFY(all.contains(mark.rect));
        for (const auto* table : shown.page.findChildren<views::MatrixTable*>())
            QVERIFY(table->minimumSizeHint().width() <= std::max(table->width(), 320));
        views::setLanguage(views::Language::English);
    }
};

int main(int argc, char** argv)
{
    return cw::test::runChartTest<NetworkPictureTest>(argc, argv);
}

#include "tst_networkpicture.moc"
