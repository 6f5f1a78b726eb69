// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <vector>

#include "model/run/failures.h"
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
    units::Seconds<T> other; ///< the sum of OtherLost
};

template <class T>
struct OtherLost
{
    units::Seconds<T> warmUp;
    units::Seconds<T> corruption;
    units::Seconds<T> replicasAway;
    units::Seconds<T> repairWait; ///< for a domain or a node that no spare replaces
    units::Seconds<T> fragmentation;
};

/// One restart by its parts, in the order in which they happen.
template <class T>
struct RestartParts
{
    units::Seconds<T> detect;
    units::Seconds<T> reschedule; ///< or the swap of a hot spare
    units::Seconds<T> start;
    units::Seconds<T> restore;
    units::Seconds<T> warmUp;
};

/// One tier of checkpoints as the run uses it.
template <class T>
struct TierRun
{
    scenario::CheckpointTier tier = scenario::CheckpointTier::FileSystem;
    units::Seconds<T> interval;
    units::Seconds<T> leastInterval; ///< a step, the drain, the tier before
    units::Seconds<T> blocking;
    units::Seconds<T> drain;
    units::Seconds<T> restore;
    units::BytesPerSecond<T> write; ///< of the whole job, by the narrowest of chip, node and store
    units::BytesPerSecond<T> read;
    units::Bytes<T> host; ///< of a node's memory, while it is kept or on its way
    T every{};            ///< saves of the tier before for each of this one; 1 for the first
    T serves{};           ///< share of all failures that are restored from it
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
    RestartParts<T> restartParts;
    std::vector<TierRun<T>> tiers;
    std::array<T, kFailurePartCount> failuresPerDay{};
    LostTime<T> lost;
    OtherLost<T> otherLost;
    T lostBusyShare{}; ///< share of wall time in which chips work on what is lost again
    T spareChips{};
    T spareCoverage{};   ///< share of time in which they are enough
    T subHealthyNodes{}; ///< that the health checks take out, each day
};

/// - restart: detect + reschedule + start + restore + warm-up, each failure of the whole job. Start
///   is the plan's (+ per doubling beyond 1,024 chips), or grows with the chips as published.
/// - hot-spare: detect + swap + restore from peers + warm-up, the same form.
/// - drop-replica: the others stand still while the failure is found and a place is made (and, with
///   catch-up, while the replica that returns is given their state), then go on without 1/D of the
///   machine until it is back; only failures that no replica survives restart the whole job. With
///   one replica it is restart.
///
/// The process is in process.h, its closed form in shares.h, checkpoint tiers in checkpoint.h.
template <class T>
Run<T> run(const scenario::Inputs<T>& in, const RunLoad<T>& load);

extern template Run<double> run(const scenario::Inputs<double>&, const RunLoad<double>&);
extern template Run<explain::Traced> run(const scenario::Inputs<explain::Traced>&,
                                         const RunLoad<explain::Traced>&);

} // namespace cw::run
