// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/run/simulate.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <queue>
#include <utility>

#include "model/run/randomstream.h"
#include "model/run/shares.h"

namespace cw::run {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kDay = 86400.0;
/// How long one straggler or one wait for a place lasts; the mean share does not depend on it.
constexpr double kEpisode = 1800.0;
/// Legs of a run draw other numbers than the first.
constexpr std::uint64_t kLegSeed = 0x632be59bd9b4e019ULL;

std::size_t indexOf(Activity a)
{
    return static_cast<std::size_t>(a);
}

/// What of a stretch of work was done: all of it, or less where replicas are away or stand still.
struct Work
{
    double useful = 0;
    double away = 0;
    std::array<double, 4> stalled{}; ///< detection, start-up, restore, warm-up

    void add(const Work& w)
    {
        useful += w.useful;
        away += w.away;
        for (std::size_t i = 0; i < stalled.size(); ++i)
            stalled[i] += w.stalled[i];
    }
    [[nodiscard]] double all() const
    {
        return useful + away + stalled[0] + stalled[1] + stalled[2] + stalled[3];
    }
};

/// The replicas on their own clock: each fails and comes back, and all stand still at each failure.
class ReplicaClock
{
public:
    ReplicaClock(const Replicas<double>& r, RandomStream& random)
        : m_r(r), m_random(random), m_present(std::llround(r.count)), m_stall(total(r.stall).si()),
          m_bounds{r.stall.detect.si(), (r.stall.detect + r.stall.reschedule + r.stall.start).si(),
                   m_stall - r.stall.warmUp.si(), m_stall}
    {
        draw();
        // Long before the run starts, so that the first hours are like the others.
        Work ignored;
        advance(4.0 * std::max(m_r.away.si(), m_r.domainAway.si()) + 4.0 * m_stall, ignored);
        failures = 0;
    }

    double failures = 0;
    std::vector<double> ago; ///< failures of the last advance, before its end
    [[nodiscard]] double rate() const
    {
        return m_now < m_until ? 0.0 : static_cast<double>(m_present) / m_r.count;
    }

    void advance(double seconds, Work& work)
    {
        const double end = m_now + seconds;
        ago.clear();
        while (true) {
            const double back = m_away.empty() ? kNever : m_away.top().first;
            const double next = std::min(m_next, back);
            spend(std::min(next, end), work);
            if (next > end)
                return;
            if (back <= m_next)
                comeBack();
            else
                fail(end);
        }
    }

private:
    void spend(double to, Work& work)
    {
        while (m_now < to) {
            if (m_now >= m_until) {
                const double share = static_cast<double>(m_present) / m_r.count;
                work.useful += (to - m_now) * share;
                work.away += (to - m_now) * (1.0 - share);
                m_now = to;
                return;
            }
            // Which part of the stall, by the time since the last failure.
            const double start = m_until - m_stall;
            std::size_t part = 0;
            while (part < 3 && m_now - start >= m_bounds[part] - 1e-12)
                ++part;
            double until = std::min(to, start + m_bounds[part]);
            if (until <= m_now) // a part of no length, or the rounding of one
                until = std::min(to, m_until);
            work.stalled[part] += until - m_now;
            m_now = until;
        }
    }

    void comeBack()
    {
        m_present += m_away.top().second;
        m_away.pop();
        draw();
    }

    void fail(double end)
    {
        const double one = m_r.rate.si() * static_cast<double>(m_present) / m_r.count;
        const double domain = m_r.domains.si();
        ++failures;
        ago.push_back(end - m_now);
        m_until = m_now + m_stall;
        const bool single = m_random.unit() * (one + domain) < one;
        // A domain only takes those of its replicas that are there.
        long long lost = 1;
        if (!single) {
            lost = 0;
            const double there = static_cast<double>(m_present) / m_r.count;
            for (double i = 0; i < m_r.domainReplicas; i += 1.0)
                if (m_random.unit() < std::min(1.0, m_r.domainReplicas - i) * there)
                    ++lost;
            lost = std::min(lost, m_present);
        }
        m_present -= lost;
        const double away = single ? m_r.away.si() : m_r.domainAway.si();
        if (lost > 0)
            m_away.emplace(m_now + std::max(away, m_stall), lost);
        draw();
    }

