// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/calibrate/constants.h"
#include "model/calibrate/datasplit.h"
#include "model/calibrate/leastsquares.h"
#include "model/calibrate/validate.h"

// Constants fitted again to published rows, with some left out: what a user sees whose stack nobody
// measured, and one who measured a few steps of it.

namespace cw::calibrate {

/// A measured step with the file it came from.
struct StepRow
{
    MeasuredRow row;
    std::string file;
    std::string source;
};

/// Rows with a step time, in the order of the files.
std::vector<StepRow> stepRowsOf(const std::vector<RowsFile>& files);

/// How far it is: of what (a key of the texts), done of all.
using Progress = std::function<void(const std::string& what, std::size_t done, std::size_t all)>;

/// What an unnamed stack is given: the geometric mean of the stacks that rows determine.
struct StackDefaults
{
    double maturity = 1;
    double moeMaturity = 1;
};

class Refit
{
public:
    /// `threads` 0: as many as the machine has.
    explicit Refit(std::vector<StepRow> rows, unsigned threads = 0, Progress progress = {});
    ~Refit();
    Refit(const Refit&) = delete;
    Refit& operator=(const Refit&) = delete;
    Refit(Refit&&) = delete;
    Refit& operator=(Refit&&) = delete;

    const std::vector<StepRow>& rows() const;
    const std::vector<Constant>& constants() const;
    /// Fitted to the rows that are neither kept back nor in doubt.
    const Solution& whole() const;
    StackDefaults defaults() const;

    /// log(predicted / measured) of every row, fitted to four fifths of the training rows and told
    /// of the fifth left out, five times. Kept-back rows and those in doubt by the whole fit.
    std::vector<double> crossValidated() const;

    struct LeftOut
    {
        std::vector<RowResult> rows;    ///< step times by constants that never saw the source
        std::vector<RowResult> sampled; ///< the same with the stack's own from N of its rows
        std::size_t perStack = 0;       ///< N
    };
    /// Each source left out in turn, its rows told with the defaults of an unnamed stack. With
    /// `perStack` above 0, for stacks of one release also with their own constants from that many
    /// rows: ordered by the predicted step, those in the middle of as many equal parts. They are
    /// told of the other rows.
    LeftOut leaveOneSourceOut(std::size_t perStack) const;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// The row as a result with this prediction in place of its own.
RowResult resultOfStep(const StepRow& row, double predicted);

} // namespace cw::calibrate
