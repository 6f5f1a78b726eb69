// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/evaluation/siting.h"

namespace cw::evaluation {

using scenario::Scenario;
using scenario::Site;

Scenario movedTo(const Scenario& plan, Site site)
{
    Scenario s = plan;
    if (site == plan.facility.site)
        return s;
    s.facility.site = site;
    s.facility.ambientC.reset();
    s.facility.wetBulbC.reset();
    s.facility.gridLimit.reset();
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

} // namespace cw::evaluation
