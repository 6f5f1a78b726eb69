// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/memory/ledger.h"
#include "model/step/steptime.h"

namespace cw::step {

/// What happens once for each step and device beside the passes: gradients out, parameters back,
/// the optimizer, and what goes over the host link.
template <class T>
struct DataComm
{
    units::Seconds<T> cost;
    units::Seconds<T> exposed;
    units::Seconds<T> optimizer;
    network::Volume<T> others;  ///< of `cost`: parameters outside experts
    network::Volume<T> experts; ///< of `cost`: those of experts
    Offloading<T> offloading;
};

/// ZeRO 0 and 1 reduce once a step behind the last micro batch's backward and gather behind the
/// next forward; ZeRO 2 with a pipeline reduces in each micro batch; ZeRO 3 gathers each layer
/// twice and reduces once for each micro batch. [Rajbhandari et al. 2020 (1910.02054)]
template <class T>
DataComm<T> dataComm(const StepContext<T>& context,
                     const std::vector<transformer::Layer<T>>& layers,
                     const memory::MemoryLedger<T>& ledger, const StepTime<T>& step);

} // namespace cw::step
