// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/transformer/shapescaling.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/scenario/inputs.h"
#include "model/transformer/counts.h"

namespace cw::transformer {

using scenario::Model;
using scenario::Scenario;

namespace {

constexpr double kTolerance = 0.005;

struct Size
{
    double total;
    double active;
};

Size sizeOf(const Scenario& plan)
{
    const scenario::Inputs<double> in(plan);
    const auto c = countParameters(in, layersOf(in));
    return {c.total, c.active};
}

std::int64_t scaled(std::int64_t value, double factor, std::int64_t multiple)
{
    const double x = static_cast<double>(value) * factor / static_cast<double>(multiple);
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::llround(std::min(x, 1e9)))) *
           multiple;
}

/// Stretches the FFN widths until `measure` meets the target; what rounding of depth left is taken
/// up here.
template <class Measure>
void stretchWidths(Scenario& plan, double target, Measure measure)
{
    for (int i = 0; i < 40; ++i) {
        const double now = measure(sizeOf(plan));
        if (std::fabs(now / target - 1) < kTolerance / 2)
            return;
        const double factor = std::clamp(std::pow(target / now, 0.8), 0.5, 2.0);
        for (scenario::LayerGroup& g : plan.model.groups) {
            const std::int64_t step = g.ffn.hidden > 4096 ? 64 : 8;
            g.ffn.hidden = scaled(g.ffn.hidden, factor, step);
        }
    }
}

/// The number of routed experts that brings the total nearest to its target.
void fitExperts(Scenario& plan, double total)
{
    for (int i = 0; i < 20; ++i) {
        const double now = sizeOf(plan).total;
        if (std::fabs(now / total - 1) < kTolerance / 2)
            return;
        bool changed = false;
        for (scenario::LayerGroup& g : plan.model.groups) {
            if (g.ffn.kind != scenario::FfnKind::Moe)
                continue;
            const std::int64_t experts =
                std::max(g.ffn.topK, scaled(g.ffn.experts, total / now, 1));
            changed = changed || experts != g.ffn.experts;
            g.ffn.experts = experts;
        }
        if (!changed)
            return;
    }
}

bool isMoe(const Model& m)
{
    return std::any_of(m.groups.begin(), m.groups.end(), [](const scenario::LayerGroup& g) {
        return g.ffn.kind == scenario::FfnKind::Moe;
    });
}

bool meets(const Size& size, const scenario::ScaleTo& to)
{
    return (!to.total || std::fabs(size.total / *to.total - 1) < kTolerance) &&
           (!to.active || std::fabs(size.active / *to.active - 1) < kTolerance);
}

/// The growth of the base shape whose measure is nearest below the target, by bisection.
template <class Measure>
void growTo(Scenario& plan, const Model& base, double target, Measure measure)
{
    double low = 1e-6;
    double high = 1e9;
    for (int i = 0; i < 60; ++i) {
        const double middle = std::sqrt(low * high);
        plan.model = grown(base, middle);
        (measure(sizeOf(plan)) < target ? low : high) = middle;
    }
    plan.model = grown(base, low);
    stretchWidths(plan, target, measure);
}

} // namespace

Model grown(const Model& base, double factor, std::int64_t heads)
{
    Model m = base;
    const double side = std::cbrt(factor);
    const std::int64_t before = base.hidden;
    m.hidden = scaled(base.hidden, side, 128);
    const double width = static_cast<double>(m.hidden) / static_cast<double>(before);
    for (scenario::LayerGroup& g : m.groups) {
        g.count = scaled(g.count, side, 1);
        g.ffn.hidden = scaled(g.ffn.hidden, width, 128);
        if (g.ffn.sharedHidden > 0)
            g.ffn.sharedHidden = scaled(g.ffn.sharedHidden, width, 128);
        const std::int64_t keyHeads = g.attention.keyValueHeads > 0 ? g.attention.keyValueHeads : 1;
        if (g.attention.headDim == 0 && g.attention.heads > 0)
            g.attention.headDim = before / g.attention.heads;
        g.attention.heads = scaled(g.attention.heads, width, std::lcm(keyHeads, heads));
        if (g.attention.queryRank > 0)
            g.attention.queryRank = scaled(g.attention.queryRank, width, 64);
        if (g.attention.keyValueRank > 0)
            g.attention.keyValueRank = scaled(g.attention.keyValueRank, width, 64);
    }
    return m;
}

void scaleShape(Scenario& plan)
{
    const scenario::ScaleTo to = plan.model.scaleTo;
    if ((!to.total && !to.active) || plan.model.groups.empty() || meets(sizeOf(plan), to))
        return;
    const Model base = plan.model;
    if (isMoe(base) && to.active) {
        growTo(plan, base, *to.active, [](const Size& s) { return s.active; });
        if (to.total) {
            // Experts set the total and change the active size only through the router.
            fitExperts(plan, *to.total);
            stretchWidths(plan, *to.active, [](const Size& s) { return s.active; });
            fitExperts(plan, *to.total);
        }
    } else {
        const double target = to.total ? *to.total : *to.active;
        growTo(plan, base, target, [](const Size& s) { return s.total; });
    }
}

} // namespace cw::transformer
