// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>

#include "model/calibrate/calibration.h"
#include "model/chip/roofline.h"
#include "model/evaluation/evaluation.h"
#include "model/scenario/presets.h"
#include "model/text/catalogue.h"

// A user's measurements: constants found again from synthetic ones, refusals, and bad files.

using namespace cw;
using calibrate::Calibrated;
using calibrate::Calibration;
using calibrate::Measurement;
using calibrate::Refused;
using scenario::Format;

namespace {

scenario::Scenario machine()
{
    scenario::Scenario s;
    scenario::applyPreset(s, "model", "llama3.1-8b");
    scenario::applyPreset(s, "cluster", "dgx-h100");
    scenario::applyPreset(s, "software", "nemo");
    s.cluster.chips = 64;
    s.workload.globalBatchSequences = 128;
    return s;
}

const Calibrated* found(const Calibration& c, const std::string& name)
{
    const auto it = std::find_if(c.constants.begin(), c.constants.end(),
                                 [&](const Calibrated& k) { return k.name == name; });
    return it == c.constants.end() ? nullptr : &*it;
}

const Refused* refused(const Calibration& c, const std::string& name)
{
    const auto it = std::find_if(c.refused.begin(), c.refused.end(),
                                 [&](const Refused& k) { return k.name == name; });
    return it == c.refused.end() ? nullptr : &*it;
}

/// A table of products as a machine with these constants would run them, with noise.
std::vector<Measurement> products(scenario::Scenario plan, double ceiling, double ramp,
                                  double noise, unsigned seed)
{
    plan.cluster.chip.efficiency.matrix[static_cast<std::size_t>(Format::Bf16)] = ceiling;
    plan.cluster.chip.efficiency.kRamp = ramp;
    std::mt19937 engine(seed);
    std::normal_distribution<double> normal(0, noise);
    std::vector<Measurement> all;
    for (const double size : {4096.0, 8192.0, 16384.0})
        for (const double k : {512.0, 1024.0, 2048.0, 4096.0, 8192.0, 16384.0}) {
            Measurement m;
            m.m = m.n = size;
            m.k = k;
            m.seconds = calibrate::predictedSeconds(plan, m) * std::exp(normal(engine));
            all.push_back(m);
        }
    return all;
}

} // namespace

class TestCalibration : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void constantsAreFoundAgain_data();
    void constantsAreFoundAgain();
    void confidenceCoversWhatItClaims();
    void linksAreFoundFromCollectives();
    void whatNothingDependsOnIsRefused();
    void whatIsSeenTogetherIsRefused();
    void aFileStartsAPart();
    void ncclTestsAreRead();
    void ncclTestsWithoutNameAreAsked();
    void tablesAreRead_data();
    void tablesAreRead();
    void badTablesAreFaults_data();
    void badTablesAreFaults();
};

void TestCalibration::constantsAreFoundAgain_data()
{
    QTest::addColumn<double>("ceiling");
    QTest::addColumn<double>("ramp");
    QTest::addColumn<double>("noise");
    QTest::newRow("exact") << 0.62 << 600.0 << 0.0;
    QTest::newRow("one percent") << 0.70 << 900.0 << 0.01;
    QTest::newRow("three percent") << 0.66 << 800.0 << 0.03;
}

void TestCalibration::constantsAreFoundAgain()
{
    QFETCH(const double, ceiling);
    QFETCH(const double, ramp);
    QFETCH(const double, noise);
    const auto plan = machine();
    const Calibration c = calibrate::calibrate(plan, products(plan, ceiling, ramp, noise, 7));
    const Calibrated* bf16 = found(c, "bf16");
    const Calibrated* k = found(c, "k_ramp");
    QVERIFY(bf16 != nullptr && k != nullptr);
    // Within three standard errors, and those are no wider than the noise allows.
    QVERIFY2(std::fabs(std::log(bf16->value / ceiling)) < 3 * bf16->deviation + 0.005,
             qPrintable(QString::number(bf16->value)));
    QVERIFY2(std::fabs(std::log(k->value / ramp)) < 3 * k->deviation + 0.03,
             qPrintable(QString::number(k->value)));
    QVERIFY(bf16->deviation < 0.04);
    QVERIFY(c.medianAfter < c.medianBefore + 0.002);
    QCOMPARE(c.residuals.size(), std::size_t{18});
}

