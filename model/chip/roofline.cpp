// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/chip/roofline.h"

#include <array>
#include <cmath>

#include "model/transformer/counts.h"

namespace cw::chip {

using explain::named;
using explain::Traced;
using explain::valueOf;
using scenario::Format;
using scenario::Inputs;
using units::Bytes;
using units::BytesPerSecond;
using units::Flop;
using units::FlopPerSecond;
using units::Seconds;
using units::Unit;

namespace {

/// The formats to look for in turn, the wanted one first.
std::array<Format, 6> kin(Format format)
{
    switch (format) {
    case Format::Nvfp4:
        return {Format::Nvfp4, Format::Fp4, Format::Mxfp4, Format::Fp8, Format::Bf16, Format::Fp16};
    case Format::Mxfp4:
        return {Format::Mxfp4, Format::Fp4, Format::Nvfp4, Format::Fp8, Format::Bf16, Format::Fp16};
    case Format::Fp4:
        return {Format::Fp4, Format::Nvfp4, Format::Mxfp4, Format::Fp8, Format::Bf16, Format::Fp16};
    case Format::Mxfp8:
        return {Format::Mxfp8, Format::Fp8, Format::Bf16, Format::Fp16, Format::Tf32, Format::Fp32};
    case Format::Fp8:
        return {Format::Fp8, Format::Mxfp8, Format::Bf16, Format::Fp16, Format::Tf32, Format::Fp32};
    case Format::Int8:
        return {Format::Int8, Format::Fp8, Format::Bf16, Format::Fp16, Format::Tf32, Format::Fp32};
    case Format::Fp16:
        return {Format::Fp16, Format::Bf16, Format::Tf32, Format::Fp32, Format::Fp32, Format::Fp32};
    case Format::Bf16:
        return {Format::Bf16, Format::Fp16, Format::Tf32, Format::Fp32, Format::Fp32, Format::Fp32};
    case Format::Tf32:
        return {Format::Tf32, Format::Fp32, Format::Bf16, Format::Fp16, Format::Fp32, Format::Fp32};
    case Format::Fp32:
        return {Format::Fp32, Format::Fp64, Format::Fp32, Format::Fp32, Format::Fp32, Format::Fp32};
    case Format::Fp64:
        return {Format::Fp64, Format::Fp64, Format::Fp64, Format::Fp64, Format::Fp64, Format::Fp64};
    }
    return {};
}

const std::optional<double>* lookUp(const scenario::ByFormat& table, Format format)
{
    for (const Format f : kin(format)) {
        const auto& entry = table[static_cast<std::size_t>(f)];
        if (entry)
            return &entry;
    }
    return nullptr;
}

double operandBytes(Format format)
{
    switch (format) {
    case Format::Fp64:
        return 8;
    case Format::Fp32:
    case Format::Tf32:
        return 4;
    case Format::Bf16:
    case Format::Fp16:
        return 2;
    case Format::Fp8:
    case Format::Mxfp8:
    case Format::Int8:
        return 1;
    case Format::Fp4:
    case Format::Mxfp4:
    case Format::Nvfp4:
        return 0.5;
    }
    return 2;
}

/// Narrow formats finish a K step sooner, so the ramp is longer. [fit of published training steps]
template <class T>
T ramp(const Inputs<T>& in, Format format, const T& k)
{
    const double bytes = operandBytes(format);
    const T factor = bytes >= 2   ? T(1.0)
                     : bytes == 1 ? in.constant("constant.k_ramp_8bit", Unit::None, 1.6)
                                  : in.constant("constant.k_ramp_4bit", Unit::None, 2.5);
    return k / (k + factor * in(in.plan().cluster.chip.efficiency.kRamp));
}

/// Share of the cores that have a tile, and of the tiles that is not padding.
template <class T>
T quantization(const Inputs<T>& in, const T& groups, const T& m, const T& n)
{
    using std::ceil;
    const scenario::Chip& chip = in.plan().cluster.chip;
    const T tileM = in(chip.tileM);
    const T tileN = in(chip.tileN);
    const T rows = ceil(m / tileM);
    const T columns = ceil(n / tileN);
    const T filled = m * n / (rows * tileM * columns * tileN);
    const T tiles = groups * rows * columns;
    const T cores = in(chip.cores);
    return tiles < cores ? filled * tiles / cores : filled;
}

/// The peak at the clock that power leaves.
template <class T>
FlopPerSecond<T> clockedPeak(const Inputs<T>& in, Format format)
{
    const double& clock = in.plan().cluster.chip.clockShare;
    return clock == 1.0 ? peakOf(in, format) : peakOf(in, format) * in(clock);
}

template <class T>
Seconds<T> productTime(const Inputs<T>& in, Format format, const T& groups, const T& m, const T& n,
                       const T& k, const T& slowdown)
{
    if (!(valueOf(groups * m * n * k) > 0.0))
        return Seconds<T>(T(0.0));
    const Flop<T> flops(T(2.0) * groups * m * n * k);
    const T share = sustainedShare(in, format) * ramp(in, format, k) *
                    quantization(in, groups, m, n) * slowdown;
    const T bytes = groups * ((m * k + k * n) * T(operandBytes(format)) + T(2.0) * m * n);
    const Seconds<T> computed =
        named("chip.product_compute_s", Unit::Seconds,
              flops / (clockedPeak(in, format) * named("chip.product_share", Unit::Share, share)));
    return named("chip.product_s", Unit::Seconds,
                 units::max(computed, streamTime(in, Bytes<T>(bytes))));
}

template <class T>
T kernelShare(const Inputs<T>& in)
{
    const scenario::ChipEfficiency& e = in.plan().cluster.chip.efficiency;
    switch (in.plan().software.attention) {
    case scenario::AttentionKernel::Flash1:
        return in(e.attention) * in(e.flash1);
    case scenario::AttentionKernel::Flash2:
        return in(e.attention) * in(e.flash2);
    default:
        return in(e.attention);
    }
}

/// A causal kernel works in whole blocks of keys: on the diagonal it computes half a block more.
/// [FlashAttention-2 (2307.08691) sec. 3.1]
template <class T>
T diagonalShare(const transformer::Core<T>& core)
{
    constexpr double kBlock = 128;
    if (!(valueOf(core.context) < valueOf(core.square)))
        return T(1.0);
    return (core.context + T(kBlock / 2)) / core.context;
}

/// Each score costs one exponential however small the head, so small heads are slower: a factor
/// for each halving below 128. [FlashAttention-3 (2407.08608) sec. 3.2; factor by chip: fit]
template <class T>
T headShare(const Inputs<T>& in, const T& dimension)
{
    if (!(valueOf(dimension) < 128.0))
        return T(1.0);
    using std::log2;
    using std::pow;
    const T halvings = log2(T(128.0) / dimension);
    return pow(in(in.plan().cluster.chip.efficiency.smallHeads), halvings);
}

/// Scores and values as batched products over the full square, and passes over the scores in
/// between. The products are as small as those of the first fused kernels.
template <class T>
Seconds<T> unfusedTime(const Inputs<T>& in, const transformer::Layer<T>& layer, const T& tokens,
                       const T& tensor)
{
    const scenario::ChipEfficiency& e = in.plan().cluster.chip.efficiency;
    const Flop<T> flops(transformer::coreFlops(layer, false).si() * tokens / tensor);
    const Seconds<T> products =
        flops / (clockedPeak(in, in.plan().precision.attention) * (in(e.attention) * in(e.flash1)));
    const T passes = in(in.plan().software.constants.unfusedSoftmaxPasses);
    const T scores = tokens * layer.core.heads / tensor * layer.core.square;
    return named("chip.attention_s", Unit::Seconds,
                 products + streamTime(in, Bytes<T>(passes * T(2.0) * scores)));
}

} // namespace

template <class T>
FlopPerSecond<T> peakOf(const Inputs<T>& in, Format format)
{
    const std::optional<double>* peak = lookUp(in.plan().cluster.chip.matrixFlops, format);
    if (peak == nullptr)
        return FlopPerSecond<T>(in(in.plan().cluster.chip.vectorFlops));
    return FlopPerSecond<T>(in(*peak));
}

template <class T>
T sustainedShare(const Inputs<T>& in, Format format)
{
    const scenario::ChipEfficiency& e = in.plan().cluster.chip.efficiency;
    const auto& own = e.matrix[static_cast<std::size_t>(format)];
    if (own)
        return in(*own);
    const std::optional<double>* share = lookUp(e.matrix, format);
    return share == nullptr ? in(e.matrixOther) : in(*share);
}

template <class T>
BytesPerSecond<T> memoryRate(const Inputs<T>& in)
{
    const scenario::Chip& chip = in.plan().cluster.chip;
    return named("chip.memory_rate", Unit::BytesPerSecond,
                 BytesPerSecond<T>(in(chip.hbmBandwidth) * in(chip.efficiency.hbm)));
}

template <class T>
Seconds<T> streamTime(const Inputs<T>& in, const Bytes<T>& bytes)
{
    const scenario::Chip& chip = in.plan().cluster.chip;
    return named("chip.stream_s", Unit::Seconds,
                 bytes / BytesPerSecond<T>(in(chip.hbmBandwidth) * in(chip.efficiency.hbm)));
}

template <class T>
Seconds<T> gemmTime(const Inputs<T>& in, Format format, const T& m, const T& n, const T& k)
{
    return productTime(in, format, T(1.0), m, n, k, T(1.0));
}

template <class T>
Seconds<T> groupedGemmTime(const Inputs<T>& in, Format format, const T& groups, const T& m,
                           const T& n, const T& k)
{
    const scenario::SoftwareConstants& c = in.plan().software.constants;
    // A rank with one expert runs plain products.
    if (!(valueOf(groups) > 1.0))
        return productTime(in, format, groups, m, n, k, T(1.0));
    // Rows and depth of one expert's product fill what its kernel has in flight.
    const T slowdown =
        in(c.groupedGemm) * m / (m + in(c.groupedGemmRows)) * k / (k + in(c.groupedGemmDepth));
    return productTime(in, format, groups, m, n, k, slowdown);
}

template <class T>
Seconds<T> attentionTime(const Inputs<T>& in, const transformer::Layer<T>& layer, const T& tokens,
                         const T& tensor)
{
    const transformer::Core<T>& core = layer.core;
    if (core.linear) {
        // A recurrence streams its state and runs at a fraction of the matrix units.
        const Flop<T> flops(transformer::coreFlops(layer, true).si() * tokens / tensor);
        const T share = in.constant("constant.linear_attention_share", Unit::Share, 0.25);
        return named("chip.attention_s", Unit::Seconds,
                     flops / (clockedPeak(in, in.plan().precision.attention) * share));
    }
    if (in.plan().software.attention == scenario::AttentionKernel::Unfused)
        return unfusedTime(in, layer, tokens, tensor);
    const T scores = transformer::coreFlops(layer, true).si() * diagonalShare(core);
    const Flop<T> flops((scores + core.indexer * in(in.plan().workload.sequenceLength)) * tokens /
                        tensor);
    const T share = kernelShare(in) * headShare(in, core.queryDim);
    return named("chip.attention_s", Unit::Seconds,
                 flops / (clockedPeak(in, in.plan().precision.attention) * share));
}

#define CW_INSTANTIATE(T)                                                                          \
    template FlopPerSecond<T> peakOf(const Inputs<T>&, Format);                                    \
    template T sustainedShare(const Inputs<T>&, Format);                                           \
    template BytesPerSecond<T> memoryRate(const Inputs<T>&);                                       \
    template Seconds<T> streamTime(const Inputs<T>&, const Bytes<T>&);                             \
    template Seconds<T> gemmTime(const Inputs<T>&, Format, const T&, const T&, const T&);          \
    template Seconds<T> groupedGemmTime(const Inputs<T>&, Format, const T&, const T&, const T&,    \
                                        const T&);                                                 \
    template Seconds<T> attentionTime(const Inputs<T>&, const transformer::Layer<T>&, const T&,    \
                                      const T&);
CW_INSTANTIATE(double)
CW_INSTANTIATE(Traced)
#undef CW_INSTANTIATE

} // namespace cw::chip
