// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/scenario/checks.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "model/scenario/domainfit.h"
#include "model/scenario/layout.h"
#include "model/scenario/registry.h"
#include "model/units/text.h"

namespace cw::scenario {

namespace {

std::string text(std::int64_t n)
{
    return std::to_string(n);
}

double real(std::int64_t n)
{
    return static_cast<double>(n);
}

/// The divisors of n nearest to x on both sides (x itself is none).
std::vector<double> nearestDivisors(std::int64_t n, std::int64_t x)
{
    std::int64_t below = 0;
    std::int64_t above = 0;
    for (std::int64_t small = 1; small <= n / small; ++small) {
        if (n % small != 0)
            continue;
        for (const std::int64_t d : {small, n / small}) {
            if (d < x && d > below)
                below = d;
            if (d > x && (above == 0 || d < above))
                above = d;
        }
    }
    std::vector<double> nearest;
    if (below > 0)
        nearest.push_back(real(below));
    if (above > 0)
        nearest.push_back(real(above));
    return nearest;
}

class Checker
{
public:
    explicit Checker(const Scenario& s) : m_s(s), m_p(s.parallelism) {}

    std::vector<Violation> found;

    void run()
    {
        if (m_s.model.groups.empty()) {
            add("model.groups", "rule.no-layers", {});
            return;
        }
        for (std::size_t i = 0; i < m_s.model.groups.size(); ++i)
            checkGroup(i);
        checkPipeline();
        checkOrder();
        checkSharding();
        checkBatch();
        checkExperts();
        checkChips();
        checkSequence();
    }

private:
    void add(std::string path, std::string rule, std::map<std::string, std::string> arguments,
             std::vector<double> nearest = {})
    {
        // The same fault in several layer groups is told once.
        for (const Violation& v : found)
            if (v.rule == rule && v.path == path)
                return;
        found.push_back(
            {std::move(path), std::move(rule), std::move(arguments), std::move(nearest)});
    }

    /// `degree` must divide `whole`.
    void divides(const char* path, std::int64_t degree, std::int64_t whole, const char* rule)
    {
        if (whole % degree != 0)
            add(path, rule, {{"degree", text(degree)}, {"whole", text(whole)}},
                nearestDivisors(whole, degree));
    }

    void checkGroup(std::size_t index)
    {
        const LayerGroup& g = m_s.model.groups[index];
        const Attention& a = g.attention;
        const std::string path = "model.groups." + std::to_string(index);
        if (a.heads < 1)
            add(path + ".attention.heads", "rule.no-heads", {}, {1});
        else
            divides("parallelism.tensor", m_p.tensor, a.heads, "rule.tensor-divides-heads");
        if (a.kind != AttentionKind::Mla && a.keyValueHeads > 0 && a.heads % a.keyValueHeads != 0)
            add(path + ".attention.key_value_heads", "rule.groups-divide-heads",
                {{"degree", text(a.keyValueHeads)}, {"whole", text(a.heads)}},
                nearestDivisors(a.heads, a.keyValueHeads));
        // All-to-all context cuts the heads that tensor parallelism leaves.
        if (m_p.contextKind == ContextKind::AllToAll && a.heads >= 1 && a.heads % m_p.tensor == 0 &&
            a.heads / m_p.tensor % m_p.context != 0)
            add("parallelism.context", "rule.context-divides-heads",
                {{"degree", text(m_p.context * m_p.tensor)}, {"whole", text(a.heads)}},
                nearestDivisors(a.heads / m_p.tensor, m_p.context));
        if (a.kind == AttentionKind::Mla &&
            (a.keyValueRank < 1 || a.valueDim < 1 || a.nopeDim + a.ropeDim < 1))
            add(path + ".attention.key_value_rank", "rule.mla-dimensions", {});
        checkFfn(g.ffn, path);
    }

