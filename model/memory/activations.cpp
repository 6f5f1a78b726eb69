// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/memory/ledger.h"
#include "model/scenario/lists.h"
#include "model/scenario/routing.h"

namespace cw::memory {

using explain::Traced;
using scenario::Inputs;
using scenario::Layout;
using scenario::Recompute;
using transformer::Layer;
using units::Bytes;

namespace {

bool recomputes(const scenario::Scenario& s, Recompute what)
{
    return scenario::has(s.parallelism.recompute, what);
}

/// What the formulas below share. `n` tokens of a micro batch on the rank; `whole` the part of an
/// uncut tensor that the rank holds: 1, or 1/t with sequence parallelism.
template <class T>
struct Terms
{
    T n;
    T t;
    T whole;
    T h;
    T stored;     ///< bytes of a stored product input
    T plain{2.0}; ///< bytes of what stays in 16 bit
    bool dropout = false;
    bool everything = false;
    const scenario::Scenario& plan;

    bool drops(Recompute what) const { return !everything && recomputes(plan, what); }
};

template <class T>
Terms<T> termsOf(const Inputs<T>& in, const Layout<T>& layout, bool everything)
{
    const scenario::Scenario& plan = in.plan();
    return Terms<T>{layout.microTokens,
                    layout.tensor,
                    plan.parallelism.sequenceParallel ? T(1.0) / layout.tensor : T(1.0),
                    in(plan.model.hidden),
                    T(bytesOf(plan.precision.activations)),
                    T(2.0),
                    plan.model.dropout,
                    everything,
                    plan};
}

template <class T>
T scoresBytes(const Inputs<T>& in, const Layout<T>& layout, const Layer<T>& layer,
              const Terms<T>& k)
{
    const T heads = layer.core.heads / k.t;
    if (in.plan().software.attention != scenario::AttentionKernel::Unfused || layer.core.linear)
        return T(4.0) * k.n * heads; // log-sum-exp of each row, fp32
    if (k.drops(Recompute::Selective) || k.drops(Recompute::AttentionCore))
        return T(0.0);
    // Softmax output, and with dropout its mask and its output.
    const T perScore = T(k.dropout ? 5.0 : 2.0);
    const T keys =
        layer.core.square < layout.localSequence ? layer.core.square : layout.localSequence;
    return perScore * heads * keys * k.n;
}

template <class T>
T attentionBytes(const Inputs<T>& in, const Layout<T>& layout, const Layer<T>& layer,
                 const Terms<T>& k)
{
    const auto& core = layer.core;
    T bytes = k.drops(Recompute::Norm) ? T(0.0) : k.stored * k.n * k.h * k.whole; // input
    if (core.latentKey > T(0.0)) // latents before and after their norm
        bytes = bytes + k.plain * k.n * T(2.0) * (core.latentQuery + core.latentKey) * k.whole;
    const T keyHeads = core.keyHeads < k.t ? T(1.0) : core.keyHeads / k.t;
    T projected = k.plain * k.n *
                  (core.heads / k.t * core.queryDim + keyHeads * (core.queryDim + core.valueDim));
    if (core.latentKey > T(0.0) && k.drops(Recompute::MlaUp))
        projected = T(0.0);
    bytes = bytes + projected;
    bytes = bytes + k.stored * k.n * core.heads / k.t * core.valueDim; // output
    bytes = bytes + scoresBytes(in, layout, layer, k);
    if (k.dropout)
        bytes = bytes + k.n * k.h * k.whole; // mask
    return bytes;
}

template <class T>
T denseBytes(const Layer<T>& layer, const Terms<T>& k)
{
    if (!(layer.denseWidth > T(0.0)))
        return T(0.0);
    // A shared expert reads the input of the MoE layer, which is kept there.
    T bytes = layer.moe || k.drops(Recompute::Norm) ? T(0.0) : k.stored * k.n * k.h * k.whole;
    if (!k.drops(Recompute::Mlp)) {
        const T width = layer.denseWidth / k.t;
        bytes = bytes + k.plain * k.n * width * (layer.gated ? T(2.0) : T(1.0));
        if (!k.drops(Recompute::Activation))
            bytes = bytes + k.stored * k.n * width;
    }
    if (k.dropout)
        bytes = bytes + k.n * k.h * k.whole;
    return bytes;
}

template <class T>
T expertBytes(const Inputs<T>& in, const Layout<T>& layout, const Layer<T>& layer,
              const Terms<T>& k)
{
    if (!layer.moe)
        return T(0.0);
    T bytes = k.drops(Recompute::Norm) ? T(0.0) : k.stored * k.n * k.h * k.whole; // input
    bytes = bytes + T(8.0) * k.n * layer.experts * k.whole; // logits and probabilities, fp32
    if (k.drops(Recompute::Moe))
        return bytes;
    // A rank receives from its peers what it sends away: expert parallelism does not divide this.
    const T routed = layer.topK * k.n * layout.expertTensor / k.t * scenario::imbalanceOf(in);
    const T width = layer.expertWidth / layout.expertTensor;
    if (!k.drops(Recompute::Dispatch))
        bytes = bytes + k.stored * routed * layer.expertInput;
    bytes = bytes + k.plain * routed * width * (layer.gated ? T(2.0) : T(1.0));
    if (!k.drops(Recompute::MoeActivation))
        bytes = bytes + k.stored * routed * width;
    return bytes;
}

} // namespace

template <class T>
Bytes<T> layerInput(const Inputs<T>& in, const Layout<T>& layout)
{
    const Terms<T> k = termsOf(in, layout, false);
    return Bytes<T>(k.plain * k.n * k.h * k.whole);
}

template <class T>
LayerActivations<T> activationsOf(const Inputs<T>& in, const Layout<T>& layout,
                                  const Layer<T>& layer, bool everything)
{
    const Terms<T> k = termsOf(in, layout, everything);
    LayerActivations<T> a;
    if (k.drops(Recompute::Full)) {
        a.norms = layerInput(in, layout);
        return a;
    }
    a.attention = Bytes<T>(attentionBytes(in, layout, layer, k));
    a.dense = Bytes<T>(denseBytes(layer, k));
    a.experts = Bytes<T>(expertBytes(in, layout, layer, k));
    // A norm that is not one kernel works in fp32 and keeps its cast input and its normalized rows.
    const T perNorm = k.plain + T(in.plan().software.fusedKernels ? 0.0 : 8.0);
    a.norms = Bytes<T>(layer.norms * perNorm * k.n * k.h * k.whole);
    return a;
}

#define CW_INSTANTIATE(T)                                                                          \
    template Bytes<T> layerInput(const Inputs<T>&, const Layout<T>&);                              \
    template LayerActivations<T> activationsOf(const Inputs<T>&, const Layout<T>&,                 \
                                               const Layer<T>&, bool);
CW_INSTANTIATE(double)
CW_INSTANTIATE(Traced)
#undef CW_INSTANTIATE

} // namespace cw::memory
