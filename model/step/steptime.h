// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "model/memory/ledger.h"
#include "model/network/placement.h"
#include "model/network/traffic.h"
#include "model/schedule/timeline.h"
#include "model/step/loading.h"
#include "model/step/passes.h"
#include "model/transformer/counts.h"

namespace cw::step {

/// One stage's times for one micro batch, all its chunks.
template <class T>
struct StageTime
{
    PassCost<T> forward;
    PassCost<T> backward;
    units::Seconds<T> send; ///< exposed sends of one micro batch, both ways
};

/// What lives off the device costs in one step, for one chip: over the host link (or the super
/// node's links, to its pool of memory), on the node's disks, and on its processors.
template <class T>
struct Offloading
{
    units::Bytes<T> down; ///< from the chip
    units::Bytes<T> up;   ///< to the chip
    units::Bytes<T> diskRead;
    units::Bytes<T> diskWritten;
    units::Seconds<T> busy;          ///< the link, or the disks where they are slower
    units::Seconds<T> window;        ///< in which it can hide, less what the NIC takes of the link
    units::Seconds<T> hostOptimizer; ///< of the host's processors, for the chip's share
    units::Seconds<T> stall;
    units::BytesPerSecond<T> available; ///< each way
    units::BytesPerSecond<T> needed;    ///< each way, for no stall with perfect prefetching
};

/// One optimizer step of the slowest stage. The exposed parts sum to `time`.
template <class T>
struct StepTime
{
    units::Seconds<T> time;
    units::Seconds<T> compute; ///< without recomputation
    units::Seconds<T> recompute;
    units::Seconds<T> bubble; ///< waiting, uneven stages included
    units::Seconds<T> tensorComm;
    units::Seconds<T> contextComm;
    units::Seconds<T> expertComm;
    units::Seconds<T> pipelineComm;
    units::Seconds<T> dataComm;
    units::Seconds<T> offload;
    units::Seconds<T> optimizer;
    units::Seconds<T> dataLoading;
    units::Seconds<T> host;
    units::Seconds<T> jitter;
    units::Seconds<T> ideal;        ///< model FLOPs at the peak of the compute format
    units::Seconds<T> speedOfLight; ///< each product at the peak of its own format, all overlapped

    // Of compute.
    units::Seconds<T> matrix;
    units::Seconds<T> attention;
    units::Seconds<T> stream;
    units::Seconds<T> quantization;

    // Whole communication by kind, hidden parts included.
    units::Seconds<T> tensorCost;
    units::Seconds<T> contextCost;
    units::Seconds<T> expertCost;
    units::Seconds<T> pipelineCost;
    units::Seconds<T> dataCost;

    /// What a chip of the slowest stage sends in a step, by kind; storage is not among it.
    network::ByKind<network::Volume<T>> volumes{};
    network::CrossShares shares; ///< of the flows between domains
    units::Seconds<T> pipeline;  ///< first pass to last
    Offloading<T> offloading;
    Loading<T> loading;
    network::ByKind<T> slowdown{}; ///< by the fabric: 1 where it lets through what chips send
    std::vector<StageTime<T>> stages;
    std::size_t slowest = 0;
    bool executed = false;   ///< the pipeline was executed pass by pass, not by its closed form
    bool simplified = false; ///< it had too many passes for that
};

/// Costs per device and chunk, for the timeline of the same step.
struct TimelineInput
{
    std::vector<schedule::StageCost> costs;
    double send = 0;
};

/// How an uneven pipeline is timed.
enum class PipelineTiming : std::uint8_t
{
    Executed,   ///< pass by pass, where it has at most 100,000 passes
    ClosedForm, ///< the slowest stage's work and the bubble of mean passes: for searches
};

template <class T>
StepTime<T> stepTime(const scenario::Inputs<T>& in, const scenario::Layout<T>& layout,
                     const std::vector<transformer::Layer<T>>& layers,
                     const memory::MemoryLedger<T>& ledger, const network::Placement<T>& placement,
                     const network::Topology<T>& topology, const transformer::FlopCounts<T>& flops,
                     PipelineTiming timing = PipelineTiming::Executed,
                     TimelineInput* timeline = nullptr);

/// Utilization by the conventions of the field. [Chowdhery et al. 2022, app. B]
template <class T>
struct Throughput
{
    units::TokensPerSecond<T> tokens;
    units::TokensPerSecond<T> tokensPerChip;
    units::FlopPerSecond<T> modelPerChip;
    T mfu{}; ///< model FLOPs, causal, over the dense peak of the compute format
    T hfu{}; ///< with what is computed again
    units::Flop<T> hardwarePerStep;
};

template <class T>
Throughput<T> throughputOf(const scenario::Inputs<T>& in, const scenario::Layout<T>& layout,
                           const StepTime<T>& step, const transformer::FlopCounts<T>& flops);

} // namespace cw::step
