// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/placement.h"

#include <QTest>

#include <map>
#include <set>

#include "tests/model/scenario/testplans.h"

using namespace cw;
using namespace cw::network;
using scenario::Axis;
using scenario::Inputs;
using scenario::Scenario;

namespace {

Placement<double> place(const Scenario& s)
{
    const Inputs<double> in(s);
    return placementOf(in, scenario::layoutOf(in));
}

} // namespace

class TestPlacement : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tensorStaysInTheNode()
    {
        const auto p = place(testplans::denseGpt());
        const auto& t = p[GroupKind::Tensor];
        QCOMPARE(t.size, 8.0);
        QCOMPARE(t.inside, 8.0);
        QVERIFY(!t.across());
        // With the node full, each data rank and each stage stands in another one.
        QCOMPARE(p[GroupKind::Data].inside, 1.0);
        QCOMPARE(p[GroupKind::Data].domains, 2.0);
        QCOMPARE(p[GroupKind::Pipeline].domains, 4.0);
        QCOMPARE(p[GroupKind::Pipeline].stride, 16.0);
    }

    void dataIsInsideOnlyBesideTensor()
    {
        // Eight data ranks are in one node with t 1, in eight with t 8. [a peer looked at D alone]
        Scenario s = testplans::denseGpt();
        s.parallelism.pipeline = 1;
        s.parallelism.data = 8;
        QCOMPARE(place(s)[GroupKind::Data].domains, 8.0);
        s.parallelism.tensor = 1;
        QCOMPARE(place(s)[GroupKind::Data].domains, 1.0);
        s.parallelism.tensor = 4;
        QCOMPARE(place(s)[GroupKind::Data].inside, 2.0);
        QCOMPARE(place(s)[GroupKind::Data].domains, 4.0);
    }

    void expertsOfDeepSeek()
    {
        const auto p = place(testplans::deepSeek());
        const auto& e = p[GroupKind::Expert];
        QCOMPARE(e.size, 64.0);
        QCOMPARE(e.inside, 8.0);
        QCOMPARE(e.domains, 8.0);
        QCOMPARE(p[GroupKind::ExpertData].size, 2.0);
        QCOMPARE(p[GroupKind::ExpertData].stride, 64.0);
        QCOMPARE(p[GroupKind::Data].size, 128.0);
        QCOMPARE(p[GroupKind::Pipeline].stride, 128.0);
    }

    void raggedDomains()
    {
        // 72 chips, blocks of 64: eight stay without ranks.
        Scenario s = testplans::gptOss();
        s.cluster.network.scaleUp.chips = 72;
        s.cluster.chips = 1152;
        s.parallelism.tensor = 1;
        s.parallelism.pipeline = 1;
        s.parallelism.expert = 64;
        s.parallelism.data = 1024;
        const auto p = place(s);
        QCOMPARE(p.domain, 64.0);
        QCOMPARE(p.domainLeft, 8.0);
        QCOMPARE(p[GroupKind::Expert].inside, 64.0);
        QVERIFY(!p[GroupKind::Expert].across());
        // Blocks of 36 fill the domain.
        s.model.groups[0].ffn.experts = 144;
        s.parallelism.expert = 36;
        s.parallelism.data = 1152;
        QCOMPARE(place(s).domain, 72.0);
    }

    void blocksThatDoNotNest()
    {
        // Six of eight chips hold expert blocks; of data ranks four apart only one fits.
        Scenario s = testplans::gptOss();
        s.parallelism.tensor = 4;
        s.parallelism.pipeline = 1;
        s.parallelism.data = 6;
        s.parallelism.expert = 6;
        const auto p = place(s);
        QCOMPARE(p.domain, 6.0);
        QCOMPARE(p[GroupKind::Data].inside, 1.0);
        QCOMPARE(p[GroupKind::Data].domains, 6.0);
    }

    void orderDecides()
    {
        Scenario s = testplans::denseGpt();
        s.parallelism.order = {Axis::Pipeline, Axis::Data, Axis::Tensor, Axis::Context,
                               Axis::Expert};
        const auto p = place(s);
        QCOMPARE(p[GroupKind::Pipeline].stride, 1.0);
        QCOMPARE(p[GroupKind::Pipeline].inside, 4.0);
        QCOMPARE(p[GroupKind::Data].stride, 4.0);
        QCOMPARE(p[GroupKind::Tensor].stride, 8.0);
        QCOMPARE(p[GroupKind::Tensor].inside, 1.0); // now each tensor rank in its own node
        QCOMPARE(p[GroupKind::Tensor].domains, 8.0);
    }

    void groupsPartitionTheRanks()
    {
        for (const auto& [name, s] : testplans::all()) {
            const Inputs<double> in(s);
            const auto layout = scenario::layoutOf(in);
            const auto p = placementOf(in, layout);
            const auto chips = std::int64_t(layout.chips);
            for (std::size_t k = 0; k < kGroupKinds; ++k) {
                const auto kind = static_cast<GroupKind>(k);
                std::vector<bool> seen(std::size_t(chips), false);
                for (std::int64_t rank = 0; rank < chips; ++rank) {
                    if (seen[std::size_t(rank)])
                        continue;
                    const auto group = groupOfRank(s, kind, rank);
                    QCOMPARE(double(group.size()), p[kind].size);
                    for (const std::int64_t r : group) {
                        QVERIFY(r >= 0 && r < chips);
                        QVERIFY2(!seen[std::size_t(r)], name.c_str());
                        seen[std::size_t(r)] = true;
                    }
                }
            }
        }
    }

    void spansAgreeWithRanks()
    {
        // Members for each domain, counted rank by rank.
        for (const auto& [name, s] : testplans::all()) {
            const auto p = place(s);
            const auto domain = std::int64_t(p.domain);
            for (std::size_t k = 0; k < kGroupKinds; ++k) {
                const auto kind = static_cast<GroupKind>(k);
                std::map<std::int64_t, double> members;
                for (const std::int64_t r : groupOfRank(s, kind, 0))
                    members[r / domain] += 1;
                QVERIFY2(members.begin()->second == p[kind].inside,
                         (name + " kind " + std::to_string(k)).c_str());
                QVERIFY(double(members.size()) == p[kind].domains);
            }
        }
    }

    void stagesCoincide()
    {
        // The pipeline stands at the same place in both numberings.
        for (const auto& [name, s] : testplans::all()) {
            const auto p = place(s);
            QCOMPARE(p[GroupKind::Pipeline].stride, p[GroupKind::ExpertTensor].size *
                                                        p[GroupKind::Expert].size *
                                                        p[GroupKind::ExpertData].size);
        }
    }

    void chips()
    {
        QCOMPARE(chipOfRank(0, 64, 72), 0);
        QCOMPARE(chipOfRank(63, 64, 72), 63);
        QCOMPARE(chipOfRank(64, 64, 72), 72);
        QCOMPARE(chipOfRank(130, 64, 72), 146);
    }
};

QTEST_APPLESS_MAIN(TestPlacement)
#include "tst_placement.moc"
