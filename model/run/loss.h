// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>

#include "model/run/experts.h"
#include "model/scenario/inputs.h"
#include "model/units/quantity.h"

// What the run buys: a forecast of the loss, in nats per token, and what the batch costs in tokens.
//
// L = E + (A / N^alpha + B / D^beta)^q for every law; q = 1 but for Kaplan's.
// - chinchilla: Hoffmann et al. 2022 (2203.15556), approach 3, as rounded there.
// - chinchilla-corrected: Besiroglu et al. 2024 (2404.10102), the same runs fitted again.
// - kaplan: Kaplan et al. 2020 (2001.08361), eq. 1.5 and table 2: A = N_c^(a_N/a_D), B = D_c,
//   q = a_D. Other text, another vocabulary and no floor: to be compared with itself alone.
// - farseer: Li et al. 2025 (2506.10972): E, B and beta are functions of N,
//   E = e^(a3 N^g3 + b3), B = e^(a2 N^g2 + b2), beta = e^(a1 N^g1 + b1), A = 0; coefficients are
//   the plan's own, in nats per token.
// - joint-moe: Ludziejewski et al. 2025 (2502.05172), a E^delta N^(alpha + gamma ln E) + b E^omega
//   D^(beta + zeta ln E) + c of active parameters, with Clark et al. 2022's saturating E
//   (2202.01169); coefficients are the plan's own.
// - custom: the plan's own coefficients.

