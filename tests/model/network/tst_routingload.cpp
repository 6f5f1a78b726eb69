// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "model/network/fabric.h"
#include "model/network/linkgraph.h"
#include "model/network/routingload.h"

// How uneven routing is: hashed flows against exact values, a Monte Carlo and every flow of an
// explicit graph; static routing against its rule on that graph.

using namespace cw;
using network::kTrafficKinds;
using network::TrafficKind;
using scenario::Routing;
using scenario::ScaleOutTopology;
using scenario::Scenario;

namespace {

/// Mean of the fullest bin, of `samples` trials of `switches` switches.
double monteCarlo(int flows, int paths, int switches, int samples)
{
    std::mt19937 random(7);
    std::uniform_int_distribution<int> any(0, paths - 1);
    double sum = 0;
    for (int s = 0; s < samples; ++s) {
        int most = 0;
        for (int w = 0; w < switches; ++w) {
            std::vector<int> bins(static_cast<std::size_t>(paths));
            for (int f = 0; f < flows; ++f)
                most = std::max(most, ++bins[static_cast<std::size_t>(any(random))]);
        }
        sum += most;
    }
    return sum / samples;
}

struct Machine
{
    const char* name;
    ScaleOutTopology kind;
    std::int64_t chips, domain, radix, levels, rails, planes;
};
const Machine kMachines[] = {
    {"two levels", ScaleOutTopology::FatTree, 128, 1, 16, 2, 1, 1},
    {"two levels, ragged", ScaleOutTopology::FatTree, 100, 4, 16, 2, 1, 1},
    {"three levels", ScaleOutTopology::FatTree, 128, 4, 8, 3, 1, 1},
    {"three levels, ragged", ScaleOutTopology::FatTree, 92, 4, 8, 3, 1, 1},
    {"rails", ScaleOutTopology::RailOptimized, 512, 8, 16, 2, 8, 1},
    {"planes", ScaleOutTopology::MultiPlane, 512, 8, 16, 2, 8, 8},
    {"split NIC", ScaleOutTopology::MultiPlane, 128, 1, 16, 2, 1, 2},
};
const std::int64_t kExperts[] = {1, 4, 16};

struct Case
{
    Case(const Machine& m, std::int64_t expert, Routing routing)
        : s(planOf(m, expert, routing)), in(s), layout(scenario::layoutOf(in)),
          placement(network::placementOf(in, layout)), topology(network::topology(in)),
          jobs(network::jobSlots(s, placement, layout.chips))
    {
    }
    static Scenario planOf(const Machine& m, std::int64_t expert, Routing routing)
    {
        Scenario s;
        s.cluster.chips = m.chips;
        s.cluster.network.scaleUp.chips = m.domain;
        auto& out = s.cluster.network.scaleOut;
        out.topology = m.kind;
        out.radix = m.radix;
        out.levels = m.levels;
        out.rails = m.rails;
        out.planes = m.planes;
        out.routing = routing;
        out.flowsPerChip = 4;
        s.parallelism.tensor = m.domain > 1 ? 2 : 1;
        s.parallelism.pipeline = 2;
        s.parallelism.expert = expert;
        s.parallelism.data = m.chips / (s.parallelism.tensor * 2) / expert * expert;
        s.workload.globalBatchSequences = 8 * *s.parallelism.data;
        return s;
    }
    /// Every cable's load where one kind alone sends one byte a chip.
    std::vector<network::CableLoad> route(TrafficKind kind, std::uint64_t seed) const
    {
        network::ByKind<network::Volume<double>> volumes{};
        volumes[static_cast<std::size_t>(kind)].across = 1;
        return network::routeEach(s, topology, placement, layout, volumes, seed);
    }

