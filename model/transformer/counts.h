// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "model/transformer/layer.h"
#include "model/units/quantity.h"

namespace cw::transformer {

/// Parameters of one layer by how they are stored and used.
template <class T>
struct LayerParameters
{
    T shared{};        ///< cut by tensor parallelism
    T replicated{};    ///< on each tensor rank whole
    T experts{};       ///< routed experts, all of them
    T activeExperts{}; ///< of them, what one token uses
    T matricesUsed{};  ///< multiply-adds of one token in matrices
};

template <class T>
LayerParameters<T> parametersOf(const Layer<T>& layer);

/// Parameters beside the experts that one of t tensor ranks holds.
template <class T>
T parametersOnRank(const Layer<T>& layer, const T& t);

/// Parameters of the whole model, without padding of the vocabulary.
template <class T>
struct ParameterCounts
{
    T total{};  ///< without multi-token prediction
    T active{}; ///< with both embeddings, as PHYSICS counts
    T activeHeadOnly{};
    T activeWithoutEmbeddings{};
    T embedding{};
    T head{}; ///< 0 where tied
    T experts{};
    T mtp{};                 ///< of all multi-token prediction modules
    std::vector<T> perLayer; ///< of one layer of each group
};

/// Multiply-add counted as 2; backward as twice forward. Recomputation is not model FLOPs.
/// [Narayanan et al. 2021 (2104.04473) eq. 3; Chowdhery et al. 2022 (2204.02311) app. B]
template <class T>
struct FlopCounts
{
    units::FlopPerToken<T> modelPerToken; ///< forward and backward, causal, head, with MTP
    units::FlopPerToken<T> withoutMtp;
    units::FlopPerToken<T> unhalvedPerToken;  ///< attention counted over the full square, with MTP
    units::FlopPerToken<T> attentionPerToken; ///< of modelPerToken, scores and values
    units::Flop<T> modelPerStep;
    units::Flop<T> modelPerRun;
    units::Flop<T> sixNd; ///< 6 x active parameters x tokens of the run
};

template <class T>
ParameterCounts<T> countParameters(const scenario::Inputs<T>& in,
                                   const std::vector<Layer<T>>& layers);

template <class T>
FlopCounts<T> countFlops(const scenario::Inputs<T>& in, const std::vector<Layer<T>>& layers,
                         const ParameterCounts<T>& parameters);

/// One layer for each group of the plan.
template <class T>
std::vector<Layer<T>> layersOf(const scenario::Inputs<T>& in);

/// Forward FLOPs of the attention core of one layer and token.
template <class T>
units::FlopPerToken<T> coreFlops(const Layer<T>& layer, bool causal);

} // namespace cw::transformer
