// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <algorithm>
#include <cmath>

#include "model/network/collectives.h"
#include "model/scenario/presets.h"

// Collectives that others measured, beside what the formulas say of them, by message size. NCCL
// runs in one domain: a public set of performance files (2.27.3 on A100, 2.29.2 elsewhere); NVL72:
// CoreWeave; P6-B200 and MI300X: stas00/ml-engineering; 512 x B200: a published NDR 400 report;
// H800: an NCCL 2.12 report; expert exchange: DeepEP's README (normal kernels: 4,096 tokens, hidden
// 7168, top 8 of 256 experts, dispatch in fp8, at most four nodes a token).

using namespace cw;

namespace {

constexpr double kLarge = 0.25;
constexpr double kAll = 0.40;
constexpr double kExchange = 0.60;

enum class Op
{
    AllReduce,
    AllGather,
    ReduceScatter,
    AllToAll,
};

struct Point
{
    double bytes;
    double busGigabytes; ///< per second, as nccl-tests defines it
};

struct Row
{
    const char* system;
    int ranks;
    int domains;
    Op op;
    bool reducesInSwitch;
    std::vector<Point> points;
};

const Row kRows[] = {
    {"dgx-a100-80",
     8,
     1,
     Op::AllReduce,
     false,
     {{1048576, 47.2}, {16777216, 135.6}, {67108864, 197.3}, {536870912, 222.3}}},
    {"dgx-a100-80",
     8,
     1,
     Op::AllGather,
     false,
     {{1048576, 34.2}, {16777216, 108.7}, {67108864, 167.0}, {536870912, 205.3}}},
    {"dgx-a100-80",
     8,
     1,
     Op::ReduceScatter,
     false,
     {{1048576, 39.2}, {16777216, 119.0}, {67108864, 179.5}, {536870912, 212.8}}},
    {"dgx-a100-80",
     8,
     1,
     Op::AllToAll,
     false,
     {{1048576, 35.5}, {16777216, 128.4}, {67108864, 168.9}, {536870912, 203.1}}},
    {"dgx-h100",
     8,
     1,
     Op::AllReduce,
     false,
     {{1048576, 72.2}, {16777216, 240.8}, {67108864, 361.9}, {536870912, 445.0}}},
    {"dgx-h100",
     8,
     1,
     Op::AllGather,
     false,
     {{1048576, 53.6}, {16777216, 213.2}, {67108864, 282.1}, {536870912, 335.2}}},
    {"dgx-h100",
     8,
     1,
     Op::ReduceScatter,
     false,
     {{1048576, 62.7}, {16777216, 210.7}, {67108864, 292.5}, {536870912, 335.7}}},
    {"dgx-h100",
     8,
     1,
     Op::AllToAll,
     false,
     {{1048576, 58.8}, {16777216, 194.0}, {67108864, 265.4}, {536870912, 315.2}}},
    {"dgx-h200",
     8,
     1,
     Op::AllReduce,
     false,
     {{1048576, 70.2}, {16777216, 241.2}, {67108864, 367.4}, {536870912, 460.5}}},
    {"dgx-h200",
     8,
     1,
     Op::AllGather,
     false,
     {{1048576, 54.1}, {16777216, 219.4}, {67108864, 284.7}, {536870912, 336.8}}},
    {"dgx-h200",
     8,
     1,
     Op::ReduceScatter,
     false,
     {{1048576, 63.7}, {16777216, 211.4}, {67108864, 295.3}, {536870912, 337.1}}},
    {"dgx-h200",
     8,
     1,
     Op::AllToAll,
     false,
     {{1048576, 56.7}, {16777216, 199.9}, {67108864, 268.0}, {536870912, 311.1}}},
    {"dgx-b200",
     8,
     1,
     Op::AllReduce,
     false,
     {{1048576, 60.9}, {16777216, 296.4}, {67108864, 421.9}, {536870912, 704.0}}},
    {"dgx-b200",
     8,
     1,
     Op::AllGather,
     false,
     {{1048576, 49.2}, {16777216, 141.3}, {67108864, 427.0}, {536870912, 617.0}}},
    {"dgx-b200",
     8,
     1,
     Op::ReduceScatter,
     false,
     {{1048576, 45.0}, {16777216, 151.4}, {67108864, 431.0}, {536870912, 612.9}}},
    {"dgx-b200",
     8,
     1,
     Op::AllToAll,
     false,
     {{1048576, 48.9}, {16777216, 293.1}, {67108864, 422.9}, {536870912, 563.1}}},
    {"dgx-b300",
     8,
     1,
     Op::AllReduce,
     false,
     {{1048576, 64.3}, {16777216, 301.0}, {67108864, 430.5}, {536870912, 703.6}}},
    {"dgx-b300",
     8,
     1,
     Op::AllGather,
     false,
     {{1048576, 48.0}, {16777216, 146.2}, {67108864, 430.5}, {536870912, 620.6}}},
    {"dgx-b300",
     8,
     1,
     Op::ReduceScatter,
     false,
     {{1048576, 49.4}, {16777216, 153.8}, {67108864, 434.9}, {536870912, 614.2}}},
    {"dgx-b300",
     8,
     1,
     Op::AllToAll,
     false,
     {{1048576, 48.4}, {16777216, 300.3}, {67108864, 448.9}, {536870912, 580.0}}},
    {"gb200-nvl72",
     4,
     1,
     Op::AllReduce,
     false,
     {{1048576, 80.0}, {16777216, 251.2}, {67108864, 551.9}, {536870912, 628.1}}},
    {"gb200-nvl72",
     4,
     1,
     Op::AllGather,
     false,
     {{1048576, 52.0}, {16777216, 212.7}, {67108864, 464.9}, {536870912, 563.6}}},
    {"gb200-nvl72",
     4,
     1,
     Op::ReduceScatter,
     false,
     {{1048576, 53.8}, {16777216, 226.5}, {67108864, 465.3}, {536870912, 549.1}}},
    {"gb200-nvl72",
     4,
     1,
     Op::AllToAll,
     false,
     {{1048576, 44.1}, {16777216, 269.7}, {67108864, 402.9}, {536870912, 487.8}}},
    {"gb300-nvl72",
     4,
     1,
     Op::AllReduce,
     false,
     {{1048576, 82.4}, {16777216, 255.9}, {67108864, 561.4}, {536870912, 634.9}}},
    {"gb300-nvl72",
     4,
     1,
     Op::AllGather,
     false,
     {{1048576, 53.7}, {16777216, 217.4}, {67108864, 476.6}, {536870912, 571.7}}},
    {"gb300-nvl72",
     4,
     1,
     Op::ReduceScatter,
     false,
     {{1048576, 55.8}, {16777216, 230.8}, {67108864, 471.4}, {536870912, 555.6}}},
    {"gb300-nvl72",
     4,
     1,
     Op::AllToAll,
     false,
     {{1048576, 45.9}, {16777216, 273.0}, {67108864, 418.4}, {536870912, 512.0}}},
    {"gb200-nvl72",
     72,
     1,
     Op::AllReduce,
     false,
     {{512000000, 586.00},
      {1000000000, 681.00},
      {2000000000, 758.00},
      {4000000000, 839.00},
      {8000000000, 841.00}}},
    {"dgx-b200",
     32,
     4,
     Op::AllReduce,
     false,
     {{1048576, 5.40},
      {16777216, 64.00},
      {67108864, 157.00},
      {268435456, 229.00},
      {1073741824, 362.00},
      {4294967296, 377.00},
      {17179869184, 382.00}}},
    {"dgx-b200",
     512,
     64,
     Op::AllReduce,
     false,
     {{1000000, 0.96},
      {64000000, 17.00},
      {512000000, 92.00},
      {1000000000, 150.00},
      {8000000000, 283.00}}},
    {"dgx-b200", 512, 64, Op::AllGather, false, {{8000000000, 275.00}}},
    {"dgx-b200", 512, 64, Op::ReduceScatter, false, {{8000000000, 287.00}}},
    {"mi300x-ubb8", 8, 1, Op::AllReduce, false, {{4000000000, 313.00}}},
    {"hgx-h800", 8, 1, Op::AllReduce, false, {{4000000000, 215.00}}},
};

struct Exchange
{
    int ranks;
    double gigabytes; ///< per second of the bottleneck: NVLink within a node, else the NIC
};
const Exchange kDispatch[] = {{8, 153}, {16, 43}, {32, 58}, {64, 51}};

struct Machine
{
    explicit Machine(const char* system)
    {
        if (scenario::applyPreset(s, "cluster", system))
            qFatal("%s", system);
        s.cluster.chips = 1024;
    }
    network::Links<double> links(const network::GroupSpan<double>& group,
                                 network::TrafficKind kind) const
    {
        const scenario::Inputs<double> in(s);
        return network::linksFor(in, network::topology(in), group, kind);
    }
    scenario::Scenario s;
};

network::GroupSpan<double> spanOf(int ranks, int domains)
{
    network::GroupSpan<double> g;
    g.size = ranks;
    g.domains = domains;
    g.inside = g.size / g.domains;
    g.extent = ranks;
    return g;
}

/// Bus bandwidth in bytes/s of one collective.
double predicted(const Row& row, double bytes)
{
    const Machine machine(row.system);
    const auto group = spanOf(row.ranks, row.domains);
    const bool exchange = row.op == Op::AllToAll;
    const auto links =
        machine.links(group, exchange ? network::TrafficKind::Expert : network::TrafficKind::Data);
    const units::Bytes<double> whole(bytes);
    const double share = (group.size - 1) / group.size;
    switch (row.op) {
    case Op::AllReduce:
        return 2 * share * bytes / network::allReduce(group, links, whole).si();
    case Op::AllGather:
        return share * bytes / network::allGather(group, links, whole).si();
    case Op::ReduceScatter:
        return share * bytes / network::reduceScatter(group, links, whole).si();
    case Op::AllToAll:
        break;
    }
    return share * bytes / network::allToAll(group, links, whole).si();
}

double median(std::vector<double> errors)
{
    std::sort(errors.begin(), errors.end());
    return errors.empty() ? 0 : errors[errors.size() / 2];
}

const char* nameOf(Op op)
{
    const char* const names[] = {"all-reduce", "all-gather", "reduce-scatter", "all-to-all"};
    return names[static_cast<int>(op)];
}

} // namespace

