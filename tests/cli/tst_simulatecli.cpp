// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <cmath>
#include <sstream>

#include <nlohmann/json.hpp>

#include "app/cli/program.h"

using cw::cli::Streams;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kPlan = R"({"format": "clusterwright-plan", "version": 1, "name": "P",
 "model": {"preset": "llama3.1-70b"}, "cluster": {"preset": "dgx-h100", "chips": 4096},
 "parallelism": {"tensor": 8, "pipeline": 4}, "workload": {"training_tokens": 1e12}})";

struct Answer
{
    int status = 0;
    std::string out;
    std::string err;
};

Answer run(std::vector<std::string> arguments)
{
    std::vector<const char*> argv{"clusterwright-cli"};
    for (const std::string& a : arguments)
        argv.push_back(a.c_str());
    std::istringstream in(kPlan);
    std::ostringstream out;
    std::ostringstream err;
    const int status =
        cw::cli::run(static_cast<int>(argv.size()), argv.data(), Streams{in, out, err});
    return {status, out.str(), err.str()};
}

} // namespace

class TestSimulateCli : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void json();
    void sameSeedSameText_data();
    void sameSeedSameText();
    void badNumbersAreRefused();
    void phasesByCommandLine();
    void phaseFaultsNameTheirPlace();
};

void TestSimulateCli::json()
{
    const Answer a = run({"simulate", "-", "--runs", "50", "--seed", "7", "--format", "json"});
    QCOMPARE(a.status, 0);
    const Json j = Json::parse(a.out);
    QCOMPARE(j["runs"].get<int>(), 50);
    const double low = j["goodput"]["low"].get<double>();
    const double high = j["goodput"]["high"].get<double>();
    const double mean = j["goodput"]["mean"].get<double>();
    QVERIFY(low < mean && mean < high && high - low < 0.02);
    QVERIFY(std::abs(j["closed_form"].get<double>() - mean) < 2 * (high - low));
    double lost = 0;
    for (const char* part : {"start_up", "save", "lost_progress", "detection", "restore",
                             "stragglers", "health_checks", "other"})
        lost += j["lost_time"][part].get<double>();
    const double days = j["days"]["mean"].get<double>();
    QVERIFY(std::abs(lost / 86400 - days * (1 - mean)) < 1e-6 * days);
}

void TestSimulateCli::sameSeedSameText_data()
{
    QTest::addColumn<QString>("format");
    for (const char* format : {"text", "json", "csv", "markdown"})
        QTest::newRow(format) << QString::fromLatin1(format);
}

void TestSimulateCli::sameSeedSameText()
{
    QFETCH(QString, format);
    const auto with = [&](const char* seed, const char* language) {
        return run({"simulate", "-", "--runs", "9", "--seed", seed, "--format",
                    format.toStdString(), "--language", language});
    };
    const Answer a = with("3", "en");
    QCOMPARE(a.status, 0);
    QVERIFY(!a.out.empty());
    QCOMPARE(a.out, with("3", "en").out);
    QVERIFY(a.out != with("4", "en").out);
    QCOMPARE(with("3", "zh_CN").status, 0);
    QCOMPARE(with("3", "zh_CN").out == a.out, format == QStringLiteral("json"));
}

void TestSimulateCli::badNumbersAreRefused()
{
    QCOMPARE(run({"simulate", "-", "--runs", "0"}).status, 2);
    QCOMPARE(run({"simulate", "-", "--seed", "-1"}).status, 2);
    QCOMPARE(run({"simulate", "no-such-plan"}).status, 3);
}

void TestSimulateCli::phasesByCommandLine()
{
    const Answer a = run(
        {"evaluate", "-", "--format", "json", "--set",
         R"(workload.phases=[{"name":"a","training_tokens":6e11},{"name":"b","training_tokens":4e11}])",
         "--set", "workload.phases.1.set.precision.compute=fp8"});
    QCOMPARE(a.status, 0);
    const Json j = Json::parse(a.out);
    const Json& phases = j["run"]["phases"];
    QCOMPARE(phases.size(), std::size_t{2});
    QCOMPARE(phases[1]["name"].get<std::string>(), std::string("b"));
    QVERIFY(phases[1]["step_s"].get<double>() < phases[0]["step_s"].get<double>());
    QVERIFY(std::abs(phases[0]["days"].get<double>() + phases[1]["days"].get<double>() -
                     j["run"]["days"].get<double>()) < 1e-9);
}

void TestSimulateCli::phaseFaultsNameTheirPlace()
{
    const Answer a = run({"evaluate", "-", "--set", R"(workload.phases=[{"training_tokens":1e12}])",
                          "--set", "workload.phases.0.set.precision.compute=fp7"});
    QCOMPARE(a.status, 2);
    QVERIFY(a.err.find("fp7") != std::string::npos);
    QCOMPARE(run({"evaluate", "-", "--set", "workload.phases=[1]"}).status, 2);
    QCOMPARE(run({"evaluate", "-", "--set", "workload.phases={}"}).status, 2);
}

QTEST_APPLESS_MAIN(TestSimulateCli)
#include "tst_simulatecli.moc"
