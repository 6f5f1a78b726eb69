// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/calibrate/measuredrows.h"

namespace cw::calibrate {

/// A constant to be fitted: how it enters a plan, and what was believed of it before.
struct Unknown
{
    std::string name;
    double prior = 1;
    double spread = 0.2; ///< standard deviation of its logarithm
    double least = 0;
    double most = 0;
    std::function<void(MeasuredRow&, double)> apply;
};

struct Fitted
{
    double value = 0;
    double deviation = 0;    ///< of its logarithm, from the curvature at the optimum
    bool determined = false; ///< the data narrowed it to less than half its prior spread
};

struct Fit
{
    std::vector<Fitted> values;
    double medianBefore = 0; ///< absolute error of the step time
    double medianAfter = 0;
    int iterations = 0;
};

/// Least squares of log(predicted/measured) of the step times with a soft loss, by
/// Levenberg-Marquardt in the logarithms of the unknowns, with their priors as residuals.
/// `scale`: the error beyond which a row loses weight. Runs on `threads` threads.
Fit fitConstants(const std::vector<MeasuredRow>& rows, const std::vector<Unknown>& unknowns,
                 int iterations, double scale, unsigned threads);

} // namespace cw::calibrate
