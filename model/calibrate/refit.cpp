// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/calibrate/refit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <thread>

#include <nlohmann/json.hpp>

#include "model/evaluation/bands.h"
#include "model/evaluation/evaluation.h"

namespace cw::calibrate {

namespace {

constexpr int kIterations = 14;
constexpr int kNearIterations = 6;
constexpr std::size_t kFolds = 5;

bool trains(const MeasuredRow& row)
{
    return !keptBack(row.id) && doubtOf(row.id).empty();
}

/// Rows of published steps as a least-squares problem. Searches are timed by closed forms; how far
/// a row's whole evaluation is from that hardly moves with the constants, so it is found once.
class StepResiduals final : public Residuals
{
public:
    StepResiduals(const std::vector<StepRow>& rows, const std::vector<Constant>& constants,
                  unsigned threads)
        : m_rows(rows), m_correction(rows.size(), 0)
    {
        for (const StepRow& r : rows) {
            std::vector<char> applies;
            for (const Constant& c : constants)
                applies.push_back(appliesTo(c, r.row) ? 1 : 0);
            m_plans.push_back(std::make_unique<BoundPlan>(r.row.plan, constants, applies));
        }
        correct(threads);
    }
    std::size_t rows() const override { return m_rows.size(); }
    double at(std::size_t row, const std::vector<double>& values) override
    {
        const auto& plan = m_plans[row]->with(values);
        return std::log(evaluation::evaluateCore(plan).step.time.si() / *m_rows[row].row.stepTime) +
               m_correction[row];
    }
    bool touches(std::size_t row, std::size_t unknown) const override
    {
        return m_plans[row]->touches(unknown);
    }
    /// The row with these of its stack in place of the values'.
    double at(std::size_t row, const std::vector<double>& values, const StackDefaults& stack)
    {
        scenario::Scenario plan = m_plans[row]->with(values);
        plan.software.maturity = stack.maturity;
        plan.software.moeMaturity = stack.moeMaturity;
        return std::log(evaluation::evaluateCore(plan).step.time.si() / *m_rows[row].row.stepTime) +
               m_correction[row];
    }

private:
    void correct(unsigned threads)
    {
        inParallel(m_rows.size(), threads, [&](std::size_t i) {
            const auto& plan = m_rows[i].row.plan;
            const double ratio =
                evaluation::evaluate(plan).step.time / evaluation::evaluateCore(plan).step.time;
            m_correction[i] = std::isfinite(ratio) && ratio > 0 ? std::log(ratio) : 0;
        });
    }

    const std::vector<StepRow>& m_rows;
    std::vector<std::unique_ptr<BoundPlan>> m_plans;
    std::vector<double> m_correction;
};

/// What is a stack's own: its maturities, and how far the constants that its rows touch are from
/// those of other stacks.
struct OwnConstants
{
    StackDefaults stack;
    std::vector<double> values; ///< of all constants
};

/// A few rows of one stack, by its own constants.
class StackResiduals final : public Residuals
{
public:
    StackResiduals(StepResiduals& all, std::vector<std::size_t> rows, OwnConstants start, bool moe)
        : m_all(all), m_rows(std::move(rows)), m_start(std::move(start)), m_moe(moe)
    {
    }
    std::size_t rows() const override { return m_rows.size(); }
    bool touches(std::size_t, std::size_t) const override { return true; }
    double at(std::size_t row, const std::vector<double>& x) override
    {
        const OwnConstants own = with(x);
        return m_all.at(m_rows[row], own.values, own.stack);
    }
    /// Lets a constant move by a factor.
    void add(std::size_t constant) { m_moved.push_back(constant); }
    OwnConstants with(const std::vector<double>& x) const
    {
        OwnConstants own = m_start;
        own.stack.maturity = x[0];
        if (m_moe)
            own.stack.moeMaturity = x[1];
        const std::size_t first = m_moe ? 2 : 1;
        for (std::size_t i = 0; i < m_moved.size(); ++i)
            own.values[m_moved[i]] *= x[first + i];
        return own;
    }

private:
    StepResiduals& m_all;
    std::vector<std::size_t> m_rows;
    OwnConstants m_start;
    std::vector<std::size_t> m_moved;
    bool m_moe;
};

} // namespace

struct Refit::Parts
{
    std::vector<StepRow> rows;
    unsigned threads = 1;
    Progress progress;
    std::vector<Constant> constants;
    std::vector<Unknown> unknowns;
    std::unique_ptr<StepResiduals> residuals;
    Solution whole;

