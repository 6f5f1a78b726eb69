// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/transformer/counts.h"

namespace cw::transformer {

using explain::named;
using explain::Traced;
using scenario::Inputs;
using units::Unit;

template <class T>
LayerParameters<T> parametersOf(const Layer<T>& layer)
{
    LayerParameters<T> p;
    for (const Matrix<T>& m : layer) {
        const T size = m.in * m.out;
        p.matricesUsed = p.matricesUsed + size * m.used;
        if (m.split == Split::Expert) {
            p.experts = p.experts + size * m.instances;
            p.activeExperts = p.activeExperts + size * m.used;
        } else if (m.split == Split::Replicated) {
            p.replicated = p.replicated + size;
        } else {
            p.shared = p.shared + size;
        }
    }
    p.replicated = p.replicated + layer.vectors;
    return p;
}

template <class T>
T parametersOnRank(const Layer<T>& layer, const T& t)
{
    const LayerParameters<T> p = parametersOf(layer);
    T held = p.shared / t + p.replicated;
    for (const Matrix<T>& m : layer)
        if (m.keyValueOut > T(0.0) && layer.core.keyHeads < t)
            held = held + m.in * (outputsOnRank(layer, m, t) - m.out / t);
    return held;
}

template <class T>
std::vector<Layer<T>> layersOf(const Inputs<T>& in)
{
    std::vector<Layer<T>> layers;
    layers.reserve(in.plan().model.groups.size());
    for (const scenario::LayerGroup& group : in.plan().model.groups)
        layers.push_back(layerOf(in, group));
    return layers;
}

namespace {

/// A multi-token prediction module beside its layer: a 2h x h projection and three norms.
/// [DeepSeek-V3 report (2412.19437) sec. 2.2]
template <class T>
T mtpProjection(const T& h)
{
    return T(2.0) * h * h;
}

} // namespace

template <class T>
ParameterCounts<T> countParameters(const Inputs<T>& in, const std::vector<Layer<T>>& layers)
{
    const scenario::Model& model = in.plan().model;
    const T h = in(model.hidden);
    const T normSize = model.norm == scenario::NormKind::LayerNorm ? T(2.0) * h : h;
    ParameterCounts<T> c;
    c.embedding = named("parameters.embedding", Unit::Parameters, in(model.vocabulary) * h);
    c.head = model.tiedEmbeddings ? T(0.0) : c.embedding;
    T body = normSize; // the final norm
    T experts = T(0.0);
    T activeExperts = T(0.0);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const LayerParameters<T> p = parametersOf(layers[i]);
        const T count = in(model.groups[i].count);
        c.perLayer.push_back(
            named("parameters.per_layer", Unit::Parameters, p.shared + p.replicated + p.experts));
        body = body + count * (p.shared + p.replicated);
        experts = experts + count * p.experts;
        activeExperts = activeExperts + count * p.activeExperts;
    }
    if (model.learnedPositions > 0)
        body = body + in(model.learnedPositions) * h;
    if (model.embeddingNorm)
        body = body + normSize;
    body = named("parameters.body", Unit::Parameters, body);
    c.experts = named("parameters.experts", Unit::Parameters, experts);
    c.total = named("parameters.total", Unit::Parameters, body + c.experts + c.embedding + c.head);
    c.activeWithoutEmbeddings =
        named("parameters.active_without_embeddings", Unit::Parameters, body + activeExperts);
    c.activeHeadOnly = named("parameters.active_head_only", Unit::Parameters,
                             c.activeWithoutEmbeddings + c.embedding);
    c.active = named("parameters.active", Unit::Parameters,
                     c.activeWithoutEmbeddings + c.embedding + c.head);
    if (model.mtpLayers > 0 && !layers.empty()) {
        const LayerParameters<T> p = parametersOf(layers.back());
        c.mtp = named("parameters.mtp", Unit::Parameters,
                      in(model.mtpLayers) * (p.shared + p.replicated + p.experts +
                                             mtpProjection(h) + T(3.0) * normSize));
    }
    return c;
}

template <class T>
units::FlopPerToken<T> coreFlops(const Layer<T>& layer, bool causal)
{
    const Core<T>& core = layer.core;
    if (core.linear)
        return units::FlopPerToken<T>(T(2.0) * core.heads * core.state);
    const T context = causal ? core.context : core.square;
    return units::FlopPerToken<T>(T(2.0) * context * core.heads * (core.queryDim + core.valueDim));
}

