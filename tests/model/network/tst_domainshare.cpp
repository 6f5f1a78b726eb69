// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <algorithm>
#include <cmath>

#include "model/evaluation/evaluation.h"
#include "model/evaluation/networkadvice.h"
#include "model/network/collectives.h"
#include "model/network/domainshare.h"
#include "model/network/linkgraph.h"
#include "model/network/topology.h"
#include "model/scenario/presets.h"
#include "tests/model/scenario/exampleplan.h"

// Contention inside a scale-up domain that is a torus or mesh, cables between the levels of a
// switched one, and the search for an order of ranks.

using namespace cw;
using network::Pattern;
using scenario::Scenario;
using Shape = std::vector<std::int64_t>;

namespace {

constexpr double kExact = 1e-9;

} // namespace

class TestDomainShare : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void membersLieAlongAxes();
    void ringsUseTheAxesTheySpan();
    void exchangeEqualsTheGraph_data();
    void exchangeEqualsTheGraph();
    void aTorusIsSlowerThanItsSwitch();
    void cablesBetweenLevelsAreCounted();
    void bestOrderEqualsBruteForce_data();
    void bestOrderEqualsBruteForce();
};

void TestDomainShare::membersLieAlongAxes()
{
    QCOMPARE(network::membersByAxis({4, 4, 4}, 1, 16), (Shape{4, 4, 1}));
    QCOMPARE(network::membersByAxis({4, 4, 4}, 4, 4), (Shape{1, 4, 1}));
    QCOMPARE(network::membersByAxis({4, 4, 4}, 16, 4), (Shape{1, 1, 4}));
    QCOMPARE(network::membersByAxis({16, 16}, 2, 8), (Shape{8, 1}));
    QCOMPARE(network::membersByAxis({4, 4, 4}, 1, 64), (Shape{4, 4, 4}));
}

/// A 4 x 4 x 4 torus has six ports a chip: a plane of it uses four, a line two, two chips one.
void TestDomainShare::ringsUseTheAxesTheySpan()
{
    const Shape cube{4, 4, 4};
    QCOMPARE(network::domainShare(cube, true, 1, 64, Pattern::Ring), 1.0);
    QCOMPARE(network::domainShare(cube, true, 1, 16, Pattern::Ring), 4.0 / 6);
    QCOMPARE(network::domainShare(cube, true, 4, 4, Pattern::Ring), 2.0 / 6);
    QCOMPARE(network::domainShare(cube, true, 1, 2, Pattern::Ring), 1.0 / 6);
    QCOMPARE(network::domainShare({8, 8}, false, 1, 8, Pattern::Ring), 7.0 / 14);
    QCOMPARE(network::domainShare(cube, true, 1, 1, Pattern::Ring), 1.0);
}

void TestDomainShare::exchangeEqualsTheGraph_data()
{
    QTest::addColumn<bool>("ring");
    QTest::addColumn<Shape>("shape");
    QTest::newRow("torus 4 x 4 x 4") << true << Shape{4, 4, 4};
    QTest::newRow("torus 8 x 8") << true << Shape{8, 8};
    QTest::newRow("torus 5 x 7") << true << Shape{5, 7};
    QTest::newRow("torus 4 x 16") << true << Shape{4, 16};
    QTest::newRow("mesh 8 x 8") << false << Shape{8, 8};
    QTest::newRow("mesh 4 x 4 x 4") << false << Shape{4, 4, 4};
    QTest::newRow("mesh 4 x 8") << false << Shape{4, 8};
}

/// Every chip sends to all others: the share is what the fullest link of the graph leaves.
void TestDomainShare::exchangeEqualsTheGraph()
{
    QFETCH(bool, ring);
    QFETCH(Shape, shape);
    Scenario s;
    s.cluster.chips = 1;
    double ports = 0;
    for (const std::int64_t n : shape) {
        s.cluster.chips *= n;
        ports += static_cast<double>(ring ? 2 : n - 1);
    }
    s.cluster.network.scaleUp.chips = 1;
    auto& out = s.cluster.network.scaleOut;
    out.topology =
        ring ? scenario::ScaleOutTopology::Torus : scenario::ScaleOutTopology::NdFullMesh;
    out.shape = shape;
    s.parallelism.expert = s.cluster.chips;
    s.parallelism.data = s.cluster.chips;
    const scenario::Inputs<double> in(s);
    const auto layout = scenario::layoutOf(in);
    network::ByKind<network::Volume<double>> volumes{};
    const auto expert = static_cast<std::size_t>(network::TrafficKind::Expert);
    volumes[expert].across = 1;
    double fullest = 0;
    for (const auto& l : network::routeAll(s, network::topology(in),
                                           network::placementOf(in, layout), layout, volumes))
        fullest = std::max(fullest, l.bytes[expert] / l.cables);
    const double share = network::domainShare(shape, ring, 1, s.cluster.chips, Pattern::Exchange);
    QVERIFY2(std::fabs(share * ports * fullest - 1) < kExact ||
                 (share == 1 && fullest * ports <= 1),
             qPrintable(QString::number(share) + u' ' + QString::number(1 / ports / fullest)));
}

