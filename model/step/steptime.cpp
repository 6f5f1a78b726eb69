// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/step/steptime.h"

#include <algorithm>
#include <cmath>

#include "model/chip/roofline.h"
#include "model/network/fabric.h"
#include "model/scenario/lists.h"
#include "model/schedule/closedform.h"
#include "model/step/datacomm.h"
#include "model/transformer/stages.h"

namespace cw::step {

using explain::named;
using explain::Traced;
using explain::valueOf;
using network::GroupKind;
using scenario::Inputs;
using scenario::Layout;
using transformer::Layer;
using units::Bytes;
using units::Seconds;
using units::Unit;

namespace {

constexpr double kMostExecutedPasses = 100000;

template <class T>
void addPasses(StageTime<T>& to, const LayerPasses<T>& p, const T& count)
{
    to.forward.add(p.forward, count);
    to.backward.add(p.backward, count);
}

template <class T>
class StepBuilder
{
public:
    StepBuilder(const StepContext<T>& context, const std::vector<Layer<T>>& layers)
        : m_c(context), m_plan(context.in.plan()),
          m_slices(transformer::slicesOf(m_plan, context.layout.stages * context.layout.chunks))
    {
        for (std::size_t g = 0; g < layers.size(); ++g)
            m_groups.push_back(
                layerPasses(context, layers[g], m_plan.model.groups[g].ffn.nodeLimit));
        m_head = headPasses(context);
        m_projection = projectionPasses(context);
        for (const transformer::Slice& slice : m_slices)
            m_sliceTimes.push_back(sliceTime(slice));
    }

    void fill(StepTime<T>& step, PipelineTiming timing, TimelineInput* timeline);

private:
    StageTime<T> sliceTime(const transformer::Slice& slice) const;
    void limitRecompute(StageTime<T>& time, const transformer::Slice& slice) const;
    std::size_t sliceOn(std::int64_t device, int chunk) const;
    void addSends(StepTime<T>& step) const;
    bool even(const StepTime<T>& step) const;
    Seconds<T> pipelineTime(StepTime<T>& step, PipelineTiming timing,
                            TimelineInput* timeline) const;
    schedule::PassTimes<T> meanPasses(const StepTime<T>& step) const;
    TimelineInput costs(const StepTime<T>& step) const;

