// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/crossing.h"
#include "model/network/wholecount.h"

#include <algorithm>
#include <cmath>

#include "model/scenario/domainfit.h"

namespace cw::network {

namespace {

/// How many of the numbers below n are, modulo `period`, at least `from`.
std::int64_t countFrom(std::int64_t n, std::int64_t period, std::int64_t from)
{
    return n / period * (period - from) + std::max<std::int64_t>(0, n % period - from);
}

/// Members of [first, end) whose next member, or the first after the last, lies outside.
double ringLeaving(const FlowGroup& g, std::int64_t first, std::int64_t end)
{
    const std::int64_t extent = g.extent();
    const std::int64_t last = extent - g.stride; // from here on a rank is the last of its group
    const auto lasts = [&](std::int64_t a, std::int64_t b) {
        return a < b ? countFrom(b, extent, last) - countFrom(a, extent, last) : 0;
    };
    // Forward out of the block: those within one stride of its end that are not last.
    const std::int64_t near = std::max(first, end - g.stride);
    const std::int64_t forward = end - near - lasts(near, end);
    // Back to the first of the group: the last ones whose first lies before the block.
    const std::int64_t back = lasts(first, std::min(end, first + last));
    return static_cast<double>(forward + back);
}

/// What a line's ranks [first, end) send: those at its ends have one neighbour.
double neighbourSending(const FlowGroup& g, std::int64_t first, std::int64_t end)
{
    if (g.size <= 1)
        return 0;
    const std::int64_t extent = g.extent();
    const auto lasts = [&](std::int64_t n) {
        return countFrom(n, extent, extent - g.stride);
    };
    const auto firsts = [&](std::int64_t n) {
        return n - countFrom(n, extent, g.stride);
    };
    const std::int64_t one = lasts(end) - lasts(first) + firsts(end) - firsts(first);
    const auto n = static_cast<double>(g.size);
    return static_cast<double>(2 * (end - first) - one) * n / (2.0 * (n - 1.0));
}

/// Flows to the next and the one before, half a unit each, scaled to one unit a rank on the mean.
double neighbourLeaving(const FlowGroup& g, std::int64_t first, std::int64_t end)
{
    if (g.size <= 1)
        return 0;
    const std::int64_t extent = g.extent();
    const std::int64_t last = extent - g.stride;
    const auto lasts = [&](std::int64_t a, std::int64_t b) {
        return a < b ? countFrom(b, extent, last) - countFrom(a, extent, last) : 0;
    };
    const auto firsts = [&](std::int64_t a, std::int64_t b) {
        const auto below = [&](std::int64_t n) {
            return n - countFrom(n, extent, g.stride);
        };
        return a < b ? below(b) - below(a) : 0;
    };
    const std::int64_t near = std::max(first, end - g.stride);
    const std::int64_t far = std::min(end, first + g.stride);
    const auto out =
        static_cast<double>(end - near - lasts(near, end) + far - first - firsts(first, far));
    const auto n = static_cast<double>(g.size);
    return out * n / (2.0 * (n - 1.0));
}

/// Each member sends alike to all others: 1/(n-1) each.
double exchangeLeaving(const FlowGroup& g, std::int64_t first, std::int64_t end)
{
    if (g.size <= 1)
        return 0;
    const std::int64_t extent = g.extent();
    const auto pairs = [&](std::int64_t width) {
        // A run of `width` ranks in one extent: some of its groups have one member more.
        const std::int64_t each = width / g.stride;
        const std::int64_t more = width % g.stride;
        const auto of = [&](std::int64_t m) {
            return static_cast<double>(m) * static_cast<double>(g.size - m);
        };
        return static_cast<double>(more) * of(each + 1) +
               static_cast<double>(g.stride - more) * of(each);
    };
    double out = 0;
    const std::int64_t from = first / extent;
    const std::int64_t to = (end - 1) / extent;
    if (from == to)
        out = pairs(end - first);
    else // the extents between hold their groups whole
        out = pairs((from + 1) * extent - first) + pairs(end - to * extent);
    return out / static_cast<double>(g.size - 1);
}

} // namespace

KindShape shapeOf(const scenario::Scenario& plan, TrafficKind kind)
{
    switch (kind) {
    case TrafficKind::Tensor:
        return {GroupKind::Tensor, Pattern::Ring};
    case TrafficKind::Context:
        return {GroupKind::Context, plan.parallelism.contextKind == scenario::ContextKind::AllToAll
                                        ? Pattern::Exchange
                                        : Pattern::Ring};
    case TrafficKind::Expert:
        return {GroupKind::Expert, Pattern::Exchange};
    case TrafficKind::Pipeline:
        return {GroupKind::Pipeline, Pattern::Neighbour};
    case TrafficKind::Data:
        return {GroupKind::Data, Pattern::Ring};
    case TrafficKind::ExpertData:
        return {GroupKind::ExpertData, Pattern::Ring};
    case TrafficKind::Checkpoint:
    case TrafficKind::Dataset:
        break;
    }
    return {GroupKind::Data, Pattern::Storage};
}

FlowGroup flowGroup(const scenario::Scenario& plan, const Placement<double>& placement,
                    std::int64_t ranks, TrafficKind kind)
{
    const KindShape shape = shapeOf(plan, kind);
    FlowGroup flow;
    flow.pattern = shape.pattern;
    flow.ranks = ranks;
    if (shape.pattern == Pattern::Storage) {
        flow.size = ranks;
        return flow;
    }
    const GroupSpan<double>& span = placement[shape.group];
    flow.stride = whole(span.stride);
    flow.size = whole(span.size);
    const std::int64_t inside = whole(span.inside);
    if (shape.pattern != Pattern::Neighbour && inside > 1 && flow.size % inside == 0) {
        flow.stride *= inside;
        flow.size /= inside;
    }
    return flow;
}

double leaving(const FlowGroup& g, std::int64_t first, std::int64_t end)
{
    if (end <= first)
        return 0;
    const auto count = static_cast<double>(end - first);
    switch (g.pattern) {
    case Pattern::Ring:
        return g.size > 1 ? ringLeaving(g, first, end) : 0;
    case Pattern::Neighbour:
        return neighbourLeaving(g, first, end);
    case Pattern::Exchange:
        return exchangeLeaving(g, first, end);
    case Pattern::Storage:
        break;
    }
    return count * (1.0 - count / static_cast<double>(std::max(g.ranks, end - first)));
}

std::int64_t JobSlots::below(std::int64_t chip) const
{
    const std::int64_t there = chip / domainChips * domain + std::min(chip % domainChips, domain);
    // Slots that no rank fills lie behind the last job's last rank, and behind each job's.
    return std::min((jobs - 1) * perJob + ranks, there);
}

SlotRange JobSlots::on(std::int64_t firstChip, std::int64_t endChip) const
{
    return {below(firstChip), below(endChip)};
}

JobSlots jobSlots(const scenario::Scenario& plan, const Placement<double>& placement, double ranks)
{
    JobSlots j;
    const std::int64_t chips = std::max<std::int64_t>(1, plan.cluster.chips);
    const scenario::DomainFit fit = scenario::domainFit(plan, placement[GroupKind::Data].size);
    j.domainChips = std::clamp<std::int64_t>(plan.cluster.network.scaleUp.chips, 1, chips);
    j.domain = std::clamp<std::int64_t>(whole(placement.domain), 1, j.domainChips);
    // Ranks and jobs beyond what the chips hold are a violation; those that have a chip are shown.
    const auto slots = std::max<std::int64_t>(1, std::llround(fit.places()));
    j.ranks = std::min(whole(ranks), slots);
    j.perJob = whole(fit.pitch(static_cast<double>(j.ranks)));
    const std::int64_t more = (slots - j.ranks) / std::max<std::int64_t>(1, j.perJob);
    j.jobs = std::clamp<std::int64_t>(plan.workload.jobs, 1, 1 + more);
    return j;
}

namespace {

/// The sum over the jobs that a range of slots touches, of a function of each job's ranks in it.
template <class Of>
double overJobs(const JobSlots& jobs, const SlotRange& range, Of of)
{
    double sum = 0;
    for (std::int64_t job = range.first / jobs.perJob;
         job < jobs.jobs && job * jobs.perJob < range.end; ++job) {
        const std::int64_t base = job * jobs.perJob;
        const std::int64_t first = std::max<std::int64_t>(0, range.first - base);
        const std::int64_t end = std::min(jobs.ranks, range.end - base);
        if (first < end)
            sum += of(first, end);
    }
    return sum;
}

} // namespace

double leaving(const FlowGroup& g, const JobSlots& jobs, const SlotRange& range)
{
    return overJobs(jobs, range,
                    [&](std::int64_t first, std::int64_t end) { return leaving(g, first, end); });
}

double sending(const FlowGroup& g, const JobSlots& jobs, const SlotRange& range)
{
    return overJobs(jobs, range, [&](std::int64_t first, std::int64_t end) {
        if (g.pattern == Pattern::Neighbour)
            return neighbourSending(g, first, end);
        return g.size > 1 ? static_cast<double>(end - first) : 0.0;
    });
}

} // namespace cw::network
