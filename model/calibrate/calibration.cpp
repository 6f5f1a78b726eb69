// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/calibrate/calibration.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "model/calibrate/statistics.h"
#include "model/chip/roofline.h"
#include "model/evaluation/evaluation.h"
#include "model/network/collectives.h"

namespace cw::calibrate {

using scenario::Inputs;
using scenario::Scenario;

namespace {

constexpr double kNormal80 = 1.2815515655446004; ///< 90th percentile of the normal distribution
constexpr double kExpectedNoise = 0.03;
constexpr double kCorrelated = 0.9;

double collectiveSeconds(const Scenario& plan, const Measurement& m)
{
    const Inputs<double> in(plan);
    const auto& up = plan.cluster.network.scaleUp;
    const double domain = static_cast<double>(std::max<std::int64_t>(1, up.chips));
    network::GroupSpan<double> group;
    group.size = m.ranks;
    group.inside = std::min({m.ranks, domain, m.perDomain > 0 ? m.perDomain : domain});
    group.domains = std::max(1.0, m.ranks / group.inside);
    group.extent = group.domains > 1 ? group.domains * domain : m.ranks;
    const auto links = network::linksFor(in, network::topology(in), group);
    const units::Bytes<double> bytes(m.bytes);
    switch (m.operation) {
    case Collective::AllReduce:
        return network::allReduce(group, links, bytes).si();
    case Collective::AllGather:
        return network::allGather(group, links, bytes).si();
    case Collective::ReduceScatter:
        return network::reduceScatter(group, links, bytes).si();
    case Collective::AllToAll:
        return network::allToAll(group, links, bytes).si();
    case Collective::SendReceive:
        return network::sendReceive(group, links, bytes).si();
    }
    return 0;
}

double partSeconds(const Scenario& plan, const std::string& part)
{
    const auto s = evaluation::evaluateCore(plan).step;
    const std::vector<double> seconds{s.time.si(),         s.compute.si(),    s.recompute.si(),
                                      s.matrix.si(),       s.attention.si(),  s.stream.si(),
                                      s.quantization.si(), s.bubble.si(),     s.optimizer.si(),
                                      s.host.si(),         s.tensorComm.si(), s.contextComm.si(),
                                      s.expertComm.si(),   s.dataComm.si(),   s.pipelineComm.si()};
    const auto& parts = stepParts();
    const auto at = std::find(parts.begin(), parts.end(), part) - parts.begin();
    return static_cast<std::size_t>(at) < seconds.size() ? seconds[static_cast<std::size_t>(at)]
                                                         : 0;
}

class MeasuredResiduals final : public Residuals
{
public:
    MeasuredResiduals(const Scenario& plan, const std::vector<Measurement>& all,
                      const std::vector<Constant>& constants)
        : m_all(all), m_count(constants.size())
    {
        const std::vector<char> each(constants.size(), 1);
        // What was measured on links stands in for their data sheet: here it is to be found.
        Scenario machine = plan;
        machine.cluster.network.measured.clear();
        std::vector<double> now;
        for (const Constant& c : constants)
            now.push_back(c.unknown.prior);
        for (const Measurement& m : all) {
            Scenario own = m.plan ? *m.plan : machine;
            own.cluster.network.measured.clear();
            m_plans.push_back(std::make_unique<BoundPlan>(own, constants, each));
        }
        findTouched(now);
    }
    std::size_t rows() const override { return m_all.size(); }
    double at(std::size_t row, const std::vector<double>& values) override
    {
        return std::log(predictedSeconds(m_plans[row]->with(values), m_all[row]) /
                        m_all[row].seconds);
    }
    bool touches(std::size_t row, std::size_t unknown) const override
    {
        return m_touched[row * m_count + unknown] != 0;
    }

private:
    /// By trial: products and collectives read few of the constants that a plan has.
    void findTouched(std::vector<double> values)
    {
        m_touched.assign(m_all.size() * m_count, 0);
        for (std::size_t i = 0; i < m_all.size(); ++i) {
            const double here = at(i, values);
            for (std::size_t k = 0; k < m_count; ++k) {
                const double before = values[k];
                for (const double factor : {0.5, 0.9, 1.1, 1.5}) {
                    values[k] = before * factor;
                    if (at(i, values) != here)
                        m_touched[i * m_count + k] = 1;
                }
                values[k] = before;
            }
        }
    }

