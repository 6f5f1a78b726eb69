// SPDX-License-Identifier: GPL-3.0-or-later
#include "resources/embedded.h"

#include <algorithm>
#include <cstddef>

#include "embeddeddeclarations.inc"

namespace cw::resources {

namespace {

struct Entry
{
    std::string_view name;
    const char* begin;
    const char* end;
};

// Sorted by name.
const Entry kEntries[] = {
#include "embeddedtable.inc"
};

} // namespace

std::string_view file(std::string_view name)
{
    const auto* it =
        std::lower_bound(std::begin(kEntries), std::end(kEntries), name,
                         [](const Entry& e, std::string_view n) { return e.name < n; });
    if (it == std::end(kEntries) || it->name != name)
        return {};
    return {it->begin, static_cast<std::size_t>(it->end - it->begin)};
}

std::vector<std::string_view> filesBelow(std::string_view folder)
{
    std::vector<std::string_view> names;
    for (const Entry& e : kEntries) {
        if (e.name.substr(0, folder.size()) == folder)
            names.push_back(e.name);
    }
    return names;
}

} // namespace cw::resources
