// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "model/evaluation/siting.h"
#include "model/report/document.h"
#include "model/text/catalogue.h"

namespace cw::report {

/// The same plan at several sites, side by side.
Document sitesReport(const std::vector<evaluation::AtSite>& rows, text::Language language);

/// Machines that fill the same power, side by side: what they compute and what they cost.
Document fillReport(const std::vector<evaluation::Filled>& rows, double watts,
                    text::Language language);

} // namespace cw::report
