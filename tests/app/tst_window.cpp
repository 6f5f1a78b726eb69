// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QFile>
#include <QLineEdit>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <variant>

#include "app/dialogs/newplandialog.h"
#include "app/mainwindow.h"
#include "views/common/chartframe.h"
#include "views/metrics/headlinestrip.h"
#include "views/pages/memorypage.h"
#include "views/painted/stackedbars.h"
#include "views/painted/topologypicture.h"
#include "views/params/parampanel.h"
#include "views/params/valueslider.h"
#include "views/text/words.h"

using namespace cw;
using namespace Qt::StringLiterals;

class TestWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(u"clusterwright-test"_s);
        QCoreApplication::setApplicationName(u"window"_s);
        QSettings().clear();
        m_appearance = std::make_unique<app::Appearance>(*qApp);
        m_appearance->start(u"en"_s, u"light"_s);
    }
    void init()
    {
        m_appearance->setLanguage(views::Language::English);
        m_window = std::make_unique<app::MainWindow>(*m_appearance);
        m_window->resize(1440, 900);
        m_window->show();
        auto plan = app::NewPlanDialog::planOf("llama3.1-70b", "dgx-h100", 1024);
        plan.scenario.parallelism.tensor = 8;
        plan.scenario.parallelism.pipeline = 4;
        document().take(plan, {});
        settle();
    }
    void cleanup()
    {
        document().history().setClean();
        m_window.reset();
    }

    void oneDragIsOneStep();
    void twoDragsAreTwoSteps();
    void thereAndBackIsNoStep();
    void keysMoveTheSlider();
    void typedUnitsAreRead();
    void undoAndRedoRestore();
    void undoNamesWhatChanged();
    void aGestureThatMakesAListIsOneStep();
    void undoFromTheFieldItWasTypedIn();
    void lockKeepsAValue();
    void keptDataParallelismMovesTheChips();
    void languageChangesWhatIsSeen();
    void savesAndOpens();
    void brokenFileKeepsThePlan();
    void headlinesShowTheChange();
    void headlineOpensItsPage();
    void hbmLineIsOneStep();
    void totalParametersScaleTheShape();
    void inputsWithoutMeaningAreLeftOut();
    void problemNamesTheNearestValues();
    void remedyIsOneStep();
    void barsShowTheChosenMemory();
    void hoverLightsTheGroup();
    void recoversUnsavedWork();
    void pagesAreReachedByKey();

private:
    app::Document& document() { return m_window->document(); }
    views::ParamRow& row(const char* path)
    {
        views::ParamRow* found = m_window->inputs().row(path);
        settle();
        return *found;
    }
    void settle()
    {
        for (int i = 0; i < 4; ++i)
            QCoreApplication::processEvents();
    }
    void drag(views::ValueSlider* slider, const QList<int>& offsets)
    {
        const QPoint from = slider->handleCentre();
        QTest::mousePress(slider, Qt::LeftButton, {}, from);
        for (const int offset : offsets)
            QTest::mouseMove(slider, from + QPoint(offset, 0));
        QTest::mouseRelease(slider, Qt::LeftButton, {}, from + QPoint(offsets.back(), 0));
        settle();
    }

    std::unique_ptr<app::Appearance> m_appearance;
    std::unique_ptr<app::MainWindow> m_window;
};

void TestWindow::oneDragIsOneStep()
{
    const double before = document().scenario().workload.trainingTokens;
    drag(row("workload.training_tokens").slider(), {5, 10, 15, 20});
    QCOMPARE(document().history().count(), 1);
    QVERIFY(document().scenario().workload.trainingTokens > before);
    document().history().undo();
    QCOMPARE(document().scenario().workload.trainingTokens, before);
}

void TestWindow::twoDragsAreTwoSteps()
{
    drag(row("workload.training_tokens").slider(), {5, 10});
    drag(row("workload.training_tokens").slider(), {5, 10});
    QCOMPARE(document().history().count(), 2);
}

void TestWindow::thereAndBackIsNoStep()
{
    const double before = document().scenario().workload.trainingTokens;
    drag(row("workload.training_tokens").slider(), {10, 30, 10, 0});
    QCOMPARE(document().scenario().workload.trainingTokens, before);
    QCOMPARE(document().history().count(), 0);
    QVERIFY(!document().isModified());
}

