// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/calibrate/fit.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include <Eigen/Dense>

#include "model/evaluation/evaluation.h"

namespace cw::calibrate {

namespace {

double residual(const MeasuredRow& row, const std::vector<Unknown>& unknowns,
                const Eigen::VectorXd& logs)
{
    MeasuredRow tried = row;
    for (std::size_t i = 0; i < unknowns.size(); ++i)
        unknowns[i].apply(tried, std::exp(logs[static_cast<Eigen::Index>(i)]));
    const double time = evaluation::evaluate(tried.plan).step.time.si();
    return std::log(time / *row.stepTime);
}

template <class Work>
void inParallel(std::size_t count, unsigned threads, Work work)
{
    std::vector<std::thread> pool;
    for (unsigned t = 0; t < threads; ++t)
        pool.emplace_back([&, t] {
            for (std::size_t i = t; i < count; i += threads)
                work(i);
        });
    for (std::thread& thread : pool)
        thread.join();
}

struct Problem
{
    const std::vector<MeasuredRow>& rows;
    const std::vector<Unknown>& unknowns;
    double scale;
    unsigned threads;

    Eigen::VectorXd residuals(const Eigen::VectorXd& x) const
    {
        Eigen::VectorXd r(static_cast<Eigen::Index>(rows.size()));
        inParallel(rows.size(), threads, [&](std::size_t i) {
            r[static_cast<Eigen::Index>(i)] = residual(rows[i], unknowns, x);
        });
        return r;
    }
    /// Weight of a row in the next step: 1 near zero, less beyond `scale` (pseudo-Huber).
    Eigen::VectorXd weights(const Eigen::VectorXd& r) const
    {
        return (1.0 + (r / scale).array().square()).rsqrt();
    }
    double loss(const Eigen::VectorXd& r, const Eigen::VectorXd& x) const
    {
        double sum = (scale * scale * ((1.0 + (r / scale).array().square()).sqrt() - 1.0)).sum();
        for (std::size_t i = 0; i < unknowns.size(); ++i) {
            const double d = (x[static_cast<Eigen::Index>(i)] - std::log(unknowns[i].prior)) /
                             unknowns[i].spread;
            sum += 0.5 * noise() * d * d;
        }
        return sum;
    }
    /// Variance of a row's residual: how many rows a prior weighs.
    static double noise() { return 0.05 * 0.05; }

    Eigen::MatrixXd jacobian(const Eigen::VectorXd& x, const Eigen::VectorXd& r) const
    {
        constexpr double kStep = 1e-3;
        Eigen::MatrixXd j(r.size(), x.size());
        inParallel(rows.size(), threads, [&](std::size_t i) {
            Eigen::VectorXd moved = x;
            for (Eigen::Index k = 0; k < x.size(); ++k) {
                moved[k] += kStep;
                const auto row = static_cast<Eigen::Index>(i);
                j(row, k) = (residual(rows[i], unknowns, moved) - r[row]) / kStep;
                moved[k] = x[k];
            }
        });
        return j;
    }
    void clamp(Eigen::VectorXd& x) const
    {
        for (std::size_t i = 0; i < unknowns.size(); ++i) {
            double& value = x[static_cast<Eigen::Index>(i)];
            if (unknowns[i].least > 0)
                value = std::max(value, std::log(unknowns[i].least));
            if (unknowns[i].most > 0)
                value = std::min(value, std::log(unknowns[i].most));
        }
    }
};

double medianAbs(const Eigen::VectorXd& r)
{
    std::vector<double> all(r.data(), r.data() + r.size());
    for (double& v : all)
        v = std::fabs(std::expm1(v));
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    return *middle;
}

} // namespace

Fit fitConstants(const std::vector<MeasuredRow>& rows, const std::vector<Unknown>& unknowns,
                 int iterations, double scale, unsigned threads)
{
    Fit fit;
    if (rows.empty() || unknowns.empty())
        return fit;
    const Problem p{rows, unknowns, scale, std::max(1U, threads)};
    const auto n = static_cast<Eigen::Index>(unknowns.size());
    Eigen::VectorXd prior(n);
    Eigen::VectorXd tightness(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        prior[i] = std::log(unknowns[static_cast<std::size_t>(i)].prior);
        tightness[i] = Problem::noise() / std::pow(unknowns[static_cast<std::size_t>(i)].spread, 2);
    }
    Eigen::VectorXd x = prior;
    Eigen::VectorXd r = p.residuals(x);
    fit.medianBefore = medianAbs(r);
    double loss = p.loss(r, x);
    double damping = 1e-2;
    Eigen::MatrixXd curvature = Eigen::MatrixXd::Identity(n, n);
    for (fit.iterations = 0; fit.iterations < iterations; ++fit.iterations) {
        const Eigen::MatrixXd j = p.jacobian(x, r);
        const Eigen::VectorXd w = p.weights(r);
        const Eigen::MatrixXd priorTerm = tightness.asDiagonal();
        curvature = j.transpose() * w.asDiagonal() * j + priorTerm;
        const Eigen::VectorXd gradient =
            j.transpose() * w.cwiseProduct(r) + tightness.cwiseProduct(x - prior);
        bool better = false;
        for (int attempt = 0; attempt < 6 && !better; ++attempt) {
            Eigen::MatrixXd damped = curvature;
            damped.diagonal() *= 1 + damping;
            Eigen::VectorXd next = x - damped.ldlt().solve(gradient);
            p.clamp(next);
            const Eigen::VectorXd nextR = p.residuals(next);
            const double nextLoss = p.loss(nextR, next);
            better = nextLoss < loss * (1 - 1e-6);
            if (better) {
                x = next;
                r = nextR;
                loss = nextLoss;
                damping = std::max(1e-6, damping / 5);
            } else {
                damping *= 8;
            }
        }
        if (!better)
            break;
    }
    fit.medianAfter = medianAbs(r);
    const Eigen::MatrixXd covariance = curvature.inverse() * Problem::noise();
    for (Eigen::Index i = 0; i < n; ++i) {
        const double deviation = std::sqrt(std::max(0.0, covariance(i, i)));
        fit.values.push_back({std::exp(x[i]), deviation,
                              deviation < 0.5 * unknowns[static_cast<std::size_t>(i)].spread});
    }
    return fit;
}

} // namespace cw::calibrate
