// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <set>
#include <string>

#include "model/text/catalogue.h"
#include "model/text/numbers.h"

// Numbers in sentences: one form for terminal and window, plain ones for files.

using namespace cw;
using text::Catalogue;
using text::Language;
using text::NumberStyle;
using text::Section;

class NumbersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void numbersAreWritten_data();
    void numbersAreWritten();
    void sentencesTakeTheStyle();
    void everyNumberOfARuleHasAKind();
};

void NumbersTest::numbersAreWritten_data()
{
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("english");
    QTest::addColumn<QString>("chinese");
    QTest::addColumn<QString>("plain");
    const auto row = [](const char* value, const char* kind, const char* english,
                        const char* chinese, const char* plain) {
        QTest::addRow("%s as %s", value, kind)
            << QString::fromUtf8(value) << QString::fromUtf8(kind) << QString::fromUtf8(english)
            << QString::fromUtf8(chinese) << QString::fromUtf8(plain);
    };
    row("524288", "n", "524,288", "524,288", "524288");
    row("999", "n", "999", "999", "999");
    row("-1234567.25", "n", "−1,234,567.25", "−1,234,567.25", "-1234567.25");
    row("524288", "count", "524,288", "52.43 万", "524288");
    row("9999", "count", "9,999", "9,999", "9999");
    row("1073741824", "count", "1.074 G", "10.74 亿", "1.074 G");
    row("352100000", "count", "352.1 M", "3.521 亿", "352.1 M");
    row("160000000000000", "count", "160 T", "160 万亿", "160 T");
    row("999999", "count", "1 M", "100 万", "1 M");
    row("0", "count", "0", "0", "0");
    row("20.39", "percent", "20.4 %", "20.4%", "20.4%");
    row("0.3514", "percent", "0.35 %", "0.35%", "0.35%");
    row("103.6", "percent", "103.6 %", "103.6%", "103.6%");
    row("5", "percent", "5.0 %", "5.0%", "5.0%");
    // What is no plain number is not touched: lists, units, names, what the user typed.
    for (const char* text : {"8, 16", "1.2 GW", "1e6", "h100-sxm", "2024-11-30", "1:7", "", "-"})
        row(text, "n", text, text, text);
    row("12345", "unknown", "12345", "12345", "12345");
}

void NumbersTest::numbersAreWritten()
{
    QFETCH(QString, value);
    QFETCH(QString, kind);
    const auto written = [&](const NumberStyle& style) {
        return QString::fromStdString(
            text::shownNumber(value.toStdString(), kind.toStdString(), style));
    };
    QTEST(written(NumberStyle::english()), "english");
    QTEST(written(NumberStyle::chinese()), "chinese");
    QTEST(written(NumberStyle::plain()), "plain");
}

void NumbersTest::sentencesTakeTheStyle()
{
    const text::Arguments chips{{"idle", "12345"}, {"used", "524288"}};
    const Catalogue& en = Catalogue::of(Language::English);
    QCOMPARE(en.message("advice.idle-chips", chips),
             std::string("12,345 chips stay idle: the layout uses 524,288."));
    QCOMPARE(en.message("advice.idle-chips", chips, NumberStyle::plain()),
             std::string("12345 chips stay idle: the layout uses 524288."));
    // The noun follows a myriad without a gap.
    QCOMPARE(text::filled("连接 {n:count} 颗芯片", {{"n", "524288"}}, NumberStyle::chinese()),
             std::string("连接 52.43 万颗芯片"));
    QCOMPARE(text::filled("连接 {n:count} 颗芯片", {{"n", "512"}}, NumberStyle::chinese()),
             std::string("连接 512 颗芯片"));
}

void NumbersTest::everyNumberOfARuleHasAKind()
{
    // Arguments that are words, or amounts told with their unit.
    const std::set<std::string_view> words{
        "name", "schedule", "cooling", "format",   "site",    "tier",   "flops",
        "kind", "swing",    "value",   "allowed",  "message", "remedy", "given",
        "used", "before",   "drain",   "interval", "mean",    "best",   "blocking"};
    int seen = 0;
    const Catalogue& en = Catalogue::of(Language::English);
    for (const std::string_view key : en.keys(Section::Messages)) {
        if (!key.starts_with("rule.") && !key.starts_with("advice.") &&
            !key.starts_with("schedule."))
            continue;
        const std::string_view sentence = en.text(Section::Messages, key);
        QVERIFY2(en.has(Section::Messages, "title." + std::string(key)), std::string(key).c_str());
        for (std::size_t at = sentence.find('{'); at != std::string_view::npos;
             at = sentence.find('{', at + 1)) {
            const std::string_view name = sentence.substr(at + 1, sentence.find('}', at) - at - 1);
            ++seen;
            QVERIFY2(name.find(':') != std::string_view::npos || words.count(name) != 0,
                     std::string(key).c_str());
        }
    }
    QVERIFY(seen > 50);
}

QTEST_APPLESS_MAIN(NumbersTest)

#include "tst_numbers.moc"
