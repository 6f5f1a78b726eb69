// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/scenario/training.h"

namespace cw::scenario {

using units::Unit;

void describe(FieldVisitor& v, Phase& p)
{
    v.text("name", p.name, {});
    v.number("training_tokens", p.trainingTokens,
             {.unit = Unit::Tokens,
              .min = 0,
              .max = 1e18,
              .scale = Scale::Log,
              .from = 1e9,
              .to = 1e15});
    v.integer("ramp_from_sequences", p.rampFromSequences,
              {.min = 1, .max = 1e12, .scale = Scale::Log, .from = 1, .to = 1048576});
    v.number("ramp_tokens", p.rampTokens,
             {.unit = Unit::Tokens,
              .min = 0,
              .max = 1e18,
              .scale = Scale::Log,
              .from = 1e9,
              .to = 1e14});
    v.text("set", p.set, {.expert = true});
}

void describe(FieldVisitor& v, LossCoefficients& c)
{
    constexpr Spec kFactor{
        .min = 1e-3, .max = 1e6, .scale = Scale::Log, .from = 1, .to = 1e5, .expert = true};
    constexpr Spec kExponent{.min = 0.1, .max = 2, .from = 0.1, .to = 1, .expert = true};
    v.number("irreducible", c.irreducible,
             {.min = 0, .max = 20, .from = 0, .to = 3, .expert = true});
    v.number("a", c.a, kFactor);
    v.number("b", c.b, kFactor);
    v.number("alpha", c.alpha, kExponent);
    v.number("beta", c.beta, kExponent);
}

void describe(FieldVisitor& v, ExpertCoefficients& c)
{
    constexpr Spec kPower{.min = -2, .max = 2, .from = -0.5, .to = 0.5, .expert = true};
    constexpr Spec kCount{
        .min = 1, .max = 1e6, .scale = Scale::Log, .from = 1, .to = 1e4, .expert = true};
    v.number("model_factor", c.modelFactor, kPower);
    v.number("model_exponent", c.modelExponent, kPower);
    v.number("data_factor", c.dataFactor, kPower);
    v.number("data_exponent", c.dataExponent, kPower);
    v.number("start", c.start, kCount);
    v.number("most", c.most, kCount);
}

void describe(FieldVisitor& v, SurfaceCoefficients& c)
{
    constexpr Spec kFactor{.min = -1e4, .max = 1e4, .from = -10, .to = 300, .expert = true};
    constexpr Spec kPower{.min = -1, .max = 1, .from = -0.5, .to = 0.5, .expert = true};
    constexpr Spec kShift{.min = -20, .max = 20, .from = -10, .to = 10, .expert = true};
    v.number("floor_factor", c.floorFactor, kFactor);
    v.number("floor_power", c.floorPower, kPower);
    v.number("floor_shift", c.floorShift, kShift);
    v.number("data_factor", c.dataFactor, kFactor);
    v.number("data_power", c.dataPower, kPower);
    v.number("data_shift", c.dataShift, kShift);
    v.number("exponent_factor", c.exponentFactor, kFactor);
    v.number("exponent_power", c.exponentPower, kPower);
    v.number("exponent_shift", c.exponentShift, kShift);
}

void describe(FieldVisitor& v, Workload& w)
{
    v.integer("sequence_length", w.sequenceLength,
              {.unit = Unit::Tokens,
               .min = 1,
               .max = 1e9,
               .scale = Scale::Log,
               .from = 512,
               .to = 1048576});
    v.integer("global_batch_sequences", w.globalBatchSequences,
              {.min = 1, .max = 1e12, .scale = Scale::Log, .from = 1, .to = 1048576});
    v.number("training_tokens", w.trainingTokens,
             {.unit = Unit::Tokens,
              .min = 1,
              .max = 1e18,
              .scale = Scale::Log,
              .from = 1e10,
              .to = 1e15});
    v.integer("jobs", w.jobs, {.min = 1, .max = 1e6, .scale = Scale::Log, .from = 1, .to = 128});
    v.number("expert_imbalance", w.expertImbalance,
             {.min = 1,
              .max = 1000,
              .from = 1,
              .to = 3,
              .status = Status::Assumed,
              .source = "balanced routing, as published benchmarks force it"});
    v.flag("token_drop", w.tokenDrop, {.expert = true});
    v.number(
        "data_efficiency", w.dataEfficiency,
        {.min = 0.01, .max = 100, .from = 0.5, .to = 4, .status = Status::Assumed, .expert = true});
    v.number("critical_batch_tokens", w.criticalBatchTokens,
             {.unit = Unit::Tokens,
              .min = 1,
              .max = 1e15,
              .scale = Scale::Log,
              .from = 1e5,
              .to = 1e10,
              .expert = true});
    v.choice("critical_batch_law", w.criticalBatchLaw, {.expert = true});
    v.choice("loss_law", w.lossLaw, {.expert = true});
    v.part("loss_coefficients", w.lossCoefficients);
    v.part("expert_coefficients", w.expertCoefficients);
    v.part("surface_coefficients", w.surfaceCoefficients);
    v.choice("expert_rule", w.expertRule, {.expert = true});
    v.number("expert_exponent", w.expertExponent,
             {.min = 0,
              .max = 1,
              .from = 0,
              .to = 1,
              .status = Status::Assumed,
              .source = "geometric mean of active and total; 0.65 makes 0.85 of 17.5 billion equal "
                        "to 6.1 billion dense (arXiv 2507.17702)",
              .expert = true});
    v.parts("phases", w.phases);
}

void describe(FieldVisitor& v, Precision& p)
{
    v.choice("compute", p.compute);
    v.choice("attention", p.attention);
    v.choice("head", p.head);
    v.choice("weights", p.weights);
    v.choice("compute_copy", p.computeCopy);
    v.choice("gradients", p.gradients);
    v.choice("gradient_accumulation", p.gradientAccumulation);
    v.choice("gradient_reduce", p.gradientReduce);
    v.choice("parameter_gather", p.parameterGather);
    v.choice("master_weights", p.masterWeights);
    v.choice("optimizer", p.optimizer);
    v.choice("optimizer_moments", p.optimizerMoments);
    v.choice("activations", p.activations);
    v.choice("dispatch", p.dispatch);
    v.choice("combine", p.combine);
}

void describe(FieldVisitor& v, Offload& o)
{
    constexpr Spec kShare{.unit = Unit::Share, .min = 0, .max = 1};
    v.number("optimizer", o.optimizer, kShare);
    v.number("activations", o.activations, kShare);
    v.number("experts", o.experts, kShare);
    v.choice("target", o.target);
    v.number("prefetch", o.prefetch,
             {.unit = Unit::Share, .min = 0, .max = 1, .status = Status::Assumed});
}

void describe(FieldVisitor& v, Parallelism& p)
{
    constexpr Spec kDegree{.min = 1, .max = 1e7, .scale = Scale::Degree, .from = 1, .to = 1024};
    // As many as a model may have layers.
    constexpr Spec kStages{.min = 1, .max = 10000, .scale = Scale::Degree, .from = 1, .to = 1024};
    v.integer("tensor", p.tensor, kDegree);
    v.flag("sequence_parallel", p.sequenceParallel, {});
    v.integer("context", p.context, kDegree);
    v.choice("context_kind", p.contextKind, {.expert = true});
    v.integer("pipeline", p.pipeline, kStages);
    v.integer("virtual_stages", p.virtualStages, kStages);
    v.integer("expert", p.expert, kDegree);
    v.integer("expert_tensor", p.expertTensor, kDegree);
    v.integer("data", p.data, kDegree);
    v.integer(
        "sharding_group", p.shardingGroup,
        {.min = 1, .max = 1e7, .scale = Scale::Degree, .from = 1, .to = 1024, .expert = true});
    v.integer("zero_stage", p.zeroStage, {.min = 0, .max = 3});
    v.integer("micro_batch_sequences", p.microBatchSequences,
              {.min = 1, .max = 1e6, .scale = Scale::Degree, .from = 1, .to = 64});
    v.choice("schedule", p.schedule);
    v.integers("stage_layers", p.stageLayers, {.min = 0, .max = 10000, .expert = true});
    v.choices("recompute", p.recompute);
    v.integer("recompute_layers", p.recomputeLayers,
              {.min = 0, .max = 10000, .from = 0, .to = 64, .expert = true});
    v.part("offload", p.offload);
    v.choices("order", p.order, {.expert = true});
}

} // namespace cw::scenario
