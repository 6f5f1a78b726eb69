// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/transformer/layer.h"

#include <algorithm>
#include <cmath>

namespace cw::transformer {

using explain::Traced;
using scenario::AttentionKind;
using scenario::FfnKind;
using scenario::Inputs;

namespace {

template <class T>
void add(Layer<T>& layer, Matrix<T> matrix)
{
    if (layer.matrixCount < Layer<T>::kMost)
        layer.matrices[layer.matrixCount++] = matrix;
}

/// Mean number of keys that a query of a causal sequence of s sees within a window of w.
template <class T>
T causalContext(const T& s, const T& w)
{
    if (w < s)
        return w - w * w / (T(2.0) * s);
    return s / T(2.0);
}

template <class T>
void addOutput(const Inputs<T>& in, const scenario::Attention& a, const T& width, const T& h,
               Layer<T>& layer)
{
    if (a.outputGroups > 0 && a.outputRank > 0) {
        // Each group maps its heads to a low rank; the ranks of all groups map to h.
        const T groups = in(a.outputGroups);
        const T rank = in(a.outputRank);
        add(layer, Matrix<T>{"output-down", width / groups, rank * groups, T(1.0), T(1.0),
                             Split::Column, Place::Attention});
        add(layer,
            Matrix<T>{"output-up", rank * groups, h, T(1.0), T(1.0), Split::Row, Place::Attention});
    } else {
        add(layer, Matrix<T>{"output", width, h, T(1.0), T(1.0), Split::Row, Place::Attention});
    }
    if (a.outputBias)
        layer.vectors = layer.vectors + h;
}

template <class T>
void addIndexer(const Inputs<T>& in, const scenario::Attention& a, const T& h, Layer<T>& layer)
{
    if (a.indexerHeads <= 0)
        return;
    const T heads = in(a.indexerHeads);
    const T dim = in(a.indexerDim);
    const T source = a.queryRank > 0 ? in(a.queryRank) : h;
    add(layer, Matrix<T>{"index-query", source, heads * dim, T(1.0), T(1.0), Split::Replicated,
                         Place::Attention});
    add(layer, Matrix<T>{"index-key", h, dim + heads, T(1.0), T(1.0), Split::Replicated,
                         Place::Attention});
    layer.vectors = layer.vectors + T(2.0) * dim;
    layer.core.indexer = heads * dim;
}

template <class T>
void setContext(const Inputs<T>& in, const scenario::Attention& a, Layer<T>& layer)
{
    const T s = in(in.plan().workload.sequenceLength);
    T window = s;
    if (a.kind == AttentionKind::SlidingWindow && a.window > 0)
        window = in(a.window);
    layer.core.context = causalContext(s, window);
    layer.core.square = window < s ? window : s;
    if (a.kind == AttentionKind::Chunked && a.window > 0) {
        const T chunk = in(a.window);
        layer.core.context = (chunk < s ? chunk : s) / T(2.0);
        layer.core.square = chunk < s ? chunk : s;
    }
    if (a.indexerTopK > 0) {
        layer.core.context = causalContext(s, in(a.indexerTopK));
        layer.core.square = in(a.indexerTopK) < s ? in(a.indexerTopK) : s;
    }
}

/// Queries: straight from h, or through a low rank.
template <class T>
void addQuery(const Inputs<T>& in, const scenario::Attention& a, const T& h, const T& width,
              Layer<T>& layer)
{
    if (a.queryRank <= 0) {
        add(layer, Matrix<T>{"query", h, width, T(1.0), T(1.0), Split::Column, Place::Attention});
        return;
    }
    const T rank = in(a.queryRank);
    add(layer,
        Matrix<T>{"query-down", h, rank, T(1.0), T(1.0), Split::Replicated, Place::Attention});
    add(layer, Matrix<T>{"query-up", rank, width, T(1.0), T(1.0), Split::Column, Place::Attention});
    layer.vectors = layer.vectors + rank;
    layer.core.latentQuery = rank;
}

template <class T>
void addGate(const scenario::Attention& a, const T& h, const T& width, Layer<T>& layer)
{
    if (a.gatedOutput)
        add(layer,
            Matrix<T>{"output-gate", h, width, T(1.0), T(1.0), Split::Column, Place::Attention});
}

template <class T>
void addMla(const Inputs<T>& in, const scenario::Attention& a, const T& h, Layer<T>& layer)
{
    const T heads = in(a.heads);
    const T queryDim = in(a.nopeDim) + in(a.ropeDim);
    const T valueDim = in(a.valueDim);
    const T rank = in(a.keyValueRank);
    addQuery(in, a, h, heads * queryDim, layer);
    add(layer, Matrix<T>{"key-value-down", h, rank + in(a.ropeDim), T(1.0), T(1.0),
                         Split::Replicated, Place::Attention});
    add(layer, Matrix<T>{"key-value-up", rank, heads * (in(a.nopeDim) + valueDim), T(1.0), T(1.0),
                         Split::Column, Place::Attention});
    layer.vectors = layer.vectors + rank;
    layer.core.heads = heads;
    layer.core.keyHeads = heads;
    layer.core.queryDim = queryDim;
    layer.core.valueDim = valueDim;
    layer.core.latentKey = rank + in(a.ropeDim);
    addIndexer(in, a, h, layer);
    addGate(a, h, heads * valueDim, layer);
    addOutput(in, a, heads * valueDim, h, layer);
    setContext(in, a, layer);
}

template <class T>
void addHeads(const Inputs<T>& in, const scenario::Attention& a, const T& h, Layer<T>& layer)
{
    const T heads = in(a.heads);
    const T keyHeads = a.keyValueHeads > 0 ? in(a.keyValueHeads) : heads;
    const T dim = a.headDim > 0 ? in(a.headDim) : h / heads;
    const T width = (heads + T(2.0) * keyHeads) * dim;
    if (a.queryRank > 0) {
        addQuery(in, a, h, heads * dim, layer);
        add(layer, Matrix<T>{"key-value", h, T(2.0) * keyHeads * dim, T(1.0), T(1.0), Split::Column,
                             Place::Attention, false, T(2.0) * keyHeads * dim});
    } else {
        add(layer, Matrix<T>{"query-key-value", h, width, T(1.0), T(1.0), Split::Column,
                             Place::Attention, false, T(2.0) * keyHeads * dim});
    }
    addGate(a, h, heads * dim, layer);
    if (a.queryKeyValueBias)
        layer.vectors = layer.vectors + width;
    if (a.queryKeyNorm)
        layer.vectors = layer.vectors + T(2.0) * dim;
    if (a.sinks)
        layer.vectors = layer.vectors + heads;
    layer.core.heads = heads;
    layer.core.keyHeads = keyHeads;
    layer.core.queryDim = dim;
    layer.core.valueDim = dim;
    addIndexer(in, a, h, layer);
    addOutput(in, a, heads * dim, h, layer);
    setContext(in, a, layer);
}

/// Linear recurrences: projections to queries, keys, values and gates, and a state per head.
template <class T>
void addLinear(const Inputs<T>& in, const scenario::Attention& a, const T& h, Layer<T>& layer)
{
    const T heads = in(a.heads);
    const T valueHeads = a.valueHeads > 0 ? in(a.valueHeads) : heads;
    const T dim = a.headDim > 0 ? in(a.headDim) : h / heads;
    const T valueDim = a.valueDim > 0 ? in(a.valueDim) : dim;
    const T keyWidth = heads * dim;
    const T valueWidth = valueHeads * valueDim;
    T inner = T(2.0) * keyWidth + T(2.0) * valueWidth;
    if (a.kind == AttentionKind::GatedDelta || a.kind == AttentionKind::KimiDelta)
        inner = inner + T(2.0) * valueHeads;
    if (a.kind == AttentionKind::Mamba2) // z and x of the value width, B and C of the state, dt
        inner = T(2.0) * valueWidth + T(2.0) * (a.stateDim > 0 ? in(a.stateDim) : dim) + valueHeads;
    add(layer, Matrix<T>{"linear-in", h, inner, T(1.0), T(1.0), Split::Column, Place::Attention});
    add(layer, Matrix<T>{"output", valueWidth, h, T(1.0), T(1.0), Split::Row, Place::Attention});
    if (a.convolution > 0)
        layer.vectors = layer.vectors + in(a.convolution) * (T(2.0) * keyWidth + valueWidth);
    layer.vectors =
        layer.vectors +
        (a.kind == AttentionKind::Lightning ? valueWidth : valueDim + T(2.0) * valueHeads);
    layer.core.linear = true;
    layer.core.heads = valueHeads;
    layer.core.keyHeads = heads;
    layer.core.queryDim = dim;
    layer.core.valueDim = valueDim;
    // Write and read of a dim x valueDim state for each token and head.
    layer.core.state = T(2.0) * (a.stateDim > 0 ? in(a.stateDim) : dim) * valueDim;
}

template <class T>
void addFfn(const Inputs<T>& in, const scenario::Ffn& f, const T& h, Layer<T>& layer)
{
    layer.gated = f.gated;
    const T inputs = f.gated ? T(2.0) : T(1.0);
    if (f.kind == FfnKind::None)
        return;
    const T width = in(f.hidden);
    if (f.kind == FfnKind::Dense) {
        add(layer,
            Matrix<T>{"ffn-in", h, inputs * width, T(1.0), T(1.0), Split::Column, Place::Dense});
        add(layer, Matrix<T>{"ffn-out", width, h, T(1.0), T(1.0), Split::Row, Place::Dense});
        if (f.bias)
            layer.vectors = layer.vectors + inputs * width + h;
        layer.denseWidth = width;
        return;
    }
    layer.moe = true;
    layer.experts = in(f.experts);
    layer.topK = in(f.topK);
    layer.expertWidth = width;
    layer.expertInput = f.latentDim > 0 ? in(f.latentDim) : h;
    add(layer,
        Matrix<T>{"router", h, layer.experts, T(1.0), T(1.0), Split::Replicated, Place::Router});
    if (f.routerBias)
        layer.vectors = layer.vectors + layer.experts;
    add(layer, Matrix<T>{"expert-in", layer.expertInput, inputs * width, layer.experts, layer.topK,
                         Split::Expert, Place::Experts, true});
    add(layer, Matrix<T>{"expert-out", width, layer.expertInput, layer.experts, layer.topK,
                         Split::Expert, Place::Experts});
    if (f.bias)
        layer.vectors = layer.vectors + layer.experts * (inputs * width + layer.expertInput);
    if (f.latentDim > 0) {
        add(layer, Matrix<T>{"latent-down", h, layer.expertInput, T(1.0), T(1.0), Split::Replicated,
                             Place::Latent});
        add(layer, Matrix<T>{"latent-up", layer.expertInput, h, T(1.0), T(1.0), Split::Replicated,
                             Place::Latent});
    }
    if (f.sharedExperts > 0) {
        const T shared = in(f.sharedExperts) * (f.sharedHidden > 0 ? in(f.sharedHidden) : width);
        add(layer, Matrix<T>{"shared-in", h, inputs * shared, T(1.0), T(1.0), Split::Column,
                             Place::Dense});
        add(layer, Matrix<T>{"shared-out", shared, h, T(1.0), T(1.0), Split::Row, Place::Dense});
        layer.denseWidth = shared;
        if (f.sharedGate)
            layer.vectors = layer.vectors + h;
    }
}

} // namespace

template <class T>
Layer<T> layerOf(const Inputs<T>& in, const scenario::LayerGroup& group)
{
    const scenario::Model& model = in.plan().model;
    Layer<T> layer;
    const T h = in(model.hidden);
    layer.norms = in(model.normsPerLayer);
    layer.vectors =
        layer.norms * h * (model.norm == scenario::NormKind::LayerNorm ? T(2.0) : T(1.0));
    switch (group.attention.kind) {
    case AttentionKind::Mla:
        addMla(in, group.attention, h, layer);
        break;
    case AttentionKind::Full:
    case AttentionKind::SlidingWindow:
    case AttentionKind::Chunked:
        addHeads(in, group.attention, h, layer);
        break;
    case AttentionKind::GatedDelta:
    case AttentionKind::KimiDelta:
    case AttentionKind::Mamba2:
    case AttentionKind::Lightning:
        addLinear(in, group.attention, h, layer);
        break;
    }
    addFfn(in, group.ffn, h, layer);
    return layer;
}

template Layer<double> layerOf(const Inputs<double>&, const scenario::LayerGroup&);
template Layer<Traced> layerOf(const Inputs<Traced>&, const scenario::LayerGroup&);

} // namespace cw::transformer