    const std::vector<Measurement>& m_all;
    std::size_t m_count;
    std::vector<std::unique_ptr<BoundPlan>> m_plans;
    std::vector<char> m_touched;
};

/// Keys of the texts that say what would determine a constant.
std::string remedyOf(const Constant& c)
{
    const auto any = [&](std::initializer_list<const char*> names) {
        return std::find(names.begin(), names.end(), c.name) != names.end();
    };
    if (any({"bf16", "fp8", "fp4", "k_ramp"}))
        return "calibrate.by.gemm";
    if (any({"hbm"}))
        return "calibrate.by.stream";
    if (any({"attention", "flash_1", "flash_2", "attention_backward", "unfused_softmax_passes"}))
        return "calibrate.by.attention";
    if (any({"scale_up", "collective_latency_inside"}))
        return "calibrate.by.inside";
    if (any({"scale_out", "collective_latency_across"}))
        return "calibrate.by.across";
    if (any({"host_layer", "host_moe_layer", "host_expert"}))
        return "calibrate.by.host";
    return c.moe || c.name.rfind("grouped", 0) == 0 || c.name.rfind("expert", 0) == 0 ||
                   c.name == "permutation_bytes"
               ? "calibrate.by.moe"
               : "calibrate.by.steps";
}

Refused refusalOf(const std::vector<Constant>& constants, const Solution& s, std::size_t i)
{
    const Constant& c = constants[i];
    Refused r;
    r.path = c.paths.front().first;
    r.name = c.name;
    r.spread = c.unknown.spread;
    r.by = remedyOf(c);
    r.deviation = std::isfinite(s.dataDeviations[i]) ? s.dataDeviations[i] : 0;
    if (!std::isfinite(s.aloneDeviations[i]))
        return r;
    r.why =
        s.aloneDeviations[i] < c.unknown.spread ? Refused::Why::Confounded : Refused::Why::Noisy;
    double most = 0;
    for (std::size_t k = 0; k < constants.size(); ++k) {
        const double rho =
            std::fabs(s.correlation(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)));
        if (k != i && rho > most && r.why == Refused::Why::Confounded) {
            most = rho;
            r.with = constants[k].name;
        }
    }
    return r;
}

std::vector<Unknown> unknownsOf(const std::vector<Constant>& constants)
{
    std::vector<Unknown> unknowns;
    for (const Constant& c : constants)
        unknowns.push_back(c.unknown);
    return unknowns;
}

Effort effortOf(unsigned threads)
{
    Effort e;
    e.iterations = 30;
    e.noise = kExpectedNoise;
    e.estimateNoise = true;
    e.threads = threads;
    return e;
}

/// The best of several starts: libraries and pipelines take the better of two ways, and beyond the
/// point where they change it a constant of the other way is out of sight.
Solution solveWidely(MeasuredResiduals& residuals, const std::vector<Constant>& constants,
                     unsigned threads)
{
    const std::vector<Unknown> unknowns = unknownsOf(constants);
    Effort effort = effortOf(threads);
    Solution best = solve(residuals, unknowns, effort);
    // The noise is told from the residuals, so that losses of different fits are compared by them.
    const auto worth = [](const Solution& s) {
        return s.residuals.size() > 0 ? s.residuals.cwiseAbs().sum() : 0;
    };
    for (std::size_t i = 0; i < constants.size(); ++i) {
        if (constants[i].name.rfind("scale_", 0) != 0)
            continue;
        for (const double factor : {0.4, 0.7}) {
            effort.start.clear();
            for (const Unknown& u : unknowns)
                effort.start.push_back(u.prior);
            effort.start[i] *= factor;
            Solution other = solve(residuals, unknowns, effort);
            if (worth(other) < 0.98 * worth(best))
                best = std::move(other);
        }
    }
    return best;
}

/// Touched by some measurement, the others refused.
std::vector<Constant> touchedOf(const std::vector<Constant>& all, const MeasuredResiduals& r,
                                Calibration& c)
{
    std::vector<Constant> kept;
    for (std::size_t k = 0; k < all.size(); ++k) {
        bool touched = false;
        for (std::size_t i = 0; i < r.rows() && !touched; ++i)
            touched = r.touches(i, k);
        if (touched)
            kept.push_back(all[k]);
        else if (all[k].of != Constant::Of::All)
            c.refused.push_back({all[k].paths.front().first, all[k].name, Refused::Why::Untouched,
                                 "", all[k].unknown.spread, 0, remedyOf(all[k])});
    }
    return kept;
}

void tellConstants(const std::vector<Constant>& constants, const Solution& joint,
                   const std::vector<std::size_t>& kept, const Solution& s,
                   const MeasuredResiduals& residuals, Calibration& c)
{
    for (std::size_t n = 0; n < kept.size(); ++n) {
        const Constant& constant = constants[n];
        Calibrated found;
        found.path = constant.paths.front().first;
        found.name = constant.name;
        found.constant = n;
        found.before = constant.unknown.prior;
        found.value = s.values[n];
        // What was refused is still uncertain, and this with it.
        found.deviation = std::max(s.deviations[n], joint.deviations[kept[n]]);
        found.low = found.value * std::exp(-kNormal80 * found.deviation);
        found.high = found.value * std::exp(kNormal80 * found.deviation);
        const auto& u = constant.unknown;
        found.atLimit = (u.most > 0 && found.value > u.most * 0.9999) ||
                        (u.least > 0 && found.value < u.least * 1.0001);
        for (std::size_t i = 0; i < residuals.rows(); ++i)
            found.rows += residuals.touches(i, n) ? 1 : 0;
        c.constants.push_back(std::move(found));
        for (std::size_t k = 0; k < n; ++k) {
            const double rho =
                s.correlation(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(k));
            if (std::fabs(rho) > kCorrelated)
                c.correlated.push_back({constants[k].name, constant.name, rho});
        }
    }
}

} // namespace