namespace {

/// Forward FLOPs of the index scores that a sparse attention selects by: over the whole context.
template <class T>
T indexerFlops(const Inputs<T>& in, const Layer<T>& layer, bool causal)
{
    const T s = in(in.plan().workload.sequenceLength);
    return T(2.0) * (causal ? s / T(2.0) : s) * layer.core.indexer;
}

template <class T>
T attentionFlops(const Inputs<T>& in, const std::vector<Layer<T>>& layers, bool causal)
{
    T flops = T(0.0);
    for (std::size_t i = 0; i < layers.size(); ++i)
        flops = flops + in(in.plan().model.groups[i].count) * (coreFlops(layers[i], causal).si() +
                                                               indexerFlops(in, layers[i], causal));
    return flops;
}

} // namespace

template <class T>
FlopCounts<T> countFlops(const Inputs<T>& in, const std::vector<Layer<T>>& layers,
                         const ParameterCounts<T>& parameters)
{
    const scenario::Model& model = in.plan().model;
    const scenario::Workload& workload = in.plan().workload;
    const T h = in(model.hidden);
    T matrices = h * in(model.vocabulary); // the head, tied or not
    for (std::size_t i = 0; i < layers.size(); ++i)
        matrices = matrices + in(model.groups[i].count) * parametersOf(layers[i]).matricesUsed;
    matrices = named("flops.matrix_parameters", Unit::Parameters, matrices);
    const T causal = attentionFlops(in, layers, true);
    const T square = attentionFlops(in, layers, false);

    T mtpMatrices = T(0.0);
    T mtpCausal = T(0.0);
    T mtpSquare = T(0.0);
    if (model.mtpLayers > 0 && !layers.empty()) {
        const T count = in(model.mtpLayers);
        const Layer<T>& last = layers.back();
        mtpMatrices =
            count * (parametersOf(last).matricesUsed + mtpProjection(h) + h * in(model.vocabulary));
        mtpCausal = count * coreFlops(last, true).si();
        mtpSquare = count * coreFlops(last, false).si();
    }

    FlopCounts<T> f;
    const T six = T(6.0); // 2 per multiply-add, forward once and backward twice
    const T three = T(3.0);
    f.attentionPerToken = named("flops.attention_per_token", Unit::FlopPerToken,
                                units::FlopPerToken<T>(three * (causal + mtpCausal)));
    f.withoutMtp = units::FlopPerToken<T>(six * matrices + three * causal);
    f.modelPerToken =
        named("flops.model_per_token", Unit::FlopPerToken,
              units::FlopPerToken<T>(six * (matrices + mtpMatrices)) + f.attentionPerToken);
    f.unhalvedPerToken = named(
        "flops.unhalved_per_token", Unit::FlopPerToken,
        units::FlopPerToken<T>(six * (matrices + mtpMatrices) + three * (square + mtpSquare)));
    const units::Tokens<T> batch(in(workload.globalBatchSequences) * in(workload.sequenceLength));
    const units::Tokens<T> run(in(workload.trainingTokens));
    f.modelPerStep = named("flops.model_per_step", Unit::Flop, f.modelPerToken * batch);
    f.modelPerRun = named("flops.model_per_run", Unit::Flop, f.modelPerToken * run);
    f.sixNd = named("flops.six_n_d", Unit::Flop,
                    units::Flop<T>(six * parameters.active * in(workload.trainingTokens)));
    return f;
}

#define CW_INSTANTIATE(T)                                                                          \
    template LayerParameters<T> parametersOf(const Layer<T>&);                                     \
    template T parametersOnRank(const Layer<T>&, const T&);                                        \
    template std::vector<Layer<T>> layersOf(const Inputs<T>&);                                     \
    template ParameterCounts<T> countParameters(const Inputs<T>&, const std::vector<Layer<T>>&);   \
    template FlopCounts<T> countFlops(const Inputs<T>&, const std::vector<Layer<T>>&,              \
                                      const ParameterCounts<T>&);                                  \
    template units::FlopPerToken<T> coreFlops(const Layer<T>&, bool);
CW_INSTANTIATE(double)
CW_INSTANTIATE(Traced)
#undef CW_INSTANTIATE

} // namespace cw::transformer
