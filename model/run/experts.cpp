// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/run/experts.h"

#include <algorithm>
#include <cmath>

namespace cw::run {

using explain::named;
using explain::Traced;
using scenario::ExpertRule;
using scenario::Inputs;
using units::Unit;

namespace {

// The runs that the laws were fitted on: Clark et al. 2022, sec. 4; Tian et al. 2025, sec. 3
// and 4.1.
constexpr double kCountLeastParameters = 15e6;
constexpr double kCountMostParameters = 1.3e9;
constexpr double kCountMostExperts = 512;
constexpr double kCountTokens = 130e9;
constexpr double kLeverageLeastFlops = 3e18;
constexpr double kLeverageMostFlops = 3e20;
constexpr double kLeverageLeastActivation = 0.008;
constexpr double kLeverageLeastGranularity = 2;
constexpr double kLeverageMostGranularity = 16;

/// The group with the most experts for each that a token takes; none in a dense model.
const scenario::LayerGroup* widest(const scenario::Model& model)
{
    const scenario::LayerGroup* found = nullptr;
    double most = 0;
    for (const scenario::LayerGroup& g : model.groups) {
        if (g.ffn.kind != scenario::FfnKind::Moe || g.ffn.topK <= 0 || g.ffn.experts <= 0)
            continue;
        const double here = static_cast<double>(g.ffn.experts) / static_cast<double>(g.ffn.topK);
        if (here > most) {
            most = here;
            found = &g;
        }
    }
    return found;
}

template <class T>
T logTen(const char* key, const T& x)
{
    using std::log;
    return named(key, Unit::None, log(x) / T(std::log(10.0)));
}

template <class T>
T byWeight(const Inputs<T>& in, const ExpertLoad<T>& load)
{
    using std::max;
    using std::min;
    using std::pow;
    const T weight = max(min(in(in.plan().workload.expertExponent), T(1.0)), T(0.0));
    return load.active * pow(load.total / load.active, weight);
}

template <class T>
T byCount(const Inputs<T>& in, const ExpertLoad<T>& load)
{
    using std::pow;
    const auto number = [&](const char* key, double value) {
        return in.constant(key, Unit::None, value);
    };
    const T a = number("constant.clark_a", -0.082);
    const T b = number("constant.clark_b", -0.108);
    const T c = number("constant.clark_c", 0.009);
    const T start = number("constant.clark_start", 1.847);
    const T most = number("constant.clark_most", 314.478);
    const T one = logTen("run.log_one_expert", start);
    const T experts =
        logTen("run.log_experts", named("run.saturated_experts", Unit::None,
                                        saturated(expansionOf(in) - 1.0, start, most)));
    const T size = logTen("run.log_active", load.active);
    return pow(T(10.0), (a * size + b * (experts - one) + c * size * experts) / (a + c * one));
}

template <class T>
T byLeverage(const Inputs<T>& in, const ExpertLoad<T>& load)
{
    using std::log2;
    using std::max;
    using std::min;
    using std::pow;
    const auto number = [&](const char* key, double value) {
        return in.constant(key, Unit::None, value);
    };
    const ExpertShape<T> shape = shapeOf(in);
    const T activation =
        named("run.saturated_activation", Unit::Share,
              saturated(shape.activation, number("constant.leverage_start", 1.63e-2),
                        number("constant.leverage_most", 5.28e16)));
    const T alpha = number("constant.leverage_a", 1.23) +
                    number("constant.leverage_d", -7.61e-2) *
                        logTen("run.log_compute", max(load.compute.si(), T(1.0)));
    const T fineness = named("run.log_granularity", Unit::None, log2(shape.granularity));
    const T slope = number("constant.leverage_beta", -1.17e-1) +
                    number("constant.leverage_gamma", 1.67e-2) * fineness;
    // Small trainings turn its sign: there experts are worth nothing, rather than harm.
    const T exponent = min(alpha + fineness * slope, T(0.0));
    return load.active * named("run.efficiency_leverage", Unit::None, pow(activation, exponent));
}

} // namespace

template <class T>
T expansionOf(const Inputs<T>& in)
{
    const scenario::LayerGroup* g = widest(in.plan().model);
    return g != nullptr ? in(g->ffn.experts) / in(g->ffn.topK) : T(1.0);
}

template <class T>
ExpertShape<T> shapeOf(const Inputs<T>& in)
{
    const scenario::LayerGroup* g = widest(in.plan().model);
    if (g == nullptr)
        return {T(1.0), T(0.0)};
    T shared(0.0);
    if (g->ffn.sharedExperts > 0) {
        shared = in(g->ffn.sharedExperts);
        if (g->ffn.sharedHidden > 0)
            shared = shared * in(g->ffn.sharedHidden) / in(g->ffn.hidden);
    }
    return {(in(g->ffn.topK) + shared) / (in(g->ffn.experts) + shared),
            T(2.0) * in(in.plan().model.hidden) / in(g->ffn.hidden)};
}

template <class T>
T saturated(const T& beyondFirst, const T& start, const T& most)
{
    const T first = T(1.0) / (T(1.0) / start - T(1.0) / most);
    return T(1.0) / (T(1.0) / (beyondFirst + first) + T(1.0) / most);
}

template <class T>
T effectiveParameters(const Inputs<T>& in, ExpertRule rule, const ExpertLoad<T>& load)
{
    using std::max;
    using std::min;
    if (rule == ExpertRule::Weight)
        return byWeight(in, load);
    if (widest(in.plan().model) == nullptr)
        return load.active;
    const T worth = rule == ExpertRule::EffectiveCount ? byCount(in, load) : byLeverage(in, load);
    return max(min(worth, load.total), load.active);
}

bool beyondFit(const Inputs<double>& in, ExpertRule rule, const ExpertLoad<double>& load,
               double tokens)
{
    if (rule == ExpertRule::Weight || widest(in.plan().model) == nullptr)
        return false;
    if (rule == ExpertRule::EffectiveCount)
        return load.active < kCountLeastParameters || load.active > kCountMostParameters ||
               expansionOf(in) > kCountMostExperts || tokens != kCountTokens;
    const ExpertShape<double> shape = shapeOf(in);
    return load.compute.si() < kLeverageLeastFlops || load.compute.si() > kLeverageMostFlops ||
           shape.activation < kLeverageLeastActivation ||
           shape.granularity < kLeverageLeastGranularity ||
           shape.granularity > kLeverageMostGranularity;
}

#define CW_INSTANTIATE_EXPERTS(T)                                                                  \
    template T expansionOf(const Inputs<T>&);                                                      \
    template ExpertShape<T> shapeOf(const Inputs<T>&);                                             \
    template T saturated(const T&, const T&, const T&);                                            \
    template T effectiveParameters(const Inputs<T>&, ExpertRule, const ExpertLoad<T>&)
CW_INSTANTIATE_EXPERTS(double);
CW_INSTANTIATE_EXPERTS(Traced);
#undef CW_INSTANTIATE_EXPERTS

} // namespace cw::run
