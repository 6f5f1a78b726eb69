// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/explain/trace.h"
#include "model/scenario/presets.h"
#include "model/scenario/scenario.h"
#include "model/text/catalogue.h"
#include "model/units/unit.h"

// Why a figure is what it is: the formula from the code that computed it, with the numbers put in,
// down to the inputs.

namespace cw::evaluation {

/// One step of an explanation.
struct Reason
{
    enum class Kind : std::uint8_t
    {
        Figure,   ///< computed: has a formula
        Input,    ///< a number of the plan; key is its path
        Constant, ///< a number of the model
    };
    Kind kind = Kind::Figure;
    explain::NodeId node = explain::kNoNode;
    std::string key;
    std::string label;
    std::string symbol; ///< in formulas; the label where it has none
    double value = 0;
    units::Unit unit = units::Unit::None;
    std::string formula; ///< "F / (N P T)" in symbols; empty for inputs and constants
    std::string numbers; ///< the same with the numbers put in
    std::string source;  ///< citation of the formula, or where the number comes from
    std::string status;  ///< "measured", "published", "assumed", "choice", "" for figures
    std::vector<explain::NodeId> inputs; ///< what the formula refers to, each once
};

/// The derivation of a whole evaluation, opened step by step.
class Explanation
{
public:
    Explanation(const scenario::Scenario& scenario, text::Language language);
    ~Explanation();
    Explanation(const Explanation&) = delete;
    Explanation& operator=(const Explanation&) = delete;

    /// The node of a figure of the evaluation by its path; nothing where there is no such figure.
    std::optional<explain::NodeId> find(std::string_view path) const;
    /// A figure that rests on nothing recorded (a plain zero) has this reason alone.
    Reason reason(explain::NodeId node) const;
    Reason reasonOf(std::string_view path) const;
    /// Paths of all figures.
    std::vector<std::string> paths() const;
    const explain::Trace& trace() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace cw::evaluation
