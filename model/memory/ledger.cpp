// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/memory/ledger.h"

#include "model/memory/borderline.h"

#include <algorithm>
#include <cmath>

#include "model/scenario/routing.h"
#include "model/schedule/closedform.h"
#include "model/schedule/placement.h"

namespace cw::memory {

using explain::named;
using explain::Traced;
using explain::valueOf;
using scenario::Inputs;
using scenario::Layout;
using transformer::Layer;
using units::Bytes;
using units::Unit;

namespace {

/// Bytes of state for one parameter of each kind.
template <class T>
struct StateBytes
{
    T weight;
    T gradient;
    T optimizer;
};

template <class T>
StateBytes<T> stateBytes(const scenario::Precision& p)
{
    StateBytes<T> b;
    b.weight = T(bytesOf(p.weights) + (p.computeCopy ? bytesOf(*p.computeCopy) : 0.0));
    b.gradient =
        T(bytesOf(p.gradients) + (p.gradientAccumulation ? bytesOf(*p.gradientAccumulation) : 0.0));
    // Adam keeps two moments [Kingma & Ba 2015], Muon one; Adafactor's factors are negligible.
    const double moments = p.optimizer == scenario::Optimizer::Adam   ? 2
                           : p.optimizer == scenario::Optimizer::Muon ? 1
                           : p.optimizer == scenario::Optimizer::Sgd  ? 1
                                                                      : 0;
    b.optimizer = T((p.masterWeights ? bytesOf(*p.masterWeights) : 0.0) +
                    moments * bytesOf(p.optimizerMoments));
    return b;
}

/// Parameters of a stage on one rank, before data-parallel sharding.
template <class T>
struct StageParameters
{
    T other{0.0};
    T experts{0.0};
};

template <class T>
struct GroupTerms
{
    T other; ///< parameters of one layer on a rank
    T experts;
    LayerActivations<T> kept;
    LayerActivations<T> everything;
    Bytes<T> backward; ///< working set of backward beside what is kept
};

/// The gradient of a matrix stands in fp32 beside the buffer that it is added to.
constexpr double kWeightGradientBytes = 4;

/// What backward of a layer needs beside its activations: the gradient of its largest matrix, and
/// those of what stands between the products of the FFN, in 16 bit.
/// [allocator peaks of SimuMax's runs, with 1, 2, 4 and 8 tensor ranks]
template <class T>
Bytes<T> backwardSet(const Layout<T>& layout, const Layer<T>& layer)
{
    T largest{0.0};
    for (const transformer::Matrix<T>& m : layer) {
        const T cut = m.split == transformer::Split::Replicated ? T(1.0)
                      : m.split == transformer::Split::Expert   ? layout.expertTensor
                                                                : layout.tensor;
        const T size = m.in * m.out / cut;
        largest = largest < size ? size : largest;
    }
    const T width = (layer.gated ? T(3.0) : T(2.0)) * layer.denseWidth / layout.tensor;
    return Bytes<T>(T(kWeightGradientBytes) * largest + T(2.0) * layout.microTokens * width);
}

template <class T>
T paddedVocabulary(const Inputs<T>& in, const Layout<T>& layout)
{
    const T multiple = in(in.plan().model.paddedVocabularyMultiple) * layout.tensor;
    using std::ceil;
    return ceil(in(in.plan().model.vocabulary) / multiple) * multiple;
}

template <class T>
class LedgerBuilder
{
public:
    LedgerBuilder(const Inputs<T>& in, const Layout<T>& layout, const std::vector<Layer<T>>& layers)
        : m_in(in), m_layout(layout), m_layers(layers), m_plan(in.plan()),
          m_state(stateBytes<T>(in.plan().precision)),
          m_slices(transformer::slicesOf(in.plan(), layout.stages * layout.chunks))
    {
        const T& t = layout.tensor;
        for (const Layer<T>& layer : layers) {
            const auto p = transformer::parametersOf(layer);
            m_groups.push_back({transformer::parametersOnRank(layer, t),
                                p.experts / (layout.expert * layout.expertTensor),
                                activationsOf(in, layout, layer, false),
                                activationsOf(in, layout, layer, true),
                                backwardSet(layout, layer)});
        }
        m_table = paddedVocabulary(in, layout) * in(m_plan.model.hidden) / t;
    }

