// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <memory>

#include "app/dialogs/newplandialog.h"
#include "app/mainwindow.h"
#include "views/common/chartframe.h"
#include "views/pages/factlist.h"
#include "views/pages/validationfilter.h"
#include "views/pages/validationpage.h"
#include "views/painted/scatterplot.h"
#include "views/text/words.h"

// The page in its window, driven by mouse and keyboard, on the rows that the program holds.

using namespace cw;
using namespace Qt::StringLiterals;
using calibrate::Trait;
using views::say;

class TestValidationPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(u"clusterwright-test"_s);
        QCoreApplication::setApplicationName(u"validation"_s);
        QSettings().clear();
        m_appearance = std::make_unique<app::Appearance>(*qApp);
        m_appearance->start(u"en"_s, u"light"_s);
        m_window = std::make_unique<app::MainWindow>(*m_appearance);
        m_window->resize(1440, 900);
        m_window->show();
        auto plan = app::NewPlanDialog::planOf("llama3.1-70b", "dgx-h100", 1024);
        plan.scenario.parallelism.tensor = 8;
        plan.scenario.parallelism.pipeline = 4;
        document().take(plan, {});
        settle();
        for (views::Page* page : m_window->pages())
            if (auto* found = qobject_cast<views::ValidationPage*>(page))
                m_page = found;
        QVERIFY(m_page != nullptr);
        // Not before it is seen.
        QVERIFY(m_page->scatter()->isEmpty());
        QTest::keyClick(m_window.get(), Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
        settle();
        QVERIFY(m_page->isVisible());
        m_window->validation().flush();
        settle();
        QVERIFY(!m_page->scatter()->isEmpty());
    }
    void init()
    {
        m_appearance->setLanguage(views::Language::English);
        filter().clear();
        QTest::mouseClick(filter().quantityButton(0), Qt::LeftButton);
        settle();
    }
    void cleanupTestCase()
    {
        document().history().setClean();
        m_window.reset();
    }

    void filtersChangeTheCounts();
    void keptBackOnlyLeavesTheOthersOut();
    void pointingShowsTheRow();
    void keysWalkTheRows();
    void theTableIsTheChart();
    void picturesAreWhole();
    void thePlanMovesWithItsInputs();
    void memoryIsAnotherQuantity();
    void aGroupBecomesTheFilter();
    void languageChangesAll();

private:
    app::Document& document() { return m_window->document(); }
    views::ValidationFilter& filter() { return *m_page->filter(); }
    views::ScatterPlot& scatter() { return *m_page->scatter(); }
    std::size_t points() { return scatter().figures().points.size(); }
    QString cell(int row, int column)
    {
        return m_page->statistics()->model()->index(row, column).data().toString();
    }
    void settle()
    {
        for (int i = 0; i < 4; ++i)
            QCoreApplication::processEvents();
    }
    /// As a hand does it: the list is opened, the entry walked to and taken.
    void pick(Trait trait, int index)
    {
        QComboBox* combo = filter().combo(trait);
        combo->setFocus();
        QTest::keyClick(combo, Qt::Key_Home);
        for (int i = 0; i < index; ++i)
            QTest::keyClick(filter().combo(trait), Qt::Key_Down);
        settle();
    }

    std::unique_ptr<app::Appearance> m_appearance;
    std::unique_ptr<app::MainWindow> m_window;
    views::ValidationPage* m_page = nullptr;
};

void TestValidationPage::filtersChangeTheCounts()
{
    const std::size_t all = points();
    QVERIFY(all > 1000);
    pick(Trait::Kind, 1);
    const std::size_t dense = points();
    pick(Trait::Kind, 2);
    const std::size_t moe = points();
    QCOMPARE(dense + moe, all);
    QVERIFY(dense > 0 && moe > 0);
    pick(Trait::Chip, 1);
    QVERIFY(points() <= moe);
    QTest::mouseClick(filter().clearButton(), Qt::LeftButton);
    settle();
    QCOMPARE(points(), all);
    QCOMPARE(filter().combo(Trait::Kind)->currentIndex(), 0);
}

void TestValidationPage::keptBackOnlyLeavesTheOthersOut()
{
    const std::size_t all = points();
    QTest::keyClick(filter().keptBackOnly(), Qt::Key_Space);
    settle();
    QVERIFY(points() > all / 10 && points() < all / 3);
    QTest::keyClick(filter().keptBackOnly(), Qt::Key_Space);
    settle();
    QCOMPARE(points(), all);
}

void TestValidationPage::pointingShowsTheRow()
{
    filter().choose(Trait::Source, "simumax_b200");
    settle();
    QVERIFY(points() > 10);
    const auto& first = scatter().figures().points.front();
    const QPoint at = scatter().pixelOf(first.x, first.y).toPoint();
    QTest::mouseMove(&scatter(), at);
    settle();
    const int mark = scatter().markAt(at);
    QVERIFY(mark >= 0);
    const int point = scatter().pointOf(mark);
    QVERIFY(point >= 0);
    const QString tip = scatter().figures().tip(point);
    const QStringList row = scatter().figures().row(point);
    QVERIFY2(tip.contains(row[0]), qPrintable(tip)); // the id
    QVERIFY2(tip.contains(row[2]), qPrintable(tip)); // the chip
    QVERIFY2(tip.contains(row[7]), qPrintable(tip)); // the layout
    QVERIFY(m_page->rowText()->text().contains(row[0]));
    QTest::mouseMove(&scatter(), QPoint(1, 1));
    settle();
    QCOMPARE(m_page->rowText()->text(), say("window.validation.hint"));
}

