// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/evaluation/evaluation.h"
#include "model/units/unit.h"

namespace cw::evaluation {

/// One figure of an evaluation by its path ("step.time_s"), as JSON, `--metric` and `explain` name
/// it.
template <class T>
struct Figure
{
    std::string path;
    T value{};
    units::Unit unit = units::Unit::None;
};

/// Every figure of an evaluation, in the order in which it is told.
template <class T>
std::vector<Figure<T>> figuresOf(const EvaluationOf<T>& e);

/// The value of one; nothing where no figure has this path.
std::optional<double> figure(const Evaluation& e, std::string_view path);

} // namespace cw::evaluation