double predictedSeconds(const Scenario& plan, const Measurement& m)
{
    switch (m.kind) {
    case Measurement::Kind::Gemm:
        return chip::gemmTime(Inputs<double>(plan), m.format, m.m, m.n, m.k).si();
    case Measurement::Kind::Collective:
        return collectiveSeconds(plan, m);
    case Measurement::Kind::Part:
        return partSeconds(plan, m.part);
    case Measurement::Kind::Step:
        return evaluation::evaluateCore(plan).step.time.si();
    }
    return 0;
}

Calibration calibrate(const Scenario& plan, const std::vector<Measurement>& measurements,
                      unsigned threads)
{
    Calibration c;
    const std::vector<Constant> all = constantsOf(plan);
    const MeasuredResiduals every(plan, measurements, all);
    const std::vector<Constant> touched = touchedOf(all, every, c);
    MeasuredResiduals residuals(plan, measurements, touched);
    const Solution joint = solveWidely(residuals, touched, threads);
    std::vector<std::size_t> kept;
    std::vector<Constant> determined;
    for (std::size_t k = 0; k < touched.size(); ++k) {
        if (joint.dataDeviations[k] < touched[k].unknown.spread) {
            kept.push_back(k);
            determined.push_back(touched[k]);
        } else {
            c.refused.push_back(refusalOf(touched, joint, k));
        }
    }
    MeasuredResiduals own(plan, measurements, determined);
    const Solution s = solveWidely(own, determined, threads);
    c.noise = determined.empty() ? joint.noise : s.noise;
    tellConstants(determined, joint, kept, s, own, c);
    std::vector<double> before;
    std::vector<double> after;
    std::vector<double> now;
    for (const Constant& constant : determined)
        now.push_back(constant.unknown.prior);
    for (std::size_t i = 0; i < measurements.size(); ++i) {
        const Measurement& m = measurements[i];
        const double first = std::exp(own.at(i, now));
        const double last = determined.empty() ? first : std::exp(own.at(i, s.values));
        c.residuals.push_back(
            {m.file, m.place, m.label, m.seconds, m.seconds * first, m.seconds * last});
        before.push_back(std::fabs(first - 1));
        after.push_back(std::fabs(last - 1));
    }
    c.medianBefore = quantile(before, 0.5);
    c.medianAfter = quantile(after, 0.5);
    return c;
}

Scenario calibratedPlan(const Scenario& plan, const Calibration& c)
{
    Scenario changed = plan;
    const std::vector<Constant> all = constantsOf(plan);
    for (const Calibrated& found : c.constants) {
        for (const Constant& constant : all) {
            if (constant.paths.front().first != found.path)
                continue;
            for (const auto& [path, factor] : constant.paths) {
                const NumberHandle handle = handlesOf(changed, {path}).front();
                const bool format = path.find(".matrix.") != std::string::npos;
                if (!format || handle.get(-1) >= 0 || path == found.path)
                    handle.set(found.value * factor);
            }
        }
    }
    return changed;
}

} // namespace cw::calibrate
