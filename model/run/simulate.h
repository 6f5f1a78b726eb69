// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "model/run/process.h"

// The process of process.h played event by event, to confirm its closed form and to show what a
// month looks like. The same seed gives the same numbers on every machine.

namespace cw::run {

/// What the job is at; the classes of lost time (`run.lost_time`) and their parts.
enum class Activity : std::uint8_t
{
    Useful,
    Save,
    LostProgress,
    Detection,
    StartUp, ///< rescheduling or swap, and start
    Restore,
    WarmUp,
    Stragglers, ///< and sub-healthy nodes
    HealthChecks,
    Corruption,
    ReplicasAway,
    RepairWait,
    Fragmentation
};
inline constexpr std::size_t kActivityCount = 13;
std::string_view nameOf(Activity activity); ///< "useful", "save", ... as in JSON

/// Seconds of one run by what they went to.
struct SimulatedRun
{
    std::array<double, kActivityCount> seconds{};
    double wall = 0;
    double failures = 0; ///< interruptions, of single replicas too
    bool cut = false;    ///< stopped before its work was done

    [[nodiscard]] double of(Activity a) const { return seconds[static_cast<std::size_t>(a)]; }
};

/// A mean and the 95% interval of it.
struct Estimate
{
    double mean = 0;
    double low = 0;
    double high = 0;
};

struct Simulation
{
    std::vector<SimulatedRun> runs;
    Estimate goodput;
    Estimate days;                               ///< of the whole run
    double earliest = 0;                         ///< days: a tenth of the runs were done by then
    double latest = 0;                           ///< and nine tenths
    Estimate interruptions;                      ///< each day
    std::array<double, kActivityCount> shares{}; ///< of wall time
    bool cut = false; ///< some run took too many events; its goodput is that of the time played
};

/// Called with the runs done; false stops.
using SimulationProgress = std::function<bool(int)>;

/// A part of a run with a process of its own.
struct Leg
{
    Process<double> process;
    double work = 0; ///< useful seconds
};

/// Plays `runs` runs, each of all legs in order. Otherwise as below.
Simulation simulate(const std::vector<Leg>& legs, int runs, std::uint64_t seed,
                    const SimulationProgress& progress = {}, double mostEvents = 2e6);

/// Plays `runs` runs of `work` useful seconds each. A run whose work takes more than `mostEvents`
/// events is cut there. `runs` >= 1.
Simulation simulate(const Process<double>& process, double work, int runs, std::uint64_t seed,
                    const SimulationProgress& progress = {}, double mostEvents = 2e6);

/// One stretch of a run that was played.
struct Stretch
{
    double begin = 0; ///< seconds of wall time
    double end = 0;
    Activity activity = Activity::Useful;
    double rate = 1; ///< of useful stretches: share of the replicas at work
};

struct Story
{
    std::vector<Stretch> stretches;
    std::vector<double> failures; ///< when the whole job or a replica failed
    std::vector<double> hours;    ///< goodput of each hour; in [0, 1]
    double goodput = 0;
};

/// The first `seconds` of one run.
Story tellRun(const Process<double>& process, double seconds, std::uint64_t seed);

} // namespace cw::run