void TestWindow::keysMoveTheSlider()
{
    views::ValueSlider* slider = row("cluster.chip.hbm_bytes").slider();
    slider->setFocus();
    const double before = document().scenario().cluster.chip.hbmBytes;
    QTest::keyClick(slider, Qt::Key_Right);
    settle();
    QVERIFY(document().scenario().cluster.chip.hbmBytes > before);
    QTest::keyClick(slider, Qt::Key_End);
    settle();
    QCOMPARE(document().scenario().cluster.chip.hbmBytes, 1.1e12);
    QTest::keyClick(slider, Qt::Key_Home);
    settle();
    QCOMPARE(document().scenario().cluster.chip.hbmBytes, 8e9);
    QCOMPARE(document().history().count(), 3);
}

void TestWindow::typedUnitsAreRead()
{
    QLineEdit* field = row("cluster.chip.hbm_bandwidth").field();
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, u"4.8TB/s"_s);
    QTest::keyClick(field, Qt::Key_Return);
    settle();
    QCOMPARE(document().scenario().cluster.chip.hbmBandwidth, 4.8e12);
    QCOMPARE(document().history().count(), 1);
    // Looked at but not changed: no step.
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(document().history().count(), 1);
}

void TestWindow::undoAndRedoRestore()
{
    const scenario::Scenario before = document().scenario();
    QVERIFY(!document().requestEdit("parallelism.pipeline", 8.0));
    QVERIFY(!document().requestEdit("precision.compute", std::string("fp8")));
    const scenario::Scenario after = document().scenario();
    document().history().undo();
    document().history().undo();
    QVERIFY(document().scenario() == before);
    document().history().redo();
    document().history().redo();
    QVERIFY(document().scenario() == after);
    // A refused edit changes nothing and is no step.
    QVERIFY(document().requestEdit("parallelism.pipeline", -3.0).has_value());
    QCOMPARE(document().history().count(), 2);
}

void TestWindow::aGestureThatMakesAListIsOneStep()
{
    document().requestEdits({{"reliability.checkpoints", scenario::Value(std::string("[]"))}}, {});
    const scenario::Scenario before = document().scenario();
    const int steps = document().history().count();
    constexpr app::GestureToken kGesture = 77;
    document().requestEdits(
        {{"reliability.checkpoints", scenario::Value(std::string(R"([{"interval_s": 60}])"))}},
        u"one"_s, kGesture);
    for (const double seconds : {70.0, 80.0, 90.0})
        document().requestEdits({{"reliability.checkpoints.0.interval_s", seconds}}, u"more"_s,
                                kGesture);
    QCOMPARE(document().scenario().reliability.checkpoints.front().interval, 90.0);
    QCOMPARE(document().history().count(), steps + 1);
    document().history().undo();
    QVERIFY(document().scenario() == before);
}

void TestWindow::undoFromTheFieldItWasTypedIn()
{
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    QLineEdit* field = m_window->inputs().row("model.vocabulary")->field();
    const std::int64_t before = document().scenario().model.vocabulary;
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, u"65536"_s);
    // Not entered yet: the keys take back what is typed, as in any field.
    QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(field->text() != u"65536"_s);
    field->selectAll();
    QTest::keyClicks(field, u"65536"_s);
    QTest::keyClick(field, Qt::Key_Return);
    settle();
    QCOMPARE(document().scenario().model.vocabulary, 65536);
    QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
    settle();
    QCOMPARE(document().scenario().model.vocabulary, before);
    QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    settle();
    QCOMPARE(document().scenario().model.vocabulary, 65536);
    document().history().undo();
    QTest::keyClick(field, Qt::Key_Y, Qt::ControlModifier);
    settle();
    QCOMPARE(document().scenario().model.vocabulary, 65536);
}

void TestWindow::undoNamesWhatChanged()
{
    document().requestEdit("parallelism.pipeline", 8.0);
    QCOMPARE(document().history().undoText(), u"PP 4 → 8"_s);
}

void TestWindow::lockKeepsAValue()
{
    document().requestEdit("cluster.chip.power_limit", 555.0);
    QTest::mouseClick(row("cluster.chip.power_limit").lockButton(), Qt::LeftButton);
    settle();
    QVERIFY(document().isLocked("cluster.chip.power_limit"));
    QVERIFY(!document().requestPreset("cluster.chip", "b200-sxm"));
    QCOMPARE(document().scenario().cluster.chip.powerLimit, 555.0);
    QVERIFY(document().scenario().cluster.chip.hbmBytes > 1.5e11);
    // A locked row takes no edits.
    QVERIFY(row("cluster.chip.power_limit").field()->isReadOnly());
    QVERIFY(!row("cluster.chip.power_limit").slider()->isEnabled());
}

