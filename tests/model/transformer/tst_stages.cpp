// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/transformer/stages.h"

#include <QTest>

#include <algorithm>
#include <numeric>
#include <random>

#include "tests/model/scenario/testplans.h"

using namespace cw;
using namespace cw::transformer;
using scenario::Scenario;
using Counts = std::vector<std::int64_t>;

namespace {

Scenario layered(std::vector<std::int64_t> counts, std::int64_t mtp = 0)
{
    Scenario s;
    s.model.groups.clear();
    for (const std::int64_t n : counts) {
        s.model.groups.emplace_back();
        s.model.groups.back().count = n;
    }
    s.model.mtpLayers = mtp;
    return s;
}

std::int64_t sumOf(const Counts& c)
{
    return std::accumulate(c.begin(), c.end(), std::int64_t{0});
}

} // namespace

class TestStages : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void slices_data()
    {
        QTest::addColumn<int>("layers");
        QTest::addColumn<int>("mtp");
        QTest::addColumn<int>("slices");
        QTest::newRow("48 on 4") << 48 << 0 << 4;
        QTest::newRow("61 on 16, MTP") << 61 << 1 << 16;
        QTest::newRow("61 on 16") << 61 << 0 << 16;
        QTest::newRow("126 on 16") << 126 << 0 << 16;
        QTest::newRow("61 on 8") << 61 << 0 << 8;
        QTest::newRow("5 on 4") << 5 << 0 << 4;
        QTest::newRow("7 on 6, three MTP") << 7 << 3 << 6;
        QTest::newRow("3 on 8: fewer than slices") << 3 << 0 << 8;
    }
    void slices()
    {
        QFETCH(int, layers);
        QFETCH(int, mtp);
        QFETCH(int, slices);
        const Scenario s = layered({layers}, mtp);
        const Counts cut = sliceLayers(s, slices);
        QCOMPARE(cut.size(), std::size_t(slices));
        QCOMPARE(sumOf(cut), std::int64_t(layers)); // a remainder is never dropped
        QVERIFY(std::all_of(cut.begin(), cut.end(), [](auto n) { return n >= 0; }));
        if (layers % slices == 0) {
            QVERIFY(std::all_of(cut.begin(), cut.end(), [&](auto n) { return n == cut[0]; }));
        } else if (layers > 2 * slices) {
            // Ends carry embedding, head and MTP beside their layers, so they hold fewer.
            const std::int64_t most = *std::max_element(cut.begin(), cut.end());
            QVERIFY(cut.front() < most);
            QVERIFY(cut.back() < most);
            for (std::size_t i = 1; i + 1 < cut.size(); ++i)
                QVERIFY(most - cut[i] <= 1);
        }
    }

    void deepSeekOn16()
    {
        // 61 layers, embedding, head and one MTP layer are 64 units, four for each stage.
        Counts expected(16, 4);
        expected.front() = 3;
        expected.back() = 2;
        QCOMPARE(sliceLayers(testplans::deepSeek(), 16), expected);
    }

    void given()
    {
        Scenario s = layered({8});
        s.parallelism.stageLayers = {1, 2, 2, 3};
        QCOMPARE(sliceLayers(s, 4), (Counts{1, 2, 2, 3}));
        s.parallelism.stageLayers = {1, 2, 2, 2}; // a violation; then balanced
        QCOMPARE(sumOf(sliceLayers(s, 4)), 8);
        s.parallelism.stageLayers = {4, 4};
        QCOMPARE(sliceLayers(s, 4), (Counts{2, 2, 2, 2}));
    }

    void groupsStandInOrder()
    {
        const auto slices = slicesOf(testplans::deepSeek(), 16);
        QCOMPARE(slices.size(), 16U);
        QVERIFY(slices.front().embedding && !slices.front().head);
        QVERIFY(slices.back().head && !slices.back().embedding);
        QCOMPARE(slices.back().mtp, 1);
        QCOMPARE(slices.front().layers, (Counts{3, 0})); // the dense layers come first
        QCOMPARE(slices[1].layers, (Counts{0, 4}));
        Counts sums(2, 0);
        for (const Slice& s : slices)
            for (std::size_t g = 0; g < 2; ++g)
                sums[g] += s.layers[g];
        QCOMPARE(sums, (Counts{3, 58}));
    }

    void oneStageHasBothEnds()
    {
        const auto slices = slicesOf(layered({10}), 1);
        QCOMPARE(slices.size(), 1U);
        QVERIFY(slices[0].embedding && slices[0].head);
        QCOMPARE(slices[0].layers, (Counts{10}));
    }

    void interleavedGroupsTakeTurns()
    {
        // Three sliding layers to one full, the pattern of Gemma and others.
        Scenario s = layered({6, 18});
        s.model.interleavedGroups = 2;
        const auto order = layerOrder(s.model);
        QCOMPARE(order.size(), 24U);
        QCOMPARE(std::count(order.begin(), order.end(), 0), 6);
        for (std::size_t start = 0; start + 4 <= order.size(); start += 4)
            QCOMPARE(std::count(order.begin() + std::ptrdiff_t(start),
                                order.begin() + std::ptrdiff_t(start) + 4, 0),
                     1);
        // A dense head in front stays in front.
        Scenario t = layered({2, 4, 4});
        t.model.interleavedGroups = 2;
        const auto o = layerOrder(t.model);
        QCOMPARE(o[0], 0);
        QCOMPARE(o[1], 0);
        for (std::size_t i = 2; i + 1 < o.size(); ++i)
            QVERIFY(o[i] != o[i + 1]);
    }

    void anyShapeSums()
    {
        std::mt19937 random(3);
        for (int i = 0; i < 500; ++i) {
            Counts counts;
            for (unsigned g = 0; g < 1 + random() % 4; ++g)
                counts.push_back(1 + std::int64_t(random() % 40));
            Scenario s = layered(counts, std::int64_t(random() % 3));
            s.model.interleavedGroups = std::int64_t(random() % 6);
            const std::int64_t slices = 1 + std::int64_t(random() % 70);
            Counts sums(counts.size(), 0);
            for (const Slice& slice : slicesOf(s, slices))
                for (std::size_t g = 0; g < sums.size(); ++g)
                    sums[g] += slice.layers[g];
            QCOMPARE(sums, counts);
        }
    }
};

QTEST_APPLESS_MAIN(TestStages)
#include "tst_stages.moc"
