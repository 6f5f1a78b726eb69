// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/network/collectives.h"
#include "model/scenario/layout.h"
#include "model/transformer/layer.h"
#include "model/units/quantity.h"

// The time of one micro batch in one layer on one rank, forward and backward, by what takes it.
// Communication is what is left exposed of it; the whole cost stands beside.

namespace cw::step {

/// Communication that recomputation repeats in backward; its exposed time is in
/// PassCost::recompute.
template <class T>
struct Repeated
{
    network::Moved<T> tensorMoved;
    network::Moved<T> contextMoved;
    network::Moved<T> expertMoved;
    units::Seconds<T> tensorCost;
    units::Seconds<T> contextCost;
    units::Seconds<T> expertCost;

    void add(const Repeated& other, const T& count);
};

template <class T>
struct PassCost
{
    units::Seconds<T> matrix;       ///< products, weight gradients included in backward
    units::Seconds<T> weight;       ///< of matrix: the weight gradients
    units::Seconds<T> attention;    ///< attention cores
    units::Seconds<T> stream;       ///< bandwidth-bound passes
    units::Seconds<T> quantization; ///< casts of products in 8 or 4 bit
    units::Seconds<T> recompute;    ///< everything done again in backward
    units::Seconds<T> host;         ///< waiting for the host to launch
    units::Seconds<T> tensor;       ///< exposed communication by kind
    units::Seconds<T> context;
    units::Seconds<T> expert;
    units::Seconds<T> tensorCost; ///< the whole communication by kind
    units::Seconds<T> contextCost;
    units::Seconds<T> expertCost;
    network::Moved<T> tensorMoved; ///< what one chip sends by kind
    network::Moved<T> contextMoved;
    network::Moved<T> expertMoved;
    Repeated<T> repeated; ///< on top of the costs and of what is moved

    units::Seconds<T> compute() const { return matrix + attention + stream + quantization; }
    units::Seconds<T> total() const
    {
        return compute() + recompute + host + tensor + context + expert;
    }
    /// Adds `count` times another.
    void add(const PassCost& other, const T& count);
};

template <class T>
struct LayerPasses
{
    PassCost<T> forward;
    PassCost<T> backward;
};

/// Links of each group, worked out once for a plan.
template <class T>
struct GroupLinks
{
    std::array<network::Links<T>, network::kGroupKinds> links;
    const network::Links<T>& operator[](network::GroupKind k) const
    {
        return links[static_cast<std::size_t>(k)];
    }
};

/// What the passes of a plan are computed from.
template <class T>
struct StepContext
{
    const scenario::Inputs<T>& in;
    const scenario::Layout<T>& layout;
    const network::Placement<T>& placement;
    const GroupLinks<T>& links;
    T maturity{1.0}; ///< factor on the time of everything that computes
};

/// One layer of a kind. `limit` is the node limit of its routing, 0 without.
template <class T>
LayerPasses<T> layerPasses(const StepContext<T>& context, const transformer::Layer<T>& layer,
                           std::int64_t nodeLimit);

/// The output head with its loss.
template <class T>
LayerPasses<T> headPasses(const StepContext<T>& context);

/// What a multi-token prediction module has beside its layer and head: the projection.
template <class T>
LayerPasses<T> projectionPasses(const StepContext<T>& context);

/// Bytes of one activation send between stages.
template <class T>
units::Bytes<T> sendBytes(const StepContext<T>& context);

} // namespace cw::step
