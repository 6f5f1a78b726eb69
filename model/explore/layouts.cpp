// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/explore/layouts.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include "model/evaluation/evaluation.h"
#include "model/scenario/domainfit.h"
#include "model/schedule/legality.h"

namespace cw::explore {

using evaluation::Evaluation;
using scenario::Scenario;

namespace {

constexpr double kLargestBatch = 4; ///< in critical batches
constexpr std::int64_t kMostStages = 512;
constexpr std::int64_t kMostExperts = 4096;
constexpr std::size_t kFinalists = 4; ///< layouts that are tried with other schedules

std::int64_t layersOf(const scenario::Model& model)
{
    std::int64_t layers = 0;
    for (const scenario::LayerGroup& g : model.groups)
        layers += g.count;
    return layers;
}

/// Powers of two up to `most`, and the planner's own.
std::vector<std::int64_t> degrees(std::int64_t most, std::int64_t own)
{
    std::vector<std::int64_t> list;
    for (std::int64_t d = 1; d <= most; d *= 2)
        list.push_back(d);
    if (own <= most && std::find(list.begin(), list.end(), own) == list.end())
        list.push_back(own);
    return list;
}

/// Degrees of context parallelism: one, the planner's own, and powers of two that leave each rank
/// kLeastContext tokens of a sequence; shorter pieces are all communication.
std::vector<std::int64_t> contextDegrees(const Scenario& plan)
{
    constexpr std::int64_t kLeastContext = 4096;
    constexpr std::int64_t kMostContext = 64;
    const std::int64_t most = std::min(kMostContext, plan.workload.sequenceLength / kLeastContext);
    std::vector<std::int64_t> list = degrees(std::max<std::int64_t>(most, 1), 1);
    const std::int64_t own = plan.parallelism.context;
    if (std::find(list.begin(), list.end(), own) == list.end())
        list.push_back(own);
    return list;
}

/// Degrees of expert parallelism: powers of two that divide the experts, one rank for each expert,
/// and the planner's own.
std::vector<std::int64_t> expertDegrees(const Scenario& plan)
{
    std::int64_t common = 0;
    for (const scenario::LayerGroup& g : plan.model.groups)
        if (g.ffn.kind == scenario::FfnKind::Moe)
            common = std::gcd(common, g.ffn.experts);
    if (common == 0)
        return {1};
    std::vector<std::int64_t> list;
    for (const std::int64_t d : degrees(std::min(common, kMostExperts), plan.parallelism.expert))
        if (common % d == 0)
            list.push_back(d);
    if (list.back() != common && common <= kMostExperts)
        list.push_back(common);
    return list;
}

bool recomputesAll(const Scenario& s)
{
    const auto& list = s.parallelism.recompute;
    return std::find(list.begin(), list.end(), scenario::Recompute::Full) != list.end();
}

/// The most replicas that the chips and the expert groups allow; 0 where there is none.
std::int64_t dataDegree(const Scenario& s)
{
    const scenario::Parallelism& p = s.parallelism;
    const std::int64_t ranks = p.tensor * p.context;
    const auto most = static_cast<std::int64_t>(scenario::mostReplicas(s));
    // tensor x context x data is a multiple of expert x expert tensor.
    const std::int64_t group = p.expert * p.expertTensor;
    const std::int64_t step = group / std::gcd(group, ranks);
    return most / step * step;
}

/// Every layout without its batch, in a fixed order.
std::vector<Scenario> layoutsOf(const Scenario& plan)
{
    const scenario::Parallelism& own = plan.parallelism;
    const std::int64_t domain = std::max<std::int64_t>(plan.cluster.network.scaleUp.chips, 8);
    std::vector<std::int64_t> micro{1, 2};
    if (own.microBatchSequences > 2)
        micro.push_back(own.microBatchSequences);
    std::vector<std::vector<scenario::Recompute>> recompute{own.recompute};
    if (!recomputesAll(plan))
        recompute.push_back({scenario::Recompute::Full});
    std::vector<std::pair<std::int64_t, std::int64_t>> groups;
    for (const std::int64_t context : contextDegrees(plan))
        for (const std::int64_t expert : expertDegrees(plan))
            groups.emplace_back(context, expert);
    std::vector<Scenario> all;
    Scenario s = plan;
    s.parallelism.stageLayers.clear();
    s.parallelism.data.reset();
    s.parallelism.shardingGroup.reset();
    for (const std::int64_t pipeline :
         degrees(std::min(layersOf(plan.model), kMostStages), own.pipeline))
        for (const std::int64_t tensor : degrees(std::min<std::int64_t>(domain, 64), own.tensor))
            for (const auto& [context, expert] : groups) {
                s.parallelism.context = context;
                s.parallelism.pipeline = pipeline;
                s.parallelism.tensor = tensor;
                s.parallelism.expert = expert;
                s.parallelism.schedule = own.schedule;
                s.parallelism.virtualStages = own.virtualStages;
                // What needs stages has nothing to do with one.
                if (pipeline == 1 ||
                    pipeline * scenario::chunksOf(s.parallelism) > layersOf(plan.model)) {
                    s.parallelism.schedule = scenario::Schedule::OneFOneB;
                    s.parallelism.virtualStages = 1;
                }
                const std::int64_t data = dataDegree(s);
                if (data < 1)
                    continue;
                for (const std::int64_t b : micro)
                    for (const auto& again : recompute) {
                        s.parallelism.microBatchSequences = b;
                        s.parallelism.recompute = again;
                        all.push_back(s);
                        all.back().parallelism.data = data;
                    }
            }
    return all;
}

/// The least number of micro batches, at least `wanted`, that the schedule takes.
std::int64_t legalSteps(const Scenario& s, std::int64_t wanted)
{
    const scenario::Parallelism& p = s.parallelism;
    for (std::int64_t m = wanted; m < wanted + 4 * p.pipeline + 4; ++m)
        if (schedule::legality(p.schedule, p.pipeline, p.virtualStages, m).empty())
            return m;
    return wanted;
}

void setSteps(Scenario& s, std::int64_t steps)
{
    s.workload.globalBatchSequences =
        *s.parallelism.data * s.parallelism.microBatchSequences * steps;
}

double batchTokens(const Scenario& s)
{
    return static_cast<double>(s.workload.globalBatchSequences) *
           static_cast<double>(s.workload.sequenceLength);
}

bool fits(const Evaluation& e)
{
    return e.violations.empty() && e.memory.verdict == memory::Verdict::Fits;
}

/// One layout with its best batch.
struct Tried
{
    std::int64_t steps = 0; ///< micro batches; 0: does not fit or is not legal
    double tokens = 0;
    double worth = 0;
    double share = 0;
    std::size_t evaluated = 0;
};

Tried tryBatches(Scenario s, double critical)
{
    Tried best;
    for (std::int64_t m = legalSteps(s, 1);; m = legalSteps(s, 2 * m)) {
        setSteps(s, m);
        const double batch = batchTokens(s);
        if (best.evaluated > 0 && batch > kLargestBatch * critical)
            return best;
        const Evaluation e = evaluation::evaluateCore(s);
        ++best.evaluated;
        // More micro batches hold no less, and divide no better.
        if (!fits(e))
            return best;
        const double tokens = e.throughput.tokens.si();
        const double worth = tokens / (1 + batch / critical);
        if (worth > best.worth) {
            best.steps = m;
            best.tokens = tokens;
            best.worth = worth;
            best.share = e.memory.reserved / e.memory.usable;
        } else if (best.steps > 0) {
            return best; // past the top: the batch costs more than the bubble
        }
    }
}

/// Calls `work(i)` for each i below `count`, on several threads.
template <class Work>
void forEach(std::size_t count, unsigned threads, const Work& work)
{
    std::atomic<std::size_t> next{0};
    const auto run = [&] {
        for (std::size_t i = next++; i < count; i = next++)
            work(i);
    };
    std::vector<std::thread> others;
    for (unsigned t = 1; t < std::min<std::size_t>(threads, count); ++t)
        others.emplace_back(run);
    run();
    for (std::thread& t : others)
        t.join();
}

/// The layout with the other schedules that it has the stages and layers for.
std::vector<Scenario> otherSchedules(const Scenario& layout)
{
    using scenario::Schedule;
    std::vector<Scenario> list;
    const scenario::Parallelism& own = layout.parallelism;
    if (own.pipeline < 2)
        return list;
    for (std::size_t i = 0; i < scenario::EnumNames<Schedule>::value.size(); ++i) {
        const auto schedule = static_cast<Schedule>(i);
        const bool interleaved = schedule == Schedule::Interleaved;
        for (const std::int64_t v : {interleaved ? 2 : 1, interleaved ? 4 : 0}) {
            if (v == 0 || (schedule == own.schedule && v == own.virtualStages))
                continue;
            Scenario s = layout;
            s.parallelism.schedule = schedule;
            s.parallelism.virtualStages = v;
            if (own.pipeline * scenario::chunksOf(s.parallelism) <= layersOf(layout.model))
                list.push_back(std::move(s));
        }
    }
    return list;
}

std::vector<Tried> tryAll(const std::vector<Scenario>& all, const LayoutSearch& search)
{
    std::vector<Tried> tried(all.size());
    forEach(all.size(), search.threads,
            [&](std::size_t i) { tried[i] = tryBatches(all[i], search.criticalBatchTokens); });
    return tried;
}

/// The layouts that fit, the best first; of equals the first.
std::vector<std::size_t> ranked(const std::vector<Tried>& tried)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < tried.size(); ++i)
        if (tried[i].steps > 0)
            order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return tried[a].worth > tried[b].worth; });
    return order;
}

} // namespace

