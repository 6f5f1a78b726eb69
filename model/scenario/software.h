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
    double attentionBackward = 2.95; ///< time of attention backward over forward
    double groupedGemm = 0.658;      ///< grouped over plain GEMM
    double groupedGemmRows = 156;    ///< M0 of the ramp M/(M + M0) of grouped GEMMs
    double bandwidthBackward = 3.98; ///< bytes of bandwidth-bound passes, backward over forward
    double quantizationBytes = 3.62; ///< bytes moved for each GEMM-input element and pass
    double quantizationFp4 = 1.0;    ///< further factor of it for products in 4 bit
    double permutationBytes = 8.21;  ///< bytes moved for each routed element and pass
    double dispatchFused = 1.0;      ///< share of it left where the exchange itself permutes
    double moeFullGraphs = 1.0;      ///< time of the expert path where the whole step is one graph
    double moeTokenDrop = 1.0;       ///< the same where experts have a fixed capacity
    double unfusedSoftmaxPasses = 4.17;  ///< passes over the scores of unfused attention
    double optimizerBandwidth = 0.52;    ///< share of memory bandwidth that the optimizer reaches
    double optimizerBytes = 38;          ///< bytes moved for each parameter of the shard
    double tensorExposed = 1.0;          ///< share left exposed without overlap
    double tensorExposedOverlap = 0.343; ///< share left exposed with user buffers
    double dataWindow = 0.85;            ///< share of one micro batch's work that hides gradients
    double dataExposed = 0.526;          ///< share of the cost beyond the window left exposed
    double shardedWindow = 0.95;         ///< share of a pass that hides FSDP gathers
    double shardedExposed = 0.374;       ///< share of FSDP traffic exposed
    double expertExposed = 1.0;
    double expertExposedOverlap = 0.663; ///< with the all-to-all overlap flag
    double expertExposedPaired = 0.10;   ///< with the paired micro batch of DualPipe
    double sendExposed = 0.441;          ///< share of each pipeline send that shows
    double collectiveLatencyInside = 3.76e-05;
    double collectiveLatencyAcross = 5.04e-05;
    double hostLayer = 0.50e-3;    ///< host time floor of one dense layer pass
    double hostTensorFactor = 1.3; ///< of it with tensor parallelism
    double hostMoeLayer = 0.49e-3; ///< more for a MoE layer run eagerly
    double hostExpert = 27e-6;     ///< more for each local expert
    double hostGraphs = 0.3;       ///< of it in full graphs
    double hostPartialGraphs = 0.65;
    double stepHost = 0.0; ///< once for each step: optimizer launches, gradient norm, loss
    double jitterPerDoubling = 0.005; ///< of the step, for each doubling over 8 chips
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
