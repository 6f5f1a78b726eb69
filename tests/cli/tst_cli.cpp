// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <algorithm>
#include <cmath>
#include <sstream>

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>

#include <nlohmann/json.hpp>

#include "app/cli/output.h"
#include "app/cli/program.h"
#include "app/cli/session.h"
#include "model/text/nearest.h"

using cw::cli::Streams;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kPlan = R"({"format": "clusterwright-plan", "version": 1, "name": "P",
 "model": {"preset": "llama3.1-70b"}, "cluster": {"preset": "dgx-h100", "chips": 512},
 "parallelism": {"tensor": 8, "pipeline": 4}})";

struct Answer
{
    int status = 0;
    std::string out;
    std::string err;
    std::vector<std::string> lines() const
    {
        std::vector<std::string> all;
        std::istringstream in(err);
        for (std::string line; std::getline(in, line);)
            all.push_back(line);
        return all;
    }
    Json json() const { return Json::parse(out, nullptr, false); }
};

/// Runs the program with this on standard input.
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

std::string deep(int levels)
{
    return std::string(static_cast<std::size_t>(levels), '[') +
           std::string(static_cast<std::size_t>(levels), ']');
}

std::string planWith(const std::string& members)
{
    return R"({"format": "clusterwright-plan", "version": 1, "model": {"preset": "llama3.1-8b"}, )" +
           members + "}";
}

} // namespace

class TestCli : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void badInput_data();
    void badInput();
    void severalFaultsAtOnce();
    void commandLine_data();
    void commandLine();
    void settings();
    void presetSetting();
    void evaluationJson();
    void everyExampleAnswers();
    void languageChangesMessagesOnly();
    void notices();
    void explains();
    void csv();
    void infeasibleIsAnAnswer();
    void presets();
    void exports();
    void report_data();
    void report();
    void sites();
    void fill();
    void bench();
    void allocates();
    void helpEverywhere();
    void sha256();
    void nearest();
};

void TestCli::badInput_data()
{
    QTest::addColumn<std::string>("input");
    QTest::addColumn<std::string>("start");
    QTest::newRow("empty") << std::string() << std::string("-: /: ");
    QTest::newRow("truncated") << std::string(kPlan).substr(0, 60) << std::string("-: /: ");
    QTest::newRow("no plan") << std::string("[1, 2]") << std::string("-: /");
    QTest::newRow("other format") << std::string(R"({"format": "other", "version": 1})")
                                  << std::string("-: /format: ");
    QTest::newRow("newer") << std::string(R"({"format": "clusterwright-plan", "version": 99})")
                           << std::string("-: /version: ");
    QTest::newRow("deep") << planWith("\"training\": " + deep(5000)) << std::string("-: /");
    QTest::newRow("huge") << std::string(17U << 20U, ' ') << std::string("-: /: ");
    QTest::newRow("NaN") << planWith(R"("cluster": {"chips": NaN})") << std::string("-: /: ");
    QTest::newRow("infinite") << planWith(R"("economics": {"per_usd": 1e999})")
                              << std::string("-: /");
    QTest::newRow("layers") << planWith(R"("parallelism": {"pipeline": 1000000000000000000})")
                            << std::string("-: /parallelism/pipeline: ");
    QTest::newRow("wrong type") << planWith(R"("parallelism": {"tensor": "eight"})")
                                << std::string("-: /parallelism/tensor: ");
    QTest::newRow("unknown preset") << std::string(R"({"format": "clusterwright-plan", "version": 1,
                           "model": {"preset": "llama3.1-70"}})")
                                    << std::string("-: /model/preset: ");
}

void TestCli::badInput()
{
    QFETCH(std::string, input);
    QFETCH(std::string, start);
    const Answer a = run({"evaluate", "-"}, input);
    QCOMPARE(a.status, 3);
    QCOMPARE(a.out, std::string());
    QVERIFY2(!a.lines().empty(), "nothing was said");
    for (const std::string& line : a.lines())
        QVERIFY2(line.rfind("-: /", 0) == 0, line.c_str());
    QVERIFY2(a.err.rfind(start, 0) == 0, a.err.c_str());
    QVERIFY2(a.err.find('{') == std::string::npos, a.err.c_str()); // no placeholder is left
}

