// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/schedule/timeline.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>
#include <vector>

using namespace cw::schedule;

namespace {

constexpr Schedule kAll[] = {Schedule::Gpipe,        Schedule::OneFOneB,     Schedule::Interleaved,
                             Schedule::ZeroBubbleH1, Schedule::ZeroBubbleH2, Schedule::ZeroBubbleV,
                             Schedule::VHalf,        Schedule::VMin,         Schedule::DualPipe,
                             Schedule::DualPipeV};

constexpr double kSend = 0.05;
constexpr double kTiny = 1e-9;

/// Times that differ from chunk to chunk.
std::vector<StageCost> unevenCosts(Schedule schedule, int p, int v)
{
    std::vector<StageCost> costs(std::size_t(p * chunksPerDevice(schedule, v)));
    for (std::size_t i = 0; i < costs.size(); ++i)
        costs[i] = {1.0 + 0.1 * double(i % 3), 1.1 + 0.07 * double(i % 4), 0.8};
    return costs;
}

struct Passed
{
    double forwardStart = -1.0;
    double forwardEnd = -1.0;
    double backwardStart = -1.0;
    double backwardEnd = -1.0;
    double weightStart = -1.0; ///< of a pass of its own
    int device = -1;
    int weights = 0; ///< times the weight gradient was taken
    int forwards = 0;
    int backwards = 0;
};

/// What happened to each (slice, micro batch).
using Passages = std::map<std::pair<int, int>, Passed>;

void record(Passages& all, const Block& block, int chunk, int microBatch, Kind kind,
            Schedule schedule, int p, int v)
{
    Passed& passed = all[{chunkPosition(schedule, block.device, chunk, p, v), microBatch}];
    passed.device = block.device;
    if (kind == Kind::Forward) {
        passed.forwardStart = block.start;
        passed.forwardEnd = block.end;
        ++passed.forwards;
    } else if (kind == Kind::Weight) {
        passed.weightStart = block.start;
        ++passed.weights;
    } else {
        passed.backwardStart = block.start;
        passed.backwardEnd = block.end;
        ++passed.backwards;
        passed.weights += kind == Kind::Backward ? 1 : 0;
    }
}

Passages passagesOf(const Timeline& timeline, Schedule schedule, int p, int v)
{
    Passages all;
    for (const Block& block : timeline.blocks) {
        if (block.kind == Kind::ForwardBackward) {
            record(all, block, block.chunk, block.microBatch, Kind::Forward, schedule, p, v);
            record(all, block, block.backwardChunk, block.backwardMicroBatch, Kind::Backward,
                   schedule, p, v);
        } else {
            record(all, block, block.chunk, block.microBatch, block.kind, schedule, p, v);
        }
    }
    return all;
}

} // namespace

class TestTimeline : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyPassOnceAndInOrder_data();
    void everyPassOnceAndInOrder();
    void nothingOverlapsOnADevice_data();
    void nothingOverlapsOnADevice();
    void timeAloneIsTheSame_data();
    void timeAloneIsTheSame();
    void workAddsUp();
    void sendsAddTime();
    void slowerPassesNeverShorten();
    void publishedOrders();
    void dualPipeOverlaps();
    void refusesNonsense();
    void measured();

private:
    static void addPlans();
};

void TestTimeline::addPlans()
{
    QTest::addColumn<int>("schedule");
    QTest::addColumn<int>("p");
    QTest::addColumn<int>("v");
    QTest::addColumn<int>("m");
    for (const Schedule s : kAll) {
        const auto name = cw::scenario::nameOf(s);
        for (const int p : {1, 2, 3, 4, 5, 8}) {
            for (const int m : {1, 2, 3, 4, 7, 8, 16, 19}) {
                for (const int v : {1, 3}) {
                    if (v > 1 && s != Schedule::Interleaved)
                        continue;
                    QTest::addRow("%.*s p%d v%d m%d", int(name.size()), name.data(), p, v, m)
                        << int(s) << p << v << m;
                }
            }
        }
    }
}

#define FETCH_PLAN                                                                                 \
    QFETCH(int, schedule);                                                                         \
    QFETCH(int, p);                                                                                \
    QFETCH(int, v);                                                                                \
    QFETCH(int, m);                                                                                \
    const auto s = Schedule(schedule)

void TestTimeline::everyPassOnceAndInOrder_data()
{
    addPlans();
}

