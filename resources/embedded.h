// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

namespace cw::resources {

/// The text of an embedded file ("presets/chips/h100-sxm.json"); empty where there is none.
std::string_view file(std::string_view name);

/// Names of the embedded files below a folder ("presets/chips/"), sorted.
std::vector<std::string_view> filesBelow(std::string_view folder);

} // namespace cw::resources
