// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <istream>
#include <ostream>

namespace cw::cli {

struct Streams
{
    std::istream& in;
    std::ostream& out;
    std::ostream& err;
};

/// The terminal program. Answers its exit status: see status.h.
int run(int argc, const char* const* argv, Streams streams);

} // namespace cw::cli
