// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/run/process.h"

// What is left of a job's time, and what the rest goes to.

namespace cw::run {

/// Shares of wall time; they sum to one.
template <class T>
struct Shares
{
    T useful{}; ///< goodput: strictly between 0 and 1
    T save{};
    T lostProgress{};
    T detection{};
    T startUp{}; ///< rescheduling or swap, and start
    T restore{};
    T warmUp{};
    T stragglers{}; ///< and sub-healthy nodes
    T healthChecks{};
    T corruption{};
    T replicasAway{};
    T repairWait{};
    T fragmentation{};
    /// Failures of the whole job, of replicas and domains, and silent corruptions; per second of
    /// wall time. No share.
    units::PerSecond<T> interruptions;
};

/// Long-run shares in closed form. One tier: Daly 2006 (daly.h). Several: each tier's period is a
/// series of periods of the tier before, undone from its start by a failure that this tier serves;
/// the mean of such a series is a geometric sum (the multi-level model of Moody et al., SC 2010,
/// with failures during restarts). A save that drains behind the work after it is undone by a
/// failure before it has drained (daly.h).
template <class T>
Shares<T> sharesOf(const Process<T>& process);

extern template Shares<double> sharesOf(const Process<double>&);
extern template Shares<explain::Traced> sharesOf(const Process<explain::Traced>&);

} // namespace cw::run
