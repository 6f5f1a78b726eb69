// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cw::text {

/// The candidate nearest in spelling; empty where there is none. Those that hold the whole word
/// ("parallelism.tensor" for "tensor") come before others, the shortest first. Capitals of the word
/// count as small letters too: identifiers have none.
std::string nearestOf(std::string_view word, const std::vector<std::string>& candidates);

} // namespace cw::text
