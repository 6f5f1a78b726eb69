// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace cw::run {

/// Random numbers of one run: the engine is the standard's, the distributions are our own, since
/// those of the standard library differ between makers.
class RandomStream
{
public:
    RandomStream(std::uint64_t seed, std::uint64_t run)
        : m_engine(seed * 0x9e3779b97f4a7c15ULL + run * 0xbf58476d1ce4e5b9ULL + 1)
    {
    }

    /// In [0, 1).
    double unit() { return static_cast<double>(m_engine() >> 11U) * 0x1p-53; }
    double exponential(double mean) { return -mean * std::log1p(-unit()); }

private:
    std::mt19937_64 m_engine;
};

} // namespace cw::run
