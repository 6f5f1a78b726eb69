// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/scenario/inputs.h"
#include "model/units/quantity.h"

// How often the job is interrupted, and how many spares that takes. Rates: Llama 3 (arXiv
// 2407.21783, table 5) and Meta's research clusters (arXiv 2410.21680).

namespace cw::run {

/// The parts that the job needs all of.
template <class T>
struct Parts
{
    T chips{};
    T switches{};
    T optics{};
};

/// What interrupts the job.
enum class FailurePart : std::uint8_t
{
    Chip,
    Host,
    Nic,
    Optic,
    Switch,
    Software,
    Storage,
    Job,
    Domain,
    Corruption, ///< silent: found late, and undone to before it
    Unsplit     ///< where `chip_hours_per_failure` stands for all
};
inline constexpr std::size_t kFailurePartCount = 11;
std::string_view nameOf(FailurePart part); ///< "chip", "host", ...

template <class T>
struct FailureRates
{
    /// Interruptions of a job that needs every part, but for silent corruptions.
    units::PerSecond<T> job;
    units::PerSecond<T> node; ///< failures that take a node out until it is repaired
    /// Silent corruptions. None of their own where `chip_hours_per_failure` stands for everything.
    units::PerSecond<T> corruption;
    units::PerSecond<T> subHealthy; ///< nodes that turn slow; none as well there
    std::array<units::PerSecond<T>, kFailurePartCount> parts{}; ///< of `job`, and corruptions
};

/// A series system: the rates of all parts add up. `chip_hours_per_failure`, where given, replaces
/// the sum.
template <class T>
FailureRates<T> failureRates(const scenario::Inputs<T>& in, const Parts<T>& parts);

/// The smallest k with P(X <= k) >= quantile for X Poisson with this mean. `quantile` in [0, 1];
/// mean >= 0; above a mean of 10^4 by the normal distribution.
double poissonQuantile(double mean, double quantile);
/// P(X <= k) for it.
double poissonAtMost(double mean, double k);

/// Nodes under repair at once, on average, of all jobs: they share the machine and its spares.
/// `rates` are those of one job.
template <class T>
T nodesInRepair(const scenario::Inputs<T>& in, const FailureRates<T>& rates);

/// Share of the time in which a job that needs every node waits for one to be repaired: `nodes` in
/// repair on average if it never waited, `spares` set aside. No node fails while it waits, so it is
/// Erlang's loss formula for spares + 1 servers, whatever the spread of repair times.
double waitsForRepair(double nodes, double spares);
/// Nodes in repair beyond the spares, on average, of a job that goes on without them.
double nodesShort(double nodes, double spares);

/// Chips to set aside: the plan's number, or whole nodes for the Poisson quantile of nodes under
/// repair at once.
template <class T>
T spareChips(const scenario::Inputs<T>& in, const FailureRates<T>& rates);

extern template FailureRates<double> failureRates(const scenario::Inputs<double>&,
                                                  const Parts<double>&);
extern template FailureRates<explain::Traced> failureRates(const scenario::Inputs<explain::Traced>&,
                                                           const Parts<explain::Traced>&);
extern template double nodesInRepair(const scenario::Inputs<double>&, const FailureRates<double>&);
extern template explain::Traced nodesInRepair(const scenario::Inputs<explain::Traced>&,
                                              const FailureRates<explain::Traced>&);
extern template double spareChips(const scenario::Inputs<double>&, const FailureRates<double>&);
extern template explain::Traced spareChips(const scenario::Inputs<explain::Traced>&,
                                           const FailureRates<explain::Traced>&);

} // namespace cw::run
