// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/schedule/closedform.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "model/explain/trace.h"

namespace cw::schedule {

namespace {

using explain::named;
using std::ceil;
using std::floor;
using std::max;
using std::min;
using units::Seconds;
using units::Unit;

template <class T>
Seconds<T> bubbleOf(Schedule schedule, const Shape<T>& shape, const PassTimes<T>& times,
                    const Seconds<T>& pair)
{
    const T& p = shape.stages;
    const T& v = shape.virtualStages;
    const T& m = shape.microBatches;
    const Seconds<T>& F = times.forward;
    const Seconds<T>& B = times.backward;
    const Seconds<T>& W = times.weight;
    const T one = T(1.0);
    const T two = T(2.0);
    const T three = T(3.0);
    const Seconds<T> none(T(0.0));
    // The first micro batch down the pipeline and back, without its weight gradients.
    const auto through = [&] {
        return (p - one) * (F + B - W);
    };
    const auto longest = [&] {
        return max(max(F, B - W), W);
    };

    switch (schedule) {
    case Schedule::Gpipe:
    case Schedule::OneFOneB:
        return (p - one) * (F + B);
    case Schedule::Interleaved:
        return (p - one + (v - one) * (p * ceil(m / p) - m)) * (F + B) / v;
    case Schedule::ZeroBubbleH1:
        return through() - (min(m, p) - one) * W;
    case Schedule::ZeroBubbleH2:
    case Schedule::ZeroBubbleV:
        return max(none, through() - (min(m, two * p - one) - one) * W);
    case Schedule::VHalf:
        return max(T(1.5) * (p - one) * longest(), through() - (m - one) * W);
    case Schedule::VMin:
        return max(two * (p - one) * longest(), through() - (m - one) * W) +
               m * (three * longest() - F - B);
    case Schedule::DualPipe:
        return max(max(none, (p / two - one) * (pair + B - three * W)),
                   (p / two - one) * (pair + B) - (m - two) * W);
    case Schedule::DualPipeV:
        return max(max(none, (p - one) * (pair + B - three * W)),
                   (p - one) * (pair + B) - two * (m - one) * W) /
               two;
    }
    return none;
}

/// Where the bound of a schedule takes its parts from.
template <class T>
struct Earlier
{
    T share;       ///< of a stage that its first chunk is
    bool split;    ///< the backward back to stage 0 is that of the input alone
    bool fromEnds; ///< micro batches come from both ends
    bool askew;    ///< only the slowest device counts
};

template <class T>
Seconds<T> startOf(std::span<const PassTimes<T>> stages, std::size_t device, const T& share)
{
    Seconds<T> sum(T(0.0));
    for (std::size_t j = 0; j < device; ++j)
        sum += stages[j].forward * share;
    return sum;
}

template <class T>
Seconds<T> endOf(std::span<const PassTimes<T>> stages, std::size_t device, const T& share,
                 bool split)
{
    Seconds<T> sum(T(0.0));
    for (std::size_t j = 0; j < device; ++j)
        sum += (split ? stages[j].backward - stages[j].weight : stages[j].backward) * share;
    if (split && device > 0)
        sum += stages[0].weight * share;
    return sum;
}

template <class T>
Seconds<T> boundOfDevice(std::span<const PassTimes<T>> stages, std::size_t i, const T& m,
                         const T& pairFactor, const Earlier<T>& earlier)
{
    const PassTimes<T>& own = stages[i];
    if (earlier.askew)
        return m * (own.forward + own.backward);
    if (earlier.fromEnds) {
        const std::size_t other = stages.size() - 1 - i;
        const PassTimes<T>& back = stages[other];
        return min(startOf(stages, i, earlier.share), startOf(stages, other, earlier.share)) +
               m * pairFactor * (own.forward + own.backward + back.forward + back.backward) /
                   T(2.0);
    }
    const Seconds<T> start = startOf(stages, i, earlier.share);
    const Seconds<T> end = endOf(stages, i, earlier.share, earlier.split);
    if (!earlier.split)
        return start + m * (own.forward + own.backward) + end;
    return start + max(m * pairFactor * (own.forward + own.backward),
                       m * pairFactor * (own.forward + own.backward - own.weight) + end);
}

/// The time that one micro batch may take up on a stage, at most.
template <class T>
Seconds<T> atMost(Schedule schedule, const PassTimes<T>& stage)
{
    if (schedule != Schedule::VHalf && schedule != Schedule::VMin)
        return stage.forward + stage.backward;
    return T(3.0) * max(max(stage.forward, stage.backward - stage.weight), stage.weight);
}

} // namespace

template <class T>
Seconds<T> bubble(Schedule schedule, const Shape<T>& shape, const PassTimes<T>& times,
                  const Seconds<T>& pair)
{
    return named("schedule.bubble", Unit::Seconds, bubbleOf(schedule, shape, times, pair));
}

template <class T>
Seconds<T> bubble(Schedule schedule, const Shape<T>& shape, const PassTimes<T>& times)
{
    return bubble(schedule, shape, times, times.forward + times.backward);
}

template <class T>
Seconds<T> overlapGain(Schedule schedule, const Shape<T>& shape, const PassTimes<T>& times,
                       const Seconds<T>& pair)
{
    const Seconds<T> each = times.forward + times.backward - pair;
    const T ends = T(schedule == Schedule::DualPipe ? 2.0 : 1.0);
    const T pairs = overlapsPairs(schedule)
                        ? max(T(0.0), shape.microBatches - shape.stages / T(2.0) - ends)
                        : T(0.0);
    return named("schedule.overlap_gain", Unit::Seconds, pairs * each);
}

bool bubbleIsExact(Schedule schedule, std::int64_t stages, std::int64_t microBatches)
{
    if (schedule == Schedule::Interleaved)
        return microBatches < stages || microBatches % stages == 0;
    return !splitsWeightGradient(schedule);
}

template <class T>
Seconds<T> finishSkew(Schedule schedule, const Shape<T>& shape, const PassTimes<T>& times)
{
    const T share = T(schedule == Schedule::ZeroBubbleV ? 0.5 : 1.0);
    const T stages = T(finishesAskew(schedule) ? 1.0 : 0.0) * (shape.stages - T(1.0));
    return named("schedule.finish_skew", Unit::Seconds, stages * share * times.forward);
}

template <class T>
Seconds<T> lowerBound(Schedule schedule, std::span<const PassTimes<T>> stages,
                      const T& virtualStages, const T& microBatches, const T& pairFactor)
{
    const T chunks = schedule == Schedule::Interleaved
                         ? virtualStages
                         : T(static_cast<double>(chunksPerMicroBatch(schedule, 1)));
    const Earlier<T> earlier{T(1.0) / chunks, splitsWeightGradient(schedule),
                             schedule == Schedule::DualPipe && stages.size() % 2 == 0,
                             finishesAskew(schedule)};
    const T factor = overlapsPairs(schedule) ? min(T(1.0), pairFactor) : T(1.0);
    Seconds<T> bound(T(0.0));
    for (std::size_t i = 0; i < stages.size(); ++i)
        bound = max(bound, boundOfDevice(stages, i, microBatches, factor, earlier));
    return named("schedule.lower_bound", Unit::Seconds, bound);
}

template <class T>
Seconds<T> upperBound(Schedule schedule, std::span<const PassTimes<T>> stages,
                      const T& microBatches)
{
    Seconds<T> sum(T(0.0));
    Seconds<T> both(T(0.0));
    Seconds<T> forward(T(0.0));
    Seconds<T> backward(T(0.0));
    for (const PassTimes<T>& stage : stages) {
        const Seconds<T> own = atMost(schedule, stage);
        sum += own;
        both = max(both, own);
        forward = max(forward, stage.forward);
        backward = max(backward, stage.backward);
    }
    const Seconds<T> each = schedule == Schedule::Gpipe ? forward + backward : both;
    return named("schedule.upper_bound", Unit::Seconds, (microBatches - T(1.0)) * each + sum);
}

template <class T>
T inFlight(Schedule schedule, int stage, const Shape<T>& shape)
{
    const T& p = shape.stages;
    const T& v = shape.virtualStages;
    const T& m = shape.microBatches;
    const T i = T(static_cast<double>(stage));
    const T one = T(1.0);
    const T two = T(2.0);
    const auto most = [&]() -> T {
        switch (schedule) {
        case Schedule::Gpipe:
            return m;
        case Schedule::OneFOneB:
            return p - i;
        case Schedule::Interleaved:
            return (two * (p - one - i) + (v - one) * p + one) / v;
        case Schedule::ZeroBubbleH1:
        case Schedule::ZeroBubbleV:
            return p;
        case Schedule::ZeroBubbleH2:
            return two * p - one;
        case Schedule::VHalf:
            return floor(p / two) + one;
        case Schedule::VMin:
            return ceil((p - one) / T(3.0)) + one;
        case Schedule::DualPipe:
            return p + one;
        case Schedule::DualPipeV:
            return p + T(0.5);
        }
        return m;
    };
    return named("schedule.in_flight", Unit::None, min(m, most()));
}

#define CW_INSTANTIATE(T)                                                                          \
    template Seconds<T> bubble(Schedule, const Shape<T>&, const PassTimes<T>&, const Seconds<T>&); \
    template Seconds<T> bubble(Schedule, const Shape<T>&, const PassTimes<T>&);                    \
    template Seconds<T> overlapGain(Schedule, const Shape<T>&, const PassTimes<T>&,                \
                                    const Seconds<T>&);                                            \
    template Seconds<T> finishSkew(Schedule, const Shape<T>&, const PassTimes<T>&);                \
    template Seconds<T> lowerBound(Schedule, std::span<const PassTimes<T>>, const T&, const T&,    \
                                   const T&);                                                      \
    template Seconds<T> upperBound(Schedule, std::span<const PassTimes<T>>, const T&);             \
    template T inFlight(Schedule, int, const Shape<T>&);

CW_INSTANTIATE(double)
CW_INSTANTIATE(explain::Traced)
#undef CW_INSTANTIATE

} // namespace cw::schedule
