// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace cw::views {

// Texts of the ticks of an axis: round values, so without decimals that say nothing.

/// "30 s", "1 min", "5 min", "2 h", "10 days".
QString timeTick(double seconds);
/// "60 %", "2.5 %".
QString percentTick(double share);

} // namespace cw::views
