// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cw::app {

/// Reads the command line, opens the window and runs it; answers the exit status.
int start(int& argc, char** argv);

} // namespace cw::app