namespace cw::run {

/// Farseer's surface: factor, power and shift of the three functions of N.
template <class T>
struct LossSurface
{
    struct Term
    {
        T factor{};
        T power{};
        T shift{};
    };
    Term floor;    ///< E
    Term data;     ///< B
    Term exponent; ///< beta
};

/// The coefficients of one law.
template <class T>
struct LossLawTerms
{
    T irreducible{};
    T a{};
    T b{};
    T alpha{};
    T beta{};
    T power{};
    std::optional<LossSurface<T>> surface; ///< in place of all the others
};

template <class T>
LossLawTerms<T> lawTerms(const scenario::Inputs<T>& in, scenario::LossLaw law);

/// Loss of N parameters trained on D tokens, both above 0.
template <class T>
T lossAt(const LossLawTerms<T>& law, const T& parameters, const T& tokens);

/// The model and tokens that a dense model of 6 N D FLOPs uses best:
/// N* = G (C/6)^(beta/(alpha+beta)), G = (alpha A / (beta B))^(1/(alpha+beta)). [2203.15556, eq. 4]
/// Found by search for a surface.
template <class T>
struct Optimum
{
    T parameters{};
    T tokens{};
};
template <class T>
Optimum<T> optimumOf(const LossLawTerms<T>& law, const units::Flop<T>& compute);

/// The least FLOPs by which a dense model reaches the loss, the inverse of the optimum. The loss is
/// above the irreducible.
template <class T>
units::Flop<T> leastCompute(const LossLawTerms<T>& law, const T& loss);

/// The batch, in tokens, at which twice the tokens are needed.
/// - power-lines: 0.0471 D^0.462 sequences of 2,048 tokens [Bergsma et al. 2025 (2505.13738)];
/// - fixed-overhead: 22.91 (D/10^6)^0.47 sequences of 512 take 20% more [Zhang et al. 2024
///   (2410.21676)]; five times that take twice as many, by the price below.
template <class T>
T criticalBatch(const scenario::Inputs<T>& in, const T& tokens);

/// A forecast with its band.
template <class T>
struct LossBand
{
    T loss{};
    T low{};
    T high{};
};

template <class T>
struct ForecastLoad
{
    T total{}; ///< parameters
    T active{};
    units::TokensPerSecond<T> tokensPerSecond; ///< of all jobs while they train
    T goodput{};
    units::Flop<T> compute; ///< model FLOPs of the run of one job
};

inline constexpr std::size_t kLossLaws = scenario::EnumNames<scenario::LossLaw>::value.size();
inline constexpr std::size_t kExpertRules = scenario::EnumNames<scenario::ExpertRule>::value.size();

/// Laws fitted to the runs of one paper, which may stand side by side.
bool ofOneFamily(scenario::LossLaw law);

/// Parameters that count in the law: by the plan's rule for experts, or the active ones where the
/// law has a place of its own for the experts.
template <class T>
T countedParameters(const scenario::Inputs<T>& in, scenario::LossLaw law, scenario::ExpertRule rule,
                    const ExpertLoad<T>& load);

/// What the plan's law says where the experts count by one rule.
template <class T>
struct RuleForecast
{
    T parameters{}; ///< effective
    T loss{};
};

template <class T>
struct Forecast
{
    T tokensPerDay{}; ///< of all jobs, interruptions counted
    T batchTokens{};
    T criticalBatchTokens{};
    T batchPrice{};      ///< more tokens than a small batch needs, as a share of its tokens
    T effectiveTokens{}; ///< what the tokens are worth to the law
    T effectiveParameters{};
    LossBand<T> loss; ///< by the plan's law
    std::array<LossBand<T>, kLossLaws> byLaw;
    std::array<RuleForecast<T>, kExpertRules> byRule;
    T lawSpread{};               ///< between the plan's law and those of one family
    T ruleSpread{};              ///< between the rules for experts
    T gained{};                  ///< below a uniform guess, ln V
    T marginal{};                ///< what one percent more tokens would take off the loss
    units::Flop<T> leastCompute; ///< see above
};

/// D counts as efficiency x D / (1 + B / B_crit) [McCandlish et al. 2018 (1812.06162), sec. 2.2];
/// a mixture of experts by the plan's rule (experts.h). The band is 80%: the error of the
/// irreducible loss (0.03), and the power of total over active parameters uncertain by 0.25. The
/// errors of the other coefficients hang together and are not told; the spreads between the laws
/// and between the rules are the better warning.
template <class T>
Forecast<T> forecast(const scenario::Inputs<T>& in, const ForecastLoad<T>& load);

/// Loss gained for what is spent: below a uniform guess over the whole, and by the last percent of
/// the tokens.
template <class T>
struct Returns
{
    T perYottaflop{}; ///< 10^24 model FLOPs
    T perGwh{};
    T perMillion{}; ///< of the plan's currency
    T marginalPerYottaflop{};
    T marginalPerGwh{};
    T marginalPerMillion{};
};

template <class T>
Returns<T> returnsOf(const Forecast<T>& forecast, const units::Flop<T>& compute,
                     const units::Joules<T>& energy, const units::Money<T>& cost);

#define CW_EXTERN_LOSS(T)                                                                          \
    extern template LossLawTerms<T> lawTerms(const scenario::Inputs<T>&, scenario::LossLaw);       \
    extern template T lossAt(const LossLawTerms<T>&, const T&, const T&);                          \
    extern template Optimum<T> optimumOf(const LossLawTerms<T>&, const units::Flop<T>&);           \
    extern template units::Flop<T> leastCompute(const LossLawTerms<T>&, const T&);                 \
    extern template T criticalBatch(const scenario::Inputs<T>&, const T&);                         \
    extern template T countedParameters(const scenario::Inputs<T>&, scenario::LossLaw,             \
                                        scenario::ExpertRule, const ExpertLoad<T>&);               \
    extern template Forecast<T> forecast(const scenario::Inputs<T>&, const ForecastLoad<T>&);      \
    extern template Returns<T> returnsOf(const Forecast<T>&, const units::Flop<T>&,                \
                                         const units::Joules<T>&, const units::Money<T>&)
CW_EXTERN_LOSS(double);
CW_EXTERN_LOSS(explain::Traced);
#undef CW_EXTERN_LOSS

} // namespace cw::run