LayoutSearched bestLayout(const Scenario& plan, const LayoutSearch& search)
{
    std::vector<Scenario> all = layoutsOf(plan);
    std::vector<Tried> tried = tryAll(all, search);
    LayoutSearched found;
    const std::vector<std::size_t> first = ranked(tried);
    // Schedules change less than degrees do: only the best layouts are tried with the others.
    for (std::size_t i = 0; i < std::min(kFinalists, first.size()); ++i)
        for (Scenario& s : otherSchedules(all[first[i]]))
            all.push_back(std::move(s));
    const std::vector<Scenario> others(all.begin() + static_cast<std::ptrdiff_t>(tried.size()),
                                       all.end());
    for (const Tried& t : tryAll(others, search))
        tried.push_back(t);
    for (const Tried& t : tried)
        found.evaluated += t.evaluated;
    const std::vector<std::size_t> order = ranked(tried);
    if (order.empty())
        return found;
    const std::size_t best = order.front();
    found.best = LayoutFound{all[best], tried[best].tokens, tried[best].worth, tried[best].share};
    setSteps(found.best->plan, tried[best].steps);
    return found;
}

bool anyLayoutFits(const Scenario& plan, unsigned threads, std::size_t& evaluated)
{
    const std::vector<Scenario> all = layoutsOf(plan);
    std::atomic<bool> any{false};
    // How many are evaluated before the first that fits hangs on the threads: counted as offered.
    evaluated += all.size();
    forEach(all.size(), threads, [&](std::size_t i) {
        if (any.load(std::memory_order_relaxed))
            return;
        Scenario s = all[i];
        setSteps(s, legalSteps(s, s.parallelism.pipeline));
        if (fits(evaluation::evaluateCore(s)))
            any.store(true, std::memory_order_relaxed);
    });
    return any;
}

} // namespace cw::explore
