// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include "model/exchange/measurements.h"

// The output of the tools as they print it, and what comes of it broken.

using namespace cw;
using exchange::MeasuringTool;
using exchange::readMeasurements;
using scenario::CollectiveOperation;
using scenario::NetworkTier;

namespace {

const char* const kNccl =
    R"(# nThread 1 nGpus 1 minBytes 8388608 maxBytes 1073741824 step: 4(factor)
#
# Using devices
#  Rank  0 Group  0 Pid 101 on    node-a device  0 [0x18] NVIDIA H100 80GB HBM3
#  Rank  1 Group  0 Pid 102 on    node-a device  1 [0x2a] NVIDIA H100 80GB HBM3
#  Rank  2 Group  0 Pid 201 on    node-b device  0 [0x18] NVIDIA H100 80GB HBM3
#  Rank  3 Group  0 Pid 202 on    node-b device  1 [0x2a] NVIDIA H100 80GB HBM3
#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
     8388608       2097152     float     sum      -1    382.1   21.95   32.93      0    380.0   22.08   33.11      0
  1073741824     268435456     float     sum      -1  38347.9   28.00   42.00      0  38340.0   28.01   42.01      0
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 37.5
)";

const char* const kPerftest =
    R"(---------------------------------------------------------------------------------------
                    RDMA_Write BW Test
 Dual-port       : OFF		Device         : mlx5_0
---------------------------------------------------------------------------------------
 #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]
 65536      5000             392.51             248.00 		   0.473022
---------------------------------------------------------------------------------------
)";

const char* const kIperfText = R"([ ID] Interval           Transfer     Bitrate         Retr
[  5]   0.00-10.00  sec  11.0 GBytes  9.42 Gbits/sec   12             sender
[  5]   0.00-10.04  sec  11.0 GBytes  9.41 Gbits/sec                  receiver
[SUM]   0.00-10.04  sec  21.9 GBytes  18.8 Gbits/sec                  receiver
)";

} // namespace

class TestMeasurements : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ncclTests();
    void ncclOperationAndTier();
    void perftest();
    void iperf3();
    void brokenInput_data();
    void brokenInput();
};

void TestMeasurements::ncclTests()
{
    const auto r =
        readMeasurements(MeasuringTool::NcclTests, kNccl, {"all_reduce_perf.txt", 2, false});
    QVERIFY(r.faults.empty());
    QCOMPARE(r.measured.size(), std::size_t(1)); // the largest message of an operation
    const auto& m = r.measured.front();
    QCOMPARE(m.operation, CollectiveOperation::AllReduce);
    QCOMPARE(m.tier, NetworkTier::ScaleOut);
    QCOMPARE(m.ranks, std::int64_t(4));
    QCOMPARE(m.bytes, 1073741824.0);
    QCOMPARE(m.busBandwidth, 42e9);
}

void TestMeasurements::ncclOperationAndTier()
{
    // A domain of 72 holds both hosts: their exchange stays inside.
    auto r = readMeasurements(MeasuringTool::NcclTests, kNccl, {"alltoall.log", 72, false});
    QCOMPARE(r.measured.front().operation, CollectiveOperation::AllToAll);
    QCOMPARE(r.measured.front().tier, NetworkTier::ScaleUp);
    // Two tests in one file, named by the lines between them.
    const std::string both =
        std::string("# all_gather_perf\n") + kNccl + "# alltoall_perf\n" + kNccl;
    r = readMeasurements(MeasuringTool::NcclTests, both, {"run.log", 2, false});
    QCOMPARE(r.measured.size(), std::size_t(2));
    QCOMPARE(r.measured[0].operation, CollectiveOperation::AllGather);
    QCOMPARE(r.measured[1].operation, CollectiveOperation::AllToAll);
}

void TestMeasurements::perftest()
{
    const auto r = readMeasurements(MeasuringTool::Perftest, kPerftest, {});
    QVERIFY(r.faults.empty());
    QCOMPARE(r.measured.size(), std::size_t(1));
    QCOMPARE(r.measured.front().operation, CollectiveOperation::SendReceive);
    QCOMPARE(r.measured.front().busBandwidth, 31e9); // 248 Gb/s
    const std::string mib = " #bytes #iterations BW peak[MB/sec] BW average[MB/sec] MsgRate[Mpps]\n"
                            " 65536 5000 1000.00 1000.00 0.016\n";
    QCOMPARE(readMeasurements(MeasuringTool::Perftest, mib, {}).measured.front().busBandwidth,
             1000.0 * 1048576);
}

void TestMeasurements::iperf3()
{
    auto r = readMeasurements(MeasuringTool::Iperf3, kIperfText, {"", 8, true});
    QCOMPARE(r.measured.size(), std::size_t(1));
    QCOMPARE(r.measured.front().tier, NetworkTier::Site);
    QCOMPARE(r.measured.front().busBandwidth, 18.8e9 / 8);
    r = readMeasurements(MeasuringTool::Iperf3,
                         R"({"end": {"sum_received": {"bytes": 1e10, "bits_per_second": 8e9}}})",
                         {});
    QCOMPARE(r.measured.front().busBandwidth, 1e9);
    QCOMPARE(r.measured.front().bytes, 1e10);
}

void TestMeasurements::brokenInput_data()
{
    QTest::addColumn<int>("tool");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("code");
    QTest::newRow("empty") << 0 << QByteArray() << QByteArray("fault.measured-none");
    QTest::newRow("a plan") << 0 << QByteArray("{\"format\": 1}")
                            << QByteArray("fault.measured-none");
    QTest::newRow("no operation") << 0 << QByteArray(kNccl)
                                  << QByteArray("fault.measured-operation");
    QTest::newRow("short row")
        << 0
        << QByteArray(
               "# all_reduce_perf\n# size count type redop root time algbw busbw\n 8 2 float\n")
        << QByteArray("fault.measured-row");
    QTest::newRow("not a number") << 0
                                  << QByteArray(
                                         "# all_reduce_perf\n# size time algbw busbw\n 8 1 1 nan\n")
                                  << QByteArray("fault.measured-row");
    QTest::newRow("perftest without average")
        << 1 << QByteArray(" #bytes #iterations t_min[usec]\n 2 1000 1.0 1.1\n")
        << QByteArray("fault.measured-row");
    QTest::newRow("perftest cut") << 1
                                  << QByteArray(
                                         " #bytes x BW peak[Gb/sec] BW average[Gb/sec]\n 8 1\n")
                                  << QByteArray("fault.measured-row");
    QTest::newRow("iperf3 broken JSON")
        << 2 << QByteArray("{\"end\": {") << QByteArray("fault.measured-none");
    QTest::newRow("iperf3 absurd")
        << 2 << QByteArray(R"({"end": {"sum_received": {"bits_per_second": 1e40}}})")
        << QByteArray("fault.measured-none");
    QTest::newRow("iperf3 not an object") << 2 << QByteArray(R"({"end": {"sum_received": [1]}})")
                                          << QByteArray("fault.measured-none");
}

void TestMeasurements::brokenInput()
{
    QFETCH(int, tool);
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, code);
    const auto r = readMeasurements(static_cast<MeasuringTool>(tool), text.toStdString(), {});
    QVERIFY(r.measured.empty());
    QVERIFY(!r.faults.empty());
    QCOMPARE(QByteArray::fromStdString(r.faults.front().code), code);
}

QTEST_APPLESS_MAIN(TestMeasurements)
#include "tst_measurements.moc"
