// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTableView>
#include <QTest>
#include <memory>

#include "app/dialogs/newplandialog.h"
#include "app/mainwindow.h"
#include "model/calibrate/published.h"
#include "views/common/chartframe.h"
#include "views/common/numberformat.h"
#include "views/pages/factlist.h"
#include "views/pages/validationfilter.h"
#include "views/pages/validationpage.h"
#include "views/painted/matrixtable.h"
#include "views/painted/scatterplot.h"
#include "views/painted/stackedbars.h"
#include "views/text/words.h"

// Collectives, verdicts and the order in sweeps, as the page shows them, beside what the terminal
// says of the same rows.

using namespace cw;
using namespace Qt::StringLiterals;
using calibrate::Trait;
using views::say;
using views::ValidationMode;

class TestValidationModes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(u"clusterwright-test"_s);
        QCoreApplication::setApplicationName(u"validationmodes"_s);
        QSettings().clear();
        m_appearance = std::make_unique<app::Appearance>(*qApp);
        m_appearance->start(u"en"_s, u"light"_s);
        m_window = std::make_unique<app::MainWindow>(*m_appearance);
        m_window->resize(1440, 900);
        m_window->show();
        m_window->document().take(app::NewPlanDialog::planOf("llama3.1-70b", "dgx-h100", 1024), {});
        settle();
        for (views::Page* page : m_window->pages())
            if (auto* found = qobject_cast<views::ValidationPage*>(page))
                m_page = found;
        QVERIFY(m_page != nullptr);
        QTest::keyClick(m_window.get(), Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
        settle();
        m_window->validation().flush();
        settle();
        scenario::Faults faults;
        m_said = calibrate::validate(calibrate::publishedRows(), faults);
    }
    void cleanupTestCase()
    {
        m_window->document().history().setClean();
        m_window.reset();
    }

    void rowsInDoubtAreToldWithAndWithout();
    void collectives();
    void collectivesByKeyboardAndTable();
    void verdict();
    void orderOfASweep();
    void memoryKeepsThePlan();
    void rowsThatCannotBeToldAreCounted();
    void languageChangesAll();

private:
    views::ValidationFilter& filter() { return *m_page->filter(); }
    void show(ValidationMode mode)
    {
        QTest::mouseClick(filter().quantityButton(static_cast<int>(mode)), Qt::LeftButton);
        settle();
        QCOMPARE(filter().mode(), mode);
    }
    QString cell(int row, int column)
    {
        return m_page->statistics()->model()->index(row, column).data().toString();
    }
    static void settle()
    {
        for (int i = 0; i < 4; ++i)
            QCoreApplication::processEvents();
    }
    static QString count(std::size_t n)
    {
        return views::numberLocale().toString(static_cast<qulonglong>(n));
    }

    std::unique_ptr<app::Appearance> m_appearance;
    std::unique_ptr<app::MainWindow> m_window;
    views::ValidationPage* m_page = nullptr;
    calibrate::Validation m_said;
};

void TestValidationModes::rowsInDoubtAreToldWithAndWithout()
{
    show(ValidationMode::Step);
    std::size_t all = 0;
    std::size_t undoubted = 0;
    for (const auto& s : m_said.summary) {
        if (s.quantity == "step_time_s" && s.group == "all")
            all = s.count;
        if (s.quantity == "step_time_s" && s.group == "undoubted")
            undoubted = s.count;
    }
    QVERIFY(undoubted < all);
    QCOMPARE(cell(0, 1), count(undoubted));
    QCOMPARE(cell(1, 0), say("window.validation.withDoubt"));
    QCOMPARE(cell(1, 1), count(all));
    QVERIFY(m_page->scatterFrame()->subtitle().contains(count(all - undoubted)));
}

void TestValidationModes::collectives()
{
    show(ValidationMode::Collectives);
    QCOMPARE(m_page->scatter()->figures().points.size(), m_said.collectives.size());
    QVERIFY(!m_page->scatter()->plan().has_value()); // a plan is no collective
    QCOMPARE(cell(0, 1), count(m_said.collectives.size()));
    // Bias by system and size is the terminal's.
    const auto& matrix = m_page->matrix()->figures();
    QVERIFY(m_page->matrix()->isVisible());
    int compared = 0;
    for (const auto& s : m_said.collectiveSummary)
        if (s.group == "size:64MiB-") {
            QCOMPARE(matrix.rows[0].cells[2].text,
                     views::formatSigned(s.bias, views::Unit::Percent, views::numberLocale()));
            ++compared;
        }
    QCOMPARE(compared, 1);
    filter().choose(Trait::Kind, "all_to_all");
    settle();
    QVERIFY(m_page->scatter()->figures().points.size() < m_said.collectives.size());
    QCOMPARE(cell(0, 1), count(m_page->scatter()->figures().points.size()));
    filter().clear();
}

