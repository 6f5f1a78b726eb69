// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/placement.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/scenario/domainfit.h"

namespace cw::network {

using explain::named;
using explain::Traced;
using explain::valueOf;
using scenario::Axis;
using scenario::Inputs;
using scenario::Layout;
using units::Unit;

namespace {

/// One of the two ways ranks are numbered: with tensor and context, or with expert-tensor and
/// expert in their places. The pipeline stands at the same place in both.
template <class T>
struct AxisSize
{
    GroupKind kind;
    T size;
};

template <class T>
std::vector<AxisSize<T>> axesOf(const scenario::Scenario& s, const Layout<T>& l, bool expert)
{
    std::vector<AxisSize<T>> axes;
    for (const Axis axis : s.parallelism.order) {
        switch (axis) {
        case Axis::Tensor:
            axes.push_back(expert ? AxisSize<T>{GroupKind::ExpertTensor, l.expertTensor}
                                  : AxisSize<T>{GroupKind::Tensor, l.tensor});
            break;
        case Axis::Context:
            if (!expert)
                axes.push_back({GroupKind::Context, l.context});
            break;
        case Axis::Expert:
            if (expert)
                axes.push_back({GroupKind::Expert, l.expert});
            break;
        case Axis::Data:
            axes.push_back(expert ? AxisSize<T>{GroupKind::ExpertData, l.expertSharding}
                                  : AxisSize<T>{GroupKind::Data, l.data});
            break;
        case Axis::Pipeline:
            axes.push_back({GroupKind::Pipeline, l.pipeline});
            break;
        }
    }
    return axes;
}

/// Members of a group in the least of the pieces into which the borders of domains cut groups of
/// its kind, where these do not fill domains evenly.
double leastPiece(double extent, double stride, double domain)
{
    double rest = std::fmod(domain, extent);
    for (double whole = extent; rest > 0;) {
        const double next = std::fmod(whole, rest);
        whole = rest;
        rest = next;
        if (!(rest > 0))
            return std::max(1.0, std::floor(whole / stride));
    }
    return extent / stride;
}

template <class T>
GroupSpan<T> spanOf(const T& size, const T& stride, const T& domain, const T& ranks)
{
    GroupSpan<T> g;
    g.size = size;
    g.stride = stride;
    using std::floor;
    T fit = floor(domain / stride);
    if (fit < T(1.0))
        fit = T(1.0);
    g.inside = size < fit ? size : fit;
    g.extent = size * stride;
    // The slowest group sets the pace, and it is one that a border cuts.
    const double extent = valueOf(g.extent);
    if (valueOf(size) > 1.0 && extent <= valueOf(domain) && valueOf(domain) < valueOf(ranks) &&
        std::floor(extent) == extent)
        g.inside = std::min(g.inside, T(leastPiece(extent, valueOf(stride), valueOf(domain))));
    g.domains = size / g.inside;
    return g;
}

} // namespace

template <class T>
Placement<T> placementOf(const Inputs<T>& in, const Layout<T>& layout)
{
    const scenario::Scenario& s = in.plan();
    const auto plain = axesOf(s, layout, false);
    const auto expert = axesOf(s, layout, true);
    Placement<T> p;
    const T chips = in(s.cluster.network.scaleUp.chips);
    const scenario::DomainFit fit = scenario::domainFit(s, valueOf(layout.data));
    p.block = fit.block;
    p.domainsUsed = fit.domainsOf(valueOf(layout.chips));
    using std::floor;
    const T block = in.constant("placement.block", Unit::None, fit.block);
    p.domain = named("placement.domain", Unit::None, floor(chips / block) * block);
    p.domainLeft = chips - p.domain;
    for (const auto* axes : {&expert, &plain}) { // the plain numbering has the last word on stages
        T stride = T(1.0);
        for (const AxisSize<T>& axis : *axes) {
            p.groups[static_cast<std::size_t>(axis.kind)] =
                spanOf(axis.size, stride, p.domain, layout.chips);
            stride = stride * axis.size;
        }
    }
    return p;
}

template Placement<double> placementOf(const Inputs<double>&, const Layout<double>&);
template Placement<Traced> placementOf(const Inputs<Traced>&, const Layout<Traced>&);

std::vector<std::int64_t> groupOfRank(const scenario::Scenario& s, GroupKind kind,
                                      std::int64_t rank)
{
    const Inputs<double> in(s);
    const Layout<double> layout = scenario::layoutOf(in);
    const bool expert = kind == GroupKind::Expert || kind == GroupKind::ExpertTensor ||
                        kind == GroupKind::ExpertData;
    double stride = 1;
    for (const auto& axis : axesOf(s, layout, expert)) {
        if (axis.kind == kind) {
            const auto step = static_cast<std::int64_t>(stride);
            const auto size = static_cast<std::int64_t>(axis.size);
            const std::int64_t mine = (rank / step) % size;
            std::vector<std::int64_t> ranks;
            constexpr std::int64_t kMost = 1 << 20;
            for (std::int64_t i = 0; i < std::min(size, kMost); ++i)
                ranks.push_back(rank + (i - mine) * step);
            return ranks;
        }
        stride *= axis.size;
    }
    return {rank};
}

std::int64_t chipOfRank(std::int64_t rank, std::int64_t domain, std::int64_t domainChips)
{
    if (domain < 1)
        return rank;
    return rank / domain * domainChips + rank % domain;
}

} // namespace cw::network
