// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/calibrate/leastsquares.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include <Eigen/Dense>

namespace cw::calibrate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A residual that is not a number counts as a large one.
constexpr double kWorst = 10;

struct Problem
{
    Residuals& model;
    const std::vector<Unknown>& unknowns;
    const Effort& effort;
    double noise;

    Index size() const { return static_cast<Index>(unknowns.size()); }
    bool counts(std::size_t row) const { return effort.rows.empty() || effort.rows[row] != 0; }

    static std::vector<double> valuesOf(const VectorXd& logs)
    {
        std::vector<double> values(static_cast<std::size_t>(logs.size()));
        for (Index i = 0; i < logs.size(); ++i)
            values[static_cast<std::size_t>(i)] = std::exp(logs[i]);
        return values;
    }
    double residual(std::size_t row, const std::vector<double>& values) const
    {
        const double r = model.at(row, values);
        return std::isfinite(r) ? std::clamp(r, -kWorst, kWorst) : kWorst;
    }
    VectorXd residuals(const VectorXd& x) const
    {
        VectorXd r = VectorXd::Zero(static_cast<Index>(model.rows()));
        const std::vector<double> values = valuesOf(x);
        inParallel(model.rows(), effort.threads, [&](std::size_t i) {
            if (counts(i))
                r[static_cast<Index>(i)] = residual(i, values);
        });
        return r;
    }
    VectorXd weights(const VectorXd& r) const
    {
        VectorXd w = (1.0 + (r / effort.scale).array().square()).rsqrt();
        for (Index i = 0; i < w.size(); ++i)
            if (!counts(static_cast<std::size_t>(i)))
                w[i] = 0;
        return w;
    }
    VectorXd tightness() const
    {
        VectorXd t(size());
        for (Index i = 0; i < size(); ++i)
            t[i] = std::pow(noise / unknowns[static_cast<std::size_t>(i)].spread, 2);
        return t;
    }
    VectorXd prior() const
    {
        VectorXd p(size());
        for (Index i = 0; i < size(); ++i)
            p[i] = std::log(unknowns[static_cast<std::size_t>(i)].prior);
        return p;
    }
    double loss(const VectorXd& r, const VectorXd& x) const
    {
        const double s = effort.scale;
        double sum = 0;
        for (Index i = 0; i < r.size(); ++i)
            if (counts(static_cast<std::size_t>(i)))
                sum += s * s * (std::sqrt(1.0 + (r[i] / s) * (r[i] / s)) - 1.0);
        return sum + 0.5 * tightness().dot((x - prior()).cwiseAbs2());
    }
    MatrixXd jacobian(const VectorXd& x, const VectorXd& r) const
    {
        constexpr double kStep = 1e-3;
        MatrixXd j = MatrixXd::Zero(r.size(), size());
        inParallel(model.rows(), effort.threads, [&](std::size_t i) {
            if (!counts(i))
                return;
            std::vector<double> values = valuesOf(x);
            for (std::size_t k = 0; k < unknowns.size(); ++k) {
                if (!model.touches(i, k))
                    continue;
                const double here = values[k];
                values[k] = here * std::exp(kStep);
                const auto row = static_cast<Index>(i);
                j(row, static_cast<Index>(k)) = (residual(i, values) - r[row]) / kStep;
                values[k] = here;
            }
        });
        return j;
    }
    void clamp(VectorXd& x) const
    {
        for (std::size_t i = 0; i < unknowns.size(); ++i) {
            double& value = x[static_cast<Index>(i)];
            if (unknowns[i].least > 0)
                value = std::max(value, std::log(unknowns[i].least));
            if (unknowns[i].most > 0)
                value = std::min(value, std::log(unknowns[i].most));
        }
    }
};

struct State
{
    VectorXd x;
    VectorXd r;
    double loss = 0;
    double damping = 1e-2;
};

/// One damped step; false where none makes it better.
bool improve(const Problem& p, const MatrixXd& j, State& state)
{
    const VectorXd w = p.weights(state.r);
    const VectorXd tight = p.tightness();
    MatrixXd curvature = j.transpose() * w.asDiagonal() * j;
    curvature.diagonal() += tight;
    const VectorXd gradient =
        j.transpose() * w.cwiseProduct(state.r) + tight.cwiseProduct(state.x - p.prior());
    for (int attempt = 0; attempt < 6; ++attempt) {
        MatrixXd damped = curvature;
        damped.diagonal() *= 1 + state.damping;
        VectorXd next = state.x - damped.ldlt().solve(gradient);
        p.clamp(next);
        const VectorXd r = p.residuals(next);
        const double loss = p.loss(r, next);
        if (loss < state.loss * (1 - 1e-6)) {
            state = {next, r, loss, std::max(1e-6, state.damping / 5)};
            return true;
        }
        state.damping *= 8;
    }
    return false;
}