    const StepContext<T>& m_c;
    const scenario::Scenario& m_plan;
    std::vector<transformer::Slice> m_slices;
    std::vector<LayerPasses<T>> m_groups;
    LayerPasses<T> m_head;
    LayerPasses<T> m_projection;
    std::vector<StageTime<T>> m_sliceTimes;
};

/// Recomputation that covers only some layers of a stage costs only their share.
template <class T>
void StepBuilder<T>::limitRecompute(StageTime<T>& time, const transformer::Slice& slice) const
{
    if (!m_plan.parallelism.recomputeLayers)
        return;
    std::int64_t layers = 0;
    for (const std::int64_t n : slice.layers)
        layers += n;
    layers *= m_c.layout.chunks;
    if (layers == 0)
        return;
    const T share = m_c.in(m_plan.parallelism.recomputeLayers) / T(static_cast<double>(layers));
    if (!(share < T(1.0)))
        return;
    time.backward.recompute = share * time.backward.recompute;
    Repeated<T> part;
    part.add(time.backward.repeated, share);
    time.backward.repeated = part;
}

template <class T>
StageTime<T> StepBuilder<T>::sliceTime(const transformer::Slice& slice) const
{
    StageTime<T> time;
    for (std::size_t g = 0; g < m_groups.size(); ++g)
        if (slice.layers[g] > 0)
            addPasses(time, m_groups[g], T(static_cast<double>(slice.layers[g])));
    if (slice.mtp > 0) {
        const T count = T(static_cast<double>(slice.mtp));
        addPasses(time, m_groups.back(), count);
        addPasses(time, m_projection, count);
        addPasses(time, m_head, count);
    }
    if (slice.head)
        addPasses(time, m_head, T(1.0));
    limitRecompute(time, slice);
    return time;
}

template <class T>
std::size_t StepBuilder<T>::sliceOn(std::int64_t device, int chunk) const
{
    const auto& p = m_plan.parallelism;
    const int at =
        schedule::chunkPosition(p.schedule, static_cast<int>(device), chunk,
                                static_cast<int>(p.pipeline), static_cast<int>(p.virtualStages));
    return std::min(static_cast<std::size_t>(std::max(at, 0)), m_sliceTimes.size() - 1);
}

/// Part of each send shows as time of the stage; the rest is delay between stages.
template <class T>
void StepBuilder<T>::addSends(StepTime<T>& step) const
{
    const auto& group = m_c.placement[GroupKind::Pipeline];
    const Seconds<T> one =
        network::sendReceive(group, m_c.links[GroupKind::Pipeline], sendBytes(m_c));
    const T sends = T(
        2.0 * schedule::sendsPerMicroBatch(m_plan.parallelism.schedule,
                                           static_cast<double>(m_plan.parallelism.virtualStages)));
    step.pipelineCost = m_c.layout.microBatches * (sends * one);
    // Interleaved chunks send while the next one computes.
    T exposed = m_c.in(m_plan.software.constants.sendExposed);
    if (m_plan.parallelism.schedule == scenario::Schedule::Interleaved &&
        scenario::has(m_plan.software.overlap, scenario::Overlap::Pipeline))
        exposed = exposed * m_c.in.constant("constant.overlapped_sends", Unit::Share, 0.25);
    for (StageTime<T>& s : step.stages)
        s.send = exposed * (sends * one);
}

template <class T>
bool StepBuilder<T>::even(const StepTime<T>& step) const
{
    const double f = valueOf(step.stages.front().forward.total());
    const double b = valueOf(step.stages.front().backward.total());
    return std::all_of(step.stages.begin(), step.stages.end(), [&](const StageTime<T>& s) {
        return std::fabs(valueOf(s.forward.total()) - f) <= 1e-12 * f &&
               std::fabs(valueOf(s.backward.total()) - b) <= 1e-12 * b;
    });
}

template <class T>
TimelineInput StepBuilder<T>::costs(const StepTime<T>& step) const
{
    TimelineInput input;
    const auto& p = m_plan.parallelism;
    const int chunks = schedule::chunksPerDevice(p.schedule, static_cast<int>(p.virtualStages));
    const double perPass =
        valueOf(step.stages.front().send) /
        (2.0 * schedule::chunksPerMicroBatch(p.schedule, static_cast<int>(p.virtualStages)));
    for (std::int64_t d = 0; d < p.pipeline; ++d) {
        for (int c = 0; c < chunks; ++c) {
            const StageTime<T>& s = m_sliceTimes[sliceOn(d, c)];
            const double backward = valueOf(s.backward.total());
            const double weight = valueOf(s.backward.weight);
            input.costs.push_back(
                {valueOf(s.forward.total()) + perPass, backward - weight + perPass, weight});
        }
    }
    const double whole =
        valueOf(step.pipelineCost) / std::max(1.0, valueOf(m_c.layout.microBatches));
    const double sends =
        2.0 * schedule::sendsPerMicroBatch(p.schedule, static_cast<double>(p.virtualStages));
    input.send = (1.0 - m_plan.software.constants.sendExposed) * whole / sends;
    return input;
}

template <class T>
schedule::PassTimes<T> StepBuilder<T>::meanPasses(const StepTime<T>& step) const
{
    schedule::PassTimes<T> mean;
    for (const StageTime<T>& s : step.stages) {
        const Seconds<T> half = T(0.5) * s.send;
        mean.forward += s.forward.total() + half;
        mean.backward += s.backward.total() + half;
        mean.weight += s.backward.weight;
    }
    const T stages = m_c.layout.pipeline;
    return {mean.forward / stages, mean.backward / stages, mean.weight / stages};
}

template <class T>
Seconds<T> StepBuilder<T>::pipelineTime(StepTime<T>& step, PipelineTiming timing,
                                        TimelineInput* timeline) const
{
    const auto& p = m_plan.parallelism;
    const StageTime<T>& s = step.stages[step.slowest];
    const T m = m_c.layout.microBatches;
    const Seconds<T> work = m * (s.forward.total() + s.backward.total() + s.send);
    if (p.pipeline <= 1)
        return work;
    const schedule::Shape<T> shape{m_c.layout.pipeline, m_c.layout.virtualStages, m};
    const double passes = schedule::passCount(p.schedule, static_cast<double>(p.pipeline),
                                              static_cast<double>(p.virtualStages), valueOf(m));
    const bool exact =
        schedule::bubbleIsExact(p.schedule, p.pipeline, m_c.layout.steps) && even(step);
    if (timeline != nullptr)
        *timeline = costs(step);
    if (!exact && timing == PipelineTiming::Executed && passes <= kMostExecutedPasses) {
        // The schedule is executed pass by pass with each stage's own times.
        const TimelineInput input = costs(step);
        // Keeps the schedule's order between calls: laying it down costs more than running it.
        thread_local schedule::Workspace workspace;
        const double time = schedule::simulateTime(
            p.schedule, static_cast<int>(p.pipeline), static_cast<int>(p.virtualStages),
            static_cast<int>(m_c.layout.steps), input.costs, input.send, workspace);
        step.executed = true;
        return Seconds<T>(m_c.in.constant("step.executed_pipeline", Unit::Seconds, time));
    }
    step.simplified = !exact;
    const schedule::PassTimes<T> times = meanPasses(step);
    return work + schedule::bubble(p.schedule, shape, times);
}

template <class T>
void StepBuilder<T>::fill(StepTime<T>& step, PipelineTiming timing, TimelineInput* timeline)
{
    const auto& p = m_plan.parallelism;
    const int chunks = schedule::chunksPerMicroBatch(p.schedule, static_cast<int>(p.virtualStages));
    for (std::int64_t d = 0; d < m_c.layout.stages; ++d) {
        StageTime<T> s;
        for (int c = 0; c < chunks; ++c) {
            const StageTime<T>& slice = m_sliceTimes[sliceOn(d, c)];
            s.forward.add(slice.forward, T(1.0));
            s.backward.add(slice.backward, T(1.0));
        }
        if (schedule::overlapsPairs(p.schedule) && p.pipeline > 1 &&
            schedule::chunksPerDevice(p.schedule, 1) > chunks) {
            // Half of the micro batches pass the device's other slice.
            StageTime<T> both;
            both.forward.add(s.forward, T(0.5));
            both.backward.add(s.backward, T(0.5));
            const StageTime<T>& other = m_sliceTimes[sliceOn(d, 1)];
            both.forward.add(other.forward, T(0.5));
            both.backward.add(other.backward, T(0.5));
            s = both;
        }
        step.stages.push_back(s);
        const StageTime<T>& most = step.stages[step.slowest];
        if (most.forward.total() + most.backward.total() < s.forward.total() + s.backward.total())
            step.slowest = static_cast<std::size_t>(d);
    }
    if (m_c.layout.stages > 1)
        addSends(step);
    step.pipeline = named("step.pipeline_s", Unit::Seconds, pipelineTime(step, timing, timeline));
}

/// Noise of many ranks: the slowest of them sets the pace. [0.6% per doubling over 8 chips: fit]
template <class T>
Seconds<T> jitterOf(const StepContext<T>& c, const Seconds<T>& time)
{
    const T chips = c.layout.chips;
    if (!(valueOf(chips) > 8.0))
        return Seconds<T>(T(0.0));
    using std::log2;
    return c.in(c.in.plan().software.constants.jitterPerDoubling) * log2(chips / T(8.0)) * time;
}

template <class T>
void nameParts(const StepContext<T>& c, StepTime<T>& step)
{
    const StageTime<T>& s = step.stages[step.slowest];
    const T m = c.layout.microBatches;
    const auto both = [&](Seconds<T> PassCost<T>::*part) {
        return m * (named("step.stage_forward_s", Unit::Seconds, s.forward.*part) +
                    named("step.stage_backward_s", Unit::Seconds, s.backward.*part));
    };
    step.matrix = named("step.matrix_s", Unit::Seconds, both(&PassCost<T>::matrix));
    step.attention = named("step.attention_s", Unit::Seconds, both(&PassCost<T>::attention));
    step.stream = named("step.stream_s", Unit::Seconds, both(&PassCost<T>::stream));
    step.quantization =
        named("step.quantization_s", Unit::Seconds, both(&PassCost<T>::quantization));
    step.compute = named("step.compute_s", Unit::Seconds,
                         step.matrix + step.attention + step.stream + step.quantization);
    step.recompute = named("step.recompute_s", Unit::Seconds, both(&PassCost<T>::recompute));
    step.tensorComm = named("step.tensor_comm_s", Unit::Seconds, both(&PassCost<T>::tensor));
    step.contextComm = named("step.context_comm_s", Unit::Seconds, both(&PassCost<T>::context));
    step.expertComm = named("step.expert_comm_s", Unit::Seconds, both(&PassCost<T>::expert));
    step.pipelineComm = named("step.pipeline_comm_s", Unit::Seconds, m * s.send);
    step.host = both(&PassCost<T>::host);
    step.tensorCost = both(&PassCost<T>::tensorCost);
    step.contextCost = both(&PassCost<T>::contextCost);
    step.expertCost = both(&PassCost<T>::expertCost);
    const Seconds<T> work = step.compute + step.recompute + step.tensorComm + step.contextComm +
                            step.expertComm + step.pipelineComm + step.host;
    step.bubble =
        named("step.bubble_s", Unit::Seconds, units::max(Seconds<T>(T(0.0)), step.pipeline - work));
}

/// Blocks of each tier that are looked at for what leaves them: a whole evaluation tells it, a
/// search only has to find the fullest.
constexpr int kBlocksWhole = 64;
constexpr int kBlocksCore = 16;

network::TrafficKind kindOf(GroupKind group)
{
    switch (group) {
    case GroupKind::Context:
        return network::TrafficKind::Context;
    case GroupKind::Expert:
        return network::TrafficKind::Expert;
    case GroupKind::Pipeline:
        return network::TrafficKind::Pipeline;
    case GroupKind::Data:
        return network::TrafficKind::Data;
    case GroupKind::ExpertData:
        return network::TrafficKind::ExpertData;
    case GroupKind::Tensor:
    case GroupKind::ExpertTensor:
        break;
    }
    return network::TrafficKind::Tensor;
}

template <class T>
void addSlowdowns(const GroupLinks<T>& links, StepTime<T>& step)
{
    step.slowdown.fill(T(1.0));
    for (const GroupKind g : {GroupKind::Tensor, GroupKind::Context, GroupKind::Expert,
                              GroupKind::Pipeline, GroupKind::Data, GroupKind::ExpertData})
        step.slowdown[static_cast<std::size_t>(kindOf(g))] = links[g].slowdown;
}

/// What the communication of the step moves, by kind. The groups' times are their whole costs.
template <class T>
void addVolumes(const StepContext<T>& c, StepTime<T>& step, const DataComm<T>& data)
{
    using network::TrafficKind;
    const auto at = [&](TrafficKind k) -> network::Volume<T>& {
        return step.volumes[static_cast<std::size_t>(k)];
    };
    const StageTime<T>& s = step.stages[step.slowest];
    const T m = c.layout.microBatches;
    const Repeated<T>& again = s.backward.repeated;
    const auto both = [&](network::Moved<T> PassCost<T>::*part, const Seconds<T>& time,
                          const network::Moved<T>& repeated, const Seconds<T>& repeatedTime) {
        network::Moved<T> moved;
        moved.add(s.forward.*part, m);
        moved.add(s.backward.*part, m);
        moved.add(repeated, m);
        return network::Volume<T>{moved.inside.si(), moved.across.si(), time + m * repeatedTime};
    };
    at(TrafficKind::Tensor) =
        both(&PassCost<T>::tensorMoved, step.tensorCost, again.tensorMoved, again.tensorCost);
    at(TrafficKind::Context) =
        both(&PassCost<T>::contextMoved, step.contextCost, again.contextMoved, again.contextCost);
    at(TrafficKind::Expert) =
        both(&PassCost<T>::expertMoved, step.expertCost, again.expertMoved, again.expertCost);
    at(TrafficKind::Data) = data.others;
    at(TrafficKind::ExpertData) = data.experts;
    const auto& line = c.placement[GroupKind::Pipeline];
    if (!(valueOf(line.size) > 1.0))
        return;
    // A line of p stages has p - 1 joints; of them those between domains cross.
    const auto& p = c.in.plan().parallelism;
    const T sends =
        T(2.0 * schedule::sendsPerMicroBatch(p.schedule, static_cast<double>(p.virtualStages)));
    const T bytes = m * sends * sendBytes(c).si() / line.size;
    const T joints = line.domains - T(1.0);
    at(TrafficKind::Pipeline) = {bytes * (line.size - T(1.0) - joints), bytes * joints,
                                 step.pipelineCost};
}

template <class T>
void addIdeals(const StepContext<T>& c, StepTime<T>& step, const transformer::FlopCounts<T>& flops)
{
    const scenario::Precision& precision = c.in.plan().precision;
    const auto peak = chip::peakOf(c.in, precision.compute);
    step.ideal = named("step.ideal_s", Unit::Seconds, flops.modelPerStep / (c.layout.chips * peak));
    const scenario::Workload& w = c.in.plan().workload;
    const T tokens = c.in(w.globalBatchSequences) * c.in(w.sequenceLength);
    const T head = T(6.0) * c.in(c.in.plan().model.hidden) * c.in(c.in.plan().model.vocabulary) *
                   (T(1.0) + c.in(c.in.plan().model.mtpLayers));
    const T core = flops.attentionPerToken.si();
    const T rest = flops.modelPerToken.si() - head - core;
    const auto at = [&](const T& perToken, scenario::Format f) {
        return units::Flop<T>(perToken * tokens) / (c.layout.chips * chip::peakOf(c.in, f));
    };
    step.speedOfLight = named("step.speed_of_light_s", Unit::Seconds,
                              at(rest, precision.compute) + at(core, precision.attention) +
                                  at(head, precision.head));
}

template <class T>
T maturityOf(const Inputs<T>& in)
{
    const scenario::Software& s = in.plan().software;
    const T stack =
        s.maturity ? in(s.maturity) : in.constant("constant.unnamed_stack", Unit::None, 1.05);
    // Operators without a native kernel run slower.
    return stack * (T(1.0) + in(s.unsupportedFlopShare) * (in(s.fallbackSlowdown) - T(1.0)));
}

/// What the host does once for each step, whatever the batch.
template <class T>
Seconds<T> stepHost(const StepContext<T>& c)
{
    const scenario::Software& s = c.in.plan().software;
    T time = c.in(s.constants.stepHost);
    if (s.graphs == scenario::Graphs::Full)
        time = time * c.in(s.constants.hostGraphs);
    return Seconds<T>(time);
}

} // namespace

template <class T>
StepTime<T> stepTime(const Inputs<T>& in, const Layout<T>& layout,
                     const std::vector<Layer<T>>& layers, const memory::MemoryLedger<T>& ledger,
                     const network::Placement<T>& placement, const network::Topology<T>& topology,
                     const transformer::FlopCounts<T>& flops, PipelineTiming timing,
                     TimelineInput* timeline)
{
    StepTime<T> step;
    const bool whole = timing == PipelineTiming::Executed;
    if (whole || network::fabricMayLimit(in.plan()))
        step.shares = network::crossShares(in.plan(), topology, placement, layout.chips,
                                           whole ? kBlocksWhole : kBlocksCore);
    GroupLinks<T> links;
    for (std::size_t k = 0; k < network::kGroupKinds; ++k)
        links.links[k] =
            network::linksFor(in, topology, placement.groups[k], kindOf(static_cast<GroupKind>(k)),
                              step.shares.known ? &step.shares : nullptr);
    addSlowdowns(links, step);
    const StepContext<T> context{in, layout, placement, links,
                                 named("step.maturity", Unit::None, maturityOf(in))};
    StepBuilder<T> builder(context, layers);
    builder.fill(step, timing, timeline);
    nameParts(context, step);
    const DataComm<T> data = dataComm(context, layers, ledger, step);
    step.host = named("step.host_s", Unit::Seconds, step.host + stepHost(context));
    step.dataCost = named("step.data_cost_s", Unit::Seconds, data.cost);
    addVolumes(context, step, data);
    step.dataComm = named("step.data_comm_s", Unit::Seconds, data.exposed);
    step.optimizer = named("step.optimizer_s", Unit::Seconds, data.optimizer);
    step.offloading = data.offloading;
    step.offload = named("step.offload_s", Unit::Seconds, data.offloading.stall);
    const Seconds<T> before = step.compute + step.recompute + step.bubble + step.tensorComm +
                              step.contextComm + step.expertComm + step.pipelineComm + step.host +
                              step.dataComm + step.optimizer + step.offload;
    step.jitter = named("step.jitter_s", Unit::Seconds, jitterOf(context, before));
    step.loading = loadingOf(in, layout, before + step.jitter);
    step.dataLoading = named("step.data_loading_s", Unit::Seconds, step.loading.stall);
    step.time = named("step.time_s", Unit::Seconds, before + step.jitter + step.dataLoading);
    addIdeals(context, step, flops);
    return step;
}

template <class T>
Throughput<T> throughputOf(const Inputs<T>& in, const Layout<T>& layout, const StepTime<T>& step,
                           const transformer::FlopCounts<T>& flops)
{
    const scenario::Workload& w = in.plan().workload;
    const units::Tokens<T> tokens(in(w.globalBatchSequences) * in(w.sequenceLength));
    const auto peak = chip::peakOf(in, in.plan().precision.compute);
    Throughput<T> t;
    t.tokens =
        named("throughput.tokens_per_s", Unit::TokensPerSecond, tokens / step.time * in(w.jobs));
    t.tokensPerChip = named("throughput.tokens_per_s_per_chip", Unit::TokensPerSecond,
                            tokens / step.time / layout.chips);
    t.modelPerChip = named("throughput.model_flops_per_chip", Unit::FlopPerSecond,
                           flops.modelPerStep / step.time / layout.chips);
    t.mfu = named("throughput.mfu", Unit::Share, t.modelPerChip / peak);
    // What is computed again takes the time of compute that gives the same FLOPs once.
    const T again = step.recompute / step.compute;
    t.hardwarePerStep =
        named("flops.hardware_per_step", Unit::Flop, flops.modelPerStep * (T(1.0) + again));
    t.hfu =
        named("throughput.hfu", Unit::Share, t.hardwarePerStep / step.time / (layout.chips * peak));
    return t;
}

#define CW_INSTANTIATE(T)                                                                          \
    template StepTime<T> stepTime(                                                                 \
        const Inputs<T>&, const Layout<T>&, const std::vector<Layer<T>>&,                          \
        const memory::MemoryLedger<T>&, const network::Placement<T>&, const network::Topology<T>&, \
        const transformer::FlopCounts<T>&, PipelineTiming, TimelineInput*);                        \
    template Throughput<T> throughputOf(const Inputs<T>&, const Layout<T>&, const StepTime<T>&,    \
                                        const transformer::FlopCounts<T>&);
CW_INSTANTIATE(double)
CW_INSTANTIATE(Traced)
#undef CW_INSTANTIATE

} // namespace cw::step
