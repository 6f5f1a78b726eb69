// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <cmath>
#include <map>
#include <numeric>

#include "model/network/crossing.h"
#include "model/network/linkgraph.h"
#include "model/network/linkloads.h"

// The classes of links hold what every link of the machine holds.

using namespace cw;
using network::GraphLink;
using network::kTrafficKinds;
using network::LinkClass;
using network::LinkEnd;
using scenario::ScaleOutTopology;
using scenario::Scenario;

namespace {

constexpr double kExact = 1e-9;

struct Machine
{
    const char* name;
    ScaleOutTopology kind;
    std::int64_t chips;
    std::int64_t domain;
    std::int64_t radix;
    std::int64_t levels;
    std::int64_t rails;
    std::int64_t planes;
    double taper;
    std::vector<std::int64_t> shape;
};

using K = ScaleOutTopology;

const Machine kMachines[] = {
    {"fat tree, 2 levels", K::FatTree, 32, 1, 8, 2, 1, 1, 1, {}},
    {"fat tree, 2 levels, ragged", K::FatTree, 27, 1, 8, 2, 1, 1, 1, {}},
    {"fat tree, 3 levels", K::FatTree, 128, 4, 8, 3, 1, 1, 1, {}},
    {"fat tree, 3 levels, ragged", K::FatTree, 100, 4, 8, 3, 1, 1, 1, {}},
    {"fat tree, 1,024", K::FatTree, 1024, 8, 16, 3, 1, 1, 1, {}},
    {"fat tree, 1,000 of 1,024", K::FatTree, 1000, 8, 16, 3, 1, 1, 1, {}},
    {"fat tree, 3:1", K::FatTree, 192, 8, 16, 2, 1, 1, 3, {}},
    {"fat tree, split NIC", K::FatTree, 512, 8, 32, 2, 1, 2, 1, {}},
    {"rails", K::RailOptimized, 1024, 8, 16, 3, 8, 1, 1, {}},
    {"rails, ragged", K::RailOptimized, 904, 8, 16, 3, 8, 1, 1, {}},
    {"rails under 72", K::RailOptimized, 720, 72, 8, 3, 4, 1, 1, {}},
    {"planes", K::MultiPlane, 1024, 8, 16, 2, 8, 8, 1, {}},
    {"planes of a split NIC", K::MultiPlane, 128, 1, 16, 2, 1, 2, 1, {}},
    {"dragonfly", K::Dragonfly, 72, 1, 8, 1, 1, 1, 1, {2, 4, 2}},
    {"dragonfly, ragged", K::Dragonfly, 60, 1, 8, 1, 1, 1, 1, {2, 4, 2}},
    {"dragonfly, 1,024", K::Dragonfly, 1024, 4, 16, 1, 1, 1, 1, {4, 8, 4}},
    {"dragonfly+", K::DragonflyPlus, 256, 4, 8, 2, 1, 1, 1, {}},
    {"dragonfly+, ragged", K::DragonflyPlus, 200, 8, 8, 2, 1, 1, 1, {}},
    {"dragonfly+, 1,024", K::DragonflyPlus, 1024, 8, 16, 2, 1, 1, 1, {}},
    {"torus, 2D", K::Torus, 256, 1, 2, 1, 1, 1, 1, {16, 16}},
    {"torus, 3D", K::Torus, 512, 1, 2, 1, 1, 1, 1, {8, 8, 8}},
    {"torus, 3D, odd", K::Torus, 210, 1, 2, 1, 1, 1, 1, {5, 6, 7}},
    {"mesh, 2D", K::NdFullMesh, 64, 1, 2, 1, 1, 1, 1, {8, 8}},
    {"mesh, 4D", K::NdFullMesh, 256, 1, 2, 1, 1, 1, 1, {4, 4, 4, 4}},
    {"fat tree, 3 levels, 2:1", K::FatTree, 432, 4, 12, 3, 1, 1, 2, {}},
    {"fat tree, split NIC, ragged", K::FatTree, 500, 8, 32, 2, 1, 2, 1, {}},
    {"rails, 1,000 of 1,024", K::RailOptimized, 1000, 8, 16, 3, 8, 1, 1, {}},
    {"planes, ragged", K::MultiPlane, 1000, 8, 16, 2, 8, 8, 1, {}},
    {"planes, 3 levels", K::MultiPlane, 1024, 8, 8, 3, 8, 8, 1, {}},
    {"dragonfly, 1,000 of 1,024", K::Dragonfly, 1000, 4, 16, 1, 1, 1, 1, {4, 8, 4}},
    {"dragonfly+, 1,000 of 1,024", K::DragonflyPlus, 1000, 8, 16, 2, 1, 1, 1, {}},
    {"torus of domains of 4", K::Torus, 256, 4, 2, 1, 1, 1, 1, {16, 16}},
    {"torus, 3D, ragged", K::Torus, 200, 1, 2, 1, 1, 1, 1, {6, 6, 6}},
    {"torus, 2D, 1,024", K::Torus, 1024, 1, 2, 1, 1, 1, 1, {32, 32}},
    {"torus, 3D, 1,024", K::Torus, 1024, 1, 2, 1, 1, 1, 1, {8, 8, 16}},
    {"mesh, 2D, ragged", K::NdFullMesh, 60, 1, 2, 1, 1, 1, 1, {8, 8}},
    {"mesh, 2D, 1,024", K::NdFullMesh, 1024, 1, 2, 1, 1, 1, 1, {32, 32}},
    {"mesh, 4D, 1,024", K::NdFullMesh, 1024, 1, 2, 1, 1, 1, 1, {4, 4, 8, 8}},
    {"mesh, 4D, 1,000 of 1,024", K::NdFullMesh, 1000, 4, 2, 1, 1, 1, 1, {4, 4, 8, 8}},
};

/// tensor, context, pipeline, expert, jobs
struct Degrees
{
    std::int64_t tensor, context, pipeline, expert, jobs;
};
const Degrees kDegrees[] = {{1, 1, 1, 1, 1}, {8, 1, 1, 1, 1},  {2, 2, 4, 8, 1},
                            {4, 1, 3, 6, 1}, {1, 1, 2, 16, 1}, {2, 1, 2, 4, 2}};

Scenario planOf(const Machine& m, const Degrees& d)
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
    out.shape = m.shape;
    out.oversubscription = {m.taper, 1, 1};
    auto& p = s.parallelism;
    p.tensor = d.tensor;
    p.context = d.context;
    p.pipeline = d.pipeline;
    p.expert = d.expert;
    if (d.pipeline > 2) // context groups that exchange in some, ring in others
        p.contextKind = scenario::ContextKind::AllToAll;
    s.workload.jobs = d.jobs;
    // The largest data parallelism whose groups are whole and whose ranks all have a chip.
    for (std::int64_t data = m.chips / d.jobs / (d.tensor * d.context * d.pipeline); data > 0;
         --data) {
        p.data = data;
        s.workload.globalBatchSequences = 8 * data;
        if (data * d.tensor * d.context % d.expert != 0)
            continue;
        const scenario::Inputs<double> in(s);
        const auto layout = scenario::layoutOf(in);
        const auto onChips = network::jobSlots(s, network::placementOf(in, layout), layout.chips);
        if (onChips.ranks == static_cast<std::int64_t>(layout.chips) && onChips.jobs == d.jobs)
            return s;
    }
    p.data = 0;
    return s;
}

