// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/evaluation/networkadvice.h"

#include <algorithm>
#include <set>

#include "model/network/fabric.h"
#include "model/units/text.h"

namespace cw::evaluation {

using scenario::Axis;
using scenario::CollectiveOperation;
using scenario::NetworkTier;
using scenario::Scenario;

namespace {

/// Measured bandwidth below this share of what large transfers reach elsewhere is suspect: cards
/// and cables of one kind differ by less.
constexpr double kGood = 0.85;
constexpr double kWorthTelling = 0.01;

std::string percent(double share)
{
    return units::rounded(100 * share, 3);
}

/// Measured over expected bandwidth of one kind of operation, or nothing.
std::optional<double> ratioOf(const Scenario& s, NetworkTier tier, CollectiveOperation operation)
{
    const scenario::Network& network = s.cluster.network;
    const scenario::ChipEfficiency& efficiency = s.cluster.chip.efficiency;
    const double expected =
        tier == NetworkTier::ScaleUp    ? network.scaleUp.bandwidth * efficiency.scaleUp
        : tier == NetworkTier::ScaleOut ? network.scaleOut.bandwidth * efficiency.scaleOut
                                        : network.siteBandwidth;
    const scenario::Inputs<double> in(s);
    for (const scenario::MeasuredBandwidth& m : network.measured)
        if (m.tier == tier && m.operation == operation && expected > 0)
            return network::chipRate(in, m) / expected;
    return {};
}

void addMeasured(const Scenario& s, NetworkTier tier, Evaluation& e)
{
    const auto reduce = ratioOf(s, tier, CollectiveOperation::AllReduce);
    const auto exchange = ratioOf(s, tier, CollectiveOperation::AllToAll);
    const auto pair = ratioOf(s, tier, CollectiveOperation::SendReceive);
    const auto bad = [](const std::optional<double>& x) {
        return x && *x < kGood;
    };
    const char* rule = nullptr;
    if (reduce && exchange && !bad(reduce) && bad(exchange))
        rule = "advice.measured-topology";
    else if ((bad(reduce) && bad(exchange)) || bad(pair))
        rule = "advice.measured-links";
    else if (bad(reduce) || bad(exchange))
        rule = "advice.measured-low";
    if (rule == nullptr)
        return;
    const auto told = [](const std::optional<double>& x) {
        return x ? percent(*x) : std::string();
    };
    e.advice.push_back({"cluster.network.measured",
                        rule,
                        {{"tier", std::string(nameOf(tier))},
                         {"reduce", told(reduce)},
                         {"exchange", told(exchange)},
                         {"pair", told(pair)}},
                        {},
                        true});
}

void addFaults(const Scenario& s, Evaluation& e)
{
    if (s.cluster.network.faults.empty())
        return;
    const FaultCost cost = faultCost(s);
    e.advice.push_back({"cluster.network.faults",
                        "advice.network-faults",
                        {{"share", percent(cost.share())},
                         {"seconds", units::rounded(cost.with - cost.without, 3)}},
                        {},
                        cost.share() > kWorthTelling});
    const double cut = network::faultEffect(scenario::Inputs<double>(s)).cut;
    if (cut > 0)
        e.advice.push_back(
            {"cluster.network.faults",
             "advice.network-cut",
             {{"chips", units::rounded(cut * static_cast<double>(s.cluster.chips), 6)}},
             {},
             true});
}

void addFull(const Scenario& s, Evaluation& e)
{
    static_cast<void>(s);
    std::size_t worst = 0;
    for (std::size_t k = 1; k < network::kTrafficKinds; ++k)
        if (e.traffic.slowdown[k] > e.traffic.slowdown[worst] && e.traffic.volumes[k].across > 0)
            worst = k;
    if (e.traffic.volumes[worst].across > 0 && e.traffic.slowdown[worst] > 1 + kWorthTelling)
        e.advice.push_back(
            {"cluster.network.scale_out",
             "advice.network-full",
             {{"kind", std::string(network::nameOf(static_cast<network::TrafficKind>(worst)))},
              {"factor", units::rounded(e.traffic.slowdown[worst], 3)}},
             {},
             true});
}

/// Axes that have more than one rank, in order: what a placement depends on.
std::vector<Axis> placing(const Scenario& s)
{
    const auto& p = s.parallelism;
    std::vector<Axis> axes;
    for (const Axis a : p.order) {
        const bool single = (a == Axis::Tensor && p.tensor <= 1 && p.expertTensor <= 1) ||
                            (a == Axis::Context && p.context <= 1) ||
                            (a == Axis::Expert && p.expert <= 1) ||
                            (a == Axis::Pipeline && p.pipeline <= 1);
        if (!single)
            axes.push_back(a);
    }
    return axes;
}

} // namespace

FaultCost faultCost(const Scenario& scenario)
{
    Scenario healthy = scenario;
    healthy.cluster.network.faults.clear();
    return {evaluateCore(scenario).step.time.si(), evaluateCore(healthy).step.time.si()};
}

void addNetworkAdvice(const Scenario& scenario, Evaluation& evaluation)
{
    for (const NetworkTier tier : {NetworkTier::ScaleUp, NetworkTier::ScaleOut, NetworkTier::Site})
        addMeasured(scenario, tier, evaluation);
    addFaults(scenario, evaluation);
    addFull(scenario, evaluation);
}

OrderSearch bestOrder(const Scenario& scenario)
{
    OrderSearch found;
    found.order = scenario.parallelism.order;
    found.given = found.step = evaluateCore(scenario).step.time.si();
    found.tried = 1;
    std::set<std::vector<Axis>> seen{placing(scenario)};
    Scenario other = scenario;
    std::vector<Axis> order = scenario.parallelism.order;
    std::sort(order.begin(), order.end());
    do {
        other.parallelism.order = order;
        if (!seen.insert(placing(other)).second)
            continue;
        ++found.tried;
        const Evaluation e = evaluateCore(other);
        if (e.step.time.si() < found.step) {
            found.step = e.step.time.si();
            found.order = order;
        }
    } while (std::next_permutation(order.begin(), order.end()));
    return found;
}

} // namespace cw::evaluation
