// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/schedule/closedform.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/explain/trace.h"
#include "model/schedule/timeline.h"

using namespace cw::schedule;
using cw::units::Seconds;

namespace {

constexpr Schedule kAll[] = {Schedule::Gpipe,        Schedule::OneFOneB,     Schedule::Interleaved,
                             Schedule::ZeroBubbleH1, Schedule::ZeroBubbleH2, Schedule::ZeroBubbleV,
                             Schedule::VHalf,        Schedule::VMin,         Schedule::DualPipe,
                             Schedule::DualPipeV};

struct Case
{
    Schedule schedule;
    int p;
    int v;
    int m;
};

Shape<double> shapeOf(const Case& c)
{
    return {double(c.p), double(c.v), double(c.m)};
}

PassTimes<double> passTimes(double f, double input, double w)
{
    return {Seconds<>(f), Seconds<>(input + w), Seconds<>(w)};
}

/// Costs of chunks where each device's stage takes the times given.
std::vector<StageCost> costsOf(const Case& c, const std::vector<PassTimes<double>>& stages)
{
    const int chunks = chunksPerDevice(c.schedule, c.v);
    const int passed = chunksPerMicroBatch(c.schedule, c.v);
    std::vector<StageCost> costs;
    for (int d = 0; d < c.p; ++d) {
        for (int k = 0; k < chunks; ++k) {
            // The second chunk of DualPipe is the stage of the device opposite.
            const int from = passed < chunks && k == 1 ? c.p - 1 - d : d;
            const auto& s = stages[std::size_t(from)];
            costs.push_back({s.forward.si() / passed, (s.backward - s.weight).si() / passed,
                             s.weight.si() / passed});
        }
    }
    return costs;
}

Timeline evenTimeline(const Case& c, const PassTimes<double>& times, double pairFactor = 1.0)
{
    const std::vector<PassTimes<double>> stages(std::size_t(c.p), times);
    return simulate(c.schedule, c.p, c.v, c.m, costsOf(c, stages), 0.0, pairFactor);
}

double closedTime(const Case& c, const PassTimes<double>& t)
{
    return c.m * (t.forward + t.backward).si() + bubble(c.schedule, shapeOf(c), t).si();
}

bool near(double a, double b, double relative)
{
    return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b));
}

QByteArray rowName(const Case& c)
{
    const auto name = cw::scenario::nameOf(c.schedule);
    return QByteArray(name.data(), qsizetype(name.size())) + " p" + QByteArray::number(c.p) + " v" +
           QByteArray::number(c.v) + " m" + QByteArray::number(c.m);
}

/// Deterministic numbers in [0, 1): a linear congruential generator.
class Numbers
{
public:
    double next()
    {
        m_state = m_state * 6364136223846793005ULL + 1442695040888963407ULL;
        return double(m_state >> 40U) / double(1U << 24U);
    }

private:
    std::uint64_t m_state = 20240607;
};

void addCases(const std::vector<Case>& cases)
{
    QTest::addColumn<int>("schedule");
    QTest::addColumn<int>("p");
    QTest::addColumn<int>("v");
    QTest::addColumn<int>("m");
    for (const Case& c : cases)
        QTest::newRow(rowName(c).constData()) << int(c.schedule) << c.p << c.v << c.m;
}

#define FETCH_CASE(c)                                                                              \
    QFETCH(int, schedule);                                                                         \
    QFETCH(int, p);                                                                                \
    QFETCH(int, v);                                                                                \
    QFETCH(int, m);                                                                                \
    const Case c                                                                                   \
    {                                                                                              \
        Schedule(schedule), p, v, m                                                                \
    }

} // namespace

class TestClosedForm : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void exactOnEvenStages_data();
    void exactOnEvenStages();
    void handComputed();
    void zeroBubbleH1_data();
    void zeroBubbleH1();
    void publishedShares_data();
    void publishedShares();
    void nearWithUnlikePasses_data();
    void nearWithUnlikePasses();
    void fewMicroBatches_data();
    void fewMicroBatches();
    void overlappedPairs_data();
    void overlappedPairs();
    void finishSkewIsTheWait();
    void inFlightOfTheTimeline_data();
    void inFlightOfTheTimeline();
    void boundsHoldTheTimeline_data();
    void boundsHoldTheTimeline();
    void upperBoundIsReached();
    void tracedIsTheSame();
    void placement();
    void legalityNamesWhatIsAllowed();
};

