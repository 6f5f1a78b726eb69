// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

#include "model/scenario/inputs.h"
#include "model/scenario/layout.h"
#include "model/units/quantity.h"

namespace cw::step {

/// What makes the step wait for its data.
enum class Starves : std::uint8_t
{
    Nothing,
    Loader, ///< the hosts' cores
    Pool,   ///< the storage that holds the data set
};

std::string_view nameOf(Starves starves); ///< "nothing", "loader", "pool"

/// Training data of one job's step: read from storage, prepared by the hosts.
template <class T>
struct Loading
{
    units::TokensPerSecond<T> loader;   ///< that all hosts of the job prepare
    units::BytesPerSecond<T> bandwidth; ///< that storage gives one job for reading
    units::Seconds<T> prepare;          ///< of one step's tokens
    units::Seconds<T> read;
    units::Seconds<T> stall;
    Starves starves = Starves::Nothing;
};

/// Bandwidth of all pools that hold this; where none does, what the nodes are assumed to get of a
/// shared file system.
template <class T>
struct PoolBandwidth
{
    units::BytesPerSecond<T> read;
    units::BytesPerSecond<T> write;
};
template <class T>
PoolBandwidth<T> poolBandwidth(const scenario::Inputs<T>& in, scenario::PoolContent content,
                               const T& nodes);

/// Reading and preparing go on behind the step where steps are prefetched; then the step waits only
/// for what takes longer than itself. Without prefetching it waits for all of it.
template <class T>
Loading<T> loadingOf(const scenario::Inputs<T>& in, const scenario::Layout<T>& layout,
                     const units::Seconds<T>& step);

#define CW_EXTERN_LOADING(T)                                                                       \
    extern template PoolBandwidth<T> poolBandwidth(const scenario::Inputs<T>&,                     \
                                                   scenario::PoolContent, const T&);               \
    extern template Loading<T> loadingOf(const scenario::Inputs<T>&, const scenario::Layout<T>&,   \
                                         const units::Seconds<T>&)
CW_EXTERN_LOADING(double);
CW_EXTERN_LOADING(explain::Traced);
#undef CW_EXTERN_LOADING

} // namespace cw::step
