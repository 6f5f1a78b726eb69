// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/step/steptime.h"

namespace cw::evaluation {

/// The step at the utilization that the planner states: so long that model FLOPs over the peak of
/// all chips give it, `clocked` of it where caps hold the clock down. What chips compute in it
/// stays, and what they wait and communicate takes the rest in the same proportions; where there is
/// no rest, first the passes that are no products of the model take less, then the products.
/// Nothing changes where no utilization is stated.
template <class T>
void assumeUtilization(const scenario::Inputs<T>& in, const T& clocked, step::StepTime<T>& step);

} // namespace cw::evaluation
