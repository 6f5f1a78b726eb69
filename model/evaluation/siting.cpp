// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/evaluation/siting.h"

#include <algorithm>
#include <cmath>

#include "model/scenario/presets.h"

namespace cw::evaluation {

using scenario::Scenario;
using scenario::Site;

namespace {

constexpr int kMostSizes = 8;

double real(std::int64_t n)
{
    return static_cast<double>(n);
}

/// Chips of one replica.
std::int64_t replicaOf(const Scenario& s)
{
    const scenario::Parallelism& p = s.parallelism;
    return std::max<std::int64_t>(p.tensor * p.context * p.pipeline, 1);
}

/// The plan with so many replicas in each job, each with the batch that a replica has now.
Scenario sized(const Scenario& plan, double perReplica, std::int64_t replicas)
{
    Scenario s = plan;
    const std::int64_t jobs = std::max<std::int64_t>(s.workload.jobs, 1);
    s.cluster.chips = replicas * replicaOf(s) * jobs;
    s.cluster.spareChips = 0;
    s.parallelism.data.reset();
    const double sequences = std::max(1.0, std::round(perReplica)) * real(replicas);
    s.workload.globalBatchSequences = static_cast<std::int64_t>(sequences);
    return s;
}

} // namespace

Scenario movedTo(const Scenario& plan, Site site)
{
    Scenario s = plan;
    s.facility.site = site;
    s.facility.ambientC.reset();
    s.facility.wetBulbC.reset();
    s.facility.carbonKgPerKwh.reset();
    s.economics.energyPerKwh.reset();
    s.economics.buildingPerW.reset();
    return s;
}

std::vector<AtSite> atAllSites(const Scenario& plan)
{
    std::vector<AtSite> rows;
    for (std::size_t i = 0; i < facility::kSiteCount; ++i) {
        AtSite row;
        row.site = static_cast<Site>(i);
        row.plan = movedTo(plan, row.site);
        row.evaluation = evaluate(row.plan);
        rows.push_back(std::move(row));
    }
    return rows;
}

Filled fill(const Scenario& plan, std::string_view system, double watts)
{
    const Evaluation before = evaluate(plan);
    const double perReplica =
        real(plan.workload.globalBatchSequences) / std::max(before.layout.data, 1.0);
    Scenario base = plan;
    if (!system.empty()) {
        const scenario::Facility kept = base.facility;
        scenario::applyPreset(base, "cluster", system);
        base.facility.site = kept.site;
        base.facility.gridLimit = kept.gridLimit;
        base.facility.pue = kept.pue;
    }
    const std::int64_t whole = replicaOf(base) * std::max<std::int64_t>(base.workload.jobs, 1);
    Filled filled;
    filled.system = std::string(system);
    std::int64_t replicas = 1;
    std::int64_t fits = 0;
    // Power goes with the number of chips but for whole racks and switches: a few looks find it.
    for (int i = 0; i < kMostSizes; ++i) {
        filled.plan = sized(base, perReplica, replicas);
        filled.evaluation = evaluate(filled.plan);
        const double power = filled.evaluation.power.maximum.facility.si();
        if (power <= watts)
            fits = std::max(fits, replicas);
        const double perChip = power / real(filled.plan.cluster.chips);
        auto next = static_cast<std::int64_t>(watts / std::max(perChip, 1e-3) / real(whole));
        next = std::max<std::int64_t>(next, 1);
        if (next == replicas || (power <= watts && next < replicas))
            break;
        replicas = next;
    }
    if (fits > 0 && fits != replicas) {
        filled.plan = sized(base, perReplica, fits);
        filled.evaluation = evaluate(filled.plan);
    }
    const Evaluation& e = filled.evaluation;
    filled.effective = e.power.flopsPerJoule * e.power.average.facility.si();
    return filled;
}

} // namespace cw::evaluation
