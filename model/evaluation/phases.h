// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "model/evaluation/compute.h"
#include "model/evaluation/evaluation.h"
#include "model/scenario/inputs.h"

namespace cw::evaluation {

/// The phases of a run, each evaluated whole with its own step, and the run as their sum: its power
/// and cost are the mean and the sum over them. The rest of the evaluation (memory, step, power at
/// the limit) stays that of the plan itself.
///
/// The batch of a ramp grows evenly over its tokens; it is taken in kRampLevels even parts, each at
/// the nearest batch that the layout can cut.
inline constexpr int kRampLevels = 8;

template <class T>
class Phases
{
public:
    Phases(const scenario::Inputs<T>& in, const Throttle& throttle);

    [[nodiscard]] bool any() const { return !m_parts.empty(); }
    /// The run as the sum of its phases.
    void addRun(EvaluationOf<T>& e) const;
    /// Power over the run as their mean by wall time, energy and carbon as their sums.
    void addPower(EvaluationOf<T>& e) const;
    /// Cost of the run as their sum; `e.phases`.
    void addSite(EvaluationOf<T>& e) const;

private:
    struct Part
    {
        std::string name;
        EvaluationOf<T> whole; ///< at the batch of the phase
        T slower{};            ///< time of the phase over that at its full batch; 1 without a ramp
        T rampTime{};          ///< useful seconds of the ramp
        T sequenceLength{};
        T batch{};
    };
    std::vector<Part> m_parts;
    T m_jobs{};
};

/// What is wrong with the phases of a plan: settings that do not exist, tokens that do not sum up,
/// layouts that are not legal, memory that does not suffice.
std::vector<scenario::Violation> checkPhases(const scenario::Scenario& plan, const Evaluation& e);

extern template class Phases<double>;
extern template class Phases<explain::Traced>;

} // namespace cw::evaluation
