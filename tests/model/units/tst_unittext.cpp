// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/units/text.h"

#include <QTest>

#include <clocale>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace cw::units;

namespace {

constexpr double kNothing = -12345; // stands for "refused"

void row(const char* text, Unit unit, double value)
{
    QTest::addRow("%s as %d", text, int(unit)) << QByteArray(text) << int(unit) << value;
}

std::uint64_t bitsOf(double x)
{
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}

} // namespace

class TestUnitText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void parse_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("unit");
        QTest::addColumn<double>("value");
        row("3.35TB/s", Unit::BytesPerSecond, 3.35e12);
        row("400 Gb/s", Unit::BytesPerSecond, 5e10); // bits: 50 GB/s
        row("400 Gbit/s", Unit::BytesPerSecond, 5e10);
        row("400Gbps", Unit::BytesPerSecond, 5e10);
        row("1.6 TB/s", Unit::BytesPerSecond, 1.6e12);
        row("50GB/s", Unit::BytesPerSecond, 5e10);
        row("12k", Unit::None, 12000);
        row("10T", Unit::Parameters, 1e13);
        row("10T", Unit::Tokens, 1e13);
        row("405B", Unit::Parameters, 405e9);
        row("35%", Unit::Share, 0.35);
        row("35 %", Unit::Share, 0.35);
        row("0.35", Unit::Share, 0.35);
        row("64 GiB", Unit::Bytes, 68719476736.0);
        row("64 GB", Unit::Bytes, 64e9);
        row("64 GiB", Unit::VendorBytes, 68719476736.0);
        row("80GB", Unit::VendorBytes, 80e9);
        row("989 TFLOP/s", Unit::FlopPerSecond, 989e12);
        row("989TFLOPS", Unit::FlopPerSecond, 989e12);
        row("2 h", Unit::Seconds, 7200);
        row("5us", Unit::Seconds, 5e-6);
        row("5 µs", Unit::Seconds, 5e-6);
        row("3 min", Unit::Seconds, 180);
        row("1d", Unit::Seconds, 86400);
        row("700W", Unit::Watts, 700);
        row("1.2 kW", Unit::Watts, 1200);
        row("132kW", Unit::Watts, 132e3);
        row("32 °C", Unit::Celsius, 32);
        row("1.5 TWh", Unit::Joules, 5.4e15);
        row("5 kJ", Unit::Joules, 5e3);
        row("2 kt", Unit::Kilograms, 2e6);
        row("480 kg", Unit::Kilograms, 480);
        row("3 m²", Unit::Kilograms, kNothing);
        row("+5", Unit::None, 5);
        row("-5", Unit::None, -5);
        row("1e12", Unit::Tokens, 1e12);
        row("3万", Unit::None, 3e4);
        row("2 亿", Unit::None, 2e8);
        row("  7 ", Unit::None, 7);
        // Refused: never a number of another magnitude.
        for (const char* bad : {"",     " ",   "x",    "GB",   "1,5",   "1.000,5", "1 000",
                                "12kk", "nan", "inf",  "-inf", "1e999", "0x10",    "5 apples",
                                "--5",  "+-5", "1..2", "5 %%", "1e",    "1e300E"})
            row(bad, Unit::None, kNothing);
        row("3 GB", Unit::Seconds, kNothing);
        row("3 s", Unit::Bytes, kNothing);
        row("3 TB", Unit::BytesPerSecond, kNothing);
        row("3 TB/h", Unit::BytesPerSecond, kNothing);
        row("400 Gb", Unit::Bytes, kNothing);
        row("35%", Unit::Watts, kNothing);
        row("62,5", Unit::Share, kNothing);
    }
    void parse()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, unit);
        QFETCH(double, value);
        const auto parsed = cw::units::parse(text.toStdString(), static_cast<Unit>(unit));
        if (value == kNothing) {
            QVERIFY2(!parsed, parsed ? exact(*parsed).c_str() : "");
            return;
        }
        QVERIFY(parsed.has_value());
        QVERIFY2(*parsed == value, exact(*parsed).c_str()); // to the last bit
    }

    void exactRoundTrip()
    {
        std::mt19937_64 random(7);
        for (int i = 0; i < 20000; ++i) {
            const std::uint64_t bits = random();
            double x = 0;
            std::memcpy(&x, &bits, sizeof x);
            if (!std::isfinite(x))
                continue;
            const auto back = cw::units::parse(exact(x), Unit::None);
            // from_chars calls subnormal results in range; all finite doubles come back.
            QVERIFY2(back.has_value(), exact(x).c_str());
            QCOMPARE(bitsOf(*back), bitsOf(x));
        }
        QCOMPARE(exact(0.1), std::string("0.1"));
        QCOMPARE(exact(1e30), std::string("1e+30"));
    }

    void rounded_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<int>("digits");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("zero") << 0.0 << 4 << QByteArray("0");
        QTest::newRow("whole") << 1234.0 << 4 << QByteArray("1234");
        QTest::newRow("larger than its digits") << 123456.0 << 4 << QByteArray("123456");
        QTest::newRow("share") << 0.0517 << 4 << QByteArray("0.0517");
        QTest::newRow("cut") << 3.14159265 << 4 << QByteArray("3.142");
        QTest::newRow("trailing zeros") << 2.5 << 4 << QByteArray("2.5");
        QTest::newRow("negative") << -2.5 << 4 << QByteArray("-2.5");
        QTest::newRow("tiny") << 1.5e-9 << 2 << QByteArray("1.5e-09");
        QTest::newRow("huge") << 2.5e20 << 2 << QByteArray("2.5e+20");
        QTest::newRow("infinite") << std::numeric_limits<double>::infinity() << 4
                                  << QByteArray("∞");
        QTest::newRow("not a number")
            << std::numeric_limits<double>::quiet_NaN() << 4 << QByteArray("nan");
    }
    void rounded()
    {
        QFETCH(double, value);
        QFETCH(int, digits);
        QFETCH(QByteArray, text);
        QCOMPARE(QByteArray::fromStdString(cw::units::rounded(value, digits)), text);
    }

    void human_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<int>("unit");
        QTest::addColumn<QByteArray>("text");
        const auto add = [](double v, Unit u, const char* t) {
            QTest::addRow("%s", t) << v << int(u) << QByteArray(t);
        };
        // An H100 that tools show as 81,559 MiB is 79.65 GiB and 85.52 GB: each figure names the
        // unit it was divided by.
        add(81559.0 * 1048576, Unit::Bytes, "79.65 GiB");
        add(81559.0 * 1048576, Unit::VendorBytes, "85.52 GB");
        add(183359.0 * 1048576, Unit::Bytes, "179.1 GiB"); // B200
        add(183359.0 * 1048576, Unit::VendorBytes, "192.3 GB");
        add(3.35e12, Unit::BytesPerSecond, "3.35 TB/s");
        add(0.366, Unit::Share, "36.6 %");
        add(5e-6, Unit::Seconds, "5 µs");
        add(7200, Unit::Seconds, "2 h");
        add(1.81e8, Unit::Watts, "181 MW");
        add(5e-12, Unit::Joules, "5.000e-12 J"); // of one bit
        add(4.646e15, Unit::Joules, "1.291 TWh");
        add(2.963e9, Unit::Money, "2.963 B");
        add(480, Unit::Kilograms, "480 kg");
        add(4.84e8, Unit::Kilograms, "484 kt");
        add(59380, Unit::SquareMetres, "59380 m²");
        add(1450, Unit::KilogramsPerSquareMetre, "1450 kg/m²");
    }
    void human()
    {
        QFETCH(double, value);
        QFETCH(int, unit);
        QFETCH(QByteArray, text);
        QCOMPARE(QByteArray::fromStdString(cw::units::human(value, static_cast<Unit>(unit))), text);
    }

    void commaLocaleChangesNothing()
    {
        // Whichever of these the machine has; text goes by the C locale with each.
        for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "pt_BR.UTF-8", "C"}) {
            if (std::setlocale(LC_ALL, name) == nullptr)
                continue;
            QCOMPARE(exact(1.5), std::string("1.5"));
            QCOMPARE(cw::units::rounded(1234.5, 5), std::string("1234.5"));
            QCOMPARE(*cw::units::parse("1.5 GB", Unit::Bytes), 1.5e9);
            QVERIFY(!cw::units::parse("1,5 GB", Unit::Bytes));
        }
        std::setlocale(LC_ALL, "C");
    }

    void everyUnitHasItsSymbolRead()
    {
        // What a figure is shown with can be typed back.
        for (int u = 0; u <= int(Unit::FlopPerMoney); ++u) {
            const Unit unit = static_cast<Unit>(u);
            const std::string text = "2 " + std::string(symbol(unit));
            const auto back = cw::units::parse(text, unit);
            QVERIFY2(back.has_value(), text.c_str());
            QCOMPARE(*back, 2.0);
        }
    }
};

QTEST_APPLESS_MAIN(TestUnitText)
#include "tst_unittext.moc"