struct Case
{
    explicit Case(const Scenario& plan)
        : s(plan), in(s), layout(scenario::layoutOf(in)),
          placement(network::placementOf(in, layout)), topology(network::topology(in))
    {
        // Each kind has an amount of its own, so that none is taken for another.
        for (std::size_t k = 0; k < kTrafficKinds; ++k) {
            volumes[k].across = 1000.0 + 137.0 * static_cast<double>(k * k);
            volumes[k].time = units::Seconds<double>(1.0);
        }
        loads = network::linkLoads(s, topology, placement, layout, volumes, 10.0);
        links = network::routeAll(s, topology, placement, layout, volumes);
    }

    Scenario s;
    scenario::Inputs<double> in;
    scenario::Layout<double> layout;
    network::Placement<double> placement;
    network::Topology<double> topology;
    network::ByKind<network::Volume<double>> volumes{};
    network::LinkLoads loads;
    std::vector<GraphLink> links;
};

bool near(double a, double b)
{
    return std::fabs(a - b) <= kExact * std::max({std::fabs(a), std::fabs(b), 1.0});
}

/// A million pairs of chips, each over many links: one layout of a large torus or mesh suffices.
bool isAffordable(const Machine& m, int degrees)
{
    const bool direct = m.kind == K::Torus || m.kind == K::NdFullMesh;
    return !direct || m.chips < 600 || degrees == 2;
}

