// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <cmath>
#include <limits>

#include <QtCore/QXmlStreamReader>

#include "model/report/planreport.h"
#include "model/report/planteller.h"
#include "model/report/writers.h"
#include "resources/embedded.h"

using namespace cw;
using report::Bars;
using report::Document;
using report::Table;
using text::Language;
using units::Unit;

namespace {

report::Subject subject(Language language = Language::English, const char* settings = "")
{
    const std::string json =
        R"({"format": "clusterwright-plan", "version": 1, "name": "A <plan> | with & marks",
            "model": {"preset": "deepseek-v3"}, "software": {"preset": "hai-llm"},
            "cluster": {"preset": "hgx-h800", "chips": 2048},
            "parallelism": {"pipeline": 16, "expert": 64, "schedule": "dualpipe"})" +
        std::string(settings) + "}";
    auto reading = scenario::readPlan(json);
    return report::subjectOf("p", *reading.plan, language);
}

Document small()
{
    Document d;
    d.title = "T & <T>";
    d.language = "en";
    d.heading(1, "T & <T>");
    d.paragraph("a | b");
    d.add(Table{"C", {"Name", "Value"}, {{"x, \"y\"", report::cell(2, Unit::Seconds)}}, false});
    d.note(report::Note::Kind::Fault, "wrong");
    return d;
}

/// All elements close in order; needed of the SVG and, but for its head, of the HTML.
QString xmlFault(const std::string& xml)
{
    QXmlStreamReader reader(QByteArray::fromStdString(xml));
    while (!reader.atEnd())
        reader.readNext();
    return reader.hasError() ? reader.errorString() : QString();
}

} // namespace

class TestReport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void widths();
    void text();
    void besideEachOther();
    void markdown();
    void html();
    void csv();
    void json();
    void svgBars();
    void svgOfOddValues();
    void tablesAreWhole_data();
    void tablesAreWhole();
    void sharesSumToOne();
    void inputsAreTheChangedOnes();
    void oneFile();
    void moneyAndDays();
    void nesting();
    void phasesAreListed();
};

void TestReport::widths()
{
    QCOMPARE(report::displayWidth("abc"), std::size_t(3));
    QCOMPARE(report::displayWidth("µs"), std::size_t(2));
    QCOMPARE(report::displayWidth("单步"), std::size_t(4));
    QVERIFY(report::displayWidth("\xff\xfe") <= 2); // broken UTF-8 does no harm
}

void TestReport::text()
{
    QCOMPARE(report::toText(small()), std::string("T & <T>\n=======\na | b\n\nC\n"
                                                  "  Name    Value\n"
                                                  "  x, \"y\"    2 s\nx wrong\n"));
}

void TestReport::besideEachOther()
{
    Document d;
    d.add(Table{"L", {"a", "b"}, {{"单步", "1"}, {"x", "2"}}, false});
    d.add(Table{"R", {"c", "d"}, {{"y", "3"}}, false, true});
    QCOMPARE(report::toText(d), std::string("L            R\n"
                                            "  a     b      c  d\n"
                                            "  单步  1      y  3\n"
                                            "  x     2\n"));
}

void TestReport::markdown()
{
    const std::string md = report::toMarkdown(small());
    QVERIFY(md.find("# T & \\<T\\>\n\na \\| b\n") == 0);
    QVERIFY(md.find("| --- | ---: |\n| x, \"y\" | 2 s |") != std::string::npos);
}

void TestReport::html()
{
    const std::string html = report::toHtml(small());
    QVERIFY(html.find("<title>T &amp; &lt;T&gt;</title>") != std::string::npos);
    QVERIFY(html.find("<script") == std::string::npos);
    QVERIFY(html.find("http://") == std::string::npos); // nothing is fetched
    const std::size_t body = html.find("<main>");
    const std::size_t end = html.find("</main>");
    QCOMPARE(xmlFault(html.substr(body, end + 7 - body)), QString());
}

