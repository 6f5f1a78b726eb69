// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>

#include "model/scenario/scenario.h"

// The layouts of one model on one machine, for allocation: tensor, context, pipeline, expert and
// data parallelism, micro batch, recomputation and global batch, and for the best of them the
// pipeline schedule. What else the plan says stays.

namespace cw::explore {

struct LayoutSearch
{
    double criticalBatchTokens = 1e15; ///< what a token is worth: 1 / (1 + B / B_crit)
    unsigned threads = 1;
};

struct LayoutFound
{
    scenario::Scenario plan;    ///< with the layout and its batch
    double tokensPerSecond = 0; ///< by memory and step alone
    double worthPerSecond = 0;  ///< of it, what counts for the loss
    double reservedShare = 0;   ///< of the usable memory
};

struct LayoutSearched
{
    std::optional<LayoutFound> best; ///< fits without doubt; nothing where none does
    std::size_t evaluated = 0;
};

/// The layout whose tokens are worth most each second. The same on any number of threads: of equals
/// the first in order of enumeration.
LayoutSearched bestLayout(const scenario::Scenario& plan, const LayoutSearch& search);

/// Whether any layout fits, with as many micro batches as stages.
bool anyLayoutFits(const scenario::Scenario& plan, unsigned threads, std::size_t& evaluated);

} // namespace cw::explore