void TestCli::severalFaultsAtOnce()
{
    const Answer a =
        run({"evaluate", "-"}, planWith(R"("parallelism": {"tensor": "x", "pipeline": -1},
        "cluster": {"chips": 1.5, "chip": {"preset": "h100sxm"}},
        "software": {"attention": "flash-9"})"));
    QCOMPARE(a.status, 3);
    const std::vector<std::string> pointers{"/parallelism/tensor", "/parallelism/pipeline",
                                            "/cluster/chips", "/cluster/chip/preset",
                                            "/software/attention"};
    for (const std::string& pointer : pointers)
        QVERIFY2(a.err.find("-: " + pointer + ": ") != std::string::npos, pointer.c_str());
    QCOMPARE(a.lines().size(), pointers.size());
    QVERIFY(a.err.find("h100-sxm") != std::string::npos); // the nearest that there is
}

void TestCli::commandLine_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const char* arguments, const char* says) {
        QTest::newRow(name) << QString::fromUtf8(arguments).split(QLatin1Char(' '),
                                                                  Qt::SkipEmptyParts)
                            << QString::fromUtf8(says);
    };
    row("nothing", "", "--help");
    row("unknown command", "evalute -", "evaluate");
    row("no plan", "evaluate", "PLAN");
    row("unknown option", "evaluate - --fast", "--fast");
    row("unknown format", "evaluate - --format xml", "markdown");
    row("unknown language", "evaluate - --language fr", "zh_CN");
    row("set form", "evaluate - --set parallelism.tensor", "PATH=VALUE");
    row("set path", "evaluate - --set parallelism.tensr=4", "parallelism.tensor");
    row("set kind", "evaluate - --set parallelism.tensor=abc", "abc");
    row("set range", "evaluate - --set parallelism.tensor=0", "parallelism.tensor=0");
    row("set fraction", "evaluate - --set parallelism.tensor=1.5", "1.5");
    row("set choice", "evaluate - --set parallelism.schedule=best", "zero-bubble-v");
    row("set preset", "evaluate - --set cluster.chip.preset=h100sxm", "h100-sxm");
    row("set unit", "evaluate - --set cluster.chip.power_limit=3GB", "3GB");
    row("quantity", "explain - step.tim", "step.time_s");
    row("preset", "presets show chip h100-smx", "h100-sxm");
    row("preset kind", "presets show chips h100-sxm", "system");
    row("ending", "report - -o x.doc", ".html");
    row("pdf", "report - -o x.pdf", ".html");
    row("as", "export - --as foo -o x", "expectations");
    row("budget below", "allocate - --days -1", "--days -1");
    row("budget no number", "allocate - --cost nan", "nan");
    row("budget overflows", "allocate - --energy-j 1e400", "1e400");
    row("two budgets", "allocate - --days 3 --cost 5", "--cost");
    row("law", "allocate - --law chinchila", "chinchilla-corrected");
    row("objective", "allocate - --objective fame", "tokens");
}

void TestCli::commandLine()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    std::vector<std::string> words;
    for (const QString& a : arguments)
        words.push_back(a.toStdString());
    const Answer a = run(words);
    QCOMPARE(a.status, 2);
    QCOMPARE(a.out, std::string());
    QCOMPARE(a.lines().size(), std::size_t(1));
    QVERIFY2(a.err.find(says.toStdString()) != std::string::npos, a.err.c_str());
}

