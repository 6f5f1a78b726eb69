// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "model/run/run.h"
#include "model/scenario/inputs.h"
#include "model/units/quantity.h"

namespace cw::run {

inline constexpr std::size_t kMostTiers = 8;

/// What one checkpoint costs. Bandwidths are those of the whole job.
template <class T>
struct CheckpointCost
{
    units::Seconds<T> blocking;    ///< training stands still
    units::Seconds<T> drain;       ///< until the next one can start
    units::Bytes<T> host;          ///< of each node's memory
    units::Seconds<T> restore;     ///< reading it back into every chip
    units::Seconds<T> peerRestore; ///< reading a lost chip's state from its peers
    units::BytesPerSecond<T> write;
    units::BytesPerSecond<T> read;
};

/// Asynchronous: the copy to the host blocks, the rest drains behind the next steps; else all of it
/// blocks. The bandwidth is the least of what the chips' host links, their network or the nodes'
/// drives, and the storage system carry together; the jobs share the storage system. Without
/// staggering all chips of all jobs drain at once: their network carries nothing else meanwhile,
/// and pools that hold the data set too serve no reads, so that training stands still once the
/// `step`s prefetched are used up (Llama 3, arXiv 2407.21783, sec. 3.3.1: bursts of checkpoints
/// saturate the storage fabric). Each node's memory holds two checkpoints of a tier kept there, the
/// last one and the next, and one more copy of what is on its way. `tier` is one of the plan's.
template <class T>
CheckpointCost<T> checkpointCost(const scenario::Inputs<T>& in,
                                 const scenario::CheckpointPlan& tier, const units::Bytes<T>& bytes,
                                 const T& chips, const units::Seconds<T>& step);

/// The plan's tiers, the most frequent first, or the default one where the plan has none.
const std::vector<scenario::CheckpointPlan>& checkpointTiers(const scenario::Scenario& plan);

/// The tiers as the run uses them, for failures at the mean `mean`. Each serves `serves_share` of
/// the failures that those before it do not, the last one all that are left. A tier without an
/// interval takes the optimum for the failures that reach it; none is shorter than a step, the
/// drain of an asynchronous checkpoint or the interval of the tier before it, of which it is a
/// whole multiple. At most kMostTiers.
template <class T>
std::vector<TierRun<T>> tiersOf(const scenario::Inputs<T>& in, const units::Bytes<T>& bytes,
                                const T& chips, const units::Seconds<T>& step,
                                const units::Seconds<T>& mean);

#define CW_EXTERN_CHECKPOINT(T)                                                                    \
    extern template CheckpointCost<T> checkpointCost(                                              \
        const scenario::Inputs<T>&, const scenario::CheckpointPlan&, const units::Bytes<T>&,       \
        const T&, const units::Seconds<T>&);                                                       \
    extern template std::vector<TierRun<T>> tiersOf(                                               \
        const scenario::Inputs<T>&, const units::Bytes<T>&, const T&, const units::Seconds<T>&,    \
        const units::Seconds<T>&)
CW_EXTERN_CHECKPOINT(double);
CW_EXTERN_CHECKPOINT(explain::Traced);
#undef CW_EXTERN_CHECKPOINT

} // namespace cw::run
