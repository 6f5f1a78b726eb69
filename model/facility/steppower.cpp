// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/facility/steppower.h"

#include <algorithm>

#include "model/facility/chippower.h"
#include "model/facility/itpower.h"

namespace cw::facility {

using explain::named;
using explain::Traced;
using explain::valueOf;
using scenario::Inputs;
using units::Seconds;
using units::Unit;
using units::Watts;

namespace {

/// Time of a step by what a chip does, in the shares of the load.
template <class T>
struct StepParts
{
    Seconds<T> matrix;
    Seconds<T> memory;
    Seconds<T> communication;
    Seconds<T> waiting;
};

template <class T>
StepParts<T> partsOf(const PowerLoad<T>& load)
{
    return {load.step * load.matrixShare, load.step * load.memoryShare,
            load.step * load.communicationShare, load.step * load.idleShare};
}

/// Power at the meter where every chip of the jobs draws `chip` and the others are idle. Supplies
/// and transformers pass it on at once; the plant that cools follows the mean only.
template <class T>
Watts<T> meterAt(const Inputs<T>& in, const PowerLoad<T>& load, const Watts<T>& chip,
                 const Power<T>& p)
{
    using std::min;
    const scenario::Facility& plan = in.plan().facility;
    const T used = min(usedChips(load) / load.chips, T(1.0));
    const Watts<T> mean = chip * used + idleChip(in) * (1.0 - used);
    const Watts<T> it = itParts(in, load, busyActivity(in, mean)).it;
    return p.typical.facility +
           (it - p.typical.it) / (in(plan.upsEfficiency) * in(plan.transformerEfficiency));
}

/// Share of the chips that work as soon as a step begins, and to its end.
template <class T>
T firstStage(const Inputs<T>& in)
{
    return 1.0 / in(in.plan().parallelism.pipeline);
}

/// What the pipeline draws while it is full: its mixture, with the half of the bubble that stages
/// wait in between. The other half fills and drains it.
template <class T>
Watts<T> steadyChip(const Inputs<T>& in, const PowerLoad<T>& load, const Seconds<T>& length)
{
    const ChipLevels<T> level = chipLevels(in);
    const StepParts<T> part = partsOf(load);
    const Seconds<T> zero(T(0.0));
    const Seconds<T> communication = units::max(part.communication - load.dataComm, zero);
    const Seconds<T> memory = units::max(part.memory - load.optimizer, zero);
    const Seconds<T> waiting = units::max(part.waiting - load.waiting, zero);
    const auto energy = part.matrix * level.matrix + memory * level.memory +
                        communication * level.communication + waiting * level.waiting;
    const Seconds<T> half = T(0.5) * (T(1.0) - firstStage(in)) * load.bubble;
    return (energy - half * level.waiting) / (length - half);
}

template <class T>
Watts<T> highest(const Power<T>& p)
{
    Watts<T> high;
    for (const PowerStretch<T>& s : p.phases)
        if (valueOf(s.duration) > 0)
            high = units::max(high, units::max(s.from, s.to));
    return high;
}

/// The deepest fall from the highest level; one shorter than the ramp is not reached in full.
template <class T>
T deepestFall(const Power<T>& p, const Watts<T>& high, const T& ramp)
{
    using std::max;
    using std::min;
    T deepest(0.0);
    for (const PowerStretch<T>& s : p.phases) {
        if (!(valueOf(s.duration) > 0))
            continue;
        const T fall = high.si() - min(s.from.si(), s.to.si());
        deepest = max(deepest, fall * min(s.duration.si() / ramp, T(1.0)));
    }
    return deepest;
}

/// Seconds from one level to another: what supplies need, or what stored energy stretches it to.
/// Half the difference over the ramp is what the store gives: t = 2 E/dP.
template <class T>
T rampTime(const Inputs<T>& in, const T& swing, const T& chips)
{
    using std::max;
    const T supplies = in.constant("constant.power_ramp_s", Unit::Seconds, 0.1);
    const double& buffer = in.plan().facility.bufferJoulesPerChip;
    if (!(buffer > 0) || !(valueOf(swing) > 0))
        return supplies;
    return max(supplies, 2.0 * in(buffer)*chips / swing);
}

template <class T>
void addSwings(const Inputs<T>& in, const PowerLoad<T>& load, const Watts<T>& idle, Power<T>& p)
{
    using std::max;
    using std::min;
    const scenario::Facility& plan = in.plan().facility;
    const T chain = in(plan.upsEfficiency) * in(plan.transformerEfficiency);
    const T supplies = in.constant("constant.power_ramp_s", Unit::Seconds, 0.1);
    const T fall = deepestFall(p, highest(p), supplies);
    p.swing = named("power.swing_w", Unit::Watts, Watts<T>(fall));
    p.swingPerSecond = named("power.swing_w_per_s", Unit::WattsPerSecond,
                             p.swing.si() / rampTime(in, p.swing.si(), usedChips(load)));
    p.swingHz = named("power.swing_hz", Unit::Hertz, 1.0 / max(load.step.si(), T(1e-6)));
    const T stalls = min(load.checkpointStall.si() / supplies, T(1.0));
    p.checkpointSwing =
        named("power.checkpoint_swing_w", Unit::Watts,
              Watts<T>(max(p.typical.it.si() - idle.si(), T(0.0)) * stalls / chain));
    p.checkpointSwingPerSecond =
        named("power.checkpoint_swing_w_per_s", Unit::WattsPerSecond,
              p.checkpointSwing.si() / rampTime(in, p.checkpointSwing.si(), usedChips(load)));
    p.checkpointHz =
        named("power.checkpoint_hz", Unit::Hertz,
              valueOf(load.checkpointInterval) > 0 ? 1.0 / load.checkpointInterval.si() : T(0.0));
    const double ramp = std::max(valueOf(p.swingPerSecond), valueOf(p.checkpointSwingPerSecond));
    const double swing = std::max(valueOf(p.swing), valueOf(p.checkpointSwing));
    p.overRamp = plan.gridRampLimit && ramp > *plan.gridRampLimit;
    p.overSwing = plan.gridSwingLimit && swing > *plan.gridSwingLimit;
}

} // namespace

template <class T>
Watts<T> chipOverStep(const Inputs<T>& in, const PowerLoad<T>& load)
{
    const ChipLevels<T> level = chipLevels(in);
    return level.matrix * load.matrixShare + level.memory * load.memoryShare +
           level.communication * load.communicationShare + level.waiting * load.idleShare;
}

template <class T>
ChipUse<T> chipUse(const Inputs<T>& in, const PowerLoad<T>& load)
{
    using std::min;
    const ChipLevels<T> level = chipLevels(in);
    const Watts<T> idle = idleChip(in);
    const T busy =
        min(load.goodput + load.lostBusyShare, T(1.0)) * min(usedChips(load), load.chips);
    ChipUse<T> use;
    use.matrix = (level.matrix - idle) * load.matrixShare * busy;
    use.memory = (level.memory - idle) * load.memoryShare * busy;
    use.communication = (level.communication - idle) * load.communicationShare * busy;
    use.idle = idle * load.chips + (level.waiting - idle) * load.idleShare * busy;
    return use;
}

template <class T>
void addPhases(const Inputs<T>& in, const PowerLoad<T>& load, const Watts<T>& idle, Power<T>& p)
{
    const ChipLevels<T> level = chipLevels(in);
    const Seconds<T> zero(T(0.0));
    const Seconds<T> length =
        units::max(load.step - load.dataComm - load.optimizer - load.waiting, zero);
    const bool runs = valueOf(length) > 0 && valueOf(load.bubble) < 2 * valueOf(length);
    const Watts<T> full = meterAt(in, load, runs ? steadyChip(in, load, length) : level.waiting, p);
    const Watts<T> waiting = meterAt(in, load, level.waiting, p);
    const auto at = [&p](PowerPhase phase) -> PowerStretch<T>& {
        return p.phases[static_cast<std::size_t>(phase)];
    };
    const Watts<T> first = waiting + (full - waiting) * firstStage(in);
    // A third of the bubble are forward passes of the other stages, two thirds backward ones.
    at(PowerPhase::Fill) = {load.bubble / T(3.0), first, full};
    at(PowerPhase::Steady) = {units::max(length - load.bubble, zero), full, full};
    at(PowerPhase::Drain) = {load.bubble * T(2.0) / T(3.0), full, first};
    const Watts<T> exchange = meterAt(in, load, level.communication, p);
    at(PowerPhase::Exchange) = {load.dataComm, exchange, exchange};
    const Watts<T> update = meterAt(in, load, level.memory, p);
    at(PowerPhase::Update) = {load.optimizer, update, update};
    at(PowerPhase::Wait) = {load.waiting, waiting, waiting};
    addSwings(in, load, idle, p);
}

template <class T>
Watts<T> peakOfStep(const Power<T>& p)
{
    return highest(p);
}

#define CW_INSTANTIATE_STEPPOWER(T)                                                                \
    template Watts<T> chipOverStep(const Inputs<T>&, const PowerLoad<T>&);                         \
    template ChipUse<T> chipUse(const Inputs<T>&, const PowerLoad<T>&);                            \
    template void addPhases(const Inputs<T>&, const PowerLoad<T>&, const Watts<T>&, Power<T>&);    \
    template Watts<T> peakOfStep(const Power<T>&)
CW_INSTANTIATE_STEPPOWER(double);
CW_INSTANTIATE_STEPPOWER(Traced);
#undef CW_INSTANTIATE_STEPPOWER

} // namespace cw::facility
