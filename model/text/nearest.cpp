// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/text/nearest.h"

#include <algorithm>
#include <cstddef>

namespace cw::text {

namespace {

/// Farther than any two words are apart.
constexpr std::size_t kApart = 100000;

/// Levenshtein's distance.
std::size_t distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] =
                std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
            diagonal = above;
        }
    }
    return row.back();
}

} // namespace

std::string nearestOf(std::string_view word, const std::vector<std::string>& candidates)
{
    std::string small(word.substr(0, 200)); // a longer one is near nothing
    for (char& c : small)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    std::string best;
    std::size_t least = static_cast<std::size_t>(-1);
    for (const std::string& candidate : candidates) {
        const bool whole = candidate.find(small) != std::string::npos;
        const std::size_t d = distance(small, candidate) + (whole ? 0 : kApart);
        if (d < least) {
            least = d;
            best = candidate;
        }
    }
    return best;
}

} // namespace cw::text