// Each micro batch passes each slice once forward, once backward, takes its weight gradient once,
// and never before what it waits for.
void TestTimeline::everyPassOnceAndInOrder()
{
    FETCH_PLAN;
    const Timeline timeline = simulate(s, p, v, m, unevenCosts(s, p, v), kSend);
    const Passages all = passagesOf(timeline, s, p, v);
    const int slices = p * chunksPerMicroBatch(s, v);
    QCOMPARE(int(all.size()), slices * m);
    for (const auto& [key, here] : all) {
        const auto [slice, microBatch] = key;
        QCOMPARE(here.forwards, 1);
        QCOMPARE(here.backwards, 1);
        QCOMPARE(here.weights, 1);
        QVERIFY(here.weightStart < 0.0 || here.weightStart >= here.backwardEnd - kTiny);
        QVERIFY(here.backwardStart >= here.forwardEnd - kTiny);
        if (slice == slices - 1)
            continue;
        const Passed& after = all.at({slice + 1, microBatch});
        const double send = after.device == here.device ? 0.0 : kSend;
        QVERIFY(after.forwardStart >= here.forwardEnd + send - kTiny);
        QVERIFY(here.backwardStart >= after.backwardEnd + send - kTiny);
    }
}

void TestTimeline::nothingOverlapsOnADevice_data()
{
    addPlans();
}

void TestTimeline::nothingOverlapsOnADevice()
{
    FETCH_PLAN;
    const Timeline timeline = simulate(s, p, v, m, unevenCosts(s, p, v), kSend);
    double last = 0.0;
    for (std::size_t i = 0; i < timeline.blocks.size(); ++i) {
        const Block& block = timeline.blocks[i];
        QVERIFY(block.start >= -kTiny && block.end > block.start);
        last = std::max(last, block.end);
        if (i == 0)
            continue;
        const Block& before = timeline.blocks[i - 1];
        QVERIFY(block.device == before.device ? block.start >= before.end - kTiny
                                              : block.device == before.device + 1);
    }
    QCOMPARE(timeline.makespan, last);
    QVERIFY(timeline.time <= timeline.makespan);
    QVERIFY(finishesAskew(s) || timeline.time == timeline.makespan);
}

void TestTimeline::timeAloneIsTheSame_data()
{
    addPlans();
}

void TestTimeline::timeAloneIsTheSame()
{
    FETCH_PLAN;
    static Workspace shared; // carries the order of the plan before into this one
    const auto costs = unevenCosts(s, p, v);
    const double time = simulate(s, p, v, m, costs, kSend, 0.9).time;
    QVERIFY(simulateTime(s, p, v, m, costs, kSend, shared, 0.9) == time);
    QVERIFY(simulateTime(s, p, v, m, costs, kSend * 2, shared, 0.9) >= time);
    QVERIFY(simulateTime(s, p, v, m, costs, kSend, shared, 0.9) == time);
}

void TestTimeline::workAddsUp()
{
    for (const Schedule s : kAll) {
        for (const int p : {1, 2, 4, 5, 8}) {
            const int v = s == Schedule::Interleaved ? 2 : 1;
            const int m = 2 * p;
            const auto chunks = std::size_t(chunksPerDevice(s, v));
            std::vector<StageCost> costs(std::size_t(p) * chunks, {1.0, 1.5, 0.5});
            const Timeline timeline = simulate(s, p, v, m, costs, 0.0);
            for (const double busy : timeline.busy)
                QCOMPARE(busy, 3.0 * m * chunksPerMicroBatch(s, v));
        }
    }
}

void TestTimeline::sendsAddTime()
{
    for (const Schedule s : kAll) {
        const int v = s == Schedule::Interleaved ? 2 : 1;
        const auto costs = unevenCosts(s, 4, v);
        double before = simulate(s, 4, v, 16, costs, 0.0).makespan;
        for (const double send : {0.1, 0.3, 1.0}) {
            const double time = simulate(s, 4, v, 16, costs, send).makespan;
            QVERIFY(time > before);
            before = time;
        }
    }
    // 1F1B with even stages: each send of the first forward down and the last backward up shows.
    const std::vector<StageCost> even(4, {1.0, 1.0, 1.0});
    QCOMPARE(simulate(Schedule::OneFOneB, 4, 1, 1, even, 0.25).time, 12.0 + 6 * 0.25);
    QCOMPARE(simulate(Schedule::OneFOneB, 1, 1, 5, {even.data(), 1}, 0.25).time, 15.0);
}

void TestTimeline::slowerPassesNeverShorten()
{
    for (const Schedule s : kAll) {
        const int v = s == Schedule::Interleaved ? 2 : 1;
        auto costs = unevenCosts(s, 4, v);
        const double before = simulate(s, 4, v, 9, costs, kSend).makespan;
        for (StageCost& cost : costs) {
            const StageCost old = cost;
            for (double StageCost::*part :
                 {&StageCost::forward, &StageCost::backwardInput, &StageCost::weight}) {
                cost.*part *= 1.3;
                QVERIFY(simulate(s, 4, v, 9, costs, kSend).makespan >= before);
                cost = old;
            }
        }
    }
}

