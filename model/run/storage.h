// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "model/scenario/inputs.h"
#include "model/step/loading.h"
#include "model/units/quantity.h"

// What the run asks of the storage system: training data read, checkpoints written in bursts, and
// what each pool holds at the end.

namespace cw::run {

template <class T>
struct StorageLoad
{
    units::TokensPerSecond<T> tokensPerSecond; ///< of all jobs while they train
    units::Bytes<T> checkpoint;                ///< of one job
    units::Seconds<T> interval;                ///< between checkpoints that reach the pools
    T days{};
    bool reachesPools = true; ///< some tier of checkpoints is the file system
};

/// One pool, in the order of the plan. What several pools hold is spread over them: the bytes by
/// their capacity, the traffic by their bandwidth.
template <class T>
struct PoolUse
{
    units::Bytes<T> used;
    units::Bytes<T> dataset; ///< of it
    units::Bytes<T> checkpoints;
    units::Bytes<T> logs;
    T utilization{};      ///< used over capacity
    T readUtilization{};  ///< of its bandwidth, by training data
    T writeUtilization{}; ///< by checkpoints and logs, on average
};

template <class T>
struct StorageUse
{
    units::BytesPerSecond<T> read;  ///< training data of all jobs, while they train
    units::BytesPerSecond<T> write; ///< checkpoints and logs, on average
    units::Bytes<T> burst;          ///< one checkpoint of every job at once
    units::Seconds<T> burstTime;    ///< that the pools take to write it
    std::vector<PoolUse<T>> pools;
};

template <class T>
StorageUse<T> storageUse(const scenario::Inputs<T>& in, const StorageLoad<T>& load);

extern template StorageUse<double> storageUse(const scenario::Inputs<double>&,
                                              const StorageLoad<double>&);
extern template StorageUse<explain::Traced> storageUse(const scenario::Inputs<explain::Traced>&,
                                                       const StorageLoad<explain::Traced>&);

} // namespace cw::run
