// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "model/run/checkpoint.h"
#include "model/run/run.h"

// The life of a job as a random process: what the closed form takes the mean of, and what the
// simulation plays event by event. Both read it from here, so that they answer the same question.
//
// Time runs on the clock of the process. Work goes on in segments of `tau`, each followed by a
// save; every n-th save also goes to the next tier. An asynchronous save drains behind the work
// after it, and cannot be restored before. Failures come at the rate 1/M at all times, in work,
// saves and restarts. A failure is served by one tier; it undoes the work since that tier's last
// save that has drained, and takes a restart that lasts as long as that tier takes. A failure
// during a restart starts it anew, from the deeper of the two tiers. Pauses (checks, stragglers,
// corruption, waits) are put in between; no failure counts in them.

namespace cw::run {

/// Where one failed replica does not stop the others.
template <class T>
struct Replicas
{
    T count{};                   ///< replicas; each fails on its own
    units::PerSecond<T> rate;    ///< of failures that take one replica away, over all replicas
    RestartParts<T> stall;       ///< all stand still: detection, swap and catching up
    units::Seconds<T> away;      ///< until the replica is back
    units::PerSecond<T> domains; ///< events that take `domainReplicas` away at once
    T domainReplicas{};
    units::Seconds<T> domainAway;
};

/// Steady losses, as pauses for each second of the process.
template <class T>
struct Pauses
{
    units::Seconds<T> checkInterval; ///< zero: no checks
    units::Seconds<T> check;
    units::PerSecond<T> subHealthy; ///< nodes that turn slow
    units::Seconds<T> untilFound;   ///< they are looked for each so many seconds
    T subHealthySlowdown{1.0};
    units::Seconds<T> planned; ///< stop to take such a node out; nothing is lost but this time
    T stragglerShare{};
    T stragglerSlowdown{1.0};
    units::PerSecond<T> corruption;
    units::Seconds<T> corruptionCost;
    T fragmentation{};      ///< share of wall time
    units::Seconds<T> wait; ///< for repair, at each failure of a domain
    T domainShare{};        ///< failures of domains, over all of `mean`
};

/// Nodes set aside for those under repair. The job stands still while more are under repair.
template <class T>
struct SparePool
{
    T nodes{};
    T nodeShare{}; ///< failures that take a node out, over all of `mean`; 0: never runs out
    units::Seconds<T> repair;
};

template <class T>
struct Process
{
    units::Seconds<T> mean;               ///< M: between failures that take the whole job down
    std::vector<TierRun<T>> tiers;        ///< up to kMostTiers, most frequent first
    std::vector<RestartParts<T>> restart; ///< for each tier
    /// For each tier, until a save of it can be restored: the drain of an asynchronous one, at most
    /// its interval. None where empty.
    std::vector<units::Seconds<T>> lags;
    bool apart = false; ///< `replicas` counts
    Replicas<T> replicas;
    Pauses<T> pauses;
    SparePool<T> spares;      ///< of a job that needs every node
    TierFailures<T> failures; ///< that the tiers were laid out for
};

/// The plan's policy, rates and tiers as a process. `rates` as of failures.h.
template <class T>
Process<T> processOf(const scenario::Inputs<T>& in, const RunLoad<T>& load,
                     const FailureRates<T>& rates);

template <class T>
units::Seconds<T> lagOf(const Process<T>& p, std::size_t tier)
{
    return tier < p.lags.size() ? p.lags[tier] : units::Seconds<T>(T(0.0));
}

template <class T>
units::Seconds<T> total(const RestartParts<T>& parts)
{
    return parts.detect + parts.reschedule + parts.start + parts.restore + parts.warmUp;
}

extern template Process<double> processOf(const scenario::Inputs<double>&, const RunLoad<double>&,
                                          const FailureRates<double>&);
extern template Process<explain::Traced> processOf(const scenario::Inputs<explain::Traced>&,
                                                   const RunLoad<explain::Traced>&,
                                                   const FailureRates<explain::Traced>&);

} // namespace cw::run
