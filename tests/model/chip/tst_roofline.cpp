// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/chip/roofline.h"

#include <QTest>

#include <cmath>

#include "model/transformer/counts.h"
#include "tests/model/scenario/testplans.h"

using namespace cw;
using scenario::Format;
using scenario::Inputs;
using scenario::Scenario;

namespace {

/// Round numbers: 1000 and 2000 TFLOP/s at 0.8, K0 1000, 100 cores, tiles of 128, 2 TB/s at 0.5.
Scenario roundChip()
{
    Scenario s = testplans::denseGpt();
    auto& c = s.cluster.chip;
    c.matrixFlops = {};
    c.matrixFlops[std::size_t(Format::Bf16)] = 1000e12;
    c.matrixFlops[std::size_t(Format::Fp8)] = 2000e12;
    c.efficiency.matrix = {};
    c.efficiency.matrix[std::size_t(Format::Bf16)] = 0.8;
    c.efficiency.kRamp = 1000;
    c.cores = 100;
    c.tileM = c.tileN = 128;
    c.hbmBandwidth = 2e12;
    c.efficiency.hbm = 0.5;
    return s;
}

bool near(double a, double b)
{
    return std::fabs(a - b) <= 1e-12 * std::fabs(b);
}

} // namespace

class TestRoofline : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void byHand()
    {
        const Scenario s = roundChip();
        const Inputs<double> in(s);
        // 8192 x 4096 x 9000: whole tiles, 2048 of them; ramp 9000/10000.
        const double t = chip::gemmTime(in, Format::Bf16, 8192.0, 4096.0, 9000.0).si();
        QVERIFY(near(t, 2.0 * 8192 * 4096 * 9000 / (1000e12 * 0.8 * 0.9)));
    }

    void rampOfNarrowFormats()
    {
        // K0 is 1.6 times as long in 8 bit; the sustained share is taken from its kin.
        const Scenario s = roundChip();
        const Inputs<double> in(s);
        const double t = chip::gemmTime(in, Format::Fp8, 8192.0, 4096.0, 8400.0).si();
        QVERIFY(near(t, 2.0 * 8192 * 4096 * 8400 / (2000e12 * 0.8 * 0.84)));
    }

    void tilesAreWhole()
    {
        const Scenario s = roundChip();
        const Inputs<double> in(s);
        const double whole = chip::gemmTime(in, Format::Bf16, 8192.0, 4096.0, 9000.0).si();
        const double odd = chip::gemmTime(in, Format::Bf16, 8065.0, 4096.0, 9000.0).si();
        QVERIFY(near(odd, whole)); // 8065 rows pay for 64 tiles
        // Ten tiles on a hundred cores: a tenth of the chip.
        const double few = chip::gemmTime(in, Format::Bf16, 1280.0, 128.0, 9000.0).si();
        QVERIFY(near(few, 2.0 * 1280 * 128 * 9000 / (1000e12 * 0.8 * 0.9 * 0.1)));
    }

    void memoryBound()
    {
        // One row: the weights are streamed at 1 TB/s.
        Scenario s = roundChip();
        s.cluster.chip.cores = 1;
        s.cluster.chip.tileM = 1;
        const Inputs<double> in(s);
        const double t = chip::gemmTime(in, Format::Bf16, 1.0, 4096.0, 4096.0).si();
        QVERIFY(near(t, (2.0 * (4096 + 4096.0 * 4096) + 2 * 4096) / 1e12));
        QVERIFY(near(chip::streamTime(in, units::Bytes<>(3e9)).si(), 3e-3));
    }

    void groupedRows()
    {
        const Scenario s = roundChip();
        const Inputs<double> in(s);
        const auto& c = s.software.constants;
        // 16 experts of 2048 rows: ramps M/(M + M0) in their rows and K/(K + K0) in their depth.
        const double t = chip::groupedGemmTime(in, Format::Bf16, 16.0, 2048.0, 4096.0, 9000.0).si();
        const double share =
            c.groupedGemm * 2048 / (2048 + c.groupedGemmRows) * 9000 / (9000 + c.groupedGemmDepth);
        QVERIFY(near(t, 16 * 2.0 * 2048 * 4096 * 9000 / (1000e12 * 0.8 * 0.9 * share)));
        // Few rows each cost more for the same work, at least 256 rows against 4096.
        double last = 0;
        for (double groups = 1; groups <= 256; groups *= 2) {
            const double now =
                chip::groupedGemmTime(in, Format::Bf16, groups, 32768.0 / groups, 4096.0, 9000.0)
                    .si();
            QVERIFY(now >= last);
            last = now;
        }
    }

    void nothingTakesNoTime()
    {
        const Scenario s = roundChip();
        const Inputs<double> here(s);
        QCOMPARE(chip::gemmTime(here, Format::Bf16, 0.0, 4096.0, 4096.0).si(), 0.0);
    }

    void peaks_data()
    {
        QTest::addColumn<QByteArray>("chip");
        QTest::addColumn<double>("bf16");
        // Dense peaks of the data sheets, not the sparse figures printed beside them.
        QTest::newRow("A100") << QByteArray("a100-80-sxm") << 312e12;
        QTest::newRow("H100 SXM") << QByteArray("h100-sxm") << 989e12;
        QTest::newRow("H100 PCIe") << QByteArray("h100-pcie") << 756.5e12;
        QTest::newRow("H200") << QByteArray("h200-sxm") << 989.5e12;
    }
    void peaks()
    {
        QFETCH(QByteArray, chip);
        QFETCH(double, bf16);
        Scenario s;
        scenario::applyPreset(s, "cluster.chip", chip.data());
        const double peak = chip::peakOf(Inputs<double>(s), Format::Bf16).si();
        QVERIFY2(std::fabs(peak / bf16 - 1) < 0.001, std::to_string(peak).c_str());
    }

    void kinStandIn()
    {
        const Scenario s = roundChip();
        const Inputs<double> in(s);
        QCOMPARE(chip::peakOf(in, Format::Mxfp8).si(), 2000e12);
        QCOMPARE(chip::peakOf(in, Format::Nvfp4).si(), 2000e12); // the nearest wider
        QCOMPARE(chip::peakOf(in, Format::Fp16).si(), 1000e12);
        QCOMPARE(chip::peakOf(in, Format::Fp64).si(), s.cluster.chip.vectorFlops);
    }

    void attention()
    {
        Scenario s = roundChip();
        s.software.attention = scenario::AttentionKernel::Flash3;
        s.cluster.chip.efficiency.attention = 0.5;
        s.cluster.chip.efficiency.flash2 = 0.8;
        const Inputs<double> in(s);
        const auto layer = transformer::layersOf(in)[0];
        // 2048 tokens, heads of 96: 4 s/2 h FLOPs per token, and half a block of 128 keys more on
        // the diagonal.
        const double flops = 4.0 * (1024 + 64) * 6144 * 2048 / 8;
        // Heads of 96 lie log2(128/96) = 0.41504 halvings below 128.
        const double small = std::pow(s.cluster.chip.efficiency.smallHeads, 0.415037499278844);
        QVERIFY(near(chip::attentionTime(in, layer, 2048.0, 8.0).si(),
                     flops / (1000e12 * 0.5 * small)));
        s.software.attention = scenario::AttentionKernel::Flash2;
        QVERIFY(near(chip::attentionTime(in, layer, 2048.0, 8.0).si(),
                     flops / (1000e12 * 0.4 * small)));
        const double fused = chip::attentionTime(in, layer, 2048.0, 8.0).si();
        s.software.attention = scenario::AttentionKernel::Unfused;
        QVERIFY(chip::attentionTime(in, layer, 2048.0, 8.0).si() > fused);
    }
};

QTEST_APPLESS_MAIN(TestRoofline)
#include "tst_roofline.moc"