    /// The next failure; memoryless, so it may be drawn anew whenever the rate changes.
    void draw()
    {
        const double rate =
            m_r.rate.si() * static_cast<double>(m_present) / m_r.count + m_r.domains.si();
        m_next = rate > 0.0 ? m_now + m_random.exponential(1.0 / rate) : kNever;
    }

    using Return = std::pair<double, long long>;
    const Replicas<double>& m_r;
    RandomStream& m_random;
    long long m_present;
    double m_stall;
    std::array<double, 4> m_bounds;
    std::priority_queue<Return, std::vector<Return>, std::greater<>> m_away;
    double m_now = 0;
    double m_next = 0;
    double m_until = -1;
};

/// Pauses that come on the clock of the process, each of its own kind.
class PauseClock
{
public:
    PauseClock(const Pauses<double>& p, RandomStream& random) : m_p(p), m_random(random)
    {
        // The run starts somewhere between two checks.
        const double phase = random.unit();
        if (p.checkInterval.si() > 0.0 && p.check.si() > 0.0)
            m_check = phase * p.checkInterval.si();
        if (p.subHealthy.si() > 0.0)
            m_found = phase * p.untilFound.si();
        m_straggler = after(stragglerRate(), 0.0);
        m_corruption = after(p.corruption.si(), 0.0);
        m_fragmentation = after(fragmentationRate(), 0.0);
        setNext();
    }

    [[nodiscard]] double next() const { return m_next; }

    /// Plays the pause that is due, and hands out its kind, its length, and whether it takes a node
    /// out.
    template <class Emit>
    void play(const Emit& emit)
    {
        const double now = m_next;
        if (now == m_found) {
            findSlow(emit);
            m_found += m_p.untilFound.si();
        } else if (now == m_check) {
            emit(Activity::HealthChecks, m_p.check.si(), false);
            m_check += m_p.checkInterval.si();
        } else if (now == m_straggler) {
            emit(Activity::Stragglers, kEpisode * (m_p.stragglerSlowdown - 1.0), false);
            m_straggler = after(stragglerRate(), now);
        } else if (now == m_corruption) {
            emit(Activity::Corruption, m_p.corruptionCost.si(), false);
            m_corruption = after(m_p.corruption.si(), now);
        } else {
            emit(Activity::Fragmentation, kEpisode, false);
            m_fragmentation = after(fragmentationRate(), now);
        }
        setNext();
    }

private:
    /// A node that turned slow since the last look has stretched the time from then on.
    template <class Emit>
    void findSlow(const Emit& emit)
    {
        const double since = m_random.exponential(1.0 / m_p.subHealthy.si());
        if (since >= m_p.untilFound.si())
            return;
        emit(Activity::Stragglers, (m_p.untilFound.si() - since) * (m_p.subHealthySlowdown - 1.0),
             false);
        emit(Activity::HealthChecks, m_p.planned.si(), true);
    }
    [[nodiscard]] double stragglerRate() const
    {
        return m_p.stragglerSlowdown > 1.0 ? m_p.stragglerShare / kEpisode : 0.0;
    }
    [[nodiscard]] double fragmentationRate() const
    {
        return m_p.fragmentation / std::max(1.0 - m_p.fragmentation, 1e-9) / kEpisode;
    }
    [[nodiscard]] double after(double rate, double now) const
    {
        return rate > 0.0 ? now + m_random.exponential(1.0 / rate) : kNever;
    }
    void setNext()
    {
        m_next = std::min({m_found, m_check, m_straggler, m_corruption, m_fragmentation});
    }

