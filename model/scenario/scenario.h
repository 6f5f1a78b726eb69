// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/scenario/cluster.h"
#include "model/scenario/model.h"
#include "model/scenario/operation.h"
#include "model/scenario/software.h"
#include "model/scenario/training.h"

namespace cw::scenario {

/// All that `evaluate` reads: a value, copied freely. Numbers are SI.
struct Scenario
{
    Model model;
    Workload workload;
    Precision precision;
    Parallelism parallelism;
    Cluster cluster;
    Software software;
    Storage storage;
    Reliability reliability;
    Facility facility;
    Economics economics;
};

void describe(FieldVisitor& v, Scenario& s);

} // namespace cw::scenario
