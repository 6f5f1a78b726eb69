// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "model/schedule/legality.h"
#include "model/schedule/placement.h"
#include "model/units/quantity.h"

// What a pipeline costs, without laying it out in time: for search, and above kMaxPasses. Function
// templates over the scalar, for double and explain::Traced.
//
// Sources: Narayanan et al. 2021 (2104.04473) section 2.2; Qi et al. 2024 (2401.10241) table 1 and
// (2405.15362) table 1, whose B is the input gradient alone; DeepSeek-V3 (2412.19437) table 2 and
// the DualPipe repository. Here B holds the weight gradient W, and m may be less than p.

namespace cw::schedule {

/// One micro batch on one stage, all the chunks it passes there.
template <class T>
struct PassTimes
{
    units::Seconds<T> forward;
    units::Seconds<T> backward; ///< includes the weight gradient
    units::Seconds<T> weight;
};

/// p, v (read by interleaved only) and m, each at least 1.
template <class T>
struct Shape
{
    T stages;
    T virtualStages;
    T microBatches;
};

/// Seconds of a step in which a device idles, with even stages and free sends: the step is
/// m (F + B) plus this. `pair` is the time F&B of an overlapped forward and backward in the paper's
/// formula for DualPipe; what overlapping gains on the whole step is `overlapGain`.
///
/// gpipe, 1F1B          (p-1)(F+B)
/// interleaved          ((p-1) + (v-1)(p ceil(m/p) - m)) (F+B)/v
/// ZB-H1                (p-1)(F+B-W) - (min(m,p)-1) W: with m >= p the paper's (p-1)(F+B-2W)
/// ZB-H2, ZBV           max(0, (p-1)(F+B-W) - (min(m,2p-1)-1) W): the paper's (p-1)(F+B-3W), 0
///                      with F = B - W = W; finishing askew (see finishSkew)
/// V-Half               max(3/2 (p-1) c, (p-1)(F+B-W) - (m-1) W), c the longest of F, B-W, W: half
///                      of 1F1B's with F = B-W = W
/// V-Min                max(2 (p-1) c, (p-1)(F+B-W) - (m-1) W) + m (3c - F - B): two thirds, but
///                      its tight pattern waits in each micro batch where passes are uneven
/// DualPipe             max((p/2-1)(F&B+B-3W), (p/2-1)(F&B+B) - (m-2) W)
/// DualPipeV            half of max((p-1)(F&B+B-3W), (p-1)(F&B+B) - 2(m-1) W): p/2 in the
///                      paper's count of stages is p devices here, and a chunk half a stage
///
/// Equal to the timeline to rounding where `bubbleIsExact`; ZB-H1 too unless passes are very
/// unlike. Else the step is within 6% of it with m >= 2p and passes that differ by a fifth, within
/// 10% with fewer micro batches (interleaved off the multiples of p, and V-Min on two devices:
/// 13%).
template <class T>
units::Seconds<T> bubble(Schedule schedule, const Shape<T>& shape, const PassTimes<T>& times,
                         const units::Seconds<T>& pair);

/// The same with nothing gained by overlapping: F&B = F + B.
template <class T>
units::Seconds<T> bubble(Schedule schedule, const Shape<T>& shape, const PassTimes<T>& times);

/// What overlapped pairs save on a step: a step of DualPipe or DualPipeV is m (F + B) + bubble
/// (without `pair`) less this. (m - p/2 - 2) (F+B-F&B) for DualPipe, (m - p/2 - 1) (F+B-F&B) for
/// DualPipeV, the pairs on the longest path of the repository's order with m >= 2p; 0 elsewhere.
template <class T>
units::Seconds<T> overlapGain(Schedule schedule, const Shape<T>& shape, const PassTimes<T>& times,
                              const units::Seconds<T>& pair);

/// True for gpipe, 1F1B and, where m is below p or a multiple of it, interleaved, whatever the
/// times (for other m, which Megatron-LM refuses, its form is too high). Elsewhere the timeline
/// decides.
bool bubbleIsExact(Schedule schedule, std::int64_t stages, std::int64_t microBatches);

/// What a step costs more where the optimizer waits for all devices, for the schedules that finish
/// askew: (p-1) F for ZB-H2, (p-1) F/2 for ZBV, with even stages and m >= 2p - 1; else 0.
template <class T>
units::Seconds<T> finishSkew(Schedule schedule, const Shape<T>& shape, const PassTimes<T>& times);

/// A time no step can beat, for pruning. `stages` one by one, chunks of a stage alike. For 1F1B the
/// largest over i of sum_{j<i}(F_j+B_j) + m (F_i+B_i); elsewhere what is left of it: earlier stages
/// count by one chunk, a split backward by its input gradient, and a schedule that finishes askew
/// by its slowest stage. `pairFactor`: time of an overlapped pair over F + B.
template <class T>
units::Seconds<T> lowerBound(Schedule schedule, std::span<const PassTimes<T>> stages,
                             const T& virtualStages, const T& microBatches,
                             const T& pairFactor = T(1.0));

/// A time no step exceeds, sends aside: (m-1) max(F+B) + sum (F+B); for gpipe with the largest
/// forward and backward apart; for V-Half and V-Min with 3 max(F, B-W, W) for F + B.
template <class T>
units::Seconds<T> upperBound(Schedule schedule, std::span<const PassTimes<T>> stages,
                             const T& microBatches);

/// Micro batches whose activations device `stage` (0-based) holds at once, in units of one stage's
/// whole set of layers. gpipe m; 1F1B min(m, p-i); interleaved min(m, (2(p-1-i) + (v-1)p + 1)/v);
/// ZB-H1 min(m, p); ZB-H2 min(m, 2p-1); ZBV min(m, p); V-Half min(m, floor(p/2)+1); V-Min
/// min(m, ceil((p-1)/3)+1); DualPipe min(m, p+1); DualPipeV min(m, p + 1/2). Split schedules keep
/// a micro batch until its weight gradient is taken. Never less than the timeline's peak, and equal
/// to it with m >= 2p.
template <class T>
T inFlight(Schedule schedule, int stage, const Shape<T>& shape);

} // namespace cw::schedule
