// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/scenario/registry.h"
#include "model/scenario/scenario.h"

// Which model, on how many tokens, for this machine and this time, energy or money. Three steps:
// memory gives the largest model, communication the tokens each day of every size below it, the
// loss law the best of them.

namespace cw::explore {

enum class BudgetKind : std::uint8_t
{
    Days,
    Energy, ///< joules at the meter
    Cost,   ///< of the plan's currency
};

struct Budget
{
    BudgetKind kind = BudgetKind::Days;
    double amount = 0; ///< above 0
};

enum class Goal : std::uint8_t
{
    Loss,   ///< the size with the least loss
    Tokens, ///< the plan's own model, with the most tokens' worth
};

struct AllocateRequest
{
    Budget budget;
    Goal goal = Goal::Loss;
    unsigned threads = 1;
};

/// One size of the plan's model, with the layout and batch that make most of the budget.
struct Allocation
{
    std::vector<std::pair<std::string, scenario::Value>> set; ///< over the plan
    std::string phases; ///< JSON of `workload.phases`, to be set besides; empty: the plan has none
    std::int64_t tensor = 1;
    std::int64_t context = 1;
    std::int64_t pipeline = 1;
    std::int64_t expert = 1;
    std::int64_t data = 1;
    double total = 0; ///< parameters
    double active = 0;
    double tokensPerDay = 0; ///< interruptions counted
    double tokens = 0;       ///< that the budget pays for
    double batchTokens = 0;
    double criticalBatchTokens = 0;
    double days = 0;
    double energy = 0; ///< joules
    double cost = 0;
    double mfu = 0;
    double goodput = 0;
    double reservedShare = 0; ///< of the usable memory
    double loss = 0;
    double lossLow = 0;
    double lossHigh = 0;
};

struct Allocated
{
    double largestTotal =
        0; ///< step 1: parameters of the largest size that any layout fits; 0: none
    double largestActive = 0;
    std::vector<Allocation> sizes;   ///< steps 2 and 3, the largest first
    std::optional<std::size_t> best; ///< of `sizes`
    std::size_t evaluated = 0;       ///< layouts
    std::size_t phases = 0;          ///< of the plan: see below
};

/// Deterministic on any number of threads. Sizes keep the proportions of the plan's model
/// (transformer::grown). The tokens are split among the plan's phases by the same shares; each has
/// the layout and batch that suit its settings, and a size counts only where each of them fits. The
/// layout that is told is that of the plan's own settings. `progress` is told 0 to 1 from the
/// calling thread.
Allocated allocate(const scenario::Scenario& plan, const AllocateRequest& request,
                   const std::function<void(double)>& progress);

} // namespace cw::explore