class TestCollectiveRows : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void largeMessages();
    void allSizes();
    void growsWithTheMessage();
    void expertDispatch();
};

/// The rate that training sees: messages of 512 MB and more.
void TestCollectiveRows::largeMessages()
{
    std::vector<double> errors;
    for (const Row& row : kRows)
        for (const Point& p : row.points)
            if (p.bytes >= 5e8)
                errors.push_back(std::fabs(predicted(row, p.bytes) / 1e9 / p.busGigabytes - 1));
    const double m = median(errors);
    QVERIFY2(m < kLarge, qPrintable(QString::number(m)));
}

void TestCollectiveRows::allSizes()
{
    std::vector<double> errors;
    for (const Row& row : kRows)
        for (const Point& p : row.points) {
            const double rate = predicted(row, p.bytes) / 1e9;
            const double error = rate / p.busGigabytes - 1;
            errors.push_back(std::fabs(error));
            qInfo("%-16s %3d ranks %-14s %11.0f bytes: predicted %6.1f, measured %6.1f GB/s, "
                  "%+5.0f%%",
                  row.system, row.ranks, nameOf(row.op), p.bytes, rate, p.busGigabytes,
                  100 * error);
        }
    const double m = median(errors);
    qInfo("median of |error| over %d points: %.0f%%", static_cast<int>(errors.size()), 100 * m);
    QVERIFY2(m < kAll, qPrintable(QString::number(m)));
}

