// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/run/process.h"

#include <algorithm>
#include <cmath>

#include "model/memory/ledger.h"
#include "model/run/checkpoint.h"

namespace cw::run {

using explain::named;
using explain::Traced;
using explain::valueOf;
using scenario::FailurePolicy;
using scenario::Inputs;
using units::PerSecond;
using units::Seconds;
using units::Unit;

namespace {

constexpr double kYear = 8760.0 * 3600.0;
constexpr double kLeastRate = 1e-18;

/// Processes and communicators of all chips: the plan's time, or a line through published cold
/// starts.
template <class T>
Seconds<T> startUp(const Inputs<T>& in, const T& chips)
{
    using std::log2;
    using std::max;
    const scenario::Reliability& plan = in.plan().reliability;
    if (!plan.start)
        return named(
            "run.restart_parts.start_s", Unit::Seconds,
            Seconds<T>(in.constant("constant.start_base_s", Unit::Seconds, 60.0) +
                       in.constant("constant.start_s_per_chip", Unit::Seconds, 8.545e-3) * chips));
    const T doublings = max(log2(max(chips, T(1.0)) / 1024.0), T(0.0));
    return named("run.restart_parts.start_s", Unit::Seconds,
                 Seconds<T>(in(plan.start) + in(plan.startPerDoubling) * doublings));
}

template <class T>
RestartParts<T> wholeRestart(const Inputs<T>& in, const RunLoad<T>& load, const TierRun<T>& tier)
{
    const scenario::Reliability& plan = in.plan().reliability;
    return {in.template as<Seconds<T>>(plan.detect), in.template as<Seconds<T>>(plan.reschedule),
            startUp(in, load.chips), tier.restore, load.step * in(plan.warmUpSteps)};
}

/// Weights and optimizer state of one chip of the fullest stage, which a new node is sent over its
/// own NICs, one a chip.
template <class T>
Seconds<T> sendState(const Inputs<T>& in)
{
    const auto ledger = memory::ledgerOf(in, scenario::layoutOf(in), transformer::layersOf(in));
    if (ledger.stages.empty())
        return Seconds<T>(T(0.0));
    const auto& stage = ledger.stages[ledger.peakStage];
    const units::BytesPerSecond<T> nic(in(in.plan().cluster.network.scaleOut.bandwidth));
    return named("run.process.send_state_s", Unit::Seconds,
                 (stage.weights + stage.optimizer) / nic);
}

/// A hot spare takes the place: nothing is scheduled or started. From a tier in memory the others
/// read back their own copies while the new node is sent its share; from drives or the file system
/// the whole job reads.
template <class T>
RestartParts<T> swapIn(const Inputs<T>& in, const RunLoad<T>& load, const TierRun<T>& tier)
{
    using scenario::CheckpointTier;
    using std::max;
    const scenario::Reliability& plan = in.plan().reliability;
    const bool memory = tier.tier == CheckpointTier::Host || tier.tier == CheckpointTier::Peer;
    return {in.template as<Seconds<T>>(plan.detect), in.template as<Seconds<T>>(plan.swap),
            Seconds<T>(T(0.0)), memory ? max(tier.restore, sendState(in)) : tier.restore,
            load.step * in(plan.warmUpSteps)};
}

/// What the domains of the plan take out at once.
template <class T>
struct Domains
{
    T whole{};         ///< failures a year that the job does not survive
    T wholeWait{};     ///< of these, times their wait in seconds
    T apart{};         ///< failures a year that leave replicas
    T apartReplicas{}; ///< of these, times the replicas they take
    T apartAway{};     ///< and times the seconds these are away
};

template <class T>
Domains<T> domainsOf(const Inputs<T>& in, const RunLoad<T>& load, const T& spares,
                     const T& replicas, bool apart, const Seconds<T>& away)
{
    using std::ceil;
    using std::max;
    Domains<T> d;
    const T chips = max(load.chips, T(1.0));
    for (const scenario::FailureDomain& domain : in.plan().reliability.domains) {
        const T failures = ceil(chips / in(domain.chips)) * in(domain.failuresPerYear);
        const T lost = ceil(in(domain.chips) * replicas / chips);
        // Where the spares do not replace it, the job waits until it is repaired.
        const bool replaced = valueOf(spares) >= static_cast<double>(domain.chips);
        const Seconds<T> wait =
            replaced ? Seconds<T>(T(0.0)) : in.template as<Seconds<T>>(domain.repair);
        if (apart && valueOf(lost) < valueOf(replicas)) {
            d.apart = d.apart + failures;
            d.apartReplicas = d.apartReplicas + failures * lost;
            d.apartAway = d.apartAway + failures * lost * max(wait, away).si();
        } else {
            d.whole = d.whole + failures;
            d.wholeWait = d.wholeWait + failures * wait.si();
        }
    }
    return d;
}

template <class T>
Pauses<T> pausesOf(const Inputs<T>& in, const RunLoad<T>& load, const FailureRates<T>& rates)
{
    using std::max;
    const scenario::Reliability& plan = in.plan().reliability;
    Pauses<T> p;
    p.checkInterval = in.template as<Seconds<T>>(plan.healthCheckInterval);
    p.check = in.template as<Seconds<T>>(plan.healthCheck);
    p.subHealthy = rates.subHealthy;
    // Without checks a slow node stays until the run ends.
    p.untilFound = plan.healthCheckInterval > 0.0
                       ? p.checkInterval
                       : in.template as<units::Tokens<T>>(in.plan().workload.trainingTokens) /
                             max(load.tokensPerSecond, units::TokensPerSecond<T>(T(1e-9)));
    p.subHealthySlowdown = in(plan.subHealthySlowdown);
    p.stragglerShare = in(plan.stragglerShare);
    p.stragglerSlowdown = in(plan.stragglerSlowdown);
    p.corruption = rates.corruption;
    if (in.plan().workload.jobs > 1)
        p.fragmentation = in(plan.fragmentationShare);
    return p;
}

/// Fills in what follows from the domains.
template <class T>
void setDomains(const Domains<T>& d, const T& wholeRate, Process<T>& p)
{
    if (valueOf(d.whole) > 0.0) {
        p.pauses.wait =
            named("run.process.domain_wait_s", Unit::Seconds, Seconds<T>(d.wholeWait / d.whole));
        p.pauses.domainShare =
            named("run.process.domain_share", Unit::Share, d.whole / kYear / wholeRate);
    }
    if (valueOf(d.apart) > 0.0) {
        p.replicas.domains =
            named("run.process.domains_per_s", Unit::None, PerSecond<T>(d.apart / kYear));
        p.replicas.domainReplicas = d.apartReplicas / d.apart;
        p.replicas.domainAway = Seconds<T>(d.apartAway / d.apartReplicas);
    }
}

/// Nodes that no spare replaces: a job that needs every node waits for them; replicas that do stay
/// away for longer, by Little's law as long as makes the mean number of those away. Jobs share the
/// spares: a job has what the others leave on average, at least its part.
template <class T>
void setSpares(const Inputs<T>& in, const FailureRates<T>& rates, const T& chips, Process<T>& p)
{
    using std::floor;
    using std::max;
    const T nodes = floor(chips / in(in.plan().cluster.node.chips));
    const bool shared = in.plan().workload.jobs > 1;
    const T jobs = in(in.plan().workload.jobs);
    if (!p.apart) {
        const T others = nodesInRepair(in, rates) * (1.0 - 1.0 / jobs);
        const T own = shared ? floor(max(nodes / jobs, nodes - others)) : nodes;
        p.spares = {own, rates.node.si() * p.mean.si(),
                    in.template as<Seconds<T>>(in.plan().reliability.repair)};
        return;
    }
    const double missing = nodesShort(valueOf(nodesInRepair(in, rates)), valueOf(nodes));
    if (missing > 0.0 && valueOf(p.replicas.rate) > 0.0)
        p.replicas.away += Seconds<T>(T(missing) / jobs / p.replicas.rate.si());
}

/// A replica that comes back is given the state of the others over its own chips' network.
template <class T>
RestartParts<T> replicaStall(const Inputs<T>& in, const RunLoad<T>& load)
{
    using std::max;
    const scenario::Scenario& plan = in.plan();
    const T chips = max(load.chips, T(1.0)) / max(load.dataParallel, T(1.0));
    const units::BytesPerSecond<T> network(chips * in(plan.cluster.network.scaleOut.bandwidth));
    return {in.template as<Seconds<T>>(plan.reliability.detect),
            in.template as<Seconds<T>>(plan.reliability.swap), Seconds<T>(T(0.0)),
            plan.reliability.catchUp ? load.checkpointBytes / network : Seconds<T>(T(0.0)),
            Seconds<T>(T(0.0))};
}

/// For each tier, how a restart from it goes and how long its saves cannot be restored.
template <class T>
void setRestarts(const Inputs<T>& in, const RunLoad<T>& load, Process<T>& p)
{
    using std::min;
    const std::vector<scenario::CheckpointPlan>& plans = checkpointTiers(in.plan());
    const bool swaps = in.plan().reliability.policy == FailurePolicy::HotSpare;
    for (std::size_t i = 0; i < p.tiers.size(); ++i) {
        const TierRun<T>& tier = p.tiers[i];
        p.restart.push_back(swaps ? swapIn(in, load, tier) : wholeRestart(in, load, tier));
        // In the host's memory it is once the blocking part is over.
        const bool drains =
            plans[i].asynchronous && plans[i].tier != scenario::CheckpointTier::Host;
        p.lags.push_back(
            drains ? named("run.process.lag_s", Unit::Seconds, min(tier.drain, tier.interval))
                   : Seconds<T>(T(0.0)));
    }
}

} // namespace

template <class T>
Process<T> processOf(const Inputs<T>& in, const RunLoad<T>& load, const FailureRates<T>& rates)
{
    using std::max;
    const scenario::Reliability& plan = in.plan().reliability;
    const T chips = max(load.chips, T(1.0));
    Process<T> p;
    p.apart = plan.policy == FailurePolicy::DropReplica && valueOf(load.dataParallel) > 1.0;
    p.replicas.count = max(load.dataParallel, T(1.0));
    const T domainRate = rates.parts[static_cast<std::size_t>(FailurePart::Domain)].si();
    const T other = max(rates.job.si() - domainRate, T(kLeastRate));
    // No replica survives a failure of the job itself or of the storage that all read.
    const T fatal = p.apart ? rates.parts[static_cast<std::size_t>(FailurePart::Storage)].si() +
                                  rates.parts[static_cast<std::size_t>(FailurePart::Job)].si()
                            : T(0.0);
    const T rest = named("run.process.mendable_per_s", Unit::None, max(other - fatal, T(0.0)));
    const T share = p.apart ? in(plan.wholeJobShare) : T(1.0);
    const Seconds<T> away =
        p.apart ? total(wholeRestart(in, load, TierRun<T>{})) : Seconds<T>(T(0.0));
    const T spares = spareChips(in, rates);
    const Domains<T> domains = domainsOf(in, load, spares, p.replicas.count, p.apart, away);
    const T whole = max(rest * share + fatal + domains.whole / kYear, T(kLeastRate));
    p.mean = named("run.process.mean_s", Unit::Seconds, Seconds<T>(1.0 / whole));
    p.pauses = pausesOf(in, load, rates);
    p.failures = {p.mean,
                  named("run.process.node_share", Unit::Share, rates.node.si() * share / whole),
                  named("run.process.domain_share", Unit::Share, domains.whole / kYear / whole),
                  rates.corruption};
    p.tiers = tiersOf(in, load.checkpointBytes, chips, load.step, p.failures);
    setRestarts(in, load, p);
    if (p.apart) {
        p.replicas.rate = named("run.process.replica_failures_per_s", Unit::None,
                                PerSecond<T>(rest * (1.0 - share)));
        p.replicas.stall = replicaStall(in, load);
        p.replicas.away = away + p.tiers.front().restore;
    }
    setSpares(in, rates, spares, p);
    p.replicas.away = named("run.process.away_s", Unit::Seconds, p.replicas.away);
    // One node is replaced as the policy has it, in place of a failure that is found at once.
    const RestartParts<T>& one = p.apart ? p.replicas.stall : p.restart.front();
    p.pauses.planned = named("run.process.planned_s", Unit::Seconds, total(one) - one.detect);
    p.pauses.corruptionCost = named("run.process.corruption_cost_s", Unit::Seconds,
                                    in.template as<Seconds<T>>(plan.corruptionDetect) +
                                        p.pauses.planned + p.tiers.back().restore);
    setDomains(domains, whole, p);
    return p;
}

template Process<double> processOf(const Inputs<double>&, const RunLoad<double>&,
                                   const FailureRates<double>&);
template Process<Traced> processOf(const Inputs<Traced>&, const RunLoad<Traced>&,
                                   const FailureRates<Traced>&);

} // namespace cw::run