void TestReport::csv()
{
    QCOMPARE(report::toCsv(small()), std::string("section,table,row,column,value,unit\r\n"
                                                 "T & <T>,C,\"x, \"\"y\"\"\",Value,2,s\r\n"
                                                 "T & <T>,,fault,,wrong,\r\n"));
}

void TestReport::json()
{
    const auto j = report::toJson(small());
    QCOMPARE(j.size(), std::size_t(4));
    QCOMPARE(j[2]["rows"][0][1]["value"].get<double>(), 2.0);
    QCOMPARE(j[2]["rows"][0][1]["unit"].get<std::string>(), std::string("s"));
}

void TestReport::svgBars()
{
    Bars bars;
    bars.caption = "M & m";
    bars.parts = {"a", "b"};
    bars.rows = {{"one", {1, 3}}, {"two", {2, 0}}};
    bars.limit = 8;
    const std::string svg = report::toSvg(bars);
    QCOMPARE(xmlFault(svg), QString());
    // The limit takes the whole width of 560: a value of 3 has 210.
    QVERIFY(svg.find("width=\"210\"") != std::string::npos);
    Bars waterfall = bars;
    waterfall.kind = Bars::Kind::Waterfall;
    waterfall.limit.reset();
    waterfall.rows = {{"x", {1}}, {"y", {3}}, {"sum", {4}}};
    const std::string steps = report::toSvg(waterfall);
    QCOMPARE(xmlFault(steps), QString());
    QVERIFY(steps.find("x=\"330\"") != std::string::npos); // y begins where x ends: 190 + 140
    QVERIFY(steps.find("class=\"total\" x=\"190\"") != std::string::npos);
}

void TestReport::svgOfOddValues()
{
    Bars bars;
    bars.parts = {"a"};
    bars.rows = {{"inf", {std::numeric_limits<double>::infinity()}},
                 {"nan", {std::numeric_limits<double>::quiet_NaN()}},
                 {"negative", {-1}}};
    QCOMPARE(xmlFault(report::toSvg(bars)), QString());
}

void TestReport::tablesAreWhole_data()
{
    QTest::addColumn<int>("language");
    QTest::newRow("en") << static_cast<int>(Language::English);
    QTest::newRow("zh_CN") << static_cast<int>(Language::Chinese);
}

void TestReport::tablesAreWhole()
{
    QFETCH(int, language);
    const auto l = static_cast<Language>(language);
    const auto s = subject(l);
    for (const Document& d : {report::summaryOf(s, l), report::reportOf({s, s}, l, "1.2.3")}) {
        for (const report::Block& block : d.blocks) {
            if (const Table* t = std::get_if<Table>(&block)) {
                QVERIFY(!t->rows.empty());
                for (const auto& row : t->rows)
                    QCOMPARE(row.size(), t->columns.size());
            }
            if (const Bars* b = std::get_if<Bars>(&block))
                for (const Bars::Row& row : b->rows)
                    QCOMPARE(row.values.size(), b->parts.size());
        }
        QVERIFY(report::toText(d).find("report.") == std::string::npos);
    }
}

void TestReport::sharesSumToOne()
{
    const auto s = subject();
    const Document d = report::summaryOf(s, Language::English);
    int sums = 0;
    for (const report::Block& block : d.blocks) {
        const Table* t = std::get_if<Table>(&block);
        if (t == nullptr || !t->lastIsSum)
            continue;
        for (const std::size_t column : {std::size_t(1), std::size_t(2)}) {
            double sum = 0;
            for (std::size_t r = 0; r + 1 < t->rows.size(); ++r)
                sum += *t->rows[r][column].value;
            const double total = *t->rows.back()[column].value;
            QVERIFY2(std::abs(sum / total - 1) < 1e-9, t->caption.c_str());
        }
        ++sums;
    }
    QCOMPARE(sums, 3); // memory, step, cost
}

