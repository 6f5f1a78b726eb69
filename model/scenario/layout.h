// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "model/scenario/inputs.h"

namespace cw::scenario {

/// The degrees of a plan with what follows from them. N = t c D p = x e EDP p.
/// [Megatron Core, expert groups]
template <class T>
struct Layout
{
    T tensor{1.0};
    T context{1.0};
    T pipeline{1.0};
    T virtualStages{1.0};
    T expert{1.0};
    T expertTensor{1.0};
    T data{1.0};
    T expertData{1.0};    ///< may be a fraction where the degrees do not divide: a violation
    T microBatches{1.0};  ///< of one pipeline in one step
    T chips{1.0};         ///< that the layout uses
    T idle{0.0};          ///< installed, neither used nor spare
    T localSequence{1.0}; ///< tokens of a sequence on one context rank
    T microTokens{1.0};   ///< tokens of one micro batch on one context rank: b s / c
    T sharding{1.0};      ///< group over which ZeRO divides non-expert state
    T expertSharding{1.0};
    std::int64_t stages = 1;
    std::int64_t chunks = 1; ///< slices of the model that a micro batch passes on one device
    std::int64_t steps = 1;  ///< micro batches as a whole number, at least 1
};

template <class T>
Layout<T> layoutOf(const Inputs<T>& in);

/// Slices of the model that a micro batch passes on one device: v if interleaved, two in V shapes.
std::int64_t chunksOf(const Parallelism& p);

/// The data parallelism that a plan without one gets: the largest whose ranks the chips hold
/// (domainfit.h), lowered until the global batch divides. At least 1.
std::int64_t derivedData(const Scenario& s);

} // namespace cw::scenario