// The three schedules whose closed form holds whatever the times, m below p and off its multiples.
void TestClosedForm::exactOnEvenStages_data()
{
    std::vector<Case> cases;
    for (const int p : {1, 2, 3, 4, 8, 16}) {
        for (const int m : {1, 2, 3, 5, 8, 16, 17, 40}) {
            cases.push_back({Schedule::Gpipe, p, 1, m});
            cases.push_back({Schedule::OneFOneB, p, 1, m});
            for (const int v : {1, 2, 3, 4})
                cases.push_back({Schedule::Interleaved, p, v, m});
        }
    }
    addCases(cases);
}

void TestClosedForm::exactOnEvenStages()
{
    FETCH_CASE(c);
    const bool exact = bubbleIsExact(c.schedule, c.p, c.m);
    QVERIFY(exact || (c.schedule == Schedule::Interleaved && c.m % c.p != 0));
    for (const auto& t :
         {passTimes(1, 1, 1), passTimes(0.31, 0.52, 0.17), passTimes(2, 0.5, 0.1)}) {
        const double time = evenTimeline(c, t).time;
        QVERIFY2(near(time, closedTime(c, t), exact ? 1e-9 : 0.13) &&
                     time <= closedTime(c, t) * (1 + 1e-12),
                 qPrintable(QString::number(time) + u' ' + QString::number(closedTime(c, t))));
    }
}

// Figures worked out by hand, so that formula and timeline cannot be wrong together.
void TestClosedForm::handComputed()
{
    const auto t = passTimes(1, 1, 1); // B = 2
    const auto of = [&](const Case& c) {
        return bubble(c.schedule, shapeOf(c), t).si();
    };
    QCOMPARE(of({Schedule::Gpipe, 4, 1, 8}), 9.0);
    QCOMPARE(of({Schedule::OneFOneB, 8, 1, 2}), 21.0);
    QCOMPARE(of({Schedule::Interleaved, 4, 2, 8}), 4.5);
    QCOMPARE(of({Schedule::Interleaved, 4, 3, 3}), (3.0 + 2.0) * 3.0 / 3.0);
    QCOMPARE(of({Schedule::ZeroBubbleH1, 4, 1, 8}), 3.0);
    QCOMPARE(of({Schedule::ZeroBubbleH2, 4, 1, 8}), 0.0);
    QCOMPARE(of({Schedule::ZeroBubbleV, 4, 1, 8}), 0.0);
    QCOMPARE(of({Schedule::VHalf, 5, 1, 10}), 6.0);
    QCOMPARE(of({Schedule::VMin, 5, 1, 10}), 8.0);
    QCOMPARE(of({Schedule::DualPipe, 8, 1, 20}), 6.0);
    QCOMPARE(of({Schedule::DualPipeV, 4, 1, 20}), 3.0);
    // DeepSeek-V3 table 2: (p/2-1)(F&B + B - 3W).
    QCOMPARE(bubble(Schedule::DualPipe, Shape<double>{16, 1, 60}, t, Seconds<>(2.4)).si(), 7 * 1.4);
}

void TestClosedForm::zeroBubbleH1_data()
{
    std::vector<Case> cases;
    for (const int p : {1, 2, 3, 4, 8, 16}) {
        for (const int m : {1, 2, 3, 4, 7, 8, 16, 33})
            cases.push_back({Schedule::ZeroBubbleH1, p, 1, m});
    }
    addCases(cases);
}

void TestClosedForm::zeroBubbleH1()
{
    FETCH_CASE(c);
    for (const auto& t : {passTimes(1, 1, 1), passTimes(1, 1.2, 0.8), passTimes(0.7, 0.7, 0.7)}) {
        const double time = evenTimeline(c, t).time;
        QVERIFY2(near(time, closedTime(c, t), 1e-9), qPrintable(QString::number(time)));
        if (c.m >= c.p) {
            const double paper = (c.p - 1) * (t.forward + t.backward - 2.0 * t.weight).si();
            QVERIFY(std::abs(time - c.m * (t.forward + t.backward).si() - paper) < 1e-9 * time);
        }
    }
}

void TestClosedForm::publishedShares_data()
{
    std::vector<Case> cases;
    for (const auto s : {Schedule::ZeroBubbleH2, Schedule::ZeroBubbleV, Schedule::VHalf,
                         Schedule::VMin, Schedule::DualPipe, Schedule::DualPipeV}) {
        for (const int p : {2, 4, 6, 8, 12, 16}) {
            for (const int k : {2, 3, 5})
                cases.push_back({s, p, 1, k * p});
        }
    }
    addCases(cases);
}