    const Pauses<double>& m_p;
    RandomStream& m_random;
    double m_check = kNever;
    double m_found = kNever;
    double m_straggler = kNever;
    double m_corruption = kNever;
    double m_fragmentation = kNever;
    double m_next = kNever;
};

/// Time of the process over that of the wall while the job does not wait for repair.
double wallShare(const Process<double>& p)
{
    const Shares<double> s = sharesOf(p);
    const double goesOn = 1.0 - s.repairWait;
    const double paused = s.healthChecks + s.corruption + s.fragmentation + s.stragglers;
    return goesOn > 0.0 ? std::clamp((goesOn - paused) / goesOn, 0.0, 1.0) : 1.0;
}

/// One run. Work and saves stay on trial until the deepest tier has them for good.
class Player
{
public:
    Player(const Process<double>& process, std::uint64_t seed, std::uint64_t run, double mostEvents,
           Story* story)
        : m_p(process), m_most(mostEvents), m_random(seed, run), m_pauses(process.pauses, m_random),
          m_story(story)
    {
        if (process.apart)
            m_replicas.emplace(process.replicas, m_random);
        m_failure = m_random.exponential(process.mean.si());
        for (std::size_t i = 0; i < process.tiers.size(); ++i)
            m_longestLag = std::max(m_longestLag, lagOf(process, i).si());
        fillRepairs();
    }

    SimulatedRun result;

    /// One segment of the first tier with its saves, or what a failure makes of it. Answers true
    /// where it ended a period of the deepest tier.
    bool segment()
    {
        const double tau = m_p.tiers.front().interval.si();
        const std::size_t saves = savesDue();
        double blocking = 0;
        for (std::size_t i = 0; i < saves; ++i)
            blocking += m_p.tiers[i].blocking.si();
        if (m_failure < m_now + tau + blocking) {
            const double worked = std::min(tau, m_failure - m_now);
            work(worked);
            spend(Activity::Save, m_failure - m_now, true);
            fail();
            return false;
        }
        work(tau);
        spend(Activity::Save, blocking, true);
        saved(saves);
        return saves == m_p.tiers.size();
    }

    [[nodiscard]] double events() const { return m_events; }
    [[nodiscard]] double wall() const { return result.wall; }
    /// Segments done, those on trial too.
    [[nodiscard]] double segments() const { return m_segments; }
    /// Saves drain for long enough that failures find them at it.
    [[nodiscard]] bool drains() const { return m_longestLag > 1e-6 * m_p.mean.si(); }

    /// Counts from here on, what is on trial with it.
    void startCounting()
    {
        // Repairs end on the clock of the wall, which starts anew.
        decltype(m_repairs) repairs;
        for (; !m_repairs.empty(); m_repairs.pop())
            repairs.push(m_repairs.top() - result.wall);
        m_repairs = std::move(repairs);
        result = {};
        if (m_replicas)
            m_replicas->failures = 0;
    }

    /// What is on trial counts as done: for a run that is cut.
    void keepAll()
    {
        keep(m_saved.size());
        count(m_current);
        m_current = {};
    }
    [[nodiscard]] double failures() const
    {
        return result.failures + (m_replicas ? m_replicas->failures : 0.0);
    }

private:
    struct Trial
    {
        Work work;
        double save = 0;

        void add(const Trial& t)
        {
            work.add(t.work);
            save += t.save;
        }
    };

    /// Segments that were done, with the saves after the last of them.
    struct Segment
    {
        Trial trial;
        double count = 1;
        std::size_t tiers = 0;    ///< that saved: so many from the first
        std::size_t restored = 0; ///< tiers that have been restored to its end
        double at = 0;            ///< when it was saved
        std::size_t told = 0;     ///< stretches of the story by then
    };

    /// Tiers that save after this segment: the first always, the next after so many of it.
    [[nodiscard]] std::size_t savesDue() const
    {
        const double done = segments() + 1.0;
        double period = 1.0;
        std::size_t tiers = 1;
        while (tiers < m_p.tiers.size()) {
            period *= std::max(m_p.tiers[tiers].every, 1.0);
            if (std::fmod(done, period) > 0.5)
                break;
            ++tiers;
        }
        return tiers;
    }

