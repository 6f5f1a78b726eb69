// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include "model/evaluation/evaluation.h"
#include "model/evaluation/networkadvice.h"
#include "model/network/fabric.h"
#include "model/scenario/presets.h"
#include "tests/model/scenario/exampleplan.h"

// Tapers, routing, faults and measurements: what they do to the rate of a chip and to the step.

using namespace cw;
using network::TrafficKind;
using scenario::FaultPart;
using scenario::NetworkFault;
using scenario::Routing;
using scenario::ScaleOutTopology;
using scenario::Scenario;

namespace {

/// DeepSeek-V3 on 2,048 chips: experts across nodes, overlap switched off so that all shows.
Scenario mixture()
{
    Scenario s = testplans::example("deepseek-v3-h800");
    s.software.overlap.clear();
    return s;
}

double stepOf(const Scenario& s)
{
    return evaluation::evaluateCore(s).step.time.si();
}

bool advises(const Scenario& s, const std::string& rule)
{
    for (const auto& note : evaluation::evaluate(s).advice)
        if (note.rule == rule)
            return true;
    return false;
}

network::FaultEffect<double> effectOf(const Scenario& s)
{
    return network::faultEffect(scenario::Inputs<double>(s));
}

} // namespace

class TestFabric : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void healthyFabricLetsAllThrough();
    void taperSlowsWhatCrossesIt();
    void unevenRoutingSlows();
    void faultsByHand();
    void faultsOnlySlow_data();
    void faultsOnlySlow();
    void torusSlowsExchanges();
    void measuredReplaces();
    void diagnosis();
    void bestOrderIsNoWorse();
};

void TestFabric::healthyFabricLetsAllThrough()
{
    const auto e = evaluation::evaluate(mixture());
    for (const double s : e.traffic.slowdown)
        QCOMPARE(s, 1.0);
    QVERIFY(!advises(mixture(), "advice.network-full"));
}

/// One uplink for seven chips: of the rings of data parallelism the fullest leaf of 56 sends 8
/// flows on and 8 back to their first nodes, over 8 uplinks: half the rate. An exchange over many
/// leaves feels more of it.
void TestFabric::taperSlowsWhatCrossesIt()
{
    Scenario s = mixture();
    s.cluster.network.scaleOut.topology = ScaleOutTopology::FatTree;
    s.cluster.network.scaleOut.radix = 64;
    s.cluster.network.scaleOut.oversubscription = {7, 1, 1};
    const auto e = evaluation::evaluate(s);
    const auto at = [&](TrafficKind k) {
        return e.traffic.slowdown[static_cast<std::size_t>(k)];
    };
    QCOMPARE(at(TrafficKind::Data), 2.0);
    QVERIFY(at(TrafficKind::Expert) > 2.5);
    QVERIFY(at(TrafficKind::Expert) <= 7.0);
    QVERIFY(stepOf(s) > stepOf(mixture()));
    QVERIFY(advises(s, "advice.network-full"));
}

void TestFabric::unevenRoutingSlows()
{
    Scenario s = mixture();
    s.cluster.network.scaleOut.routingImbalance = 1.25;
    QCOMPARE(stepOf(s), stepOf(mixture()));
    s.cluster.network.scaleOut.routingImbalance = 2.5;
    QVERIFY(stepOf(s) > stepOf(mixture()));
}

void TestFabric::faultsByHand()
{
    Scenario s;
    auto& network = s.cluster.network;
    auto& out = network.scaleOut;
    out.topology = ScaleOutTopology::RailOptimized;
    out.rails = 8;
    out.planes = 1;
    out.routing = Routing::Adaptive;
    // 2% of the cables at 60%: a chip waits for its own cable; switches send around theirs.
    network.faults = {{FaultPart::Link, 0.02, 0.6}};
    QCOMPARE(effectOf(s).endpoint, 0.6);
    QCOMPARE(effectOf(s).fabric, 1 - 0.02 * 0.4);
    out.routing = Routing::Static;
    QCOMPARE(effectOf(s).fabric, 0.6);
    // A dead cable: the node's other seven rails take over.
    network.faults = {{FaultPart::Link, 0.001, 0.0}};
    QCOMPARE(effectOf(s).endpoint, 1 - 1.0 / 8);
    // One rail of eight, and one leaf: the nodes below it lose one rail.
    network.faults = {{FaultPart::Rail, 0.125, 0.0}};
    QCOMPARE(effectOf(s).endpoint, 0.875);
    network.faults = {{FaultPart::Leaf, 0.01, 0.0}};
    QCOMPARE(effectOf(s).endpoint, 0.875);
    QCOMPARE(effectOf(s).cut, 0.0);
    // One of four planes of a split NIC; a leaf of a single tree cuts its chips off.
    out.topology = ScaleOutTopology::FatTree;
    out.planes = 4;
    network.faults = {{FaultPart::Plane, 0.25, 0.0}};
    QCOMPARE(effectOf(s).endpoint, 0.75);
    out.planes = 1;
    network.faults = {{FaultPart::Leaf, 0.01, 0.0}};
    QCOMPARE(effectOf(s).cut, 0.01);
}

