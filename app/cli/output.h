// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "app/cli/session.h"

namespace cw::cli {

/// Writes a file whole or not at all: beside it first, then in its place. Stops with status 2
/// where it cannot be written.
void writeWhole(const Session& session, const std::string& path, std::string_view content);

/// SHA-256 as 64 hexadecimal digits. [FIPS 180-4]
std::string sha256Of(std::string_view content);

} // namespace cw::cli
