// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <QtCore/QTemporaryDir>

#include <nlohmann/json.hpp>

#include "app/cli/program.h"

// `validate` with refits and `calibrate` from the terminal.

using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kPlan = R"({"format": "clusterwright-plan", "version": 1, "name": "P",
 "model": {"preset": "llama3.1-70b"}, "cluster": {"preset": "dgx-h100", "chips": 512},
 "software": {"preset": "nemo"}, "parallelism": {"tensor": 8, "pipeline": 4}})";

struct Answer
{
    int status = 0;
    std::string out;
    std::string err;
};

Answer run(const std::vector<std::string>& arguments, const std::string& input = kPlan)
{
    std::vector<const char*> argv{"clusterwright-cli"};
    for (const std::string& a : arguments)
        argv.push_back(a.c_str());
    std::istringstream in(input);
    std::ostringstream out;
    std::ostringstream err;
    const int status =
        cw::cli::run(static_cast<int>(argv.size()), argv.data(), cw::cli::Streams{in, out, err});
    return {status, out.str(), err.str()};
}

std::string measured(const char* file)
{
    return std::string(CLUSTERWRIGHT_TEST_DATA) + "/../../resources/measured/" + file;
}

} // namespace

class TestCliCalibrate : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aTableBecomesAPreset();
    void formsOfTheAnswer_data();
    void formsOfTheAnswer();
    void hostileTables_data();
    void hostileTables();
    void nothingDeterminedIsSaid();
    void sourcesLeftOut();
    void bandsAreWritten();

private:
    std::string write(const char* name, const std::string& text) const
    {
        const std::string path = m_folder->filePath(QString::fromLatin1(name)).toStdString();
        std::ofstream(path) << text;
        return path;
    }
    /// Products at 0.6 of the H100's peak before a ramp of 700.
    std::string table() const
    {
        std::ostringstream text;
        text << "m,n,k,precision,time_us\n";
        for (const double size : {4096.0, 8192.0, 16384.0})
            for (const double k : {1024.0, 4096.0, 16384.0}) {
                const double share = 0.6 * k / (k + 700);
                text << size << "," << size << "," << k << ",bf16,"
                     << 2 * size * size * k / (989e12 * share) * 1e6 << "\n";
            }
        return text.str();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestCliCalibrate::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

void TestCliCalibrate::aTableBecomesAPreset()
{
    const std::string in = write("gemm.csv", table());
    const std::string out = m_folder->filePath("mine.json").toStdString();
    const Answer a = run({"calibrate", "-", in, "-o", out, "--format", "json"});
    QVERIFY2(a.status == 0, a.err.c_str());
    std::ifstream written(out);
    const Json file = Json::parse(written);
    QCOMPARE(file["kind"].get<std::string>(), std::string("chip"));
    QCOMPARE(file["base"].get<std::string>(), std::string("h100-sxm"));
    const double bf16 = file["values"]["efficiency"]["matrix"]["bf16"];
    QVERIFY2(std::fabs(bf16 / 0.6 - 1) < 0.02, std::to_string(bf16).c_str());
    QVERIFY(!file["calibration"]["refused"].empty());
    QCOMPARE(file["calibration"]["residuals"].size(), std::size_t{9});
    QCOMPARE(file.dump(), Json::parse(a.out).dump());
    // It can be used where a preset can.
    const Answer before = run({"evaluate", "-", "--format", "json"});
    const Answer after =
        run({"evaluate", "-", "--set", "cluster.chip.preset=" + out, "--format", "json"});
    QVERIFY2(after.status == 0, after.err.c_str());
    QVERIFY(Json::parse(after.out)["step"]["time_s"].get<double>() >
            Json::parse(before.out)["step"]["time_s"].get<double>());
    const std::string broken = write("broken.json", "{\"values\": {\"efficiency\": {\"hbm\": 9}}}");
    const Answer refused = run({"evaluate", "-", "--set", "cluster.chip.preset=" + broken});
    QCOMPARE(refused.status, 2);
    QVERIFY(refused.out.empty());
}

void TestCliCalibrate::formsOfTheAnswer_data()
{
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("holds");
    QTest::newRow("text") << "text"
                          << "cluster.chip.efficiency.matrix.bf16";
    QTest::newRow("markdown") << "markdown"
                              << "| cluster.chip.efficiency.k\\_ramp";
    QTest::newRow("csv") << "csv"
                         << "file,place,label,measured_s";
    QTest::newRow("json") << "json"
                          << "\"log_deviation\"";
}

void TestCliCalibrate::formsOfTheAnswer()
{
    QFETCH(const QString, format);
    QFETCH(const QString, holds);
    const std::string in = write("gemm.csv", table());
    for (const char* language : {"en", "zh_CN"}) {
        const Answer a =
            run({"calibrate", "-", in, "-o", m_folder->filePath("o.json").toStdString(), "--format",
                 format.toStdString(), "--language", language});
        QVERIFY2(a.status == 0, a.err.c_str());
        QVERIFY2(a.out.find(holds.toStdString()) != std::string::npos, a.out.c_str());
    }
}

void TestCliCalibrate::hostileTables_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("lines");
    QTest::newRow("empty") << QByteArray("") << 1;
    QTest::newRow("two bad lines")
        << QByteArray("m,n,k,time_us\n1024,1024,1024,nan\n1024,-1,1024,5\n") << 2;
    QTest::newRow("mixed units") << QByteArray("m,n,k,tflops\n1024,1024,1024,700000\n") << 1;
    QTest::newRow("binary") << QByteArray("\x7f\x45\x4c\x46\x02\x01\x00\xff\n\xfe", 10) << 1;
    QTest::newRow("deep") << QByteArray(100000, '[') << 1;
}

