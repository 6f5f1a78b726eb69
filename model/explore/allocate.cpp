// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/explore/allocate.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <nlohmann/json.hpp>

#include "model/evaluation/evaluation.h"
#include "model/explore/layouts.h"
#include "model/run/loss.h"
#include "model/scenario/phases.h"
#include "model/scenario/planwriter.h"
#include "model/transformer/counts.h"
#include "model/transformer/shapescaling.h"

namespace cw::explore {

using evaluation::Evaluation;
using scenario::Scenario;
using scenario::Value;
using Json = nlohmann::ordered_json;

namespace {

constexpr double kDay = 86400;
constexpr double kOverBudget = 1.001; ///< rounding of what two points tell
constexpr int kBisections = 12;
constexpr int kHalvings = 24; ///< sizes below the largest
constexpr int kAtLeast = 4;   ///< of them looked at, however soon the loss turns
constexpr double kLeastFactor = 1e-6;
constexpr double kMostFactor = 1e6;

struct Size
{
    double total = 0;
    double active = 0;
};

Size sizeOf(const Scenario& plan)
{
    const scenario::Inputs<double> in(plan);
    const auto counts = transformer::countParameters(in, transformer::layersOf(in));
    return {counts.total, counts.active};
}

/// Heads that stay divisible by the powers of two that divide them now, up to 16.
std::int64_t headMultiple(const scenario::Model& model)
{
    std::int64_t multiple = 16;
    for (const scenario::LayerGroup& g : model.groups)
        while (multiple > 1 && g.attention.heads % multiple != 0)
            multiple /= 2;
    return multiple;
}

Json toJson(const Value& value)
{
    return std::visit(
        [](const auto& v) {
            using V = std::decay_t<decltype(v)>;
            if constexpr (std::is_same_v<V, std::monostate>)
                return Json();
            else if constexpr (std::is_same_v<V, double>) {
                const bool whole = v == std::floor(v) && std::fabs(v) < 0x1p53;
                return whole ? Json(static_cast<std::int64_t>(v)) : Json(v);
            } else
                return Json(v);
        },
        value);
}

/// The settings of a phase that differ from the plan's, as its `set`.
std::string differences(const Scenario& plan, const Scenario& phase)
{
    Json set = Json::object();
    for (const std::string& path : scenario::differingPaths(plan, phase))
        if (const auto value = scenario::valueAt(phase, path);
            value && path != "workload.training_tokens")
            set[path] = toJson(*value);
    return set.dump();
}

/// The phases of a plan as a plan file has them.
std::string phasesText(const Scenario& plan)
{
    return scenario::toJson(plan).at("workload").at("phases").dump();
}

class Allocator
{
public:
    Allocator(const Scenario& plan, const AllocateRequest& request,
              const std::function<void(double)>& progress)
        : m_base(plan), m_own(evaluation::derived(plan)), m_request(request), m_progress(progress)
    {
        m_phases.swap(m_own.workload.phases);
        m_found.phases = m_phases.size();
        m_own.model.scaleTo = {};
        m_heads = headMultiple(m_own.model);
    }

    Allocated run();

private:
    Scenario sized(double factor) const;
    bool fits(const Scenario& shape);
    Scenario inPhase(const Scenario& shape, std::size_t index) const;
    bool layPhases(const Scenario& shape, double critical, Scenario& plan);
    void setTokens(Scenario& plan, double tokens) const;
    double largestFactor();
    std::optional<Allocation> allocationOf(const Scenario& shape);
    void buyTokens(Scenario& plan, Evaluation& e) const;
    double spent(const Evaluation& e) const;
    double tokensGuess(const Scenario& shape) const;
    std::vector<std::pair<std::string, Value>> changes(const Scenario& plan) const;
    void lookAround(std::vector<std::pair<double, Allocation>>& sizes);

