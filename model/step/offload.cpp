// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/step/offload.h"

#include <algorithm>

namespace cw::step {

using explain::named;
using explain::Traced;
using explain::valueOf;
using memory::bytesOf;
using scenario::OffloadTarget;
using units::Bytes;
using units::BytesPerSecond;
using units::Seconds;
using units::Unit;

namespace {

/// Bytes of one kind of offloading in a step.
template <class T>
struct Moved
{
    T down{0.0};
    T up{0.0};
    T read{0.0};
    T written{0.0};
};

template <class T>
struct Rates
{
    T link{0.0};
    T read{0.0};
    T write{0.0};
};

template <class T>
Rates<T> ratesOf(const StepContext<T>& c)
{
    const scenario::Node& node = c.in.plan().cluster.node;
    Rates<T> r;
    r.link = c.in(node.hostLinkBandwidth);
    if (c.in.plan().parallelism.offload.target == OffloadTarget::Pool)
        r.link = node.poolBandwidth ? c.in(node.poolBandwidth)
                                    : c.in(c.in.plan().cluster.network.scaleUp.bandwidth);
    const T chips = c.in(node.chips);
    r.read = c.in(node.nvmeReadBandwidth) / chips;
    r.write = c.in(node.nvmeWriteBandwidth) / chips;
    return r;
}

/// Both directions of a link run at once.
template <class T>
Seconds<T> timeOf(const Moved<T>& m, const Rates<T>& r)
{
    using std::max;
    T time = max(m.down, m.up) / r.link;
    if (valueOf(m.read) > 0.0 || valueOf(m.written) > 0.0)
        time = max(time, max(m.read / r.read, m.written / r.write));
    return Seconds<T>(time);
}

/// State of the optimizer for one parameter.
template <class T>
T stateBytes(const memory::MemoryLedger<T>& ledger, const scenario::Precision& p)
{
    return ledger.checkpointBytesPerParameter -
           T(bytesOf(p.weights) + (p.computeCopy ? bytesOf(*p.computeCopy) : 0.0));
}

template <class T>
Moved<T> optimizerMoves(const StepContext<T>& c, const memory::MemoryLedger<T>& ledger,
                        const OffloadLoad<T>& load)
{
    const scenario::Scenario& plan = c.in.plan();
    const T away = c.in(plan.parallelism.offload.optimizer) * load.shard;
    Moved<T> m;
    m.down = away * T(bytesOf(plan.precision.gradients));
    m.up = away * T(bytesOf(plan.precision.weights));
    if (plan.parallelism.offload.target == OffloadTarget::Nvme)
        m.read = m.written = away * stateBytes(ledger, plan.precision);
    return m;
}

/// Activations and experts, which move in every micro batch.
template <class T>
Moved<T> passMoves(const StepContext<T>& c, const memory::MemoryLedger<T>& ledger,
                   const OffloadLoad<T>& load)
{
    const scenario::Scenario& plan = c.in.plan();
    const scenario::Offload& o = plan.parallelism.offload;
    const T micro = c.layout.microBatches;
    const T activations =
        c.in(o.activations) * micro * ledger.stages[ledger.peakStage].activationsPerMicroBatch.si();
    const T experts = c.in(o.experts) * micro * load.experts;
    Moved<T> m;
    m.down = activations + experts * T(bytesOf(plan.precision.gradients));
    m.up = activations + experts * T(2.0 * bytesOf(plan.precision.weights));
    if (o.target == OffloadTarget::Nvme) {
        m.read = m.up;
        m.written = m.down;
    }
    return m;
}

/// Time that the host's processors take to update the chip's share: state read and written,
/// gradients read, weights written.
template <class T>
Seconds<T> hostUpdate(const StepContext<T>& c, const memory::MemoryLedger<T>& ledger,
                      const OffloadLoad<T>& load)
{
    const scenario::Scenario& plan = c.in.plan();
    const T bytes = T(2.0) * stateBytes(ledger, plan.precision) +
                    T(bytesOf(plan.precision.gradients) + bytesOf(plan.precision.weights));
    const T rate = c.in.constant("constant.host_update_share", Unit::Share, 0.456) *
                   c.in(plan.cluster.node.hostMemoryBandwidth) / c.in(plan.cluster.node.chips);
    return Seconds<T>(c.in(plan.parallelism.offload.optimizer) * load.shard * bytes / rate);
}

/// Time in which other traffic has the link: of the whole step, and of the optimizer's window.
template <class T>
struct Taken
{
    Seconds<T> step{T(0.0)};
    Seconds<T> last{T(0.0)};
};

template <class T>
Taken<T> takenOf(const StepContext<T>& c, const StepTime<T>& step, const OffloadLoad<T>& load)
{
    Taken<T> t;
    if (c.in.plan().parallelism.offload.target == OffloadTarget::Pool) {
        t.step = step.tensorCost + step.contextCost + step.expertCost;
        t.last = t.step / c.layout.microBatches;
    } else if (c.in.plan().cluster.node.hostLinkSharedWithNic) {
        t.step = step.pipelineCost + load.dataCost;
        t.last = load.dataCost;
    }
    return t;
}

} // namespace

template <class T>
Offloading<T> offloadingOf(const StepContext<T>& c, const memory::MemoryLedger<T>& ledger,
                           const StepTime<T>& step, const OffloadLoad<T>& load)
{
    using std::max;
    using std::min;
    const scenario::Offload& o = c.in.plan().parallelism.offload;
    const Rates<T> rates = ratesOf(c);
    Offloading<T> f;
    f.available = BytesPerSecond<T>(rates.link);
    if (!(o.optimizer > 0.0 || o.activations > 0.0 || o.experts > 0.0))
        return f;
    const Moved<T> once = optimizerMoves(c, ledger, load);
    const Moved<T> passes = passMoves(c, ledger, load);
    f.down = Bytes<T>(once.down + passes.down);
    f.up = Bytes<T>(once.up + passes.up);
    f.diskRead = Bytes<T>(once.read + passes.read);
    f.diskWritten = Bytes<T>(once.written + passes.written);
    f.hostOptimizer =
        named("host_link.host_optimizer_s", Unit::Seconds, hostUpdate(c, ledger, load));
    const Seconds<T> onceTime = timeOf(once, rates);
    const Seconds<T> passTime = timeOf(passes, rates);
    f.busy = onceTime + passTime;

    const Seconds<T> none(T(0.0));
    const Seconds<T> least(T(1e-9)); // so that what is divided by it stays finite
    const Taken<T> taken = takenOf(c, step, load);
    const StageTime<T>& s = step.stages[step.slowest];
    const Seconds<T> last = s.forward.total() + s.backward.total() + load.dataExposed;
    f.window = units::max(least, step.pipeline + load.dataExposed - taken.step);
    const Seconds<T> lastWindow = units::max(least, last - taken.last);
    // What each micro batch moves has the link first; the optimizer gets what is left of it.
    const Seconds<T> usable = c.in(o.prefetch) * f.window;
    const T left = T(1.0) - min(passTime / units::max(least, usable), T(1.0));
    const Seconds<T> update = units::max(onceTime, f.hostOptimizer);
    f.stall = units::max(none, passTime - usable) +
              units::max(none, update - left * (c.in(o.prefetch) * lastWindow));
    f.needed = BytesPerSecond<T>(max(passes.down, passes.up) / f.window.si() +
                                 max(once.down, once.up) / lastWindow.si());
    return f;
}

template Offloading<double> offloadingOf(const StepContext<double>&,
                                         const memory::MemoryLedger<double>&,
                                         const StepTime<double>&, const OffloadLoad<double>&);
template Offloading<Traced> offloadingOf(const StepContext<Traced>&,
                                         const memory::MemoryLedger<Traced>&,
                                         const StepTime<Traced>&, const OffloadLoad<Traced>&);

} // namespace cw::step
