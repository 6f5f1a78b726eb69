// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/step/steptime.h"

namespace cw::step {

/// What a step moves, beside the passes, of the fullest stage's rank.
template <class T>
struct OffloadLoad
{
    T other{};                     ///< parameters held, before sharding
    T experts{};                   ///< routed experts held
    T shard{};                     ///< parameters whose optimizer state the rank keeps
    units::Seconds<T> dataCost;    ///< data-parallel communication
    units::Seconds<T> dataExposed; ///< of it, not hidden
};

/// - Optimizer: gradients down and weights up, once a step; the host updates at a share of its
///   memory bandwidth [ZeRO-Offload (2101.06840), table 4], on NVMe after reading and before
///   writing the state [ZeRO-Infinity (2104.07857)]. It hides in the last micro batch's backward
///   and the next one's forward, transfers and update in pieces behind each other.
/// - Activations: down and up within the same micro batch.
/// - Experts: all local ones, up for forward and backward, their gradients down, in each micro
///   batch, since routing touches all of them in training.
///
/// The share of the window that can be used is `prefetch`. A host link shared with the NIC, and a
/// pool behind the scale-up links, leave what their own traffic does not take.
template <class T>
Offloading<T> offloadingOf(const StepContext<T>& c, const memory::MemoryLedger<T>& ledger,
                           const StepTime<T>& step, const OffloadLoad<T>& load);

extern template Offloading<double> offloadingOf(const StepContext<double>&,
                                                const memory::MemoryLedger<double>&,
                                                const StepTime<double>&,
                                                const OffloadLoad<double>&);
extern template Offloading<explain::Traced>
offloadingOf(const StepContext<explain::Traced>&, const memory::MemoryLedger<explain::Traced>&,
             const StepTime<explain::Traced>&, const OffloadLoad<explain::Traced>&);

} // namespace cw::step
