// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/evaluation/limits.h"

#include <algorithm>
#include <cmath>

namespace cw::evaluation {

using scenario::Scenario;
using units::Unit;

namespace {

constexpr double kNotable = 0.05; ///< share of the step or the run from which a part binds

/// Parts of the step's time, by the kind of limit that they are.
void addTimes(const Evaluation& e, std::vector<Limit>& limits)
{
    const double step = std::max(e.step.time.si(), 1e-30);
    const auto add = [&](const char* kind, double seconds) {
        const double share = seconds / step;
        limits.push_back(
            {kind, share >= kNotable, 0.0 - seconds, Unit::Seconds, share * e.run.goodput});
    };
    add("tensor", e.step.tensorComm.si());
    add("context", e.step.contextComm.si());
    add("expert", e.step.expertComm.si());
    add("pipeline", e.step.pipelineComm.si());
    add("data", e.step.dataComm.si());
    add("bubble", e.step.bubble.si());
    add("latency", e.step.host.si());
    // Below 0 where products in another format than the compute format are faster.
    add("efficiency", std::max(0.0, secondsBelowPeak(e)));
    add("streams", e.step.stream.si() + e.step.quantization.si());
    add("recompute", e.step.recompute.si());
    add("jitter", e.step.jitter.si());
}

void addMemory(const Evaluation& e, std::vector<Limit>& limits)
{
    const double over = e.memory.reserved / e.memory.usable;
    limits.push_back({"memory", e.memory.verdict != memory::Verdict::Fits,
                      (e.memory.usable - e.memory.reserved).si(), Unit::Bytes,
                      e.memory.verdict == memory::Verdict::DoesNotFit ? over : 0});
}

void addBatch(const Evaluation& e, std::vector<Limit>& limits)
{
    const double price = e.forecast.batchPrice;
    limits.push_back({"batch", price > 1, e.forecast.criticalBatchTokens - e.forecast.batchTokens,
                      Unit::Tokens, price / (1 + price)});
}

void addHostLink(const Evaluation& e, std::vector<Limit>& limits)
{
    const step::Offloading<double>& o = e.step.offloading;
    if (!(o.down.si() + o.up.si() > 0))
        return;
    const double share = o.stall.si() / std::max(e.step.time.si(), 1e-30);
    limits.push_back({"host-link", share >= kNotable, (o.available - o.needed).si(),
                      Unit::BytesPerSecond, share * e.run.goodput});
}

void addSite(const Scenario& s, const Evaluation& e, std::vector<Limit>& limits)
{
    const auto add = [&](const char* kind, double limit, double drawn) {
        limits.push_back(
            {kind, drawn > limit, limit - drawn, Unit::Watts, drawn > limit ? drawn / limit : 0});
    };
    add("power", e.power.gridLimit.si(), e.power.peakFacility.si());
    add("cooling", s.facility.rackPowerLimit, e.cooling.rack.si());
}

/// The fullest pool, or the step's wait for data where that is more.
void addStorage(const Scenario& s, const Evaluation& e, std::vector<Limit>& limits)
{
    const double share = e.step.dataLoading.si() / std::max(e.step.time.si(), 1e-30);
    if (share > 0) {
        limits.push_back({"storage", share >= kNotable, -e.step.dataLoading.si(), Unit::Seconds,
                          share * e.run.goodput});
        return;
    }
    const auto& pools = e.storage.pools;
    if (pools.empty())
        return;
    const auto fullest =
        std::max_element(pools.begin(), pools.end(), [](const auto& a, const auto& b) {
            return a.utilization < b.utilization;
        });
    const double capacity =
        s.storage.pools[static_cast<std::size_t>(fullest - pools.begin())].capacityBytes;
    const bool over = fullest->used.si() > capacity;
    limits.push_back({"storage", over, capacity - fullest->used.si(), Unit::VendorBytes,
                      over ? fullest->utilization : 0});
}

} // namespace

double secondsBelowPeak(const Evaluation& e)
{
    return (e.step.compute - e.step.ideal - e.step.stream - e.step.quantization).si();
}

std::vector<Limit> limitsOf(const Scenario& s, const Evaluation& e)
{
    std::vector<Limit> limits;
    if (e.memory.stages.empty())
        return limits;
    addMemory(e, limits);
    addBatch(e, limits);
    addTimes(e, limits);
    addHostLink(e, limits);
    const double lost = 1 - e.run.goodput;
    limits.push_back({"failures", lost >= kNotable, -lost, Unit::Share, lost});
    addSite(s, e, limits);
    addStorage(s, e, limits);
    std::stable_sort(limits.begin(), limits.end(), [](const Limit& a, const Limit& b) {
        return a.binding != b.binding ? a.binding : a.weight > b.weight;
    });
    return limits;
}

} // namespace cw::evaluation
