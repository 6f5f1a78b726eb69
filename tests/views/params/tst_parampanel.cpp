// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

#include "model/scenario/presets.h"
#include "views/params/parampanel.h"
#include "views/params/valueslider.h"
#include "views/params/valuetext.h"
#include "views/text/words.h"

using namespace cw;
using namespace Qt::StringLiterals;

namespace {

scenario::Scenario planOf()
{
    scenario::Scenario s;
    scenario::applyPreset(s, "model", "llama3.1-70b");
    scenario::applyPreset(s, "cluster", "dgx-h100");
    return s;
}

std::vector<views::DegreeChoice> degrees(const scenario::Scenario&, const std::string&)
{
    return {{1, true, {}}, {2, true, {}}, {3, false, u"3 does not divide"_s}, {4, true, {}}};
}

scenario::Parameter parameterOf(const scenario::Scenario& s, const std::string& path)
{
    for (const auto& p : scenario::parameters(s))
        if (p.path == path)
            return p;
    return {};
}

} // namespace

class TestParamPanel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        views::setLanguage(views::Language::English);
        m_plan = planOf();
        m_panel = std::make_unique<views::ParamPanel>(&degrees);
        m_panel->resize(320, 800);
        show();
        m_panel->show();
        QCoreApplication::processEvents();
    }
    void cleanup() { m_panel.reset(); }

    void readsWhatPeopleType_data();
    void readsWhatPeopleType();
    void wheelNeverChangesAValue();
    void filterFindsInBothLanguages();
    void filterHidesTheRest();
    void returnGoesToTheFirstFound();
    void everythingIsNamed();
    void expertRowsAreHidden();
    void changedRowsAreMarked();
    void chipsSayWhyNot();
    void unreadableTextIsKeptAndMarked();
    void languageChangesLabels();
    void editorsHaveNames();

private:
    void show()
    {
        views::PanelState state;
        const scenario::Scenario preset = scenario::presetBaseline(m_plan);
        const scenario::Scenario baseline = planOf();
        state.scenario = &m_plan;
        state.preset = &preset;
        state.baseline = &baseline;
        m_panel->setState(state);
    }

    scenario::Scenario m_plan;
    std::unique_ptr<views::ParamPanel> m_panel;
};

void TestParamPanel::readsWhatPeopleType_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("value");
    const auto row = [](const char* path, const char16_t* text, double value) {
        const QString typed = QString::fromUtf16(text);
        QTest::addRow("%s", typed.toUtf8().constData())
            << QString::fromLatin1(path) << typed << value;
    };
    row("cluster.chip.hbm_bandwidth", u"3.35TB/s", 3.35e12);
    row("cluster.chip.hbm_bandwidth", u"3,35 TB/s", 3.35e12);
    row("cluster.network.scale_out.bandwidth", u"400 Gb/s", 50e9);
    row("workload.global_batch_sequences", u"12k", 12000);
    row("workload.global_batch_sequences", u"12,288", 12288);
    row("workload.global_batch_sequences", u"1.2万", 12000);
    row("workload.training_tokens", u"10T", 1e13);
    row("workload.training_tokens", u"160\u2009T", 1.6e14);
    row("workload.training_tokens", u"1.5亿", 1.5e8);
    row("software.fragmentation", u"3\u2009%", 0.03);
    row("software.fragmentation", u"0,03", 0.03);
    row("cluster.chip.power_limit", u"1.2 kW", 1200);
}

void TestParamPanel::readsWhatPeopleType()
{
    QFETCH(QString, path);
    QFETCH(QString, text);
    QFETCH(double, value);
    const auto parameter = parameterOf(m_plan, path.toStdString());
    QVERIFY(!parameter.path.empty());
    const auto read = views::readText(parameter, text);
    QVERIFY(read.has_value());
    QCOMPARE(std::get<double>(*read), value);
}