void TestWindow::keptDataParallelismMovesTheChips()
{
    // 1,024 chips / (8 x 4) are 32 replicas; twice the stages need twice the chips.
    document().setKeepFixed(app::KeepFixed::DataParallel, 32);
    document().requestEdit("parallelism.pipeline", 8.0);
    QCOMPARE(document().scenario().cluster.chips, std::int64_t(2048));
    document().history().undo();
    QCOMPARE(document().scenario().cluster.chips, std::int64_t(1024));
}

void TestWindow::languageChangesWhatIsSeen()
{
    const QString menu = m_window->menuBar()->actions().front()->text();
    const QString label = m_window->strip().cells().at(2)->headline().label;
    m_appearance->setLanguage(views::Language::Chinese);
    settle();
    QVERIFY(m_window->menuBar()->actions().front()->text() != menu);
    QCOMPARE(m_window->strip().cells().at(2)->headline().label, u"步时间"_s);
    QCOMPARE(m_window->docks().front()->windowTitle(), u"输入"_s);
    m_appearance->setLanguage(views::Language::English);
    settle();
    QCOMPARE(m_window->strip().cells().at(2)->headline().label, label);
}

void TestWindow::savesAndOpens()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(u"plan.clusterwright"_s);
    document().requestEdit("parallelism.pipeline", 8.0);
    QVERIFY(document().isModified());
    QCOMPARE(document().saveAs(file), QString());
    QVERIFY(!document().isModified());
    const scenario::Scenario saved = document().scenario();
    document().requestEdit("parallelism.pipeline", 2.0);
    document().history().setClean();
    QVERIFY(m_window->files().open(file));
    QVERIFY(document().scenario() == saved);
    QCOMPARE(document().fileName(), file);
    QVERIFY(m_window->files().recent().files().contains(file));
    // Where it cannot be written, it says so and the plan is still there.
    QVERIFY(!document().saveAs(folder.filePath(u"none/plan.clusterwright"_s)).isEmpty());
    QCOMPARE(document().fileName(), file);
}

void TestWindow::brokenFileKeepsThePlan()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(u"broken.clusterwright"_s);
    QFile broken(file);
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write(R"({"format": "clusterwright-plan", "version": 1,
        "parallelism": {"tensor": -4, "pipeline": "many"}, "precision": {"compute": "fp9"}})");
    broken.close();
    const scenario::Scenario before = document().scenario();
    QVERIFY(!m_window->files().open(file));
    settle();
    QVERIFY(document().scenario() == before);
    QVERIFY(document().fileName().isEmpty());
    const auto* list = m_window->findChild<QPlainTextEdit*>(u"faults"_s);
    QVERIFY(list);
    const QStringList lines = list->toPlainText().split(u'\n');
    QCOMPARE(lines.size(), 3);
    QVERIFY(list->toPlainText().contains(u"/parallelism/tensor"_s));
    QVERIFY(list->toPlainText().contains(u"/parallelism/pipeline"_s));
    QVERIFY(list->toPlainText().contains(u"/precision/compute"_s));
}

void TestWindow::headlinesShowTheChange()
{
    const views::HeadlineCell* step = m_window->strip().cells().at(2);
    QVERIFY(step->headline().delta.isEmpty());
    const QString before = step->headline().value;
    document().requestEdit("workload.global_batch_sequences", 2048.0);
    settle();
    QVERIFY(step->headline().value != before);
    QCOMPARE(step->headline().direction, 1);
    QCOMPARE(step->headline().change, views::Change::Worse);
    QVERIFY(step->headline().delta.startsWith(u'+'));
    document().pinBaseline();
    settle();
    QVERIFY(step->headline().delta.isEmpty());
}

void TestWindow::headlineOpensItsPage()
{
    views::HeadlineCell* memory = m_window->strip().cells().at(1);
    QTest::mouseClick(memory, Qt::LeftButton);
    settle();
    QVERIFY(m_window->pages().at(1)->isVisible());
    QVERIFY(memory->isChecked());
}

