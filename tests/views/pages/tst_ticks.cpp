// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include "views/pages/ticks.h"
#include "views/text/words.h"

using namespace cw::views;
using namespace Qt::StringLiterals;

class TicksTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { setLanguage(Language::English); }
    void times_data()
    {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("text");
        const auto row = [](double seconds, const QString& text) {
            QTest::addRow("%s", qPrintable(text)) << seconds << text;
        };
        row(10, u"10\u2009s"_s);
        row(60, u"1\u2009min"_s);
        row(300, u"5\u2009min"_s);
        row(90, u"1.5\u2009min"_s);
        row(3600, u"1\u2009h"_s);
        row(43200, u"12\u2009h"_s);
        row(864000, u"10\u2009days"_s);
    }
    void times()
    {
        QFETCH(double, seconds);
        QTEST(timeTick(seconds), "text");
    }
    void shares()
    {
        QCOMPARE(percentTick(0.6), u"60\u2009%"_s);
        QCOMPARE(percentTick(0.025), u"2.5\u2009%"_s);
        QCOMPARE(percentTick(0), u"0\u2009%"_s);
        setLanguage(Language::Chinese);
        QCOMPARE(percentTick(0.6), u"60%"_s);
        QCOMPARE(timeTick(300), u"5\u2009分钟"_s);
    }
};

QTEST_APPLESS_MAIN(TicksTest)
#include "tst_ticks.moc"
