// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/collectives.h"

#include <QTest>

#include <cmath>
#include <functional>

#include "tests/model/scenario/testplans.h"

using namespace cw;
using namespace cw::network;
using units::Bytes;
using units::BytesPerSecond;
using units::Seconds;

namespace {

GroupSpan<double> span(double size, double inside)
{
    GroupSpan<double> g;
    g.size = size;
    g.inside = inside;
    g.domains = size / inside;
    g.extent = size;
    return g;
}

/// 400 GB/s and 1 us inside, 50 GB/s and 5 us across; a call costs 10 us inside, 20 across.
Links<double> links()
{
    Links<double> l;
    l.inside = BytesPerSecond<>(400e9);
    l.across = BytesPerSecond<>(50e9);
    l.latencyInside = Seconds<>(1e-6);
    l.latencyAcross = Seconds<>(5e-6);
    l.startInside = Seconds<>(10e-6);
    l.startAcross = Seconds<>(20e-6);
    return l;
}

using Collective = Seconds<> (*)(const GroupSpan<double>&, const Links<double>&,
                                 const Bytes<double>&);

Seconds<> exchange(const GroupSpan<double>& g, const Links<double>& l, const Bytes<double>& bytes)
{
    return expertExchange(g, l, bytes.si() / 1e4, Bytes<>(1e4), 256.0, 8.0, 0.0);
}

const std::vector<std::pair<const char*, Collective>> kAll{
    {"all-gather", &allGather<double>}, {"reduce-scatter", &reduceScatter<double>},
    {"all-reduce", &allReduce<double>}, {"all-to-all", &allToAll<double>},
    {"send", &sendReceive<double>},     {"expert exchange", &exchange}};

bool near(double a, double b)
{
    return std::fabs(a - b) <= 1e-12 * std::fabs(b);
}

} // namespace