void TestCalibration::confidenceCoversWhatItClaims()
{
    // 80% intervals of forty tables: 32 expected, standard deviation 2.5; the noise is told from
    // each table alone, and what is expected of it widens those of quiet ones.
    const auto plan = machine();
    int covered = 0;
    for (unsigned seed = 1; seed <= 40; ++seed) {
        const Calibration c = calibrate::calibrate(plan, products(plan, 0.7, 900, 0.03, seed));
        const Calibrated* bf16 = found(c, "bf16");
        QVERIFY(bf16 != nullptr);
        QVERIFY(bf16->low < bf16->value && bf16->value < bf16->high);
        covered += bf16->low <= 0.7 && 0.7 <= bf16->high ? 1 : 0;
    }
    QVERIFY2(covered >= 24, qPrintable(QString::number(covered)));
}

void TestCalibration::linksAreFoundFromCollectives()
{
    const auto plan = machine();
    auto true_ = plan;
    true_.cluster.chip.efficiency.scaleUp = 0.55;
    true_.cluster.chip.efficiency.scaleOut = 0.40;
    true_.software.constants.collectiveLatencyAcross = 3e-5;
    std::vector<Measurement> all;
    for (const double ranks : {8.0, 64.0})
        for (double bytes = 1024; bytes < 5e9; bytes *= 8) {
            Measurement m;
            m.kind = Measurement::Kind::Collective;
            m.operation = calibrate::Collective::AllGather;
            m.ranks = ranks;
            m.bytes = bytes;
            m.seconds = calibrate::predictedSeconds(true_, m);
            all.push_back(m);
        }
    const Calibration c = calibrate::calibrate(plan, all);
    const Calibrated* up = found(c, "scale_up");
    const Calibrated* out = found(c, "scale_out");
    QVERIFY(up != nullptr && out != nullptr);
    QVERIFY2(std::fabs(up->value / 0.55 - 1) < 0.03, qPrintable(QString::number(up->value)));
    QVERIFY2(std::fabs(out->value / 0.40 - 1) < 0.03, qPrintable(QString::number(out->value)));
    QVERIFY(found(c, "collective_latency_across") != nullptr);
    QVERIFY(found(c, "bf16") == nullptr);
}

void TestCalibration::whatNothingDependsOnIsRefused()
{
    const auto plan = machine();
    const Calibration c = calibrate::calibrate(plan, products(plan, 0.7, 900, 0.0, 1));
    for (const char* name : {"attention", "scale_out", "scale_up", "maturity"}) {
        const Refused* r = refused(c, name);
        QVERIFY2(r != nullptr, name);
        QVERIFY(r->why == Refused::Why::Untouched);
        QVERIFY(text::Catalogue::of(text::Language::English).has(text::Section::Messages, r->by));
    }
}

void TestCalibration::whatIsSeenTogetherIsRefused()
{
    // One K: the ceiling and the ramp multiply, and no number of repetitions tells them apart.
    const auto plan = machine();
    auto slow = plan;
    slow.cluster.chip.efficiency.matrix[static_cast<std::size_t>(Format::Bf16)] = 0.6;
    std::vector<Measurement> all(10);
    for (Measurement& m : all) {
        m.m = m.n = 8192;
        m.k = 1024;
        m.seconds = calibrate::predictedSeconds(slow, m);
    }
    const Calibration c = calibrate::calibrate(plan, all);
    const Refused* k = refused(c, "k_ramp");
    QVERIFY(k != nullptr);
    QVERIFY(k->why == Refused::Why::Confounded);
    QCOMPARE(k->with, std::string("bf16"));
    const auto after = calibrate::calibratedPlan(plan, c);
    QCOMPARE(after.cluster.chip.efficiency.kRamp, plan.cluster.chip.efficiency.kRamp);
}

void TestCalibration::aFileStartsAPart()
{
    const auto plan = machine();
    const Calibration c = calibrate::calibrate(plan, products(plan, 0.62, 600, 0, 1));
    const std::string file = calibrate::calibrationFile("mine", plan, c).dump();
    auto other = machine();
    QVERIFY(calibrate::applyCalibrationFile(other, "cluster.chip", file).empty());
    const auto& e = other.cluster.chip.efficiency;
    QVERIFY(std::fabs(*e.matrix[static_cast<std::size_t>(Format::Bf16)] - 0.62) < 0.01);
    QVERIFY(*e.matrix[static_cast<std::size_t>(Format::Bf16)] ==
            *calibrate::calibratedPlan(plan, c)
                 .cluster.chip.efficiency.matrix[static_cast<std::size_t>(Format::Bf16)]);
    QCOMPARE(other.cluster.chip.preset, plan.cluster.chip.preset);
    for (const char* bad :
         {"", "[", "{}", "[1]", R"({"values": {"efficiency": {"hbm": 7}}})",
          R"({"values": {"nonsense": 1}})", R"({"base": "none", "values": {}})"}) {
        auto kept = machine();
        QVERIFY2(!calibrate::applyCalibrationFile(kept, "cluster.chip", bad).empty(), bad);
        QVERIFY(kept == machine());
    }
}