    void saved(std::size_t saves)
    {
        m_saved.push_back(
            {m_current, 1, saves, 0, m_now, m_story != nullptr ? m_story->stretches.size() : 0});
        m_current = {};
        m_segments += 1.0;
        constexpr std::size_t kMany = 64;
        if (m_saved.size() > kMany && std::fmod(m_segments, kMany) < 0.5)
            join();
        if (saves < m_p.tiers.size())
            return;
        // What no failure can undo any more.
        std::size_t keeps = m_saved.size();
        while (keeps > 0 && !(m_saved[keeps - 1].tiers == m_p.tiers.size() &&
                              m_saved[keeps - 1].at + m_longestLag <= m_now))
            --keeps;
        keep(keeps);
    }

    /// Puts segments together whose ends no failure goes back to any more.
    void join()
    {
        std::vector<Segment> rest;
        for (Segment& s : m_saved) {
            while (!rest.empty() && s.at + m_longestLag <= m_now &&
                   std::max(rest.back().tiers, rest.back().restored) <= s.tiers) {
                s.trial.add(rest.back().trial);
                s.count += rest.back().count;
                rest.pop_back();
            }
            rest.push_back(s);
        }
        m_saved = std::move(rest);
    }

    /// The first so many of those on trial are done.
    void keep(std::size_t segments)
    {
        const auto end = m_saved.begin() + static_cast<std::ptrdiff_t>(segments);
        for (auto s = m_saved.begin(); s != end; ++s)
            count(s->trial);
        if (segments > 0)
            m_keptTold = std::prev(end)->told;
        m_saved.erase(m_saved.begin(), end);
    }

    void count(const Trial& t)
    {
        add(Activity::Useful, t.work.useful);
        add(Activity::ReplicasAway, t.work.away);
        add(Activity::Detection, t.work.stalled[0]);
        add(Activity::StartUp, t.work.stalled[1]);
        add(Activity::Restore, t.work.stalled[2]);
        add(Activity::WarmUp, t.work.stalled[3]);
        add(Activity::Save, t.save);
    }

    void add(Activity a, double seconds) { result.seconds[indexOf(a)] += seconds; }

    /// The tier that a failure is served by.
    std::size_t drawTier()
    {
        double u = m_random.unit();
        for (std::size_t i = 0; i + 1 < m_p.tiers.size(); ++i) {
            if (u < m_p.tiers[i].serves)
                return i;
            u -= m_p.tiers[i].serves;
        }
        return m_p.tiers.size() - 1;
    }

    /// Whether a segment's save can be restored from the tier by now.
    [[nodiscard]] bool holds(const Segment& s, std::size_t tier) const
    {
        return s.restored > tier || (s.tiers > tier && s.at + lagOf(m_p, tier).si() <= m_now);
    }

    void undo(std::size_t tier)
    {
        lose(m_current);
        m_current = {};
        while (!m_saved.empty() && !holds(m_saved.back(), tier)) {
            lose(m_saved.back().trial);
            m_segments -= m_saved.back().count;
            m_saved.pop_back();
        }
        const std::size_t from = m_saved.empty() ? m_keptTold : m_saved.back().told;
        if (!m_saved.empty())
            m_saved.back().restored = std::max(m_saved.back().restored, tier + 1);
        if (m_story == nullptr)
            return;
        auto& told = m_story->stretches;
        for (std::size_t i = from; i < told.size(); ++i)
            if (told[i].activity == Activity::Useful)
                told[i].activity = Activity::LostProgress;
        (m_saved.empty() ? m_keptTold : m_saved.back().told) = told.size();
    }

    void lose(const Trial& t) { add(Activity::LostProgress, t.work.all() + t.save); }

