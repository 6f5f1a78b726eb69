// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/calibrate/leastsquares.h"
#include "model/calibrate/measuredrows.h"
#include "model/calibrate/numbers.h"

// Which constants measured rows determine: the list stands in resources/calibration/constants.json,
// with what was believed of each before. A constant belongs to a family of chips, to a software
// stack, or to all plans; never to a row or a model.

namespace cw::calibrate {

struct Constant
{
    enum class Of : std::uint8_t
    {
        Chip,
        Stack,
        All,
    };
    Of of = Of::All;
    std::string name;  ///< "bf16"
    std::string owner; ///< family of chips or stack; empty for all
    Unknown unknown;   ///< its name is "A100.bf16"
    /// Numbers of a plan that take it, each with a factor.
    std::vector<std::pair<std::string, double>> paths;
    std::vector<std::string> chips;      ///< families it is for; empty: all
    std::vector<std::string> precisions; ///< rows that determine it; empty: all
    bool moe = false;                    ///< only rows of mixtures of experts
};

/// "A100" for an A100 of either memory size; the key itself where it belongs to no family.
std::string familyOf(const std::string& chipKey);

/// The constants that at least as many of these rows bear on as the list asks for.
std::vector<Constant> constantsFor(const std::vector<MeasuredRow>& rows);

/// The constants of one plan: of its chip, its stack and all, whatever determines them. The prior
/// of each is what the plan says.
std::vector<Constant> constantsOf(const scenario::Scenario& plan);

/// Whether a row's plan takes the constant. A stack that states its own number keeps it.
bool appliesTo(const Constant& constant, const MeasuredRow& row);

/// Stacks that are one release, so that a few rows of theirs speak for the others.
bool isSingleRelease(const std::string& framework);

/// Chip presets that take the constants of a family.
std::vector<std::string> presetsOfFamily(const std::string& family);

/// The chip's family by its preset; empty where its constants rest on no measured step.
std::string familyOfPreset(const std::string& preset);

/// A plan whose constants are changed in place.
class BoundPlan
{
public:
    BoundPlan(const scenario::Scenario& plan, const std::vector<Constant>& constants,
              const std::vector<char>& applies);
    BoundPlan(const BoundPlan&) = delete;
    BoundPlan& operator=(const BoundPlan&) = delete;
    BoundPlan(BoundPlan&&) = delete;
    BoundPlan& operator=(BoundPlan&&) = delete;
    ~BoundPlan() = default;

    bool touches(std::size_t constant) const { return m_begin[constant] != m_end[constant]; }
    const scenario::Scenario& with(const std::vector<double>& values);

private:
    scenario::Scenario m_plan;
    std::vector<std::size_t> m_begin; ///< of each constant among the handles
    std::vector<std::size_t> m_end;
    std::vector<std::pair<NumberHandle, double>> m_handles;
};

} // namespace cw::calibrate
