// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/schedule/timeline.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>

#include "model/schedule/graph.h"

namespace cw::schedule {

struct Workspace::State
{
    Schedule schedule = Schedule::Gpipe;
    int stages = 0; ///< 0: holds nothing yet
    int virtualStages = 0;
    int microBatches = 0;
    detail::Graph graph;
    std::vector<double> costs;
    std::vector<double> ends;    ///< of step i at i + 1; before it the end of "nothing"
    std::vector<double> devices; ///< when each becomes free
    std::vector<std::uint32_t> firstStep;
};

namespace {

using State = Workspace::State;

void check(Schedule schedule, int p, int v, int m, std::size_t costs)
{
    if (p < 1 || v < 1 || m < 1)
        throw std::invalid_argument("a pipeline needs stages, virtual stages and micro batches");
    if (passCount(schedule, p, v, m) > kMaxPasses)
        throw std::invalid_argument("too many passes for a timeline");
    if (costs !=
        static_cast<std::size_t>(p) * static_cast<std::size_t>(chunksPerDevice(schedule, v)))
        throw std::invalid_argument("a timeline takes one cost for each chunk of each device");
}

void prepare(State& state, Schedule schedule, int p, int v, int m, bool keepPasses)
{
    const bool same = state.schedule == schedule && state.stages == p && state.virtualStages == v &&
                      state.microBatches == m;
    if (same && !keepPasses)
        return;
    state.stages = 0;
    state.graph = detail::buildGraph(passOrder(schedule, p, v, m), schedule, p, v, m, keepPasses);
    state.ends.resize(state.graph.steps.size() + 1);
    state.devices.resize(static_cast<std::size_t>(p));
    state.firstStep.assign(static_cast<std::size_t>(p), 0);
    for (std::size_t i = state.graph.steps.size(); i-- > 0;)
        state.firstStep[state.graph.steps[i].device] = static_cast<std::uint32_t>(i);
    state.schedule = schedule;
    state.virtualStages = v;
    state.microBatches = m;
    state.stages = p;
}

void fillCosts(State& state, int p, int chunks, std::span<const StageCost> costs, double pairFactor)
{
    state.costs.clear();
    for (const StageCost& cost : costs)
        state.costs.insert(state.costs.end(), {cost.forward, cost.backwardInput + cost.weight,
                                               cost.backwardInput, cost.weight});
    if (chunks != 2)
        return;
    for (int d = 0; d < p; ++d) {
        for (std::size_t chunk = 0; chunk < 2; ++chunk) {
            const StageCost& f = costs[static_cast<std::size_t>(d) * 2 + chunk];
            const StageCost& b = costs[static_cast<std::size_t>(d) * 2 + 1 - chunk];
            state.costs.push_back((f.forward + b.backwardInput + b.weight) * pairFactor);
        }
    }
}

void execute(State& state, double sendTime)
{
    std::fill(state.devices.begin(), state.devices.end(), 0.0);
    double* ends = state.ends.data();
    double* devices = state.devices.data();
    const double* costs = state.costs.data();
    *ends++ = -std::numeric_limits<double>::infinity();
    const double* waits = state.ends.data();
    for (const detail::Step& step : state.graph.steps) {
        const double inputs = std::max(waits[step.waitForward], waits[step.waitBackward]);
        const double end = std::max(devices[step.device], inputs + sendTime) + costs[step.cost];
        devices[step.device] = end;
        *ends++ = end;
    }
}

double startOf(const State& state, std::size_t step)
{
    return state.ends[step + 1] - state.costs[state.graph.steps[step].cost];
}

double makespan(const State& state)
{
    return *std::max_element(state.devices.begin(), state.devices.end());
}

double stepTime(const State& state)
{
    if (!finishesAskew(state.schedule))
        return makespan(state);
    double longest = 0.0;
    for (std::size_t d = 0; d < state.devices.size(); ++d)
        longest = std::max(longest, state.devices[d] - startOf(state, state.firstStep[d]));
    return longest;
}

void keepBlocks(const State& state, Timeline& timeline)
{
    const auto devices = state.devices.size();
    std::vector<std::size_t> place(devices + 1);
    for (const detail::Step& step : state.graph.steps)
        ++place[step.device + 1];
    for (std::size_t d = 0; d < devices; ++d)
        place[d + 1] += place[d];
    timeline.blocks.resize(state.graph.steps.size());
    for (std::size_t i = 0; i < state.graph.steps.size(); ++i) {
        const std::uint32_t device = state.graph.steps[i].device;
        const Pass& pass = state.graph.passes[i];
        timeline.blocks[place[device]++] = {static_cast<int>(device), pass.chunk,
                                            pass.microBatch,          pass.kind,
                                            pass.backwardChunk,       pass.backwardMicroBatch,
                                            startOf(state, i),        state.ends[i + 1]};
    }
}

void addUp(const State& state, Timeline& timeline, double chunksOfStage)
{
    const auto devices = state.devices.size();
    timeline.busy.assign(devices, 0.0);
    timeline.peakInFlight.assign(devices, 0.0);
    std::vector<int> held(devices, 0);
    for (std::size_t i = 0; i < state.graph.steps.size(); ++i) {
        const detail::Step& step = state.graph.steps[i];
        const Kind kind = state.graph.passes[i].kind;
        timeline.busy[step.device] += state.costs[step.cost];
        if (kind == Kind::Forward || kind == Kind::ForwardBackward) {
            ++held[step.device];
            timeline.peakInFlight[step.device] =
                std::max(timeline.peakInFlight[step.device], held[step.device] / chunksOfStage);
        }
        if (kind == Kind::Backward || kind == Kind::Weight || kind == Kind::ForwardBackward)
            --held[step.device];
    }
}

} // namespace

Workspace::Workspace() : m_state(std::make_unique<State>())
{
}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

double passCount(Schedule schedule, double stages, double virtualStages, double microBatches)
{
    const double chunks = schedule == Schedule::Interleaved
                              ? virtualStages
                              : static_cast<double>(chunksPerMicroBatch(schedule, 1));
    return stages * chunks * microBatches * (splitsWeightGradient(schedule) ? 3.0 : 2.0);
}

Timeline simulate(Schedule schedule, int stages, int virtualStages, int microBatches,
                  std::span<const StageCost> costs, double sendTime, double pairFactor)
{
    check(schedule, stages, virtualStages, microBatches, costs.size());
    State state;
    prepare(state, schedule, stages, virtualStages, microBatches, true);
    fillCosts(state, stages, chunksPerDevice(schedule, virtualStages), costs, pairFactor);
    execute(state, sendTime);
    Timeline timeline;
    timeline.time = stepTime(state);
    timeline.makespan = makespan(state);
    keepBlocks(state, timeline);
    addUp(state, timeline, chunksPerMicroBatch(schedule, virtualStages));
    return timeline;
}

double simulateTime(Schedule schedule, int stages, int virtualStages, int microBatches,
                    std::span<const StageCost> costs, double sendTime, Workspace& workspace,
                    double pairFactor)
{
    check(schedule, stages, virtualStages, microBatches, costs.size());
    State& state = workspace.state();
    prepare(state, schedule, stages, virtualStages, microBatches, false);
    fillCosts(state, stages, chunksPerDevice(schedule, virtualStages), costs, pairFactor);
    execute(state, sendTime);
    return stepTime(state);
}

} // namespace cw::schedule
