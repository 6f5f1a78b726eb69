// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/evaluation/assumedstep.h"

namespace cw::evaluation {

using explain::named;
using explain::Traced;
using explain::valueOf;
using units::Seconds;
using units::Unit;

namespace {

template <class T>
void scale(Seconds<T>& part, std::string_view key, const T& factor)
{
    part = named(key, Unit::Seconds, factor * part);
}

} // namespace

template <class T>
void assumeUtilization(const scenario::Inputs<T>& in, const T& clocked, step::StepTime<T>& s)
{
    const scenario::Software& software = in.plan().software;
    if (!software.assumedMfu || !(valueOf(s.time.si()) > 0.0))
        return;
    const Seconds<T> stated = s.ideal / (in(software.assumedMfu) * clocked);
    // Products are what the utilization counts: they are the last to be squeezed.
    const Seconds<T> products = s.matrix + s.attention;
    const Seconds<T> others = s.stream + s.quantization + s.recompute + s.optimizer;
    const Seconds<T> rest = s.time - products - others;
    const auto over = [](const Seconds<T>& a, const Seconds<T>& b) {
        return valueOf(a.si()) > 0.0 && valueOf(b.si()) > 0.0;
    };
    T multiplying(1.0);
    T working(0.0);
    T waiting(0.0);
    if (over(stated - products - others, rest)) {
        working = T(1.0);
        waiting = (stated - products - others) / rest;
    } else if (over(stated - products, others)) {
        working = (stated - products) / others;
    } else {
        multiplying = stated / products;
    }
    scale(s.matrix, "step.matrix_s", multiplying);
    scale(s.attention, "step.attention_s", multiplying);
    scale(s.stream, "step.stream_s", working);
    scale(s.quantization, "step.quantization_s", working);
    s.compute =
        named("step.compute_s", Unit::Seconds, s.matrix + s.attention + s.stream + s.quantization);
    scale(s.recompute, "step.recompute_s", working);
    scale(s.optimizer, "step.optimizer_s", working);
    scale(s.bubble, "step.bubble_s", waiting);
    scale(s.tensorComm, "step.tensor_comm_s", waiting);
    scale(s.contextComm, "step.context_comm_s", waiting);
    scale(s.expertComm, "step.expert_comm_s", waiting);
    scale(s.pipelineComm, "step.pipeline_comm_s", waiting);
    scale(s.dataComm, "step.data_comm_s", waiting);
    scale(s.offload, "step.offload_s", waiting);
    scale(s.dataLoading, "step.data_loading_s", waiting);
    scale(s.host, "step.host_s", waiting);
    scale(s.jitter, "step.jitter_s", waiting);
    s.time = named("step.time_s", Unit::Seconds, stated);
}

template void assumeUtilization(const scenario::Inputs<double>&, const double&,
                                step::StepTime<double>&);
template void assumeUtilization(const scenario::Inputs<Traced>&, const Traced&,
                                step::StepTime<Traced>&);

} // namespace cw::evaluation