    StageMemory<T> stage(std::int64_t device) const;
    T statePerParameter() const { return m_state.weight + m_state.gradient + m_state.optimizer; }
    T checkpointPerParameter() const { return m_state.weight + m_state.optimizer; }

private:
    std::vector<std::size_t> slicesOn(std::int64_t device, bool copies) const;
    void addSlice(const transformer::Slice& slice, StageParameters<T>& p) const;
    void addState(StageMemory<T>& m, const StageParameters<T>& p) const;
    void addActivations(StageMemory<T>& m, std::int64_t device) const;
    void addTemporary(StageMemory<T>& m, std::int64_t device) const;
    void addBuffers(StageMemory<T>& m, std::int64_t device) const;
    Bytes<T> offloadBuffers(const StageMemory<T>& m) const;
    void sum(StageMemory<T>& m) const;

    const Inputs<T>& m_in;
    const Layout<T>& m_layout;
    const std::vector<Layer<T>>& m_layers;
    const scenario::Scenario& m_plan;
    StateBytes<T> m_state;
    std::vector<transformer::Slice> m_slices;
    std::vector<GroupTerms<T>> m_groups;
    T m_table{0.0}; ///< parameters of one embedding table on a rank
};

template <class T>
std::vector<std::size_t> LedgerBuilder<T>::slicesOn(std::int64_t device, bool copies) const
{
    const auto& p = m_plan.parallelism;
    const int p0 = static_cast<int>(p.pipeline);
    const int v = static_cast<int>(p.virtualStages);
    const int chunks = copies ? schedule::chunksPerDevice(p.schedule, v)
                              : schedule::chunksPerMicroBatch(p.schedule, v);
    std::vector<std::size_t> on;
    for (int c = 0; c < chunks; ++c) {
        const int at = schedule::chunkPosition(p.schedule, static_cast<int>(device), c, p0, v);
        if (at >= 0 && static_cast<std::size_t>(at) < m_slices.size())
            on.push_back(static_cast<std::size_t>(at));
    }
    return on;
}

template <class T>
void LedgerBuilder<T>::addSlice(const transformer::Slice& slice, StageParameters<T>& p) const
{
    for (std::size_t g = 0; g < m_groups.size(); ++g) {
        if (slice.layers[g] == 0)
            continue;
        const T count = T(static_cast<double>(slice.layers[g]));
        p.other = p.other + count * m_groups[g].other;
        p.experts = p.experts + count * m_groups[g].experts;
    }
    const scenario::Model& model = m_plan.model;
    const T h = m_in(model.hidden);
    if (slice.embedding) {
        p.other = p.other + m_table;
        if (model.learnedPositions > 0)
            p.other = p.other + m_in(model.learnedPositions) * h;
    }
    if (slice.head) {
        p.other = p.other + h;
        // A tied head on another stage than the embedding is a copy of it.
        if (!model.tiedEmbeddings || m_layout.stages > 1)
            p.other = p.other + m_table;
    }
    if (slice.mtp > 0) {
        const T count = T(static_cast<double>(slice.mtp));
        p.other = p.other + count * (m_groups.back().other + T(2.0) * h * h);
        p.experts = p.experts + count * m_groups.back().experts;
        if (m_layout.stages > 1) // the prediction modules look up the embedding again
            p.other = p.other + m_table;
    }
}

template <class T>
void LedgerBuilder<T>::addState(StageMemory<T>& m, const StageParameters<T>& p) const
{
    const T one = T(1.0);
    const std::int64_t zero = m_plan.parallelism.zeroStage;
    const T weights = zero >= 3 ? m_layout.sharding : one;
    const T weightsExperts = zero >= 3 ? m_layout.expertSharding : one;
    const T gradients = zero >= 2 ? m_layout.sharding : one;
    const T gradientsExperts = zero >= 2 ? m_layout.expertSharding : one;
    const T optimizer = zero >= 1 ? m_layout.sharding : one;
    const T optimizerExperts = zero >= 1 ? m_layout.expertSharding : one;
    const T optimizerAway = m_in(m_plan.parallelism.offload.optimizer);
    const T expertsAway = m_in(m_plan.parallelism.offload.experts);

    const T expertWeights = m_state.weight * p.experts / weightsExperts;
    const T optimizerState =
        m_state.optimizer * (p.other / optimizer + p.experts / optimizerExperts);
    m.weightsExperts =
        named("memory.weights_experts", Unit::Bytes, Bytes<T>((one - expertsAway) * expertWeights));
    m.weights = named("memory.weights", Unit::Bytes,
                      Bytes<T>(m_state.weight * p.other / weights) + m.weightsExperts);
    m.gradients =
        named("memory.gradients", Unit::Bytes,
              Bytes<T>(m_state.gradient * (p.other / gradients + p.experts / gradientsExperts)));
    m.optimizer =
        named("memory.optimizer", Unit::Bytes, Bytes<T>((one - optimizerAway) * optimizerState));
    m.away = Bytes<T>(expertsAway * expertWeights + optimizerAway * optimizerState);
}

template <class T>
void LedgerBuilder<T>::addActivations(StageMemory<T>& m, std::int64_t device) const
{
    T attention = T(0.0);
    T dense = T(0.0);
    T experts = T(0.0);
    T norms = T(0.0);
    T layers = T(0.0);
    for (const std::size_t slice : slicesOn(device, false)) {
        for (std::size_t g = 0; g < m_groups.size(); ++g) {
            const std::int64_t n =
                m_slices[slice].layers[g] + (g + 1 == m_groups.size() ? m_slices[slice].mtp : 0);
            if (n == 0)
                continue;
            const T count = T(static_cast<double>(n));
            layers = layers + count;
            // Recomputation may cover only some layers of a stage.
            T share = T(1.0);
            if (m_plan.parallelism.recomputeLayers) {
                const T most = m_in(m_plan.parallelism.recomputeLayers) /
                               T(static_cast<double>(std::max<std::int64_t>(m.layers, 1)));
                share = most < T(1.0) ? most : T(1.0);
            }
            const T rest = T(1.0) - share;
            const auto mix = [&](const Bytes<T>& kept, const Bytes<T>& whole) {
                return count * (share * kept.si() + rest * whole.si());
            };
            const GroupTerms<T>& k = m_groups[g];
            attention = attention + mix(k.kept.attention, k.everything.attention);
            dense = dense + mix(k.kept.dense, k.everything.dense);
            experts = experts + mix(k.kept.experts, k.everything.experts);
            norms = norms + mix(k.kept.norms, k.everything.norms);
        }
    }
    const schedule::Shape<T> shape{m_layout.pipeline, m_layout.virtualStages,
                                   m_layout.microBatches};
    m.inFlight =
        named("memory.in_flight", Unit::None,
              schedule::inFlight(m_plan.parallelism.schedule, static_cast<int>(device), shape));
    const T away = m_in(m_plan.parallelism.offload.activations);
    m.away = m.away + Bytes<T>(m.inFlight * away * (attention + dense + experts + norms));
    m.activationsPerMicroBatch = Bytes<T>(attention + dense + experts + norms);
    const T held = m.inFlight * (T(1.0) - away);
    m.activationsAttention =
        named("memory.activations_attention", Unit::Bytes, Bytes<T>(held * attention));
    m.activationsDense = named("memory.activations_dense", Unit::Bytes, Bytes<T>(held * dense));
    m.activationsExperts =
        named("memory.activations_experts", Unit::Bytes, Bytes<T>(held * experts));
    m.activationsNorms = named("memory.activations_norms", Unit::Bytes, Bytes<T>(held * norms));
    m.activations = named("memory.activations", Unit::Bytes,
                          m.activationsAttention + m.activationsDense + m.activationsExperts +
                              m.activationsNorms);
}

template <class T>
void LedgerBuilder<T>::addTemporary(StageMemory<T>& m, std::int64_t device) const
{
    bool head = false;
    for (const std::size_t slice : slicesOn(device, true))
        head = head || m_slices[slice].head;
    Bytes<T> logits(T(0.0));
    if (head) {
        // Fused: 16-bit logits and one fp32 copy that becomes the gradient; else three copies.
        const T bytes = T(m_plan.software.fusedLoss ? 6.0 : 12.0);
        const T cut =
            m_plan.software.logits == scenario::Logits::Gathered ? T(1.0) : m_layout.tensor;
        logits = Bytes<T>(bytes * m_layout.microTokens * paddedVocabulary(m_in, m_layout) / cut);
    }
    m.temporaryLogits = named("memory.temporary_logits", Unit::Bytes, logits);
    Bytes<T> again(T(0.0));
    const bool recomputes = !m_plan.parallelism.recompute.empty();
    for (const GroupTerms<T>& g : m_groups) {
        // While a layer is computed again, what was dropped of it is there once more.
        const Bytes<T> dropped =
            recomputes ? g.everything.total() - g.kept.total() : Bytes<T>(T(0.0));
        again = units::max(again, dropped + g.backward);
    }
    m.temporaryRecompute = named("memory.temporary_recompute", Unit::Bytes, again);
    Bytes<T> gathered(T(0.0));
    if (m_plan.parallelism.zeroStage >= 3) {
        // The layer at work and the next one, gathered in the format they travel in.
        const T bytes = T(2.0 * bytesOf(m_plan.precision.parameterGather));
        for (const GroupTerms<T>& g : m_groups)
            gathered = units::max(gathered, Bytes<T>(bytes * (g.other + g.experts)));
    }
    const Bytes<T> headGradient(head ? T(kWeightGradientBytes) * m_table : T(0.0));
    m.temporary =
        named("memory.temporary", Unit::Bytes,
              units::max(m.temporaryLogits + headGradient, m.temporaryRecompute) + gathered);
}

template <class T>
void LedgerBuilder<T>::addBuffers(StageMemory<T>& m, std::int64_t device) const
{
    Bytes<T> bytes(T(0.0));
    if (m_layout.stages > 1) // one being received and one being sent, each way
        bytes = bytes + Bytes<T>(T(2.0) * layerInput(m_in, m_layout).si());
    bool moe = false;
    for (const std::size_t slice : slicesOn(device, true))
        for (std::size_t g = 0; g < m_layers.size(); ++g)
            moe = moe || (m_layers[g].moe && m_slices[slice].layers[g] > 0);
    if (moe && m_plan.parallelism.expert > 1) {
        T most = T(0.0);
        for (const Layer<T>& layer : m_layers)
            if (layer.moe && most < layer.topK * layer.expertInput)
                most = layer.topK * layer.expertInput;
        const T formats = T(bytesOf(m_plan.precision.dispatch) + bytesOf(m_plan.precision.combine));
        bytes = bytes + Bytes<T>(formats * most * m_layout.microTokens * m_layout.expertTensor /
                                 m_layout.tensor * scenario::imbalanceOf(m_in));
    }
    m.buffers = named("memory.buffers", Unit::Bytes, bytes + offloadBuffers(m));
}

/// What lives off the device is on it while it is used: the layer at work and the one on its way.
template <class T>
Bytes<T> LedgerBuilder<T>::offloadBuffers(const StageMemory<T>& m) const
{
    using std::min;
    const scenario::Offload& o = m_plan.parallelism.offload;
    Bytes<T> layer(T(0.0));
    T experts(0.0);
    for (const GroupTerms<T>& g : m_groups) {
        layer = units::max(layer, g.kept.total());
        if (experts < g.experts)
            experts = g.experts;
    }
    Bytes<T> bytes(T(0.0));
    if (o.activations > 0.0)
        bytes += m_in(o.activations) *
                 units::min(T(2.0) * layer, m.inFlight * m.activationsPerMicroBatch);
    if (o.experts > 0.0)
        bytes +=
            Bytes<T>(m_in(o.experts) * m_state.weight * min(T(2.0) * experts, m.parametersExperts));
    return bytes;
}

template <class T>
void LedgerBuilder<T>::sum(StageMemory<T>& m) const
{
    m.fixed = named("memory.fixed", Unit::Bytes, Bytes<T>(m_in(m_plan.software.fixedBytes)));
    m.fragmentation = named("memory.fragmentation", Unit::Bytes,
                            Bytes<T>(m_in(m_plan.software.fragmentation) *
                                     (m.activations + m.temporary + m.buffers).si()));
    m.resident = named("memory.resident_bytes", Unit::Bytes,
                       m.weights + m.gradients + m.optimizer + m.fixed);
    m.peak = named("memory.peak_bytes", Unit::Bytes,
                   m.resident + m.activations + m.temporary + m.buffers);
    m.reserved = named("memory.reserved_bytes", Unit::Bytes, m.peak + m.fragmentation);
}

template <class T>
StageMemory<T> LedgerBuilder<T>::stage(std::int64_t device) const
{
    StageMemory<T> m;
    StageParameters<T> p;
    for (const std::size_t slice : slicesOn(device, true)) {
        addSlice(m_slices[slice], p);
    }
    for (const std::size_t slice : slicesOn(device, false))
        for (const std::int64_t n : m_slices[slice].layers)
            m.layers += n;
    m.parameters = p.other;
    m.parametersExperts = p.experts;
    addState(m, p);
    addActivations(m, device);
    addTemporary(m, device);
    addBuffers(m, device);
    sum(m);
    return m;
}

Verdict verdictOf(double reserved, double usable)
{
    if (reserved > usable * (1 + kBorderline))
        return Verdict::DoesNotFit;
    return reserved > usable * (1 - kBorderline) ? Verdict::Borderline : Verdict::Fits;
}

template <class T>
void addOffload(const Inputs<T>& in, MemoryLedger<T>& ledger)
{
    // The stage that keeps the most off its devices is not always the one with the fullest device.
    Bytes<T> most(T(0.0));
    for (const StageMemory<T>& stage : ledger.stages)
        most = units::max(most, stage.away);
    const Bytes<T> bytes(most.si() * in(in.plan().cluster.node.chips));
    if (in.plan().parallelism.offload.target == scenario::OffloadTarget::Nvme)
        ledger.nvme = named("memory.nvme_bytes", Unit::Bytes, bytes);
    else
        ledger.host = named("memory.host_bytes", Unit::Bytes, bytes);
}

} // namespace

template <class T>
MemoryLedger<T> ledgerOf(const Inputs<T>& in, const Layout<T>& layout,
                         const std::vector<Layer<T>>& layers)
{
    const scenario::Chip& chip = in.plan().cluster.chip;
    const LedgerBuilder<T> builder(in, layout, layers);
    MemoryLedger<T> ledger;
    ledger.stages.reserve(static_cast<std::size_t>(layout.stages));
    for (std::int64_t i = 0; i < layout.stages; ++i) {
        ledger.stages.push_back(builder.stage(i));
        if (ledger.stages[ledger.peakStage].reserved < ledger.stages.back().reserved)
            ledger.peakStage = static_cast<std::size_t>(i);
    }
    const StageMemory<T>& fullest = ledger.stages[ledger.peakStage];
    ledger.resident = fullest.resident;
    ledger.peak = fullest.peak;
    ledger.reserved = fullest.reserved;
    ledger.capacity = named("memory.capacity_bytes", Unit::Bytes, Bytes<T>(in(chip.hbmBytes)));
    ledger.usable = named("memory.usable_bytes", Unit::Bytes,
                          chip.hbmUsableBytes
                              ? Bytes<T>(in(chip.hbmUsableBytes))
                              : Bytes<T>(in.constant("constant.usable_share", Unit::Share, 0.99) *
                                         in(chip.hbmBytes)));
    ledger.verdict = verdictOf(valueOf(ledger.reserved), valueOf(ledger.usable));
    ledger.bytesPerParameter =
        named("memory.state_bytes_per_parameter", Unit::None, builder.statePerParameter());
    ledger.checkpointBytesPerParameter =
        named("run.checkpoint_bytes_per_parameter", Unit::None, builder.checkpointPerParameter());
    addOffload(in, ledger);
    return ledger;
}

template MemoryLedger<double> ledgerOf(const Inputs<double>&, const Layout<double>&,
                                       const std::vector<Layer<double>>&);
template MemoryLedger<Traced> ledgerOf(const Inputs<Traced>&, const Layout<Traced>&,
                                       const std::vector<Layer<Traced>>&);

} // namespace cw::memory
