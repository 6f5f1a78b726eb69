// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>

class QButtonGroup;

namespace cw::views {

class ChartFrame;

/// A switch above the chart of a frame: one button for each key of a text, ids from 0. The group
/// belongs to the frame.
QButtonGroup* addSegments(ChartFrame* frame, std::initializer_list<const char*> keys, int chosen);

} // namespace cw::views