void TestValidationPage::keysWalkTheRows()
{
    scatter().setFocus(Qt::TabFocusReason);
    QTest::keyClick(&scatter(), Qt::Key_Home);
    settle();
    QCOMPARE(scatter().focusedMark(), 0);
    const QString first = m_page->rowText()->text();
    QVERIFY(first != say("window.validation.hint"));
    QTest::keyClick(&scatter(), Qt::Key_Right);
    settle();
    QVERIFY(m_page->rowText()->text() != first);
    QVERIFY(!scatter().accessibleDescription().isEmpty());
}

void TestValidationPage::theTableIsTheChart()
{
    filter().choose(Trait::Kind, "moe");
    settle();
    views::ChartFrame* frame = m_page->scatterFrame();
    frame->setTableShown(true);
    auto* table = frame->findChild<QTableView*>();
    QVERIFY(table != nullptr);
    QCOMPARE(table->model()->rowCount(), static_cast<int>(points()));
    for (const int i : {0, table->model()->rowCount() - 1}) {
        const auto& point = scatter().figures().points[static_cast<std::size_t>(i)];
        QCOMPARE(table->model()->index(i, 8).data().toString().toDouble(), point.x);
        QVERIFY(qFuzzyCompare(table->model()->index(i, 9).data().toString().toDouble(), point.y) ||
                std::abs(table->model()->index(i, 9).data().toString().toDouble() / point.y - 1) <
                    1e-9);
    }
    // Still the chart's when the filter changes below it.
    filter().choose(Trait::Kind, "dense");
    QCOMPARE(table->model()->rowCount(), static_cast<int>(points()));
    frame->copyData();
    QCOMPARE(QApplication::clipboard()->text().count(u'\n'), static_cast<int>(points()) + 1);
    frame->setTableShown(false);
}

void TestValidationPage::picturesAreWhole()
{
    QTemporaryDir folder;
    const QString svg = folder.filePath(u"rows.svg"_s);
    const QString png = folder.filePath(u"rows.png"_s);
    QVERIFY(m_page->scatterFrame()->savePicture(svg));
    QVERIFY(m_page->scatterFrame()->savePicture(png));
    QSvgRenderer renderer(svg);
    QVERIFY(renderer.isValid());
    QFile file(svg);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    // A mark for each row, as shapes; the words as text.
    const qsizetype shapes = text.count("<path") + text.count("<circle") + text.count("<ellipse") +
                             text.count("<polyline");
    QVERIFY2(shapes >= static_cast<qsizetype>(points()), qPrintable(QString::number(shapes)));
    QVERIFY(text.contains("this plan"));
    QVERIFY(!QImage(png).isNull());
}

void TestValidationPage::thePlanMovesWithItsInputs()
{
    QVERIFY(scatter().plan().has_value());
    const double before = scatter().plan()->y;
    QCOMPARE(before, m_window->pump().newest()->step.time.si());
    document().requestEdit(
        "workload.global_batch_sequences",
        static_cast<double>(document().scenario().workload.globalBatchSequences) * 2);
    m_window->pump().flush();
    settle();
    QVERIFY(scatter().plan()->y > before);
    QCOMPARE(scatter().plan()->y, m_window->pump().newest()->step.time.si());
    QVERIFY(scatter().plan()->low < scatter().plan()->y * 1.2);
    QVERIFY(scatter().plan()->low <= scatter().plan()->high);
    // A click on the plan's mark explains its number.
    const QPoint at = scatter().pixelOf(scatter().plan()->y, scatter().plan()->y).toPoint();
    QSignalSpy clicked(&scatter(), &views::PaintedChart::quantityClicked);
    QTest::mouseClick(&scatter(), Qt::LeftButton, {}, at);
    QCOMPARE(clicked.count(), 1);
    QCOMPARE(clicked.at(0).at(0).toString(), u"step.time_s"_s);
    QVERIFY(m_page->alike()->rows().size() > 3);
}

void TestValidationPage::memoryIsAnotherQuantity()
{
    const std::size_t steps = points();
    QTest::mouseClick(filter().quantityButton(1), Qt::LeftButton);
    settle();
    QVERIFY(points() > 100 && points() < steps);
    QCOMPARE(scatter().plan()->y * 1024 * 1024 * 1024,
             m_window->pump().newest()->memory.reserved.si());
}

void TestValidationPage::aGroupBecomesTheFilter()
{
    const QString all = cell(0, 1);
    auto* table = m_page->statistics();
    QVERIFY(table->model()->rowCount() > 5); // by chip
    // Below all that is shown, without and with the rows in doubt.
    table->setCurrentIndex(table->model()->index(2, 0));
    table->setFocus();
    const QString count = cell(2, 1);
    QTest::keyClick(table, Qt::Key_Return);
    settle();
    QCOMPARE(filter().selection().traits.size(), std::size_t{1});
    QCOMPARE(cell(0, 1), count);
    QVERIFY(count != all);
    table->setFocus();
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    QVERIFY(QApplication::clipboard()->text().contains(count));
}

void TestValidationPage::languageChangesAll()
{
    const QString english = m_page->rowText()->text();
    const std::size_t before = points();
    m_appearance->setLanguage(views::Language::Chinese);
    settle();
    QVERIFY(m_page->rowText()->text() != english);
    QVERIFY(m_page->scatterFrame()->title().contains(u"预测"_s));
    QVERIFY(scatter().figures().xTitle.contains(u"实测"_s));
    QVERIFY(scatter().plan()->title.contains(u"方案"_s));
    QVERIFY(cell(0, 0).contains(u"全部"_s));
    QVERIFY(filter().combo(Trait::Chip)->currentText().contains(u"芯片"_s));
    QCOMPARE(points(), before);
}

QTEST_MAIN(TestValidationPage)
#include "tst_validationpage.moc"
