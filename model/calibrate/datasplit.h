// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/calibrate/measuredrows.h"

// Which rows constants may be fitted to. The rule is fixed and looks at nothing but the id, so that
// nobody can choose the rows that look good.

namespace cw::calibrate {

/// FNV-1a, 32 bits. [Fowler, Noll, Vo]
std::uint32_t fnv1a(std::string_view text);

/// A row that reports show and fits leave out: its hash is a multiple of 5. Rows in doubt are
/// neither fitted nor counted among the kept-back ones.
bool keptBack(std::string_view id);

/// Key of the text that says why a row looks inconsistent (resources/calibration/doubts.json);
/// empty where it does not. Such a row is told with its reason and not fitted.
std::string doubtOf(std::string_view id);

/// What is left out together: the paper of a row of `papers.json`, else the file of the collection,
/// without its extension.
std::string sourceOf(const MeasuredRow& row, std::string_view file);

} // namespace cw::calibrate