MatrixXd curvatureOf(const Problem& p, const MatrixXd& j, const VectorXd& r)
{
    const VectorXd w = p.weights(r);
    return j.transpose() * w.asDiagonal() * j;
}

/// Scaled by the freedom that is left, with the expected noise as four more residuals: few rows
/// alone say little of their own noise.
double noiseOf(const Problem& p, const MatrixXd& curvature, const VectorXd& r)
{
    constexpr double kWeight = 4;
    MatrixXd whole = curvature;
    whole.diagonal() += p.tightness();
    const double used = whole.ldlt().solve(curvature).trace();
    const VectorXd w = p.weights(r);
    double count = 0;
    for (std::size_t i = 0; i < p.model.rows(); ++i)
        count += p.counts(i) ? 1 : 0;
    const double sum = (w.array() * r.array().square()).sum();
    const double e = p.effort.noise;
    return std::sqrt((kWeight * e * e + sum) / (kWeight + std::max(0.0, count - used)));
}

void tellConfidence(const Problem& p, const MatrixXd& curvature, Solution& s)
{
    MatrixXd whole = curvature;
    whole.diagonal() += p.tightness();
    const MatrixXd covariance =
        whole.ldlt().solve(MatrixXd::Identity(p.size(), p.size())) * p.noise * p.noise;
    s.correlation = MatrixXd::Identity(p.size(), p.size());
    for (Index i = 0; i < p.size(); ++i) {
        const double spread = p.unknowns[static_cast<std::size_t>(i)].spread;
        const double variance = std::max(1e-300, covariance(i, i));
        const double told = 1 / variance - 1 / (spread * spread);
        const double alone = curvature(i, i) / (p.noise * p.noise);
        constexpr double kNothing = 1e-9;
        const double endless = std::numeric_limits<double>::infinity();
        s.deviations.push_back(std::sqrt(variance));
        s.dataDeviations.push_back(told * spread * spread > kNothing ? 1 / std::sqrt(told)
                                                                     : endless);
        s.aloneDeviations.push_back(alone * spread * spread > kNothing ? 1 / std::sqrt(alone)
                                                                       : endless);
        for (Index k = 0; k < p.size(); ++k)
            s.correlation(i, k) =
                covariance(i, k) / std::sqrt(variance * std::max(1e-300, covariance(k, k)));
    }
}

} // namespace

void inParallel(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work)
{
    constexpr std::size_t kBlock = 8;
    std::atomic<std::size_t> next{0};
    const auto run = [&] {
        for (std::size_t from = next.fetch_add(kBlock); from < count; from = next.fetch_add(kBlock))
            for (std::size_t i = from; i < std::min(count, from + kBlock); ++i)
                work(i);
    };
    std::vector<std::thread> pool;
    const std::size_t most = std::min<std::size_t>(std::max(1U, threads), 1 + count / kBlock);
    for (std::size_t t = 1; t < most; ++t)
        pool.emplace_back(run);
    run();
    for (std::thread& thread : pool)
        thread.join();
}

Solution solve(Residuals& residuals, const std::vector<Unknown>& unknowns, const Effort& effort)
{
    Solution s;
    if (residuals.rows() == 0 || unknowns.empty())
        return s;
    Problem p{residuals, unknowns, effort, effort.noise};
    State state;
    state.x = p.prior();
    const std::vector<double>& start = effort.near != nullptr ? effort.near->values : effort.start;
    for (std::size_t i = 0; i < start.size(); ++i)
        state.x[static_cast<Index>(i)] = std::log(start[i]);
    p.clamp(state.x);
    state.r = p.residuals(state.x);
    state.loss = p.loss(state.r, state.x);
    MatrixXd j = effort.near != nullptr ? effort.near->jacobian : p.jacobian(state.x, state.r);
    bool moved = true;
    while (s.iterations < effort.iterations && moved) {
        moved = improve(p, j, state);
        ++s.iterations;
        if (effort.progress)
            effort.progress(s.iterations, state.loss);
        if (effort.near == nullptr && moved)
            j = p.jacobian(state.x, state.r);
        if (effort.estimateNoise && moved) {
            p.noise = noiseOf(p, curvatureOf(p, j, state.r), state.r);
            state.loss = p.loss(state.r, state.x);
        }
    }
    const MatrixXd curvature = curvatureOf(p, j, state.r);
    if (effort.estimateNoise)
        p.noise = noiseOf(p, curvature, state.r);
    s.values = Problem::valuesOf(state.x);
    s.residuals = state.r;
    s.noise = p.noise;
    tellConfidence(p, curvature, s);
    s.jacobian = std::move(j);
    return s;
}

} // namespace cw::calibrate
