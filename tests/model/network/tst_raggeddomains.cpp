// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <algorithm>
#include <limits>
#include <random>
#include <set>

#include "model/evaluation/evaluation.h"
#include "model/network/rankmap.h"
#include "model/scenario/checks.h"
#include "model/scenario/domainfit.h"
#include "model/scenario/layout.h"
#include "model/scenario/presets.h"

// Domains whose chips are no multiple of the groups that stay whole in them: what the layout says,
// what the ranks' map says and what the evaluation says is one machine.

using namespace cw;
using network::GroupKind;

namespace {

scenario::Scenario planOf(int chips, int domain, int tensor, int expert, int pipeline, int jobs)
{
    scenario::Scenario s;
    scenario::applyPreset(s, "model", "kimi-k2");
    s.cluster.chips = chips;
    s.cluster.network.scaleUp.chips = domain;
    s.facility.rackChips = domain;
    s.parallelism.tensor = tensor;
    s.parallelism.expert = expert;
    s.parallelism.pipeline = pipeline;
    s.workload.jobs = jobs;
    s.workload.globalBatchSequences = 8192 * 9;
    return s;
}

bool holdsFewer(const scenario::Scenario& s, std::vector<double>* nearest = nullptr)
{
    for (const scenario::Violation& v : scenario::checkPlan(s)) {
        if (v.rule != "rule.domains-hold-fewer" && v.rule != "rule.more-chips-than-there-are")
            continue;
        if (nearest != nullptr)
            *nearest = v.nearest;
        return true;
    }
    return false;
}

} // namespace