void TestCalibration::ncclTestsAreRead()
{
    // As nccl-tests 2.13 print it on two nodes, shortened. [nccl-tests, README.md]
    const std::string output = R"(# nThread 1 nGpus 1 minBytes 8 maxBytes 1073741824 step: 2(factor)
# Collective test starting: all_reduce_perf
#
# Using devices
#  Rank  0 Group  0 Pid   9109 on     node-a device  0 [0x10] NVIDIA H100 80GB HBM3
#  Rank  1 Group  0 Pid   9110 on     node-a device  1 [0x20] NVIDIA H100 80GB HBM3
#  Rank  2 Group  0 Pid   9111 on     node-b device  0 [0x10] NVIDIA H100 80GB HBM3
#  Rank  3 Group  0 Pid   9112 on     node-b device  1 [0x20] NVIDIA H100 80GB HBM3
#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
           0             0     float     sum      -1     0.05    0.00    0.00      0     0.04    0.00    0.00      0
        1024           256     float     sum      -1    28.50    0.04    0.05      0    28.10    0.04    0.05      0
  1073741824     268435456     float     sum      -1   8500.0  126.32  189.48      0   8510.0  126.17  189.26      0
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 94.7
)";
    scenario::Faults faults;
    const auto all = calibrate::readMeasurements("out.txt", output, machine(), faults);
    QVERIFY(faults.empty());
    QCOMPARE(all.size(), std::size_t{2});
    QVERIFY(all[0].operation == calibrate::Collective::AllReduce);
    QCOMPARE(all[0].ranks, 4.0);
    QCOMPARE(all[0].perDomain, 2.0);
    QCOMPARE(all[0].bytes, 1024.0);
    QCOMPARE(all[0].seconds, 28.5e-6);
    QCOMPARE(all[1].seconds, 8500e-6);
    QCOMPARE(all[1].place, std::string("line 15"));
    // 2 (n-1)/n of the algorithm bandwidth: what the file itself says. [PERFORMANCE.md]
    QVERIFY(std::fabs(calibrate::busFactor(calibrate::Collective::AllReduce, 4) * 126.32 - 189.48) <
            0.01);
}

void TestCalibration::ncclTestsWithoutNameAreAsked()
{
    const auto outputOf = [](const char* line) {
        std::string text = "# out-of-place busbw\n";
        for (int rank = 0; rank < 8; ++rank)
            text += "#  Rank  " + std::to_string(rank) + " Group  0 Pid 1 on h device 0\n";
        return text + line + "\n";
    };
    scenario::Faults faults;
    // Older all-reduce, without a root column: the ratio 2 * 7/8 is its alone.
    auto all = calibrate::readMeasurements(
        "a", outputOf("1048576 262144 float sum 100.0 10.49 18.35 4e-07 99.0 10.6 18.5 4e-07"),
        machine(), faults);
    QVERIFY(faults.empty());
    QCOMPARE(all.size(), std::size_t{1});
    QVERIFY(all[0].operation == calibrate::Collective::AllReduce);
    QCOMPARE(all[0].seconds, 1e-4);
    // 7/8 is that of three operations.
    all = calibrate::readMeasurements(
        "b", outputOf("1048576 32768 float none -1 100.0 10.49 9.18 0 99.0 10.6 9.2 0"), machine(),
        faults);
    QVERIFY(all.empty());
    QCOMPARE(faults.size(), std::size_t{1});
    QCOMPARE(faults[0].code, std::string("calibrate.nccl-operation"));
}