void TestWindow::hbmLineIsOneStep()
{
    QVERIFY(m_window->showPage(u"memory"_s));
    settle();
    views::StackedBars* bars = static_cast<views::MemoryPage*>(m_window->pages().at(1))->bars();
    const double before = m_window->pump().newest()->memory.usable.si();
    const QPoint from = bars->handleRect().center().toPoint();
    QTest::mousePress(bars, Qt::LeftButton, {}, from);
    for (int i = 1; i <= 8; ++i) {
        QTest::mouseMove(bars, from + QPoint(0, 5 * i));
        settle();
    }
    QTest::mouseRelease(bars, Qt::LeftButton, {}, from + QPoint(0, 40));
    settle();
    QVERIFY(m_window->pump().newest()->memory.usable.si() < before);
    QCOMPARE(document().history().count(), 1);
    document().history().undo();
    settle();
    QCOMPARE(m_window->pump().newest()->memory.usable.si(), before);
}

void TestWindow::totalParametersScaleTheShape()
{
    const double before = m_window->pump().newest()->parameters.total;
    views::ParamRow& total = row("model.scale_to.total");
    // Null: the slider stands at what the shape has.
    QVERIFY(std::holds_alternative<std::monostate>(total.state().value));
    QVERIFY(std::abs(total.slider()->current() / before - 1) < 0.01);
    QVERIFY(row("model.scale_to.active").slider()->current() > 1e9);
    views::ValueSlider* slider = total.slider();
    const QPoint from = slider->handleCentre();
    QTest::mousePress(slider, Qt::LeftButton, {}, from);
    for (int i = 1; i <= 6; ++i) {
        QTest::mouseMove(slider, from + QPoint(4 * i, 0));
        settle();
        const double wanted = document().scenario().model.scaleTo.total.value_or(0);
        QVERIFY(wanted > before);
        const double got = m_window->pump().newest()->parameters.total;
        QVERIFY2(std::abs(got / wanted - 1) < 0.01, qPrintable(QString::number(got / wanted)));
    }
    QTest::mouseRelease(slider, Qt::LeftButton, {}, from + QPoint(24, 0));
    settle();
    QCOMPARE(document().history().count(), 1);
    // The rows of the shape show what it is scaled to, and tell what the plan has.
    const auto typed = document().scenario().model.hidden;
    const auto scaled = evaluation::derived(document().scenario()).model.hidden;
    QVERIFY(scaled != typed);
    QLineEdit* hidden = row("model.hidden").field();
    QCOMPARE(views::numberLocale().toLongLong(hidden->text()), scaled);
    QVERIFY(hidden->toolTip().contains(views::numberLocale().toString(qlonglong(typed))));
    document().history().undo();
    settle();
    QCOMPARE(m_window->pump().newest()->parameters.total, before);
    QCOMPARE(views::numberLocale().toLongLong(hidden->text()), typed);
    QVERIFY(hidden->toolTip().isEmpty());
}

void TestWindow::inputsWithoutMeaningAreLeftOut()
{
    // Llama is dense: no experts; its attention has key-value heads.
    QVERIFY(row("model.groups.0.attention.key_value_heads").isVisible());
    const auto shown = [this](const QString& path) {
        const auto rows = m_window->inputs().findChildren<views::ParamRow*>();
        return std::any_of(rows.begin(), rows.end(), [&path](const views::ParamRow* r) {
            return QString::fromStdString(r->parameter().path) == path && !r->isHidden();
        });
    };
    QVERIFY(!shown(u"model.groups.0.ffn.experts"_s));
    QVERIFY(!document().requestEdit("model.groups.0.ffn.kind", std::string("moe")));
    settle();
    QVERIFY(shown(u"model.groups.0.ffn.experts"_s));
    document().history().undo();
    settle();
    QVERIFY(!shown(u"model.groups.0.ffn.experts"_s));
}

void TestWindow::problemNamesTheNearestValues()
{
    m_window->idle().flush();
    QCOMPARE(m_window->strip().problem(), QString());
    QVERIFY(!document().requestEdit("parallelism.tensor", 6.0));
    const auto told = [this] {
        m_window->idle().flush();
        return m_window->strip().problem();
    };
    QTRY_VERIFY_WITH_TIMEOUT(told().contains(u"TP 4"_s) || told().contains(u"TP 8"_s), 60000);
    document().history().undo();
    QTRY_COMPARE_WITH_TIMEOUT(told(), QString(), 60000);
}