// With F = B_in = W the timeline has the bubble of the papers' tables, as a share of 1F1B's.
void TestClosedForm::publishedShares()
{
    FETCH_CASE(c);
    const auto t = passTimes(1, 1, 1);
    const double idle = evenTimeline(c, t).time - 3.0 * c.m;
    const double oneFOneB = 3.0 * (c.p - 1);
    switch (c.schedule) {
    case Schedule::VHalf:
        QVERIFY2(near(idle, oneFOneB / 2, 1e-9), qPrintable(QString::number(idle)));
        break;
    case Schedule::VMin: // the pattern of a p that 3 divides holds two units more
        QVERIFY2(std::abs(idle - oneFOneB * 2 / 3) <= 0.5, qPrintable(QString::number(idle)));
        break;
    case Schedule::DualPipe:
        QVERIFY2(near(idle, (c.p / 2 - 1) * 2.0, 1e-9), qPrintable(QString::number(idle)));
        break;
    case Schedule::DualPipeV:
        QVERIFY2(near(idle, (c.p - 1) * 1.0, 1e-9), qPrintable(QString::number(idle)));
        break;
    default:
        QVERIFY2(std::abs(idle) < 1e-9, qPrintable(QString::number(idle)));
    }
    // V-Min: half a unit, see above.
    QVERIFY(std::abs(evenTimeline(c, t).time - closedTime(c, t)) <= 0.5 + 1e-9);
}

void TestClosedForm::nearWithUnlikePasses_data()
{
    publishedShares_data();
}

void TestClosedForm::nearWithUnlikePasses()
{
    FETCH_CASE(c);
    for (const auto& t : {passTimes(1, 1.2, 0.8), passTimes(1, 1.1, 0.9), passTimes(1, 0.9, 0.8)}) {
        const double time = evenTimeline(c, t).time;
        // The pattern of V-Min is loose on two devices: the form is up to 13% high there.
        const double tolerance = c.schedule == Schedule::VMin && c.p == 2 ? 0.13 : 0.06;
        QVERIFY2(near(time, closedTime(c, t), tolerance),
                 qPrintable(QString::number(time) + u' ' + QString::number(closedTime(c, t))));
    }
}

void TestClosedForm::fewMicroBatches_data()
{
    std::vector<Case> cases;
    for (const auto s : {Schedule::ZeroBubbleH2, Schedule::ZeroBubbleV, Schedule::VHalf,
                         Schedule::VMin, Schedule::DualPipe, Schedule::DualPipeV}) {
        for (const int p : {2, 4, 8, 16}) {
            for (const int m : {2, p / 2, p, (p + p / 2 + 1) / 2 * 2})
                cases.push_back({s, p, 1, std::max(2, m)});
        }
    }
    addCases(cases);
}

void TestClosedForm::fewMicroBatches()
{
    FETCH_CASE(c);
    const auto t = passTimes(1, 1, 1);
    const double time = evenTimeline(c, t).time;
    QVERIFY2(near(time, closedTime(c, t), 0.10),
             qPrintable(QString::number(time) + u' ' + QString::number(closedTime(c, t))));
}

void TestClosedForm::overlappedPairs_data()
{
    std::vector<Case> cases;
    for (const auto s : {Schedule::DualPipe, Schedule::DualPipeV}) {
        for (const int p : {2, 4, 8, 16}) {
            for (const int k : {2, 3, 4})
                cases.push_back({s, p, 1, k * p});
        }
    }
    addCases(cases);
}

void TestClosedForm::overlappedPairs()
{
    FETCH_CASE(c);
    const auto t = passTimes(1, 1, 1);
    for (const double factor : {1.0, 0.9, 0.8, 0.7}) {
        const double gain = overlapGain(c.schedule, shapeOf(c), t, Seconds<>(3.0 * factor)).si();
        const double time = evenTimeline(c, t, factor).time;
        QVERIFY2(
            near(time, closedTime(c, t) - gain, 1e-9),
            qPrintable(QString::number(time) + u' ' + QString::number(closedTime(c, t) - gain)));
    }
}

void TestClosedForm::finishSkewIsTheWait()
{
    const auto t = passTimes(1, 1, 1);
    for (const Schedule s : kAll) {
        for (const int p : {1, 2, 4, 8}) {
            const Case c{s, p, s == Schedule::Interleaved ? 2 : 1, 4 * p};
            const Timeline timeline = evenTimeline(c, t);
            QVERIFY2(std::abs(timeline.makespan - timeline.time -
                              finishSkew(s, shapeOf(c), t).si()) < 1e-9,
                     rowName(c).constData());
        }
    }
}