void TestValidationModes::collectivesByKeyboardAndTable()
{
    show(ValidationMode::Collectives);
    m_page->scatter()->setFocus(Qt::TabFocusReason);
    QTest::keyClick(m_page->scatter(), Qt::Key_Home);
    settle();
    const QStringList row = m_page->scatter()->figures().row(m_page->scatter()->pointOf(0));
    QVERIFY2(m_page->rowText()->text().contains(row[0]), qPrintable(m_page->rowText()->text()));
    QCOMPARE(row.size(), m_page->scatter()->figures().header.size());
    m_page->scatterFrame()->setTableShown(true);
    QCOMPARE(m_page->scatterFrame()->findChild<QTableView*>()->model()->rowCount(),
             static_cast<int>(m_said.collectives.size()));
    m_page->scatterFrame()->setTableShown(false);
}

void TestValidationModes::verdict()
{
    show(ValidationMode::Verdict);
    const auto& said = m_said.fits.front();
    QVERIFY(m_page->verdict()->isVisible());
    QVERIFY(!m_page->scatter()->isVisible());
    double layouts = 0;
    for (const auto& bar : m_page->verdict()->figures().bars)
        for (const auto& part : bar.segments)
            layouts += part.value;
    QCOMPARE(static_cast<std::size_t>(layouts), said.count);
    const auto& rows = m_page->matrix()->figures().rows;
    QCOMPARE(rows[0].cells[0].text, count(said.bothFit));
    QCOMPARE(rows[0].cells[1].text, count(said.toldNotTo));
    QCOMPARE(rows[1].cells[0].text, count(said.toldToFit));
    QCOMPARE(rows[1].cells[1].text, count(said.neitherFit));
    QCOMPARE(cell(0, 1), count(said.count));
    QCOMPARE(cell(0, 3), count(said.toldToFit));
    m_page->verdictFrame()->setTableShown(true);
    QCOMPARE(m_page->verdictFrame()->findChild<QTableView*>()->model()->rowCount(),
             static_cast<int>(m_page->verdict()->figures().bars.size()));
    m_page->verdictFrame()->setTableShown(false);
}

void TestValidationModes::orderOfASweep()
{
    show(ValidationMode::Order);
    auto* table = m_page->statistics();
    QCOMPARE(table->model()->rowCount(), static_cast<int>(m_said.sweeps.size()));
    // One is always chosen; another by its line.
    QCOMPARE(m_page->scatter()->figures().points.size(), m_said.sweeps.front().count);
    table->setCurrentIndex(table->model()->index(2, 0));
    table->setFocus();
    QTest::keyClick(table, Qt::Key_Return);
    settle();
    QCOMPARE(m_page->scatter()->figures().points.size(), m_said.sweeps[2].count);
    QCOMPARE(filter().combo(Trait::Sweep)->currentText(),
             QString::fromStdString(m_said.sweeps[2].name));
    QVERIFY(!filter().combo(Trait::Chip)->isVisible());
    QCOMPARE(m_page->alike()->rows().size(), std::size_t{4});
    QCOMPARE(m_page->alike()->rows()[0].value, count(m_said.sweeps[2].count));
    // What was chosen here filters nothing elsewhere.
    show(ValidationMode::Step);
    QVERIFY(filter().selection().traits.empty());
}

void TestValidationModes::memoryKeepsThePlan()
{
    show(ValidationMode::Order);
    show(ValidationMode::Memory);
    QVERIFY(m_page->scatter()->plan().has_value());
    QVERIFY(m_page->scatter()->isVisible());
    QVERIFY(!m_page->matrix()->isVisible());
    QCOMPARE(cell(1, 0), say("window.validation.withDoubt"));
}

void TestValidationModes::rowsThatCannotBeToldAreCounted()
{
    QVERIFY(m_page->skippedText()->isVisible());
    QVERIFY(m_page->skippedText()->text().contains(count(m_said.skipped.size())));
    QVERIFY(m_page->skippedText()->toolTip().count(u'\n') > 3);
    QVERIFY(!m_page->skippedText()->toolTip().contains("validate."_L1));
}

void TestValidationModes::languageChangesAll()
{
    for (const auto mode : {ValidationMode::Collectives, ValidationMode::Verdict,
                            ValidationMode::Order, ValidationMode::Step}) {
        m_appearance->setLanguage(views::Language::English);
        show(mode);
        const QString before =
            cell(0, 0) + m_page->statistics()->model()->headerData(0, Qt::Horizontal).toString();
        m_appearance->setLanguage(views::Language::Chinese);
        settle();
        const QString after =
            cell(0, 0) + m_page->statistics()->model()->headerData(0, Qt::Horizontal).toString();
        QVERIFY2(before != after, qPrintable(after));
    }
    m_appearance->setLanguage(views::Language::English);
}

QTEST_MAIN(TestValidationModes)
#include "tst_validationmodes.moc"