void TestCli::settings()
{
    const auto value = [](const std::string& setting, const char* figure) {
        const Answer a = run({"evaluate", "-", "--format", "json", "--set", setting});
        return a.status == 0 ? a.json().at(Json::json_pointer(figure)).get<double>() : -1.0;
    };
    QCOMPARE(value("cluster.chip.hbm_bytes=96GiB", "/memory/capacity_bytes"), 96.0 * 1073741824.0);
    QCOMPARE(value("workload.training_tokens=10T", "/run/tokens"), 1e13);
    const double slow = value("cluster.chip.hbm_bandwidth=1TB/s", "/step/time_s");
    QVERIFY(slow > value("cluster.chip.hbm_bandwidth=3.35TB/s", "/step/time_s"));
    QCOMPARE(value("cluster.chip.hbm_bandwidth=1e12", "/step/time_s"), slow);
    // In the order given; an option takes one word, not the next as well.
    const Answer a = run({"evaluate", "--set", "workload.training_tokens=1T", "--set",
                          "workload.training_tokens=2T", "-", "--format", "json"});
    QCOMPARE(a.status, 0);
    QCOMPARE(a.json()["run"]["tokens"].get<double>(), 2e12);
}

void TestCli::presetSetting()
{
    const Answer a =
        run({"evaluate", "-", "--format", "json", "--set", "cluster.chip.preset=h200-sxm"});
    QCOMPARE(a.status, 0);
    const Answer b = run({"evaluate", "-", "--format", "json"});
    QVERIFY(a.json()["memory"]["capacity_bytes"].get<double>() >
            1.5 * b.json()["memory"]["capacity_bytes"].get<double>());
}

void TestCli::evaluationJson()
{
    const Answer a = run({"evaluate", "-", "--format", "json"});
    QCOMPARE(a.status, 0);
    QCOMPARE(a.err, std::string());
    const Json j = a.json();
    QVERIFY(j.is_object());
    for (const char* member : {"feasible", "assumptions", "bands", "violations", "advice",
                               "parameters", "flops", "memory", "host_link", "step", "throughput",
                               "topology", "run", "power", "cooling", "cost"})
        QVERIFY2(j.contains(member), member);
    double sum = 0;
    for (const char* part : {"compute_s", "bubble_s", "tensor_comm_s", "context_comm_s",
                             "expert_comm_s", "pipeline_comm_s", "data_comm_s", "offload_s",
                             "optimizer_s", "data_loading_s", "host_s", "jitter_s", "recompute_s"})
        sum += j["step"][part].get<double>();
    const double time = j["step"]["time_s"].get<double>();
    QVERIFY(time > 0);
    QVERIFY(std::abs(sum / time - 1) < 1e-12);
    QCOMPARE(j["memory"]["stages"].size(), std::size_t(4));
    const std::string verdict = j["memory"]["verdict"];
    QVERIFY(verdict == "fits" || verdict == "borderline" || verdict == "does-not-fit");
    const Json stage = j["memory"]["stages"][j["memory"]["peak_stage"].get<std::size_t>()];
    QCOMPARE(stage["reserved"].get<double>(), j["memory"]["reserved_bytes"].get<double>());
    QVERIFY(j["power"]["average"]["facility_w"].get<double>() > 0);
    QVERIFY(!j["topology"]["tiers"].empty());
    QCOMPARE(j["cost"]["currency"].get<std::string>(), std::string("USD"));
    QVERIFY(!j["assumptions"].empty());
    for (const Json& assumption : j["assumptions"])
        for (const char* member : {"path", "value", "status", "source"})
            QVERIFY2(assumption.contains(member), assumption.dump().c_str());
    for (const auto& [quantity, band] : j["bands"].items())
        QVERIFY2(band["low"].get<double>() <= band["high"].get<double>(), quantity.c_str());
}

void TestCli::everyExampleAnswers()
{
    const Answer list = run({"presets", "list", "example", "--format", "json"});
    QCOMPARE(list.status, 0);
    for (const Json& example : list.json()) {
        const std::string id = example["id"];
        const Answer a = run({"evaluate", id, "--format", "json"});
        QVERIFY2(a.status == 0, (id + ": " + a.err).c_str());
        QVERIFY2(a.json().is_object(), id.c_str());
        QVERIFY2(run({"evaluate", id}).status == 0, id.c_str());
    }
}