void TestWindow::remedyIsOneStep()
{
    QVERIFY(m_window->showPage(u"memory"_s));
    settle();
    m_window->idle().flush();
    settle();
    auto* list = static_cast<views::MemoryPage*>(m_window->pages().at(1))->remedies();
    QTRY_VERIFY_WITH_TIMEOUT(!list->remedies().empty(), 60000);
    const double before = m_window->pump().newest()->memory.reserved.si();
    const auto buttons = list->findChildren<QPushButton*>();
    const auto apply = std::find_if(buttons.begin(), buttons.end(),
                                    [](const QPushButton* b) { return b->isVisible(); });
    QVERIFY(apply != buttons.end());
    QTest::mouseClick(*apply, Qt::LeftButton);
    settle();
    QCOMPARE(document().history().count(), 1);
    QVERIFY(m_window->pump().newest()->memory.reserved.si() < before);
}

void TestWindow::barsShowTheChosenMemory()
{
    QVERIFY(m_window->showPage(u"memory"_s));
    settle();
    auto* page = static_cast<views::MemoryPage*>(m_window->pages().at(1));
    const auto heights = [page] {
        double sum = 0;
        for (const auto& segment : page->bars()->figures().bars.front().segments)
            sum += segment.value;
        return sum * 1024 * 1024 * 1024;
    };
    const auto& stage = m_window->pump().newest()->memory.stages.front();
    const std::pair<QString, double> levels[] = {{u"Resident"_s, stage.resident.si()},
                                                 {u"Peak"_s, stage.peak.si()},
                                                 {u"Reserved"_s, stage.reserved.si()}};
    const auto buttons = page->findChildren<QPushButton*>();
    for (const auto& [name, bytes] : levels) {
        const auto button =
            std::find_if(buttons.begin(), buttons.end(),
                         [text = name](const QPushButton* b) { return b->text() == text; });
        QVERIFY(button != buttons.end());
        QTest::mouseClick(*button, Qt::LeftButton);
        QVERIFY2(std::abs(heights() / bytes - 1) < 1e-6, qPrintable(name));
    }
}

void TestWindow::hoverLightsTheGroup()
{
    QVERIFY(m_window->showPage(u"network"_s));
    settle();
    auto* picture = m_window->pages().at(3)->findChild<views::TopologyPicture*>();
    const auto said = [this](const QString& text) {
        const auto cards = m_window->pages().at(3)->findChildren<views::Card*>();
        return std::any_of(cards.begin(), cards.end(),
                           [&text](const views::Card* c) { return c->subtitle().contains(text); });
    };
    QVERIFY(said(u"chip 0:"_s));
    const auto& marks = picture->currentMarks();
    const auto tile = std::find_if(marks.begin(), marks.end(), [](const views::Mark& m) {
        return views::TopologyPicture::levelOf(m.tag) == views::TopologyLevel::Node &&
               views::TopologyPicture::indexOf(m.tag) == 5;
    });
    QVERIFY(tile != marks.end());
    QTest::mouseMove(picture, tile->rect.center().toPoint());
    settle();
    QVERIFY(said(u"chip 5:"_s));
    QTest::mouseMove(picture, QPoint(2, picture->height() / 2));
    settle();
    QVERIFY(said(u"chip 0:"_s));
}

void TestWindow::recoversUnsavedWork()
{
    document().requestEdit("parallelism.pipeline", 2.0);
    QVERIFY(m_window->files().autosave().saveNow());
    // The window is still there: nothing to recover.
    QVERIFY(app::Autosave::leftovers().isEmpty());
    const scenario::Scenario unsaved = document().scenario();
    m_window.reset(); // as after a crash: the copy was not given up
    QCOMPARE(app::Autosave::leftovers().size(), 1);
    m_window = std::make_unique<app::MainWindow>(*m_appearance);
    m_window->show();
    m_window->files().recover(0);
    settle();
    QVERIFY(document().scenario() == unsaved);
    QVERIFY(document().isModified());
    QVERIFY(app::Autosave::leftovers().isEmpty());
    m_window->files().autosave().forget();
}

void TestWindow::pagesAreReachedByKey()
{
    for (int i = 0; i < static_cast<int>(m_window->pages().size()); ++i) {
        if (m_window->pages().at(static_cast<std::size_t>(i))->key() == u"validation"_s)
            QTest::keyClick(m_window.get(), Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
        else
            QTest::keyClick(m_window.get(), static_cast<Qt::Key>(Qt::Key_1 + i),
                            Qt::ControlModifier);
        settle();
        QVERIFY(m_window->pages().at(static_cast<std::size_t>(i))->isVisible());
    }
}

QTEST_MAIN(TestWindow)
#include "tst_window.moc"
