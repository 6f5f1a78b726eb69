// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/scenario/inputs.h"

// What one layer is made of. Parameter counts, FLOPs, memory and operator times are all read off
// this one list of matrices, so that they cannot disagree.

namespace cw::transformer {

/// How tensor parallelism cuts a matrix.
enum class Split : std::uint8_t
{
    Column,     ///< along its outputs
    Row,        ///< along its inputs
    Replicated, ///< not at all
    Expert,     ///< experts over expert parallelism, each along its width over expert-tensor
};

enum class Place : std::uint8_t
{
    Attention,
    Dense, ///< dense FFN and shared experts
    Router,
    Experts,
    Latent,
    Head,
};

/// A weight matrix of `in` x `out`, of which a layer has `instances` and a token uses `used`.
template <class T>
struct Matrix
{
    std::string_view name;
    T in{};
    T out{};
    T instances{1.0};
    T used{1.0};
    Split split = Split::Column;
    Place place = Place::Attention;
    bool outputsOfExpertWidth = false; ///< of an expert: its outputs (not its inputs) are cut by x
    T keyValueOut{0.0};                ///< of the outputs, those of keys and values
};

/// The attention core: scores and values, or a linear recurrence.
template <class T>
struct Core
{
    T heads{};
    T keyHeads{};    ///< key/value heads kept for backward
    T queryDim{};    ///< of queries and keys, per head
    T valueDim{};    ///< per value head
    T context{};     ///< keys a query looks at, mean over a causal sequence
    T square{};      ///< the same without causal halving, as some publish FLOPs
    T indexer{};     ///< elements of index scores per token and key: heads x dimension
    T state{};       ///< linear kinds: multiply-adds per token and head
    T latentQuery{}; ///< MLA: query rank, 0 without
    T latentKey{};   ///< MLA: key-value rank + rope
    bool linear = false;
};

template <class T>
struct Layer
{
    static constexpr std::size_t kMost = 16;
    std::array<Matrix<T>, kMost> matrices{};
    std::size_t matrixCount = 0;
    Core<T> core;
    T vectors{};    ///< parameters that are no matrix: norms, biases, sinks (replicated)
    T norms{};      ///< norms of width h per layer
    T denseWidth{}; ///< FFN width of dense FFN, or of all shared experts together; 0 without
    T expertWidth{};
    T expertInput{}; ///< h, or the latent width
    T experts{};
    T topK{};
    bool gated = true;
    bool moe = false;

    const Matrix<T>* begin() const { return matrices.data(); }
    const Matrix<T>* end() const { return matrices.data() + matrixCount; }
};

/// Outputs of a matrix cut along them on one of t tensor ranks. A key/value head is not cut: with
/// more ranks than heads, several ranks hold the same one.
template <class T>
T outputsOnRank(const Layer<T>& layer, const Matrix<T>& m, const T& t)
{
    if (!(m.keyValueOut > T(0.0)) || !(layer.core.keyHeads < t))
        return m.out / t;
    return (m.out - m.keyValueOut) / t + m.keyValueOut / layer.core.keyHeads;
}

/// The layer of a group. [Attention, FFN and MoE as in FORMULAS of their reports: GQA 2305.13245;
/// MLA DeepSeek-V2 2405.04434 sec. 2.1; sparse indexer DeepSeek-V3.2; gated delta 2412.06464;
/// lightning 2501.08313; Mamba-2 2405.21060.]
template <class T>
Layer<T> layerOf(const scenario::Inputs<T>& in, const scenario::LayerGroup& group);

} // namespace cw::transformer
