// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/evaluation/goodputband.h"

#include <algorithm>
#include <cmath>

#include "model/run/failures.h"
#include "model/run/process.h"
#include "model/run/shares.h"

namespace cw::evaluation {

using scenario::Inputs;
using scenario::Scenario;

namespace {

// Failures of the busier research cluster over those of Llama 3, 50,677 over 30,000 chip-hours
// each, and of the calmer one, 50,677 over 82,000.
constexpr double kFailuresMost = 1.7;
constexpr double kFailuresLeast = 0.6;
constexpr double kRestarts = 0.25;
constexpr double kUnseenMost = 3.0;
constexpr double kUnseenLeast = 1.0 / 6.0;
constexpr double kStragglers = 3.0;

/// What a doubt does to the plan.
struct Moved
{
    double failures = 1;
    double restarts = 1;
    double unseen = 1;
    double stragglers = 1;
};

double goodputOf(Scenario plan, const Evaluation& e, const Moved& by)
{
    auto& r = plan.reliability;
    r.corruptionDetect *= by.unseen;
    r.stragglerShare = std::min(1.0, r.stragglerShare * by.stragglers);
    const Inputs<double> in(plan);
    run::FailureRates<double> rates = run::failureRates(
        in, {std::max(e.runLoad.chips, 1.0), e.runLoad.switches, e.runLoad.optics});
    // The spares stay those of the plan.
    plan.cluster.spareChips = static_cast<std::int64_t>(std::llround(e.run.spareChips));
    for (auto* rate : {&rates.job, &rates.node, &rates.subHealthy})
        *rate = *rate * by.failures;
    for (auto& part : rates.parts)
        part = part * by.failures;
    run::Process<double> p = run::processOf(in, e.runLoad, rates);
    for (auto& tier : p.tiers)
        tier.blocking = tier.blocking * by.restarts;
    const auto stretch = [&](run::RestartParts<double>& parts) {
        for (auto* part :
             {&parts.detect, &parts.reschedule, &parts.start, &parts.restore, &parts.warmUp})
            *part = *part * by.restarts;
    };
    stretch(p.replicas.stall);
    for (auto& parts : p.restart)
        stretch(parts);
    return run::sharesOf(p).useful;
}

} // namespace

GoodputBand goodputBand(const Scenario& plan, const Evaluation& e)
{
    const double middle = goodputOf(plan, e, {});
    const Moved worse[] = {{kFailuresMost, 1, 1, 1},
                           {1, 1 + kRestarts, 1, 1},
                           {1, 1, kUnseenMost, 1},
                           {1, 1, 1, kStragglers}};
    const Moved better[] = {{kFailuresLeast, 1, 1, 1},
                            {1, 1 - kRestarts, 1, 1},
                            {1, 1, kUnseenLeast, 1},
                            {1, 1, 1, 1 / kStragglers}};
    // In logarithms of what is lost against what is left, so that both stay shares.
    const auto odds = [](double share) {
        const double s = std::clamp(share, 1e-12, 1.0 - 1e-12);
        return std::log(s / (1.0 - s));
    };
    const auto moved = [&](const auto& doubts) {
        double squares = 0;
        for (const Moved& doubt : doubts) {
            const double d = odds(goodputOf(plan, e, doubt)) - odds(middle);
            squares += d * d;
        }
        return std::sqrt(squares);
    };
    const auto share = [](double x) {
        return 1.0 / (1.0 + std::exp(-x));
    };
    // About the run's own goodput, which phases may have made another than the plan's.
    const double own = odds(e.run.goodput);
    return {share(own - moved(worse)), share(own + moved(better))};
}

} // namespace cw::evaluation