void TestCli::languageChangesMessagesOnly()
{
    const std::vector<std::string> base{"evaluate", "-",     "--format",
                                        "json",     "--set", "parallelism.tensor=7"};
    auto chinese = base;
    chinese.insert(chinese.end(), {"--language", "zh_CN"});
    Json a = run(base).json();
    Json b = run(chinese).json();
    QVERIFY(!a["violations"].empty());
    QVERIFY(a["violations"] != b["violations"]);
    QCOMPARE(a["violations"][0]["rule"].get<std::string>(),
             b["violations"][0]["rule"].get<std::string>());
    for (Json* j : {&a, &b})
        for (const char* list : {"violations", "advice", "assumptions"})
            j->erase(list);
    for (Json* j : {&a, &b})
        for (Json& tier : (*j)["topology"]["tiers"])
            tier.erase("label");
    QVERIFY(a == b);
    const Answer text = run({"--language", "zh_CN", "evaluate", "-"});
    QVERIFY(text.out.find("单步时间") != std::string::npos);
    const Answer fault = run({"evaluate", "nowhere", "--language=zh_CN"});
    QCOMPARE(fault.status, 3);
    QVERIFY(fault.err.find("没有这个文件") != std::string::npos);
}

void TestCli::notices()
{
    const Answer a = run({"evaluate", "-"}, planWith(R"("parallelism": {"tensr": 8})"));
    QCOMPARE(a.status, 0);
    QCOMPARE(a.lines().size(), std::size_t(1));
    QVERIFY2(a.err.rfind("-: /parallelism/tensr: ", 0) == 0, a.err.c_str());
    QVERIFY(!a.out.empty());
}

void TestCli::explains()
{
    const Answer a = run({"explain", "-", "step.time_s", "--format", "json"});
    QCOMPARE(a.status, 0);
    const Json j = a.json();
    QCOMPARE(j["quantity"].get<std::string>(), std::string("step.time_s"));
    QVERIFY(j["value"].get<double>() > 0);
    QVERIFY(!j["formula"].get<std::string>().empty());
    QVERIFY(j["inputs"].size() > 3);
    for (const Json& input : j["inputs"])
        QVERIFY(input.contains("name") && (input.contains("source") || input.contains("formula")));
    const Answer shallow = run({"explain", "-", "step.time_s", "--depth", "0"});
    const Answer deepest = run({"explain", "-", "step.time_s", "--depth", "100"});
    QVERIFY(shallow.out.size() < deepest.out.size());
    QCOMPARE(deepest.status, 0);
    // An input says where in the plan it stands, and how well it is known.
    QVERIFY(deepest.out.find("[parallelism.tensor, chosen]") != std::string::npos);
}

void TestCli::csv()
{
    const Answer a = run({"evaluate", "-", "--format", "csv"});
    QCOMPARE(a.status, 0);
    std::istringstream in(a.out);
    std::string line;
    std::getline(in, line);
    QCOMPARE(line, std::string("quantity,value,unit\r"));
    const Json j = run({"evaluate", "-", "--format", "json"}).json();
    bool found = false;
    while (std::getline(in, line)) {
        QCOMPARE(std::count(line.begin(), line.end(), ','), 2);
        if (line.rfind("step.time_s,", 0) == 0) {
            found = true;
            QCOMPARE(std::stod(line.substr(12)), j["step"]["time_s"].get<double>());
        }
    }
    QVERIFY(found);
}

void TestCli::infeasibleIsAnAnswer()
{
    const Answer a = run({"evaluate", "-", "--format", "json", "--set", "parallelism.tensor=7"});
    QCOMPARE(a.status, 0);
    const Json j = a.json();
    QCOMPARE(j["feasible"].get<bool>(), false);
    for (const Json& v : j["violations"]) {
        QVERIFY(!v["message"].get<std::string>().empty());
        QVERIFY2(v["message"] != v["rule"], v.dump().c_str());
    }
}

