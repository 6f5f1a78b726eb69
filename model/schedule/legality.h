// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/schedule/placement.h"

namespace cw::schedule {

/// A rule of a schedule that a plan breaks.
struct Legality
{
    std::string_view code;             ///< key of its message ("schedule.interleaved_multiple")
    std::string_view field;            ///< "pipeline", "virtual_stages" or "micro_batches"
    std::vector<std::int64_t> allowed; ///< the nearest values that obey, ascending
};

/// The rules broken by p stages, v virtual stages and m micro batches; none: the plan is legal.
/// Interleaved: v >= 2, p >= 2, m a multiple of p (Megatron-LM). DualPipe: p and m even, m >= 2p;
/// DualPipeV: m >= 2p (asserts of the DualPipe repository). V schedules hold two chunks: v of 1
/// (unset) or 2. All others: v = 1. Fewer micro batches than stages is legal elsewhere.
std::vector<Legality> legality(Schedule schedule, std::int64_t stages, std::int64_t virtualStages,
                               std::int64_t microBatches);

} // namespace cw::schedule
