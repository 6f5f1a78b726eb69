// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

// The closed sets a plan chooses from, each with its names in files (CONTRACT: stable).

namespace cw::scenario {

using Names = std::span<const std::string_view>;

/// Specialised for each enum below: `value` is the array of names in the order of the enumerators.
template <class E>
struct EnumNames;

template <class E>
constexpr std::string_view nameOf(E value)
{
    return EnumNames<E>::value[static_cast<std::size_t>(value)];
}

#define CW_ENUM_NAMES(Type, Count, ...)                                                            \
    template <>                                                                                    \
    struct EnumNames<Type>                                                                         \
    {                                                                                              \
        static constexpr std::array<std::string_view, Count> value{__VA_ARGS__};                   \
    }

enum class Format
{
    Fp64,
    Fp32,
    Tf32,
    Bf16,
    Fp16,
    Fp8,
    Mxfp8,
    Int8,
    Fp4,
    Mxfp4,
    Nvfp4
};
inline constexpr std::size_t kFormatCount = 11;
CW_ENUM_NAMES(Format, kFormatCount, "fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "mxfp8", "int8",
              "fp4", "mxfp4", "nvfp4");

enum class AttentionKind
{
    Full,
    SlidingWindow,
    Chunked,
    Mla,
    GatedDelta,
    KimiDelta,
    Mamba2,
    Lightning
};
CW_ENUM_NAMES(AttentionKind, 8, "full", "sliding-window", "chunked", "mla", "gated-delta",
              "kimi-delta", "mamba-2", "lightning");

enum class FfnKind
{
    Dense,
    Moe,
    None
};
CW_ENUM_NAMES(FfnKind, 3, "dense", "moe", "none");

enum class NormKind
{
    RmsNorm,
    LayerNorm
};
CW_ENUM_NAMES(NormKind, 2, "rms-norm", "layer-norm");

enum class Optimizer
{
    Adam,
    Muon,
    Adafactor,
    Sgd
};
CW_ENUM_NAMES(Optimizer, 4, "adam", "muon", "adafactor", "sgd");

enum class ContextKind
{
    Ring,
    AllGather,
    AllToAll
};
CW_ENUM_NAMES(ContextKind, 3, "ring", "all-gather", "all-to-all");

enum class Schedule
{
    Gpipe,
    OneFOneB,
    Interleaved,
    ZeroBubbleH1,
    ZeroBubbleH2,
    ZeroBubbleV,
    VHalf,
    VMin,
    DualPipe,
    DualPipeV
};
CW_ENUM_NAMES(Schedule, 10, "gpipe", "1f1b", "interleaved", "zero-bubble-h1", "zero-bubble-h2",
              "zero-bubble-v", "v-half", "v-min", "dualpipe", "dualpipe-v");

/// What is computed again in the backward pass. Selective is the attention core.
enum class Recompute
{
    Selective,
    Full,
    AttentionCore,
    Norm,
    Activation,
    MlaUp,
    Mlp,
    MoeActivation,
    Moe,
    Dispatch
};
CW_ENUM_NAMES(Recompute, 10, "selective", "full", "attention-core", "norm", "activation", "mla-up",
              "mlp", "moe-activation", "moe", "dispatch");

enum class OffloadTarget
{
    Host,
    Pool,
    Nvme
};
CW_ENUM_NAMES(OffloadTarget, 3, "host", "pool", "nvme");

enum class Axis
{
    Tensor,
    Context,
    Expert,
    Data,
    Pipeline
};
CW_ENUM_NAMES(Axis, 5, "tensor", "context", "expert", "data", "pipeline");

enum class ScaleUpTopology
{
    Switch,
    FullMesh,
    Torus,
    NdFullMesh
};
CW_ENUM_NAMES(ScaleUpTopology, 4, "switch", "full-mesh", "torus", "nd-full-mesh");

enum class ScaleOutTopology
{
    FatTree,
    RailOptimized,
    MultiPlane,
    Dragonfly,
    DragonflyPlus,
    Torus,
    NdFullMesh
};
CW_ENUM_NAMES(ScaleOutTopology, 7, "fat-tree", "rail-optimized", "multi-plane", "dragonfly",
              "dragonfly-plus", "torus", "nd-full-mesh");

enum class Routing
{
    Static,
    Ecmp,
    Adaptive
};
CW_ENUM_NAMES(Routing, 3, "static", "ecmp", "adaptive");

enum class NetworkTier
{
    ScaleUp,
    ScaleOut,
    Site
};
CW_ENUM_NAMES(NetworkTier, 3, "scale-up", "scale-out", "site");

enum class CollectiveOperation
{
    AllReduce,
    AllGather,
    ReduceScatter,
    AllToAll,
    SendReceive
};
CW_ENUM_NAMES(CollectiveOperation, 5, "all-reduce", "all-gather", "reduce-scatter", "all-to-all",
              "send-receive");

enum class FaultPart
{
    Link,
    Plane,
    Rail,
    Leaf
};
CW_ENUM_NAMES(FaultPart, 4, "link", "plane", "rail", "leaf");

enum class AttentionKernel
{
    Unfused,
    Flash1,
    Flash2,
    Flash3,
    Cudnn
};
CW_ENUM_NAMES(AttentionKernel, 5, "unfused", "flash-1", "flash-2", "flash-3", "cudnn");

enum class Graphs
{
    None,
    Partial,
    Full
};
CW_ENUM_NAMES(Graphs, 3, "none", "partial", "full");

/// How tokens reach their experts.
enum class Dispatcher
{
    AllToAll, ///< permuted in memory, then exchanged by the collective library
    Fused,    ///< one kernel permutes and sends (DeepEP, HybridEP)
    Gather    ///< every rank gathers all tokens of the group and keeps its own
};
CW_ENUM_NAMES(Dispatcher, 3, "all-to-all", "fused", "gather");

enum class Overlap
{
    Data,
    DataGather,
    Tensor,
    Context,
    Expert,
    Pipeline
};
CW_ENUM_NAMES(Overlap, 6, "data", "data-gather", "tensor", "context", "expert", "pipeline");

enum class Logits
{
    Split,
    Gathered
};
CW_ENUM_NAMES(Logits, 2, "split", "gathered");

enum class StorageMedia
{
    Nvme,
    Hdd
};
CW_ENUM_NAMES(StorageMedia, 2, "nvme", "hdd");

enum class PoolContent
{
    Checkpoints,
    Dataset,
    Logs
};
CW_ENUM_NAMES(PoolContent, 3, "checkpoints", "dataset", "logs");

enum class FailurePolicy
{
    Restart,
    HotSpare,
    DropReplica
};
CW_ENUM_NAMES(FailurePolicy, 3, "restart", "hot-spare", "drop-replica");

enum class CheckpointTier
{
    Peer,
    Host,
    Nvme,
    FileSystem
};
CW_ENUM_NAMES(CheckpointTier, 4, "peer", "host", "nvme", "file-system");

enum class LossLaw
{
    Chinchilla,
    ChinchillaCorrected,
    Kaplan,
    Farseer,
    JointMoe,
    Custom
};
CW_ENUM_NAMES(LossLaw, 6, "chinchilla", "chinchilla-corrected", "kaplan", "farseer", "joint-moe",
              "custom");

/// How the experts of a mixture count in a law of dense models.
enum class ExpertRule
{
    Weight,         ///< active^(1-w) total^w
    EffectiveCount, ///< the dense model of equal loss, Clark et al. 2022
    Leverage        ///< efficiency leverage, Tian et al. 2025
};
CW_ENUM_NAMES(ExpertRule, 3, "weight", "effective-count", "leverage");

enum class CriticalBatchLaw
{
    PowerLines,
    FixedOverhead
};
CW_ENUM_NAMES(CriticalBatchLaw, 2, "power-lines", "fixed-overhead");

enum class Cooling
{
    Air,
    DirectLiquid,
    RearDoor,
    Immersion
};
CW_ENUM_NAMES(Cooling, 4, "air", "direct-liquid", "rear-door", "immersion");

enum class Coolant
{
    Water,
    Pg25
};
CW_ENUM_NAMES(Coolant, 2, "water", "pg25");

enum class HeatRejection
{
    DryCooler,
    CoolingTower,
    Chiller
};
CW_ENUM_NAMES(HeatRejection, 3, "dry-cooler", "cooling-tower", "chiller");

enum class Site
{
    Temperate,
    Nordic,
    Desert,
    Tropical,
    Guiyang,
    Frankfurt,
    Ulanqab
};
CW_ENUM_NAMES(Site, 7, "temperate", "nordic", "desert", "tropical", "guiyang", "frankfurt",
              "ulanqab");

/// What of the power a cap holds down: its peak within a step, or its average over one.
enum class PowerCapKind
{
    Hard,
    Soft
};
CW_ENUM_NAMES(PowerCapKind, 2, "hard", "soft");

#undef CW_ENUM_NAMES

} // namespace cw::scenario
