// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/evaluation/evaluation.h"

namespace cw::evaluation {

/// What of failures, checkpoints and offload is not as the plan gives it, or does not help:
/// intervals and shares that cannot be kept, saves rarer than failures, copies that no tier keeps,
/// a policy without replicas, a pool that is not there.
void addRunAdvice(const scenario::Scenario& s, Evaluation& e);

} // namespace cw::evaluation
