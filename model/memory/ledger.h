// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "model/scenario/layout.h"
#include "model/transformer/counts.h"
#include "model/transformer/stages.h"
#include "model/units/quantity.h"

// What each device holds, stage by stage. Three totals are told apart: resident (weights,
// gradients, optimizer, fixed), peak (the most that is allocated at once) and reserved (with what
// the allocator keeps beside it). A framework's "max allocated" is the peak without the fixed part.

namespace cw::memory {

enum class Verdict : std::uint8_t
{
    Fits,
    Borderline,
    DoesNotFit,
};

/// One pipeline stage: a device of it, the fullest where experts are uneven. Bytes.
template <class T>
struct StageMemory
{
    units::Bytes<T> weights;
    units::Bytes<T> weightsExperts; ///< of it
    units::Bytes<T> gradients;
    units::Bytes<T> optimizer; ///< master weights and moments, as sharded
    units::Bytes<T> activations;
    units::Bytes<T> activationsAttention; ///< of them
    units::Bytes<T> activationsDense;
    units::Bytes<T> activationsExperts;
    units::Bytes<T> activationsNorms;
    units::Bytes<T> temporary;
    units::Bytes<T> temporaryLogits; ///< of it
    units::Bytes<T> temporaryRecompute;
    units::Bytes<T> buffers;
    units::Bytes<T> fixed;
    units::Bytes<T> fragmentation;
    units::Bytes<T> resident;
    units::Bytes<T> peak;
    units::Bytes<T> reserved;
    units::Bytes<T> away; ///< of this device's state and activations, what lives off it
    units::Bytes<T> activationsPerMicroBatch; ///< of all the stage's layers, one micro batch
    T parameters{};        ///< on this rank before sharding, without routed experts
    T parametersExperts{}; ///< routed experts on this rank
    T inFlight{}; ///< micro batches whose activations are held, in sets of the stage's layers
    std::int64_t layers = 0;
};

template <class T>
struct MemoryLedger
{
    Verdict verdict = Verdict::Fits;
    units::Bytes<T> capacity; ///< of the device
    units::Bytes<T> usable;   ///< what a framework sees of it
    units::Bytes<T> resident; ///< of the fullest stage, as peak and reserved
    units::Bytes<T> peak;
    units::Bytes<T> reserved;
    units::Bytes<T> host; ///< of one node, where state or activations are offloaded
    units::Bytes<T> nvme;
    std::size_t peakStage = 0;
    std::vector<StageMemory<T>> stages;
    T bytesPerParameter{};           ///< state of one parameter before sharding
    T checkpointBytesPerParameter{}; ///< of it, what a checkpoint holds: weights and optimizer
};

/// Activations that one layer keeps for one micro batch on one rank, by what holds them.
/// [Korthikanti et al. 2022 (2205.05198) eqs. 1-4; MoE: T (h + 3 f) as in Megatron-LM]
template <class T>
struct LayerActivations
{
    units::Bytes<T> attention;
    units::Bytes<T> dense;
    units::Bytes<T> experts;
    units::Bytes<T> norms;
    units::Bytes<T> total() const { return attention + dense + experts + norms; }
};

/// What is kept with the plan's recomputation; `everything` as if nothing were recomputed;
/// `inputOnly` under full recomputation.
template <class T>
LayerActivations<T> activationsOf(const scenario::Inputs<T>& in, const scenario::Layout<T>& layout,
                                  const transformer::Layer<T>& layer, bool everything);
template <class T>
units::Bytes<T> layerInput(const scenario::Inputs<T>& in, const scenario::Layout<T>& layout);

/// The ledger. `layers` of the plan's groups; the plan's degrees need not be legal.
template <class T>
MemoryLedger<T> ledgerOf(const scenario::Inputs<T>& in, const scenario::Layout<T>& layout,
                         const std::vector<transformer::Layer<T>>& layers);

/// Bytes of one element, with block scales: MXFP8 1/32 more, NVFP4 1/16 byte, MXFP4 1/32 byte.
double bytesOf(scenario::Format format);

} // namespace cw::memory