void TestCli::presets()
{
    const Answer list = run({"presets", "list", "chip", "--format", "json"});
    QCOMPARE(list.status, 0);
    QVERIFY(list.json().size() > 20);
    for (const Json& p : list.json()) {
        const std::string id = p["id"];
        const Answer shown = run({"presets", "show", "chip", id});
        QVERIFY2(shown.status == 0 && shown.out.find("cluster.chip.") != std::string::npos,
                 id.c_str());
    }
    const Answer json = run({"presets", "show", "h100-sxm", "--format", "json"});
    QCOMPARE(json.json()["id"].get<std::string>(), std::string("h100-sxm"));
}

void TestCli::exports()
{
    const QTemporaryDir folder;
    const std::string file = folder.filePath(QStringLiteral("p.clusterwright")).toStdString();
    const Answer a = run({"export", "-", "--as", "plan", "-o", file});
    QCOMPARE(a.status, 0);
    QFile written(QString::fromStdString(file));
    QVERIFY(written.open(QIODevice::ReadOnly));
    const std::string content = written.readAll().toStdString();
    QCOMPARE(a.out, cw::cli::sha256Of(content) + "  " + file + "\n");
    QCOMPARE(run({"evaluate", file, "--format", "csv"}).out,
             run({"evaluate", "-", "--format", "csv"}).out);
    for (const char* as : {"tsv", "expectations"})
        QCOMPARE(run({"export", "-", "--as", as, "-o", file}).status, 0);
}

void TestCli::report_data()
{
    QTest::addColumn<std::string>("ending");
    for (const char* ending : {"html", "md", "csv", "json"})
        QTest::newRow(ending) << std::string(ending);
}

void TestCli::report()
{
    QFETCH(std::string, ending);
    const QTemporaryDir folder;
    for (const char* language : {"en", "zh_CN"}) {
        const QString file = folder.filePath(QString::fromStdString("r." + ending));
        const Answer a =
            run({"report", "-", "superpod-8192", "-o", file.toStdString(), "--language", language});
        QVERIFY2(a.status == 0, a.err.c_str());
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const std::string content = written.readAll().toStdString();
        QVERIFY(content.size() > 10000);
        QVERIFY(content.find("report.") == std::string::npos); // no key without a text
        if (ending == "json")
            QCOMPARE(Json::parse(content)["plans"].size(), std::size_t(2));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
    }
}

void TestCli::sites()
{
    const Json j = run({"sites", "deepseek-v3-h800", "--format", "json"}).json();
    QCOMPARE(j["sites"].size(), std::size_t(7));
    for (const Json& site : j["sites"]) {
        QVERIFY(site["grid_limit_w"].get<double>() > 0);
        QVERIFY(site["pue"].get<double>() > 1);
        QVERIFY(site["violations"].is_array());
    }
    QCOMPARE(j["sites"][4]["site"].get<std::string>(), std::string("guiyang"));
    // Keys stay, words follow the language.
    const Json zh =
        run({"sites", "deepseek-v3-h800", "--format", "json", "--language", "zh_CN"}).json();
    QCOMPARE(zh["sites"][4]["name"].get<std::string>(), std::string("贵阳"));
    QCOMPARE(zh["sites"][4]["cost"].get<double>(), j["sites"][4]["cost"].get<double>());
    const auto told = run({"sites", "deepseek-v3-h800"});
    for (const char* site : {"Frankfurt", "Ulanqab", "Guiyang", "Nordic"})
        QVERIFY2(told.out.find(site) != std::string::npos, site);
}

void TestCli::fill()
{
    const auto told = run({"fill", "deepseek-v3-h800", "dgx-h100", "--power", "5MW"});
    QVERIFY(told.out.find("DGX H100") != std::string::npos);
    const Json j =
        run({"fill", "deepseek-v3-h800", "dgx-h100", "--power", "5MW", "--format", "json"}).json();
    QCOMPARE(j["power_w"].get<double>(), 5e6);
    QCOMPARE(j["machines"].size(), std::size_t(2));
    QVERIFY(j["machines"][0]["system"].is_null());
    QVERIFY(j["machines"][1]["layout"]["searched"].get<bool>());
    QVERIFY(j["machines"][1]["facility_w"].get<double>() <= 5e6);
    // Not even one replica: told as over the power, not as a fit.
    QVERIFY(run({"fill", "deepseek-v3-h800", "--power", "1W", "--format", "json"})
                .json()["machines"][0]["over_power"]
                .get<bool>());
    QCOMPARE(run({"fill", "deepseek-v3-h800", "--power", "much"}).status, 2);
    QCOMPARE(run({"fill", "deepseek-v3-h800", "no-such", "--power", "5MW"}).status, 2);
}