    Scenario s;
    scenario::Inputs<double> in;
    scenario::Layout<double> layout;
    network::Placement<double> placement;
    network::Topology<double> topology;
    network::JobSlots jobs;
};

const TrafficKind kKinds[] = {TrafficKind::Data, TrafficKind::Expert, TrafficKind::Pipeline};

void addCases()
{
    QTest::addColumn<int>("machine");
    QTest::addColumn<int>("expert");
    for (int m = 0; m < static_cast<int>(std::size(kMachines)); ++m)
        for (int e = 0; e < static_cast<int>(std::size(kExperts)); ++e)
            QTest::addRow("%s, EP %lld", kMachines[m].name, static_cast<long long>(kExperts[e]))
                << m << e;
}

struct Block
{
    double most = 0;
    double sum = 0;
};
std::map<std::pair<bool, std::int64_t>, Block> blocksOf(const std::vector<network::CableLoad>& all,
                                                        TrafficKind kind)
{
    std::map<std::pair<bool, std::int64_t>, Block> blocks;
    for (const auto& c : all) {
        Block& b = blocks[{c.core, c.block}];
        b.most = std::max(b.most, c.bytes[static_cast<std::size_t>(kind)]);
        b.sum += c.bytes[static_cast<std::size_t>(kind)];
    }
    return blocks;
}

/// The links out of a block, as the model takes them.
network::BlockLinks linksOf(const Case& c, bool core, std::int64_t block)
{
    const auto chips = static_cast<std::int64_t>(core ? c.topology.podChips : c.topology.leafChips);
    network::BlockLinks links = network::linksOutOf(c.topology, chips, c.s.cluster.chips);
    links.firstChip = block * chips;
    links.endChip = std::min(c.s.cluster.chips, links.firstChip + chips);
    return links;
}

} // namespace

class TestRoutingLoad : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fullestBinByHand_data();
    void fullestBinByHand();
    void fullestBinByMonteCarlo_data();
    void fullestBinByMonteCarlo();
    void moreFlowsAreMoreEven();
    void everyFlowHashedOnTheGraph_data() { addCases(); }
    void everyFlowHashedOnTheGraph();
    void everyFlowByItsDestination_data() { addCases(); }
    void everyFlowByItsDestination();
    void adaptiveIsEven();
    void shiftsAreFreeOfContentionUnderDModK();
    void groupsUseAllTheirPorts();
    void fewFlowsSlowTheStepAndManyDoNot();
    void aGivenValueStands();
};

/// Two flows on two paths: 1 with probability 1/2, else 2. Three on three: 1 with 6/27, 3 with
/// 3/27, else 2. One flow: 1 anywhere.
void TestRoutingLoad::fullestBinByHand_data()
{
    QTest::addColumn<double>("flows");
    QTest::addColumn<double>("paths");
    QTest::addColumn<double>("expected");
    QTest::newRow("1 on 32") << 1.0 << 32.0 << 1.0;
    QTest::newRow("5 on 1") << 5.0 << 1.0 << 5.0;
    QTest::newRow("2 on 2") << 2.0 << 2.0 << 1.5;
    QTest::newRow("3 on 3") << 3.0 << 3.0 << 17.0 / 9.0;
    QTest::newRow("0 on 4") << 0.0 << 4.0 << 0.0;
}

void TestRoutingLoad::fullestBinByHand()
{
    QFETCH(double, flows);
    QFETCH(double, paths);
    QFETCH(double, expected);
    const double got = network::expectedWorstLoad(flows, paths, 1);
    QVERIFY2(std::fabs(got - expected) <= 0.02 * expected, qPrintable(QString::number(got)));
}

void TestRoutingLoad::fullestBinByMonteCarlo_data()
{
    QTest::addColumn<int>("flows");
    QTest::addColumn<int>("paths");
    QTest::addColumn<int>("switches");
    for (const auto& [flows, paths, switches] : {std::tuple{4, 8, 1},
                                                 {16, 8, 1},
                                                 {32, 32, 1},
                                                 {32, 32, 64},
                                                 {512, 32, 1},
                                                 {512, 32, 64},
                                                 {200, 4, 16},
                                                 {2048, 16, 4},
                                                 {12800, 32, 2}})
        QTest::addRow("%d on %d, %d switches", flows, paths, switches)
            << flows << paths << switches;
}

