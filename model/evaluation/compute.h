// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/evaluation/evaluation.h"
#include "model/evaluation/throttle.h"
#include "model/scenario/inputs.h"

namespace cw::evaluation {

enum class Extent : std::uint8_t
{
    Core, ///< memory and step
    Whole,
};

/// A plan with more pipeline slices than any model has layers cannot run (a violation); its numbers
/// are those without virtual stages, so that they are there in time.
scenario::Scenario boundedStages(const scenario::Scenario& plan);

/// All numbers of an evaluation, in either scalar. The plan is already derived, and at the clock of
/// the throttle.
template <class T>
EvaluationOf<T> compute(const scenario::Inputs<T>& in, Extent extent,
                        step::TimelineInput* timeline = nullptr, const Throttle& throttle = {});

} // namespace cw::evaluation
