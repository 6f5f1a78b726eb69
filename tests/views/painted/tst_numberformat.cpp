// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/painted/charttestmain.h"
#include "views/common/numberformat.h"
#include "views/painted/paintutil.h"

#include <cmath>
#include <limits>

using namespace cw::views;
using namespace Qt::StringLiterals;

Q_DECLARE_METATYPE(cw::views::Unit)

class NumberFormatTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void texts_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<Unit>("unit");
        QTest::addColumn<QString>("english");
        QTest::addColumn<QString>("chinese");
        const double gib = std::pow(1024.0, 3);
        const auto row = [](double value, Unit unit, const QString& en, const QString& zh) {
            QTest::addRow("%s", qPrintable(en)) << value << unit << en << zh;
        };
        row(118.63 * gib, Unit::GibiBytes, u"118.6\u2009GiB"_s, u"118.6\u2009GiB"_s);
        row(41.88 * gib, Unit::GibiBytes, u"41.88\u2009GiB"_s, u"41.88\u2009GiB"_s);
        row(1024 * gib, Unit::GibiBytes, u"1.00\u2009TiB"_s, u"1.00\u2009TiB"_s);
        row(144e9, Unit::GigaBytes, u"144.0\u2009GB"_s, u"144.0\u2009GB"_s);
        row(26.2, Unit::Seconds, u"26.20\u2009s"_s, u"26.20\u2009秒"_s);
        row(0.0, Unit::Duration, u"0\u2009s"_s, u"0\u2009秒"_s);
        row(0.115, Unit::Duration, u"0.12\u2009s"_s, u"0.12\u2009秒"_s);
        row(0.0413, Unit::Duration, u"41.30\u2009ms"_s, u"41.30\u2009毫秒"_s);
        row(104.8, Unit::Duration, u"104.8\u2009s"_s, u"104.8\u2009秒"_s);
        row(343.2, Unit::Duration, u"5.72\u2009min"_s, u"5.72\u2009分钟"_s);
        row(66.03 * 86400, Unit::Duration, u"66.0\u2009days"_s, u"66.0\u2009天"_s);
        row(66.03, Unit::Days, u"66.0\u2009days"_s, u"66.0\u2009天"_s);
        row(0.6842, Unit::Percent, u"68.4\u2009%"_s, u"68.4%"_s);
        row(-0.0512, Unit::PercentPoints, u"\u22125.1\u2009pp"_s, u"\u22125.1\u2009个百分点"_s);
        row(524288, Unit::Integer, u"524,288"_s, u"524,288"_s);
        row(9.92e12, Unit::Count, u"9.92\u2009T"_s, u"9.92\u2009万亿"_s);
        row(1e13, Unit::Count, u"10\u2009T"_s, u"10\u2009万亿"_s);
        row(1.6e14, Unit::Tokens, u"160\u2009T tokens"_s, u"160\u2009万亿 词元"_s);
        row(2.05e12, Unit::Tokens, u"2.05\u2009T tokens"_s, u"2.05\u2009万亿 词元"_s);
        row(61768377, Unit::Days, u"61.8\u2009M days"_s, u"6,177\u2009万 天"_s);
        row(131072, Unit::Count, u"131.1\u2009k"_s, u"13.1\u2009万"_s);
        row(8192, Unit::Count, u"8.19\u2009k"_s, u"8,192"_s);
        row(252e9, Unit::Bandwidth, u"252.0\u2009GB/s"_s, u"252.0\u2009GB/s"_s);
        row(4e12, Unit::Bandwidth, u"4,000\u2009GB/s"_s, u"4,000\u2009GB/s"_s);
        row(26.2e15, Unit::Bandwidth, u"26.2\u2009PB/s"_s, u"26.2\u2009PB/s"_s);
        row(651.2e6, Unit::MegaWatts, u"651.2\u2009MW"_s, u"651.2\u2009MW"_s);
        row(63.7e3, Unit::KiloWatts, u"63.7\u2009kW"_s, u"63.7\u2009kW"_s);
        row(1032e9, Unit::MegaWattHours, u"1,032\u2009GWh"_s, u"1,032\u2009GWh"_s);
        row(1034e12, Unit::FlopRate, u"1,034\u2009TFLOP/s"_s, u"1,034\u2009TFLOP/s"_s);
        row(40.98e6, Unit::TokenRate, u"41.0\u2009M tok/s"_s, u"4,098\u2009万 词元/秒"_s);
        row(712e6, Unit::Money, u"712\u2009M"_s, u"7.12\u2009亿"_s);
        row(std::numeric_limits<double>::quiet_NaN(), Unit::Seconds, u"—"_s, u"—"_s);
    }
    void texts()
    {
        QFETCH(double, value);
        QFETCH(Unit, unit);
        QFETCH(QString, english);
        QFETCH(QString, chinese);
        QCOMPARE(format(value, unit, QLocale(QLocale::English, QLocale::UnitedStates)), english);
        QCOMPARE(format(value, unit, QLocale(QLocale::Chinese, QLocale::China)), chinese);
    }

    void decimalCommaFollowsTheLocale()
    {
        QCOMPARE(format(26.2, Unit::Seconds, QLocale(QLocale::German)), u"26,20\u2009s"_s);
    }

    void signs()
    {
        const QLocale en(QLocale::English);
        QCOMPARE(formatSigned(0.051, Unit::PercentPoints, en), u"+5.1\u2009pp"_s);
        QCOMPARE(formatSigned(-12.4, Unit::Days, en), u"\u221212.4\u2009days"_s);
        QCOMPARE(formatSigned(0.0, Unit::Days, en), u"0\u2009days"_s);
        QCOMPARE(format(-0.0001, Unit::Integer, en), u"0"_s);
    }

    void ticksAreRoundAndInside()
    {
        const AxisTicks t = niceTicks(0, 26.2, 5);
        QCOMPARE(t.step, 5.0);
        QCOMPARE(t.values.size(), std::size_t(6));
        QCOMPARE(t.values.back(), 25.0);
        const AxisTicks cut = niceTicks(1.0, 1.2, 4);
        QCOMPARE(cut.values.size(), std::size_t(5));
        QVERIFY(std::abs(cut.values.back() - 1.2) < 1e-9);
        QCOMPARE(niceTicks(3, 3, 4).values.size(), std::size_t(1));
        QCOMPARE(formatTick(1.05, 0.05, QLocale(QLocale::English)), u"1.05"_s);
        QCOMPARE(formatTick(20, 20, QLocale(QLocale::English)), u"20"_s);
    }
};

int main(int argc, char** argv)
{
    return cw::test::runChartTest<NumberFormatTest>(argc, argv);
}

#include "tst_numberformat.moc"