void TestParamPanel::wheelNeverChangesAValue()
{
    QSignalSpy edits(m_panel.get(), &views::ParamPanel::edited);
    views::ParamRow* slider = m_panel->row("model.hidden");
    views::ParamRow* combo = m_panel->row("precision.compute");
    QVERIFY(slider && slider->slider() && combo && combo->combo());
    QCoreApplication::processEvents();
    for (QWidget* target :
         {static_cast<QWidget*>(slider->slider()), static_cast<QWidget*>(slider->field()),
          static_cast<QWidget*>(combo->combo())}) {
        const int before = slider->slider()->value();
        const int chosen = combo->combo()->currentIndex();
        const QPointF at = target->rect().center();
        QWheelEvent event(at, target->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(target, &event);
        QCOMPARE(slider->slider()->value(), before);
        QCOMPARE(combo->combo()->currentIndex(), chosen);
    }
    QCOMPARE(edits.count(), 0);
}

void TestParamPanel::filterFindsInBothLanguages()
{
    // The label of the other language finds the row as well.
    const QString chinese = views::otherLabelOf("cluster.chip.hbm_bytes");
    QVERIFY(!chinese.isEmpty());
    m_panel->filterBox()->setText(chinese);
    QCoreApplication::processEvents();
    QVERIFY(m_panel->row("cluster.chip.hbm_bytes")->isVisibleTo(m_panel.get()));
}

void TestParamPanel::filterHidesTheRest()
{
    views::ParamRow* tensor = m_panel->row("parallelism.tensor");
    views::ParamRow* hidden = m_panel->row("model.hidden");
    QTest::keyClicks(m_panel->filterBox(), u"parallelism.tensor"_s);
    QCoreApplication::processEvents();
    QVERIFY(tensor->isVisible());
    QVERIFY(!hidden->isVisible());
    m_panel->filterBox()->clear();
    QCoreApplication::processEvents();
    QVERIFY(hidden->isVisible());
}

void TestParamPanel::everythingIsNamed()
{
    m_panel->setShowAll(true);
    m_panel->filterBox()->setText(u"."_s); // each path has one, so that all rows are made
    for (const auto language : {views::Language::English, views::Language::Chinese}) {
        views::setLanguage(language);
        QCoreApplication::processEvents();
        const auto labels = m_panel->findChildren<QLabel*>();
        QVERIFY(labels.size() > 200);
        for (const QLabel* label : labels)
            QVERIFY2(!label->text().contains(u"window."_s), qPrintable(label->text()));
    }
    views::setLanguage(views::Language::English);
}

void TestParamPanel::returnGoesToTheFirstFound()
{
    m_panel->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
    m_panel->filterBox()->setFocus();
    QTest::keyClicks(m_panel->filterBox(), u"parallelism.tensor"_s);
    QCoreApplication::processEvents();
    QTest::keyClick(m_panel->filterBox(), Qt::Key_Return);
    QVERIFY(m_panel->row("parallelism.tensor")->isAncestorOf(QApplication::focusWidget()));
}

void TestParamPanel::expertRowsAreHidden()
{
    const auto visible = [this](const char* name) {
        for (const auto* row : m_panel->findChildren<views::ParamRow*>())
            if (row->parameter().path == name)
                return row->isVisible();
        return false;
    };
    QVERIFY(visible("cluster.chip.hbm_bytes"));
    QVERIFY(!visible("cluster.chip.tile_m"));
    m_panel->setShowAll(true);
    QCoreApplication::processEvents();
    QVERIFY(visible("cluster.chip.tile_m"));
}

void TestParamPanel::changedRowsAreMarked()
{
    QSignalSpy counts(m_panel.get(), &views::ParamPanel::changedCountChanged);
    m_plan.cluster.chips += 8;
    show();
    QCOMPARE(m_panel->changedCount(), 1);
    QCOMPARE(counts.count(), 1);
    QVERIFY(m_panel->row("cluster.chips")->state().isChanged());
    QVERIFY(m_panel->row("cluster.chips")->label()->font().bold());
    QVERIFY(!m_panel->row("model.hidden")->label()->font().bold());
}

void TestParamPanel::chipsSayWhyNot()
{
    views::ParamRow* row = m_panel->row("parallelism.tensor");
    const auto chips = row->findChildren<QToolButton*>();
    const auto third = std::find_if(chips.begin(), chips.end(),
                                    [](const QToolButton* b) { return b->text() == u"3"_s; });
    QVERIFY(third != chips.end());
    QCOMPARE((*third)->property("chip").toString(), u"excluded"_s);
    QCOMPARE((*third)->toolTip(), u"3 does not divide"_s);
    // It can be chosen all the same: the plan then says why it cannot run.
    QSignalSpy edits(m_panel.get(), &views::ParamPanel::edited);
    QTest::mouseClick(*third, Qt::LeftButton);
    QCOMPARE(edits.count(), 1);
    QCOMPARE(std::get<double>(edits[0][1].value<scenario::Value>()), 3.0);
}

void TestParamPanel::unreadableTextIsKeptAndMarked()
{
    QSignalSpy edits(m_panel.get(), &views::ParamPanel::edited);
    QLineEdit* field = m_panel->row("model.hidden")->field();
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, u"many"_s);
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(edits.count(), 0);
    QCOMPARE(field->property("wrong").toString(), u"true"_s);
    QCOMPARE(field->text(), u"many"_s);
    QVERIFY(field->toolTip().contains(u"many"_s));
    // Right again, whoever put the value there, it is no longer marked.
    m_plan.model.hidden += 128;
    show();
    QCOMPARE(field->property("wrong").toString(), u"false"_s);
    QVERIFY(field->toolTip().isEmpty());
}

void TestParamPanel::languageChangesLabels()
{
    views::ParamRow* row = m_panel->row("model.hidden");
    const QString english = row->label()->text();
    views::setLanguage(views::Language::Chinese);
    QVERIFY(row->label()->text() != english);
    QCOMPARE(row->label()->text(), views::labelOf("model.hidden"));
    QCOMPARE(row->field()->accessibleName(), views::labelOf("model.hidden"));
    views::setLanguage(views::Language::English);
    QCOMPARE(row->label()->text(), english);
}

void TestParamPanel::editorsHaveNames()
{
    m_panel->setShowAll(true);
    QCoreApplication::processEvents();
    for (const auto* row : m_panel->findChildren<views::ParamRow*>())
        for (const auto* editor : row->findChildren<QWidget*>())
            if (editor->focusPolicy() & Qt::TabFocus)
                QVERIFY2(!editor->accessibleName().isEmpty(), row->parameter().path.c_str());
}

QTEST_MAIN(TestParamPanel)
#include "tst_parampanel.moc"