void TestCli::bench()
{
    const Json j = run({"bench", "--format", "json"}).json();
    QVERIFY(j["evaluate_us"].get<double>() > 0);
    QVERIFY(j["evaluate_core_us"].get<double>() > 0);
    QVERIFY(j["threads"].get<int>() >= 1);
}

void TestCli::allocates()
{
    const std::string small = planWith(
        R"("cluster": {"preset": "dgx-h100", "chips": 8}, "facility": {"rack_power_limit": 1e6})");
    const Answer a = run({"allocate", "-", "--days", "1", "--format", "json"}, small);
    QCOMPARE(a.status, 0);
    QCOMPARE(a.err, std::string()); // no bar where there is no terminal
    const Json answer = a.json();
    QCOMPARE(answer.at("steps").size(), std::size_t(3));
    const Json& best = answer.at("best");
    QVERIFY(best.at("days").get<double>() <= 1.001);
    // The answer, set in the plan, gives the same loss.
    std::vector<std::string> again{"evaluate", "-", "--format", "json"};
    for (const auto& [path, value] : best.at("set").items())
        again.insert(again.end(), {"--set", path + "=" + value.dump()});
    const Answer e = run(again, small);
    QVERIFY2(e.status == 0, e.err.c_str());
    QCOMPARE(e.json().at("run").at("loss").get<double>(), best.at("loss").get<double>());
    for (const char* format : {"text", "csv", "markdown"}) {
        const Answer told = run({"allocate", "-", "--days", "1", "--format", format}, small);
        QCOMPARE(told.status, 0);
        QVERIFY(told.out.find("model.hidden") != std::string::npos);
    }
    // A plan that no layout of fits is an answer too.
    const Answer none = run(
        {"allocate", "-", "--days", "1", "--format", "json", "--set", "software.fixed_bytes=1e12"},
        small);
    QCOMPARE(none.status, 0);
    QVERIFY(none.json().at("best").is_null());
}

void TestCli::helpEverywhere()
{
    for (const char* command : {"evaluate", "explain", "validate", "export", "report", "presets",
                                "sites", "fill", "bench"})
        for (const char* language : {"en", "zh_CN"}) {
            const Answer a = run({command, "--help", "--language", language});
            QCOMPARE(a.status, 0);
            QVERIFY2(a.out.find("--language") != std::string::npos, command);
            QVERIFY2(a.out.find("cli.") == std::string::npos, a.out.c_str());
            QCOMPARE(a.err, std::string());
        }
    QCOMPARE(run({"--help"}).status, 0);
    QVERIFY(run({"--version"}).out.rfind("clusterwright-cli ", 0) == 0);
}

void TestCli::sha256()
{
    // FIPS 180-4, examples of the standard.
    QCOMPARE(cw::cli::sha256Of("abc"),
             std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    QCOMPARE(cw::cli::sha256Of(""),
             std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
}

void TestCli::nearest()
{
    const std::vector<std::string> words{"parallelism.tensor", "parallelism.context", "chips"};
    QCOMPARE(cw::text::nearestOf("tensor", words), std::string("parallelism.tensor"));
    QCOMPARE(cw::text::nearestOf("chpis", words), std::string("chips"));
    QCOMPARE(cw::text::nearestOf("x", {}), std::string());
    QCOMPARE(cw::cli::oneLine("a\nb\tc"), std::string("a b c"));
}

QTEST_GUILESS_MAIN(TestCli)
#include "tst_cli.moc"