void TestRoutingLoad::fullestBinByMonteCarlo()
{
    QFETCH(int, flows);
    QFETCH(int, paths);
    QFETCH(int, switches);
    const double trials = monteCarlo(flows, paths, switches, 4000000 / (flows * switches));
    const double got = network::expectedWorstLoad(flows, paths, switches);
    QVERIFY2(std::fabs(got / trials - 1) < 0.02,
             qPrintable(QString::number(got) + u' ' + QString::number(trials)));
}

void TestRoutingLoad::moreFlowsAreMoreEven()
{
    double last = 1e9;
    for (double flows = 1; flows < 1e7; flows *= 2) {
        const double now = network::hashedImbalance(32 * flows, 32, 100);
        QVERIFY(now >= 1 && now < last);
        last = now;
    }
    QVERIFY(last < 1.02);
    QVERIFY(network::hashedImbalance(512, 32, 100) > network::hashedImbalance(512, 32, 1));
}

void TestRoutingLoad::everyFlowHashedOnTheGraph()
{
    QFETCH(int, machine);
    QFETCH(int, expert);
    const Case c(kMachines[machine], kExperts[expert], Routing::Ecmp);
    constexpr int kSeeds = 200;
    for (const TrafficKind kind : kKinds) {
        std::map<std::pair<bool, std::int64_t>, double> most;
        std::map<std::pair<bool, std::int64_t>, double> sum;
        for (int seed = 0; seed < kSeeds; ++seed)
            for (const auto& [key, block] : blocksOf(c.route(kind, seed), kind)) {
                most[key] += block.most / kSeeds;
                sum[key] = block.sum;
            }
        const auto flows = network::flowGroup(c.s, c.placement, c.jobs.ranks, kind);
        for (const auto& [key, bytes] : sum) {
            auto links = linksOf(c, key.first, key.second);
            links.switches = links.trees; // the switches of one block alone
            const double mean = bytes / (links.paths * links.trees);
            const double model =
                mean * network::imbalanceOf(c.s, c.topology, flows, c.jobs, links, bytes);
            // Neighbours and exchanges have flows of unlike size and number; a tree of a ragged
            // block may have one flow more.
            QVERIFY2(std::fabs(model / most[key] - 1) < 0.12,
                     qPrintable(QStringLiteral("%1 block %2: %3 %4")
                                    .arg(static_cast<int>(kind))
                                    .arg(key.second)
                                    .arg(model)
                                    .arg(most[key])));
        }
    }
}

void TestRoutingLoad::everyFlowByItsDestination()
{
    QFETCH(int, machine);
    QFETCH(int, expert);
    const Case c(kMachines[machine], kExperts[expert], Routing::Static);
    int compared = 0;
    for (const TrafficKind kind : kKinds) {
        const auto flows = network::flowGroup(c.s, c.placement, c.jobs.ranks, kind);
        for (const auto& [key, block] : blocksOf(c.route(kind, 0), kind)) {
            const auto links = linksOf(c, key.first, key.second);
            const double mean = block.sum / (links.paths * links.trees);
            const double model =
                network::imbalanceOf(c.s, c.topology, flows, c.jobs, links, block.sum);
            QVERIFY2(
                std::fabs(model * mean / block.most - 1) < 1e-9,
                qPrintable(QString::number(model * mean) + u' ' + QString::number(block.most)));
            ++compared;
        }
    }
    QVERIFY(compared > 0);
}

void TestRoutingLoad::adaptiveIsEven()
{
    const Case c(kMachines[2], 4, Routing::Adaptive);
    for (const auto& [key, block] : blocksOf(c.route(TrafficKind::Data, 0), TrafficKind::Data)) {
        const auto links = linksOf(c, key.first, key.second);
        QVERIFY(std::fabs(block.most * links.paths * links.trees / block.sum - 1) < 1e-9);
    }
    QCOMPARE(
        network::imbalanceOf(c.s, c.topology,
                             network::flowGroup(c.s, c.placement, c.jobs.ranks, TrafficKind::Data),
                             c.jobs, linksOf(c, false, 0), 4.0),
        network::kAdaptiveImbalance);
}