void TestClosedForm::inFlightOfTheTimeline_data()
{
    std::vector<Case> cases;
    for (const Schedule s : kAll) {
        for (const int p : {1, 2, 3, 4, 5, 6, 7, 8, 12}) {
            for (const int m : {1, 2, 3, p, p + 1, 2 * p, 3 * p}) {
                cases.push_back({s, p, 1, m});
                if (s == Schedule::Interleaved)
                    cases.push_back({s, p, 3, m});
            }
        }
    }
    addCases(cases);
}

void TestClosedForm::inFlightOfTheTimeline()
{
    FETCH_CASE(c);
    const Timeline timeline = evenTimeline(c, passTimes(1, 1, 1));
    const bool runnable = legality(c.schedule, c.p, c.v, c.m).empty() ||
                          (c.schedule == Schedule::Interleaved && c.m % c.p == 0);
    const bool exact = c.m >= 2 * c.p && runnable && c.p > 1;
    double most = 0.0;
    for (int i = 0; i < c.p; ++i) {
        const double formula = inFlight(c.schedule, i, shapeOf(c));
        const double peak = timeline.peakInFlight[std::size_t(i)];
        QVERIFY2(peak <= formula + 1e-12,
                 qPrintable(QString::number(peak) + u' ' + QString::number(formula)));
        most = std::max(most, peak);
        const bool pattern = c.schedule == Schedule::VHalf || c.schedule == Schedule::VMin;
        if (exact && !pattern)
            QVERIFY2(near(peak, formula, 1e-12),
                     qPrintable(QString::number(peak) + u' ' + QString::number(formula)));
    }
    if (exact)
        QVERIFY(near(most, inFlight(c.schedule, 0, shapeOf(c)), 1e-12));
}

void TestClosedForm::boundsHoldTheTimeline_data()
{
    std::vector<Case> cases;
    for (const Schedule s : kAll) {
        for (const int p : {1, 2, 4, 6, 8}) {
            for (const int m : {1, 2, p, 2 * p, 3 * p, 4 * p + 2})
                cases.push_back({s, p, s == Schedule::Interleaved ? 2 : 1, m});
        }
    }
    addCases(cases);
}

void TestClosedForm::boundsHoldTheTimeline()
{
    FETCH_CASE(c);
    Numbers numbers;
    for (int trial = 0; trial < 20; ++trial) {
        std::vector<PassTimes<double>> stages;
        for (int i = 0; i < c.p; ++i) {
            const double size = 1.0 + 0.3 * numbers.next();
            stages.push_back(passTimes(size, size * (0.9 + 0.3 * numbers.next()),
                                       size * (0.7 + 0.3 * numbers.next())));
        }
        const std::span<const PassTimes<double>> all(stages);
        for (const double factor : {1.0, 0.8}) {
            const double time =
                simulate(c.schedule, c.p, c.v, c.m, costsOf(c, stages), 0.0, factor).time;
            const double low = lowerBound(c.schedule, all, double(c.v), double(c.m), factor).si();
            const double high = upperBound(c.schedule, all, double(c.m)).si();
            const QString text =
                QString::number(low) + u' ' + QString::number(time) + u' ' + QString::number(high);
            QVERIFY2(low > 0.0 && low <= time * (1 + 1e-12), qPrintable(text));
            QVERIFY2(time <= high * (1 + 1e-12), qPrintable(text));
        }
    }
}

// Both bounds are tight for 1F1B: even stages, and one slow last stage.
void TestClosedForm::upperBoundIsReached()
{
    for (const double last : {1.0, 1.7}) {
        std::vector<PassTimes<double>> stages(7, passTimes(1, 1, 1));
        stages.push_back(passTimes(last, last, last));
        const Case c{Schedule::OneFOneB, 8, 1, 24};
        const double time = simulate(c.schedule, 8, 1, 24, costsOf(c, stages), 0.0).time;
        const std::span<const PassTimes<double>> all(stages);
        QVERIFY(near(time, upperBound(c.schedule, all, 24.0).si(), 1e-12));
        QVERIFY(near(time, lowerBound(c.schedule, all, 1.0, 24.0).si(), 1e-12));
    }
}

