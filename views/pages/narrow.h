// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cw::views {

/// Pages narrower than this, in device-independent pixels, lay their frames below each other: what
/// a window of 1,280 pixels leaves between its docks is narrower.
inline constexpr int kNarrowPage = 860;

} // namespace cw::views
