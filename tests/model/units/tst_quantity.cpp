// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/units/quantity.h"

#include <QTest>

#include <type_traits>

#include "model/explain/trace.h"

using namespace cw::units;

namespace {

template <class A, class B, class = void>
struct CanAdd : std::false_type
{
};
template <class A, class B>
struct CanAdd<A, B, std::void_t<decltype(std::declval<A>() + std::declval<B>())>> : std::true_type
{
};

// What must not compile, and what a product is.
static_assert(CanAdd<Bytes<>, Bytes<>>::value);
static_assert(!CanAdd<Bytes<>, Seconds<>>::value);
static_assert(!CanAdd<Bytes<>, double>::value);
static_assert(!CanAdd<BytesPerSecond<>, Bytes<>>::value);
static_assert(!std::is_convertible_v<double, Seconds<>>);
static_assert(!std::is_convertible_v<Seconds<>, double>);
static_assert(std::is_same_v<decltype(Bytes<>(1) / BytesPerSecond<>(1)), Seconds<>>);
static_assert(std::is_same_v<decltype(Bytes<>(1) / Seconds<>(1)), BytesPerSecond<>>);
static_assert(std::is_same_v<decltype(Watts<>(1) * Seconds<>(1)), Joules<>>);
static_assert(std::is_same_v<decltype(FlopPerToken<>(1) * Tokens<>(1)), Flop<>>);
static_assert(std::is_same_v<decltype(Seconds<>(1) / Seconds<>(1)), double>);
static_assert(std::is_same_v<decltype(PerSecond<>(1) * Seconds<>(1)), double>);
static_assert(sizeof(Bytes<>) == sizeof(double));

} // namespace

class TestQuantity : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void arithmetic()
    {
        QCOMPARE((Bytes<>(3) + Bytes<>(4)).si(), 7.0);
        QCOMPARE((Bytes<>(3) - Bytes<>(4)).si(), -1.0);
        QCOMPARE((2.0 * Seconds<>(1.5)).si(), 3.0);
        QCOMPARE((Seconds<>(1.5) * 2.0).si(), 3.0);
        QCOMPARE((Seconds<>(3) / 2.0).si(), 1.5);
        // 1 GiB at 50 GB/s: 21.47 ms.
        QCOMPARE((Bytes<>(1073741824.0) / BytesPerSecond<>(50e9)).si(), 1073741824.0 / 50e9);
        Seconds<> t(1);
        t += Seconds<>(2);
        t -= Seconds<>(0.5);
        QCOMPARE(t.si(), 2.5);
    }

    void order()
    {
        QVERIFY(Seconds<>(1) < Seconds<>(2));
        QVERIFY(Seconds<>(2) > Seconds<>(1));
        QVERIFY(!(Seconds<>(2) < Seconds<>(2)));
        QCOMPARE(cw::units::max(Seconds<>(1), Seconds<>(2)).si(), 2.0);
        QCOMPARE(cw::units::min(Seconds<>(1), Seconds<>(2)).si(), 1.0);
    }

    void cancelledDimensionsAreNumbers()
    {
        const double share = Seconds<>(1) / Seconds<>(4);
        QCOMPARE(share, 0.25);
    }

    void tracedScalar()
    {
        using cw::explain::Traced;
        const Bytes<Traced> b{Traced(6.0)};
        const BytesPerSecond<Traced> r{Traced(2.0)};
        const Seconds<Traced> t = b / r;
        QCOMPARE(t.si().value, 3.0);
        QVERIFY(t.si().trace == nullptr); // literals alone leave no record
    }
};

QTEST_APPLESS_MAIN(TestQuantity)
#include "tst_quantity.moc"