    void tell(const std::string& what, std::size_t done, std::size_t all) const
    {
        if (progress)
            progress(what, done, all);
    }
    Effort effort() const
    {
        Effort e;
        e.iterations = kIterations;
        e.threads = threads;
        e.rows.resize(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i)
            e.rows[i] = trains(rows[i].row) ? 1 : 0;
        return e;
    }
    /// Near the whole fit without some rows.
    Solution without(const std::function<bool(std::size_t)>& left) const
    {
        Effort e = effort();
        e.iterations = kNearIterations;
        e.near = &whole;
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (left(i))
                e.rows[i] = 0;
        return solve(*residuals, unknowns, e);
    }
    StackDefaults defaultsOf(const Solution& s, const std::function<bool(std::size_t)>& left) const;
    std::vector<std::size_t> sampleOf(const std::vector<std::size_t>& members, std::size_t count,
                                      const Solution& s) const;
    OwnConstants ownOf(const std::vector<std::size_t>& sample, const Solution& s,
                       const StackDefaults& defaults) const;
};

StackDefaults Refit::Parts::defaultsOf(const Solution& s,
                                       const std::function<bool(std::size_t)>& left) const
{
    std::set<std::string> seen;
    std::set<std::string> seenMoe;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (left(i) || !trains(rows[i].row))
            continue;
        seen.insert(rows[i].row.plan.software.preset);
        if (rows[i].row.moe)
            seenMoe.insert(rows[i].row.plan.software.preset);
    }
    double sum = 0; // the stack that the others are measured by counts as one
    double count = 1;
    double sumMoe = 0;
    double countMoe = 0;
    for (std::size_t i = 0; i < constants.size(); ++i) {
        const Constant& c = constants[i];
        if (c.of != Constant::Of::Stack || c.owner == "unnamed")
            continue;
        if (c.name == "maturity" && seen.count(c.owner) != 0) {
            sum += std::log(s.values[i]);
            count += 1;
        } else if (c.name == "moe_maturity" && seenMoe.count(c.owner) != 0) {
            sumMoe += std::log(s.values[i]);
            countMoe += 1;
        }
    }
    return {std::exp(sum / count), countMoe > 0 ? std::exp(sumMoe / countMoe) : 1.0};
}

std::vector<std::size_t> Refit::Parts::sampleOf(const std::vector<std::size_t>& members,
                                                std::size_t count, const Solution& s) const
{
    std::vector<std::pair<double, std::size_t>> order;
    for (const std::size_t i : members)
        if (doubtOf(rows[i].row.id).empty())
            order.emplace_back(residuals->at(i, s.values) + std::log(*rows[i].row.stepTime), i);
    std::sort(order.begin(), order.end());
    std::vector<std::size_t> sample;
    for (std::size_t n = 0; n < count && count <= order.size(); ++n)
        sample.push_back(order[(2 * n + 1) * order.size() / (2 * count)].second);
    return sample;
}

OwnConstants Refit::Parts::ownOf(const std::vector<std::size_t>& sample, const Solution& s,
                                 const StackDefaults& defaults) const
{
    // Stacks differ less in the constants of chips and links than those were known before.
    constexpr double kOwnShare = 0.5;
    const bool moe =
        std::any_of(sample.begin(), sample.end(), [&](std::size_t i) { return rows[i].row.moe; });
    StackResiduals few(*residuals, sample, {defaults, s.values}, moe);
    std::vector<Unknown> own{{"maturity", defaults.maturity, 0.12, 0.3, 5}};
    if (moe)
        own.push_back({"moe_maturity", defaults.moeMaturity, 0.3, 0.2, 5});
    for (std::size_t k = 0; k < constants.size(); ++k) {
        const bool touched = std::any_of(sample.begin(), sample.end(),
                                         [&](std::size_t i) { return residuals->touches(i, k); });
        if (constants[k].of == Constant::Of::Stack || !touched)
            continue;
        few.add(k);
        const Unknown& u = unknowns[k];
        own.push_back({u.name, 1, kOwnShare * u.spread, 0,
                       u.most > 0 ? std::max(1.0, u.most / s.values[k]) : 0});
    }
    return few.with(solve(few, own, {}).values);
}

std::vector<StepRow> stepRowsOf(const std::vector<RowsFile>& files)
{
    std::vector<StepRow> rows;
    for (const RowsFile& file : files) {
        const auto json = nlohmann::json::parse(file.text, nullptr, false);
        if (!json.is_array())
            continue;
        for (const auto& j : json) {
            if (!j.is_object())
                continue;
            MeasuredRow row = readRow(j);
            if (row.skipped.empty() && row.stepTime) {
                std::string source = sourceOf(row, file.name);
                rows.push_back({std::move(row), file.name, std::move(source)});
            }
        }
    }
    return rows;
}

