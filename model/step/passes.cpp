// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/step/passes.h"

#include <cmath>

#include "model/chip/roofline.h"
#include "model/memory/ledger.h"
#include "model/scenario/lists.h"
#include "model/scenario/routing.h"
#include "model/schedule/placement.h"

namespace cw::step {

using explain::named;
using explain::Traced;
using explain::valueOf;
using memory::bytesOf;
using network::GroupKind;
using scenario::Format;
using scenario::Overlap;
using scenario::Recompute;
using transformer::Layer;
using transformer::Matrix;
using transformer::Place;
using transformer::Split;
using units::Bytes;
using units::Seconds;

template <class T>
void Repeated<T>::add(const Repeated& o, const T& count)
{
    tensorMoved.add(o.tensorMoved, count);
    contextMoved.add(o.contextMoved, count);
    expertMoved.add(o.expertMoved, count);
    tensorCost += count * o.tensorCost;
    contextCost += count * o.contextCost;
    expertCost += count * o.expertCost;
}

template <class T>
void PassCost<T>::add(const PassCost& o, const T& count)
{
    matrix += count * o.matrix;
    weight += count * o.weight;
    attention += count * o.attention;
    stream += count * o.stream;
    quantization += count * o.quantization;
    recompute += count * o.recompute;
    host += count * o.host;
    tensor += count * o.tensor;
    context += count * o.context;
    expert += count * o.expert;
    tensorCost += count * o.tensorCost;
    contextCost += count * o.contextCost;
    expertCost += count * o.expertCost;
    tensorMoved.add(o.tensorMoved, count);
    contextMoved.add(o.contextMoved, count);
    expertMoved.add(o.expertMoved, count);
    repeated.add(o.repeated, count);
}

namespace {

// Bytes that kernels between the products move for each element, in 16 bits where nothing is said.
constexpr double kNormAndResidual = 8; // reads two tensors, writes two
constexpr double kNorm = 4;            // reads one, writes one
constexpr double kRope = 4;            // reads and writes it
constexpr double kRouting = 16;        // the scores of an expert, read and written twice in 32 bits
constexpr double kTwoDropouts = 10;    // each reads and writes it, and a byte of mask
constexpr double kLossFused = 12;      // a logit, in 32 bits: three passes
constexpr double kLossApart = 28;      // seven

/// Of the width of a feed-forward network: reads its input, with the gate two, and writes its
/// output.
double activationBytes(bool gated)
{
    return gated ? 6 : 4;
}

bool narrow(Format f)
{
    return bytesOf(f) < 2;
}

/// One matrix product of a pass.
template <class T>
struct Product
{
    Seconds<T> forward;
    Seconds<T> inputGradient;
    Seconds<T> weightGradient;
    T castForward{0.0}; ///< elements quantized
    T castBackward{0.0};
};

template <class T>
class LayerTimer
{
public:
    LayerTimer(const StepContext<T>& context, const Layer<T>& layer, std::int64_t nodeLimit)
        : m_c(context), m_in(context.in), m_layer(layer), m_plan(context.in.plan()),
          m_limit(static_cast<double>(nodeLimit))
    {
        const auto& l = context.layout;
        m_rows = l.microTokens;
        m_whole = m_plan.parallelism.sequenceParallel ? T(1.0) / l.tensor : T(1.0);
        m_routed = layer.topK * m_rows * l.expertTensor / l.tensor * scenario::imbalanceOf(m_in);
        m_moe = layer.moe ? moeFactor() : T(1.0);
    }

    LayerPasses<T> passes();

private:
    Product<T> product(const Matrix<T>& m) const;
    Product<T> expertProduct(const Matrix<T>& m) const;
    Format formatOf(const Matrix<T>& m) const;
    void addProducts(LayerPasses<T>& p);
    void addStreams(LayerPasses<T>& p);
    T streamBytes() const;
    T permutationBytes() const;
    void addTensor(LayerPasses<T>& p) const;
    void addContext(LayerPasses<T>& p) const;
    void addExpert(LayerPasses<T>& p) const;
    void addRecompute(LayerPasses<T>& p) const;
    void addHost(LayerPasses<T>& p) const;
    bool again(Recompute what) const { return scenario::has(m_plan.parallelism.recompute, what); }
    T moeFactor() const;
    Seconds<T> stream(const T& bytes) const
    {
        return m_c.maturity * chip::streamTime(m_in, Bytes<T>(bytes));
    }

