// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include "model/explain/trace.h"
#include "model/network/topology.h"
#include "model/network/topologyshape.h"

using cw::explain::Traced;
using cw::explain::valueOf;
using cw::scenario::ScaleOutTopology;
using cw::scenario::Scenario;

namespace {

struct Row
{
    const char* source;
    ScaleOutTopology kind;
    std::int64_t chips;
    std::int64_t radix;
    std::int64_t levels;
    std::int64_t rails;
    std::int64_t planes;
    double switches;
    double switchLinks; ///< negative: the source does not say
    bool reaches;
    std::vector<std::int64_t> shape;
};

using K = ScaleOutTopology;

const Row kRows[] = {
    // H100, 8 x 400G, 64-port switches, eight rails: counted in a public spreadsheet.
    {"H100 1,024", K::RailOptimized, 1024, 64, 3, 8, 1, 48, -1, true, {}},
    {"H100 4,096", K::RailOptimized, 4096, 64, 3, 8, 1, 192, -1, true, {}},
    {"H100 16,384", K::RailOptimized, 16384, 64, 3, 8, 1, 768, -1, true, {}},
    {"H100 65,536", K::RailOptimized, 65536, 64, 3, 8, 1, 5120, -1, true, {}},
    {"H100 524,288", K::RailOptimized, 524288, 64, 3, 8, 1, 40960, -1, true, {}},
    {"H100 1,024, two levels", K::RailOptimized, 1024, 64, 2, 8, 1, 48, -1, true, {}},
    // Half a million chips: 8 x (1,954 + 1,954 + 977), and one tree of 128 ports.
    {"500,000 in rails", K::RailOptimized, 500000, 64, 3, 8, 1, 39080, -1, true, {}},
    {"500,000 in planes", K::MultiPlane, 500000, 64, 3, 8, 8, 39080, -1, true, {}},
    {"500,000 in one tree", K::FatTree, 500000, 128, 3, 1, 1, 19533, -1, true, {}},
    {"500,000 in two levels", K::FatTree, 500000, 128, 2, 1, 1, -1, -1, false, {}},
    {"500,000 dragonfly+", K::DragonflyPlus, 500000, 64, 3, 1, 1, 31296, 500736 + 250368, true, {}},
    // arXiv 2505.09343, table 3 (64 ports).
    {"FT2", K::FatTree, 2048, 64, 2, 1, 1, 96, 2048, true, {}},
    {"MPFT", K::MultiPlane, 16384, 64, 2, 8, 8, 768, 16384, true, {}},
    {"FT3", K::FatTree, 65536, 64, 3, 1, 1, 5120, 131072, true, {}},
    {"FT2 one too many", K::FatTree, 2049, 64, 2, 1, 1, -1, -1, false, {}},
    {"FT3 one too many", K::FatTree, 65537, 64, 3, 1, 1, -1, -1, false, {}},
    {"Dragonfly", K::Dragonfly, 261632, 64, 1, 1, 1, 16352, 384272, true, {}},
    {"Dragonfly, full", K::Dragonfly, 262656, 64, 1, 1, 1, 16416, 385776, true, {}},
    {"Dragonfly, too many", K::Dragonfly, 262657, 64, 1, 1, 1, -1, -1, false, {}},
    {"Dragonfly, shape", K::Dragonfly, 261632, 64, 1, 1, 1, 16352, 384272, true, {16, 32, 16}},
    // Fat trees by k^2/2, 3k/2 and k^3/4, 5k^2/4.
    {"k = 128, 2", K::FatTree, 8192, 128, 2, 1, 1, 192, 8192, true, {}},
    {"k = 144, 2", K::FatTree, 10368, 144, 2, 1, 1, 216, 10368, true, {}},
    {"k = 512, 2", K::FatTree, 131072, 512, 2, 1, 1, 768, 131072, true, {}},
    {"k = 128, 3", K::FatTree, 524288, 128, 3, 1, 1, 20480, 1048576, true, {}},
    {"k = 144, 3", K::FatTree, 746496, 144, 3, 1, 1, 25920, 1492992, true, {}},
    // A NIC of 800G split over eight planes of 100G ports.
    {"split NIC", K::FatTree, 131072, 512, 2, 1, 8, 6144, 1048576, true, {}},
    {"planes of a split NIC", K::MultiPlane, 131072, 512, 2, 1, 8, 6144, 1048576, true, {}},
    // Dragonfly+: g k switches, g k^2/4 + g k^2/8 cables, g at most k^2/4 + 1.
    {"dragonfly+ 512", K::DragonflyPlus, 524288, 64, 2, 1, 1, 32768, 786432, true, {}},
    {"dragonfly+ 1025", K::DragonflyPlus, 1049600, 64, 2, 1, 1, 65600, 1574400, true, {}},
    {"dragonfly+ 1026", K::DragonflyPlus, 1049601, 64, 2, 1, 1, -1, -1, false, {}},
    // Tori: d n links. Meshes: n sum(a - 1)/2 (UB-Mesh, arXiv 2503.20377).
    {"torus 16x16", K::Torus, 256, 2, 1, 1, 1, 0, 512, true, {16, 16}},
    {"torus 16x20x28", K::Torus, 8960, 2, 1, 1, 1, 0, 26880, true, {16, 20, 28}},
    {"torus 80^3", K::Torus, 512000, 2, 1, 1, 1, 0, 1536000, true, {80, 80, 80}},
    {"torus too small", K::Torus, 257, 2, 1, 1, 1, 0, 512, false, {16, 16}},
    {"torus, a pair", K::Torus, 8, 2, 1, 1, 1, 0, 12, true, {4, 2}},
    {"mesh 8x8", K::NdFullMesh, 64, 2, 1, 1, 1, 0, 448, true, {8, 8}},
    {"mesh 8x8x8x8x2", K::NdFullMesh, 8192, 2, 1, 1, 1, 0, 118784, true, {8, 8, 8, 8, 2}},
};

Scenario planOf(const Row& row)
{
    Scenario s;
    s.cluster.chips = row.chips;
    s.cluster.network.scaleUp.chips = 1;
    auto& out = s.cluster.network.scaleOut;
    out.topology = row.kind;
    out.radix = row.radix;
    out.levels = row.levels;
    out.rails = row.rails;
    out.planes = row.planes;
    out.shape = row.shape;
    return s;
}

cw::network::Topology<double> topologyOf(const Scenario& s)
{
    return cw::network::topology(cw::scenario::Inputs<double>(s));
}

} // namespace

