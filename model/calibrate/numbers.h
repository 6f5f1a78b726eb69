// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/scenario/scenario.h"

namespace cw::calibrate {

/// A number of one plan by its path, to be read and changed in place; points into that plan, which
/// has to stay where it is.
class NumberHandle
{
public:
    NumberHandle() = default;
    explicit NumberHandle(double* value) : m_place(value) {}
    explicit NumberHandle(std::optional<double>* value) : m_place(value) {}

    bool known() const { return m_place.index() != 0; }
    double get(double fallback) const;
    void set(double value) const;

private:
    std::variant<std::monostate, double*, std::optional<double>*> m_place;
};

/// Handles of these paths; unknown where a path names no number of the plan.
std::vector<NumberHandle> handlesOf(scenario::Scenario& plan,
                                    const std::vector<std::string>& paths);

} // namespace cw::calibrate
