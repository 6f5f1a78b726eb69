// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

namespace cw::scenario {

/// One thing that is wrong with an input: a code of the message catalogue, where it is, and what
/// the text needs to say what is wrong and what is allowed.
struct Fault
{
    std::string code;    ///< "fault.range"
    std::string pointer; ///< JSON pointer in the file ("/parallelism/tensor"); "" is the whole
    std::map<std::string, std::string> arguments;
};

using Faults = std::vector<Fault>;

} // namespace cw::scenario