void addCases()
{
    QTest::addColumn<int>("machine");
    QTest::addColumn<int>("degrees");
    for (int m = 0; m < static_cast<int>(std::size(kMachines)); ++m)
        for (int d = 0; d < static_cast<int>(std::size(kDegrees)); ++d)
            if (isAffordable(kMachines[m], d) &&
                *planOf(kMachines[m], kDegrees[d]).parallelism.data > 0) // whole groups fit
                QTest::addRow("%s %d", kMachines[m].name, d) << m << d;
}

/// Links of the graph by their ends and block: both directions, up first.
using Sums =
    std::map<std::tuple<LinkEnd, LinkEnd, std::int64_t>, std::array<std::vector<GraphLink>, 2>>;

Sums sumsOf(const Case& c)
{
    Sums sums;
    for (const GraphLink& l : c.links)
        sums[{l.from, l.to, l.block}][l.up ? 0 : 1].push_back(l);
    return sums;
}

} // namespace

class TestLinkLoads : public QObject
{
    Q_OBJECT

private:
    static void blocksEqualEveryLink(const Case& c);
    static void axesEqualTheirMean(const Case& c);
    static void routersEqualTheirMean(const Case& c);
    static void countsAreThoseOfTheTopology(const Case& c);

private Q_SLOTS:
    void classesEqualEveryLink_data() { addCases(); }
    void classesEqualEveryLink();
    void handCountedRing();
    void handCountedExchange();
    void halfAMillionInFewClasses();
};

void TestLinkLoads::classesEqualEveryLink()
{
    QFETCH(int, machine);
    QFETCH(int, degrees);
    const Case c(planOf(kMachines[machine], kDegrees[degrees]));
    blocksEqualEveryLink(c);
    axesEqualTheirMean(c);
    routersEqualTheirMean(c);
    countsAreThoseOfTheTopology(c);
}

void TestLinkLoads::blocksEqualEveryLink(const Case& c)
{
    std::size_t compared = 0;
    const Sums sums = sumsOf(c);
    for (const network::LinkBlocks& blocks : c.loads.blocks) {
        for (std::size_t b = 0; b < blocks.classOf.size(); ++b) {
            const LinkClass& like = c.loads.classes[blocks.classOf[b]];
            const auto found = sums.find({like.from, like.to, static_cast<std::int64_t>(b)});
            if (found == sums.end()) { // no flow leaves the block
                QVERIFY(like.total() == 0);
                continue;
            }
            const bool groups = like.from == LinkEnd::Group;
            for (const auto& direction : found->second) {
                // Cables to one other group differ from those to the next by what the two exchange:
                // of a group's cables the mean is meant.
                network::ByKind<double> sum{};
                double cables = 0;
                for (const GraphLink& l : direction) {
                    cables += l.cables;
                    for (std::size_t k = 0; k < kTrafficKinds; ++k) {
                        sum[k] += l.bytes[k];
                        if (!groups)
                            QVERIFY2(near(l.bytes[k] / l.cables, like.bytes[k]),
                                     qPrintable(QString::number(l.bytes[k] / l.cables) + u' ' +
                                                QString::number(like.bytes[k])));
                        ++compared;
                    }
                }
                if (groups)
                    cables = c.topology.leaves / c.topology.groups * c.topology.leafUplinks;
                for (std::size_t k = 0; k < kTrafficKinds; ++k)
                    QVERIFY(near(sum[k] / cables, like.bytes[k]));
            }
        }
    }
    QVERIFY(compared > 0 || c.loads.blocks.empty() || c.links.empty());
}