class TestCollectives : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneRankMovesNothing()
    {
        for (const auto& [name, f] : kAll)
            QCOMPARE(f(span(1, 1), links(), Bytes<>(1e9)).si(), 0.0);
    }

    void insideByHand()
    {
        // 8 ranks, 1 GB: gather 7/8 S/bw + 7 hops + start. [Thakur et al. 2005]
        const auto g = span(8, 8);
        const Bytes<> b(1e9);
        const double gather = 7.0 / 8 * 1e9 / 400e9 + 7e-6 + 10e-6;
        QVERIFY(near(allGather(g, links(), b).si(), gather));
        QVERIFY(near(reduceScatter(g, links(), b).si(), gather));
        // Ring all-reduce 2 (n-1)/n S/bw + 2 (n-1) a, started once.
        QVERIFY(near(allReduce(g, links(), b).si(), 2 * 7.0 / 8 * 1e9 / 400e9 + 14e-6 + 10e-6));
        // All-to-all: 7/8 of the buffer leaves.
        QVERIFY(near(allToAll(g, links(), b).si(), 7.0 / 8 * 1e9 / 400e9 + 3e-6 + 10e-6));
        QVERIFY(near(sendReceive(g, links(), b).si(), 1e9 / 400e9 + 1e-6));
    }

    void smallMessagesTakeTheTree()
    {
        // 8 bytes among 8: a tree has 2 log2(8) = 6 hops where a ring has 14.
        const double t = allReduce(span(8, 8), links(), Bytes<>(8)).si();
        QVERIFY(near(t, 2 * 8 / 400e9 + 6e-6 + 10e-6));
    }

    void acrossOneEach()
    {
        // 4 ranks in 4 domains: 3/4 S over the NIC.
        const double t = allGather(span(4, 1), links(), Bytes<>(1e9)).si();
        const double ring = 3.0 / 4 * 1e9 / 50e9 + 4 * 5e-6 + 20e-6;
        const double hierarchical = 3.0 / 4 * 1e9 / 50e9 + 2 * 5e-6 + 20e-6;
        QVERIFY(near(t, std::fmin(ring, hierarchical)));
        QVERIFY(near(sendReceive(span(4, 1), links(), Bytes<>(1e9)).si(), 1e9 / 50e9 + 5e-6));
    }

    void hierarchicalOrRing()
    {
        // 4 domains of 8. Rings leave over all eight NICs: 31/32 S / min(400, 8 x 50); by rail
        // first: 3/4 (S/8)/50 + 7/8 S/400.
        const auto g = span(32, 8);
        const double s = 1e9;
        const double ring = 31.0 / 32 * s / 400e9 + 28 * 1e-6 + 4 * 5e-6 + 20e-6;
        const double hierarchical =
            3.0 / 4 * s / 8 / 50e9 + 7.0 / 8 * s / 400e9 + 7e-6 + 2 * 5e-6 + 20e-6;
        QVERIFY(near(allGather(g, links(), Bytes<>(s)).si(), std::fmin(ring, hierarchical)));
        // A large machine and a small message: the fewer hops of the hierarchy win.
        const auto wide = span(8192, 8);
        const double t = allGather(wide, links(), Bytes<>(1e6)).si();
        QVERIFY(near(t, 1023.0 / 1024 * 1e6 / 8 / 50e9 + 7.0 / 8 * 1e6 / 400e9 + 7e-6 + 10 * 5e-6 +
                            20e-6));
    }

    void allToAllTakesTheNarrowTier()
    {
        // 64 ranks in 8 domains: 56/64 of the bytes cross, at the chip's NIC; what stays inside is
        // done by then.
        const double t = allToAll(span(64, 8), links(), Bytes<>(1e9)).si();
        QVERIFY(near(t, 56.0 / 64 * 1e9 / 50e9 + 3 * 5e-6 + 20e-6));
    }

    void inNetworkReduction()
    {
        auto l = links();
        const auto g = span(8, 8);
        const double plain = allReduce(g, l, Bytes<>(1e9)).si();
        l.reducesInside = true;
        const double reduced = allReduce(g, l, Bytes<>(1e9)).si();
        QVERIFY(near(reduced, 1e9 / 400e9 + 10e-6)); // the buffer once, latency flat in n
        QVERIFY(reduced < plain);
        l.reducesInside = false;
        l.reducesAcross = true;
        QCOMPARE(allReduce(g, l, Bytes<>(1e9)).si(), plain); // not of this tier
        const auto wide = span(64, 8);
        QVERIFY(allReduce(wide, l, Bytes<>(1e9)).si() <=
                allReduce(wide, links(), Bytes<>(1e9)).si());
    }

    void monotone()
    {
        for (const auto& [name, f] : kAll) {
            for (const double inside : {1.0, 4.0, 8.0}) {
                for (double domains = 1; domains <= 4096; domains *= 2) {
                    const auto g = span(inside * domains, inside);
                    double last = 0;
                    for (double bytes = 1; bytes < 1e12; bytes *= 7) {
                        const double t = f(g, links(), Bytes<>(bytes)).si();
                        QVERIFY2(t >= last, name);
                        last = t;
                        auto fast = links();
                        fast.across = BytesPerSecond<>(100e9);
                        fast.inside = BytesPerSecond<>(800e9);
                        QVERIFY2(f(g, fast, Bytes<>(bytes)).si() <= t, name);
                        if (f == &sendReceive<double> || f == &exchange)
                            continue; // a neighbour stays one; experts spread over more domains
                        const auto twice = span(2 * inside * domains, inside);
                        QVERIFY2(f(twice, links(), Bytes<>(bytes)).si() >= t * (1 - 1e-12), name);
                    }
                }
            }
        }
    }

    void distinct_data()
    {
        QTest::addColumn<double>("domains");
        QTest::addColumn<double>("experts");
        QTest::addColumn<double>("topK");
        QTest::addColumn<double>("expected");
        // q (1 - C(E - E/q, k)/C(E, k)), uniform routing.
        QTest::newRow("E 256, k 8, q 8") << 8.0 << 256.0 << 8.0 << 5.295;
        QTest::newRow("E 256, k 8, q 32") << 32.0 << 256.0 << 8.0 << 7.267;
        QTest::newRow("E 2048, k 16, q 16") << 16.0 << 2048.0 << 16.0 << 10.325;
        QTest::newRow("E 2048, k 16, q 64") << 64.0 << 2048.0 << 16.0 << 14.302;
        QTest::newRow("one domain") << 1.0 << 256.0 << 8.0 << 1.0;
        QTest::newRow("all experts") << 8.0 << 64.0 << 64.0 << 8.0;
        QTest::newRow("one expert") << 8.0 << 64.0 << 1.0 << 1.0;
    }
    void distinct()
    {
        QFETCH(double, domains);
        QFETCH(double, experts);
        QFETCH(double, topK);
        QFETCH(double, expected);
        const double d = distinctDomains(domains, experts, topK);
        QVERIFY2(std::fabs(d - expected) <= 0.0005, std::to_string(d).c_str());
    }

    void expertsByHand()
    {
        // EP 64 over 8 nodes, E 256, k 8, 4096 tokens of 7168 bytes. Each token leaves once for
        // each distinct node but its own: 5.295 x 7/8.
        const auto g = span(64, 8);
        const double d = distinctDomains(8.0, 256.0, 8.0);
        const double latency = 3 * 1e-6 + 3 * 5e-6 + 20e-6;
        const double free = expertExchange(g, links(), 4096.0, Bytes<>(7168), 256.0, 8.0, 0.0).si();
        QVERIFY(near(free, 4096 * d * 7 / 8 * 7168 / 50e9 + latency));
        // DeepSeek-V3 routes to at most four nodes.
        const double limited =
            expertExchange(g, links(), 4096.0, Bytes<>(7168), 256.0, 8.0, 4.0).si();
        QVERIFY(near(limited, 4096 * 4.0 * 7 / 8 * 7168 / 50e9 + latency));
        // A limit above the expectation limits nothing.
        QCOMPARE(expertExchange(g, links(), 4096.0, Bytes<>(7168), 256.0, 8.0, 8.0).si(), free);
        // Inside one domain: seven of eight copies leave the chip.
        QVERIFY(
            near(expertExchange(span(8, 8), links(), 4096.0, Bytes<>(7168), 256.0, 8.0, 0.0).si(),
                 4096 * 7.0 * 7168 / 400e9 + 3e-6 + 10e-6));
    }

    /// A long exchange hands over whole chunks and waits for a fence at each hop, a short one sends
    /// words with flags at a part of the rate.
    void exchangesTakeTheBetterProtocol()
    {
        auto l = links();
        l.fenceInside = Seconds<>(3e-6);
        l.flaggedInside = BytesPerSecond<>(100e9);
        const auto g = span(8, 8);
        QVERIFY(near(allToAll(g, l, Bytes<>(1e9)).si(),
                     7.0 / 8 * 1e9 / 400e9 + 3 * 1e-6 + 3 * 3e-6 + 10e-6));
        QVERIFY(near(allToAll(g, l, Bytes<>(8e3)).si(), 7e3 / 100e9 + 3 * 1e-6 + 10e-6));
    }

    void linksOfAPlan()
    {
        scenario::Scenario s = testplans::deepSeek();
        const scenario::Inputs<double> in(s);
        const auto t = topology(in);
        const auto l = linksFor(in, t, span(64, 8));
        const auto& n = s.cluster.network;
        const auto& e = s.cluster.chip.efficiency;
        QCOMPARE(l.inside.si(), n.scaleUp.bandwidth * e.scaleUp);
        QVERIFY(l.across.si() <= n.scaleOut.bandwidth * e.scaleOut * (1 + 1e-12));
        QCOMPARE(l.latencyInside.si(), n.scaleUp.latency);
        // One direction: an H800 has 200 GB/s each way, not the 400 it is sold with.
        QCOMPARE(n.scaleUp.bandwidth, 200e9);
        s.cluster.network.measured.push_back({scenario::NetworkTier::ScaleOut,
                                              scenario::CollectiveOperation::AllReduce, 1e9, 64,
                                              31e9});
        QCOMPARE(linksFor(in, t, span(64, 8)).across.si(), 31e9);
    }

    void fullMeshSharesItsLinks()
    {
        scenario::Scenario s = testplans::deepSeek();
        s.cluster.network.scaleUp.topology = scenario::ScaleUpTopology::FullMesh;
        const scenario::Inputs<double> in(s);
        const auto t = topology(in);
        const double whole = linksFor(in, t, span(8, 8)).inside.si();
        // Two of eight chips have one of seven links between them, four have three.
        QVERIFY(near(linksFor(in, t, span(2, 2)).inside.si(), whole / 7));
        QVERIFY(near(linksFor(in, t, span(4, 4)).inside.si(), whole * 3 / 7));
        s.cluster.network.scaleUp.topology = scenario::ScaleUpTopology::Switch;
        QCOMPARE(linksFor(in, t, span(2, 2)).inside.si(), whole);
    }

    void oversubscriptionNarrows()
    {
        scenario::Scenario s = testplans::gptOss();
        s.cluster.chips = 16384;
        const auto across = [&s] {
            const scenario::Inputs<double> in(s);
            auto g = span(1024, 1);
            g.extent = 16384;
            return linksFor(in, topology(in), g).across.si();
        };
        const double even = across();
        // Uplinks of the leaves come first in the list.
        s.cluster.network.scaleOut.oversubscription = {4, 1, 1};
        QVERIFY2(across() < even, std::to_string(across()).c_str());
    }
};

QTEST_APPLESS_MAIN(TestCollectives)
#include "tst_collectives.moc"
