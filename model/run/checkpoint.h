// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "model/scenario/inputs.h"
#include "model/units/quantity.h"

namespace cw::run {

/// What one checkpoint costs. Bandwidths are those of all chips of the job together.
template <class T>
struct CheckpointCost
{
    units::Seconds<T> blocking;    ///< training stands still
    units::Seconds<T> drain;       ///< until the next one can start
    units::Seconds<T> restore;     ///< reading it back into every chip
    units::Seconds<T> peerRestore; ///< reading a lost chip's state from its peers
};

/// Asynchronous: the copy to the host blocks, the rest drains behind the next steps; else all of it
/// blocks. `tier` is one of the plan's.
template <class T>
CheckpointCost<T> checkpointCost(const scenario::Inputs<T>& in,
                                 const scenario::CheckpointPlan& tier, const units::Bytes<T>& bytes,
                                 const T& chips);

/// The plan's tiers, the most frequent first, or the default one where the plan has none.
const std::vector<scenario::CheckpointPlan>& checkpointTiers(const scenario::Scenario& plan);

/// All tiers together, as one checkpoint of the first tier's interval.
template <class T>
struct Saving
{
    units::Seconds<T> interval; ///< of the first tier
    units::Seconds<T> stall;    ///< blocking part of the first tier
    units::Seconds<T> blocking; ///< of all tiers, for each interval of the first
    units::Seconds<T> restore;  ///< mean over the failures by the tier that serves them
    units::Seconds<T> peerRestore;
    T extraLoss{}; ///< work lost beyond the first tier's interval, over the mean time to a failure
};

/// Each tier serves `serves_share` of the failures that those before it do not, the last one all
/// that are left. A tier without an interval takes the optimum for the failures that reach it; none
/// is shorter than a step, the drain of an asynchronous checkpoint or the interval of the tier
/// before it.
template <class T>
Saving<T> saving(const scenario::Inputs<T>& in, const units::Bytes<T>& bytes, const T& chips,
                 const units::Seconds<T>& step, const units::Seconds<T>& mean);

#define CW_EXTERN_CHECKPOINT(T)                                                                    \
    extern template CheckpointCost<T> checkpointCost(const scenario::Inputs<T>&,                   \
                                                     const scenario::CheckpointPlan&,              \
                                                     const units::Bytes<T>&, const T&);            \
    extern template Saving<T> saving(const scenario::Inputs<T>&, const units::Bytes<T>&, const T&, \
                                     const units::Seconds<T>&, const units::Seconds<T>&)
CW_EXTERN_CHECKPOINT(double);
CW_EXTERN_CHECKPOINT(explain::Traced);
#undef CW_EXTERN_CHECKPOINT

} // namespace cw::run
