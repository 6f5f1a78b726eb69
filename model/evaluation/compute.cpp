// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/evaluation/compute.h"

#include <cmath>

#include "model/cost/worth.h"
#include "model/evaluation/assumedstep.h"
#include "model/evaluation/phases.h"

namespace cw::evaluation {

using explain::named;
using explain::Traced;
using scenario::Inputs;
using units::Unit;

namespace {

/// Chips that are there: where the plan leaves the spares open, they come on top of its chips.
template <class T>
T installedChips(const Inputs<T>& in, const EvaluationOf<T>& e)
{
    const T chips = in(in.plan().cluster.chips);
    return in.plan().cluster.spareChips ? chips : chips + e.run.spareChips;
}

/// Shares of the step in which a chip is at each kind of work.
template <class T>
facility::PowerLoad<T> powerLoad(const Inputs<T>& in, const EvaluationOf<T>& e)
{
    const step::StepTime<T>& s = e.step;
    facility::PowerLoad<T> load;
    load.chips = installedChips(in, e);
    load.usedChips = e.layout.chips * in(in.plan().workload.jobs);
    load.matrixShare =
        named("step.matrix_share", Unit::Share, (s.matrix + s.attention + s.recompute) / s.time);
    load.memoryShare =
        named("step.memory_share", Unit::Share, (s.stream + s.quantization + s.optimizer) / s.time);
    load.communicationShare = named(
        "step.communication_share", Unit::Share,
        (s.tensorComm + s.contextComm + s.expertComm + s.pipelineComm + s.dataComm + s.offload) /
            s.time);
    load.idleShare = named("step.idle_share", Unit::Share,
                           T(1.0) - load.matrixShare - load.memoryShare - load.communicationShare);
    load.switches = e.topology.switches;
    load.optics = e.topology.optics;
    load.goodput = e.run.goodput;
    load.lostBusyShare = e.run.lostBusyShare;
    load.step = s.time;
    load.runTime = e.run.wall;
    load.bubble = s.bubble;
    load.dataComm = s.dataComm;
    load.optimizer = s.optimizer;
    load.waiting = s.dataLoading; // noise is spread over the step, not all chips at once
    load.checkpointInterval = e.run.checkpointInterval;
    load.checkpointStall = e.run.checkpointStall;
    load.effective = e.flops.modelPerRun / e.run.wall * in(in.plan().workload.jobs);
    load.tokens = e.run.tokens / e.run.wall * in(in.plan().workload.jobs);
    return load;
}

/// Volumes of the step with those of storage: checkpoints spread over their interval, and the data
/// set as it is read.
template <class T>
network::ByKind<network::Volume<T>> volumesOf(const Inputs<T>& in, const EvaluationOf<T>& e)
{
    using network::TrafficKind;
    const scenario::Scenario& plan = in.plan();
    auto volumes = e.step.volumes;
    const T chips = e.layout.chips;
    const T interval = e.run.checkpointInterval.si();
    if (explain::valueOf(interval) > 0.0)
        volumes[static_cast<std::size_t>(TrafficKind::Checkpoint)].across =
            e.run.checkpointBytes.si() / chips * (e.step.time.si() / interval);
    volumes[static_cast<std::size_t>(TrafficKind::Dataset)].across =
        in(plan.workload.globalBatchSequences) * in(plan.workload.sequenceLength) *
        in(plan.storage.datasetBytesPerToken) / chips;
    return volumes;
}

/// What the clock takes from the step; a stated utilization loses as much.
template <class T>
T clockedShare(const Inputs<T>& in, const EvaluationOf<T>& e, const Throttle& throttle)
{
    if (!throttle.binds())
        return T(1.0);
    return in.constant("step.full_clock_s", Unit::Seconds, throttle.plannedStep) / e.step.time.si();
}

template <class T>
run::RunLoad<T> runLoad(const Inputs<T>& in, const EvaluationOf<T>& e)
{
    run::RunLoad<T> load;
    load.tokensPerSecond = e.throughput.tokens / in(in.plan().workload.jobs);
    load.mfu = e.throughput.mfu;
    load.checkpointBytes =
        named("run.checkpoint_bytes", Unit::Bytes,
              units::Bytes<T>(e.parameters.total * e.memory.checkpointBytesPerParameter));
    load.chips = e.layout.chips;
    load.dataParallel = e.layout.data;
    load.step = e.step.time;
    load.switches = e.topology.switches;
    load.optics = e.topology.optics;
    return load;
}

/// What reaches the storage: the tiers that are the file system.
template <class T>
run::StorageLoad<T> storageLoad(const EvaluationOf<T>& e, const units::TokensPerSecond<T>& rate)
{
    run::StorageLoad<T> load{rate, e.run.checkpointBytes, e.run.checkpointInterval, e.run.days,
                             false};
    for (const run::TierRun<T>& tier : e.run.tiers) {
        if (tier.tier != scenario::CheckpointTier::FileSystem)
            continue;
        load.reachesPools = true;
        load.interval = tier.interval;
    }
    return load;
}

template <class T>
void addForecast(const Inputs<T>& in, EvaluationOf<T>& e)
{
    const T jobs = in(in.plan().workload.jobs);
    // At the rate that the run is taken at: the planner's utilization, where one is assumed.
    const units::TokensPerSecond<T> rate(jobs * e.run.tokens.si() /
                                         (e.run.wall.si() * e.run.goodput));
    e.forecast = run::forecast(in, run::ForecastLoad<T>{e.parameters.total, e.parameters.active,
                                                        rate, e.run.goodput, e.flops.modelPerRun});
    e.storage = run::storageUse(in, storageLoad(e, rate));
}

/// Spares cost what the other chips do with all around them; they wait at idle, while their nodes'
/// hosts, NICs, fans and drives draw what those of the others do.
template <class T>
SpareCost<T> spareCost(const Inputs<T>& in, const EvaluationOf<T>& e)
{
    SpareCost<T> s;
    const T chips = installedChips(in, e);
    s.capital =
        named("run.spare_capital", Unit::Money, e.cost.capital.si() / chips * e.run.spareChips);
    const facility::PowerParts<T>& all = e.power.average;
    const auto around = (all.host + all.nic + all.fans + all.nvme) / chips;
    const auto one = units::Watts<T>(in(in.plan().cluster.chip.idlePower)) + around;
    const T supply = in(in.plan().facility.psuEfficiency);
    s.power = named("run.spare_power_w", Unit::Watts, one * (e.run.spareChips / supply));
    return s;
}

template <class T>
cost::CostLoad<T> costLoad(const Inputs<T>& in, const EvaluationOf<T>& e)
{
    cost::CostLoad<T> load;
    load.chips = installedChips(in, e);
    // Spares have ports like the others.
    const T ports = load.chips / in(in.plan().cluster.chips);
    load.switches = e.topology.switches * ports;
    load.optics = e.topology.optics * ports;
    load.links = e.topology.links * ports;
    load.racks = e.cooling.racks + e.cooling.networkRacks;
    load.itMaximum = e.power.maximum.it;
    load.facilityAverage = e.power.average.facility;
    // At the utilization that the run is taken at: the planner's, where one is assumed.
    load.step = units::Seconds<T>(e.run.goodput * e.run.wall.si() *
                                  (e.flops.modelPerStep / e.flops.modelPerRun));
    load.runTime = e.run.wall;
    load.goodput = e.run.goodput;
    load.mfu = e.run.effectiveMfu / e.run.goodput;
    load.modelFlops = e.flops.modelPerRun * in(in.plan().workload.jobs);
    // The machine is paid for once, whatever the number of jobs that share it.
    load.tokens = e.run.tokens * in(in.plan().workload.jobs);
    return load;
}

} // namespace

template <class T>
EvaluationOf<T> compute(const Inputs<T>& in, Extent extent, step::TimelineInput* timeline,
                        const Throttle& throttle)
{
    EvaluationOf<T> e;
    const auto layers = transformer::layersOf(in);
    e.layout = scenario::layoutOf(in);
    e.parameters = transformer::countParameters(in, layers);
    e.flops = transformer::countFlops(in, layers, e.parameters);
    e.memory = memory::ledgerOf(in, e.layout, layers);
    e.placement = network::placementOf(in, e.layout);
    e.topology = network::topology(in);
    e.step = step::stepTime(in, e.layout, layers, e.memory, e.placement, e.topology, e.flops,
                            extent == Extent::Core ? step::PipelineTiming::ClosedForm
                                                   : step::PipelineTiming::Executed,
                            timeline);
    const T clocked = clockedShare(in, e, throttle);
    assumeUtilization(in, clocked, e.step);
    e.throughput = step::throughputOf(in, e.layout, e.step, e.flops);
    if (extent == Extent::Core)
        return e;
    e.hostLinkUtilization =
        named("host_link.utilization", Unit::Share, e.step.offloading.busy / e.step.time);
    e.runLoad = runLoad(in, e);
    e.run = run::run(in, e.runLoad);
    const Phases<T> phases(in, throttle);
    if (phases.any())
        phases.addRun(e);
    e.traffic = network::trafficOf(in, e.topology, e.step.shares, volumesOf(in, e), e.step.time);
    addForecast(in, e);
    e.traffic.slowdown = e.step.slowdown;
    const auto f = facility::facility(in, powerLoad(in, e));
    e.power = f.power;
    e.power.slowdown = named("power.slowdown", Unit::Share, 1.0 / clocked - 1.0);
    e.power.capOutOfReach = throttle.capOutOfReach;
    e.power.supplyTooWarm = throttle.tooWarm;
    e.cooling = f.cooling;
    if (phases.any())
        phases.addPower(e);
    e.cost = cost::cost(in, costLoad(in, e));
    if (phases.any())
        phases.addSite(e);
    e.spares = spareCost(in, e);
    e.returns = run::returnsOf(e.forecast, e.flops.modelPerRun * in(in.plan().workload.jobs),
                               e.power.energyPerRun, e.cost.perRun);
    e.cost.perPuePoint = cost::puePoint(in, e.power.average.it, e.run.wall);
    return e;
}

template EvaluationOf<double> compute(const Inputs<double>&, Extent, step::TimelineInput*,
                                      const Throttle&);
template EvaluationOf<Traced> compute(const Inputs<Traced>&, Extent, step::TimelineInput*,
                                      const Throttle&);

} // namespace cw::evaluation
