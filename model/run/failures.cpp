// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/run/failures.h"

#include <algorithm>
#include <cmath>

namespace cw::run {

using explain::Traced;
using explain::valueOf;
using scenario::Inputs;
using units::PerSecond;
using units::Unit;

namespace {

// Once in the age of the universe: what is divided by a rate stays finite.
constexpr double kLeastRate = 1e-18;
constexpr double kHour = 3600.0;
constexpr double kYear = 8760.0 * kHour;

template <class T>
PerSecond<T> perYear(const T& events)
{
    return PerSecond<T>(events / kYear);
}

/// Failures a year of what takes many chips out at once, and of the storage.
template <class T>
T sharedFailures(const Inputs<T>& in, const T& chips)
{
    using std::ceil;
    const scenario::Scenario& plan = in.plan();
    T sum = in(plan.reliability.failuresPerYear.storage) *
            static_cast<double>(plan.storage.pools.size());
    for (const scenario::FailureDomain& domain : plan.reliability.domains)
        sum = sum + ceil(chips / in(domain.chips)) * in(domain.failuresPerYear);
    return sum;
}

/// The normal deviate of a probability, by halving.
double normalQuantile(double p)
{
    double low = -9.0;
    double high = 9.0;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (0.5 * std::erfc(-middle / std::sqrt(2.0)) < p ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

} // namespace

template <class T>
FailureRates<T> failureRates(const Inputs<T>& in, const Parts<T>& parts)
{
    using std::ceil;
    using std::max;
    const scenario::Reliability& plan = in.plan().reliability;
    FailureRates<T> r;
    if (plan.chipHoursPerFailure) {
        r.job = PerSecond<T>(parts.chips / (in(plan.chipHoursPerFailure) * kHour));
        r.node = r.job * in.constant("constant.hardware_share", Unit::Share, 0.78);
        r.corruption = PerSecond<T>(T(0.0));
    } else {
        const scenario::FailureRates& rate = plan.failuresPerYear;
        const T nodes = ceil(parts.chips / in(in.plan().cluster.node.chips));
        const T inNodes = parts.chips * (in(rate.chip) + in(rate.nic)) + nodes * in(rate.host);
        const T elsewhere = parts.chips * in(rate.softwarePerChip) +
                            parts.switches * in(rate.networkSwitch) +
                            parts.optics * in(rate.optic) + sharedFailures(in, parts.chips);
        r.node = perYear<T>(inNodes);
        r.job = perYear<T>(inNodes + elsewhere);
        r.corruption = perYear<T>(parts.chips * in(plan.corruptionPerChipYear));
    }
    r.job = max(r.job, PerSecond<T>(T(kLeastRate)));
    return r;
}

double poissonQuantile(double mean, double quantile)
{
    if (!(mean > 0.0))
        return 0.0;
    const double p = std::clamp(quantile, 0.0, 1.0 - 1e-15);
    if (mean > 1e4)
        return std::max(0.0, std::ceil(mean + normalQuantile(p) * std::sqrt(mean)));
    // Weights relative to the mode's, down and up until they vanish: no factorial needed.
    const double mode = std::floor(mean);
    double below = 0.0;
    double first = mode;
    double weight = 1.0;
    for (; first > 0.0 && weight > 1e-20; first -= 1.0) {
        weight *= first / mean;
        below += weight;
    }
    double total = below + 1.0;
    double above = 1.0;
    for (double k = mode + 1.0; above > 1e-20; k += 1.0) {
        above *= mean / k;
        total += above;
    }
    double cumulated = weight;
    double k = first;
    while (cumulated < p * total && weight > 0.0 && k < mean + 60.0 * std::sqrt(mean) + 100.0) {
        k += 1.0;
        weight *= mean / k;
        cumulated += weight;
    }
    return k;
}

template <class T>
T spareChips(const Inputs<T>& in, const FailureRates<T>& rates)
{
    using std::ceil;
    const scenario::Scenario& plan = in.plan();
    if (plan.cluster.spareChips)
        return in(plan.cluster.spareChips);
    const T mean = rates.node.si() * in(plan.reliability.repair);
    const double count = poissonQuantile(valueOf(mean), plan.reliability.spareQuantile);
    // The quantile is no formula; it enters as its distance from the mean, half a node low so that
    // rounding up meets it exactly.
    const T nodes = count > 0.0 ? ceil(mean + (count - 0.5 - valueOf(mean))) : 0.0 * mean;
    return nodes * in(plan.cluster.node.chips);
}

template FailureRates<double> failureRates(const Inputs<double>&, const Parts<double>&);
template FailureRates<Traced> failureRates(const Inputs<Traced>&, const Parts<Traced>&);
template double spareChips(const Inputs<double>&, const FailureRates<double>&);
template Traced spareChips(const Inputs<Traced>&, const FailureRates<Traced>&);

} // namespace cw::run
