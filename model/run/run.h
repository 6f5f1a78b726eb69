// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/scenario/inputs.h"
#include "model/units/quantity.h"

// How long the whole run takes, with interruptions, checkpoints and the policy after a failure.

namespace cw::run {

template <class T>
struct RunLoad
{
    units::TokensPerSecond<T> tokensPerSecond; ///< of the job while it trains
    T mfu{};
    units::Bytes<T> checkpointBytes;
    T chips{};        ///< that the job uses
    T dataParallel{}; ///< replicas
    units::Seconds<T> step;
    T switches{}; ///< from network::Topology, for their failures
    T optics{};
};

/// Wall time of the run by what it was lost to; with goodput x wall it sums to the wall time.
template <class T>
struct LostTime
{
    units::Seconds<T> startUp; ///< rescheduling, starting processes, joining communicators
    units::Seconds<T> save;
    units::Seconds<T> lostProgress;
    units::Seconds<T> detection;
    units::Seconds<T> restore;
    units::Seconds<T> stragglers;
    units::Seconds<T> healthChecks;
    units::Seconds<T> other; ///< warm-up, silent corruption, replicas away
};

template <class T>
struct Run
{
    units::Tokens<T> tokens;
    units::Seconds<T> wall;
    T days{};
    T goodput{}; ///< useful time over wall time, in (0, 1)
    T effectiveMfu{};
    T interruptionsPerDay{};
    units::Seconds<T> meanTimeBetweenInterruptions;
    units::Bytes<T> checkpointBytes;
    units::Seconds<T> checkpointInterval; ///< of the first tier
    units::Seconds<T> checkpointStall;    ///< the blocking part of one checkpoint of the first tier
    units::Seconds<T> restart;
    LostTime<T> lost;
    T lostBusyShare{}; ///< share of wall time in which chips work on what is lost again
    T spareChips{};
};

/// - restart: detect + reschedule + start (+ per doubling beyond 1,024 chips) + restore + warm-up,
///   Daly's exact form (daly.h).
/// - hot-spare: detect + swap + restore from peers + warm-up, the same form.
/// - drop-replica: the others stand still while the failure is found (and, with catch-up, while the
///   replica that returns is given their state), then go on without 1/D of the machine for a
///   restart; only failures that no replica survives restart the whole job. With one replica it is
///   restart.
///
/// Checkpoint tiers as in checkpoint.h. `straggler_share` is the share of time in which some member
/// runs at 1/`straggler_slowdown`.
template <class T>
Run<T> run(const scenario::Inputs<T>& in, const RunLoad<T>& load);

extern template Run<double> run(const scenario::Inputs<double>&, const RunLoad<double>&);
extern template Run<explain::Traced> run(const scenario::Inputs<explain::Traced>&,
                                         const RunLoad<explain::Traced>&);

} // namespace cw::run
