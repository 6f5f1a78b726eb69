// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/scenario/enums.h"
#include "model/scenario/fieldvisitor.h"

namespace cw::scenario {

/// Constants of a software stack that a step-time model needs and no data sheet gives. Fitted to
/// published steps or assumed; a calibration replaces them.
struct SoftwareConstants
{
    SoftwareConstants(); ///< of the reference stack; the values stand in software.cpp

    double attentionBackward;    ///< time of attention backward over forward
    double groupedGemm;          ///< grouped over plain GEMM
    double groupedGemmRows;      ///< M0 of the ramp M/(M + M0) of grouped GEMMs
    double groupedGemmDepth;     ///< K0 of a further ramp K/(K + K0) of grouped GEMMs
    double bandwidthBackward;    ///< bytes of bandwidth-bound passes, backward over forward
    double quantizationBytes;    ///< bytes moved for each GEMM-input element and pass
    double quantizationFp4;      ///< further factor of it for products in 4 bit
    double permutationBytes;     ///< bytes moved for each routed element and pass
    double dispatchFused;        ///< share of it left where the exchange itself permutes
    double moeFullGraphs;        ///< time of the expert path where the whole step is one graph
    double moeTokenDrop;         ///< the same where experts have a fixed capacity
    double unfusedSoftmaxPasses; ///< passes over the scores of unfused attention
    double optimizerBandwidth;   ///< share of memory bandwidth that the optimizer reaches
    double optimizerBytes;       ///< bytes moved for each parameter of the shard
    double tensorExposed;        ///< share left exposed without overlap
    double tensorExposedOverlap; ///< share left exposed with user buffers
    double dataWindow;           ///< share of one micro batch's work that hides gradients
    double dataExposed;          ///< share of the cost beyond the window left exposed
    double shardedWindow;        ///< share of a pass that hides FSDP gathers
    double shardedExposed;       ///< share of FSDP traffic exposed
    double expertExposed;
    double expertExposedOverlap; ///< with the all-to-all overlap flag
    double expertExposedPaired;  ///< with the paired micro batch of DualPipe
    double sendExposed;          ///< share of each pipeline send that shows
    double collectiveLatencyInside;
    double collectiveLatencyAcross;
    double hostLayer;        ///< host time floor of one dense layer pass
    double hostTensorFactor; ///< of it with tensor parallelism
    double hostMoeLayer;     ///< more for a MoE layer run eagerly
    double hostExpert;       ///< more for each local expert
    double hostGraphs;       ///< of it in full graphs
    double hostPartialGraphs;
    double stepHost;          ///< once for each step: optimizer launches, gradient norm, loss
    double jitterPerDoubling; ///< of the step, for each doubling over 8 chips
};

struct Software
{
    std::string preset;
    std::string stack;
    std::string release;
    std::optional<double> maturity; ///< factor on compute time; null: of the named stack
    double moeMaturity = 1; ///< further factor on routing, permutation, experts and their traffic
    std::optional<double> assumedMfu;
    AttentionKernel attention = AttentionKernel::Cudnn;
    Graphs graphs = Graphs::None;
    Dispatcher dispatcher = Dispatcher::AllToAll;
    std::vector<Overlap> overlap{Overlap::Data, Overlap::DataGather};
    std::int64_t communicationCores = 20;
    bool fusedLoss = true;
    Logits logits = Logits::Split;
    double fixedBytes = 2147483648.0;
    double fragmentation = 0.03;
    double unsupportedFlopShare = 0;
    double fallbackSlowdown = 1;
    bool fusedKernels = true; ///< norms, rope, activation and bias fused
    SoftwareConstants constants;
};

void describe(FieldVisitor& v, SoftwareConstants& c);
void describe(FieldVisitor& v, Software& s);

} // namespace cw::scenario
