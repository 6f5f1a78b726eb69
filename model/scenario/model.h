// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/scenario/enums.h"
#include "model/scenario/fieldvisitor.h"

namespace cw::scenario {

/// Attention of one layer. Which members count depends on `kind`; the others are ignored.
struct Attention
{
    AttentionKind kind = AttentionKind::Full;
    std::int64_t heads = 32;
    std::int64_t keyValueHeads = 8; ///< 0: as many as heads (MHA)
    std::int64_t headDim = 0;       ///< 0: hidden / heads
    std::int64_t window = 0;        ///< sliding window or chunk, in tokens
    // MLA (DeepSeek-V2 report, sec. 2.1)
    std::int64_t queryRank = 0; ///< 0: no query compression
    std::int64_t keyValueRank = 0;
    std::int64_t nopeDim = 0;
    std::int64_t ropeDim = 0;
    std::int64_t valueDim = 0; ///< also of linear kinds, per value head; 0: headDim
    // Sparse top-k selection over MLA or GQA (DeepSeek-V3.2 report)
    std::int64_t indexerHeads = 0;
    std::int64_t indexerDim = 0;
    std::int64_t indexerTopK = 0;
    // Linear kinds
    std::int64_t valueHeads = 0; ///< 0: as many as heads
    std::int64_t stateDim = 0;
    std::int64_t convolution = 0;
    // Low-rank grouped output projection (0: a plain matrix)
    std::int64_t outputGroups = 0;
    std::int64_t outputRank = 0;
    bool queryKeyValueBias = false;
    bool outputBias = false;
    bool queryKeyNorm = false;
    bool sinks = false;       ///< one learned logit for each head
    bool gatedOutput = false; ///< one more h x a·d matrix that gates the output
};

struct Ffn
{
    FfnKind kind = FfnKind::Dense;
    std::int64_t hidden = 14336; ///< dense width, or width of one routed expert
    bool gated = true;
    bool bias = false;
    std::int64_t experts = 0;
    std::int64_t topK = 0;
    std::int64_t sharedExperts = 0;
    std::int64_t sharedHidden = 0; ///< 0: as `hidden`
    std::int64_t latentDim = 0;    ///< experts work in this width; 0: in the model's
    std::int64_t nodeLimit = 0;    ///< a token goes to at most so many nodes; 0: no limit
    bool routerBias = false;
    bool sharedGate = false; ///< one more h-vector that weighs the shared expert
};

/// `count` equal layers.
struct LayerGroup
{
    std::int64_t count = 32;
    Attention attention;
    Ffn ffn;
};

/// Targets the shape is scaled to; both absent: the shape stays as it is.
struct ScaleTo
{
    std::optional<double> total;
    std::optional<double> active;
};

struct Model
{
    std::string preset;
    std::int64_t hidden = 4096;
    std::int64_t vocabulary = 128256;
    bool tiedEmbeddings = false;
    std::int64_t learnedPositions = 0;
    std::int64_t mtpLayers = 0;
    NormKind norm = NormKind::RmsNorm;
    std::int64_t normsPerLayer = 2;
    bool embeddingNorm = false;
    bool dropout = false; ///< masks of attention and hidden dropout are kept for backward
    std::int64_t paddedVocabularyMultiple = 128;  ///< frameworks store V rounded up to this times t
    std::vector<LayerGroup> groups{LayerGroup{}}; ///< the default is the shape of Llama 3.1 8B
    /// The last so many groups take turns through the depth (each fourth layer full attention, say)
    /// in place of standing one behind the other; 0: none.
    std::int64_t interleavedGroups = 0;
    ScaleTo scaleTo;
};

void describe(FieldVisitor& v, Attention& a);
void describe(FieldVisitor& v, Ffn& f);
void describe(FieldVisitor& v, LayerGroup& g);
void describe(FieldVisitor& v, ScaleTo& s);
void describe(FieldVisitor& v, Model& m);

} // namespace cw::scenario
