// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/evaluation/limits.h"
#include "views/pages/bindinglist.h"

namespace cw::views {

/// What binds a plan in words, what weighs most first; with the changes of those limits that have
/// one. At most `most` rows.
std::vector<BindingRow> bindingRows(const PageData& figures,
                                    const std::vector<evaluation::Limit>& limits, std::size_t most);

} // namespace cw::views
