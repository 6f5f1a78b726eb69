// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace cw::scenario {

/// JSON pointer of the first number that no double can hold ("1e999"); "" where there is none.
std::string overflowPointer(std::string_view json);

} // namespace cw::scenario
