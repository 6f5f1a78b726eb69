// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/evaluation/runadvice.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/evaluation/runcurve.h"
#include "model/run/checkpoint.h"
#include "model/run/shares.h"
#include "model/units/text.h"

namespace cw::evaluation {

using scenario::CheckpointPlan;
using scenario::Scenario;
using units::Unit;

namespace {

/// What is told of as another interval, share or goodput.
constexpr double kNotable = 0.02;

std::string seconds(double s)
{
    return units::human(s, Unit::Seconds, 3);
}

std::string percent(double share)
{
    return units::rounded(100 * share, 3);
}

std::string pathOf(std::size_t tier, const char* field)
{
    return "reliability.checkpoints." + std::to_string(tier) + "." + field;
}

/// The tier and the one before it in each other's place.
std::vector<std::pair<std::string, std::string>> swapped(const Scenario& s, std::size_t tier)
{
    std::vector<std::pair<std::string, std::string>> change;
    const auto put = [&](const CheckpointPlan& plan, std::size_t at) {
        const auto number = [](const std::optional<double>& value) {
            return value ? units::exact(*value) : std::string("null");
        };
        change.emplace_back(pathOf(at, "tier"), scenario::nameOf(plan.tier));
        change.emplace_back(pathOf(at, "interval_s"), number(plan.interval));
        change.emplace_back(pathOf(at, "blocking_s"), number(plan.blocking));
        change.emplace_back(pathOf(at, "asynchronous"), plan.asynchronous ? "true" : "false");
        change.emplace_back(pathOf(at, "staggered"), plan.staggered ? "true" : "false");
        change.emplace_back(pathOf(at, "serves_share"), units::exact(plan.servesShare));
    };
    put(s.reliability.checkpoints[tier], tier - 1);
    put(s.reliability.checkpoints[tier - 1], tier);
    return change;
}

/// An interval that is given and cannot be kept: which, and why.
void tellInterval(const Scenario& s, std::size_t i, Evaluation& e)
{
    const CheckpointPlan& plan = s.reliability.checkpoints[i];
    const run::TierRun<double>& tier = e.run.tiers[i];
    const double used = tier.interval.si();
    if (!plan.interval || std::fabs(used - *plan.interval) <= kNotable * used)
        return;
    const double given = *plan.interval;
    const double before = i > 0 ? e.run.tiers[i - 1].interval.si() : 0.0;
    Note note{pathOf(i, "interval_s"),
              "advice.interval-multiple",
              {{"tier", std::string(scenario::nameOf(plan.tier))},
               {"given", seconds(given)},
               {"used", seconds(used)},
               {"drain", seconds(tier.drain.si())},
               {"before", seconds(before)}},
              {{pathOf(i, "interval_s"), units::rounded(used, 6)}},
              true};
    if (i > 0 && given < before * (1 - kNotable)) {
        note.rule = "advice.interval-order";
        note.change = swapped(s, i);
    } else if (plan.asynchronous && used < tier.drain.si() * (1 + kNotable)) {
        note.rule = "advice.interval-drain";
    } else if (i == 0) {
        note.rule = "advice.interval-step"; // nothing else keeps the first tier
    }
    e.advice.push_back(std::move(note));
}

/// Shares that the copies of a tier do not survive, and failures that none survives.
void tellShares(const Scenario& s, const run::Process<double>& p, Evaluation& e)
{
    const auto& plans = s.reliability.checkpoints;
    for (std::size_t i = 0; i + 1 < e.run.tiers.size() && i < plans.size(); ++i) {
        double left = 1;
        for (std::size_t j = 0; j < i; ++j)
            left -= e.run.tiers[j].serves;
        const double given = left * plans[i].servesShare;
        // All is the default, and asks for what the copies survive.
        if (plans[i].servesShare < 1 && e.run.tiers[i].serves < given - kNotable)
            e.advice.push_back({pathOf(i, "serves_share"),
                                "advice.serves-less",
                                {{"tier", std::string(scenario::nameOf(plans[i].tier))},
                                 {"used", percent(e.run.tiers[i].serves)},
                                 {"given", percent(given)}},
                                {{pathOf(i, "serves_share"), "1"}},
                                false});
    }
    double survived = 0;
    for (const auto& tier : e.run.tiers)
        survived = std::max(survived, run::survivedShare(tier.tier, p.failures));
    if (1 - survived > 1e-6 && !plans.empty())
        e.advice.push_back({pathOf(plans.size() - 1, "tier"),
                            "advice.no-tier-survives",
                            {{"share", percent(1 - survived)}},
                            {},
                            true});
}

/// Saves that come less often than failures, or last longer than what is between two.
void tellRareSaves(const Scenario& s, const run::Process<double>& p, Evaluation& e)
{
    const double mean = p.mean.si();
    const run::TierRun<double>& tier = p.tiers.front();
    const bool given = !s.reliability.checkpoints.empty();
    const std::string path = given ? pathOf(0, "interval_s") : "reliability.checkpoints";
    if (tier.blocking.si() > mean) {
        Note note{given ? pathOf(0, "blocking_s") : path,
                  "advice.save-beyond-failures",
                  {{"blocking", seconds(tier.blocking.si())},
                   {"mean", seconds(mean)},
                   {"goodput", percent(e.run.goodput)}},
                  {},
                  true};
        if (given && !s.reliability.checkpoints.front().asynchronous)
            note.change = {{pathOf(0, "asynchronous"), "true"}, {pathOf(0, "blocking_s"), "null"}};
        e.advice.push_back(std::move(note));
    }
    if (!given || !s.reliability.checkpoints.front().interval || !(tier.interval.si() > mean))
        return;
    Scenario free = s;
    free.reliability.checkpoints.front().interval.reset();
    const run::Process<double> best = processOf(free, e);
    const double better = run::sharesOf(best).useful;
    if (better > e.run.goodput)
        e.advice.push_back({path,
                            "advice.interval-beyond-failures",
                            {{"interval", seconds(tier.interval.si())},
                             {"mean", seconds(mean)},
                             {"goodput", percent(e.run.goodput)},
                             {"best", seconds(best.tiers.front().interval.si())},
                             {"better", percent(better)}},
                            {{path, "null"}},
                            true});
}

void tellPolicy(const Scenario& s, Evaluation& e)
{
    if (s.reliability.policy == scenario::FailurePolicy::DropReplica && e.layout.data < 1.5)
        e.advice.push_back({"reliability.policy",
                            "advice.one-replica",
                            {},
                            {{"reliability.policy", "restart"}},
                            true});
    const scenario::Offload& o = s.parallelism.offload;
    const bool offloads = std::max({o.optimizer, o.activations, o.experts}) > 0;
    if (o.target == scenario::OffloadTarget::Pool && offloads && !s.cluster.node.poolMemoryBytes)
        e.advice.push_back({"parallelism.offload.target",
                            "advice.no-pool",
                            {},
                            {{"parallelism.offload.target", "host"}},
                            true});
}

} // namespace

void addRunAdvice(const Scenario& s, Evaluation& e)
{
    tellPolicy(s, e);
    const run::Process<double> p = processOf(s, e);
    for (std::size_t i = 0; i < std::min(s.reliability.checkpoints.size(), e.run.tiers.size()); ++i)
        tellInterval(s, i, e);
    tellShares(s, p, e);
    tellRareSaves(s, p, e);
}

} // namespace cw::evaluation
