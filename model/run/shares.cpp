// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/run/shares.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "model/run/daly.h"

namespace cw::run {

using explain::named;
using explain::Traced;
using explain::valueOf;
using units::Seconds;
using units::Unit;

namespace {

// Above zero, so that what is divided by the goodput stays finite.
constexpr double kLeastUseful = 1e-261;
// The double before 1: a run with failures is never quite all useful.
constexpr double kMost = 1.0 - 0x1p-53;
// Segments and restarts beyond so many means do not end; times stay finite.
constexpr double kLongest = 100.0;
constexpr double kLeastAdvance = 1e-150;
constexpr double kLongestTime = 1e280;

/// What comes of one series of segments, from its start until it is saved or undone from deeper:
/// probabilities, and mean times in units of M.
template <class T>
struct Flow
{
    T advance{};
    std::array<T, kMostTiers> undone{}; ///< by the tier it is restored from
    T running{};
    std::array<T, kMostTiers> restarting{};
};

/// Restarts in units of M: from each tier, where they end and how long they take.
template <class T>
struct Restarts
{
    std::array<std::array<T, kMostTiers>, kMostTiers> ends{};
    std::array<std::array<T, kMostTiers>, kMostTiers> time{};
};

template <class T>
T logOf(const T& x)
{
    using std::log;
    return log(x);
}

/// Gives the parts of a flow their names, so that a formula stays as short as it reads.
template <class T>
void name(Flow<T>& f, std::size_t tiers)
{
    f.advance = named("run.process.advance", Unit::Share, f.advance);
    f.running = named("run.process.running", Unit::None, f.running);
    for (std::size_t d = 0; d < tiers; ++d) {
        f.undone[d] = named("run.process.undone", Unit::Share, f.undone[d]);
        f.restarting[d] = named("run.process.restarting", Unit::None, f.restarting[d]);
    }
}

template <class T>
Seconds<T> wholeOf(const RestartParts<T>& parts)
{
    return named("run.process.restart_s", Unit::Seconds, total(parts));
}

/// log(1 - x).
template <class T>
T logOfRest(const T& x)
{
    return valueOf(x) < 1e-8 ? -(x + x * x / 2.0) : logOf(1.0 - x);
}

template <class T>
class Levels
{
public:
    explicit Levels(const Process<T>& p) : m_process(p), m_count(p.tiers.size())
    {
        solveRestarts();
    }

    /// One period of the deepest tier, with all that undoes it.
    Flow<T> whole() const { return period(m_count, Seconds<T>(T(0.0))); }

private:
    void solveRestarts()
    {
        using std::exp;
        using std::expm1;
        using std::min;
        for (std::size_t j = m_count; j-- > 0;) {
            const T length = min(wholeOf(m_process.restart[j]) / m_process.mean, T(kLongest));
            const T fails = -expm1(-length);
            T leaves = exp(-length); // the tier j, by success or to a deeper one
            for (std::size_t i = j + 1; i < m_count; ++i)
                leaves = leaves + fails * m_process.tiers[i].serves;
            m_restarts.ends[j][j] = exp(-length) / leaves;
            m_restarts.time[j][j] = fails / leaves;
            for (std::size_t i = j + 1; i < m_count; ++i) {
                const T deeper = fails * m_process.tiers[i].serves / leaves;
                for (std::size_t d = i; d < m_count; ++d) {
                    m_restarts.ends[j][d] = m_restarts.ends[j][d] + deeper * m_restarts.ends[i][d];
                    m_restarts.time[j][d] = m_restarts.time[j][d] + deeper * m_restarts.time[i][d];
                }
            }
            for (std::size_t d = j; d < m_count; ++d) {
                m_restarts.ends[j][d] =
                    named("run.process.restart_ends", Unit::Share, m_restarts.ends[j][d]);
                m_restarts.time[j][d] =
                    named("run.process.restart_time", Unit::None, m_restarts.time[j][d]);
            }
        }
    }

    /// Probability that a save of a tier drains before a failure that this tier serves; one that a
    /// deeper tier serves undoes it anyway, one of a tier before does not touch it.
    T drained(std::size_t tier) const
    {
        using std::expm1;
        using std::max;
        T deeper(0.0);
        for (std::size_t i = tier; i < m_count; ++i)
            deeper = deeper + m_process.tiers[i].serves;
        const T length = deeper * (lagOf(m_process, tier) / m_process.mean);
        if (!(valueOf(length) > 0.0))
            return T(1.0);
        return named(
            "run.process.drained", Unit::Share,
            max(1.0 + m_process.tiers[tier].serves / deeper * expm1(-length), T(kLeastAdvance)));
    }

