// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>
#include <string>

#include "model/scenario/plan.h"
#include "resources/embedded.h"

namespace cw::testplans {

/// The plan of a worked example.
inline scenario::Scenario example(const char* name)
{
    const auto read =
        scenario::readPlan(resources::file("examples/" + std::string(name) + ".clusterwright"));
    if (!read.plan)
        qFatal("%s is no example that can be read", name);
    return read.plan->scenario;
}

} // namespace cw::testplans
