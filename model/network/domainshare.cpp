// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/domainshare.h"

#include <algorithm>

#include "model/network/topologyshape.h"

namespace cw::network {

namespace {

/// Ports that a ring can use along one axis of n, of which the group has k.
double ringPorts(std::int64_t n, std::int64_t k, bool ring)
{
    if (k <= 1)
        return 0;
    if (!ring)
        return static_cast<double>(k - 1);
    return k == n && n > 2 ? 2 : 1;
}

/// Load of the fullest link of the axis, where each chip sends one unit evenly to all members.
double exchangeLoad(std::int64_t n, std::int64_t k, bool ring)
{
    if (k <= 1)
        return 0;
    const auto members = static_cast<double>(k);
    if (!ring)
        return 1 / members;
    const std::int64_t crossing = k * k / 4; // for odd k too
    return static_cast<double>(crossing) / members / (k == n && n > 2 ? 2 : 1);
}

} // namespace

std::vector<std::int64_t> membersByAxis(const std::vector<std::int64_t>& shape, std::int64_t stride,
                                        std::int64_t members)
{
    std::vector<std::int64_t> along;
    std::int64_t step = std::max<std::int64_t>(1, stride);
    std::int64_t left = std::max<std::int64_t>(1, members);
    for (const std::int64_t n : shape) {
        // Members that fit on the axis at this step; past its end they go on along the next one.
        const std::int64_t fit = std::max<std::int64_t>(1, n / step);
        const std::int64_t here = step >= n ? 1 : std::min(left, fit);
        along.push_back(here);
        left = (left + here - 1) / here;
        step = std::max<std::int64_t>(1, step / n);
    }
    return along;
}

double domainShare(const std::vector<std::int64_t>& shape, bool ring, std::int64_t stride,
                   std::int64_t members, Pattern pattern)
{
    const auto ports = static_cast<double>(portsOf(shape, ring));
    if (!(ports > 0) || members <= 1)
        return 1;
    const std::vector<std::int64_t> along = membersByAxis(shape, stride, members);
    double used = 0;
    double fullest = 0;
    double all = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        used += ringPorts(shape[i], along[i], ring);
        fullest = std::max(fullest, exchangeLoad(shape[i], along[i], ring));
        all *= static_cast<double>(along[i]);
    }
    if (!(used > 0))
        return 1;
    const double most = std::min(1.0, used / ports);
    if (pattern != Pattern::Exchange || !(fullest > 0) || all <= 1)
        return most;
    // What a chip sends goes to the others alone: all/(all - 1) of the load with its own part in.
    return std::min(most, 1 / (ports * fullest * all / (all - 1)));
}

} // namespace cw::network