Refit::Refit(std::vector<StepRow> rows, unsigned threads, Progress progress)
    : m_parts(std::make_unique<Parts>())
{
    Parts& p = *m_parts;
    p.rows = std::move(rows);
    p.threads = threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
    p.progress = std::move(progress);
    std::vector<MeasuredRow> training;
    for (const StepRow& r : p.rows)
        if (trains(r.row))
            training.push_back(r.row);
    p.constants = constantsFor(training);
    for (const Constant& c : p.constants)
        p.unknowns.push_back(c.unknown);
    p.residuals = std::make_unique<StepResiduals>(p.rows, p.constants, p.threads);
    Effort effort = p.effort();
    effort.progress = [&p](int iteration, double) {
        p.tell("progress.fit", static_cast<std::size_t>(iteration), kIterations);
    };
    if (!training.empty())
        p.whole = solve(*p.residuals, p.unknowns, effort);
}

Refit::~Refit() = default;

const std::vector<StepRow>& Refit::rows() const
{
    return m_parts->rows;
}

const std::vector<Constant>& Refit::constants() const
{
    return m_parts->constants;
}

const Solution& Refit::whole() const
{
    return m_parts->whole;
}

StackDefaults Refit::defaults() const
{
    return m_parts->defaultsOf(m_parts->whole, [](std::size_t) { return false; });
}

std::vector<double> Refit::crossValidated() const
{
    const Parts& p = *m_parts;
    std::vector<double> told(p.rows.size());
    for (std::size_t i = 0; i < p.rows.size(); ++i)
        if (!trains(p.rows[i].row))
            told[i] = p.residuals->at(i, p.whole.values);
    for (std::size_t fold = 0; fold < kFolds; ++fold) {
        // Other digits of the hash than those that keep rows back.
        const auto left = [&](std::size_t i) {
            return fnv1a(p.rows[i].row.id) / 5 % kFolds == fold;
        };
        const Solution s = p.without(left);
        for (std::size_t i = 0; i < p.rows.size(); ++i)
            if (left(i) && trains(p.rows[i].row))
                told[i] = p.residuals->at(i, s.values);
        p.tell("progress.folds", fold + 1, kFolds);
    }
    return told;
}

Refit::LeftOut Refit::leaveOneSourceOut(std::size_t perStack) const
{
    const Parts& p = *m_parts;
    LeftOut out;
    out.perStack = perStack;
    std::map<std::string, std::vector<std::size_t>> sources;
    for (std::size_t i = 0; i < p.rows.size(); ++i)
        sources[p.rows[i].source].push_back(i);
    std::size_t done = 0;
    const auto tell = [&](std::vector<RowResult>& into, std::size_t i, double step, bool named) {
        RowResult r = resultOfStep(p.rows[i], step);
        const std::string scale = r.chips > 64 ? "65-" : "1-64";
        const auto* c = evaluation::classFor(evaluation::bandClasses(), "step",
                                             {named ? "named" : "unnamed", r.kind, scale, ""});
        r.bandLow = step * (c == nullptr ? 1 : c->low);
        r.bandHigh = step * (c == nullptr ? 1 : c->high);
        into.push_back(std::move(r));
    };
    const auto predicted = [&](std::size_t i, const std::vector<double>& values,
                               const StackDefaults& stack) {
        return std::exp(p.residuals->at(i, values, stack)) * *p.rows[i].row.stepTime;
    };
    for (const auto& [source, members] : sources) {
        const auto left = [&p, &name = source](std::size_t i) {
            return p.rows[i].source == name;
        };
        const Solution s = p.without(left);
        const StackDefaults defaults = p.defaultsOf(s, left);
        for (const std::size_t i : members)
            tell(out.rows, i, predicted(i, s.values, defaults), false);
        std::map<std::string, std::vector<std::size_t>> stacks;
        for (const std::size_t i : members)
            if (isSingleRelease(p.rows[i].row.plan.software.preset))
                stacks[p.rows[i].row.plan.software.preset].push_back(i);
        for (const auto& [stack, own] : stacks) {
            const auto sample = p.sampleOf(own, perStack, s);
            if (perStack == 0 || own.size() <= perStack || sample.size() < perStack)
                continue;
            const OwnConstants fitted = p.ownOf(sample, s, defaults);
            for (const std::size_t i : own)
                if (std::find(sample.begin(), sample.end(), i) == sample.end())
                    tell(out.sampled, i, predicted(i, fitted.values, fitted.stack), true);
        }
        p.tell("progress.sources", ++done, sources.size());
    }
    return out;
}

} // namespace cw::calibrate
