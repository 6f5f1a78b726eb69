// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

/// By the first tier of `reliability.checkpoints` (file system where there is none). Asynchronous:
/// the copy to the host blocks, the rest drains behind the next steps; else all of it blocks.
template <class T>
CheckpointCost<T> checkpointCost(const scenario::Inputs<T>& in, const units::Bytes<T>& bytes,
                                 const T& chips);

/// The first tier, or the default where the plan has none.
const scenario::CheckpointPlan& checkpointPlan(const scenario::Scenario& plan);

extern template CheckpointCost<double> checkpointCost(const scenario::Inputs<double>&,
                                                      const units::Bytes<double>&, const double&);
extern template CheckpointCost<explain::Traced>
checkpointCost(const scenario::Inputs<explain::Traced>&, const units::Bytes<explain::Traced>&,
               const explain::Traced&);

} // namespace cw::run