    void fail()
    {
        std::size_t tier = 0;
        bool again = true;
        while (again && m_events < m_most) {
            interrupt();
            ++m_events;
            tier = std::max(tier, drawTier());
            if (m_p.pauses.domainShare > 0.0 && m_random.unit() < m_p.pauses.domainShare)
                pause(Activity::RepairWait, m_p.pauses.wait.si());
            if (m_p.spares.nodeShare > 0.0 && m_random.unit() < m_p.spares.nodeShare)
                takeOut();
            m_failure = m_now + m_random.exponential(m_p.mean.si());
            undo(tier);
            again = !restarted(m_p.restart[tier]);
        }
    }

    void interrupt()
    {
        ++result.failures;
        if (m_story != nullptr)
            m_story->failures.push_back(result.wall);
    }

    /// A node goes to repair; the job waits while more are there than there are spares.
    void takeOut()
    {
        if (!(m_p.spares.nodeShare > 0.0))
            return;
        m_repairs.push(result.wall + m_p.spares.repair.si());
        while (!m_repairs.empty() && m_repairs.top() <= result.wall)
            m_repairs.pop();
        while (static_cast<double>(m_repairs.size()) > m_p.spares.nodes) {
            pause(Activity::RepairWait, m_repairs.top() - result.wall);
            m_repairs.pop();
        }
    }

    /// As many nodes are under repair at the start as at any other time at which the job goes on.
    void fillRepairs()
    {
        const double repair = m_p.spares.repair.si();
        const double rate = m_p.spares.nodeShare / m_p.mean.si() * wallShare(m_p);
        if (!(rate * repair > 0.0))
            return;
        constexpr double kMostNodes = 1e5;
        constexpr int kTries = 50;
        const double from = -std::min(repair, kMostNodes / rate);
        for (int i = 0; i < kTries; ++i) {
            m_repairs = {};
            for (double at = from + m_random.exponential(1.0 / rate); at < 0.0;
                 at += m_random.exponential(1.0 / rate))
                m_repairs.push(at + repair);
            if (static_cast<double>(m_repairs.size()) <= m_p.spares.nodes)
                return;
        }
        while (static_cast<double>(m_repairs.size()) > m_p.spares.nodes)
            m_repairs.pop();
    }

    bool restarted(const RestartParts<double>& r)
    {
        const std::pair<Activity, double> parts[] = {
            {Activity::Detection, r.detect.si()},
            {Activity::StartUp, (r.reschedule + r.start).si()},
            {Activity::Restore, r.restore.si()},
            {Activity::WarmUp, r.warmUp.si()}};
        for (const auto& [activity, length] : parts) {
            const double until = std::min(m_now + length, m_failure);
            const bool cut = m_failure < m_now + length;
            spend(activity, until - m_now, false);
            if (cut)
                return false;
        }
        return true;
    }

    /// Work of the process clock, on trial.
    void work(double seconds)
    {
        passing(seconds, [&](double part) {
            Work w;
            if (m_replicas)
                advance(part, w);
            else
                w.useful = part;
            m_current.work.add(w);
            tell(Activity::Useful, part, part > 0.0 ? w.useful / part : 1.0);
        });
    }

    void advance(double part, Work& w)
    {
        m_replicas->advance(part, w);
        if (m_story != nullptr)
            for (const double ago : m_replicas->ago)
                m_story->failures.push_back(result.wall + part - ago);
    }

    void spend(Activity activity, double seconds, bool onTrial)
    {
        passing(seconds, [&](double part) {
            Work ignored;
            if (m_replicas)
                advance(part, ignored);
            if (onTrial)
                m_current.save += part;
            else
                add(activity, part);
            tell(activity, part, 0.0);
        });
    }

    /// Lets time of the process pass, with the pauses that fall into it.
    template <class Do>
    void passing(double seconds, const Do& act)
    {
        ++m_events;
        const double end = m_now + std::max(seconds, 0.0);
        while (m_pauses.next() < end) {
            act(m_pauses.next() - m_now);
            m_now = m_pauses.next();
            m_pauses.play([this](Activity a, double length, bool node) {
                if (a == Activity::Corruption)
                    interrupt();
                pause(a, length);
                if (node)
                    takeOut();
            });
            ++m_events;
        }
        act(end - m_now);
        m_now = end;
    }

