// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/calibrate/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cw::calibrate {

namespace {

std::vector<double> ranksOf(const std::vector<double>& values)
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (std::size_t from = 0; from < order.size();) {
        std::size_t to = from;
        while (to < order.size() && values[order[to]] == values[order[from]])
            ++to;
        const double mean = 0.5 * static_cast<double>(from + to - 1);
        for (; from < to; ++from)
            ranks[order[from]] = mean;
    }
    return ranks;
}

} // namespace

double quantile(std::vector<double> values, double share)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const double at = share * static_cast<double>(values.size() - 1);
    const auto low = static_cast<std::size_t>(std::floor(at));
    const std::size_t high = std::min(low + 1, values.size() - 1);
    const double part = at - std::floor(at);
    return values[low] * (1 - part) + values[high] * part;
}

double spearman(const std::vector<double>& a, const std::vector<double>& b)
{
    const std::vector<double> x = ranksOf(a);
    const std::vector<double> y = ranksOf(b);
    const double mean = 0.5 * (static_cast<double>(x.size()) - 1);
    double xy = 0;
    double xx = 0;
    double yy = 0;
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
        xy += (x[i] - mean) * (y[i] - mean);
        xx += (x[i] - mean) * (x[i] - mean);
        yy += (y[i] - mean) * (y[i] - mean);
    }
    return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

} // namespace cw::calibrate