    const StepContext<T>& m_c;
    const scenario::Inputs<T>& m_in;
    const Layer<T>& m_layer;
    const scenario::Scenario& m_plan;
    T m_limit;
    T m_rows;   ///< tokens of a micro batch on the rank
    T m_whole;  ///< part of an uncut tensor on the rank
    T m_routed; ///< rows that the experts of the rank see
    T m_moe;    ///< factor on the time of the expert path
    // Forward parts that recomputation may repeat.
    Seconds<T> m_mlaUp;
    Seconds<T> m_ffnIn;
    Seconds<T> m_expertIn;
    struct
    {
        Seconds<T> forward;
        Seconds<T> backward;
    } m_experts; ///< products of the experts
};

/// Factor on routing, permutation, experts and their traffic. A host that waits for the number of
/// tokens of each expert splits them into many small launches; with the whole step in one graph,
/// or experts of fixed capacity, it does not. [fit of published training steps]
template <class T>
T LayerTimer<T>::moeFactor() const
{
    const scenario::Software& software = m_plan.software;
    T factor = m_in(software.moeMaturity);
    if (software.graphs == scenario::Graphs::Full)
        factor = factor * m_in(software.constants.moeFullGraphs);
    if (m_plan.workload.tokenDrop)
        factor = factor * m_in(software.constants.moeTokenDrop);
    return factor;
}

template <class T>
Format LayerTimer<T>::formatOf(const Matrix<T>& m) const
{
    return m.place == Place::Router ? Format::Bf16 : m_plan.precision.compute;
}

template <class T>
Product<T> LayerTimer<T>::product(const Matrix<T>& m) const
{
    const T t = m_c.layout.tensor;
    const T in = m.split == Split::Row ? m.in / t : m.in;
    const T out = m.split == Split::Column ? transformer::outputsOnRank(m_layer, m, t) : m.out;
    const T rows = m.place == Place::Router ? m_rows * m_whole : m_rows;
    const Format f = formatOf(m);
    Product<T> p;
    p.forward = chip::gemmTime(m_in, f, rows, out, in);
    p.inputGradient = chip::gemmTime(m_in, f, rows, in, out);
    // The gradient is added to its accumulator: read and written once for each micro batch.
    const T accumulate = T(2.0 * bytesOf(m_plan.precision.gradients)) * in * out;
    p.weightGradient = units::max(chip::gemmTime(m_in, f, in, out, rows),
                                  chip::streamTime(m_in, Bytes<T>(accumulate)));
    if (narrow(f)) {
        p.castForward = rows * in;
        p.castBackward = rows * out;
    }
    return p;
}

template <class T>
Product<T> LayerTimer<T>::expertProduct(const Matrix<T>& m) const
{
    const T x = m_c.layout.expertTensor;
    const T in = m.outputsOfExpertWidth ? m.in : m.in / x;
    const T out = m.outputsOfExpertWidth ? m.out / x : m.out;
    const T local = m_layer.experts / m_c.layout.expert;
    const T rows = m_routed / local;
    const Format f = formatOf(m);
    Product<T> p;
    p.forward = chip::groupedGemmTime(m_in, f, local, rows, out, in);
    p.inputGradient = chip::groupedGemmTime(m_in, f, local, rows, in, out);
    const T accumulate = T(2.0 * bytesOf(m_plan.precision.gradients)) * local * in * out;
    p.weightGradient = units::max(p.forward, chip::streamTime(m_in, Bytes<T>(accumulate)));
    if (narrow(f)) {
        p.castForward = m_routed * in;
        p.castBackward = m_routed * out;
    }
    return p;
}

template <class T>
void LayerTimer<T>::addProducts(LayerPasses<T>& p)
{
    T castForward = T(0.0);
    T castBackward = T(0.0);
    for (const Matrix<T>& m : m_layer) {
        const bool expert = m.split == Split::Expert;
        const Product<T> one = expert ? expertProduct(m) : product(m);
        const T slow = expert ? m_c.maturity * m_moe : m_c.maturity;
        p.forward.matrix += slow * one.forward;
        p.backward.matrix += slow * (one.inputGradient + one.weightGradient);
        p.backward.weight += slow * one.weightGradient;
        castForward = castForward + one.castForward;
        castBackward = castBackward + one.castBackward;
        if (m.name == "key-value-up" || m.name == "query-up")
            m_mlaUp += m_c.maturity * one.forward;
        if (m.name == "ffn-in" || m.name == "shared-in")
            m_ffnIn += m_c.maturity * one.forward;
        if (expert) {
            m_experts.forward += slow * one.forward;
            m_experts.backward += slow * (one.inputGradient + one.weightGradient);
        }
        if (m.name == "expert-in")
            m_expertIn += slow * one.forward;
    }
    T bytes = m_in(m_plan.software.constants.quantizationBytes);
    if (bytesOf(m_plan.precision.compute) < 1)
        bytes = bytes * m_in(m_plan.software.constants.quantizationFp4);
    p.forward.quantization = stream(bytes * castForward);
    p.backward.quantization = stream(bytes * castBackward);
    p.forward.attention =
        m_c.maturity * chip::attentionTime(m_in, m_layer, m_rows, m_c.layout.tensor);
    p.backward.attention = m_in(m_plan.software.constants.attentionBackward) * p.forward.attention;
}

/// Bytes of the passes between products, forward: residual and norm together read two and write
/// two tensors; rope reads and writes queries and keys; an activation reads its inputs and writes
/// its output.
template <class T>
T LayerTimer<T>::streamBytes() const
{
    const T h = m_in(m_plan.model.hidden);
    const T t = m_c.layout.tensor;
    const T unfused = m_plan.software.fusedKernels
                          ? T(1.0)
                          : m_in.constant("constant.unfused_norm", units::Unit::None, 3.7);
    T perToken = m_layer.norms * T(kNormAndResidual) * h * m_whole * unfused;
    perToken = perToken +
               T(kRope) * (m_layer.core.heads + m_layer.core.keyHeads) * m_layer.core.queryDim / t;
    perToken = perToken + T(activationBytes(m_layer.gated)) * m_layer.denseWidth / t;
    T bytes = perToken * m_rows;
    if (m_layer.moe) {
        bytes = bytes + T(kRouting) * m_layer.experts * m_rows * m_whole;
        bytes = bytes + T(activationBytes(m_layer.gated)) * m_routed * m_layer.expertWidth /
                            m_c.layout.expertTensor;
    }
    if (m_plan.model.dropout)
        bytes = bytes + T(kTwoDropouts) * h * m_rows * m_whole;
    return bytes;
}

template <class T>
T LayerTimer<T>::permutationBytes() const
{
    if (!m_layer.moe)
        return T(0.0);
    const scenario::SoftwareConstants& c = m_plan.software.constants;
    T moved = m_in(c.permutationBytes);
    // Products in 8 and 4 bit want whole blocks of rows: padding copies what goes in and comes out.
    if (narrow(m_plan.precision.compute) && m_plan.software.graphs != scenario::Graphs::Full)
        moved = moved + m_in.constant("constant.expert_padding_bytes", units::Unit::None, 8.0);
    const T bytes = moved * m_routed * m_layer.expertInput;
    return m_plan.software.dispatcher == scenario::Dispatcher::Fused ? m_in(c.dispatchFused) * bytes
                                                                     : bytes;
}

template <class T>
void LayerTimer<T>::addStreams(LayerPasses<T>& p)
{
    const T bytes = streamBytes();
    const T permuted = permutationBytes();
    p.forward.stream = stream(bytes + permuted);
    p.backward.stream =
        stream(m_in(m_plan.software.constants.bandwidthBackward) * bytes + permuted);
}

template <class T>
void LayerTimer<T>::addTensor(LayerPasses<T>& p) const
{
    const auto& group = m_c.placement[GroupKind::Tensor];
    if (valueOf(group.size) <= 1.0)
        return;
    const auto& links = m_c.links[GroupKind::Tensor];
    const Bytes<T> bytes(T(2.0) * m_rows * m_in(m_plan.model.hidden));
    // Attention has a pair, and so has a dense FFN or shared expert.
    const T pairs = m_layer.denseWidth > T(0.0) ? T(2.0) : T(1.0);
    const Seconds<T> pair =
        m_plan.parallelism.sequenceParallel
            ? network::allGather(group, links, bytes) + network::reduceScatter(group, links, bytes)
            : network::allReduce(group, links, bytes);
    Seconds<T> cost = pairs * pair;
    network::Moved<T> moved;
    moved.add(network::gathered(group, bytes), T(2.0) * pairs); // there and back, or both halves
    const auto& experts = m_c.placement[GroupKind::ExpertTensor];
    if (m_layer.moe && valueOf(experts.size) > 1.0) {
        const auto& inner = m_c.links[GroupKind::ExpertTensor];
        const Bytes<T> routed(T(2.0) * m_routed * m_layer.expertInput);
        cost += network::allGather(experts, inner, routed) +
                network::reduceScatter(experts, inner, routed);
        moved.add(network::gathered(experts, routed), T(2.0));
    }
    const auto& c = m_plan.software.constants;
    const T exposed = scenario::has(m_plan.software.overlap, Overlap::Tensor)
                          ? m_in(c.tensorExposedOverlap)
                          : m_in(c.tensorExposed);
    p.forward.tensorMoved = p.backward.tensorMoved = moved;
    p.forward.tensorCost = p.backward.tensorCost = cost;
    p.forward.tensor = p.backward.tensor = exposed * cost;
}

template <class T>
void LayerTimer<T>::addContext(LayerPasses<T>& p) const
{
    const auto& group = m_c.placement[GroupKind::Context];
    if (valueOf(group.size) <= 1.0 || m_layer.core.linear)
        return;
    const auto& links = m_c.links[GroupKind::Context];
    const auto& core = m_layer.core;
    const T t = m_c.layout.tensor;
    const T keyHeads = core.keyHeads < t ? T(1.0) : core.keyHeads / t;
    const T keysAndValues = T(2.0) * m_rows * keyHeads * (core.queryDim + core.valueDim);
    Seconds<T> cost;
    network::Moved<T> moved;
    if (m_plan.parallelism.contextKind == scenario::ContextKind::AllToAll) {
        const T queries = T(2.0) * m_rows * core.heads / t * (core.queryDim + core.valueDim);
        cost = network::allToAll(group, links, Bytes<T>(queries + keysAndValues));
        moved = network::exchanged(group, Bytes<T>(queries + keysAndValues));
    } else {
        cost = network::allGather(group, links, Bytes<T>(keysAndValues * group.size));
        moved = network::gathered(group, Bytes<T>(keysAndValues * group.size));
    }
    p.forward.contextMoved.add(moved, T(1.0));
    p.backward.contextMoved.add(moved, T(2.0));
    const auto exposedOf = [&](const Seconds<T>& whole, const Seconds<T>& window) {
        // A ring hides its steps behind the attention on what is there already.
        const bool hides = m_plan.parallelism.contextKind == scenario::ContextKind::Ring ||
                           scenario::has(m_plan.software.overlap, Overlap::Context);
        if (!hides)
            return whole;
        const T fraction = (group.size - T(1.0)) / group.size;
        return units::max(Seconds<T>(T(0.0)), whole - fraction * window);
    };
    p.forward.contextCost = cost;
    p.backward.contextCost = T(2.0) * cost;
    p.forward.context = exposedOf(p.forward.contextCost, p.forward.attention);
    p.backward.context = exposedOf(p.backward.contextCost, p.backward.attention);
}

template <class T>
void LayerTimer<T>::addExpert(LayerPasses<T>& p) const
{
    const auto& group = m_c.placement[GroupKind::Expert];
    if (!m_layer.moe || valueOf(group.size) <= 1.0)
        return;
    const auto& links = m_c.links[GroupKind::Expert];
    const T tokens =
        m_rows * m_c.layout.expertTensor / m_c.layout.tensor * scenario::imbalanceOf(m_in);
    const auto exchange = [&](Format format) {
        const Bytes<T> width(T(bytesOf(format)) * m_layer.expertInput);
        if (m_plan.software.dispatcher == scenario::Dispatcher::Gather)
            return network::allGather(group, links, tokens * group.size * width);
        // A collective library sends a copy for each expert, a fused kernel one for each domain.
        if (m_plan.software.dispatcher == scenario::Dispatcher::AllToAll)
            return network::allToAll(group, links, m_layer.topK * tokens * width);
        return network::expertExchange(group, links, tokens, width, m_layer.experts, m_layer.topK,
                                       m_limit);
    };
    const auto moved = [&](Format format) {
        const Bytes<T> width(T(bytesOf(format)) * m_layer.expertInput);
        if (m_plan.software.dispatcher == scenario::Dispatcher::Gather)
            return network::gathered(group, tokens * group.size * width);
        if (m_plan.software.dispatcher == scenario::Dispatcher::AllToAll)
            return network::exchanged(group, m_layer.topK * tokens * width);
        return network::dispatched(group, tokens, width, m_layer.experts, m_layer.topK, m_limit);
    };
    p.forward.expertMoved = moved(m_plan.precision.dispatch);
    p.forward.expertMoved.add(moved(m_plan.precision.combine), T(1.0));
    p.backward.expertMoved.add(moved(m_plan.precision.combine), T(2.0));
    const Seconds<T> combine = exchange(m_plan.precision.combine);
    p.forward.expertCost = exchange(m_plan.precision.dispatch) + combine;
    p.backward.expertCost = T(2.0) * combine; // gradients travel in the combine's format
    const auto& c = m_plan.software.constants;
    T exposed = m_in(c.expertExposed);
    if (schedule::overlapsPairs(m_plan.parallelism.schedule))
        exposed = m_in(c.expertExposedPaired);
    else if (scenario::has(m_plan.software.overlap, Overlap::Expert))
        exposed = m_in(c.expertExposedOverlap);
    // What runs beside the compute takes cores from it, unless the chip has engines for it.
    const T taken =
        m_plan.cluster.chip.collectiveEngine
            ? T(0.0)
            : m_in(m_plan.software.communicationCores) / m_in(m_plan.cluster.chip.cores);
    const T hidden = T(1.0) - exposed;
    const T factor = m_moe * (exposed + hidden * (taken < T(1.0) ? taken : T(1.0)));
    p.forward.expert = factor * p.forward.expertCost;
    p.backward.expert = factor * p.backward.expertCost;
}

template <class T>
void LayerTimer<T>::addRecompute(LayerPasses<T>& p) const
{
    const PassCost<T>& f = p.forward;
    if (again(Recompute::Full)) {
        p.backward.recompute = f.compute() + f.tensor + f.context + f.expert;
        p.backward.repeated = {f.tensorMoved, f.contextMoved, f.expertMoved,
                               f.tensorCost,  f.contextCost,  f.expertCost};
        return;
    }
    Seconds<T> time;
    if (again(Recompute::Selective) || again(Recompute::AttentionCore))
        time += f.attention;
    if (again(Recompute::Norm))
        time += stream(m_layer.norms * T(kNorm) * m_in(m_plan.model.hidden) * m_rows * m_whole);
    if (again(Recompute::Activation) && !again(Recompute::Mlp))
        time += stream(T(activationBytes(m_layer.gated)) * m_layer.denseWidth / m_c.layout.tensor *
                       m_rows);
    if (again(Recompute::MlaUp))
        time += m_mlaUp;
    if (again(Recompute::Mlp))
        time += m_ffnIn;
    if (again(Recompute::Moe) || again(Recompute::Dispatch)) {
        p.backward.repeated.expertMoved = f.expertMoved;
        p.backward.repeated.expertCost = f.expertCost;
    }
    if (again(Recompute::Moe))
        time += m_expertIn + f.expert + stream(permutationBytes());
    else if (again(Recompute::Dispatch))
        time += f.expert;
    if (again(Recompute::MoeActivation) && !again(Recompute::Moe) && m_layer.moe)
        time += stream(T(activationBytes(m_layer.gated)) * m_routed * m_layer.expertWidth /
                       m_c.layout.expertTensor);
    p.backward.recompute = time;
}

/// The host launches a layer's kernels in at least this time; a faster chip waits for it.
template <class T>
void LayerTimer<T>::addHost(LayerPasses<T>& p) const
{
    const auto& c = m_plan.software.constants;
    T floor = m_in(c.hostLayer);
    if (m_plan.parallelism.tensor > 1)
        floor = floor * m_in(c.hostTensorFactor);
    if (m_plan.software.graphs == scenario::Graphs::Full)
        floor = floor * m_in(c.hostGraphs);
    else if (m_plan.software.graphs == scenario::Graphs::Partial)
        floor = floor * m_in(c.hostPartialGraphs);
    const Seconds<T> none(T(0.0));
    Seconds<T> waitForward;
    Seconds<T> waitBackward;
    if (m_layer.moe && m_plan.software.graphs != scenario::Graphs::Full &&
        !m_plan.workload.tokenDrop) {
        // The host waits for the tokens of each expert, and then launches one expert after the
        // other: none takes less than its launches, of which backward has twice as many.
        const Seconds<T> wait(m_in(c.hostMoeLayer));
        const Seconds<T> launches(m_in(c.hostExpert) * m_layer.experts / m_c.layout.expert);
        waitForward = wait + units::max(none, launches - m_experts.forward);
        waitBackward = wait + units::max(none, T(2.0) * launches - m_experts.backward);
    }
    const Seconds<T> least(floor);
    p.forward.host = units::max(waitForward, least - p.forward.total());
    p.backward.host = units::max(waitBackward, least - p.backward.total());
}

/// Names the parts of a layer's pass, so that an explanation can stop at them.
template <class T>
void nameLayer(PassCost<T>& p)
{
    const auto name = [](std::string_view key, Seconds<T>& part) {
        part = named(key, units::Unit::Seconds, part);
    };
    name("pass.matrix_s", p.matrix);
    name("pass.weight_s", p.weight);
    name("pass.attention_s", p.attention);
    name("pass.stream_s", p.stream);
    name("pass.quantization_s", p.quantization);
    name("pass.recompute_s", p.recompute);
    name("pass.host_s", p.host);
    name("pass.tensor_s", p.tensor);
    name("pass.context_s", p.context);
    name("pass.expert_s", p.expert);
}

template <class T>
LayerPasses<T> LayerTimer<T>::passes()
{
    LayerPasses<T> p;
    addProducts(p);
    addStreams(p);
    addTensor(p);
    addContext(p);
    addExpert(p);
    addRecompute(p);
    addHost(p);
    nameLayer(p.forward);
    nameLayer(p.backward);
    return p;
}

} // namespace

template <class T>
LayerPasses<T> layerPasses(const StepContext<T>& context, const Layer<T>& layer,
                           std::int64_t nodeLimit)
{
    return LayerTimer<T>(context, layer, nodeLimit).passes();
}

template <class T>
LayerPasses<T> headPasses(const StepContext<T>& c)
{
    const scenario::Scenario& plan = c.in.plan();
    const T t = c.layout.tensor;
    const T h = c.in(plan.model.hidden);
    const T rows = c.layout.microTokens;
    const T columns = c.in(plan.model.vocabulary) / t;
    const Format f = plan.precision.head;
    LayerPasses<T> p;
    p.forward.matrix = c.maturity * chip::gemmTime(c.in, f, rows, columns, h);
    p.backward.weight = c.maturity * chip::gemmTime(c.in, f, h, columns, rows);
    p.backward.matrix = p.backward.weight + c.maturity * chip::gemmTime(c.in, f, rows, h, columns);
    const T logits =
        rows * (plan.software.logits == scenario::Logits::Gathered ? columns * t : columns);
    const T bytes = T(plan.software.fusedLoss ? kLossFused : kLossApart) * logits;
    p.forward.stream = c.maturity * chip::streamTime(c.in, Bytes<T>(bytes));
    return p;
}

template <class T>
LayerPasses<T> projectionPasses(const StepContext<T>& c)
{
    const T h = c.in(c.in.plan().model.hidden);
    const T t = c.layout.tensor;
    const T rows = c.layout.microTokens;
    const Format f = c.in.plan().precision.compute;
    LayerPasses<T> p;
    p.forward.matrix = c.maturity * chip::gemmTime(c.in, f, rows, h / t, T(2.0) * h);
    p.backward.weight = p.forward.matrix;
    p.backward.matrix = T(2.0) * p.forward.matrix;
    return p;
}

template <class T>
Bytes<T> sendBytes(const StepContext<T>& c)
{
    // Each tensor rank sends its part, also of what all of them hold whole: the other side gathers
    // it inside its domain. [scatter/gather: Narayanan et al. 2021, sec. 4.1]
    const scenario::Scenario& plan = c.in.plan();
    return Bytes<T>(T(2.0) * c.layout.microTokens * c.in(plan.model.hidden) / c.layout.tensor);
}

#define CW_INSTANTIATE(T)                                                                          \
    template struct Repeated<T>;                                                                   \
    template struct PassCost<T>;                                                                   \
    template LayerPasses<T> layerPasses(const StepContext<T>&, const Layer<T>&, std::int64_t);     \
    template LayerPasses<T> headPasses(const StepContext<T>&);                                     \
    template LayerPasses<T> projectionPasses(const StepContext<T>&);                               \
    template Bytes<T> sendBytes(const StepContext<T>&);
CW_INSTANTIATE(double)
CW_INSTANTIATE(Traced)
#undef CW_INSTANTIATE

} // namespace cw::step