void TestReport::inputsAreTheChangedOnes()
{
    const auto s = subject(Language::English, R"(, "facility": {"supply_c": 31})");
    const std::string md = report::toMarkdown(report::reportOf({s}, Language::English, "1"));
    QVERIFY(md.find("facility.supply\\_c") != std::string::npos);
    QVERIFY(md.find("A \\<plan\\> \\| with & marks") != std::string::npos);
    QVERIFY(md.find("Clusterwright 1") != std::string::npos);
    const auto json = report::reportJson({s}, Language::English, "1");
    QCOMPARE(json["plans"][0]["inputs"]["facility.supply_c"].get<double>(), 31.0);
    QVERIFY(!json["plans"][0]["inputs"].contains("facility.coolant_rise"));
}

void TestReport::oneFile()
{
    const auto s = subject();
    const std::string html = report::toHtml(report::reportOf({s}, Language::English, "1"));
    QVERIFY(html.find("<svg") != std::string::npos);
    QVERIFY(html.find("--page:") != std::string::npos); // the style is in it
    for (const char* outside : {"<link", "<script", "src=", "url(", "@import"})
        QVERIFY2(html.find(outside) == std::string::npos, outside);
    QCOMPARE(report::toHtml(report::reportOf({s}, Language::English, "1")), html);
}

void TestReport::moneyAndDays()
{
    QCOMPARE(report::figureCell(1.25e6, Unit::Money, "CNY").text, std::string("CNY 1.25 M"));
    QCOMPARE(report::figureCell(12.5, Unit::Money, "USD").text, std::string("USD 12.5"));
    QCOMPARE(report::figureCell(104.13, Unit::Days, "USD").text, std::string("104.1 d"));
    QCOMPARE(report::figureCell(23140, Unit::Days, "USD").text, std::string("23140 d (63.35 a)"));
    QCOMPARE(report::figureCell(671e9, Unit::Parameters, "USD").text, std::string("671 B"));
    QCOMPARE(report::figureCell(1.2e28, Unit::Flop, "USD").text, std::string("1.200e+28 FLOP"));
}

void TestReport::nesting()
{
    nlohmann::ordered_json root;
    report::putAt(root, "a.stages.1.w", 2);
    report::putAt(root, "a.stages.0.w", 1);
    report::putAt(root, "a.b", 3);
    QCOMPARE(root.dump(), std::string(R"({"a":{"stages":[{"w":1},{"w":2}],"b":3}})"));
}

void TestReport::phasesAreListed()
{
    const auto phases = [](const report::Subject& s) -> const Table* {
        static Document d;
        d = report::summaryOf(s, Language::English);
        for (const report::Block& block : d.blocks)
            if (const Table* t = std::get_if<Table>(&block); t && t->caption == "Phases of the run")
                return t;
        return nullptr;
    };
    QVERIFY(!phases(subject()));
    const auto s = subject(Language::English,
                           R"(, "workload": {"training_tokens": 1e12, "phases": [
                               {"name": "a", "training_tokens": 4e11},
                               {"name": "b", "training_tokens": 6e11}]})");
    const Table* t = phases(s);
    QVERIFY(t);
    QCOMPARE(t->rows.size(), std::size_t(3));
    QVERIFY(t->lastIsSum);
    for (const auto& row : t->rows)
        QCOMPARE(row.size(), t->columns.size());
    QCOMPARE(t->rows[0].front().text, std::string("a"));
    // The last row sums the others.
    const std::size_t days = t->columns.size() - 2;
    const auto at = [&](std::size_t row) {
        return t->rows[row][days].value.value_or(0);
    };
    QVERIFY(at(2) > 0);
    QVERIFY(std::fabs(at(0) + at(1) - at(2)) < 1e-9 * at(2));
}

QTEST_GUILESS_MAIN(TestReport)
#include "tst_report.moc"