    void checkFfn(const Ffn& f, const std::string& path)
    {
        if (f.kind == FfnKind::None)
            return;
        if (f.hidden < 1)
            add(path + ".ffn.hidden", "rule.no-width", {}, {1});
        else if (f.kind == FfnKind::Dense)
            divides("parallelism.tensor", m_p.tensor, f.hidden, "rule.tensor-divides-ffn");
        if (f.kind != FfnKind::Moe)
            return;
        if (f.experts < 1 || f.topK < 1 || f.topK > f.experts)
            add(path + ".ffn.top_k", "rule.top-k",
                {{"degree", text(f.topK)}, {"whole", text(f.experts)}},
                {real(std::clamp<std::int64_t>(f.topK, 1, std::max<std::int64_t>(f.experts, 1)))});
        else
            divides("parallelism.expert", m_p.expert, f.experts, "rule.expert-divides-experts");
        if (f.hidden >= 1)
            divides("parallelism.expert_tensor", m_p.expertTensor, f.hidden,
                    "rule.expert-tensor-divides-width");
    }

    void checkPipeline()
    {
        std::int64_t layers = 0;
        for (const LayerGroup& g : m_s.model.groups)
            layers += g.count;
        const std::int64_t chunks = chunksOf(m_p);
        const double slices = real(m_p.pipeline) * real(chunks);
        if (slices > real(layers))
            add("parallelism.pipeline", "rule.fewer-layers-than-stages",
                {{"degree", units::rounded(slices, 12)}, {"whole", text(layers)}},
                {real(std::max<std::int64_t>(1, layers / chunks))});
        if (!m_p.stageLayers.empty()) {
            std::int64_t sum = 0;
            for (const std::int64_t n : m_p.stageLayers)
                sum += n;
            if (sum != layers || real(static_cast<std::int64_t>(m_p.stageLayers.size())) != slices)
                add("parallelism.stage_layers", "rule.stage-layers-sum",
                    {{"sum", text(sum)},
                     {"whole", text(layers)},
                     {"count", std::to_string(m_p.stageLayers.size())},
                     {"slices", units::rounded(slices, 12)}});
        }
    }

    /// Every axis stands once in the order of ranks.
    void checkOrder()
    {
        auto sorted = m_p.order;
        std::sort(sorted.begin(), sorted.end());
        const bool once = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
        if (sorted.size() != EnumNames<Axis>::value.size() || !once)
            add("parallelism.order", "rule.order", {});
    }

    void checkSharding()
    {
        if (!m_p.shardingGroup)
            return;
        const double ranks = real(data()) * real(m_p.context);
        if (std::fmod(ranks, real(*m_p.shardingGroup)) != 0)
            add("parallelism.sharding_group", "rule.sharding-divides",
                {{"degree", text(*m_p.shardingGroup)}, {"whole", units::rounded(ranks, 12)}},
                nearestDivisors(static_cast<std::int64_t>(ranks), *m_p.shardingGroup));
    }

    void checkBatch()
    {
        const double replica = real(m_p.microBatchSequences) * real(data());
        const double batch = real(m_s.workload.globalBatchSequences);
        if (std::fmod(batch, replica) != 0) {
            const double down = std::floor(batch / replica) * replica;
            std::vector<double> nearest;
            if (down >= 1)
                nearest.push_back(down);
            nearest.push_back(down + replica);
            add("workload.global_batch_sequences", "rule.batch-divides",
                {{"whole", text(m_s.workload.globalBatchSequences)},
                 {"degree", units::rounded(replica, 12)}},
                nearest);
        }
    }

    void checkExperts()
    {
        const bool moe =
            std::any_of(m_s.model.groups.begin(), m_s.model.groups.end(),
                        [](const LayerGroup& g) { return g.ffn.kind == FfnKind::Moe; });
        if (!moe && m_p.expert > 1) {
            add("parallelism.expert", "rule.expert-without-experts", {{"degree", text(m_p.expert)}},
                {1});
            return;
        }
        const double ranks = real(m_p.tensor) * real(m_p.context) * real(data());
        const double group = real(m_p.expert) * real(m_p.expertTensor);
        if (std::fmod(ranks, group) != 0)
            add("parallelism.expert", "rule.expert-group",
                {{"degree", units::rounded(group, 12)}, {"whole", units::rounded(ranks, 12)}},
                nearestDivisors(static_cast<std::int64_t>(ranks),
                                static_cast<std::int64_t>(group)));
    }

