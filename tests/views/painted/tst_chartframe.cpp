// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/painted/charttestmain.h"
#include "views/common/chartframe.h"
#include "views/painted/sharebar.h"
#include "views/theme/icons.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QSvgRenderer>
#include <QTableView>
#include <QTemporaryDir>

using namespace cw::views;
using namespace Qt::StringLiterals;

namespace {

ShareBar* sample()
{
    auto* chart = new ShareBar;
    ShareBarData d;
    d.items = {{Series::UsefulWork, 3, u"Useful"_s, u"3 d"_s, u"75 %"_s, {}, u"run.useful"_s},
               {Series::Bubble, 1, u"Bubble"_s, u"1 d"_s, u"25 %"_s, {}, u"run.bubble"_s}};
    chart->setData(d);
    return chart;
}

} // namespace

class ChartFrameTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void copyKeyPutsPictureVectorAndFigures()
    {
        ChartFrame frame(u"Run"_s, u"66 days"_s);
        auto* chart = sample();
        frame.setChart(chart);
        frame.resize(400, 240);
        frame.show();
        frame.activateWindow();
        chart->setFocus();
        QVERIFY(QTest::qWaitForWindowActive(&frame));
        QTest::keyClick(chart, Qt::Key_C, Qt::ControlModifier);
        const QMimeData* clip = QApplication::clipboard()->mimeData();
        QVERIFY(clip->hasImage());
        QVERIFY(clip->hasFormat(u"image/svg+xml"_s));
        QCOMPARE(clip->text(), chart->tsv());
        QVERIFY(QSvgRenderer(clip->data(u"image/svg+xml"_s)).isValid());
    }

    void tableTwinShowsTheFigures()
    {
        ChartFrame frame(u"Run"_s);
        frame.setChart(sample());
        frame.show();
        const std::unique_ptr<QMenu> menu(frame.createMenu());
        QAction* twin = menu->actions().last();
        QVERIFY(twin->isCheckable());
        twin->trigger();
        QVERIFY(frame.isTableShown());
        const auto* table = frame.findChild<QTableView*>();
        QVERIFY(table->isVisible());
        QCOMPARE(table->model()->rowCount(), 2);
        QCOMPARE(table->model()->index(1, 0).data().toString(), u"Bubble"_s);
        frame.setTableShown(false);
        QVERIFY(!frame.isTableShown());
    }

    void picturesAreSavedAndFailureIsTold()
    {
        QTemporaryDir dir;
        ChartFrame frame(u"Run"_s);
        frame.setChart(sample());
        frame.resize(500, 300);
        frame.show();
        QVERIFY(frame.savePicture(dir.filePath(u"a.png"_s)));
        const QImage image(dir.filePath(u"a.png"_s));
        QVERIFY(image.width() >= 1000);
        QVERIFY(frame.savePicture(dir.filePath(u"a.svg"_s)));
        QVERIFY(QSvgRenderer(dir.filePath(u"a.svg"_s)).isValid());
        QString message;
        connect(&frame, &ChartFrame::failed, &frame, [&message](const QString& m) { message = m; });
        QVERIFY(!frame.savePicture(dir.filePath(u"none/a.png"_s)));
        QVERIFY(!message.isEmpty());
    }

    void svgCarriesTextAndHatches()
    {
        // A hatch is made of lines, for a pattern brush would be lost in the file.
        const std::unique_ptr<ShareBar> chart(sample());
        QByteArray text;
        QBuffer buffer(&text);
        buffer.open(QIODevice::WriteOnly);
        QVERIFY(writeChartSvg(*chart, u"Run"_s, {}, Theme::light(), QSize(400, 240), buffer));
        QVERIFY(text.contains("Useful"));
        QVERIFY(text.count("<polyline") + text.count("<line") > 5);
    }

    void everyIconPaints()
    {
        for (int i = 0; i <= static_cast<int>(Icon::Baseline); ++i) {
            const QImage image = icon(static_cast<Icon>(i)).pixmap(16, 16).toImage();
            QVERIFY2(cw::test::inked(image, QColor(0, 0, 0, 0)) > 5,
                     qPrintable(QString::number(i)));
        }
    }

    void tipIsEscapedAndSplit()
    {
        const QString html = tipHtml(u"Stage <4>\t41 GiB\nline"_s);
        QVERIFY(html.contains(u"Stage &lt;4&gt;"_s));
        QVERIFY(html.contains(u"align='right'"_s));
        QVERIFY(tipHtml({}).isEmpty());
    }

    void themeFollowsTheApplication()
    {
        auto& application = *static_cast<QApplication*>(QCoreApplication::instance());
        applyTheme(application, ThemeMode::Dark);
        ChartFrame frame(u"Run"_s);
        QVERIFY(Theme::of(&frame).dark);
        applyTheme(application, ThemeMode::Light);
        QVERIFY(!Theme::of(&frame).dark);
    }
};

int main(int argc, char** argv)
{
    return cw::test::runChartTest<ChartFrameTest>(argc, argv);
}

#include "tst_chartframe.moc"
