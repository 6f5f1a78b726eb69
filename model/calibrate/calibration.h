// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/calibrate/constants.h"
#include "model/calibrate/measurement.h"
#include "model/scenario/fault.h"

// From a user's measurements to the constants of their chip and stack. A constant that the
// measurements cannot determine keeps the number it had, and it is said why and what would
// determine it.

namespace cw::calibrate {

struct Calibrated
{
    std::string path;  ///< in a plan, the first where it has several
    std::string name;  ///< "bf16"
    double before = 0; ///< as the plan has it
    double value = 0;
    double deviation = 0; ///< standard error of its logarithm
    double low = 0;       ///< 80% confidence
    double high = 0;
    bool atLimit = false; ///< it would go further, were it allowed
    std::size_t rows = 0; ///< measurements that depend on it
    std::size_t constant = 0;
};

/// A constant that was not determined.
struct Refused
{
    enum class Why : std::uint8_t
    {
        Untouched,  ///< no measurement depends on it
        Confounded, ///< the measurements see it only together with another
        Noisy,      ///< they leave it wider than what was known before
    };
    std::string path;
    std::string name;
    Why why = Why::Untouched;
    std::string with;     ///< name of the other constant
    double spread = 0;    ///< known before: standard deviation of the logarithm
    double deviation = 0; ///< what the measurements alone would leave; 0: nothing at all
    std::string by;       ///< key of the text that says what to measure
};

struct Correlated
{
    std::string first;
    std::string second;
    double correlation = 0;
};

struct Residual
{
    std::string file;
    std::string place;
    std::string label;
    double measured = 0;  ///< seconds
    double before = 0;    ///< predicted with the constants that the plan has
    double predicted = 0; ///< with those found
};

struct Calibration
{
    std::vector<Calibrated> constants;
    std::vector<Refused> refused;
    std::vector<Correlated> correlated; ///< beyond 0.9
    std::vector<Residual> residuals;
    double noise = 0; ///< standard deviation of a residual, of its logarithm
    double medianBefore = 0;
    double medianAfter = 0;
};

/// Seconds that the model predicts for a measurement on this plan.
double predictedSeconds(const scenario::Scenario& plan, const Measurement& m);

/// Fits the constants of the plan's chip and stack. Deterministic.
Calibration calibrate(const scenario::Scenario& plan, const std::vector<Measurement>& measurements,
                      unsigned threads = 2);

/// The plan with the constants found.
scenario::Scenario calibratedPlan(const scenario::Scenario& plan, const Calibration& c);

/// The preset file: {id, kind, name, base, status, values, sources, software, calibration}, for
/// `--set cluster.chip.preset=FILE` and `--set software.preset=FILE`; `values` can also stand in a
/// plan as they are.
nlohmann::ordered_json calibrationFile(const std::string& id, const scenario::Scenario& plan,
                                       const Calibration& c);

/// Starts a part of a plan ("cluster.chip" or "software") from such a file.
scenario::Faults applyCalibrationFile(scenario::Scenario& plan, std::string_view part,
                                      std::string_view text);

} // namespace cw::calibrate