    void checkChips()
    {
        const double replica = real(m_p.tensor) * real(m_p.context) * real(m_p.pipeline);
        const double ranks = replica * real(data());
        const double used = ranks * real(m_s.workload.jobs);
        const double there = real(m_s.cluster.chips) -
                             (m_s.cluster.spareChips ? real(*m_s.cluster.spareChips) : 0.0);
        const DomainFit fit = domainFit(m_s, real(data()));
        if (used <= there && fit.holds(ranks))
            return;
        const double needed = fit.chipsFor(ranks);
        const std::vector<double> nearest =
            m_p.data ? std::vector<double>{std::max(1.0, mostReplicas(m_s))}
                     : std::vector<double>{std::max(used, needed)};
        const char* path = m_p.data ? "parallelism.data" : "cluster.chips";
        if (used > there)
            add(path, "rule.more-chips-than-there-are",
                {{"degree", units::rounded(used, 12)}, {"whole", units::rounded(there, 12)}},
                nearest);
        else
            add(path, "rule.domains-hold-fewer",
                {{"degree", units::rounded(used, 12)},
                 {"domains", units::rounded(fit.domainsOf(ranks), 12)},
                 {"block", units::rounded(fit.block, 12)},
                 {"used", units::rounded(fit.domain, 12)},
                 {"whole", units::rounded(fit.domainChips, 12)},
                 {"slots", units::rounded(fit.places(), 12)},
                 {"chips", units::rounded(needed, 12)}},
                nearest);
    }

    void checkSequence()
    {
        const std::int64_t s = m_s.workload.sequenceLength;
        // Causal load balance cuts the sequence into two pieces per context rank.
        const std::int64_t cuts = m_p.context > 1 ? 2 * m_p.context : 1;
        if (s % cuts != 0)
            add("parallelism.context", "rule.context-divides-sequence",
                {{"degree", text(cuts)}, {"whole", text(s)}}, nearestDivisors(s, m_p.context));
        if (m_p.sequenceParallel && m_p.tensor > 1 &&
            (s / std::max<std::int64_t>(1, m_p.context)) % m_p.tensor != 0)
            add("parallelism.tensor", "rule.tensor-divides-sequence",
                {{"degree", text(m_p.tensor)}, {"whole", text(s / m_p.context)}},
                nearestDivisors(s / m_p.context, m_p.tensor));
    }

    std::int64_t data() const { return m_p.data ? *m_p.data : derivedData(m_s); }

    const Scenario& m_s;
    const Parallelism& m_p;
};

} // namespace

std::vector<Violation> checkPlan(const Scenario& scenario)
{
    Checker checker(scenario);
    checker.run();
    return std::move(checker.found);
}

std::vector<DegreeOption> degreeOptions(const Scenario& scenario, const std::string& path)
{
    const auto current = valueAt(scenario, path);
    std::set<std::int64_t> values;
    for (std::int64_t v = 1; v <= 1024; v *= 2)
        values.insert(v);
    for (const std::int64_t v : {3, 6, 12, 24, 48, 5, 7, 9, 18, 36, 72, 96, 192, 384})
        values.insert(v);
    if (current && std::holds_alternative<double>(*current))
        values.insert(static_cast<std::int64_t>(std::get<double>(*current)));
    std::vector<DegreeOption> options;
    for (const std::int64_t v : values) {
        Scenario tried = scenario;
        if (setValue(tried, path, Value(real(v))))
            continue;
        DegreeOption option{v, {}, {}};
        for (Violation& violation : checkPlan(tried)) {
            if (violation.path == path) {
                option.rule = std::move(violation.rule);
                option.arguments = std::move(violation.arguments);
                break;
            }
        }
        // Values that are neither powers of two nor legal would only be clutter.
        const bool power = (v & (v - 1)) == 0;
        const bool isCurrent = current && std::holds_alternative<double>(*current) &&
                               std::get<double>(*current) == real(v);
        if (power || option.rule.empty() || isCurrent)
            options.push_back(std::move(option));
    }
    return options;
}

} // namespace cw::scenario
