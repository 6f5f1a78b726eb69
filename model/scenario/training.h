// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/scenario/enums.h"
#include "model/scenario/fieldvisitor.h"

namespace cw::scenario {

/// A stretch of the run with settings of its own. `set` is the JSON text of an object {path:
/// value}.
struct Phase
{
    std::string name = "main";
    double trainingTokens = 0.0;
    /// The batch grows from this many sequences over the first `rampTokens`; null: no ramp.
    std::optional<std::int64_t> rampFromSequences;
    double rampTokens = 0.0;
    std::string set = "{}";
};

/// L = irreducible + a / N^alpha + b / D^beta, fitted to runs of the planner's own. The defaults
/// are the corrected Chinchilla fit.
struct LossCoefficients
{
    double irreducible = 1.8172;
    double a = 482.01;
    double b = 2085.43;
    double alpha = 0.3478;
    double beta = 0.3658;
};

/// What the number of experts does to the own law in the joint law of dense models and mixtures.
/// None of it unless given: no published values could be confirmed.
struct ExpertCoefficients
{
    double modelFactor = 0.0;   ///< delta: power of the experts in the model term
    double modelExponent = 0.0; ///< gamma: in its exponent, of their logarithm
    double dataFactor = 0.0;    ///< omega
    double dataExponent = 0.0;  ///< zeta
    double start = 1.0;         ///< what one expert counts as
    double most = 1000.0;       ///< that any number of them counts as
};

/// A surface e^(f N^p + s) + e^(d N^q + t) / D^(e^(g N^r + u)) of Farseer's form, of the planner's
/// own fit. The defaults are the corrected Chinchilla fit, within 2% above a billion parameters: no
/// published values could be confirmed.
struct SurfaceCoefficients
{
    double floorFactor = 265.25; ///< A/E
    double floorPower = -0.3478;
    double floorShift = 0.5973; ///< ln E
    double dataFactor = 0.0;
    double dataPower = -0.1;
    double dataShift = 7.6427; ///< ln B
    double exponentFactor = 0.0;
    double exponentPower = 0.1;
    double exponentShift = -1.0057; ///< ln beta
};

struct Workload
{
    std::int64_t sequenceLength = 4096;
    std::int64_t globalBatchSequences = 1024;
    double trainingTokens = 1e12;
    std::int64_t jobs = 1;
    double expertImbalance = 1.0; ///< tokens of the fullest rank over the mean
    bool tokenDrop = false;
    double dataEfficiency = 1.0;
    std::optional<double> criticalBatchTokens;
    CriticalBatchLaw criticalBatchLaw = CriticalBatchLaw::PowerLines;
    LossLaw lossLaw = LossLaw::ChinchillaCorrected;
    LossCoefficients lossCoefficients; ///< of the custom and the joint law
    ExpertCoefficients expertCoefficients;
    SurfaceCoefficients surfaceCoefficients;
    ExpertRule expertRule = ExpertRule::Weight;
    double expertExponent = 0.5; ///< w of the parameters that count: active^(1-w) total^w
    std::vector<Phase> phases;
};

/// Storage and transport formats of every class of tensor.
struct Precision
{
    Format compute = Format::Bf16;
    Format attention = Format::Bf16;
    Format head = Format::Bf16;
    Format weights = Format::Bf16;
    std::optional<Format> computeCopy; ///< a second copy of the weights in the compute format
    Format gradients = Format::Fp32;
    std::optional<Format> gradientAccumulation; ///< a second gradient buffer in this format
    Format gradientReduce = Format::Fp32;
    Format parameterGather = Format::Bf16;
    std::optional<Format> masterWeights = Format::Fp32;
    Optimizer optimizer = Optimizer::Adam;
    Format optimizerMoments = Format::Fp32;
    Format activations = Format::Bf16;
    Format dispatch = Format::Bf16;
    Format combine = Format::Bf16;
};

struct Offload
{
    double optimizer = 0.0; ///< share of each kind that lives off the device
    double activations = 0.0;
    double experts = 0.0;
    OffloadTarget target = OffloadTarget::Host;
    double prefetch = 0.9; ///< share of the window that the transfers can use
};

struct Parallelism
{
    std::int64_t tensor = 1;
    bool sequenceParallel = true;
    std::int64_t context = 1;
    ContextKind contextKind = ContextKind::Ring;
    std::int64_t pipeline = 1;
    std::int64_t virtualStages = 1;
    std::int64_t expert = 1;
    std::int64_t expertTensor = 1;
    std::optional<std::int64_t> data;
    std::optional<std::int64_t> shardingGroup;
    std::int64_t zeroStage = 1;
    std::int64_t microBatchSequences = 1;
    Schedule schedule = Schedule::OneFOneB;
    std::vector<std::int64_t> stageLayers; ///< layers of each stage (chunk order); empty: balanced
    std::vector<Recompute> recompute;
    std::optional<std::int64_t> recomputeLayers;
    Offload offload;
    std::vector<Axis> order{Axis::Tensor, Axis::Context, Axis::Expert, Axis::Data, Axis::Pipeline};
};

void describe(FieldVisitor& v, Phase& p);
void describe(FieldVisitor& v, LossCoefficients& c);
void describe(FieldVisitor& v, ExpertCoefficients& c);
void describe(FieldVisitor& v, SurfaceCoefficients& c);
void describe(FieldVisitor& v, Workload& w);
void describe(FieldVisitor& v, Precision& p);
void describe(FieldVisitor& v, Offload& o);
void describe(FieldVisitor& v, Parallelism& p);

} // namespace cw::scenario