    Flow<T> segment(const Seconds<T>& saves) const
    {
        using std::exp;
        using std::expm1;
        using std::min;
        const T length =
            min((m_process.tiers.front().interval + saves) / m_process.mean, T(kLongest));
        Flow<T> f;
        f.advance = exp(-length);
        const T fails = -expm1(-length);
        f.running = fails;
        for (std::size_t j = 0; j < m_count; ++j) {
            for (std::size_t d = j; d < m_count; ++d) {
                const T share = fails * m_process.tiers[j].serves;
                f.undone[d] = f.undone[d] + share * m_restarts.ends[j][d];
                f.restarting[d] = f.restarting[d] + share * m_restarts.time[j][d];
            }
        }
        name(f, m_count);
        return f;
    }

    /// A period of tier `level` (1 is the first), whose last segment also saves for `saves` more.
    Flow<T> period(std::size_t level, const Seconds<T>& saves) const
    {
        using std::min;
        if (level == 0)
            return segment(saves);
        const TierRun<T>& tier = m_process.tiers[level - 1];
        const Flow<T> last = period(level - 1, saves + tier.blocking);
        Flow<T> f = valueOf(tier.every) > 1.0
                        ? series(period(level - 1, Seconds<T>(T(0.0))), tier.every - 1.0, last)
                        : last;
        // Undone by a failure that finds the save still draining. That failure's time and restart
        // are those of what comes after.
        f.advance = f.advance * drained(level - 1);
        // What this tier undoes starts the period again.
        T leaves = f.advance;
        for (std::size_t d = level; d < m_count; ++d)
            leaves = leaves + f.undone[d];
        leaves = named("run.process.leaves", Unit::Share, leaves);
        f.advance = f.advance / leaves;
        f.running = min(f.running / leaves, T(kLongestTime));
        for (std::size_t d = 0; d < m_count; ++d) {
            f.restarting[d] = min(f.restarting[d] / leaves, T(kLongestTime));
            f.undone[d] = d < level ? T(0.0) : f.undone[d] / leaves;
        }
        name(f, m_count);
        return f;
    }

    /// `count` times `each` and then `last`, unless one is undone.
    Flow<T> series(const Flow<T>& each, const T& count, const Flow<T>& last) const
    {
        using std::exp;
        using std::expm1;
        using std::max;
        T undone(0.0);
        for (std::size_t d = 0; d < m_count; ++d)
            undone = undone + each.undone[d];
        T reached(1.0);
        T tried = count;
        if (valueOf(undone) > 1e-300) {
            const T exponent =
                count * (valueOf(undone) < 0.5 ? logOfRest(undone) : logOf(each.advance));
            reached = max(exp(max(exponent, T(-620.0))), T(kLeastAdvance));
            tried = -expm1(exponent) / undone;
        }
        reached = named("run.process.reached", Unit::Share, reached);
        tried = named("run.process.tried", Unit::None, tried);
        Flow<T> f;
        f.advance = max(reached * last.advance, T(kLeastAdvance));
        f.running = each.running * tried + reached * last.running;
        for (std::size_t d = 0; d < m_count; ++d) {
            f.undone[d] = each.undone[d] * tried + reached * last.undone[d];
            f.restarting[d] = each.restarting[d] * tried + reached * last.restarting[d];
        }
        name(f, m_count);
        return f;
    }

