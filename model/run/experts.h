// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/scenario/inputs.h"
#include "model/units/quantity.h"

// What a mixture of experts is worth to a law of dense models, in parameters of one: three rules.
//
// weight: active^(1-w) total^w, w an assumption of the plan.
//
// effective-count: Clark et al. 2022 (2202.01169). Eq. 1, in decimal logarithms,
//   log L = a log N + b log E' + c log N log E' + d,
//   1/E' = 1/(E - 1 + 1/(1/E_start - 1/E_max)) + 1/E_max,
// with the coefficients of S-BASE, the best of its three ways to route (table 3). The effective
// count is the N' of equal loss at E = 1 (eq. 11). N are the active parameters, E the experts for
// each that a token takes. Published of it: 5 million with 128 experts are worth about 55 million;
// experts stop to help at 937 billion, 10^(-b/c). The coefficients as printed give 51.8 million and
// 1,000 billion.
//
// leverage: Tian et al. 2025 (2507.17702), eq. 10 and 13, table 2,
//   EL = A'^(alpha + gamma (log G)^2 + beta log G), alpha = a + d log C,
//   1/A' = 1/(A + 1/(1/A_start - 1/A_max)) + 1/A_max.
// EL times as large a dense model has the same loss after the same tokens (sec. 3). A is the
// activation ratio (taken + shared)/(all + shared), G the granularity 2 d_model/d_expert
// (sec. 2.1), C the FLOPs of the training (app. C). The paper prints no base of its logarithms: 10
// for C and 2 for G give the printed "over 7x" at C = 1e22, A = 3.1%, G = 12 (7.24) and the printed
// best G of 8 to 12 (2^3.5 = 11.3); natural ones give 5,300 and 33. At A = 1 the paper says EL = 1
// and its coefficients 0.99: the count is held at the active parameters, so that a dense model
// counts as itself.
//
// No rule goes below the active parameters, where both laws bend beyond their fits, nor above the
// total: a mixture computes no more than a dense model of all its weights.

namespace cw::run {

template <class T>
struct ExpertLoad
{
    T total{}; ///< parameters
    T active{};
    units::Flop<T> compute; ///< model FLOPs of the training of one model
};

/// Experts for each that a token takes, in the group with the most of them; 1 for a dense model.
template <class T>
T expansionOf(const scenario::Inputs<T>& in);

/// Of the same group. Shared experts of another width count as so many of the routed ones' width.
template <class T>
struct ExpertShape
{
    T activation{};  ///< 1 for a dense model
    T granularity{}; ///< 0 for a dense model
};
template <class T>
ExpertShape<T> shapeOf(const scenario::Inputs<T>& in);

/// E' above: what so many experts count as, with what one and what any number of them count as.
template <class T>
T saturated(const T& beyondFirst, const T& start, const T& most);

/// Parameters of the dense model that the mixture is worth, from active to total.
template <class T>
T effectiveParameters(const scenario::Inputs<T>& in, scenario::ExpertRule rule,
                      const ExpertLoad<T>& load);

/// Whether the rule is used outside the runs that it was fitted on; never for a dense model, nor
/// for the weight rule, which was fitted on none. effective-count: 15 million to 1.3 billion
/// parameters, up to 512 experts, 130 billion tokens (Clark et al., sec. 4). leverage: 3e18 to 3e20
/// FLOPs (Tian et al., sec. 3), A from 0.8%, G 2 to 16 (sec. 4.1).
bool beyondFit(const scenario::Inputs<double>& in, scenario::ExpertRule rule,
               const ExpertLoad<double>& load, double tokens);

#define CW_EXTERN_EXPERTS(T)                                                                       \
    extern template T expansionOf(const scenario::Inputs<T>&);                                     \
    extern template ExpertShape<T> shapeOf(const scenario::Inputs<T>&);                            \
    extern template T saturated(const T&, const T&, const T&);                                     \
    extern template T effectiveParameters(const scenario::Inputs<T>&, scenario::ExpertRule,        \
                                          const ExpertLoad<T>&)
CW_EXTERN_EXPERTS(double);
CW_EXTERN_EXPERTS(explain::Traced);
#undef CW_EXTERN_EXPERTS

} // namespace cw::run
