// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/linkloads.h"
#include "model/evaluation/evaluation.h"

namespace cw::evaluation {

network::LinkLoads linkLoads(const scenario::Scenario& scenario, const Evaluation& evaluation)
{
    return network::linkLoads(derived(scenario), evaluation.topology, evaluation.placement,
                              evaluation.layout, evaluation.traffic.volumes,
                              evaluation.step.time.si());
}

} // namespace cw::evaluation
