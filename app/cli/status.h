// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cw::cli {

enum class Status : int
{
    Answered = 0, ///< that a plan cannot run is an answer
    Internal = 1,
    CommandLine = 2,
    Input = 3,
    Differs = 4,
};

/// Thrown where a command cannot go on: the status to end with and one line for each fault.
struct Stop
{
    Status status = Status::Internal;
    std::vector<std::string> lines;
};

[[noreturn]] inline void stop(Status status, std::string line)
{
    throw Stop{status, {std::move(line)}};
}

} // namespace cw::cli