class TestTopology : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void counts_data();
    void counts();
    void portsAreAllAccountedFor();
    void oversubscription();
    void bisectionAndDiameter();
    void tiersWiden();
    void opticsOfHalfAMillion();
    void oneDomainNeedsNoScaleOut();
    void sitesMultiply();
    void shapes();
    void traceReplays();
};

void TestTopology::counts_data()
{
    QTest::addColumn<int>("index");
    for (int i = 0; i < static_cast<int>(std::size(kRows)); ++i)
        QTest::newRow(kRows[i].source) << i;
}

void TestTopology::counts()
{
    QFETCH(int, index);
    const Row& row = kRows[index];
    const auto t = topologyOf(planOf(row));
    if (row.switches >= 0)
        QCOMPARE(t.switches, row.switches);
    if (row.switchLinks >= 0)
        QCOMPARE(t.switchLinks, row.switchLinks);
    QCOMPARE(t.reaches, row.reaches);
    QCOMPARE(t.links, t.endpointLinks + t.switchLinks);
}

void TestTopology::portsAreAllAccountedFor()
{
    for (const Row& row : kRows) {
        const auto t = topologyOf(planOf(row));
        if (t.switches == 0 || !t.reaches)
            continue;
        const double ports = t.endpointLinks + 2 * t.switchLinks + t.idlePorts;
        QCOMPARE(ports, t.switches * static_cast<double>(row.radix));
    }
    // A full tree has none left; 500,000 of 524,288 endpoints leave some.
    QCOMPARE(topologyOf(planOf(kRows[13])).idlePorts, 0.0);
    QVERIFY(topologyOf(planOf(kRows[8])).idlePorts > 0);
}

void TestTopology::oversubscription()
{
    // k x floor(k r/(r+1)) endpoints, k leaves + ceil(k/(r+1)) spines; bisection falls to 1/r.
    Row row{"3:1", K::FatTree, 64 * 48, 64, 2, 1, 1, 64 + 16, 64 * 16, true, {}};
    Scenario s = planOf(row);
    s.cluster.network.scaleOut.oversubscription = {3, 1, 1};
    const auto t = topologyOf(s);
    QCOMPARE(t.switches, row.switches);
    QCOMPARE(t.switchLinks, row.switchLinks);
    QVERIFY(t.reaches);
    QCOMPARE(t.bisection.si(), 64 * 48 * 50e9 / 2 / 3);
    // Llama 3 (arXiv 2407.21783, sec. 3.3.1): 1:7 above the pods.
    s.cluster.chips = 24576;
    s.cluster.network.scaleOut.levels = 3;
    s.cluster.network.scaleOut.oversubscription = {1, 7, 1};
    const auto llama = topologyOf(s);
    QCOMPARE(llama.bisection.si(), 24576 * 50e9 / 2 / 7);
}