void TestClosedForm::tracedIsTheSame()
{
    using cw::explain::Traced;
    for (const Schedule s : kAll) {
        cw::explain::Trace trace;
        const auto number = [&](double x) {
            return Traced(x, trace.add(cw::explain::Op::Literal, x), &trace);
        };
        const Shape<Traced> shape{number(8), number(2), number(19)};
        const auto seconds = [&](double x) {
            return Seconds<Traced>(number(x));
        };
        const PassTimes<Traced> t{seconds(1.1), seconds(2.3), seconds(0.9)};
        const Traced x = bubble(s, shape, t).si();
        const PassTimes<double> plain{Seconds<>(1.1), Seconds<>(2.3), Seconds<>(0.9)};
        QVERIFY(x.value == bubble(s, Shape<double>{8, 2, 19}, plain).si());
        QVERIFY(x.node != cw::explain::kNoNode && trace.replay(x.node) == x.value);
        const std::vector<PassTimes<Traced>> stages(8, t);
        const Traced low =
            lowerBound(s, std::span<const PassTimes<Traced>>(stages), number(2), number(19)).si();
        QVERIFY(trace.replay(low.node) == low.value);
        const Traced held = inFlight(s, 3, shape);
        QVERIFY(held.value == inFlight(s, 3, Shape<double>{8, 2, 19}));
    }
}

void TestClosedForm::placement()
{
    QCOMPARE(chunkPosition(Schedule::Interleaved, 1, 2, 4, 3), 9);
    QCOMPARE(chunkPosition(Schedule::ZeroBubbleV, 1, 1, 4, 1), 6);
    QCOMPARE(chunkPosition(Schedule::DualPipeV, 3, 1, 4, 1), 4);
    QCOMPARE(chunkPosition(Schedule::DualPipe, 1, 1, 4, 1), 2);
    QCOMPARE(chunkPosition(Schedule::OneFOneB, 3, 0, 4, 1), 3);
    for (const Schedule s : kAll) { // each slice is held weightCopies times
        std::vector<int> held(std::size_t(4 * chunksPerMicroBatch(s, 3)), 0);
        for (int d = 0; d < 4; ++d) {
            for (int chunk = 0; chunk < chunksPerDevice(s, 3); ++chunk)
                ++held[std::size_t(chunkPosition(s, d, chunk, 4, 3))];
        }
        for (const int copies : held)
            QCOMPARE(double(copies), weightCopies(s));
        QCOMPARE(sendsPerMicroBatch(s, 3.0), double(chunksPerMicroBatch(s, 3)));
    }
    QVERIFY(!splitsWeightGradient(Schedule::Interleaved));
    QVERIFY(splitsWeightGradient(Schedule::DualPipe));
}

void TestClosedForm::legalityNamesWhatIsAllowed()
{
    const auto codes = [](Schedule s, int p, int v, int m) {
        QStringList list;
        for (const Legality& broken : legality(s, p, v, m)) {
            QString text = QString::fromUtf8(broken.code.data(), qsizetype(broken.code.size()));
            for (const auto value : broken.allowed)
                text += u' ' + QString::number(value);
            list << text.mid(9);
        }
        return list.join(u',');
    };
    const auto is = [](const char* text) {
        return QString::fromLatin1(text);
    };
    QCOMPARE(codes(Schedule::OneFOneB, 8, 1, 3), QString());
    QCOMPARE(codes(Schedule::OneFOneB, 8, 2, 16), is("one_chunk 1"));
    QCOMPARE(codes(Schedule::Interleaved, 4, 2, 8), QString());
    QCOMPARE(codes(Schedule::Interleaved, 4, 1, 10),
             is("interleaved_virtual 2,interleaved_multiple 8 12"));
    QCOMPARE(codes(Schedule::Interleaved, 4, 2, 3), is("interleaved_multiple 4"));
    QCOMPARE(codes(Schedule::Interleaved, 1, 2, 3), is("interleaved_stages 2"));
    QCOMPARE(codes(Schedule::VHalf, 4, 3, 3), is("two_chunks 1 2"));
    QCOMPARE(codes(Schedule::DualPipe, 16, 1, 60), QString());
    QCOMPARE(codes(Schedule::DualPipe, 5, 1, 20), is("even_stages 4 6"));
    QCOMPARE(codes(Schedule::DualPipe, 8, 1, 15), is("twice_stages 16"));
    QCOMPARE(codes(Schedule::DualPipe, 8, 1, 17), is("even_micro_batches 16 18"));
    QCOMPARE(codes(Schedule::DualPipeV, 8, 2, 17), QString());
}

QTEST_APPLESS_MAIN(TestClosedForm)
#include "tst_closedform.moc"