    void pause(Activity activity, double seconds)
    {
        add(activity, seconds);
        tell(activity, seconds, 0.0);
    }

    void tell(Activity activity, double seconds, double rate)
    {
        if (m_story != nullptr && seconds > 0.0)
            m_story->stretches.push_back({result.wall, result.wall + seconds, activity, rate});
        result.wall += seconds;
    }

    const Process<double>& m_p;
    double m_most;
    RandomStream m_random;
    PauseClock m_pauses;
    std::optional<ReplicaClock> m_replicas;
    Story* m_story;
    Trial m_current;              ///< of the segment at work
    std::vector<Segment> m_saved; ///< on trial until the deepest tier has them for good
    double m_segments = 0;        ///< done, these with it
    std::size_t m_keptTold = 0;
    double m_longestLag = 0;
    std::priority_queue<double, std::vector<double>, std::greater<>> m_repairs; ///< their ends
    double m_now = 0;
    double m_failure = 0;
    double m_events = 0;
};

/// The ratio of two sums over the runs, and its 95% interval.
template <class Top, class Bottom>
Estimate ratioOf(const std::vector<SimulatedRun>& runs, const Top& top, const Bottom& bottom)
{
    double a = 0;
    double b = 0;
    for (const SimulatedRun& r : runs) {
        a += top(r);
        b += bottom(r);
    }
    const double n = static_cast<double>(runs.size());
    const double ratio = b > 0 ? a / b : 0.0;
    double squares = 0;
    for (const SimulatedRun& r : runs) {
        const double d = top(r) - ratio * bottom(r);
        squares += d * d;
    }
    constexpr double kNormal95 = 1.959964;
    const double half =
        n > 1 && b > 0 ? kNormal95 * std::sqrt(squares / (n - 1) / n) / (b / n) : 0.0;
    return {ratio, ratio - half, ratio + half};
}

void summarize(Simulation& s, double work)
{
    const auto useful = [](const SimulatedRun& r) {
        return r.of(Activity::Useful);
    };
    const auto wall = [](const SimulatedRun& r) {
        return r.wall;
    };
    s.goodput = ratioOf(s.runs, useful, wall);
    s.interruptions = ratioOf(
        s.runs, [](const SimulatedRun& r) { return r.failures * kDay; }, wall);
    std::vector<double> days;
    double all = 0;
    for (const SimulatedRun& r : s.runs) {
        all += r.wall;
        s.cut = s.cut || r.cut;
        // The work a run did is a whole number of periods: its days are those of the plan's work.
        const double goodput = std::max(r.of(Activity::Useful) / r.wall, 1e-300);
        days.push_back(work / goodput / kDay);
        for (std::size_t i = 0; i < kActivityCount; ++i)
            s.shares[i] += r.seconds[i];
    }
    for (double& share : s.shares)
        share /= all;
    s.days = {work / kDay / std::max(s.goodput.mean, 1e-300),
              work / kDay / std::max(s.goodput.high, 1e-300),
              work / kDay / std::max(s.goodput.low, 1e-300)};
    std::sort(days.begin(), days.end());
    const auto at = [&days](double p) {
        const auto i = static_cast<std::size_t>(p * static_cast<double>(days.size()));
        return days[std::min(i, days.size() - 1)];
    };
    s.earliest = at(0.1);
    s.latest = at(0.9);
}

/// Adds a part of a run to it, stretched.
void add(const SimulatedRun& part, double stretch, SimulatedRun& whole)
{
    for (std::size_t i = 0; i < kActivityCount; ++i)
        whole.seconds[i] += part.seconds[i] * stretch;
    whole.wall += part.wall * stretch;
    whole.failures += part.failures * stretch;
    whole.cut = whole.cut || part.cut;
}

SimulatedRun playLeg(const Leg& leg, std::uint64_t seed, std::uint64_t run, double mostEvents)
{
    double segments = 1;
    for (std::size_t i = 1; i < leg.process.tiers.size(); ++i)
        segments *= std::max(leg.process.tiers[i].every, 1.0);
    const double period = leg.process.tiers.front().interval.si() * segments;
    double wanted = segments * std::max(1.0, std::round(leg.work / period));
    Player player(leg.process, seed, run, mostEvents, nullptr);
    const auto playTo = [&](double end) {
        while (player.segments() < end && player.events() < mostEvents)
            player.segment();
        return player.segments() >= end;
    };
    bool done = true;
    bool between = false;
    if (player.drains()) {
        // From one save of the deepest tier to another, each of which still drains.
        done = playTo(segments);
        if (done && player.events() < mostEvents / 2) {
            player.startCounting();
            wanted += segments;
            between = true;
        }
    }
    done = done && playTo(wanted);
    player.result.cut = !done;
    // Played from the start, the last save is the end of the run: nothing undoes it.
    if (!done || !between)
        player.keepAll();
    player.result.failures = player.failures();
    return player.result;
}

} // namespace