void TestCalibration::tablesAreRead_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("seconds");
    QTest::newRow("GEMM in us") << "m,n,k,precision,time_us\n4096,4096,4096,bf16,250\n" << 250e-6;
    // 2 * 4096^3 / 500e12
    QTest::newRow("GEMM by rate") << "M, N, K, TFLOPS\n4096, 4096, 4096, 500\n"
                                  << 2 * 4096.0 * 4096.0 * 4096.0 / 500e12;
    QTest::newRow("tabs, comment, CRLF") << "# mine\nm\tn\tk\ttime_ms\r\n4096\t4096\t4096\t0.25\r\n"
                                         << 0.25e-3;
    // 7/8 * 8e9 / 350e9
    QTest::newRow("collective by bus bandwidth")
        << "operation,bytes,ranks,busbw_gb_s\nall_gather,8000000000,8,350\n"
        << 0.02;
    QTest::newRow("part") << "part,time_ms\ntensor_comm,12.5\n" << 12.5e-3;
    QTest::newRow("parts as JSON") << R"({"parts_ms": {"time": 1250}})" << 1.25;
}

void TestCalibration::tablesAreRead()
{
    QFETCH(const QString, text);
    QFETCH(const double, seconds);
    scenario::Faults faults;
    const auto all = calibrate::readMeasurements("t", text.toStdString(), machine(), faults);
    QVERIFY2(faults.empty(), faults.empty() ? "" : faults[0].code.c_str());
    QCOMPARE(all.size(), std::size_t{1});
    QVERIFY2(std::fabs(all[0].seconds / seconds - 1) < 1e-12,
             qPrintable(QString::number(all[0].seconds)));
    QVERIFY(!all[0].label.empty());
}

void TestCalibration::badTablesAreFaults_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("code");
    const auto row = [](const char* name, const char* text, const char* code) {
        QTest::newRow(name) << QByteArray(text) << QString::fromLatin1(code);
    };
    row("empty", "", "calibrate.empty");
    row("blank", " \n\t\n", "calibrate.empty");
    row("header alone", "m,n,k,time_us\n", "calibrate.empty");
    row("no header", "1,2,3\n4,5,6\n", "calibrate.header");
    row("no figure", "m,n,k\n1,2,3\n", "calibrate.header");
    row("two figures", "m,n,k,time_us,tflops\n1,2,3,4,5\n", "calibrate.one-figure");
    row("NaN", "m,n,k,time_us\n4096,4096,4096,nan\n", "fault.not-finite");
    row("infinite", "m,n,k,time_us\n4096,4096,inf,2\n", "fault.not-finite");
    row("negative", "m,n,k,time_us\n4096,4096,4096,-5\n", "fault.range");
    row("zero", "m,n,k,time_us\n4096,4096,0,5\n", "fault.range");
    row("absurd", "m,n,k,time_us\n1e30,4096,4096,5\n", "fault.range");
    row("fraction", "m,n,k,time_us\n4096.5,4096,4096,900\n", "fault.whole");
    row("unit in the cell", "m,n,k,time_us\n4096,4096,4096,250us\n", "calibrate.number");
    row("words", "m,n,k,time_us\na,b,c,d\n", "calibrate.number");
    row("missing cell", "m,n,k,time_us\n4096,4096,4096\n", "calibrate.cells");
    row("above the peak", "m,n,k,time_us\n8192,8192,8192,100\n", "calibrate.above-peak");
    row("precision", "m,n,k,precision,time_us\n4096,4096,4096,bf17,900\n", "fault.choice");
    row("operation", "operation,bytes,ranks,time_us\nall-dance,1,2,3\n", "fault.choice");
    row("one rank", "operation,bytes,ranks,time_us\nall-reduce,100,1,3\n", "fault.range");
    row("part", "part,time_ms\nlunch,3\n", "fault.choice");
    row("no JSON", "{\"parts_ms\": ", "fault.syntax");
    row("no parts", "{\"parts_ms\": {}}", "calibrate.empty");
    row("bad part", "{\"parts_ms\": {\"time\": null}}", "fault.range");
    row("no rows", "[]", "calibrate.empty");
    row("numbers", "[1]", "fault.type");
    row("empty row", "[{}]", "calibrate.row");
    row("zeros", QByteArray("\0\0\0", 3).constData(), "calibrate.empty");
    row("nccl without results", "# out-of-place busbw\n", "calibrate.nccl-empty");
}

void TestCalibration::badTablesAreFaults()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QString, code);
    scenario::Faults faults;
    const auto all = calibrate::readMeasurements("t", text.toStdString(), machine(), faults);
    QVERIFY(!faults.empty());
    QCOMPARE(QString::fromStdString(faults[0].code), code);
    QVERIFY(all.empty());
    const auto& words = text::Catalogue::of(text::Language::Chinese);
    QVERIFY(words.has(text::Section::Messages, faults[0].code));
}

QTEST_APPLESS_MAIN(TestCalibration)
#include "tst_calibration.moc"
