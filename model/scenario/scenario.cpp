// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/scenario/scenario.h"

namespace cw::scenario {

void describe(FieldVisitor& v, Scenario& s)
{
    v.part("model", s.model);
    v.part("workload", s.workload);
    v.part("precision", s.precision);
    v.part("parallelism", s.parallelism);
    v.part("cluster", s.cluster);
    v.part("software", s.software);
    v.part("storage", s.storage);
    v.part("reliability", s.reliability);
    v.part("facility", s.facility);
    v.part("economics", s.economics);
}

} // namespace cw::scenario