/// The same domain as a switch and as a torus: rings alike, exchanges slower.
void TestDomainShare::aTorusIsSlowerThanItsSwitch()
{
    Scenario s;
    s.cluster.chips = 512;
    auto& up = s.cluster.network.scaleUp;
    up.chips = 512;
    network::GroupSpan<double> all;
    all.size = all.inside = all.extent = 512;
    const auto rate = [&](network::TrafficKind kind) {
        const scenario::Inputs<double> in(s);
        return network::linksFor(in, network::topology(in), all, kind).inside.si();
    };
    const double ring = rate(network::TrafficKind::Data);
    const double exchange = rate(network::TrafficKind::Expert);
    up.topology = scenario::ScaleUpTopology::Torus;
    up.shape = {8, 8, 8};
    QCOMPARE(rate(network::TrafficKind::Data), ring);
    // Six ports, one unit a chip puts 8/8 on the fullest: a sixth of the switch's rate.
    const double share = rate(network::TrafficKind::Expert) / exchange;
    QVERIFY(std::fabs(share - 511.0 / 512 / 6) < kExact);
}

/// CloudMatrix384: 7 sub-planes of 16 second level switches with 48 ports, all cabled down: 5,376,
/// as many as from chips to the first level. [arXiv 2506.12708]
void TestDomainShare::cablesBetweenLevelsAreCounted()
{
    Scenario s;
    QVERIFY(!scenario::applyPreset(s, "cluster", "cloudmatrix-384"));
    s.cluster.chips = 384;
    QCOMPARE(network::topology(scenario::Inputs<double>(s)).scaleUpLinks, 2.0 * 7 * 16 * 48);
    QVERIFY(!scenario::applyPreset(s, "cluster", "gb200-nvl72"));
    s.cluster.chips = 72;
    QCOMPARE(network::topology(scenario::Inputs<double>(s)).scaleUpLinks, 72.0 * 18);
}

void TestDomainShare::bestOrderEqualsBruteForce_data()
{
    QTest::addColumn<int>("chips");
    QTest::addColumn<int>("tensor");
    QTest::addColumn<int>("context");
    QTest::addColumn<int>("pipeline");
    QTest::addColumn<int>("expert");
    QTest::newRow("64") << 64 << 4 << 1 << 2 << 8;
    QTest::newRow("128, context") << 128 << 2 << 2 << 2 << 4;
    QTest::newRow("256, experts wide") << 256 << 1 << 1 << 4 << 32;
    QTest::newRow("192, odd") << 192 << 2 << 1 << 3 << 8;
}

/// Every permutation of the axes, one by one.
void TestDomainShare::bestOrderEqualsBruteForce()
{
    QFETCH(int, chips);
    QFETCH(int, tensor);
    QFETCH(int, context);
    QFETCH(int, pipeline);
    QFETCH(int, expert);
    Scenario s = testplans::example("deepseek-v3-h800");
    s.cluster.chips = chips;
    auto& p = s.parallelism;
    p.tensor = tensor;
    p.context = context;
    p.pipeline = pipeline;
    p.expert = expert;
    p.data = chips / (tensor * context * pipeline);
    p.virtualStages = 1;
    p.schedule = scenario::Schedule::OneFOneB;
    p.stageLayers.clear();
    s.workload.globalBatchSequences = 16 * *p.data;
    auto order = p.order;
    std::sort(order.begin(), order.end());
    double best = 1e300;
    Scenario other = s;
    do {
        other.parallelism.order = order;
        best = std::min(best, evaluation::evaluateCore(other).step.time.si());
    } while (std::next_permutation(order.begin(), order.end()));
    QCOMPARE(evaluation::bestOrder(s).step, best);
}

QTEST_APPLESS_MAIN(TestDomainShare)
#include "tst_domainshare.moc"
