// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/explain/trace.h"
#include "model/units/quantity.h"

// The best time between checkpoints, and what is left of the machine's time.
// J. T. Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps",
// Future Generation Computer Systems 22 (2006), eqs. 13 and 37.
//
// M: mean time between interruptions, delta: the blocking part of a checkpoint, R: restart time,
// tau: work between two checkpoints.

namespace cw::run {

/// Shares of wall time; they sum to one.
template <class T>
struct DalyShares
{
    T useful{}; ///< goodput: strictly between 0 and 1
    T save{};
    T restart{};
    T lostProgress{};
};

/// Wall time of a run of work T_s is M e^(R/M) (e^((tau+delta)/M) - 1) T_s/tau. Computed in
/// logarithms, since e^(R/M) overflows for a restart of a day and failures each minute.
/// Where a checkpoint can be restored `lag` after it was taken (at most tau), while work goes on,
/// a failure before that undoes one segment more: what was saved counts once tau + delta passed
/// from the save before, or tau + delta + lag from a restart, without a failure. The mean of that
/// is the same form with R + lag in the exponent; only R of it is spent restarting.
template <class T>
DalyShares<T> dalyShares(const units::Seconds<T>& tau, const units::Seconds<T>& delta,
                         const units::Seconds<T>& restart, const units::Seconds<T>& mean,
                         const units::Seconds<T>& lag = units::Seconds<T>(T(0.0)));

/// The tau at which that wall time is least: tau/M = 1 - e^(-(tau+delta)/M), solved by Newton.
template <class T>
units::Seconds<T> dalyOptimum(const units::Seconds<T>& delta, const units::Seconds<T>& mean);

/// Daly's series for it (eq. 37), kept to compare with.
double dalySeries(double delta, double mean);

extern template DalyShares<double> dalyShares(const units::Seconds<double>&,
                                              const units::Seconds<double>&,
                                              const units::Seconds<double>&,
                                              const units::Seconds<double>&,
                                              const units::Seconds<double>&);
extern template DalyShares<explain::Traced> dalyShares(const units::Seconds<explain::Traced>&,
                                                       const units::Seconds<explain::Traced>&,
                                                       const units::Seconds<explain::Traced>&,
                                                       const units::Seconds<explain::Traced>&,
                                                       const units::Seconds<explain::Traced>&);
extern template units::Seconds<double> dalyOptimum(const units::Seconds<double>&,
                                                   const units::Seconds<double>&);
extern template units::Seconds<explain::Traced> dalyOptimum(const units::Seconds<explain::Traced>&,
                                                            const units::Seconds<explain::Traced>&);

} // namespace cw::run
