// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/painted/charttestmain.h"

#include <QSignalSpy>
#include <algorithm>
#include <memory>

#include "model/evaluation/quantities.h"
#include "tests/model/scenario/testplans.h"
#include "views/pages/bindinglist.h"
#include "views/pages/bindings.h"
#include "views/pages/overviewpage.h"
#include "views/text/words.h"

using namespace cw;
using namespace cw::views;
using namespace Qt::StringLiterals;

namespace {

PageData dataOf(scenario::Scenario plan)
{
    PageData d;
    d.evaluation = std::make_shared<evaluation::Evaluation>(evaluation::evaluate(plan));
    d.scenario = std::make_shared<scenario::Scenario>(std::move(plan));
    return d;
}

std::vector<evaluation::Limit> limitsOf(const PageData& d)
{
    auto limits = evaluation::limitsOf(*d.scenario, *d.evaluation);
    evaluation::findRelaxations(limits, *d.scenario, *d.evaluation);
    return limits;
}

std::size_t changesIn(const std::vector<BindingRow>& rows)
{
    return static_cast<std::size_t>(std::count_if(
        rows.begin(), rows.end(), [](const BindingRow& r) { return !r.edits.empty(); }));
}

} // namespace

class OverviewPageTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyLimitIsNamedAndExplained()
    {
        for (const auto& [name, plan] : testplans::all()) {
            const PageData d = dataOf(plan);
            for (const Language language : {Language::English, Language::Chinese}) {
                setLanguage(language);
                for (const BindingRow& row : bindingRows(d, limitsOf(d), 99)) {
                    QVERIFY2(!row.name.contains(u'.') && !row.amount.isEmpty(), name.c_str());
                    QVERIFY2(evaluation::figure(*d.evaluation, row.quantity.toStdString()),
                             qPrintable(row.quantity));
                    QCOMPARE(row.edits.empty(), row.change.isEmpty());
                }
            }
        }
        setLanguage(Language::English);
    }

    void changesComeWhenThePlanIsStill()
    {
        OverviewPage page;
        page.resize(1200, 900);
        page.show();
        const PageData d = dataOf(testplans::deepSeek());
        page.setData(d);
        const auto* list = page.findChild<BindingList*>();
        QVERIFY(!list->isEmpty());
        QCOMPARE(changesIn(list->rows()), 0U);
        page.setLimits(limitsOf(d));
        QVERIFY(changesIn(list->rows()) > 0);
        page.setData(dataOf(testplans::denseGpt())); // those were of another plan
        QCOMPARE(changesIn(list->rows()), 0U);
    }

    void clicks()
    {
        OverviewPage page;
        page.resize(1200, 900);
        page.show();
        const PageData d = dataOf(testplans::deepSeek());
        page.setData(d);
        page.setLimits(limitsOf(d));
        auto* list = page.findChild<BindingList*>();
        QSignalSpy edits(&page, &Page::editsWanted);
        QSignalSpy formulas(&page, &Page::quantityClicked);
        const auto marks = list->currentMarks();
        for (const Mark& mark : marks)
            QTest::mouseClick(list, Qt::LeftButton, {}, mark.rect.center().toPoint());
        QCOMPARE(static_cast<std::size_t>(edits.count()), changesIn(list->rows()));
        QCOMPARE(static_cast<std::size_t>(formulas.count()), list->rows().size());
        // What is wanted is what the row says.
        const auto first = std::find_if(list->rows().begin(), list->rows().end(),
                                        [](const BindingRow& r) { return !r.edits.empty(); });
        QCOMPARE(edits.front().at(0).value<PageEdits>(), first->edits);
        QCOMPARE(edits.front().at(1).toString(), first->change);
        // The keyboard reaches each of them too.
        edits.clear();
        formulas.clear();
        list->setFocus(Qt::TabFocusReason);
        for (std::size_t i = 0; i < marks.size(); ++i) {
            list->setFocusedMark(static_cast<int>(i));
            QTest::keyClick(list, Qt::Key_Return);
        }
        QCOMPARE(static_cast<std::size_t>(edits.count()), changesIn(list->rows()));
        QCOMPARE(static_cast<std::size_t>(formulas.count()), list->rows().size());
    }
};

int main(int argc, char** argv)
{
    return cw::test::runChartTest<OverviewPageTest>(argc, argv);
}

#include "tst_overviewpage.moc"