    const Scenario& m_base;
    Scenario m_own; ///< without its phases
    std::vector<scenario::Phase> m_phases;
    const AllocateRequest& m_request;
    const std::function<void(double)>& m_progress;
    std::int64_t m_heads = 1;
    Allocated m_found;
};

Scenario Allocator::sized(double factor) const
{
    Scenario s = m_own;
    s.model = transformer::grown(m_own.model, factor, m_heads);
    return s;
}

/// The shape with the settings of one phase.
Scenario Allocator::inPhase(const Scenario& shape, std::size_t index) const
{
    Scenario s = shape;
    s.workload.phases = m_phases;
    return scenario::phasePlan(s, index).scenario;
}

/// Whether the plan's own settings and each phase have a layout.
bool Allocator::fits(const Scenario& shape)
{
    if (!anyLayoutFits(shape, m_request.threads, m_found.evaluated))
        return false;
    for (std::size_t i = 0; i < m_phases.size(); ++i)
        if (!anyLayoutFits(inPhase(shape, i), m_request.threads, m_found.evaluated))
            return false;
    return true;
}

/// By bisection: where a size fits, smaller ones do.
double Allocator::largestFactor()
{
    const auto fits = [&](double factor) {
        return this->fits(sized(factor));
    };
    double low = 1;
    double high = 1;
    if (fits(1)) {
        while (high < kMostFactor && fits(high * 4))
            high *= 4;
        low = high;
        high *= 4;
    } else {
        while (low > kLeastFactor && !fits(low / 4))
            low /= 4;
        if (low <= kLeastFactor)
            return 0;
        high = low;
        low /= 4;
    }
    for (int i = 0; i < kBisections && high / low > 1.01; ++i) {
        const double middle = std::sqrt(low * high);
        (fits(middle) ? low : high) = middle;
        m_progress(0.2 * (i + 1) / kBisections);
    }
    return low;
}

double Allocator::spent(const Evaluation& e) const
{
    switch (m_request.budget.kind) {
    case BudgetKind::Days:
        return e.run.days;
    case BudgetKind::Energy:
        return e.power.energyPerRun.si();
    case BudgetKind::Cost:
        return e.cost.perRun.si();
    }
    return 0;
}

/// Tokens of the run and, by the plan's shares, of its phases and their ramps.
void Allocator::setTokens(Scenario& plan, double tokens) const
{
    plan.workload.trainingTokens = tokens;
    double all = 0;
    for (const scenario::Phase& p : m_phases)
        all += p.trainingTokens;
    for (std::size_t i = 0; i < m_phases.size(); ++i) {
        const double share =
            all > 0 ? m_phases[i].trainingTokens / all : 1.0 / static_cast<double>(m_phases.size());
        scenario::Phase& phase = plan.workload.phases[i];
        phase.trainingTokens = share * tokens;
        phase.rampTokens =
            m_phases[i].trainingTokens > 0
                ? m_phases[i].rampTokens / m_phases[i].trainingTokens * phase.trainingTokens
                : 0.0;
    }
}

/// Gives the plan its phases, each with the layout and batch that suit it; whether each has one.
bool Allocator::layPhases(const Scenario& shape, double critical, Scenario& plan)
{
    std::vector<scenario::Phase> phases = m_phases;
    for (std::size_t i = 0; i < phases.size(); ++i) {
        const LayoutSearched searched =
            bestLayout(inPhase(shape, i), {critical, m_request.threads});
        m_found.evaluated += searched.evaluated;
        if (!searched.best)
            return false;
        phases[i].set = differences(plan, searched.best->plan);
    }
    plan.workload.phases = std::move(phases);
    return true;
}

/// Sets the training tokens to what the budget pays for: whole steps, at least one.
void Allocator::buyTokens(Scenario& plan, Evaluation& e) const
{
    const scenario::Workload& w = plan.workload;
    const double step =
        static_cast<double>(w.globalBatchSequences) * static_cast<double>(w.sequenceLength);
    // Spending grows linearly with the tokens, above what is paid once: two points tell the line.
    double tokens = std::max(step, 1e9);
    setTokens(plan, tokens);
    const double first = spent(evaluation::evaluate(plan));
    setTokens(plan, 2 * tokens);
    const double each = (spent(evaluation::evaluate(plan)) - first) / tokens;
    const double once = first - each * tokens;
    const double paid = each > 0 ? (m_request.budget.amount - once) / each : 0;
    tokens = std::clamp(std::floor(paid / step) * step, step, 1e18);
    setTokens(plan, tokens);
    e = evaluation::evaluate(plan);
}

/// Tokens at an MFU of 0.4, to know the critical batch before the layout is known.
double Allocator::tokensGuess(const Scenario& shape) const
{
    const scenario::Inputs<double> in(shape);
    const auto layers = transformer::layersOf(in);
    const auto counts = transformer::countParameters(in, layers);
    const double perToken = transformer::countFlops(in, layers, counts).modelPerToken.si();
    const auto& peaks = shape.cluster.chip.matrixFlops;
    const double peak = peaks[static_cast<std::size_t>(shape.precision.compute)].value_or(1e15);
    const double chips =
        static_cast<double>(shape.cluster.chips) / static_cast<double>(shape.workload.jobs);
    double seconds = m_request.budget.amount * kDay;
    if (m_request.budget.kind != BudgetKind::Days) {
        const Evaluation e = evaluation::evaluate(shape);
        const double use = spent(e);
        seconds = use > 0 ? e.run.wall.si() * m_request.budget.amount / use : kDay;
    }
    return std::clamp(0.4 * peak * chips * seconds / perToken, 1e6, 1e18);
}

std::vector<std::pair<std::string, Value>> Allocator::changes(const Scenario& plan) const
{
    std::vector<std::pair<std::string, Value>> set;
    for (const std::string& path : scenario::differingPaths(m_base, plan)) {
        const auto now = scenario::valueAt(plan, path);
        if (now && path.rfind("workload.phases", 0) != 0)
            set.emplace_back(path, *now);
    }
    return set;
}

std::optional<Allocation> Allocator::allocationOf(const Scenario& shape)
{
    const scenario::Inputs<double> in(shape);
    const double critical = shape.workload.criticalBatchTokens
                                ? *shape.workload.criticalBatchTokens
                                : run::criticalBatch(in, tokensGuess(shape));
    const LayoutSearched searched = bestLayout(shape, {critical, m_request.threads});
    m_found.evaluated += searched.evaluated;
    if (!searched.best)
        return {};
    Scenario plan = searched.best->plan;
    if (!layPhases(shape, critical, plan))
        return {};
    Evaluation e;
    buyTokens(plan, e);
    if (spent(e) > kOverBudget * m_request.budget.amount)
        return {}; // not even one step
    Allocation a;
    a.set = changes(plan);
    if (!m_phases.empty())
        a.phases = phasesText(plan);
    a.tensor = plan.parallelism.tensor;
    a.context = plan.parallelism.context;
    a.pipeline = plan.parallelism.pipeline;
    a.expert = plan.parallelism.expert;
    a.data = plan.parallelism.data.value_or(1);
    a.total = e.parameters.total;
    a.active = e.parameters.active;
    a.tokensPerDay = e.forecast.tokensPerDay;
    a.tokens = plan.workload.trainingTokens;
    a.batchTokens = e.forecast.batchTokens;
    a.criticalBatchTokens = e.forecast.criticalBatchTokens;
    a.days = e.run.days;
    a.energy = e.power.energyPerRun.si();
    a.cost = e.cost.perRun.si();
    a.mfu = e.throughput.mfu;
    a.goodput = e.run.goodput;
    a.reservedShare = searched.best->reservedShare;
    a.loss = e.forecast.loss.loss;
    a.lossLow = e.forecast.loss.low;
    a.lossHigh = e.forecast.loss.high;
    return a;
}

/// Sizes between the best and its neighbours, twice.
void Allocator::lookAround(std::vector<std::pair<double, Allocation>>& sizes)
{
    for (const double part : {0.5, 0.25}) {
        const auto best =
            std::min_element(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) {
                return a.second.loss < b.second.loss;
            });
        const double middle = best->first;
        for (const double factor : {std::pow(2.0, -part), std::pow(2.0, part)}) {
            const double at = middle * factor;
            if (at > sizes.front().first)
                continue;
            if (const auto a = allocationOf(sized(at)))
                sizes.emplace_back(at, *a);
        }
        m_progress(part == 0.5 ? 0.95 : 1.0);
        std::sort(sizes.begin(), sizes.end(),
                  [](const auto& a, const auto& b) { return a.first > b.first; });
    }
}

Allocated Allocator::run()
{
    std::vector<std::pair<double, Allocation>> sizes;
    const double largest = largestFactor();
    if (largest > 0) {
        const Size most = sizeOf(sized(largest));
        m_found.largestTotal = most.total;
        m_found.largestActive = most.active;
    }
    if (m_request.goal == Goal::Tokens) {
        if (const auto a = allocationOf(m_own))
            sizes.emplace_back(1.0, *a);
    } else if (largest > 0) {
        // Down by halves until the loss has turned.
        double least = std::numeric_limits<double>::infinity();
        int worse = 0;
        for (int i = 0; i < kHalvings && (worse < 2 || i < kAtLeast); ++i) {
            const double factor = largest * std::pow(0.5, i);
            m_progress(0.2 + 0.7 * i / (kHalvings / 2.0));
            const auto a = allocationOf(sized(factor));
            if (!a)
                continue;
            worse = a->loss < least ? 0 : worse + 1;
            least = std::min(least, a->loss);
            sizes.emplace_back(factor, *a);
        }
        if (!sizes.empty())
            lookAround(sizes);
    }
    for (auto& [factor, a] : sizes) {
        m_found.sizes.push_back(std::move(a));
        const std::size_t at = m_found.sizes.size() - 1;
        if (!m_found.best || m_found.sizes[at].loss < m_found.sizes[*m_found.best].loss)
            m_found.best = at;
    }
    return std::move(m_found);
}

} // namespace

Allocated allocate(const Scenario& plan, const AllocateRequest& request,
                   const std::function<void(double)>& progress)
{
    if (plan.model.groups.empty())
        return {};
    return Allocator(plan, request, progress).run();
}

} // namespace cw::explore
