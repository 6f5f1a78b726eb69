// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Strong quantities in SI. A sum of bytes and seconds, or a bandwidth where a time is meant, does
// not compile. The scalar is double on the fast path and explain::Traced where the derivation of a
// number is recorded; a product whose dimensions cancel is a plain scalar.

#include <algorithm>

namespace cw::units {

/// Exponents of byte, second, FLOP, joule, kelvin, money, kilogram, cubic metre and token.
template <int Byte, int Second, int Flop = 0, int Joule = 0, int Kelvin = 0, int Money = 0,
          int Kilogram = 0, int CubicMetre = 0, int Token = 0>
struct Dim
{
    template <class Other>
    using Times = typename Other::template Plus<Byte, Second, Flop, Joule, Kelvin, Money, Kilogram,
                                                CubicMetre, Token>;
    template <int B, int S, int F, int J, int K, int M, int G, int V, int T>
    using Plus = Dim<Byte + B, Second + S, Flop + F, Joule + J, Kelvin + K, Money + M, Kilogram + G,
                     CubicMetre + V, Token + T>;
    using Inverse =
        Dim<-Byte, -Second, -Flop, -Joule, -Kelvin, -Money, -Kilogram, -CubicMetre, -Token>;
    static constexpr bool kNone = Byte == 0 && Second == 0 && Flop == 0 && Joule == 0 &&
                                  Kelvin == 0 && Money == 0 && Kilogram == 0 && CubicMetre == 0 &&
                                  Token == 0;
};

template <class D, class T>
class Quantity;

namespace detail {
template <class D, class T, bool None = D::kNone>
struct Make
{
    using Type = Quantity<D, T>;
    static constexpr Type of(T value) { return Type(value); }
};
template <class D, class T>
struct Make<D, T, true>
{
    using Type = T;
    static constexpr Type of(T value) { return value; }
};
} // namespace detail

template <class D, class T = double>
class Quantity
{
public:
    using Dimension = D;
    using Scalar = T;

    constexpr Quantity() = default;
    explicit constexpr Quantity(T si) : m_si(si) {}

    /// The value in SI units.
    constexpr const T& si() const { return m_si; }

    constexpr Quantity& operator+=(const Quantity& o)
    {
        m_si = m_si + o.m_si;
        return *this;
    }
    constexpr Quantity& operator-=(const Quantity& o)
    {
        m_si = m_si - o.m_si;
        return *this;
    }

    friend constexpr Quantity operator+(const Quantity& a, const Quantity& b)
    {
        return Quantity(a.m_si + b.m_si);
    }
    friend constexpr Quantity operator-(const Quantity& a, const Quantity& b)
    {
        return Quantity(a.m_si - b.m_si);
    }
    friend constexpr Quantity operator*(const Quantity& a, const T& b)
    {
        return Quantity(a.m_si * b);
    }
    friend constexpr Quantity operator*(const T& a, const Quantity& b)
    {
        return Quantity(a * b.m_si);
    }
    friend constexpr Quantity operator/(const Quantity& a, const T& b)
    {
        return Quantity(a.m_si / b);
    }
    friend constexpr bool operator<(const Quantity& a, const Quantity& b)
    {
        return a.m_si < b.m_si;
    }
    friend constexpr bool operator>(const Quantity& a, const Quantity& b)
    {
        return b.m_si < a.m_si;
    }

private:
    T m_si{};
};

template <class D, class E, class T>
constexpr auto operator*(const Quantity<D, T>& a, const Quantity<E, T>& b)
{
    return detail::Make<typename D::template Times<E>, T>::of(a.si() * b.si());
}
template <class D, class E, class T>
constexpr auto operator/(const Quantity<D, T>& a, const Quantity<E, T>& b)
{
    return detail::Make<typename D::template Times<typename E::Inverse>, T>::of(a.si() / b.si());
}

template <class D, class T>
constexpr Quantity<D, T> max(const Quantity<D, T>& a, const Quantity<D, T>& b)
{
    using std::max;
    return Quantity<D, T>(max(a.si(), b.si()));
}
template <class D, class T>
constexpr Quantity<D, T> min(const Quantity<D, T>& a, const Quantity<D, T>& b)
{
    using std::min;
    return Quantity<D, T>(min(a.si(), b.si()));
}

// clang-format off
using ByteDim           = Dim<1, 0>;
using SecondDim         = Dim<0, 1>;
using FlopDim           = Dim<0, 0, 1>;
using BandwidthDim      = Dim<1, -1>;
using FlopRateDim       = Dim<0, -1, 1>;
using EnergyDim         = Dim<0, 0, 0, 1>;
using PowerDim          = Dim<0, -1, 0, 1>;
using TemperatureDim    = Dim<0, 0, 0, 0, 1>;
using MoneyDim          = Dim<0, 0, 0, 0, 0, 1>;
using MassDim           = Dim<0, 0, 0, 0, 0, 0, 1>;
using VolumeDim         = Dim<0, 0, 0, 0, 0, 0, 0, 1>;
using VolumeFlowDim     = Dim<0, -1, 0, 0, 0, 0, 0, 1>;
using TokenDim          = Dim<0, 0, 0, 0, 0, 0, 0, 0, 1>;
using TokenRateDim      = Dim<0, -1, 0, 0, 0, 0, 0, 0, 1>;
using FlopPerTokenDim   = Dim<0, 0, 1, 0, 0, 0, 0, 0, -1>;
using FrequencyDim      = Dim<0, -1>;

template <class T = double> using Bytes          = Quantity<ByteDim, T>;
template <class T = double> using Seconds        = Quantity<SecondDim, T>;
template <class T = double> using Flop           = Quantity<FlopDim, T>;
template <class T = double> using BytesPerSecond = Quantity<BandwidthDim, T>;
template <class T = double> using FlopPerSecond  = Quantity<FlopRateDim, T>;
template <class T = double> using Joules         = Quantity<EnergyDim, T>;
template <class T = double> using Watts          = Quantity<PowerDim, T>;
template <class T = double> using Kelvins        = Quantity<TemperatureDim, T>;
template <class T = double> using Money          = Quantity<MoneyDim, T>;
template <class T = double> using Kilograms      = Quantity<MassDim, T>;
template <class T = double> using CubicMetres    = Quantity<VolumeDim, T>;
template <class T = double> using VolumeFlow     = Quantity<VolumeFlowDim, T>;
template <class T = double> using Tokens         = Quantity<TokenDim, T>;
template <class T = double> using TokensPerSecond = Quantity<TokenRateDim, T>;
template <class T = double> using FlopPerToken   = Quantity<FlopPerTokenDim, T>;
template <class T = double> using PerSecond      = Quantity<FrequencyDim, T>;
// clang-format on

} // namespace cw::units
