// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/explain/trace.h"

namespace cw::evaluation {

/// The expression below a node as text, down to the next figures, inputs and constants, which
/// `leaf` writes. Sums of many terms are shortened in the middle.
std::string formulaText(const explain::Trace& trace, explain::NodeId node,
                        const std::function<std::string(explain::NodeId)>& leaf);

/// The figures, inputs and constants that the expression below a node refers to, each once.
std::vector<explain::NodeId> leavesOf(const explain::Trace& trace, explain::NodeId node);

} // namespace cw::evaluation