void TestTopology::bisectionAndDiameter()
{
    const auto at = [](K kind, std::vector<std::int64_t> shape, std::int64_t chips) {
        Row row{"", kind, chips, 64, 3, 1, 1, 0, 0, true, std::move(shape)};
        Scenario s = planOf(row);
        s.cluster.network.scaleOut.bandwidth = 60;
        return topologyOf(s);
    };
    // 512 cables of the 16 x 16 x 16 torus, each a sixth of a chip's bandwidth.
    const auto cube = at(K::Torus, {16, 16, 16}, 4096);
    QCOMPARE(cube.bisection.si(), 512 * 10.0);
    QCOMPARE(cube.diameterHops, 24.0);
    QCOMPARE(at(K::Torus, {16, 16, 36}, 9216).bisection.si(), 512 * 10.0);
    QCOMPARE(at(K::Torus, {16, 16, 36}, 9216).diameterHops, 34.0);
    const auto mesh = at(K::NdFullMesh, {8, 8}, 64);
    QVERIFY(std::abs(mesh.bisection.si() - 128 * 60.0 / 14) < 1e-9);
    QCOMPARE(mesh.diameterHops, 2.0);
    QCOMPARE(at(K::FatTree, {}, 2048).diameterHops, 2.0);
    QCOMPARE(at(K::FatTree, {}, 65536).diameterHops, 4.0);
    QCOMPARE(at(K::FatTree, {}, 64).diameterHops, 0.0);
    QCOMPARE(at(K::FatTree, {}, 65536).bisection.si(), 65536 * 30.0);
    QCOMPARE(at(K::Dragonfly, {}, 261632).diameterHops, 3.0);
    // Two of 32 x 32 chips: all 512 x 2 / 2 x ... cables between them, no more than full rate.
    QCOMPARE(at(K::DragonflyPlus, {}, 2048).bisection.si(), 1024 * 60.0);
}

void TestTopology::tiersWiden()
{
    for (const Row& row : kRows) {
        Scenario s = planOf(row);
        s.cluster.network.scaleUp.chips = 8;
        const auto t = topologyOf(s);
        QVERIFY(t.tierCount >= 1);
        QCOMPARE(t.tiers[t.tierCount - 1].chips, static_cast<double>(row.chips));
        for (std::size_t i = 1; i < t.tierCount; ++i) {
            QVERIFY(t.tiers[i].chips > t.tiers[i - 1].chips);
            QVERIFY(!(t.tiers[i].bandwidth > t.tiers[i - 1].bandwidth));
        }
    }
    // One leaf of 64 ports serves 32 nodes of each of 8 rails.
    Scenario s = planOf(kRows[6]);
    s.cluster.network.scaleUp.chips = 8;
    const auto t = topologyOf(s);
    QCOMPARE(t.tierCount, std::size_t(4));
    QCOMPARE(t.tiers[1].chips, 256.0);
    QCOMPARE(t.tiers[2].chips, 8192.0);
}

void TestTopology::opticsOfHalfAMillion()
{
    // networks: two modules for each cable between switches, one for each endpoint at the leaf.
    const Row row{"", K::FatTree, 524288, 128, 3, 1, 1, 0, 0, true, {}};
    QCOMPARE(topologyOf(planOf(row)).optics, 2621440.0);
}

void TestTopology::oneDomainNeedsNoScaleOut()
{
    Scenario s = planOf(kRows[0]);
    s.cluster.chips = 72;
    s.cluster.network.scaleUp.chips = 72;
    const auto t = topologyOf(s);
    QCOMPARE(t.switches, 0.0);
    QCOMPARE(t.links, 0.0);
    QCOMPARE(t.tierCount, std::size_t(1));
    QVERIFY(t.reaches);
}

void TestTopology::sitesMultiply()
{
    Scenario s = planOf(kRows[11]);
    s.cluster.chips = 4096;
    s.cluster.network.sites = 2;
    s.cluster.network.siteBandwidth = 1e9;
    const auto t = topologyOf(s);
    QCOMPARE(t.switches, 2 * 96.0);
    QCOMPARE(t.bisection.si(), 2048e9);
    QCOMPARE(t.tiers[t.tierCount - 1].chips, 4096.0);
}

void TestTopology::shapes()
{
    using Shape = std::vector<std::int64_t>;
    QCOMPARE(cw::network::torusShape(4096), (Shape{16, 16, 16}));
    QCOMPARE(cw::network::torusShape(1), (Shape{1, 1, 1}));
    const Shape prime = cw::network::torusShape(1009);
    QVERIFY(prime[0] * prime[1] * prime[2] >= 1009);
    QCOMPARE(cw::network::meshShape(8192), (Shape{8, 8, 8, 8, 2}));
    QCOMPARE(cw::network::meshShape(1), (Shape{1}));
}

void TestTopology::traceReplays()
{
    for (const Row& row : kRows) {
        const Scenario s = planOf(row);
        cw::explain::Trace trace;
        const cw::scenario::Inputs<Traced> in(s, trace);
        const auto traced = cw::network::topology(in);
        const auto plain = topologyOf(s);
        QCOMPARE(valueOf(traced.switches), plain.switches);
        QCOMPARE(valueOf(traced.links), plain.links);
        QCOMPARE(valueOf(traced.bisection), plain.bisection.si());
        for (const Traced& x : {traced.links, traced.optics, traced.bisection.si()})
            QCOMPARE(trace.replay(x.node), x.value);
    }
}

QTEST_APPLESS_MAIN(TestTopology)
#include "tst_topology.moc"