void TestFabric::faultsOnlySlow_data()
{
    QTest::addColumn<int>("part");
    QTest::addColumn<double>("share");
    for (int part = 0; part < 4; ++part)
        for (const double share : {0.001, 0.125, 1.0})
            QTest::addRow("%d %g", part, share) << part << share;
}

void TestFabric::faultsOnlySlow()
{
    QFETCH(int, part);
    QFETCH(double, share);
    const double healthy = stepOf(mixture());
    double last = healthy;
    for (const double rate : {1.0, 0.9, 0.6, 0.3, 0.1}) {
        Scenario s = mixture();
        s.cluster.network.faults = {{static_cast<FaultPart>(part), share, rate}};
        const double now = stepOf(s);
        QVERIFY(std::isfinite(now));
        QVERIFY(now >= last);
        last = now;
        const auto cost = evaluation::faultCost(s);
        QCOMPARE(cost.without, healthy);
        QCOMPARE(cost.with, now);
    }
    QVERIFY(last > healthy);
}

/// 16 x 16 x 16 chips: an exchange over 256 of them fills the ring of the third axis least.
void TestFabric::torusSlowsExchanges()
{
    Scenario s = mixture();
    s.cluster.network.scaleUp.chips = 1;
    s.cluster.network.scaleOut.topology = ScaleOutTopology::Torus;
    s.cluster.network.scaleOut.shape = {8, 16, 16};
    const auto e = evaluation::evaluate(s);
    QVERIFY(e.traffic.slowdown[static_cast<std::size_t>(TrafficKind::Expert)] > 1.0);
}

void TestFabric::measuredReplaces()
{
    Scenario s = mixture();
    const double line = s.cluster.network.scaleOut.bandwidth;
    s.cluster.network.measured = {{scenario::NetworkTier::ScaleOut,
                                   scenario::CollectiveOperation::AllToAll, 1e9, 64, 0.62 * line}};
    const auto e = evaluation::evaluate(s);
    const auto& expert = e.traffic[TrafficKind::Expert];
    // While experts exchange, the links carry what was measured, less the latency of messages.
    const double rate = expert.across / expert.time.si();
    QVERIFY(rate <= 0.62 * line * (1 + 1e-12));
    QVERIFY(rate > 0.55 * line);
    // An all-reduce of 64 ranks in nodes of 8 uses eight NICs a node.
    const scenario::Inputs<double> in(s);
    const scenario::MeasuredBandwidth reduce{scenario::NetworkTier::ScaleOut,
                                             scenario::CollectiveOperation::AllReduce, 1e9, 64,
                                             6 * line};
    QCOMPARE(network::chipRate(in, reduce), 6 * line / 8);
}

void TestFabric::diagnosis()
{
    using scenario::CollectiveOperation;
    Scenario s = mixture();
    const double good = s.cluster.network.scaleOut.bandwidth * 0.9;
    const double bad = s.cluster.network.scaleOut.bandwidth * 0.6;
    const auto with = [&](double reduce, double exchange) {
        Scenario m = s;
        m.cluster.network.measured = {
            {scenario::NetworkTier::ScaleOut, CollectiveOperation::AllReduce, 1e9, 64, reduce},
            {scenario::NetworkTier::ScaleOut, CollectiveOperation::AllToAll, 1e9, 64, exchange}};
        return m;
    };
    QVERIFY(advises(with(good, bad), "advice.measured-topology"));
    QVERIFY(!advises(with(good, bad), "advice.measured-links"));
    QVERIFY(advises(with(bad, bad), "advice.measured-links"));
    QVERIFY(!advises(with(good, good), "advice.measured-links"));
    QVERIFY(!advises(with(good, good), "advice.measured-topology"));
}

void TestFabric::bestOrderIsNoWorse()
{
    for (const char* name : {"deepseek-v3-h800", "llama3-405b-h100"}) {
        Scenario s = testplans::example(name);
        const auto found = evaluation::bestOrder(s);
        QVERIFY(found.step <= found.given);
        QVERIFY(found.tried > 1 && found.tried <= 120);
        // A poor order is found to be poor: pipeline innermost tears tensors apart.
        std::reverse(s.parallelism.order.begin(), s.parallelism.order.end());
        const auto again = evaluation::bestOrder(s);
        QCOMPARE(again.step, found.step);
    }
}

QTEST_APPLESS_MAIN(TestFabric)
#include "tst_fabric.moc"
