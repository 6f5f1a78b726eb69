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

/// What the whole job is restored from a checkpoint for.
template <class T>
struct TierFailures
{
    units::Seconds<T> mean;         ///< between them
    T nodeShare{};                  ///< of them: a node goes, and its memory and drives with it
    T domainShare{};                ///< of them: many nodes go at once, and copies at their peers
    units::PerSecond<T> corruption; ///< beside them; undone from the last tier
};

/// The share of the failures that a copy in this tier survives.
template <class T>
T survivedShare(scenario::CheckpointTier tier, const TierFailures<T>& failures);

/// The tiers as the run uses them. Each serves `serves_share` of the failures that those before it
/// do not, at most those that its copies survive; the last one all that are left. A tier without an
/// interval takes the optimum for the failures that reach it, a whole number of times in what a
/// later tier is given; none is shorter than a step, the drain of an asynchronous checkpoint or the
/// interval of the tier before it, of which it is a whole multiple. At most kMostTiers.
template <class T>
std::vector<TierRun<T>> tiersOf(const scenario::Inputs<T>& in, const units::Bytes<T>& bytes,
                                const T& chips, const units::Seconds<T>& step,
                                const TierFailures<T>& failures);

#define CW_EXTERN_CHECKPOINT(T)                                                                    \
    extern template CheckpointCost<T> checkpointCost(                                              \
        const scenario::Inputs<T>&, const scenario::CheckpointPlan&, const units::Bytes<T>&,       \
        const T&, const units::Seconds<T>&);                                                       \
    extern template std::vector<TierRun<T>> tiersOf(                                               \
        const scenario::Inputs<T>&, const units::Bytes<T>&, const T&, const units::Seconds<T>&,    \
        const TierFailures<T>&);                                                                   \
    extern template T survivedShare(scenario::CheckpointTier, const TierFailures<T>&)
CW_EXTERN_CHECKPOINT(double);
CW_EXTERN_CHECKPOINT(explain::Traced);
#undef CW_EXTERN_CHECKPOINT

} // namespace cw::run
