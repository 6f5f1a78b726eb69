// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "model/memory/ledger.h"
#include "model/scenario/scenario.h"

namespace cw::calibrate {

/// A published measurement as a plan.
struct MeasuredRow
{
    std::string id;
    std::string chip;
    std::string precision;
    std::string model; ///< as the row names it
    std::string title; ///< of its source
    bool moe = false;
    double chips = 0;
    scenario::Scenario plan;
    std::optional<double> stepTime; ///< seconds
    std::optional<double> memory;   ///< bytes
    bool allocated = false;         ///< memory is the allocator's peak, without what it keeps
    std::optional<bool> fits;       ///< where the row says whether it ran in its memory
    std::string skipped;            ///< why it cannot be a plan; empty where it can
};

/// What a plan is predicted to show where the row's memory was read: all that the device reserves,
/// or the peak of what the framework allocates, without context and libraries. Bytes.
double shownMemory(const MeasuredRow& row, const memory::MemoryLedger<double>& ledger);

/// The plan of a row: system and chip by `chip_key`, software by its source, the row's own numbers
/// over them. The rules stand in resources/calibration/sources.json.
MeasuredRow readRow(const nlohmann::json& row);

} // namespace cw::calibrate
