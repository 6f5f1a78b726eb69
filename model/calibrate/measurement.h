// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/scenario/fault.h"
#include "model/scenario/scenario.h"

// What a user measured on a machine of their own, as `calibrate` reads it. Forms, told apart by
// what is in the file:
//  - a GEMM table, CSV: m,n,k[,precision] and one of time_s|time_ms|time_us|tflops
//  - a collective table, CSV: operation,bytes,ranks[,ranks_per_domain] and one of
//    time_s|time_ms|time_us|busbw_gb_s
//  - a step breakdown, CSV: part,time_s|time_ms|time_us, or JSON: {"parts_ms": {part: number}}
//  - what nccl-tests print
//  - rows of measured steps, JSON (measuredrows.h)
// A number carries no unit of its own; the name of its column does.

namespace cw::calibrate {

enum class Collective : std::uint8_t
{
    AllReduce,
    AllGather,
    ReduceScatter,
    AllToAll,
    SendReceive,
};

struct Measurement
{
    enum class Kind : std::uint8_t
    {
        Gemm,
        Collective,
        Part, ///< of the plan's own step
        Step, ///< of a plan of its own
    };
    Kind kind = Kind::Gemm;
    std::string file;
    std::string place; ///< in it: "line 12", "/3"
    std::string label; ///< "4096 x 4096 x 8192 bf16"
    double seconds = 0;

    double m = 0;
    double n = 0;
    double k = 0;
    scenario::Format format = scenario::Format::Bf16;

    Collective operation = Collective::AllReduce;
    double bytes = 0; ///< the whole buffer, as nccl-tests count it
    double ranks = 0;
    double perDomain = 0; ///< ranks in a scale-up domain; 0: as the plan has it

    std::string part; ///< "compute", "tensor_comm", ...; "time" is the whole step

    std::shared_ptr<const scenario::Scenario> plan; ///< of a Step
};

inline constexpr std::size_t kMostMeasurements = 100000;

/// Reads one file. Each fault is one line: the place ("line 12"), what is wrong, what is allowed.
/// `plan` is the machine that was measured.
std::vector<Measurement> readMeasurements(const std::string& name, std::string_view text,
                                          const scenario::Scenario& plan, scenario::Faults& faults);

/// What nccl-tests print: times out of place. The operation is in the line that starts the test, or
/// follows from bus over algorithm bandwidth where that can be only one.
std::vector<Measurement> readNcclTests(const std::string& name, std::string_view text,
                                       scenario::Faults& faults);
bool looksLikeNcclTests(std::string_view text);

/// Bus bandwidth over bytes per second of the whole buffer: 2(n-1)/n for all-reduce, (n-1)/n for
/// the others, 1 for a message. [nccl-tests, doc/PERFORMANCE.md]
double busFactor(Collective operation, double ranks);

std::string_view nameOf(Collective operation); ///< "all-reduce"

/// Parts of a step that a breakdown can hold.
const std::vector<std::string>& stepParts();

} // namespace cw::calibrate
