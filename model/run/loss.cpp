// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/run/loss.h"

#include <algorithm>
#include <cmath>

namespace cw::run {

using explain::named;
using explain::Traced;
using scenario::CriticalBatchLaw;
using scenario::Inputs;
using scenario::LossLaw;
using units::Flop;
using units::Unit;

namespace {

constexpr double kDay = 86400.0;
constexpr double kYotta = 1e24;
constexpr double kGwh = 3.6e12;
constexpr double kMillion = 1e6;
constexpr double kPercent = 0.01;
/// Half of an 80% interval, in standard deviations.
constexpr double kEighty = 1.2816;
constexpr double kLeastExponent = 0.01;
constexpr double kMostExponent = 10.0;
constexpr double kMostLog = 100.0;

template <class T>
LossLawTerms<T> kaplan(const Inputs<T>& in)
{
    using std::pow;
    const T alphaN = in.constant("constant.kaplan_alpha_n", Unit::None, 0.076);
    const T alphaD = in.constant("constant.kaplan_alpha_d", Unit::None, 0.103);
    const T parameters = in.constant("constant.kaplan_n_c", Unit::Parameters, 6.4e13);
    const T tokens = in.constant("constant.kaplan_d_c", Unit::Tokens, 1.8e13);
    const T exponent = alphaN / alphaD;
    return {T(0.0), pow(parameters, exponent), tokens, exponent, T(1.0), alphaD, {}};
}

template <class T>
LossLawTerms<T> farseer(const Inputs<T>& in)
{
    const scenario::SurfaceCoefficients& c = in.plan().workload.surfaceCoefficients;
    LossSurface<T> s;
    s.floor = {in(c.floorFactor), in(c.floorPower), in(c.floorShift)};
    s.data = {in(c.dataFactor), in(c.dataPower), in(c.dataShift)};
    s.exponent = {in(c.exponentFactor), in(c.exponentPower), in(c.exponentShift)};
    LossLawTerms<T> law;
    law.power = T(1.0);
    law.surface = s;
    return law;
}

template <class T>
LossLawTerms<T> jointMoe(const Inputs<T>& in)
{
    using std::log;
    using std::max;
    using std::pow;
    const scenario::LossCoefficients& c = in.plan().workload.lossCoefficients;
    const scenario::ExpertCoefficients& x = in.plan().workload.expertCoefficients;
    const T start = in(x.start);
    const T most = max(in(x.most), start * T(1.0 + 1e-9));
    const T experts = saturated(expansionOf(in) - T(1.0), start, most);
    const T grown = log(experts);
    // Powers of N and D fall with both; a law in which they rise has no optimum.
    return {in(c.irreducible),
            in(c.a) * pow(experts, in(x.modelFactor)),
            in(c.b) * pow(experts, in(x.dataFactor)),
            max(in(c.alpha) - in(x.modelExponent) * grown, T(kLeastExponent)),
            max(in(c.beta) - in(x.dataExponent) * grown, T(kLeastExponent)),
            T(1.0),
            {}};
}

} // namespace

template <class T>
LossLawTerms<T> lawTerms(const Inputs<T>& in, LossLaw law)
{
    const auto number = [&](const char* key, double value) {
        return in.constant(key, Unit::None, value);
    };
    switch (law) {
    case LossLaw::Chinchilla:
        return {number("constant.hoffmann_e", 1.69),
                number("constant.hoffmann_a", 406.4),
                number("constant.hoffmann_b", 410.7),
                number("constant.hoffmann_alpha", 0.34),
                number("constant.hoffmann_beta", 0.28),
                T(1.0),
                {}};
    case LossLaw::ChinchillaCorrected:
        return {number("constant.besiroglu_e", 1.8172),
                number("constant.besiroglu_a", 482.01),
                number("constant.besiroglu_b", 2085.43),
                number("constant.besiroglu_alpha", 0.3478),
                number("constant.besiroglu_beta", 0.3658),
                T(1.0),
                {}};
    case LossLaw::Kaplan:
        return kaplan(in);
    case LossLaw::Farseer:
        return farseer(in);
    case LossLaw::JointMoe:
        return jointMoe(in);
    case LossLaw::Custom:
        break;
    }
    const scenario::LossCoefficients& c = in.plan().workload.lossCoefficients;
    return {in(c.irreducible), in(c.a), in(c.b), in(c.alpha), in(c.beta), T(1.0), {}};
}

template <class T>
T lossAt(const LossLawTerms<T>& law, const T& parameters, const T& tokens)
{
    using std::exp;
    using std::max;
    using std::min;
    using std::pow;
    if (law.surface) {
        const LossSurface<T>& s = *law.surface;
        // Whatever the coefficients, the loss stays a number.
        const auto of = [&](const typename LossSurface<T>::Term& t) {
            return exp(
                max(min(t.factor * pow(parameters, t.power) + t.shift, T(kMostLog)), T(-kMostLog)));
        };
        const T exponent = min(of(s.exponent), T(kMostExponent));
        return of(s.floor) + of(s.data) / pow(tokens, exponent);
    }
    const T sum = law.a / pow(parameters, law.alpha) + law.b / pow(tokens, law.beta);
    return law.irreducible + pow(sum, law.power);
}

namespace {

/// The law without its trace: what is searched leaves none.
template <class T>
LossLawTerms<double> plain(const LossLawTerms<T>& law)
{
    using explain::valueOf;
    LossLawTerms<double> p{valueOf(law.irreducible),
                           valueOf(law.a),
                           valueOf(law.b),
                           valueOf(law.alpha),
                           valueOf(law.beta),
                           valueOf(law.power),
                           {}};
    if (law.surface) {
        const auto term = [](const typename LossSurface<T>::Term& t) {
            return LossSurface<double>::Term{valueOf(t.factor), valueOf(t.power), valueOf(t.shift)};
        };
        p.surface = LossSurface<double>{term(law.surface->floor), term(law.surface->data),
                                        term(law.surface->exponent)};
    }
    return p;
}

/// The logarithm of the best N for this compute, by golden section: a surface has no closed form.
double bestLogSize(const LossLawTerms<double>& law, double sixth)
{
    constexpr double kGolden = 0.6180339887498949;
    const auto loss = [&](double logSize) {
        const double size = std::exp(logSize);
        return lossAt(law, size, sixth / size);
    };
    const double edge = std::min(std::log(1e6), 0.25 * std::log(sixth));
    double low = edge;
    double high = std::max(low + 1.0, std::log(sixth) - edge);
    double a = high - kGolden * (high - low);
    double b = low + kGolden * (high - low);
    double lossA = loss(a);
    double lossB = loss(b);
    for (int i = 0; i < 60; ++i) {
        if (lossA < lossB) {
            high = b;
            b = a;
            lossB = lossA;
            a = high - kGolden * (high - low);
            lossA = loss(a);
        } else {
            low = a;
            a = b;
            lossA = lossB;
            b = low + kGolden * (high - low);
            lossB = loss(b);
        }
    }
    return 0.5 * (low + high);
}

/// The least compute of a surface that reaches the loss, by halving; 0 where none does.
double searchCompute(const LossLawTerms<double>& law, double wanted)
{
    const auto best = [&](double logSixth) {
        const double size = std::exp(bestLogSize(law, std::exp(logSixth)));
        return lossAt(law, size, std::exp(logSixth) / size);
    };
    double low = std::log(1e12);
    double high = std::log(1e36);
    if (best(high) > wanted)
        return 0.0;
    for (int i = 0; i < 40; ++i) {
        const double middle = 0.5 * (low + high);
        (best(middle) > wanted ? low : high) = middle;
    }
    return 6.0 * std::exp(high);
}

} // namespace

template <class T>
Optimum<T> optimumOf(const LossLawTerms<T>& law, const Flop<T>& compute)
{
    using std::pow;
    if (law.surface) {
        const T size(std::exp(bestLogSize(plain(law), explain::valueOf(compute) / 6.0)));
        return {size, compute.si() / T(6.0) / size};
    }
    const T one(1.0);
    const T both = law.alpha + law.beta;
    const T g = pow(law.alpha * law.a / (law.beta * law.b), one / both);
    const T sixth = compute.si() / T(6.0);
    Optimum<T> best;
    best.parameters = g * pow(sixth, law.beta / both);
    best.tokens = sixth / best.parameters;
    return best;
}

template <class T>
Flop<T> leastCompute(const LossLawTerms<T>& law, const T& loss)
{
    using std::pow;
    if (law.surface)
        return Flop<T>(T(searchCompute(plain(law), explain::valueOf(loss))));
    const T one(1.0);
    // At the optimum alpha A / N^alpha = beta B / D^beta, and the two terms sum to this.
    const T sum = pow(loss - law.irreducible, one / law.power);
    const T both = law.alpha + law.beta;
    const T parameters = pow(law.a * both / (law.beta * sum), one / law.alpha);
    const T tokens = pow(law.b * both / (law.alpha * sum), one / law.beta);
    return Flop<T>(T(6.0) * parameters * tokens);
}

bool ofOneFamily(LossLaw law)
{
    return law == LossLaw::Chinchilla || law == LossLaw::ChinchillaCorrected;
}

template <class T>
T countedParameters(const Inputs<T>& in, LossLaw law, scenario::ExpertRule rule,
                    const ExpertLoad<T>& load)
{
    return law == LossLaw::JointMoe ? load.active : effectiveParameters(in, rule, load);
}

template <class T>
T criticalBatch(const Inputs<T>& in, const T& tokens)
{
    using std::pow;
    if (in.plan().workload.criticalBatchLaw == CriticalBatchLaw::FixedOverhead) {
        const T sequences = in.constant("constant.overhead_batch", Unit::None, 22.91) *
                            pow(tokens / T(kMillion),
                                in.constant("constant.overhead_batch_exponent", Unit::None, 0.47));
        // Those take 20% more tokens; the price 1 + B/B_crit is 1.2 where B is a fifth of B_crit.
        return T(5.0) * T(512.0) * sequences;
    }
    return T(2048.0) * in.constant("constant.power_lines_batch", Unit::None, 0.0471) *
           pow(tokens, in.constant("constant.power_lines_batch_exponent", Unit::None, 0.462));
}

namespace {

template <class T>
ExpertLoad<T> expertLoad(const ForecastLoad<T>& load)
{
    return {load.total, load.active, load.compute};
}

/// Where total over active parameters counts by a power so much larger or smaller.
template <class T>
T shifted(const Inputs<T>& in, const T& counted, const ForecastLoad<T>& load, double shift)
{
    using std::max;
    using std::min;
    using std::pow;
    const T power = T(shift) * in.constant("constant.expert_exponent_error", Unit::None, 0.25);
    return max(min(counted * pow(load.total / load.active, power), load.total), load.active);
}

template <class T>
LossBand<T> bandOf(const Inputs<T>& in, LossLaw law, const ForecastLoad<T>& load, const T& counted,
                   const T& tokens)
{
    const LossLawTerms<T> terms = lawTerms(in, law);
    const T error = T(kEighty) * in.constant("constant.irreducible_error", Unit::None, 0.03);
    if (law == LossLaw::JointMoe) {
        const T loss = lossAt(terms, load.active, tokens);
        return {loss, loss - error, loss + error};
    }
    return {lossAt(terms, counted, tokens),
            lossAt(terms, shifted(in, counted, load, 1.0), tokens) - error,
            lossAt(terms, shifted(in, counted, load, -1.0), tokens) + error};
}

/// What the other rules for experts say, and how far laws and rules are apart.
template <class T>
void addSpreads(const Inputs<T>& in, const ForecastLoad<T>& load, Forecast<T>& f)
{
    using std::max;
    using std::min;
    const LossLaw own = in.plan().workload.lossLaw;
    const LossLawTerms<T> law = lawTerms(in, own);
    T least = f.loss.loss;
    T most = f.loss.loss;
    for (std::size_t i = 0; i < kExpertRules; ++i) {
        RuleForecast<T>& rule = f.byRule[i];
        rule.parameters =
            countedParameters(in, own, static_cast<scenario::ExpertRule>(i), expertLoad(load));
        rule.loss = lossAt(law, rule.parameters, f.effectiveTokens);
        least = min(least, rule.loss);
        most = max(most, rule.loss);
    }
    f.ruleSpread = named("run.loss_rule_spread", Unit::None, most - least);
    least = f.loss.loss;
    most = f.loss.loss;
    for (std::size_t i = 0; i < kLossLaws; ++i) {
        if (!ofOneFamily(static_cast<LossLaw>(i)))
            continue;
        least = min(least, f.byLaw[i].loss);
        most = max(most, f.byLaw[i].loss);
    }
    f.lawSpread = named("run.loss_law_spread", Unit::None, most - least);
}

template <class T>
void addBatch(const Inputs<T>& in, Forecast<T>& f)
{
    const scenario::Workload& w = in.plan().workload;
    const T tokens = in(w.trainingTokens);
    f.batchTokens =
        named("run.batch_tokens", Unit::Tokens, in(w.globalBatchSequences) * in(w.sequenceLength));
    f.criticalBatchTokens =
        named("run.critical_batch_tokens", Unit::Tokens,
              w.criticalBatchTokens ? in(w.criticalBatchTokens) : criticalBatch(in, tokens));
    f.batchPrice = named("run.batch_price", Unit::Share, f.batchTokens / f.criticalBatchTokens);
    f.effectiveTokens = named("run.effective_tokens", Unit::Tokens,
                              in(w.dataEfficiency) * tokens / (T(1.0) + f.batchPrice));
}

template <class T>
void addLosses(const Inputs<T>& in, const ForecastLoad<T>& load, Forecast<T>& f)
{
    using std::log;
    const scenario::Workload& w = in.plan().workload;
    f.effectiveParameters = named("run.effective_parameters", Unit::Parameters,
                                  countedParameters(in, w.lossLaw, w.expertRule, expertLoad(load)));
    const T counted = effectiveParameters(in, w.expertRule, expertLoad(load));
    for (std::size_t i = 0; i < kLossLaws; ++i)
        f.byLaw[i] = bandOf(in, static_cast<LossLaw>(i), load, counted, f.effectiveTokens);
    const LossBand<T>& own = f.byLaw[static_cast<std::size_t>(w.lossLaw)];
    f.loss.loss = named("run.loss", Unit::None, own.loss);
    f.loss.low = named("run.loss_band.low", Unit::None, own.low);
    f.loss.high = named("run.loss_band.high", Unit::None, own.high);
    const LossLawTerms<T> law = lawTerms(in, w.lossLaw);
    f.gained =
        named("run.loss_gained", Unit::None, log(in(in.plan().model.vocabulary)) - f.loss.loss);
    f.marginal = named(
        "run.loss_marginal", Unit::None,
        f.loss.loss - lossAt(law, f.effectiveParameters, T(1.0 + kPercent) * f.effectiveTokens));
    f.leastCompute = named("run.least_flops", Unit::Flop, leastCompute(law, f.loss.loss));
    addSpreads(in, load, f);
}

} // namespace

template <class T>
Forecast<T> forecast(const Inputs<T>& in, const ForecastLoad<T>& load)
{
    Forecast<T> f;
    f.tokensPerDay = named("run.tokens_per_day", Unit::Tokens,
                           load.tokensPerSecond.si() * load.goodput * T(kDay));
    addBatch(in, f);
    addLosses(in, load, f);
    return f;
}

template <class T>
Returns<T> returnsOf(const Forecast<T>& f, const Flop<T>& compute, const units::Joules<T>& energy,
                     const units::Money<T>& cost)
{
    // Nothing spent, nothing to divide by.
    const auto over = [](const T& gain, const T& spent) {
        return explain::valueOf(spent) > 0.0 ? gain / spent : T(0.0);
    };
    const T flops = compute.si() / T(kYotta);
    const T gwh = energy.si() / T(kGwh);
    const T money = cost.si() / T(kMillion);
    const T last = f.marginal / T(kPercent);
    Returns<T> r;
    r.perYottaflop = named("run.loss_gained_per_yottaflop", Unit::None, over(f.gained, flops));
    r.perGwh = named("run.loss_gained_per_gwh", Unit::None, over(f.gained, gwh));
    r.perMillion = named("run.loss_gained_per_million", Unit::None, over(f.gained, money));
    r.marginalPerYottaflop =
        named("run.loss_marginal_per_yottaflop", Unit::None, over(last, flops));
    r.marginalPerGwh = named("run.loss_marginal_per_gwh", Unit::None, over(last, gwh));
    r.marginalPerMillion = named("run.loss_marginal_per_million", Unit::None, over(last, money));
    return r;
}

#define CW_INSTANTIATE_LOSS(T)                                                                     \
    template LossLawTerms<T> lawTerms(const Inputs<T>&, LossLaw);                                  \
    template T lossAt(const LossLawTerms<T>&, const T&, const T&);                                 \
    template Optimum<T> optimumOf(const LossLawTerms<T>&, const Flop<T>&);                         \
    template Flop<T> leastCompute(const LossLawTerms<T>&, const T&);                               \
    template T criticalBatch(const Inputs<T>&, const T&);                                          \
    template T countedParameters(const Inputs<T>&, LossLaw, scenario::ExpertRule,                  \
                                 const ExpertLoad<T>&);                                            \
    template Forecast<T> forecast(const Inputs<T>&, const ForecastLoad<T>&);                       \
    template Returns<T> returnsOf(const Forecast<T>&, const Flop<T>&, const units::Joules<T>&,     \
                                  const units::Money<T>&)
CW_INSTANTIATE_LOSS(double);
CW_INSTANTIATE_LOSS(Traced);
#undef CW_INSTANTIATE_LOSS

} // namespace cw::run