namespace {

/// "F0 B0" and so on; the chunk as a letter behind, pairs in brackets.
QByteArray written(Schedule s, int p, int v, int m, int device)
{
    const Order order = passOrder(s, p, v, m);
    QByteArray text;
    for (const Pass& pass : order[std::size_t(device)]) {
        const auto one = [&](char kind, int microBatch, int chunk) {
            text += kind + QByteArray::number(microBatch);
            if (chunksPerDevice(s, v) > 1)
                text += char('a' + chunk);
        };
        text += text.isEmpty() ? "" : " ";
        if (pass.kind == Kind::ForwardBackward) {
            text += '(';
            one('F', pass.microBatch, pass.chunk);
            one('B', pass.backwardMicroBatch, pass.backwardChunk);
            text += ')';
        } else {
            one("FBIW"[int(pass.kind)], pass.microBatch, pass.chunk);
        }
    }
    return text;
}

} // namespace

// Against the figures of the papers and the order of the repositories, first devices.
void TestTimeline::publishedOrders()
{
    QCOMPARE(written(Schedule::OneFOneB, 4, 1, 5, 2), QByteArray("F0 F1 B0 F2 B1 F3 B2 F4 B3 B4"));
    // Narayanan 2021 figure 4: warm-up of 2 (p-1-d) + (v-1) p forwards.
    QCOMPARE(written(Schedule::Interleaved, 2, 2, 4, 1),
             QByteArray("F0a F1a F0b B0b F1b B1b F2a B0a F3a B1a F2b B2b F3b B3b B2a B3a"));
    // Qi 2024 figure 2: the last device puts its weight passes off by p - 1 micro batches.
    QCOMPARE(written(Schedule::ZeroBubbleH1, 3, 1, 4, 2),
             QByteArray("F0 I0 F1 I1 F2 I2 W0 F3 I3 W1 W2 W3"));
    QCOMPARE(written(Schedule::ZeroBubbleH1, 3, 1, 4, 0),
             QByteArray("F0 F1 F2 I0 W0 F3 I1 W1 I2 W2 I3 W3"));
    QCOMPARE(written(Schedule::ZeroBubbleV, 2, 1, 3, 1),
             QByteArray("F0a F0b F1a F1b I0b W0b F2a I0a W0a F2b I1b W1b I1a I2b I2a W1a W2b W2a"));
    QCOMPARE(written(Schedule::DualPipe, 2, 1, 4, 0),
             QByteArray("F0a F2b F1a B2b (F3bB0a) B3b I1a W1a"));
}

void TestTimeline::dualPipeOverlaps()
{
    const std::vector<StageCost> costs(32, {1.0, 1.0, 1.0});
    const Timeline timeline = simulate(Schedule::DualPipe, 16, 1, 60, costs, 0.0);
    const auto pairs =
        std::count_if(timeline.blocks.begin(), timeline.blocks.end(),
                      [](const Block& b) { return b.kind == Kind::ForwardBackward; });
    QVERIFY(pairs > 16 * 60 / 2);
    // Pairs that take 80% of their parts shorten the step by nearly that share of them.
    const double faster = simulate(Schedule::DualPipe, 16, 1, 60, costs, 0.0, 0.8).time;
    QCOMPARE(timeline.time - faster, (60 - 8 - 2) * 0.6);
}

void TestTimeline::refusesNonsense()
{
    const std::vector<StageCost> costs(4, {1.0, 1.0, 1.0});
    Workspace workspace;
    const auto run = [&](int p, int v, int m) {
        simulateTime(Schedule::OneFOneB, p, v, m, costs, 0.0, workspace);
    };
    QVERIFY_EXCEPTION_THROWN(run(0, 1, 1), std::invalid_argument);
    QVERIFY_EXCEPTION_THROWN(run(4, 0, 1), std::invalid_argument);
    QVERIFY_EXCEPTION_THROWN(run(4, 1, 0), std::invalid_argument);
    QVERIFY_EXCEPTION_THROWN(run(5, 1, 1), std::invalid_argument);
    QVERIFY_EXCEPTION_THROWN(run(4, 1, 2'000'000'000), std::invalid_argument);
    run(4, 1, 3);
}

void TestTimeline::measured()
{
    const std::vector<StageCost> costs(32, {1.0, 1.0, 1.0});
    Workspace workspace;
    double sum = 0.0;
    QBENCHMARK
    {
        sum += simulateTime(Schedule::DualPipe, 16, 1, 60, costs, 0.0, workspace);
    }
    QVERIFY(sum > 0.0);
}

QTEST_APPLESS_MAIN(TestTimeline)
#include "tst_timeline.moc"
