// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <algorithm>
#include <sstream>

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>

#include <nlohmann/json.hpp>

#include "app/cli/program.h"

// What the terminal program says of the network.

using cw::cli::Streams;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kPlan = R"({"format": "clusterwright-plan", "version": 1, "name": "P",
 "model": {"preset": "llama3.1-70b"}, "cluster": {"preset": "dgx-h100", "chips": 512},
 "parallelism": {"tensor": 8, "pipeline": 4}})";

constexpr const char* kNccl = "# all_reduce_perf\n"
                              "#       size   count   type   redop   root   time   algbw   busbw\n"
                              "  1073741824   268435456   float   sum   -1   100.0   20.0   31.0\n";

struct Answer
{
    int status = 0;
    std::string out;
    std::string err;
};

Answer run(std::vector<std::string> arguments, const std::string& input = kPlan)
{
    std::vector<const char*> argv{"clusterwright-cli"};
    for (const std::string& a : arguments)
        argv.push_back(a.c_str());
    std::istringstream in(input);
    std::ostringstream out;
    std::ostringstream err;
    const int status =
        cw::cli::run(static_cast<int>(argv.size()), argv.data(), Streams{in, out, err});
    return {status, out.str(), err.str()};
}

std::string write(const QTemporaryDir& dir, const char* name, const char* text)
{
    QFile file(dir.filePath(QString::fromLatin1(name)));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) < 0)
        qFatal("%s", name);
    return file.fileName().toStdString();
}

QByteArray read(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestCliNetwork : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void evaluateTellsTraffic();
    void evaluateTellsItInText();
    void rankMap();
    void importTakesMeasurements();
    void importRefuses();
    void bestPlace();
    void faultsCost();
};

void TestCliNetwork::evaluateTellsTraffic()
{
    const Json e = Json::parse(run({"evaluate", "-", "--format", "json"}).out);
    QVERIFY(e["traffic"]["tensor"]["inside_bytes"].get<double>() > 0);
    QVERIFY(e["traffic"]["tensor"]["across_bytes"].get<double>() == 0);
    QCOMPARE(e["traffic"]["tiers"].size(), e["topology"]["tiers"].size());
    QVERIFY(e["traffic"]["links"].size() >= 2); // domains; chips on leaves of one level
    QVERIFY(e["traffic"]["hottest"]["hottest"].get<double>() > 0);
    double links = 0;
    for (const Json& l : e["traffic"]["links"])
        if (l["tier"] != "topology.tier_scale_up")
            links += l["count"].get<double>();
    QCOMPARE(links, e["topology"]["links"].get<double>());
    QCOMPARE(e["topology"]["scale_up_switches"].get<double>(), 64.0 * 4);
    // The kinds' bytes in each tier sum to what they send.
    for (const char* kind : {"tensor", "pipeline", "data"}) {
        double sum = 0;
        for (const Json& tier : e["traffic"]["tiers"])
            sum += tier[kind].get<double>();
        const double all = e["traffic"][kind]["bytes"].get<double>();
        QVERIFY(std::abs(sum - all) <= 1e-9 * all);
    }
    QVERIFY(run({"evaluate", "-", "--format", "csv"}).out.find("traffic.tensor.bytes") !=
            std::string::npos);
}

void TestCliNetwork::evaluateTellsItInText()
{
    for (const char* format : {"text", "markdown"})
        QVERIFY(run({"evaluate", "-", "--format", format}).out.find("Traffic of one chip") !=
                std::string::npos);
}

void TestCliNetwork::rankMap()
{
    const QTemporaryDir dir;
    const std::string csv = dir.filePath(QStringLiteral("map.csv")).toStdString();
    QCOMPARE(run({"export", "-", "--as", "rank-map", "-o", csv}).status, 0);
    const QList<QByteArray> lines = read(csv).trimmed().split('\n');
    QCOMPARE(lines.size(), 513);
    QVERIFY(lines.front().startsWith("job,rank,chip,site,pod,rack,node"));
    QCOMPARE(lines.at(1).count(','), lines.front().count(','));
    const std::string json = dir.filePath(QStringLiteral("map.json")).toStdString();
    QCOMPARE(run({"export", "-", "--as", "rank-map", "-o", json}).status, 0);
    const Json map = Json::parse(read(json).toStdString());
    QCOMPARE(map["map"].size(), std::size_t(512));
    QCOMPARE(map["map"][9]["groups"]["tensor"]["member"].get<int>(), 1);
}

void TestCliNetwork::importTakesMeasurements()
{
    const QTemporaryDir dir;
    const std::string log = write(dir, "all_reduce.txt", kNccl);
    const std::string plan = write(dir, "p.clusterwright", kPlan);
    QCOMPARE(run({"import", "nccl-tests", log, "--into", plan}).status, 0);
    const Json saved = Json::parse(read(plan).toStdString());
    const Json& measured = saved["cluster"]["network"]["measured"];
    QCOMPARE(measured.size(), std::size_t(1));
    QCOMPARE(measured[0]["bus_bandwidth"].get<double>(), 31e9);
    // Taken in again, it takes its own place; to standard output where the plan came from there.
    QCOMPARE(run({"import", "nccl-tests", log, "--into", plan}).status, 0);
    QCOMPARE(Json::parse(read(plan).toStdString())["cluster"]["network"]["measured"].size(),
             std::size_t(1));
    const Answer out = run({"import", "nccl-tests", log, "--into", "-"});
    QCOMPARE(out.status, 0);
    QVERIFY(Json::parse(out.out).contains("cluster"));
}

void TestCliNetwork::importRefuses()
{
    const QTemporaryDir dir;
    const std::string plan = write(dir, "p.clusterwright", kPlan);
    const std::string log = write(dir, "empty.txt", "nothing\n");
    const QByteArray before = read(plan);
    const Answer a = run({"import", "perftest", log, "--into", plan});
    QCOMPARE(a.status, 3);
    QVERIFY(a.err.find("empty.txt") != std::string::npos);
    QCOMPARE(read(plan), before);
    QCOMPARE(run({"import", "perftest", log}).status, 2); // --into is missing
    QCOMPARE(run({"import", "iperf2", log, "--into", plan}).status, 2);
    QCOMPARE(run({"import", "iperf3", "/no/such/file", "--into", plan}).status, 3);
}

void TestCliNetwork::bestPlace()
{
    const auto step = [](const Answer& a) {
        return Json::parse(a.out)["step"]["time_s"].get<double>();
    };
    const Answer given = run({"evaluate", "-", "--format", "json"});
    const Answer best = run({"evaluate", "-", "--place", "best", "--format", "json"});
    QCOMPARE(best.status, 0);
    QVERIFY(step(best) <= step(given));
    QVERIFY(!best.err.empty());
}

void TestCliNetwork::faultsCost()
{
    std::string plan = kPlan;
    plan.replace(plan.find("\"chips\": 512"), 12,
                 "\"chips\": 512, \"network\": {\"faults\": [{\"part\": \"link\", \"share\": 0.02, "
                 "\"rate\": 0.6}]}");
    const Json e = Json::parse(run({"evaluate", "-", "--format", "json"}, plan).out);
    const Json& faults = e["traffic"]["faults"];
    QVERIFY(faults["step_s"].get<double>() > 0);
    QVERIFY(std::abs(faults["step_without_s"].get<double>() + faults["step_s"].get<double>() -
                     e["step"]["time_s"].get<double>()) < 0.05 * e["step"]["time_s"].get<double>());
}

QTEST_APPLESS_MAIN(TestCliNetwork)
#include "tst_cli_network.moc"
