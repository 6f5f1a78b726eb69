// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "model/calibrate/refit.h"

namespace cw::calibrate {

/// The file of a chip or software preset with the constants that a fit found for it, each with what
/// it rests on; the text as it was where the fit found none of its.
std::string updatedPreset(const std::string& text, const Refit& refit);

} // namespace cw::calibrate
