// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <cmath>

#include "model/evaluation/evaluation.h"
#include "model/network/linkloads.h"
#include "model/scenario/plan.h"
#include "resources/embedded.h"

// What holds of the traffic of every worked example.

using namespace cw;

class TestExampleTraffic : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sharesAndLoads_data()
    {
        QTest::addColumn<QByteArray>("file");
        for (const std::string_view name : resources::filesBelow("examples/")) {
            const QByteArray file(name.data(), static_cast<qsizetype>(name.size()));
            if (file.endsWith(".clusterwright"))
                QTest::newRow(file.constData()) << file;
        }
    }

    void sharesAndLoads()
    {
        QFETCH(QByteArray, file);
        const auto reading = scenario::readPlan(resources::file(file.constData()));
        QVERIFY(reading.plan);
        const scenario::Scenario& s = reading.plan->scenario;
        const evaluation::Evaluation e = evaluation::evaluate(s);
        const auto& t = e.traffic;
        QVERIFY(t.tierCount > 0);
        for (std::size_t k = 0; k < network::kTrafficKinds; ++k) {
            double sum = 0;
            for (std::size_t i = 0; i < t.tierCount; ++i) {
                QVERIFY2(t.tiers[i].bytes[k] >= 0,
                         qPrintable(QString::number(t.tiers[i].bytes[k])));
                sum += t.tiers[i].bytes[k];
                const double share = e.step.shares.mean[i][k];
                QVERIFY(share >= 0 && share <= 1);
                QVERIFY(i == 0 || share <= e.step.shares.mean[i - 1][k]);
            }
            const double whole = t.volumes[k].inside + t.volumes[k].across;
            const double told = t.tierCount > 1 ? whole : t.volumes[k].inside;
            QVERIFY(std::fabs(sum - told) <= 1e-9 * whole);
        }
        constexpr double kFull = 1 + 1e-9;
        for (std::size_t i = 0; i < t.tierCount; ++i)
            QVERIFY2(t.tiers[i].inUse <= kFull, qPrintable(QString::number(t.tiers[i].inUse)));
        for (const network::LinkClass& c : evaluation::linkLoads(s, e).classes) {
            QVERIFY2(c.inUse <= kFull, qPrintable(QString::number(c.inUse)));
            QVERIFY2(c.hottest <= kFull, qPrintable(QString::number(c.hottest)));
        }
    }
};

QTEST_APPLESS_MAIN(TestExampleTraffic)
#include "tst_exampletraffic.moc"
