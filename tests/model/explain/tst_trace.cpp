// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/explain/trace.h"

#include <QTest>

#include <cstring>
#include <random>

using namespace cw::explain;
using cw::units::Unit;

namespace {

std::uint64_t bitsOf(double x)
{
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}

/// One operation of each kind, chosen by number, in either scalar.
template <class T>
T apply(int op, const T& a, const T& b)
{
    using std::ceil;
    using std::exp;
    using std::expm1;
    using std::floor;
    using std::log;
    using std::log2;
    using std::max;
    using std::min;
    using std::pow;
    using std::sqrt;
    switch (op) {
    case 0:
        return a + b;
    case 1:
        return a - b;
    case 2:
        return a * b;
    case 3:
        return a / b;
    case 4:
        return max(a, b);
    case 5:
        return min(a, b);
    case 6:
        return pow(a, b);
    case 7:
        return sqrt(a);
    case 8:
        return exp(a);
    case 9:
        return expm1(a);
    case 10:
        return log(a);
    case 11:
        return log2(a);
    case 12:
        return ceil(a);
    case 13:
        return floor(a);
    case 14:
        return -a;
    default:
        return named("step.time_s", Unit::Seconds, a);
    }
}

constexpr int kOperations = 16;

} // namespace

class TestTrace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyOperationEqualsDouble()
    {
        std::mt19937_64 random(11);
        std::uniform_real_distribution<double> any(-40, 40);
        for (int i = 0; i < 4000; ++i) {
            const double a = any(random);
            const double b = i % 7 == 0 ? a : any(random);
            for (int op = 0; op < kOperations; ++op) {
                Trace trace;
                const Traced x(a, trace.addText(Op::Input, a, "workload.jobs", Unit::None), &trace);
                const Traced y(b, trace.addText(Op::Constant, b, "k", Unit::None), &trace);
                const Traced r = apply(op, x, y);
                QVERIFY2(bitsOf(r.value) == bitsOf(apply(op, a, b)),
                         qPrintable(QString::number(op)));
                QVERIFY(r.node != kNoNode);
                QVERIFY(bitsOf(trace.replay(r.node)) == bitsOf(r.value));
                QVERIFY(bitsOf(trace.node(r.node).value) == bitsOf(r.value));
            }
        }
    }

    void chainsReplayBitForBit()
    {
        std::mt19937_64 random(12);
        std::uniform_real_distribution<double> any(0.1, 9);
        for (int run = 0; run < 200; ++run) {
            Trace trace;
            std::vector<Traced> pool;
            std::vector<double> plain;
            for (int i = 0; i < 5; ++i) {
                const double v = any(random);
                plain.push_back(v);
                pool.emplace_back(v, trace.addText(Op::Input, v, "p", Unit::None), &trace);
            }
            for (int i = 0; i < 60; ++i) {
                const auto a = random() % pool.size();
                const auto b = random() % pool.size();
                const int op = static_cast<int>(random() % kOperations);
                plain.push_back(apply(op, plain[a], plain[b]));
                pool.push_back(apply(op, pool[a], pool[b]));
            }
            for (std::size_t i = 0; i < pool.size(); ++i) {
                QVERIFY(bitsOf(pool[i].value) == bitsOf(plain[i]));
                QVERIFY(bitsOf(trace.replay(pool[i].node)) == bitsOf(plain[i]));
            }
        }
    }

    void literalsBecomeNodesBesideInputs()
    {
        Trace trace;
        const Traced x(3.0, trace.addText(Op::Input, 3.0, "workload.jobs", Unit::None), &trace);
        const Traced r = 2.0 * x + 1.0;
        QCOMPARE(r.value, 7.0);
        const Node& sum = trace.node(r.node);
        QCOMPARE(sum.op, Op::Add);
        QCOMPARE(trace.node(sum.b).op, Op::Literal);
        QCOMPARE(trace.node(sum.b).value, 1.0);
        QCOMPARE(trace.text(trace.node(trace.node(sum.a).b)), std::string("workload.jobs"));
    }

    void nodesReferBackwardsOnly()
    {
        Trace trace;
        Traced x(3.0, trace.addText(Op::Input, 3.0, "a", Unit::None), &trace);
        for (int i = 0; i < 50; ++i)
            x = named("n", Unit::None, sqrt(x * x + 1.0));
        for (NodeId i = 0; i < trace.size(); ++i) {
            const Node& n = trace.node(i);
            QVERIFY(n.a == kNoNode || n.a < i);
            QVERIFY(n.b == kNoNode || n.b < i);
        }
    }

    void aWrongRecordDoesNotReplay()
    {
        // The check itself must be able to fail.
        Trace trace;
        const NodeId a = trace.addText(Op::Input, 2.0, "a", Unit::None);
        const NodeId lie = trace.add(Op::Add, 5.0, a, a);
        QVERIFY(trace.replay(lie) != trace.node(lie).value);
    }

    void numbersWithoutTraceLeaveNoRecord()
    {
        const Traced r = named("x", Unit::None, Traced(1.0) + Traced(2.0));
        QCOMPARE(r.value, 3.0);
        QVERIFY(r.node == kNoNode);
    }
};

QTEST_APPLESS_MAIN(TestTrace)
#include "tst_trace.moc"
