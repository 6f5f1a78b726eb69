// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/schedule/order.h"

// A pipeline in time: the order of a schedule (order.h) executed with each chunk's own times. A
// pass starts when its device is free and what it waits for has come: the forward of the slice
// before, the backward of the slice after, plus the send where that is another device. Sends run
// beside the passes and never wait for each other.

namespace cw::schedule {

/// Seconds of one micro batch on one chunk of one device.
struct StageCost
{
    double forward = 0.0;
    double backwardInput = 0.0;
    double weight = 0.0;
};

struct Block
{
    int device = 0;
    int chunk = 0;
    int microBatch = 0;
    Kind kind = Kind::Forward;
    int backwardChunk = -1; ///< in an overlapped pair; the forward's are `chunk` and `microBatch`
    int backwardMicroBatch = -1;
    double start = 0.0;
    double end = 0.0;
};

struct Timeline
{
    /// Seconds of the step. The end of the last pass; for schedules that finish askew
    /// (`finishesAskew`) the longest span from a device's first pass to its last.
    double time = 0.0;
    double makespan = 0.0;     ///< end of the last pass of all
    std::vector<Block> blocks; ///< by device, each in the order of time
    std::vector<double> busy;  ///< seconds of work on each device
    /// Largest number of micro batches whose activations a device holds, in units of one stage's
    /// whole set of layers. Held from the start of the forward to the end of the pass that
    /// takes the weight gradient.
    std::vector<double> peakInFlight;
};

/// Above this many passes nothing is simulated: use the closed forms.
inline constexpr double kMaxPasses = 1 << 24;

/// Passes of a step, counting a split backward as two (an upper bound where only some are split).
double passCount(Schedule schedule, double stages, double virtualStages, double microBatches);

/// `costs` hold one entry for each (device, chunk), device by device, chunksPerDevice each.
/// `pairFactor` is the time of an overlapped pair over the sum of its forward and backward (1:
/// nothing is gained). Throws std::invalid_argument where a count is below 1, `costs` has another
/// size, or there are more than kMaxPasses passes.
Timeline simulate(Schedule schedule, int stages, int virtualStages, int microBatches,
                  std::span<const StageCost> costs, double sendTime, double pairFactor = 1.0);

/// What simulateTime keeps between calls: the order of the last schedule, and room for its times.
/// A call with the same schedule and counts allocates nothing. One thread at a time; results do not
/// depend on what it holds.
class Workspace
{
public:
    Workspace();
    ~Workspace();
    Workspace(Workspace&&) noexcept;
    Workspace& operator=(Workspace&&) noexcept;

    struct State;
    State& state() { return *m_state; }

private:
    std::unique_ptr<State> m_state;
};

/// Timeline::time alone, bit for bit; throws as simulate does.
double simulateTime(Schedule schedule, int stages, int virtualStages, int microBatches,
                    std::span<const StageCost> costs, double sendTime, Workspace& workspace,
                    double pairFactor = 1.0);

} // namespace cw::schedule