void TestLinkLoads::axesEqualTheirMean(const Case& c)
{
    for (const LinkClass& like : c.loads.classes) {
        if (like.axis < 0)
            continue;
        network::ByKind<double> sum{};
        for (const GraphLink& l : c.links)
            if (l.axis == like.axis)
                for (std::size_t k = 0; k < kTrafficKinds; ++k)
                    sum[k] += l.bytes[k];
        for (std::size_t k = 0; k < kTrafficKinds; ++k)
            QVERIFY(near(sum[k] / (2 * like.count), like.bytes[k]));
    }
}

void TestLinkLoads::routersEqualTheirMean(const Case& c)
{
    for (const LinkClass& like : c.loads.classes) {
        if (like.from != LinkEnd::Router || like.to != LinkEnd::Router)
            continue;
        network::ByKind<double> sum{};
        for (const GraphLink& l : c.links)
            if (l.from == LinkEnd::Router)
                for (std::size_t k = 0; k < kTrafficKinds; ++k)
                    sum[k] += l.bytes[k];
        for (std::size_t k = 0; k < kTrafficKinds; ++k)
            QVERIFY(near(sum[k] / (2 * like.count), like.bytes[k]));
    }
}

void TestLinkLoads::countsAreThoseOfTheTopology(const Case& c)
{
    double ends = 0;
    double inner = 0;
    for (const LinkClass& l : c.loads.classes) {
        if (l.tier == 0)
            continue;
        (l.from == LinkEnd::Chip && l.axis < 0 ? ends : inner) += l.count;
    }
    QCOMPARE(ends, c.topology.endpointLinks);
    // A last group or pod that is not full has fewer cables than ports.
    if (c.topology.groups > 0)
        QVERIFY(std::fabs(inner - c.topology.switchLinks) <= 0.5);
    else
        QCOMPARE(inner, c.topology.switchLinks);
}

/// 32 chips, leaves of 4, data parallel over all: the ring leaves each leaf by one chip's flow.
void TestLinkLoads::handCountedRing()
{
    const Case c(planOf(kMachines[0], kDegrees[0]));
    const auto data = static_cast<std::size_t>(network::TrafficKind::Data);
    QCOMPARE(c.loads.blocks.size(), std::size_t(1));
    const LinkClass& up = c.loads.classes[c.loads.blocks[0].classOf[0]];
    QCOMPARE(up.count, 32.0);
    QCOMPARE(up.bytes[data], c.volumes[data].across / 4);
}

/// 256 chips in leaves of 4, experts over 16 of them: of a chip's 15 peers 12 lie beyond its leaf.
void TestLinkLoads::handCountedExchange()
{
    Machine m = kMachines[4];
    m.chips = 256;
    m.domain = 1;
    m.radix = 8;
    const Case c(planOf(m, {1, 1, 1, 16, 1}));
    const auto expert = static_cast<std::size_t>(network::TrafficKind::Expert);
    const LinkClass& up = c.loads.classes[c.loads.blocks[0].classOf[0]];
    QVERIFY(near(up.bytes[expert], c.volumes[expert].across * 12.0 / 15.0));
}

void TestLinkLoads::halfAMillionInFewClasses()
{
    Machine m{"", K::RailOptimized, 500000, 8, 64, 3, 8, 1, 1, {}};
    Scenario s = planOf(m, {8, 1, 16, 64, 1});
    const scenario::Inputs<double> in(s);
    const auto layout = scenario::layoutOf(in);
    const auto placement = network::placementOf(in, layout);
    network::ByKind<network::Volume<double>> volumes{};
    for (auto& v : volumes)
        v.across = 1e9;
    const auto loads =
        network::linkLoads(s, network::topology(in), placement, layout, volumes, 1.0);
    QCOMPARE(loads.blocks.size(), std::size_t(2));
    QCOMPARE(loads.blocks[0].classOf.size(), std::size_t(1954));
    QVERIFY(loads.classes.size() < 200);
}

QTEST_APPLESS_MAIN(TestLinkLoads)
#include "tst_linkloads.moc"
