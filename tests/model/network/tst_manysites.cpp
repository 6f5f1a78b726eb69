// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <algorithm>

#include "model/evaluation/evaluation.h"
#include "tests/model/scenario/exampleplan.h"

// One machine over several sites: each site has its own tree, and what joins them has to be told.

using namespace cw;
using network::LinkEnd;
using scenario::Scenario;

namespace {

Scenario superpods(std::int64_t sites, double bandwidth)
{
    Scenario s = testplans::example("superpod-8192");
    s.cluster.network.sites = sites;
    s.cluster.network.siteBandwidth = bandwidth;
    return s;
}

bool breaks(const evaluation::Evaluation& e, const char* rule)
{
    return std::any_of(e.violations.begin(), e.violations.end(),
                       [rule](const auto& v) { return v.rule == rule; });
}

} // namespace

class TestManySites : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachSiteHasItsWholeTree()
    {
        const Scenario s = superpods(4, 10e9);
        const auto e = evaluation::evaluate(s);
        double up = 0;
        for (const auto& c : evaluation::linkLoads(s, e).classes) {
            if (c.from != LinkEnd::Aggregation)
                continue;
            up += c.count;
            // 3.76 GB a chip and step through the core in 32 s: nothing is near its limit.
            QVERIFY2(c.hottest < 1, qPrintable(QString::number(c.hottest)));
        }
        // Every aggregation switch of 128 ports has half of them upward: 8,192 of them (four sites
        // of 2,048), as in one site.
        QCOMPARE(e.topology.aggregations, 8192.0);
        QCOMPARE(up, 8192.0 * 64);
    }
    void nothingBetweenTheSitesIsAFault()
    {
        QVERIFY(breaks(evaluation::evaluate(superpods(2, 0)), "rule.site-bandwidth"));
        QVERIFY(!breaks(evaluation::evaluate(superpods(2, 1e9)), "rule.site-bandwidth"));
        QVERIFY(!breaks(evaluation::evaluate(superpods(1, 0)), "rule.site-bandwidth"));
    }
    void narrowSitesSlowTheStep()
    {
        double before = 0;
        for (const double bandwidth : {100e9, 1e9, 1e8, 1e6}) {
            const double step = evaluation::evaluate(superpods(4, bandwidth)).step.time.si();
            QVERIFY(step >= before);
            before = step;
        }
        // A pipeline send of a chip at 1 MB/s takes longer than all else.
        QVERIFY(before > 10 * evaluation::evaluate(superpods(4, 100e9)).step.time.si());
    }
};

QTEST_APPLESS_MAIN(TestManySites)
#include "tst_manysites.moc"