    const Process<T>& m_process;
    std::size_t m_count;
    Restarts<T> m_restarts;
};

/// Share of the time in restarts that is the `part` of them after `begin`, where failures start
/// them anew.
template <class T>
T partOfRestart(const Seconds<T>& begin, const Seconds<T>& part, const Seconds<T>& whole,
                const Seconds<T>& mean)
{
    using std::exp;
    using std::expm1;
    using std::max;
    if (!(valueOf(whole) > 0.0))
        return T(0.0);
    const T length = whole / mean;
    if (valueOf(length) < 1e-9)
        return part / whole;
    return exp(-(begin / mean)) * expm1(-(part / mean)) / expm1(-length);
}

/// Hands the share of wall time spent restarting to its parts.
template <class T>
void spread(Shares<T>& s, const T& share, const RestartParts<T>& parts, const Seconds<T>& mean)
{
    const Seconds<T> whole = wholeOf(parts);
    Seconds<T> begin(T(0.0));
    const auto part = [&](T& to, const Seconds<T>& length) {
        to = to + share * named("run.process.part_of_restart", Unit::Share,
                                partOfRestart(begin, length, whole, mean));
        begin += length;
    };
    part(s.detection, parts.detect);
    part(s.startUp, parts.reschedule + parts.start);
    part(s.restore, parts.restore);
    part(s.warmUp, parts.warmUp);
}

/// One tier: Daly's form.
template <class T>
Shares<T> single(const Process<T>& p)
{
    const TierRun<T>& tier = p.tiers.front();
    const RestartParts<T>& restart = p.restart.front();
    const DalyShares<T> daly =
        dalyShares(tier.interval, tier.blocking, wholeOf(restart), p.mean, lagOf(p, 0));
    Shares<T> s;
    s.useful = daly.useful;
    s.save = daly.save;
    s.lostProgress = daly.lostProgress;
    spread(s, daly.restart, restart, p.mean);
    return s;
}

template <class T>
Shares<T> tiered(const Process<T>& p)
{
    using std::max;
    using std::min;
    const Flow<T> f = Levels<T>(p).whole();
    T all = f.running;
    for (std::size_t d = 0; d < p.tiers.size(); ++d)
        all = all + f.restarting[d];
    all = named("run.process.period", Unit::None, all);
    T segments(1.0);
    for (const TierRun<T>& tier : p.tiers)
        segments = segments * max(tier.every, T(1.0));
    segments = named("run.process.segments", Unit::None, segments);
    Seconds<T> saves(T(0.0));
    T every(1.0);
    for (const TierRun<T>& tier : p.tiers) {
        every = every * max(tier.every, T(1.0));
        saves += tier.blocking * (segments / every);
    }
    saves = named("run.process.saves_s", Unit::Seconds, saves);
    Shares<T> s;
    s.useful = named(
        "run.process.useful", Unit::Share,
        min(max(segments * (p.tiers.front().interval / p.mean) / all, T(kLeastUseful)), T(kMost)));
    s.save = named("run.process.save", Unit::Share, min(saves / p.mean / all, 1.0 - s.useful));
    T rest = max(1.0 - s.useful - s.save, T(0.0));
    for (std::size_t d = 0; d < p.tiers.size(); ++d) {
        const T share =
            named("run.process.restarts", Unit::Share, min(f.restarting[d] / all, rest));
        rest = rest - share;
        spread(s, share, p.restart[d], p.mean);
    }
    s.lostProgress = rest;
    return s;
}

/// The useful time of all, as the replicas share it: each is away for a while after its own
/// failures, and all stall at each of them.
template <class T>
void shareOut(const Replicas<T>& r, Shares<T>& s)
{
    using std::exp;
    using std::max;
    using std::min;
    const Seconds<T> stall = wholeOf(r.stall);
    const T perReplica = r.rate.si() / r.count;
    const T perReplicaDomains = r.domains.si() * r.domainReplicas / r.count;
    const T present = named("run.process.present", Unit::Share,
                            1.0 / (1.0 + perReplica * max(r.away, stall).si() +
                                   perReplicaDomains * max(r.domainAway, stall).si()));
    // No failure in the last stall: of any replica, or of the others given that this one is there.
    const T fails = min(perReplica * present * stall.si(), T(0.999999));
    const T quiet = named("run.process.quiet", Unit::None, logOfRest(fails));
    const T domains = r.domains.si() * stall.si();
    const T others = domains * max(1.0 - r.domainReplicas / r.count, T(0.0));
    const T moves =
        named("run.process.moves", Unit::Share, exp(max(r.count * quiet - domains, T(-600.0))));
    const T works = named("run.process.works", Unit::Share,
                          present * exp(max((r.count - 1.0) * quiet - others, T(-600.0))));
    s.interruptions += r.rate * present + r.domains;
    const T rest = s.useful;
    s.useful =
        named("run.process.shared", Unit::Share, max(rest * min(works, moves), T(kLeastUseful)));
    s.replicasAway = s.replicasAway + max(rest * moves - s.useful, T(0.0));
    const Seconds<T> apart =
        named("run.process.apart_s", Unit::Seconds,
              Seconds<T>(1.0 / max(r.rate.si() * present + r.domains.si(), T(1e-18))));
    const T standing = named("run.process.standing", Unit::Share, rest * (1.0 - moves));
    spread(s, standing, r.stall, apart);
}

/// Waiting for nodes that no spare replaces, for each second of the process. Nodes fail on the
/// clock of the process, and are repaired on that of the wall, which the pauses in `more` are part
/// of.
template <class T>
T waitForNodes(const Process<T>& p, const Shares<T>& more)
{
    const Pauses<T>& q = p.pauses;
    const T wall = 1.0 + more.healthChecks + more.stragglers + more.corruption +
                   more.fragmentation + more.repairWait;
    double rate = valueOf(p.spares.nodeShare) / valueOf(p.mean);
    if (valueOf(q.subHealthy) > 0.0) {
        const double until = valueOf(q.untilFound);
        rate += -std::expm1(-valueOf(q.subHealthy) * until) / until;
    }
    if (!(valueOf(p.spares.nodeShare) > 0.0))
        return T(0.0);
    const double waits = std::min(
        waitsForRepair(rate / valueOf(wall) * valueOf(p.spares.repair), valueOf(p.spares.nodes)),
        1.0 - 1e-15);
    return wall * T(waits / (1.0 - waits));
}

/// Pauses lengthen everything; they are not exposed to failures.
template <class T>
void addPauses(const Process<T>& p, Shares<T>& s)
{
    using std::expm1;
    using std::max;
    const Pauses<T>& q = p.pauses;
    const bool checked = valueOf(q.checkInterval) > 0.0;
    Shares<T> more;
    more.healthChecks = checked ? q.check / q.checkInterval : T(0.0);
    more.stragglers = q.stragglerShare * (q.stragglerSlowdown - 1.0);
    if (valueOf(q.subHealthy) > 0.0) {
        const T expected =
            named("run.process.slow_expected", Unit::None, q.subHealthy.si() * q.untilFound.si());
        const T found = named("run.process.slow_found", Unit::Share, -expm1(-expected));
        more.stragglers = more.stragglers + (1.0 - found / expected) * (q.subHealthySlowdown - 1.0);
        more.healthChecks = more.healthChecks + found * (q.planned / q.untilFound);
    }
    more.corruption = q.corruption.si() * q.corruptionCost.si();
    more.fragmentation = q.fragmentation / max(1.0 - q.fragmentation, T(1e-9));
    more.healthChecks = named("run.pause.health_checks", Unit::Share, more.healthChecks);
    more.stragglers = named("run.pause.stragglers", Unit::Share, more.stragglers);
    more.corruption = named("run.pause.corruption", Unit::Share, more.corruption);
    more.fragmentation = named("run.pause.fragmentation", Unit::Share, more.fragmentation);
    more.repairWait = q.domainShare * (q.wait / p.mean);
    more.repairWait = more.repairWait + waitForNodes(p, more);
    more.repairWait = named("run.pause.repair_wait", Unit::Share, more.repairWait);
    const T factor = 1.0 / (1.0 + more.healthChecks + more.stragglers + more.corruption +
                            more.fragmentation + more.repairWait);
    const T unpaused = named("run.process.unpaused", Unit::Share, factor);
    s.useful = s.useful * unpaused;
    s.interruptions = (s.interruptions + q.corruption) * unpaused;
    const std::pair<T Shares<T>::*, std::string_view> parts[] = {
        {&Shares<T>::save, "run.share.save"},
        {&Shares<T>::lostProgress, "run.share.lost_progress"},
        {&Shares<T>::detection, "run.share.detection"},
        {&Shares<T>::startUp, "run.share.start_up"},
        {&Shares<T>::restore, "run.share.restore"},
        {&Shares<T>::warmUp, "run.share.warm_up"},
        {&Shares<T>::stragglers, "run.share.stragglers"},
        {&Shares<T>::healthChecks, "run.share.health_checks"},
        {&Shares<T>::corruption, "run.share.corruption"},
        {&Shares<T>::replicasAway, "run.share.replicas_away"},
        {&Shares<T>::repairWait, "run.share.repair_wait"},
        {&Shares<T>::fragmentation, "run.share.fragmentation"}};
    for (const auto& [part, key] : parts)
        s.*part = named(key, Unit::Share, (s.*part + more.*part) * unpaused);
}

} // namespace

template <class T>
Shares<T> sharesOf(const Process<T>& p)
{
    Shares<T> s = p.tiers.size() == 1 ? single(p) : tiered(p);
    s.interruptions = units::PerSecond<T>(1.0 / p.mean.si());
    if (p.apart)
        shareOut(p.replicas, s);
    addPauses(p, s);
    return s;
}

template Shares<double> sharesOf(const Process<double>&);
template Shares<Traced> sharesOf(const Process<Traced>&);

} // namespace cw::run
