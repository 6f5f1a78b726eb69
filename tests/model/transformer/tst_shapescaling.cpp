// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/transformer/shapescaling.h"

#include <QTest>

#include <cmath>

#include "model/scenario/checks.h"
#include "model/scenario/registry.h"
#include "model/transformer/counts.h"
#include "tests/model/scenario/testplans.h"

using namespace cw;
using scenario::Scenario;

class TestShapeScaling : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void meets_data()
    {
        QTest::addColumn<QByteArray>("base");
        QTest::addColumn<double>("total");
        QTest::addColumn<double>("active"); // 0: none given
        QTest::newRow("DeepSeek-V3 to 10T / 1T") << QByteArray("deepseek-v3") << 10e12 << 1e12;
        QTest::newRow("DeepSeek-V3 to 2T / 100B") << QByteArray("deepseek-v3") << 2e12 << 100e9;
        QTest::newRow("Kimi K2 to 10T / 500B") << QByteArray("kimi-k2") << 10e12 << 500e9;
        QTest::newRow("Mixtral to 200B / 40B") << QByteArray("mixtral-8x7b") << 200e9 << 40e9;
        QTest::newRow("Qwen3 MoE to 1T / 60B") << QByteArray("qwen3-235b-a22b") << 1e12 << 60e9;
        QTest::newRow("gpt-oss to 500B / 20B") << QByteArray("gpt-oss-120b") << 500e9 << 20e9;
        QTest::newRow("Llama 405B to dense 70B") << QByteArray("llama3.1-405b") << 70e9 << 0.0;
        QTest::newRow("Llama 8B to dense 10T") << QByteArray("llama3.1-8b") << 10e12 << 0.0;
        QTest::newRow("GPT-3 to 22B") << QByteArray("gpt3-175b") << 22e9 << 0.0;
    }
    void meets()
    {
        QFETCH(QByteArray, base);
        QFETCH(double, total);
        QFETCH(double, active);
        Scenario s;
        scenario::applyPreset(s, "model", base.data());
        s.model.scaleTo.total = total;
        if (active > 0)
            s.model.scaleTo.active = active;
        transformer::scaleShape(s);
        const scenario::Inputs<double> in(s);
        const auto c = transformer::countParameters(in, transformer::layersOf(in));
        QVERIFY2(std::fabs(c.total / total - 1) <= 0.01, std::to_string(c.total).c_str());
        if (active > 0)
            QVERIFY2(std::fabs(c.active / active - 1) <= 0.01, std::to_string(c.active).c_str());
        QCOMPARE(s.model.hidden % 128, 0);
        for (const auto& g : s.model.groups) {
            QVERIFY(g.count >= 1);
            QVERIFY(g.ffn.topK <= g.ffn.experts);
            if (g.attention.keyValueHeads > 0)
                QCOMPARE(g.attention.heads % g.attention.keyValueHeads, 0);
        }
        // Scaling again changes nothing.
        Scenario again = s;
        transformer::scaleShape(again);
        QVERIFY(again == s);
    }

    void withoutTargetsNothingChanges()
    {
        Scenario s = testplans::deepSeek();
        const Scenario before = s;
        transformer::scaleShape(s);
        QVERIFY(s == before);
    }

    void unreachableTargetsEnd()
    {
        for (const double total : {1.0, 1e6, 1e20}) {
            Scenario s = testplans::deepSeek();
            s.model.scaleTo.total = total;
            s.model.scaleTo.active = 1e9;
            transformer::scaleShape(s);
            QVERIFY(s.model.hidden >= 1);
        }
    }
};

QTEST_APPLESS_MAIN(TestShapeScaling)
#include "tst_shapescaling.moc"
