// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "model/calibrate/validate.h"

namespace cw::calibrate {

/// The published measurements that are part of the program (resources/measured), file by file, by
/// name. Not the records of failures, which are no steps.
std::vector<RowsFile> publishedRows();

} // namespace cw::calibrate