std::string_view nameOf(Activity activity)
{
    static constexpr std::array<std::string_view, kActivityCount> kNames{
        "useful",        "save",        "lost_progress", "detection",     "start_up",
        "restore",       "warm_up",     "stragglers",    "health_checks", "corruption",
        "replicas_away", "repair_wait", "fragmentation"};
    return kNames[static_cast<std::size_t>(activity)];
}

Simulation simulate(const std::vector<Leg>& legs, int runs, std::uint64_t seed,
                    const SimulationProgress& progress, double mostEvents)
{
    double work = 0;
    for (const Leg& leg : legs)
        work += leg.work;
    Simulation s;
    s.runs.reserve(static_cast<std::size_t>(runs));
    for (int i = 0; i < runs; ++i) {
        SimulatedRun whole;
        for (std::size_t j = 0; j < legs.size(); ++j) {
            const SimulatedRun part =
                playLeg(legs[j], seed + j * kLegSeed, static_cast<std::uint64_t>(i), mostEvents);
            // Whole periods were played: a leg counts by its work.
            const double useful = part.of(Activity::Useful);
            add(part, legs.size() > 1 && useful > 0 ? legs[j].work / useful : 1.0, whole);
        }
        s.runs.push_back(whole);
        if (progress && !progress(i + 1))
            break;
    }
    summarize(s, work);
    return s;
}

Simulation simulate(const Process<double>& process, double work, int runs, std::uint64_t seed,
                    const SimulationProgress& progress, double mostEvents)
{
    return simulate({Leg{process, work}}, runs, seed, progress, mostEvents);
}

Story tellRun(const Process<double>& process, double seconds, std::uint64_t seed)
{
    constexpr double kHour = 3600.0;
    constexpr double kMostEvents = 3e5;
    Story story;
    Player player(process, seed, 0, kMostEvents, &story);
    while (player.wall() < seconds && player.events() < kMostEvents)
        player.segment();
    const double end = std::min(seconds, player.wall());
    while (!story.stretches.empty() && story.stretches.back().begin >= end)
        story.stretches.pop_back();
    if (!story.stretches.empty())
        story.stretches.back().end = std::min(story.stretches.back().end, end);
    while (!story.failures.empty() && story.failures.back() >= end)
        story.failures.pop_back();
    story.hours.assign(static_cast<std::size_t>(std::ceil(end / kHour)), 0.0);
    double useful = 0;
    for (const Stretch& s : story.stretches) {
        if (s.activity != Activity::Useful)
            continue;
        useful += (s.end - s.begin) * s.rate;
        for (double at = s.begin; at < s.end;) {
            const auto hour = static_cast<std::size_t>(at / kHour);
            const double to = std::min(s.end, kHour * static_cast<double>(hour + 1));
            if (hour < story.hours.size())
                story.hours[hour] += (to - at) * s.rate / kHour;
            if (!(to > at))
                break;
            at = to;
        }
    }
    story.goodput = end > 0 ? useful / end : 0.0;
    return story;
}

} // namespace cw::run
