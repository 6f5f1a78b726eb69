// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/evaluation/evaluation.h"
#include "model/evaluation/quantities.h"
#include "model/scenario/plan.h"
#include "resources/embedded.h"

// The worked examples: each is a plan, and its stated right values come out of the model.

using namespace cw;
using nlohmann::json;

namespace {

constexpr double kTolerance = 0.001;

std::string faultsText(const scenario::Faults& faults)
{
    std::string all;
    for (const scenario::Fault& f : faults) {
        all += f.pointer + " " + f.code;
        for (const auto& [name, value] : f.arguments)
            all += " " + name + "=" + value;
        all += "\n";
    }
    return all;
}

/// CJK ideographs start with these bytes in UTF-8.
bool hasChinese(const std::string& text)
{
    for (const char c : text)
        if (const auto byte = static_cast<unsigned char>(c); byte >= 0xe4 && byte <= 0xe9)
            return true;
    return false;
}

scenario::Plan read(const QByteArray& file)
{
    auto reading = scenario::readPlan(resources::file(file.constData()));
    if (!reading.plan)
        qFatal("%s: %s", file.constData(), faultsText(reading.faults).c_str());
    return std::move(*reading.plan);
}

void addExamples()
{
    QTest::addColumn<QByteArray>("file");
    for (const std::string_view name : resources::filesBelow("examples/")) {
        const QByteArray file(name.data(), static_cast<qsizetype>(name.size()));
        QTest::newRow(file.constData()) << file;
    }
}

} // namespace

class ExamplesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void thereAreExamples();
    void readsWithoutFaults_data() { addExamples(); }
    void readsWithoutFaults();
    void isToldInBothLanguages_data() { addExamples(); }
    void isToldInBothLanguages();
    void isFeasible_data() { addExamples(); }
    void isFeasible();
    void expectationsHold_data() { addExamples(); }
    void expectationsHold();
    void wideTolerancesAreExplained_data() { addExamples(); }
    void wideTolerancesAreExplained();
};

void ExamplesTest::thereAreExamples()
{
    const auto files = resources::filesBelow("examples/");
    QVERIFY(files.size() >= 40);
    const std::set<std::string_view> names(files.begin(), files.end());
    for (const char* id : {"superpod-8192", "deepseek-v3-h800", "llama3-405b-h100"})
        QVERIFY2(names.count("examples/" + std::string(id) + ".clusterwright") == 1, id);
}

void ExamplesTest::readsWithoutFaults()
{
    QFETCH(QByteArray, file);
    const std::string_view text = resources::file(file.constData());
    const auto reading = scenario::readPlan(text);
    QVERIFY2(reading.faults.empty(), faultsText(reading.faults).c_str());
    QVERIFY2(reading.notices.empty(), faultsText(reading.notices).c_str());
    QVERIFY(reading.plan.has_value());
    QVERIFY(!reading.plan->name.empty());
    // Presets and overrides alone: the numbers follow the presets of this version.
    QVERIFY(!json::parse(text).contains("resolved"));
}

void ExamplesTest::isToldInBothLanguages()
{
    QFETCH(QByteArray, file);
    const json example = json::parse(read(file).example);
    for (const char* part : {"title", "claim", "answer", "note"}) {
        const std::string en = example.at(part).at("en");
        const std::string zh = example.at(part).at("zh_CN");
        QVERIFY2(!en.empty() && !zh.empty(), part);
        QVERIFY2(!hasChinese(en), part);
        // "10 TB" needs no word.
        QVERIFY2(hasChinese(zh) || en == zh || std::string(part) == "answer", part);
    }
    const std::set<std::string> holds{"yes", "no", "question"};
    QCOMPARE(holds.count(example.at("holds").get<std::string>()), std::size_t(1));
    const std::set<std::string> categories{"compute",  "memory", "network",
                                           "failures", "power",  "ladders"};
    QCOMPARE(categories.count(example.at("category").get<std::string>()), std::size_t(1));
}

void ExamplesTest::isFeasible()
{
    QFETCH(QByteArray, file);
    const scenario::Plan plan = read(file);
    const auto e = evaluation::evaluate(plan.scenario);
    std::string why(evaluation::nameOf(e.memory.verdict));
    for (const scenario::Violation& v : e.violations)
        why += "\n" + v.path + " " + v.rule;
    const bool infeasible = json::parse(plan.example).value("infeasible", false);
    QVERIFY2(e.feasible != infeasible, why.c_str());
}

void ExamplesTest::expectationsHold()
{
    QFETCH(QByteArray, file);
    const scenario::Plan plan = read(file);
    const auto e = evaluation::evaluate(plan.scenario);
    const json expect = json::parse(plan.expect);
    QVERIFY(expect.is_array() && !expect.empty());
    for (const json& x : expect) {
        const std::string quantity = x.at("quantity");
        const double wanted = x.at("value");
        const auto got = evaluation::figure(e, quantity);
        QVERIFY2(got.has_value(), quantity.c_str());
        const double off = std::fabs(*got - wanted);
        const std::string told =
            quantity + ": " + std::to_string(*got) + ", expected " + std::to_string(wanted);
        QVERIFY2(off <= x.value("tolerance", kTolerance) * std::fabs(wanted), told.c_str());
    }
}

void ExamplesTest::wideTolerancesAreExplained()
{
    QFETCH(QByteArray, file);
    const scenario::Plan plan = read(file);
    const std::string note = json::parse(plan.example).at("note").at("en");
    for (const json& x : json::parse(plan.expect))
        if (x.value("tolerance", kTolerance) > kTolerance)
            QVERIFY2(note.find("Tolerance") != std::string::npos, file.constData());
}

QTEST_APPLESS_MAIN(ExamplesTest)
#include "tst_examples.moc"
