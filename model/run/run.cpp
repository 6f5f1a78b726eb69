// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/run/run.h"

#include <algorithm>
#include <cmath>

#include "model/run/process.h"
#include "model/run/shares.h"

namespace cw::run {

using explain::named;
using explain::Traced;
using explain::valueOf;
using scenario::Inputs;
using units::Seconds;
using units::Unit;

namespace {

constexpr double kDay = 86400.0;

template <class T>
void setLost(const Shares<T>& s, Run<T>& r)
{
    const auto name = [&](std::string_view key, const T& share) {
        return named(key, Unit::Seconds, r.wall * share);
    };
    r.lost.startUp = name("run.lost_time.start_up", s.startUp);
    r.lost.save = name("run.lost_time.save", s.save);
    r.lost.lostProgress = name("run.lost_time.lost_progress", s.lostProgress);
    r.lost.detection = name("run.lost_time.detection", s.detection);
    r.lost.restore = name("run.lost_time.restore", s.restore);
    r.lost.stragglers = name("run.lost_time.stragglers", s.stragglers);
    r.lost.healthChecks = name("run.lost_time.health_checks", s.healthChecks);
    r.otherLost.warmUp = name("run.other_lost_time.warm_up", s.warmUp);
    r.otherLost.corruption = name("run.other_lost_time.corruption", s.corruption);
    r.otherLost.replicasAway = name("run.other_lost_time.replicas_away", s.replicasAway);
    r.otherLost.repairWait = name("run.other_lost_time.repair_wait", s.repairWait);
    r.otherLost.fragmentation = name("run.other_lost_time.fragmentation", s.fragmentation);
    r.lost.other = named("run.lost_time.other", Unit::Seconds,
                         r.otherLost.warmUp + r.otherLost.corruption + r.otherLost.replicasAway +
                             r.otherLost.repairWait + r.otherLost.fragmentation);
    r.lostBusyShare = s.lostProgress;
}

/// What the process says of interval, stall and restart.
template <class T>
void setPolicy(const Process<T>& p, Run<T>& r)
{
    r.tiers = p.tiers;
    r.restartParts = p.apart ? p.replicas.stall : p.restart.front();
    r.checkpointStall = named("run.checkpoint_stall_s", Unit::Seconds, p.tiers.front().blocking);
    r.checkpointInterval =
        named("run.checkpoint_interval_s", Unit::Seconds, p.tiers.front().interval);
    r.restart = named("run.restart_s", Unit::Seconds, total(r.restartParts));
}

template <class T>
void setSpares(const Inputs<T>& in, const FailureRates<T>& rates, Run<T>& r)
{
    r.spareChips = named("run.spare_chips", Unit::None, spareChips(in, rates));
    const double nodes = valueOf(r.spareChips) / static_cast<double>(in.plan().cluster.node.chips);
    r.spareCoverage = poissonAtMost(valueOf(nodesInRepair(in, rates)), std::floor(nodes));
    r.subHealthyNodes =
        named("run.sub_healthy_nodes_per_day", Unit::None, rates.subHealthy.si() * kDay);
}

/// Each part, and all of them together.
template <class T>
void setFailures(const FailureRates<T>& rates, Run<T>& r)
{
    constexpr auto kAll = static_cast<std::size_t>(FailurePart::Unsplit);
    T all(0.0);
    for (std::size_t i = 0; i < kFailurePartCount; ++i) {
        r.failuresPerDay[i] = rates.parts[i].si() * kDay;
        all = all + r.failuresPerDay[i];
    }
    r.failuresPerDay[kAll] = all;
}

} // namespace

template <class T>
Run<T> run(const Inputs<T>& in, const RunLoad<T>& load)
{
    using std::max;
    Run<T> r;
    const FailureRates<T> rates =
        failureRates(in, Parts<T>{max(load.chips, T(1.0)), load.switches, load.optics});
    r.meanTimeBetweenInterruptions = named("run.mean_time_between_interruptions_s", Unit::Seconds,
                                           Seconds<T>(1.0 / (rates.job + rates.corruption).si()));
    setFailures(rates, r);
    r.checkpointBytes = named("run.checkpoint_bytes", Unit::Bytes, load.checkpointBytes);
    const Process<T> process = processOf(in, load, rates);
    setPolicy(process, r);
    const Shares<T> shares = sharesOf(process);
    r.interruptionsPerDay =
        named("run.interruptions_per_day", Unit::None, shares.interruptions.si() * kDay);
    r.goodput = named("run.goodput", Unit::Share, shares.useful);
    r.effectiveMfu = named("run.effective_mfu", Unit::Share, load.mfu * r.goodput);
    r.tokens = named("run.tokens", Unit::Tokens,
                     in.template as<units::Tokens<T>>(in.plan().workload.trainingTokens));
    const T rate = max(load.tokensPerSecond.si(), T(1e-9)) * r.goodput;
    r.wall = named("run.wall_s", Unit::Seconds, Seconds<T>(r.tokens.si() / rate));
    r.days = named("run.days", Unit::Days, r.wall.si() / kDay);
    setLost(shares, r);
    setSpares(in, rates, r);
    return r;
}

template Run<double> run(const Inputs<double>&, const RunLoad<double>&);
template Run<Traced> run(const Inputs<Traced>&, const RunLoad<Traced>&);

} // namespace cw::run
