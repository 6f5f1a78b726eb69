// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/step/optimizer.h"

#include "model/chip/roofline.h"
#include "model/memory/ledger.h"

namespace cw::step {

using explain::Traced;
using memory::bytesOf;
using scenario::Format;
using scenario::Optimizer;
using transformer::Layer;
using transformer::Matrix;
using transformer::Split;
using units::Bytes;
using units::Seconds;

namespace {

/// Bytes for each parameter of Adam over fp32 state, which the fitted constant stands for.
constexpr double kAdamBytes = 30;

double momentsOf(Optimizer optimizer)
{
    switch (optimizer) {
    case Optimizer::Adam:
        return 2;
    case Optimizer::Muon:
    case Optimizer::Sgd:
        return 1;
    case Optimizer::Adafactor:
        return 0;
    }
    return 2;
}

/// Work of the orthogonalization over all matrices that a rank holds of its stage.
template <class T>
T orthogonalizationFlops(const StepContext<T>& c, const std::vector<Layer<T>>& layers)
{
    const scenario::Scenario& plan = c.in.plan();
    const T t = c.layout.tensor;
    T flops = T(0.0);
    for (std::size_t g = 0; g < layers.size(); ++g) {
        const T count = c.in(plan.model.groups[g].count) / c.layout.pipeline;
        for (const Matrix<T>& m : layers[g]) {
            if (m.split == Split::Expert) {
                const T x = c.layout.expertTensor;
                const T in = m.outputsOfExpertWidth ? m.in : m.in / x;
                const T out = m.outputsOfExpertWidth ? m.out / x : m.out;
                flops = flops + count * layers[g].experts / c.layout.expert /
                                    c.layout.expertSharding * newtonSchulzFlops(in, out);
                continue;
            }
            const T in = m.split == Split::Row ? m.in / t : m.in;
            const T out = m.split == Split::Column ? m.out / t : m.out;
            flops = flops + count / c.layout.sharding * newtonSchulzFlops(in, out);
        }
    }
    return flops;
}

} // namespace

double optimizerBytesPerParameter(const scenario::Precision& p)
{
    const double master = p.masterWeights ? bytesOf(*p.masterWeights) : bytesOf(p.weights);
    // Adafactor passes over the gradient once more for the sums of its rows and columns.
    const double gradient = bytesOf(p.gradients) * (p.optimizer == Optimizer::Adafactor ? 2 : 1);
    return gradient + 2 * master + 2 * momentsOf(p.optimizer) * bytesOf(p.optimizerMoments) +
           (p.masterWeights ? bytesOf(p.weights) : 0);
}

template <class T>
Seconds<T> optimizerTime(const StepContext<T>& c, const std::vector<Layer<T>>& layers,
                         const T& shard)
{
    const scenario::Scenario& plan = c.in.plan();
    const scenario::SoftwareConstants& k = plan.software.constants;
    const T bytes =
        c.in(k.optimizerBytes) * T(optimizerBytesPerParameter(plan.precision) / kAdamBytes);
    Seconds<T> time =
        Bytes<T>(bytes * shard) /
        units::BytesPerSecond<T>(c.in(k.optimizerBandwidth) * c.in(plan.cluster.chip.hbmBandwidth));
    if (plan.precision.optimizer == Optimizer::Muon)
        time += units::Flop<T>(orthogonalizationFlops(c, layers)) /
                (chip::peakOf(c.in, Format::Bf16) * chip::sustainedShare(c.in, Format::Bf16));
    return time;
}

template Seconds<double> optimizerTime(const StepContext<double>&,
                                       const std::vector<Layer<double>>&, const double&);
template Seconds<Traced> optimizerTime(const StepContext<Traced>&,
                                       const std::vector<Layer<Traced>>&, const Traced&);

} // namespace cw::step
