// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/scenario/cluster.h"
#include "model/scenario/fault.h"

// Bandwidths from the output of measuring tools, as rows of `cluster.network.measured`.

namespace cw::exchange {

enum class MeasuringTool : std::uint8_t
{
    NcclTests, ///< all_reduce_perf and its siblings, their text
    Perftest,  ///< ib_write_bw and its siblings, their text
    Iperf3,    ///< text, or JSON (--json)
};

struct MeasurementReading
{
    /// One for each operation and tier: its largest message, or the whole transfer.
    std::vector<scenario::MeasuredBandwidth> measured;
    scenario::Faults faults; ///< pointer: "line N", or "" for the whole
};

/// What the file's text does not say: the operation is also sought in its name, the tier follows
/// from the hosts of the ranks, else from `domainChips`, the chips of a scale-up domain.
struct MeasurementHints
{
    std::string fileName;
    std::int64_t domainChips = 8;
    bool severalSites = false;
};

/// Reads the output of a tool. Sizes are bytes; GB/s of nccl-tests are 1e9 bytes/s, MB of perftest
/// 2^20 bytes, bits of perftest and iperf3 decimal. Never throws for what is in the text.
MeasurementReading readMeasurements(MeasuringTool tool, std::string_view text,
                                    const MeasurementHints& hints);

} // namespace cw::exchange
