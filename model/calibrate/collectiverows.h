// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

// Collectives that others measured, beside what the formulas say of them. A row names its machine
// by the system preset, its ranks and the scale-up domains they lie in, and what was measured: a
// time, a bus bandwidth as nccl-tests define it, or a bandwidth of expert traffic as DeepEP counts
// it (all bytes that a rank receives in its domain, or those that arrive over its NIC, the token's
// own domain counted among them). Nothing is fitted to them.

namespace cw::calibrate {

struct CollectiveResult
{
    std::string id;
    std::string file;
    std::string system;     ///< id of the preset
    std::string collective; ///< "all_reduce", "all_gather", "reduce_scatter", "all_to_all",
                            ///< "dispatch", "combine"
    std::string algorithm;  ///< that the benchmark forced; empty: the library's choice
    std::string source;     ///< title of who published it
    std::string library;    ///< as the row names it
    double bytes = 0;       ///< the buffer; of expert traffic, what the rank's tokens are in all
    double ranks = 0;
    double domains = 1;
    double predicted = 0; ///< seconds
    double measured = 0;  ///< seconds
    double error = 0;     ///< predicted / measured - 1
    /// By the rule of all rows (datasplit.h): formulas are chosen by the others alone.
    bool keptBack = false;
};

struct CollectiveSummary
{
    /// "all", "system:...", "collective:...", "size:-1MiB|1-64MiB|64MiB-", "kept-back", "others"
    std::string group;
    std::size_t count = 0;
    double medianAbsError = 0;
    double p90AbsError = 0;
    double bias = 0; ///< median of the signed error
};

/// Whether a row is one of a collective.
bool isCollective(const nlohmann::json& row);

/// Reads and predicts one row; `skipped` gets the key of the reason, with what is wrong behind a
/// colon, where that cannot be done.
CollectiveResult collectiveResult(const nlohmann::json& row, const std::string& file,
                                  std::string& skipped);

/// The class of a buffer's size: "-1MiB", "1-64MiB", "64MiB-".
std::string sizeOf(double bytes);

std::vector<CollectiveSummary> summarize(const std::vector<CollectiveResult>& rows);

} // namespace cw::calibrate
