// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/topologyshape.h"

#include <algorithm>
#include <cmath>

namespace cw::network {

namespace {

/// The largest divisor of n that is at most `limit`.
std::int64_t divisorUpTo(std::int64_t n, std::int64_t limit)
{
    for (std::int64_t d = std::min(n, limit); d > 1; --d)
        if (n % d == 0)
            return d;
    return 1;
}

std::int64_t root(std::int64_t n, double degree)
{
    return static_cast<std::int64_t>(std::pow(static_cast<double>(n), 1.0 / degree) + 1e-9);
}

std::int64_t ceilDivide(std::int64_t a, std::int64_t b)
{
    return (a + b - 1) / b;
}

std::int64_t firstTwo(const std::vector<std::int64_t>& shape)
{
    std::int64_t product = 1;
    for (std::size_t i = 0; i < std::min<std::size_t>(2, shape.size()); ++i)
        product *= shape[i];
    return product;
}

} // namespace

std::vector<std::int64_t> torusShape(std::int64_t chips)
{
    const std::int64_t n = std::max<std::int64_t>(1, chips);
    const std::int64_t a = divisorUpTo(n, root(n, 3));
    const std::int64_t b = divisorUpTo(n / a, root(n / a, 2));
    const std::int64_t c = n / a / b;
    if (c <= 4 * a)
        return {a, b, c};
    // No cube-like factors: the next larger box.
    const std::int64_t side = root(n, 3) + 1;
    return {side, side, ceilDivide(n, side * side)};
}

std::vector<std::int64_t> meshShape(std::int64_t chips)
{
    std::vector<std::int64_t> shape;
    std::int64_t left = std::max<std::int64_t>(1, chips);
    while (left > 8) {
        shape.push_back(8);
        left = ceilDivide(left, 8);
    }
    if (left > 1 || shape.empty())
        shape.push_back(left);
    return shape;
}

std::vector<std::int64_t> scaleUpShape(const scenario::Scenario& plan)
{
    const scenario::ScaleUp& up = plan.cluster.network.scaleUp;
    if (!up.shape.empty())
        return up.shape;
    return up.topology == scenario::ScaleUpTopology::Torus ? torusShape(up.chips)
                                                           : meshShape(up.chips);
}

std::int64_t portsOf(const std::vector<std::int64_t>& shape, bool ring)
{
    std::int64_t ports = 0;
    for (const std::int64_t n : shape)
        if (n > 1)
            ports += !ring ? n - 1 : n > 2 ? 2 : 1;
    return ports;
}

std::int64_t siteChips(const scenario::Scenario& plan)
{
    return ceilDivide(plan.cluster.chips, std::max<std::int64_t>(1, plan.cluster.network.sites));
}

std::int64_t leafGroupChips(const scenario::Scenario& plan)
{
    using scenario::ScaleOutTopology;
    const scenario::ScaleOut& out = plan.cluster.network.scaleOut;
    const auto at = [&](std::size_t i, std::int64_t otherwise) {
        return i < out.shape.size() ? out.shape[i] : otherwise;
    };
    const double over = out.oversubscription.empty() ? 1.0 : out.oversubscription.front();
    const auto down = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(static_cast<double>(out.radix) * over / (over + 1.0)));
    const std::int64_t balanced = std::max<std::int64_t>(1, (out.radix + 1) / 4);
    switch (out.topology) {
    case ScaleOutTopology::FatTree:
        return down;
    case ScaleOutTopology::RailOptimized:
        return down * out.rails;
    case ScaleOutTopology::MultiPlane:
        return down * std::min(out.planes, out.rails);
    case ScaleOutTopology::Dragonfly:
        return at(0, balanced) * at(1, 2 * balanced);
    case ScaleOutTopology::DragonflyPlus:
        return std::max<std::int64_t>(1, (out.radix / 2) * (out.radix / 2));
    case ScaleOutTopology::Torus:
        return firstTwo(out.shape.empty() ? torusShape(siteChips(plan)) : out.shape);
    case ScaleOutTopology::NdFullMesh:
        return firstTwo(out.shape.empty() ? meshShape(siteChips(plan)) : out.shape);
    }
    return down;
}

} // namespace cw::network
