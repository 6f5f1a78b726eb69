// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/run/failures.h"

#include <algorithm>
#include <cmath>

namespace cw::run {

using explain::named;
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

/// Failures a year of what takes many chips out at once.
template <class T>
T domainFailures(const Inputs<T>& in, const T& chips)
{
    using std::ceil;
    T sum(0.0);
    for (const scenario::FailureDomain& domain : in.plan().reliability.domains)
        sum = sum + ceil(chips / in(domain.chips)) * in(domain.failuresPerYear);
    return sum;
}

template <class T>
T namedYear(FailurePart part, const T& events)
{
    static constexpr std::array<std::string_view, kFailurePartCount> kKeys{
        "run.failures_per_year.chip",    "run.failures_per_year.host",
        "run.failures_per_year.nic",     "run.failures_per_year.optic",
        "run.failures_per_year.switch",  "run.failures_per_year.software",
        "run.failures_per_year.storage", "run.failures_per_year.job",
        "run.failures_per_year.domain",  "run.failures_per_year.corruption",
        "run.failures_per_year.all"};
    return named(kKeys[static_cast<std::size_t>(part)], Unit::PerYear, events);
}

template <class T>
void addParts(const Inputs<T>& in, const Parts<T>& parts, FailureRates<T>& r)
{
    using std::ceil;
    const scenario::FailureRates& rate = in.plan().reliability.failuresPerYear;
    const T nodes = ceil(parts.chips / in(in.plan().cluster.node.chips));
    const auto set = [&r](FailurePart part, const T& events) {
        const PerSecond<T> second = perYear<T>(namedYear(part, events));
        r.parts[static_cast<std::size_t>(part)] = second;
        r.job += second;
    };
    set(FailurePart::Chip, parts.chips * in(rate.chip));
    set(FailurePart::Host, nodes * in(rate.host));
    set(FailurePart::Nic, parts.chips * in(rate.nic));
    r.node = r.job;
    set(FailurePart::Optic, parts.optics * in(rate.optic));
    set(FailurePart::Switch, parts.switches * in(rate.networkSwitch));
    set(FailurePart::Software, parts.chips * in(rate.softwarePerChip));
    set(FailurePart::Storage,
        in(rate.storage) * static_cast<double>(in.plan().storage.pools.size()));
    set(FailurePart::Job, in(rate.job));
    set(FailurePart::Domain, domainFailures(in, parts.chips));
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

std::string_view nameOf(FailurePart part)
{
    static constexpr std::array<std::string_view, kFailurePartCount> kNames{
        "chip",    "host", "nic",    "optic",      "switch", "software",
        "storage", "job",  "domain", "corruption", "all"};
    return kNames[static_cast<std::size_t>(part)];
}

template <class T>
FailureRates<T> failureRates(const Inputs<T>& in, const Parts<T>& parts)
{
    using std::max;
    const scenario::Reliability& plan = in.plan().reliability;
    FailureRates<T> r;
    if (plan.chipHoursPerFailure) {
        r.job = PerSecond<T>(parts.chips / (in(plan.chipHoursPerFailure) * kHour));
        r.parts[static_cast<std::size_t>(FailurePart::Unsplit)] = r.job;
        r.node = r.job * in.constant("constant.hardware_share", Unit::Share, 0.78);
    } else {
        addParts(in, parts, r);
        r.corruption = perYear<T>(
            namedYear(FailurePart::Corruption, parts.chips * in(plan.corruptionPerChipYear)));
        r.parts[static_cast<std::size_t>(FailurePart::Corruption)] = r.corruption;
        r.subHealthy =
            named("run.process.slow_nodes_per_s", Unit::None, r.node * in(plan.subHealthyShare));
    }
    r.job =
        named("run.process.failures_per_s", Unit::None, max(r.job, PerSecond<T>(T(kLeastRate))));
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

double poissonAtMost(double mean, double k)
{
    if (!(mean > 0.0))
        return 1.0;
    if (k < 0.0)
        return 0.0;
    if (mean > 1e4)
        return 0.5 * std::erfc(-(k + 0.5 - mean) / std::sqrt(2.0 * mean));
    // From the largest term down; beyond the mean, what is above k is the smaller sum.
    const bool upper = k > mean;
    const double start = upper ? std::floor(k) + 1.0 : std::floor(k);
    double weight = std::exp(start * std::log(mean) - mean - std::lgamma(start + 1.0));
    double sum = 0.0;
    for (double i = start; weight > 1e-18 && i >= 0.0; i += upper ? 1.0 : -1.0) {
        sum += weight;
        weight *= upper ? mean / (i + 1.0) : i / mean;
    }
    return std::clamp(upper ? 1.0 - sum : sum, 0.0, 1.0);
}

double waitsForRepair(double nodes, double spares)
{
    if (!(nodes > 0.0))
        return 0.0;
    if (!std::isfinite(nodes))
        return 1.0;
    // B(0) = 1, 1/B(k) = 1 + k/a 1/B(k-1); beyond any use once it has vanished.
    constexpr double kMostServers = 1e6;
    constexpr double kNever = 1e12;
    const double servers = std::min(std::floor(std::max(spares, 0.0)) + 1.0, kMostServers);
    double inverse = 1.0;
    for (double k = 1.0; k <= servers && inverse < kNever; k += 1.0)
        inverse = 1.0 + inverse * (k / nodes);
    return inverse < kNever ? 1.0 / inverse : 0.0;
}

double nodesShort(double nodes, double spares)
{
    if (!(nodes > 0.0))
        return 0.0;
    const double k = std::floor(std::max(spares, 0.0));
    // E[(X - k)+] = a P(X >= k) - k P(X >= k + 1) for X Poisson with mean a.
    const double atLeast = 1.0 - poissonAtMost(nodes, k - 1.0);
    return std::max(nodes * atLeast - k * (1.0 - poissonAtMost(nodes, k)), 0.0);
}

template <class T>
T nodesInRepair(const Inputs<T>& in, const FailureRates<T>& rates)
{
    const T one = (rates.node + rates.subHealthy).si() * in(in.plan().reliability.repair);
    return in.plan().workload.jobs > 1 ? one * in(in.plan().workload.jobs) : one;
}

template <class T>
T spareChips(const Inputs<T>& in, const FailureRates<T>& rates)
{
    using std::ceil;
    const scenario::Scenario& plan = in.plan();
    if (plan.cluster.spareChips)
        return in(plan.cluster.spareChips);
    const T mean = nodesInRepair(in, rates);
    const double count = poissonQuantile(valueOf(mean), plan.reliability.spareQuantile);
    // The quantile is no formula; it enters as its distance from the mean, half a node low so that
    // rounding up meets it exactly.
    const T nodes = count > 0.0 ? ceil(mean + (count - 0.5 - valueOf(mean))) : 0.0 * mean;
    return nodes * in(plan.cluster.node.chips);
}

template FailureRates<double> failureRates(const Inputs<double>&, const Parts<double>&);
template FailureRates<Traced> failureRates(const Inputs<Traced>&, const Parts<Traced>&);
template double nodesInRepair(const Inputs<double>&, const FailureRates<double>&);
template Traced nodesInRepair(const Inputs<Traced>&, const FailureRates<Traced>&);
template double spareChips(const Inputs<double>&, const FailureRates<double>&);
template Traced spareChips(const Inputs<Traced>&, const FailureRates<Traced>&);

} // namespace cw::run
