// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/run/run.h"

#include <algorithm>
#include <cmath>

#include "model/run/checkpoint.h"
#include "model/run/daly.h"
#include "model/run/failures.h"

namespace cw::run {

using explain::named;
using explain::Traced;
using explain::valueOf;
using scenario::FailurePolicy;
using scenario::Inputs;
using units::Seconds;
using units::Unit;

namespace {

constexpr double kDay = 86400.0;
// Above zero, so that what is divided by the goodput stays finite.
constexpr double kLeastUseful = 1e-261;

/// The parts of one restart, in the order they happen.
template <class T>
struct Restart
{
    Seconds<T> detect;
    Seconds<T> start;
    Seconds<T> restore;
    Seconds<T> warmUp;

    Seconds<T> total() const { return detect + start + restore + warmUp; }
};

template <class T>
Restart<T> wholeRestart(const Inputs<T>& in, const RunLoad<T>& load, const Saving<T>& saving)
{
    using std::log2;
    using std::max;
    const scenario::Reliability& plan = in.plan().reliability;
    const T doublings = max(log2(max(load.chips, T(1.0)) / 1024.0), T(0.0));
    return {
        in.template as<Seconds<T>>(plan.detect),
        Seconds<T>(in(plan.reschedule) + in(plan.start) + in(plan.startPerDoubling) * doublings),
        saving.restore, load.step * in(plan.warmUpSteps)};
}

template <class T>
Restart<T> swapIn(const Inputs<T>& in, const RunLoad<T>& load, const Saving<T>& saving)
{
    const scenario::Reliability& plan = in.plan().reliability;
    return {in.template as<Seconds<T>>(plan.detect),
            Seconds<T>(in.constant("constant.hot_swap_s", Unit::Seconds, 5.0)), saving.peerRestore,
            load.step * in(plan.warmUpSteps)};
}

/// Shares of wall time, summing to one.
template <class T>
struct Shares
{
    T useful{};
    T startUp{};
    T save{};
    T lostProgress{};
    T detection{};
    T restore{};
    T stragglers{};
    T healthChecks{};
    T other{};
};

/// Hands the share of wall time spent restarting to its parts.
template <class T>
void spread(Shares<T>& s, const T& share, const Restart<T>& restart)
{
    using std::max;
    const T total = max(restart.total().si(), T(1e-9));
    s.detection = s.detection + share * (restart.detect.si() / total);
    s.startUp = s.startUp + share * (restart.start.si() / total);
    s.restore = s.restore + share * (restart.restore.si() / total);
    s.other = s.other + share * (restart.warmUp.si() / total);
}

/// Where every failure brings the whole job down.
template <class T>
Shares<T> together(const Saving<T>& saving, const Restart<T>& restart, const Seconds<T>& mean)
{
    const DalyShares<T> daly = dalyShares(saving.interval, saving.blocking, restart.total(), mean);
    // Failures that a slower tier serves lose more than one interval of the first.
    const T factor = 1.0 / (1.0 + saving.extraLoss);
    Shares<T> s;
    s.useful = daly.useful * factor;
    s.save = daly.save * factor;
    s.lostProgress = (daly.lostProgress + saving.extraLoss) * factor;
    spread(s, daly.restart * factor, restart);
    return s;
}

/// Where the other replicas go on: the share `whole` of failures takes all down, each other one
/// stalls the job and leaves it one replica short for a restart.
template <class T>
Shares<T> apart(const Shares<T>& whole, const Restart<T>& stall, const Seconds<T>& away,
                const T& replicas, const Seconds<T>& mean)
{
    using std::expm1;
    using std::max;
    const T stalled = -expm1(-(stall.total() / mean));
    const T lost = away / mean / replicas;
    const T absent = lost / (1.0 + lost);
    Shares<T> s = whole;
    // What is left after the failures of the whole job is shared out again.
    const T rest = whole.useful;
    s.useful = max(rest * (1.0 - stalled) * (1.0 - absent), T(kLeastUseful));
    spread(s, rest * stalled, stall);
    s.other = s.other + rest * (1.0 - stalled) * absent;
    return s;
}

/// Losses that come steadily, over the useful time.
template <class T>
void addSteadyLosses(const Inputs<T>& in, const FailureRates<T>& rates, const Seconds<T>& restart,
                     Shares<T>& s)
{
    const scenario::Reliability& plan = in.plan().reliability;
    const T checks = plan.healthCheckInterval > 0.0
                         ? in(plan.healthCheck) / in(plan.healthCheckInterval)
                         : T(0.0);
    const T stragglers = in(plan.stragglerShare) * (in(plan.stragglerSlowdown) - 1.0);
    const T corruption = rates.corruption.si() * (in(plan.corruptionDetect) + restart.si());
    const T factor = 1.0 / (1.0 + checks + stragglers + corruption);
    for (T* share : {&s.startUp, &s.save, &s.lostProgress, &s.detection, &s.restore, &s.other})
        *share = *share * factor;
    // The losses fall on all of wall time, not on the useful part alone.
    s.useful = s.useful * factor;
    s.healthChecks = checks * factor;
    s.stragglers = stragglers * factor;
    s.other = s.other + corruption * factor;
}

template <class T>
LostTime<T> lostTime(const Shares<T>& s, const Seconds<T>& wall)
{
    const auto name = [&](std::string_view key, const T& share) {
        return named(key, Unit::Seconds, wall * share);
    };
    LostTime<T> lost;
    lost.startUp = name("run.lost_time.start_up", s.startUp);
    lost.save = name("run.lost_time.save", s.save);
    lost.lostProgress = name("run.lost_time.lost_progress", s.lostProgress);
    lost.detection = name("run.lost_time.detection", s.detection);
    lost.restore = name("run.lost_time.restore", s.restore);
    lost.stragglers = name("run.lost_time.stragglers", s.stragglers);
    lost.healthChecks = name("run.lost_time.health_checks", s.healthChecks);
    lost.other = name("run.lost_time.other", s.other);
    return lost;
}

/// The shares of the policy, and what it answers of interval, stall and restart.
template <class T>
Shares<T> byPolicy(const Inputs<T>& in, const RunLoad<T>& load, Run<T>& r)
{
    using std::max;
    const scenario::Reliability& plan = in.plan().reliability;
    const Seconds<T> mean = r.meanTimeBetweenInterruptions;
    const bool drop = plan.policy == FailurePolicy::DropReplica && valueOf(load.dataParallel) > 1.0;
    const Seconds<T> wholeMean =
        drop ? mean / in.constant("constant.whole_job_share", Unit::Share, 0.02) : mean;
    const Saving<T> s =
        saving(in, load.checkpointBytes, max(load.chips, T(1.0)), load.step, wholeMean);
    r.checkpointInterval = s.interval;
    r.checkpointStall = s.stall;
    const Restart<T> whole = wholeRestart(in, load, s);
    if (drop) {
        Restart<T> stall = swapIn(in, load, s);
        stall.warmUp = Seconds<T>(T(0.0));
        if (!plan.catchUp)
            stall.restore = Seconds<T>(T(0.0));
        r.restart = stall.total();
        return apart(together(s, whole, wholeMean), stall, whole.total(), load.dataParallel, mean);
    }
    const Restart<T> restart = plan.policy == FailurePolicy::HotSpare ? swapIn(in, load, s) : whole;
    r.restart = restart.total();
    return together(s, restart, mean);
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
                                           Seconds<T>(1.0 / rates.job.si()));
    r.interruptionsPerDay =
        named("run.interruptions_per_day", Unit::None, kDay / r.meanTimeBetweenInterruptions.si());
    Shares<T> shares = byPolicy(in, load, r);
    r.checkpointBytes = named("run.checkpoint_bytes", Unit::Bytes, load.checkpointBytes);
    r.checkpointStall = named("run.checkpoint_stall_s", Unit::Seconds, r.checkpointStall);
    r.checkpointInterval = named("run.checkpoint_interval_s", Unit::Seconds, r.checkpointInterval);
    r.restart = named("run.restart_s", Unit::Seconds, r.restart);
    addSteadyLosses(in, rates, r.restart, shares);
    r.goodput = named("run.goodput", Unit::Share, shares.useful);
    r.effectiveMfu = named("run.effective_mfu", Unit::Share, load.mfu * r.goodput);
    r.tokens = named("run.tokens", Unit::Tokens,
                     in.template as<units::Tokens<T>>(in.plan().workload.trainingTokens));
    const T rate = max(load.tokensPerSecond.si(), T(1e-9)) * r.goodput;
    r.wall = Seconds<T>(r.tokens.si() / rate);
    r.days = named("run.days", Unit::Days, r.wall.si() / kDay);
    r.lost = lostTime(shares, r.wall);
    r.lostBusyShare = shares.lostProgress;
    r.spareChips = named("run.spare_chips", Unit::None, spareChips(in, rates));
    return r;
}

template Run<double> run(const Inputs<double>&, const RunLoad<double>&);
template Run<Traced> run(const Inputs<Traced>&, const RunLoad<Traced>&);

} // namespace cw::run
