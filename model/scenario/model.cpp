// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/scenario/model.h"

namespace cw::scenario {

using units::Unit;

namespace {
constexpr Spec kCount{.min = 0, .max = 1e6, .scale = Scale::Log, .from = 1, .to = 1024};
constexpr Spec kWidth{.min = 0, .max = 1e7, .scale = Scale::Log, .from = 64, .to = 65536};
constexpr Spec kExpertCount{
    .min = 0, .max = 1e6, .scale = Scale::Log, .from = 1, .to = 1024, .expert = true};
constexpr Spec kExpertWidth{
    .min = 0, .max = 1e7, .scale = Scale::Log, .from = 16, .to = 65536, .expert = true};
constexpr Spec kExpert{.expert = true};
} // namespace

void describe(FieldVisitor& v, Attention& a)
{
    v.choice("kind", a.kind);
    v.integer("heads", a.heads, kCount);
    v.integer("key_value_heads", a.keyValueHeads, kCount);
    v.integer("head_dim", a.headDim, kWidth);
    v.integer(
        "window", a.window,
        {.min = 0, .max = 1e9, .scale = Scale::Log, .from = 128, .to = 131072, .expert = true});
    v.integer("query_rank", a.queryRank, kExpertWidth);
    v.integer("key_value_rank", a.keyValueRank, kExpertWidth);
    v.integer("nope_dim", a.nopeDim, kExpertWidth);
    v.integer("rope_dim", a.ropeDim, kExpertWidth);
    v.integer("value_dim", a.valueDim, kExpertWidth);
    v.integer("indexer_heads", a.indexerHeads, kExpertCount);
    v.integer("indexer_dim", a.indexerDim, kExpertWidth);
    v.integer("indexer_top_k", a.indexerTopK, kExpertWidth);
    v.integer("value_heads", a.valueHeads, kExpertCount);
    v.integer("state_dim", a.stateDim, kExpertWidth);
    v.integer("convolution", a.convolution, kExpertCount);
    v.integer("output_groups", a.outputGroups, kExpertCount);
    v.integer("output_rank", a.outputRank, kExpertWidth);
    v.flag("query_key_value_bias", a.queryKeyValueBias, kExpert);
    v.flag("output_bias", a.outputBias, kExpert);
    v.flag("query_key_norm", a.queryKeyNorm, kExpert);
    v.flag("sinks", a.sinks, kExpert);
    v.flag("gated_output", a.gatedOutput, kExpert);
}

void describe(FieldVisitor& v, Ffn& f)
{
    v.choice("kind", f.kind);
    v.integer("hidden", f.hidden, kWidth);
    v.flag("gated", f.gated, kExpert);
    v.flag("bias", f.bias, kExpert);
    v.integer("experts", f.experts, kCount);
    v.integer("top_k", f.topK, {.min = 0, .max = 1e6, .scale = Scale::Log, .from = 1, .to = 64});
    v.integer("shared_experts", f.sharedExperts, {.min = 0, .max = 1e4, .from = 0, .to = 8});
    v.integer("shared_hidden", f.sharedHidden, kExpertWidth);
    v.integer("latent_dim", f.latentDim, kExpertWidth);
    v.integer("node_limit", f.nodeLimit,
              {.min = 0, .max = 1e6, .from = 0, .to = 16, .expert = true});
    v.flag("router_bias", f.routerBias, kExpert);
    v.flag("shared_gate", f.sharedGate, kExpert);
}

void describe(FieldVisitor& v, LayerGroup& g)
{
    v.integer("count", g.count,
              {.min = 1, .max = 10000, .scale = Scale::Log, .from = 1, .to = 256});
    v.part("attention", g.attention);
    v.part("ffn", g.ffn);
}

void describe(FieldVisitor& v, ScaleTo& s)
{
    v.number("total", s.total,
             {.unit = Unit::Parameters,
              .min = 1e6,
              .max = 1e15,
              .scale = Scale::Log,
              .from = 1e9,
              .to = 2e13});
    v.number("active", s.active,
             {.unit = Unit::Parameters,
              .min = 1e6,
              .max = 1e15,
              .scale = Scale::Log,
              .from = 1e9,
              .to = 2e12});
}

void describe(FieldVisitor& v, Model& m)
{
    v.preset("model", m.preset);
    v.integer("hidden", m.hidden,
              {.min = 1, .max = 1e6, .scale = Scale::Log, .from = 512, .to = 65536});
    v.integer("vocabulary", m.vocabulary,
              {.min = 1, .max = 1e8, .scale = Scale::Log, .from = 16384, .to = 524288});
    v.flag("tied_embeddings", m.tiedEmbeddings, kExpert);
    v.integer("learned_positions", m.learnedPositions,
              {.min = 0, .max = 1e8, .from = 0, .to = 131072, .expert = true});
    v.integer("mtp_layers", m.mtpLayers, {.min = 0, .max = 16, .from = 0, .to = 4});
    v.choice("norm", m.norm, kExpert);
    v.integer("norms_per_layer", m.normsPerLayer,
              {.min = 0, .max = 16, .from = 0, .to = 4, .expert = true});
    v.flag("embedding_norm", m.embeddingNorm, kExpert);
    v.flag("dropout", m.dropout, kExpert);
    v.integer("padded_vocabulary_multiple", m.paddedVocabularyMultiple,
              {.min = 1,
               .max = 65536,
               .from = 1,
               .to = 1024,
               .status = Status::Published,
               .source = "Megatron-LM, --make-vocab-size-divisible-by",
               .expert = true});
    v.parts("groups", m.groups);
    v.integer("interleaved_groups", m.interleavedGroups,
              {.min = 0, .max = 64, .from = 0, .to = 8, .expert = true});
    v.part("scale_to", m.scaleTo);
}

} // namespace cw::scenario
