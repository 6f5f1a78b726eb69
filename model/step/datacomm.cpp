// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/step/datacomm.h"

#include "model/scenario/lists.h"
#include "model/step/offload.h"
#include "model/step/optimizer.h"

namespace cw::step {

using explain::named;
using explain::Traced;
using explain::valueOf;
using memory::bytesOf;
using network::GroupKind;
using scenario::Overlap;
using units::Bytes;
using units::Seconds;

namespace {

/// Parameters that the fullest stage holds on one rank, before sharding.
template <class T>
struct Held
{
    T other{};
    T experts{};
};

template <class T>
Held<T> heldBy(const memory::MemoryLedger<T>& ledger)
{
    Held<T> most;
    for (const auto& stage : ledger.stages) {
        if (most.other + most.experts < stage.parameters + stage.parametersExperts)
            most = {stage.parameters, stage.parametersExperts};
    }
    most.other = named("step.held_parameters", units::Unit::Parameters, most.other);
    most.experts = named("step.held_experts", units::Unit::Parameters, most.experts);
    return most;
}

/// The data-parallel group of non-expert parameters includes context ranks.
template <class T>
network::GroupSpan<T> dataGroup(const StepContext<T>& c)
{
    network::GroupSpan<T> g = c.placement[GroupKind::Data];
    const network::GroupSpan<T>& context = c.placement[GroupKind::Context];
    if (valueOf(context.size) > 1.0) {
        g.size = g.size * context.size;
        g.inside = g.inside * context.inside;
        if (valueOf(g.inside) > valueOf(c.placement.domain))
            g.inside = c.placement.domain;
        g.domains = g.size / g.inside;
        g.extent = g.extent * context.size;
    }
    return g;
}

/// One class of parameters: a reduction of its gradients and a gathering of its weights.
template <class T>
struct ClassTransfers
{
    Seconds<T> reduce;
    Seconds<T> gather;
    network::Moved<T> reduced;
    network::Moved<T> gathered;
};

template <class T>
struct Transfers
{
    Seconds<T> reduce;
    Seconds<T> gather;
    ClassTransfers<T> others;
    ClassTransfers<T> experts;
};

template <class T>
ClassTransfers<T> classTransfers(const StepContext<T>& c, const network::GroupSpan<T>& group,
                                 const network::Links<T>& links, const T& parameters)
{
    const scenario::Scenario& plan = c.in.plan();
    const Bytes<T> out(T(bytesOf(plan.precision.gradientReduce)) * parameters);
    const Bytes<T> back(T(bytesOf(plan.precision.parameterGather)) * parameters);
    ClassTransfers<T> t;
    t.reduced = network::gathered(group, out);
    if (plan.parallelism.zeroStage == 0) {
        t.reduce = network::allReduce(group, links, out);
        t.reduced.add(network::gathered(group, out), T(1.0));
        return t;
    }
    t.reduce = network::reduceScatter(group, links, out);
    t.gather = network::allGather(group, links, back);
    t.gathered = network::gathered(group, back);
    return t;
}

/// `reduces` reductions and `gathers` gatherings of a class in a step.
template <class T>
network::Volume<T> volumeOf(const ClassTransfers<T>& t, const T& reduces, const T& gathers)
{
    network::Moved<T> moved;
    moved.add(t.reduced, reduces);
    moved.add(t.gathered, gathers);
    return {moved.inside.si(), moved.across.si(), reduces * t.reduce + gathers * t.gather};
}

template <class T>
Transfers<T> transfers(const StepContext<T>& c, const Held<T>& held)
{
    Transfers<T> t;
    t.others = classTransfers(c, dataGroup(c), c.links[GroupKind::Data], held.other);
    t.experts = classTransfers(c, c.placement[GroupKind::ExpertData],
                               c.links[GroupKind::ExpertData], held.experts);
    t.reduce = t.others.reduce + t.experts.reduce;
    t.gather = t.others.gather + t.experts.gather;
    return t;
}

/// Seconds for which the other kinds hold the links that data traffic needs, in one pass of a micro
/// batch, with the send behind it: two kinds on one link add, neither has it whole. All that they
/// move counts, as if none of it fell into gaps.
template <class T>
Seconds<T> heldByOthers(const StepContext<T>& c, const PassCost<T>& pass)
{
    const bool across =
        c.placement[GroupKind::Data].across() || c.placement[GroupKind::ExpertData].across();
    const auto held = [&](const network::Moved<T>& m, GroupKind k) {
        return across ? m.across / c.links[k].across : m.inside / c.links[k].inside;
    };
    Seconds<T> sum = held(pass.tensorMoved, GroupKind::Tensor) +
                     held(pass.contextMoved, GroupKind::Context) +
                     held(pass.expertMoved, GroupKind::Expert) +
                     held(pass.repeated.tensorMoved, GroupKind::Tensor) +
                     held(pass.repeated.contextMoved, GroupKind::Context) +
                     held(pass.repeated.expertMoved, GroupKind::Expert);
    const auto& line = c.placement[GroupKind::Pipeline];
    if (across && line.across())
        sum += sendBytes(c) / c.links[GroupKind::Pipeline].across;
    return sum;
}

/// What is left of a window while others hold the links for a time.
template <class T>
Seconds<T> besides(const Seconds<T>& window, const Seconds<T>& held)
{
    return units::max(window - held, Seconds<T>(T(0.0)));
}

/// Hidden is at most the share that overlap ever hides, and at most the window.
template <class T>
Seconds<T> exposedOf(const Seconds<T>& cost, const T& exposedShare, const Seconds<T>& window)
{
    const Seconds<T> hidden = units::min((T(1.0) - exposedShare) * cost, window);
    return cost - hidden;
}

} // namespace

template <class T>
DataComm<T> dataComm(const StepContext<T>& c, const std::vector<transformer::Layer<T>>& layers,
                     const memory::MemoryLedger<T>& ledger, const StepTime<T>& step)
{
    const scenario::Scenario& plan = c.in.plan();
    const scenario::SoftwareConstants& k = plan.software.constants;
    const Held<T> held = heldBy(ledger);
    const Transfers<T> t = transfers(c, held);
    const T m = c.layout.microBatches;
    const StageTime<T>& s = step.stages[step.slowest];
    const Seconds<T> forward = s.forward.total();
    const Seconds<T> backward = s.backward.total();
    DataComm<T> d;
    if (plan.parallelism.zeroStage >= 3) {
        const Seconds<T> pass = T(2.0) * t.gather + t.reduce;
        d.cost = m * pass;
        d.others = volumeOf(t.others, m, T(2.0) * m);
        d.experts = volumeOf(t.experts, m, T(2.0) * m);
        // Gathers go on while a stage waits for another.
        const Seconds<T> window =
            besides(c.in(k.shardedWindow) * step.pipeline,
                    m * (heldByOthers(c, s.forward) + heldByOthers(c, s.backward)));
        d.exposed = exposedOf(d.cost, c.in(k.shardedExposed), window);
    } else {
        const T times =
            plan.parallelism.zeroStage == 2 && plan.parallelism.pipeline > 1 ? m : T(1.0);
        const Seconds<T> reduce =
            named("step.gradient_reduce_s", units::Unit::Seconds, times * t.reduce);
        d.cost = reduce + t.gather;
        d.others = volumeOf(t.others, times, T(1.0));
        d.experts = volumeOf(t.experts, times, T(1.0));
        const Seconds<T> none(T(0.0));
        const bool hideReduce = scenario::has(plan.software.overlap, Overlap::Data);
        const bool hideGather = scenario::has(plan.software.overlap, Overlap::DataGather);
        const T window = c.in(k.dataWindow);
        d.exposed =
            exposedOf(reduce, c.in(k.dataExposed),
                      hideReduce ? times * besides(window * backward, heldByOthers(c, s.backward))
                                 : none) +
            exposedOf(t.gather, c.in(k.dataExposed),
                      hideGather ? besides(window * forward, heldByOthers(c, s.forward)) : none);
    }
    const T shard = plan.parallelism.zeroStage >= 1
                        ? held.other / c.layout.sharding + held.experts / c.layout.expertSharding
                        : held.other + held.experts;
    const T onDevice = T(1.0) - c.in(plan.parallelism.offload.optimizer);
    d.optimizer = onDevice * optimizerTime(c, layers, shard);
    d.offloading =
        offloadingOf(c, ledger, step, {held.other, held.experts, shard, d.cost, d.exposed});
    return d;
}

template DataComm<double> dataComm(const StepContext<double>&,
                                   const std::vector<transformer::Layer<double>>&,
                                   const memory::MemoryLedger<double>&, const StepTime<double>&);
template DataComm<Traced> dataComm(const StepContext<Traced>&,
                                   const std::vector<transformer::Layer<Traced>>&,
                                   const memory::MemoryLedger<Traced>&, const StepTime<Traced>&);

} // namespace cw::step