void TestCliCalibrate::hostileTables()
{
    QFETCH(const QByteArray, text);
    QFETCH(const int, lines);
    const std::string in = write("bad.csv", text.toStdString());
    const std::string out = m_folder->filePath("none.json").toStdString();
    const Answer a = run({"calibrate", "-", in, "-o", out});
    QCOMPARE(a.status, 3);
    QVERIFY(a.out.empty());
    QVERIFY2(std::count(a.err.begin(), a.err.end(), '\n') == lines, a.err.c_str());
    QVERIFY2(a.err.rfind(in + ": ", 0) == 0, a.err.c_str());
    QVERIFY(!std::filesystem::exists(out));
}

void TestCliCalibrate::nothingDeterminedIsSaid()
{
    // One part of the step that no constant of the list moves by more than was known.
    const std::string in = write("one.csv", "m,n,k,time_us\n8,8,8,5\n");
    const std::string out = m_folder->filePath("none.json").toStdString();
    const Answer a = run({"calibrate", "-", in, "-o", out});
    QVERIFY2(a.status == 0 || a.status == 3, a.err.c_str());
    QCOMPARE(std::filesystem::exists(out), a.status == 0);
    QVERIFY(a.status == 0 || !a.err.empty());
}

void TestCliCalibrate::sourcesLeftOut()
{
    const Answer a = run({"validate", measured("simumax_b200.json"), measured("zero_bubble.json"),
                          "--calibrate-rows", "3", "--format", "json"});
    QVERIFY2(a.status == 0, a.err.c_str());
    const Json j = Json::parse(a.out);
    QCOMPARE(j["leave_one_source_out"]["rows"].size(), std::size_t{28 + 65});
    QCOMPARE(j["calibrated_on_rows"]["rows"].size(), std::size_t{25 + 62});
    QVERIFY(!j["constants"].empty());
    double left = 0;
    double own = 0;
    for (const Json& s : j["leave_one_source_out"]["summary"])
        if (s["group"] == "all")
            left = s["median_abs_error"];
    for (const Json& s : j["calibrated_on_rows"]["summary"])
        if (s["group"] == "all")
            own = s["median_abs_error"];
    QVERIFY2(own < left, (std::to_string(own) + " " + std::to_string(left)).c_str());
    // The same doubles on every run.
    const Answer again =
        run({"validate", measured("simumax_b200.json"), measured("zero_bubble.json"),
             "--calibrate-rows", "3", "--format", "json"});
    QVERIFY(again.out == a.out);
}

void TestCliCalibrate::bandsAreWritten()
{
    const std::string out = m_folder->filePath("bands.json").toStdString();
    const Answer a = run({"validate", measured("zero_bubble.json"), "--write-bands", out});
    QVERIFY2(a.status == 0, a.err.c_str());
    std::ifstream written(out);
    const Json bands = Json::parse(written);
    QVERIFY(!bands["classes"].empty());
    for (const Json& c : bands["classes"])
        QVERIFY(c["low"].get<double>() <= c["high"].get<double>() && c["rows"].get<int>() > 0);
}

QTEST_APPLESS_MAIN(TestCliCalibrate)
#include "tst_clicalibrate.moc"
