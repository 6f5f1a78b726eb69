// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/run/daly.h"

#include <algorithm>
#include <cmath>

namespace cw::run {

using explain::named;
using units::Seconds;
using units::Unit;

namespace {
// e^-600: keeps what is divided by a goodput finite.
constexpr double kLeastLog = -600.0;
// The double before 1: a run with failures is never quite all useful.
constexpr double kMost = 1.0 - 0x1p-53;
} // namespace

template <class T>
DalyShares<T> dalyShares(const Seconds<T>& tau, const Seconds<T>& delta, const Seconds<T>& restart,
                         const Seconds<T>& mean, const Seconds<T>& lag)
{
    using std::exp;
    using std::expm1;
    using std::log;
    using std::max;
    using std::min;
    const T m = mean.si();
    const T x = (tau + delta).si() / m;
    // log(e^x - 1) = x + log(1 - e^-x), which does not overflow.
    const T logUseful = log(tau.si() / m) - (restart + lag).si() / m - (x + log(-expm1(-x)));
    DalyShares<T> s;
    s.useful =
        named("run.process.useful", Unit::Share, min(exp(max(logUseful, T(kLeastLog))), T(kMost)));
    s.save = named("run.process.save", Unit::Share, min(s.useful * (delta / tau), 1.0 - s.useful));
    s.restart = named("run.process.restarts", Unit::Share,
                      min(-expm1(-(restart.si() / m)), 1.0 - s.useful - s.save));
    s.lostProgress = max(1.0 - s.useful - s.save - s.restart, T(0.0));
    return s;
}

template <class T>
Seconds<T> dalyOptimum(const Seconds<T>& delta, const Seconds<T>& mean)
{
    using std::expm1;
    using std::max;
    using std::min;
    using std::sqrt;
    const T d = named("run.process.save_over_mean", Unit::None, max(delta / mean, T(1e-12)));
    // Young's interval lies above the root of a convex function, so Newton comes down to it.
    T s = named("run.process.young", Unit::None, min(sqrt(2.0 * d), T(1.0)));
    for (int i = 0; i < 6; ++i) {
        const T growth = named("run.process.growth", Unit::Share, -expm1(-(s + d)));
        s = named("run.process.nearer", Unit::None, s - (s - growth) / growth);
    }
    return named("run.process.best_interval_s", Unit::Seconds, Seconds<T>(s * mean.si()));
}

double dalySeries(double delta, double mean)
{
    if (delta >= 2.0 * mean)
        return mean;
    const double q = delta / (2.0 * mean);
    return std::sqrt(2.0 * delta * mean) * (1.0 + std::sqrt(q) / 3.0 + q / 9.0) - delta;
}

template DalyShares<double> dalyShares(const Seconds<double>&, const Seconds<double>&,
                                       const Seconds<double>&, const Seconds<double>&,
                                       const Seconds<double>&);
template DalyShares<explain::Traced> dalyShares(const Seconds<explain::Traced>&,
                                                const Seconds<explain::Traced>&,
                                                const Seconds<explain::Traced>&,
                                                const Seconds<explain::Traced>&,
                                                const Seconds<explain::Traced>&);
template Seconds<double> dalyOptimum(const Seconds<double>&, const Seconds<double>&);
template Seconds<explain::Traced> dalyOptimum(const Seconds<explain::Traced>&,
                                              const Seconds<explain::Traced>&);

} // namespace cw::run
