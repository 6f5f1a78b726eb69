// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <cmath>

#include "model/evaluation/evaluation.h"
#include "model/transformer/counts.h"
#include "tests/model/scenario/testplans.h"

using namespace cw;

/// Parameters on one tensor rank.
class TestOnRank : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keyValueHeadsAreHeldWhole()
    {
        // h 4096, 32 heads and 8 key/value heads of 128, FFN 14336, two norms, no bias.
        scenario::Scenario s;
        testplans::use(s, "model", "llama3.1-8b");
        const scenario::Inputs<double> in(s);
        const auto layer = transformer::layersOf(in)[0];
        const double query = 4096.0 * 4096;
        const double keys = 4096.0 * 2 * 8 * 128;
        const double rest = 4096.0 * 4096 + 3.0 * 4096 * 14336;
        const double norms = 2.0 * 4096;
        QCOMPARE(transformer::parametersOnRank(layer, 8.0), (query + keys + rest) / 8 + norms);
        // Sixteen ranks share eight heads: each holds one of them whole.
        QCOMPARE(transformer::parametersOnRank(layer, 16.0),
                 (query + rest) / 16 + keys / 8 + norms);
    }

    void gradientOfTheLargestMatrix()
    {
        // One layer's backward on one rank of Llama 3.1 8B: the gated FFN's first matrix in fp32,
        // and three tensors of n x 14336 in 16 bit.
        scenario::Scenario s;
        testplans::use(s, "model", "llama3.1-8b");
        testplans::use(s, "cluster", "dgx-h100");
        testplans::use(s, "software", "nemo");
        s.cluster.chips = 16;
        s.workload.sequenceLength = 4096;
        s.workload.globalBatchSequences = 16;
        s.parallelism.pipeline = 2;
        const auto e = evaluation::evaluateCore(s);
        const double largest = 4.0 * 4096 * 2 * 14336;
        const double between = 2.0 * 4096 * 3 * 14336;
        QCOMPARE(e.memory.stages[0].temporaryRecompute.si(), largest + between);
    }
};

QTEST_APPLESS_MAIN(TestOnRank)
#include "tst_onrank.moc"