void TestCollectiveRows::growsWithTheMessage()
{
    for (const Row& row : kRows) {
        double last = 0;
        for (double bytes = 1 << 20; bytes < 1e10; bytes *= 4) {
            const double rate = predicted(row, bytes);
            QVERIFY(rate > last);
            last = rate;
        }
    }
}

void TestCollectiveRows::expertDispatch()
{
    const Machine machine("hgx-h800");
    for (const Exchange& e : kDispatch) {
        const int domains = std::max(1, e.ranks / 8);
        const auto group = spanOf(e.ranks, domains);
        const auto links = machine.links(group, network::TrafficKind::Expert);
        const units::Bytes<double> width(7168.0);
        const auto moved = network::dispatched(group, 4096.0, width, 256.0, 8.0, 4.0);
        const double time =
            network::expertExchange(group, links, 4096.0, width, 256.0, 8.0, 4.0).si();
        // Up to a node the bytes on NVLink count, then those that arrive over the NIC: the token's
        // own node among its four is told with them.
        const double counted =
            domains == 1 ? moved.inside.si() : moved.across.si() * domains / (domains - 1.0);
        const double rate = counted / time / 1e9;
        qInfo("DeepEP dispatch, EP %2d: predicted %5.1f, measured %5.1f GB/s, %+.0f%%", e.ranks,
              rate, e.gigabytes, 100 * (rate / e.gigabytes - 1));
        QVERIFY(std::fabs(rate / e.gigabytes - 1) < kExchange);
    }
}

QTEST_APPLESS_MAIN(TestCollectiveRows)
#include "tst_collective_rows.moc"