/// All chips of a leaf send to as many in a row: each uplink gets one. [Zahavi 2012, shifts]
void TestRoutingLoad::shiftsAreFreeOfContentionUnderDModK()
{
    Scenario s = Case::planOf(kMachines[0], 1, Routing::Static);
    s.parallelism.data = 64;
    s.parallelism.order = {scenario::Axis::Data, scenario::Axis::Tensor, scenario::Axis::Context,
                           scenario::Axis::Expert, scenario::Axis::Pipeline};
    const scenario::Inputs<double> in(s);
    const auto layout = scenario::layoutOf(in);
    const auto placement = network::placementOf(in, layout);
    const auto topology = network::topology(in);
    network::ByKind<network::Volume<double>> volumes{};
    const auto pipeline = static_cast<std::size_t>(TrafficKind::Pipeline);
    volumes[pipeline].across = 1;
    for (const auto& c : network::routeEach(s, topology, placement, layout, volumes, 0))
        QCOMPARE(c.bytes[pipeline], 1.0);
}

/// Destinations in a row spread over all global ports of a group alike.
void TestRoutingLoad::groupsUseAllTheirPorts()
{
    for (const auto kind : {ScaleOutTopology::Dragonfly, ScaleOutTopology::DragonflyPlus}) {
        Scenario s = Case::planOf({"", kind, 64, 1, 8, 1, 1, 1}, 1, Routing::Static);
        s.parallelism.pipeline = 1;
        s.parallelism.tensor = 1;
        s.parallelism.expert = 64;
        s.parallelism.data = 64;
        if (kind == ScaleOutTopology::Dragonfly)
            s.cluster.network.scaleOut.shape = {2, 4, 2};
        const scenario::Inputs<double> in(s);
        const auto topology = network::topology(in);
        const auto layout = scenario::layoutOf(in);
        const auto placement = network::placementOf(in, layout);
        const auto jobs = network::jobSlots(s, placement, layout.chips);
        const auto chips = static_cast<std::int64_t>(topology.podChips);
        auto block = network::linksOutOf(topology, chips, 64);
        block.endChip = chips;
        // All to all: each of the other chips hears of every chip of the group.
        const double uneven = network::imbalanceOf(
            s, topology, network::flowGroup(s, placement, jobs.ranks, TrafficKind::Expert), jobs,
            block, 1.0);
        QCOMPARE(uneven, 1.0);
    }
}

void TestRoutingLoad::fewFlowsSlowTheStepAndManyDoNot()
{
    Case c(kMachines[0], 1, Routing::Ecmp); // stages lie leaves apart: all chips send beyond theirs
    const auto rate = [&](std::int64_t flows) {
        c.s.cluster.network.scaleOut.flowsPerChip = flows;
        const auto shares = network::crossShares(c.s, c.topology, c.placement, c.layout.chips, 64);
        return network::fabricRate(c.in, c.topology, &shares, TrafficKind::Pipeline, 128.0, 50e9,
                                   0.75);
    };
    QVERIFY(rate(1) < 0.6 * rate(1000000));
    QVERIFY(rate(1) < rate(16));
    QVERIFY(std::fabs(rate(1000000) / (0.75 * 50e9) - 1) < 1e-9);
}

void TestRoutingLoad::aGivenValueStands()
{
    Case c(kMachines[4], 1, Routing::Ecmp);
    c.s.cluster.network.scaleOut.flowsPerChip = 1;
    c.s.cluster.network.scaleOut.routingImbalance = 1.0;
    const auto shares = network::crossShares(c.s, c.topology, c.placement, c.layout.chips, 64);
    QCOMPARE(network::fabricRate(c.in, c.topology, &shares, TrafficKind::Data, 512.0, 50e9, 0.75),
             0.75 * 50e9);
}

QTEST_APPLESS_MAIN(TestRoutingLoad)
#include "tst_routingload.moc"
