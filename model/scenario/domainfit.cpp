// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/scenario/domainfit.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cw::scenario {

namespace {

double real(std::int64_t n)
{
    return static_cast<double>(n);
}

double leastCommonMultiple(double a, double b)
{
    double x = a;
    for (double y = b; y > 0;) {
        const double rest = std::fmod(x, y);
        x = y;
        y = rest;
    }
    return a / x * b;
}

/// Of two numberings; an order that names an axis more than once is a violation.
struct Extents
{
    std::array<double, 8> strides{};
    std::size_t count = 0;
};

/// Ranks from the first member of a group to behind the last, of the groups that stay whole, in
/// the numbering with tensor and context ranks and in that with expert ranks.
void addExtents(const Scenario& s, double data, bool experts, Extents& all)
{
    const Parallelism& p = s.parallelism;
    const double group = real(p.expert) * real(p.expertTensor);
    double stride = 1;
    const auto pass = [&](double size, bool whole) {
        stride *= size;
        if (whole && size > 1 && all.count < all.strides.size())
            all.strides[all.count++] = stride;
    };
    for (const Axis axis : p.order) {
        if (axis == Axis::Tensor)
            pass(real(experts ? p.expertTensor : p.tensor), true);
        else if (axis == Axis::Context && !experts)
            pass(real(p.context), true);
        else if (axis == Axis::Expert && experts)
            pass(real(p.expert), true);
        else if (axis == Axis::Data)
            pass(experts ? std::max(1.0, real(p.tensor) * real(p.context) * data / group) : data,
                 false);
        else if (axis == Axis::Pipeline)
            pass(real(p.pipeline), false);
    }
}

/// Ranks that stay together on domains of `chips`. Of groups that do not nest, the larger.
double blockOf(const Scenario& s, double data, double chips)
{
    Extents all;
    addExtents(s, data, false, all);
    addExtents(s, data, true, all);
    std::sort(all.strides.begin(), all.strides.begin() + all.count);
    double block = 1;
    for (std::size_t i = 0; i < all.count; ++i) {
        const double extent = all.strides[i];
        if (extent > chips)
            break;
        if (std::floor(extent) != extent)
            continue; // degrees that do not divide: a violation
        const double both = leastCommonMultiple(block, extent);
        block = both <= chips ? both : extent;
    }
    return block;
}

} // namespace

double DomainFit::pitch(double ranks) const
{
    const double own = std::ceil(ranks / domain) * domain;
    const bool apart = (jobs - 1) * own + ranks <= places();
    return apart ? own : std::ceil(ranks / block) * block;
}

bool DomainFit::holds(double ranks) const
{
    return (jobs - 1) * pitch(ranks) + ranks <= places();
}

double DomainFit::domainsOf(double ranks) const
{
    return std::ceil(((jobs - 1) * pitch(ranks) + ranks) / domain);
}

double DomainFit::chipsFor(double ranks) const
{
    const double all = (jobs - 1) * std::ceil(ranks / block) * block + ranks;
    const double full = std::floor(all / domain);
    return full * domainChips + std::ceil((all - full * domain) / block) * block;
}

DomainFit domainFit(const Scenario& s, double data)
{
    DomainFit f;
    const double chips = std::max(1.0, real(s.cluster.chips));
    f.jobs = std::max(1.0, real(s.workload.jobs));
    f.domainChips = std::max(1.0, real(s.cluster.network.scaleUp.chips));
    f.block = blockOf(s, data, f.domainChips);
    f.domain = std::floor(f.domainChips / f.block) * f.block;
    f.domains = std::floor(chips / f.domainChips);
    const double rest = chips - f.domains * f.domainChips;
    f.rest = std::min(f.domain, std::floor(rest / f.block) * f.block);
    return f;
}

double mostReplicas(const Scenario& s)
{
    const Parallelism& p = s.parallelism;
    const double ranks = real(p.tensor) * real(p.context) * real(p.pipeline);
    const double spare = s.cluster.spareChips ? real(*s.cluster.spareChips) : 0.0;
    const double jobs = std::max(1.0, real(s.workload.jobs));
    const double most = std::floor((real(s.cluster.chips) - spare) / jobs / ranks);
    // A part of a domain for each job is the most that whole groups can cost.
    constexpr int kMostTries = 4096;
    const DomainFit first = domainFit(s, std::max(1.0, most));
    double data = std::min(most, std::floor(first.places() / jobs / ranks));
    for (int i = 0; i < kMostTries && data >= 1; ++i, --data)
        if (domainFit(s, data).holds(data * ranks))
            return data;
    return 0;
}

} // namespace cw::scenario
