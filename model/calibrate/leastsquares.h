// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace cw::calibrate {

/// A positive number to be found, and what was believed of it before.
struct Unknown
{
    std::string name;
    double prior = 1;
    double spread = 0.2; ///< standard deviation of its logarithm
    double least = 0;    ///< 0: none
    double most = 0;     ///< 0: none
};

/// What has to vanish: log(predicted / measured) of each row at values of the unknowns.
class Residuals
{
public:
    Residuals() = default;
    Residuals(const Residuals&) = delete;
    Residuals& operator=(const Residuals&) = delete;
    virtual ~Residuals() = default;

    virtual std::size_t rows() const = 0;
    /// Called for different rows from several threads at once.
    virtual double at(std::size_t row, const std::vector<double>& values) = 0;
    /// False where the row's residual cannot depend on the unknown.
    virtual bool touches(std::size_t row, std::size_t unknown) const = 0;
};

struct Solution
{
    std::vector<double> values;
    /// Standard deviation of the logarithm, by the data and the priors together.
    std::vector<double> deviations;
    /// The same by the data alone, the other unknowns within their priors; infinite where the data
    /// say nothing.
    std::vector<double> dataDeviations;
    /// The same with the other unknowns known: how much more the data would say then.
    std::vector<double> aloneDeviations;
    Eigen::MatrixXd correlation;
    Eigen::VectorXd residuals;
    Eigen::MatrixXd jacobian; ///< of the residuals by the logarithms
    double noise = 0;         ///< standard deviation of a residual
    int iterations = 0;
};

struct Effort
{
    int iterations = 12;
    double scale = 0.1;         ///< a residual beyond it loses weight (pseudo-Huber)
    double noise = 0.05;        ///< standard deviation expected of a residual
    bool estimateNoise = false; ///< from the residuals; `noise` then counts as four of them
    unsigned threads = 2;
    std::function<void(int iteration, double loss)> progress;
    /// Starts there and keeps its Jacobian: for fits that differ in a few rows.
    const Solution* near = nullptr;
    /// Where to start; empty: at the priors.
    std::vector<double> start;
    /// Rows that count, one flag for each; empty: all.
    std::vector<char> rows;
};

/// Levenberg-Marquardt in the logarithms of the unknowns, with their priors as further residuals.
/// [Marquardt 1963; Huber loss as in Barron 2019, alpha = 1]. The same input gives the same doubles
/// for any number of threads.
Solution solve(Residuals& residuals, const std::vector<Unknown>& unknowns, const Effort& effort);

/// Runs work(0..count-1) on some threads.
void inParallel(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work);

} // namespace cw::calibrate
