// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/scenario/software.h"

namespace cw::scenario {

using units::Unit;

namespace {
constexpr std::string_view kFit = "fit of published training steps";
/// A share that something is divided by.
constexpr Spec kRate{.unit = Unit::Share,
                     .min = 0.001,
                     .max = 1,
                     .status = Status::Measured,
                     .source = kFit,
                     .expert = true};
constexpr Spec kFactor{.min = 0,
                       .max = 100,
                       .from = 0,
                       .to = 10,
                       .status = Status::Measured,
                       .source = kFit,
                       .expert = true};
constexpr Spec kShare{.unit = Unit::Share,
                      .min = 0,
                      .max = 1,
                      .status = Status::Measured,
                      .source = kFit,
                      .expert = true};
constexpr Spec kTime{.unit = Unit::Seconds,
                     .min = 0,
                     .max = 1,
                     .scale = Scale::Log,
                     .from = 1e-6,
                     .to = 1e-2,
                     .status = Status::Measured,
                     .source = kFit,
                     .expert = true};
constexpr Spec kExpert{.expert = true};
} // namespace

SoftwareConstants::SoftwareConstants()
    : attentionBackward(3.22), groupedGemm(0.638), groupedGemmRows(76.3), groupedGemmDepth(542.0),
      bandwidthBackward(3.63), quantizationBytes(3.09), quantizationFp4(1.52),
      permutationBytes(12.8), dispatchFused(0.297), moeFullGraphs(0.617), moeTokenDrop(1.18),
      unfusedSoftmaxPasses(4.09), optimizerBandwidth(0.52), optimizerBytes(30.6),
      tensorExposed(1.0), tensorExposedOverlap(0.561), dataWindow(0.892), dataExposed(0.608),
      shardedWindow(0.95), shardedExposed(0.517), expertExposed(1.0), expertExposedOverlap(0.819),
      expertExposedPaired(0.10), sendExposed(0.476), collectiveLatencyInside(5.6e-05),
      collectiveLatencyAcross(3.8e-05), hostLayer(0.0005), hostTensorFactor(1.3),
      hostMoeLayer(0.000234), hostExpert(7.5e-05), hostGraphs(0.3), hostPartialGraphs(0.65),
      stepHost(0.00602), jitterPerDoubling(0.00582)
{
}

void describe(FieldVisitor& v, SoftwareConstants& c)
{
    v.number("attention_backward", c.attentionBackward, kFactor);
    v.number("grouped_gemm", c.groupedGemm, kRate);
    v.number("grouped_gemm_rows", c.groupedGemmRows,
             {.min = 0,
              .max = 1e5,
              .from = 0,
              .to = 1024,
              .status = Status::Measured,
              .source = kFit,
              .expert = true});
    v.number("grouped_gemm_depth", c.groupedGemmDepth,
             {.min = 0,
              .max = 1e6,
              .from = 0,
              .to = 4096,
              .status = Status::Measured,
              .source = kFit,
              .expert = true});
    v.number("bandwidth_backward", c.bandwidthBackward, kFactor);
    v.number("quantization_bytes", c.quantizationBytes, kFactor);
    v.number("quantization_fp4", c.quantizationFp4, kFactor);
    v.number("permutation_bytes", c.permutationBytes, kFactor);
    v.number("dispatch_fused", c.dispatchFused, kShare);
    v.number("moe_full_graphs", c.moeFullGraphs, kFactor);
    v.number("moe_token_drop", c.moeTokenDrop, kFactor);
    v.number("unfused_softmax_passes", c.unfusedSoftmaxPasses, kFactor);
    v.number("optimizer_bandwidth", c.optimizerBandwidth, kRate);
    v.number("optimizer_bytes", c.optimizerBytes, kFactor);
    v.number("tensor_exposed", c.tensorExposed, kShare);
    v.number("tensor_exposed_overlap", c.tensorExposedOverlap, kShare);
    v.number("data_window", c.dataWindow, kShare);
    v.number("data_exposed", c.dataExposed, kShare);
    v.number("sharded_window", c.shardedWindow, kShare);
    v.number("sharded_exposed", c.shardedExposed, kShare);
    v.number("expert_exposed", c.expertExposed, kShare);
    v.number("expert_exposed_overlap", c.expertExposedOverlap, kShare);
    v.number("expert_exposed_paired", c.expertExposedPaired, kShare);
    v.number("send_exposed", c.sendExposed, kShare);
    v.number("collective_latency_inside", c.collectiveLatencyInside, kTime);
    v.number("collective_latency_across", c.collectiveLatencyAcross, kTime);
    v.number("host_layer", c.hostLayer, kTime);
    v.number("host_tensor_factor", c.hostTensorFactor, kFactor);
    v.number("host_moe_layer", c.hostMoeLayer, kTime);
    v.number("host_expert", c.hostExpert, kTime);
    v.number("host_graphs", c.hostGraphs, kShare);
    v.number("host_partial_graphs", c.hostPartialGraphs, kShare);
    v.number("step_host", c.stepHost, kTime);
    v.number("jitter_per_doubling", c.jitterPerDoubling, kShare);
}

void describe(FieldVisitor& v, Software& s)
{
    v.preset("software", s.preset);
    v.text("stack", s.stack, {});
    v.text("release", s.release, {});
    v.number("maturity", s.maturity,
             {.min = 0.1,
              .max = 100,
              .from = 0.8,
              .to = 2,
              .status = Status::Assumed,
              .source = "1.05 +- 0.10 for a stack without measurements"});
    v.number("moe_maturity", s.moeMaturity,
             {.min = 0.1,
              .max = 100,
              .from = 0.5,
              .to = 2,
              .status = Status::Measured,
              .source = kFit,
              .expert = true});
    v.number("assumed_mfu", s.assumedMfu,
             {.unit = Unit::Share, .min = 1e-4, .max = 1, .status = Status::Assumed});
    v.choice("attention", s.attention);
    v.choice("graphs", s.graphs);
    v.choice("dispatcher", s.dispatcher);
    v.choices("overlap", s.overlap);
    v.integer("communication_cores", s.communicationCores,
              {.min = 0,
               .max = 1e5,
               .from = 0,
               .to = 64,
               .status = Status::Published,
               .source = "DeepSeek-V3 report, sec. 3.2.2",
               .expert = true});
    v.flag("fused_loss", s.fusedLoss, {});
    v.choice("logits", s.logits);
    v.number("fixed_bytes", s.fixedBytes,
             {.unit = Unit::Bytes,
              .min = 0,
              .max = 1e12,
              .from = 0,
              .to = 1.6e10,
              .status = Status::Assumed,
              .source = "context, kernels and communication libraries"});
    v.number(
        "fragmentation", s.fragmentation,
        {.unit = Unit::Share, .min = 0, .max = 1, .from = 0, .to = 0.4, .status = Status::Assumed});
    v.number("unsupported_flop_share", s.unsupportedFlopShare,
             {.unit = Unit::Share, .min = 0, .max = 1, .status = Status::Assumed, .expert = true});
    v.number("fallback_slowdown", s.fallbackSlowdown,
             {.min = 1,
              .max = 1e4,
              .scale = Scale::Log,
              .from = 1,
              .to = 100,
              .status = Status::Assumed,
              .expert = true});
    v.flag("fused_kernels", s.fusedKernels, kExpert);
    v.part("constants", s.constants);
}

} // namespace cw::scenario
