// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/facility/itpower.h"

#include <algorithm>
#include <cmath>

#include "model/facility/chippower.h"

namespace cw::facility {

using explain::Traced;
using explain::valueOf;
using scenario::Inputs;
using units::Unit;
using units::Watts;

namespace {

template <class T>
T storageBytes(const Inputs<T>& in, scenario::StorageMedia media)
{
    T bytes(0.0);
    for (const scenario::StoragePool& pool : in.plan().storage.pools)
        if (pool.media == media)
            bytes = bytes + in(pool.capacityBytes);
    return bytes;
}

template <class T>
Watts<T> storagePower(const Inputs<T>& in)
{
    return Watts<T>(storageBytes(in, scenario::StorageMedia::Nvme) *
                        in.constant("constant.nvme_w_per_byte", Unit::None, 1.25e-11) +
                    storageBytes(in, scenario::StorageMedia::Hdd) *
                        in.constant("constant.hdd_w_per_byte", Unit::None, 1e-12));
}

/// Share of a node's heat that its own fans move.
template <class T>
T fannedShare(const Inputs<T>& in)
{
    switch (in.plan().facility.cooling) {
    case scenario::Cooling::Immersion:
        return T(0.0);
    case scenario::Cooling::DirectLiquid:
        return 1.0 - liquidShareOf(in);
    default:
        return T(1.0);
    }
}

/// What is left of `rest` after `wanted`; `part` gets what there was.
template <class T>
T take(T& rest, const T& wanted)
{
    const T part = valueOf(wanted) < valueOf(rest) ? wanted : rest;
    rest = rest - part;
    return part;
}

} // namespace

template <class T>
Activity<T> fullActivity(const Inputs<T>& in)
{
    return {in.template as<Watts<T>>(in.plan().cluster.chip.powerLimit), T(1.0), T(1.0)};
}

template <class T>
Activity<T> busyActivity(const Inputs<T>& in, const Watts<T>& chip)
{
    return {chip, in.constant("constant.host_activity", Unit::Share, 0.54),
            in.constant("constant.switch_activity", Unit::Share, 0.75)};
}

template <class T>
Activity<T> idleActivity(const Inputs<T>& in)
{
    return {idleChip(in), in.constant("constant.host_idle_activity", Unit::Share, 0.30),
            in.constant("constant.switch_activity", Unit::Share, 0.75)};
}

template <class T>
PowerParts<T> itParts(const Inputs<T>& in, const PowerLoad<T>& load, const Activity<T>& activity)
{
    using std::ceil;
    const scenario::Cluster& cluster = in.plan().cluster;
    const scenario::ScaleOut& network = cluster.network.scaleOut;
    const T nodes = ceil(load.chips / in(cluster.node.chips));
    PowerParts<T> p;
    p.chip = activity.chip * load.chips;
    // The plan's host power holds NICs, fans and drives; each is shown by itself.
    T rest = nodes * in(cluster.node.hostPower);
    T fans(0.0);
    if (cluster.node.fanPower) {
        const T all = take(rest, T(nodes * in(cluster.node.fanPower)));
        fans = all * fannedShare(in);
    }
    const T nics = take(rest, T(load.chips * in(network.nicPower)));
    const T drives = take(rest, T(nodes * in(cluster.node.nvmeBytes) *
                                  in.constant("constant.drive_w_per_byte", Unit::None, 3.6e-12)));
    p.nic = Watts<T>(nics * activity.host);
    p.fans = Watts<T>(fans * activity.host);
    p.nvme = Watts<T>(drives * activity.host);
    p.host = Watts<T>(rest * activity.host);
    p.psuLoss = (p.chip + p.host + p.nic + p.fans + p.nvme) *
                (1.0 / in(in.plan().facility.psuEfficiency) - 1.0);
    p.switches = Watts<T>(load.switches * in(network.switchPower) * activity.switches);
    p.optics = Watts<T>(load.optics * in(network.opticPower));
    p.storage = storagePower(in);
    p.network = p.switches + p.optics + p.nic;
    p.it = p.chip + p.host + p.fans + p.nvme + p.psuLoss + p.network + p.storage;
    return p;
}

template <class T>
void addOverhead(const Inputs<T>& in, const Watts<T>& cooling, PowerParts<T>& p)
{
    const scenario::Facility& plan = in.plan().facility;
    p.upsLoss = p.it * (1.0 / in(plan.upsEfficiency) - 1.0);
    p.cooling = cooling;
    p.other = p.it * in.constant("constant.building_share", Unit::Share, 0.017);
    const Watts<T> below = p.it + p.upsLoss + p.cooling + p.other;
    p.transformerLoss = below * (1.0 / in(plan.transformerEfficiency) - 1.0);
    if (plan.pue && valueOf(p.it) > 0.0) {
        const Watts<T> overhead = p.upsLoss + p.cooling + p.other + p.transformerLoss;
        const T scale = p.it * (in(plan.pue) - 1.0) / overhead;
        for (Watts<T>* part : {&p.upsLoss, &p.cooling, &p.other, &p.transformerLoss})
            *part = *part * scale;
    }
    p.facility = p.it + p.upsLoss + p.cooling + p.other + p.transformerLoss;
}

#define CW_INSTANTIATE_ITPOWER(T)                                                                  \
    template Activity<T> fullActivity(const Inputs<T>&);                                           \
    template Activity<T> busyActivity(const Inputs<T>&, const Watts<T>&);                          \
    template Activity<T> idleActivity(const Inputs<T>&);                                           \
    template PowerParts<T> itParts(const Inputs<T>&, const PowerLoad<T>&, const Activity<T>&);     \
    template void addOverhead(const Inputs<T>&, const Watts<T>&, PowerParts<T>&)
CW_INSTANTIATE_ITPOWER(double);
CW_INSTANTIATE_ITPOWER(Traced);
#undef CW_INSTANTIATE_ITPOWER

} // namespace cw::facility