class TestRaggedDomains : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void derivedDataIsThatOfATrialOfAll()
    {
        std::mt19937 random(7);
        const auto pick = [&random](std::initializer_list<int> of) {
            return *(of.begin() + random() % of.size());
        };
        int several = 0;
        for (int i = 0; i < 400; ++i) {
            scenario::Scenario s = planOf(
                pick({16, 90, 512, 720, 1000, 4096}), pick({8, 18, 72, 512}), pick({1, 2, 4, 8}),
                pick({1, 2, 6, 16, 64}), pick({1, 2, 3}), pick({1, 2, 3}));
            s.workload.globalBatchSequences = pick({1, 7, 12, 360, 1024, 8192 * 9});
            s.parallelism.microBatchSequences = pick({1, 1, 2});
            const std::int64_t share =
                s.workload.globalBatchSequences / s.parallelism.microBatchSequences;
            const bool divides =
                share * s.parallelism.microBatchSequences == s.workload.globalBatchSequences;
            const std::int64_t group = s.parallelism.expert * s.parallelism.expertTensor;
            const std::int64_t ranks = s.parallelism.tensor * s.parallelism.context;
            std::int64_t best = 0;
            std::int64_t any = 1;
            for (std::int64_t d = 1; divides && d <= share; ++d) {
                const auto data = static_cast<double>(d);
                if (share % d != 0 || data > scenario::mostReplicas(s))
                    continue;
                const auto of = data * static_cast<double>(ranks * s.parallelism.pipeline);
                const bool held = scenario::domainFit(s, data).holds(of);
                if (held)
                    any = d;
                if ((held || d == 1) && ranks * d % group == 0)
                    best = d;
            }
            several += best > 1 ? 1 : 0;
            QCOMPARE(scenario::derivedData(s), best > 0 ? best : any);
        }
        QVERIFY(several > 50);
        // Squares and sums of such batches are beyond 64 bits.
        scenario::Scenario s = planOf(16, 8, 1, 1, 1, 1);
        s.workload.globalBatchSequences = std::numeric_limits<std::int64_t>::max() - 7; // 15 k
        QCOMPARE(scenario::derivedData(s), std::int64_t{15});
    }

    void oneTruth_data()
    {
        QTest::addColumn<int>("chips");
        QTest::addColumn<int>("domain");
        QTest::addColumn<int>("tensor");
        QTest::addColumn<int>("expert");
        QTest::addColumn<int>("pipeline");
        QTest::addColumn<int>("jobs");
        QTest::addColumn<int>("used"); // chips of a domain that hold ranks
        QTest::newRow("72 of 72") << 7200 << 72 << 1 << 24 << 1 << 1 << 72;
        QTest::newRow("64 of 72") << 7200 << 72 << 1 << 64 << 1 << 1 << 64;
        QTest::newRow("32: 64 of 72") << 7200 << 72 << 1 << 32 << 2 << 1 << 64;
        QTest::newRow("16: 64 of 72") << 7200 << 72 << 1 << 16 << 2 << 1 << 64;
        QTest::newRow("48 of 72") << 7200 << 72 << 1 << 48 << 2 << 1 << 48;
        QTest::newRow("16 of 18") << 1800 << 18 << 1 << 16 << 2 << 1 << 16;
        QTest::newRow("32 over domains of 18") << 1800 << 18 << 1 << 32 << 2 << 1 << 18;
        QTest::newRow("last domain of 3") << 7203 << 72 << 1 << 64 << 1 << 1 << 64;
        QTest::newRow("last domain of 3, pairs") << 723 << 72 << 2 << 8 << 1 << 1 << 72;
        QTest::newRow("tensor 3 in nodes of 8") << 1000 << 8 << 3 << 1 << 1 << 1 << 6;
        QTest::newRow("two jobs") << 7200 << 72 << 1 << 64 << 1 << 2 << 64;
        QTest::newRow("jobs smaller than a domain") << 432 << 72 << 8 << 8 << 1 << 7 << 72;
        QTest::newRow("less than a domain") << 64 << 72 << 1 << 32 << 1 << 1 << 64;
    }

    void oneTruth()
    {
        QFETCH(int, chips);
        QFETCH(int, domain);
        QFETCH(int, tensor);
        QFETCH(int, expert);
        QFETCH(int, pipeline);
        QFETCH(int, jobs);
        QFETCH(int, used);
        const scenario::Scenario s = planOf(chips, domain, tensor, expert, pipeline, jobs);
        const evaluation::Evaluation e = evaluation::evaluateCore(s);
        const network::RankMap map(s);
        QCOMPARE(e.placement.domain, double(used));
        QVERIFY(e.layout.chips > 1);
        QVERIFY(!holdsFewer(s));
        // All ranks are placed, on chips of their own, and the rest is what evaluation calls idle.
        QCOMPARE(double(map.ranks()), e.layout.chips);
        QCOMPARE(map.jobs(), std::int64_t(jobs));
        QCOMPARE(double(map.idle()), e.layout.idle);
        std::set<std::int64_t> taken;
        std::set<std::int64_t> domains;
        for (std::int64_t job = 0; job < map.jobs(); ++job)
            for (std::int64_t rank = 0; rank < map.ranks(); ++rank) {
                const network::RankPlace at = map.place(rank, job);
                QVERIFY(at.chip >= 0 && at.chip < chips && taken.insert(at.chip).second);
                QVERIFY(at.chip % domain < used);
                domains.insert(at.domain);
                const auto back = map.onChip(at.chip);
                QVERIFY(back && back->rank == rank && back->job == job);
            }
        if (jobs == 1)
            QCOMPARE(double(domains.size()), e.placement.domainsUsed);
        // Groups that fit into a domain lie in one.
        for (const GroupKind kind : {GroupKind::Tensor, GroupKind::Expert}) {
            if (e.placement[kind].across())
                continue;
            for (std::int64_t rank = 0; rank < map.ranks(); rank += 7)
                for (const std::int64_t peer : map.peers(rank, kind))
                    QCOMPARE(map.place(peer).domain, map.place(rank).domain);
        }
    }

    void moreThanTheDomainsHoldIsSaid_data() { oneTruth_data(); }
    void moreThanTheDomainsHoldIsSaid()
    {
        QFETCH(int, chips);
        QFETCH(int, domain);
        QFETCH(int, tensor);
        QFETCH(int, expert);
        QFETCH(int, pipeline);
        QFETCH(int, jobs);
        scenario::Scenario s = planOf(chips, domain, tensor, expert, pipeline, jobs);
        const double most = scenario::mostReplicas(s);
        s.parallelism.data = std::int64_t(most);
        QVERIFY(!holdsFewer(s));
        s.parallelism.data = std::int64_t(most) + 1;
        std::vector<double> nearest;
        QVERIFY(holdsFewer(s, &nearest));
        QCOMPARE(nearest, std::vector<double>{most});
        // With as many chips as the fault asks for there is none; with one less there is.
        const double ranks = double(tensor) * pipeline * (most + 1);
        const auto needed = std::int64_t(scenario::domainFit(s, most + 1).chipsFor(ranks));
        s.cluster.chips = needed;
        QVERIFY(!holdsFewer(s));
        s.cluster.chips = needed - 1;
        QVERIFY(holdsFewer(s));
    }

    /// 65,536 GB200 in domains of 72, experts in groups of 64: 910 domains hold 58,240 ranks, and
    /// 3,640 replicas of 16 stages; of those that divide 8,192 sequences the most are 2,048.
    void kimiOnDomainsOfSeventyTwo()
    {
        scenario::Scenario s;
        scenario::applyPreset(s, "model", "kimi-k2");
        scenario::applyPreset(s, "cluster", "gb200-nvl72");
        s.cluster.chips = 65536;
        s.parallelism.pipeline = 16;
        s.parallelism.expert = 64;
        s.workload.globalBatchSequences = 8192;
        QCOMPARE(scenario::mostReplicas(s), 3640.0);
        const evaluation::Evaluation e = evaluation::evaluate(s);
        QCOMPARE(e.layout.data, 2048.0);
        QCOMPARE(e.layout.idle, 32768.0);
        QCOMPARE(e.placement.domainsUsed, 512.0);
        const network::RankMap map(s);
        QCOMPARE(map.ranks(), std::int64_t(32768));
        QCOMPARE(map.idle(), std::int64_t(32768));
        s.parallelism.data = 4096;
        QVERIFY(holdsFewer(s));
    }

    /// Experts stay in the domain, so it is not said that they leave it.
    void adviceIsTrue()
    {
        const auto said = [](const scenario::Scenario& s, const char* rule) {
            const auto advice = evaluation::evaluate(s).advice;
            return std::any_of(advice.begin(), advice.end(),
                               [&](const auto& a) { return a.rule == rule; });
        };
        const scenario::Scenario inside = planOf(7200, 72, 1, 64, 1, 1);
        QVERIFY(said(inside, "advice.domain-idle"));
        QVERIFY(!said(inside, "advice.domain-left"));
        const scenario::Scenario across = planOf(7200, 72, 16, 128, 1, 1);
        QVERIFY(said(across, "advice.domain-left"));
        const scenario::Scenario whole = planOf(7200, 72, 1, 24, 1, 1);
        QVERIFY(!said(whole, "advice.domain-idle") && !said(whole, "advice.domain-left"));
    }
};

QTEST_APPLESS_MAIN(TestRaggedDomains)
#include "tst_raggeddomains.moc"
