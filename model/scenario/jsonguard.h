// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cw::scenario {

/// What a first look at JSON finds that a parser into a document does not tell, or tells late.
struct JsonGuard
{
    bool tooDeep = false;
    std::vector<std::string> duplicates; ///< JSON pointers of members given twice
    /// JSON pointer of the first number that no double can hold ("1e999"); the look ends there.
    std::string overflow;
    bool overflows = false;
};

/// Reads the text once without building a document, in time linear in its length.
JsonGuard guardJson(std::string_view json, int deepest);

} // namespace cw::scenario
