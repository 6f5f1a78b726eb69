// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/evaluation/bands.h"

#include "model/evaluation/goodputband.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "resources/embedded.h"

namespace cw::evaluation {

using Json = nlohmann::json;

namespace {

constexpr double kCoverage = 0.8;

struct Table
{
    std::vector<BandClass> classes;
    std::vector<std::string> chips; ///< presets with measured steps
    double mostChips = 0;
};

const Table& table()
{
    static const Table all = [] {
        Table t;
        const Json json = Json::parse(resources::file("calibration/bands.json"));
        for (const Json& j : json.at("classes"))
            t.classes.push_back({j.at("quantity").get<std::string>(),
                                 j.at("stack").get<std::string>(), j.at("kind").get<std::string>(),
                                 j.at("scale").get<std::string>(), j.at("rows").get<std::size_t>(),
                                 j.at("low").get<double>(), j.at("high").get<double>(),
                                 j.value("worst", 0.0)});
        t.chips = json.at("chips").get<std::vector<std::string>>();
        t.mostChips = json.at("most_chips").get<double>();
        return t;
    }();
    return all;
}

bool isMoe(const scenario::Scenario& plan)
{
    return std::any_of(plan.model.groups.begin(), plan.model.groups.end(),
                       [](const auto& g) { return g.ffn.kind == scenario::FfnKind::Moe; });
}

bool fits(const std::string& of, const std::string& what)
{
    return of.empty() || of == what;
}

void add(Evaluation& e, const char* quantity, double value, double low, double high,
         const std::string& from, std::size_t rows)
{
    if (std::isfinite(value))
        e.bands.push_back({quantity, value * low, value * high, kCoverage, from, rows});
}

/// The run's: of the step and of the goodput, which do not hang together.
void addRunBands(Evaluation& e, const BandClass& step, const std::string& from)
{
    double low = 1;
    double high = 1;
    for (const Band& b : e.bands) {
        if (b.quantity != "run.goodput" || !(e.run.goodput > 0))
            continue;
        low = b.low / e.run.goodput;
        high = b.high / e.run.goodput;
    }
    const auto both = [](double a, double b) {
        return std::exp(std::hypot(std::log(a), std::log(b)));
    };
    const double longer = both(std::max(step.high, 1.0), std::min(low, 1.0));
    const double shorter = 1 / both(std::min(step.low, 1.0), std::max(high, 1.0));
    const auto time = [&](const char* quantity, double value) {
        add(e, quantity, value, shorter, longer, from, step.rows);
    };
    time("run.days", e.run.days);
    add(e, "run.effective_mfu", e.run.effectiveMfu, 1 / longer, 1 / shorter, from, step.rows);
    time("cost.per_run", e.cost.perRun.si());
    time("cost.per_million_tokens", e.cost.perMillionTokens.si());
}

} // namespace

const std::vector<BandClass>& bandClasses()
{
    return table().classes;
}

Likeness likenessOf(const scenario::Scenario& plan)
{
    Likeness l;
    const bool named = !plan.software.preset.empty() && plan.software.preset != "unnamed";
    l.stack = named ? plan.software.preset : "unnamed";
    l.kind = isMoe(plan) ? "moe" : "dense";
    l.scale = plan.cluster.chips > 64 ? "65-" : "1-64";
    const auto& chips = table().chips;
    if (named && std::find(chips.begin(), chips.end(), plan.cluster.chip.preset) == chips.end())
        l.beyond = "chip";
    else if (named && static_cast<double>(plan.cluster.chips) > table().mostChips)
        l.beyond = "scale";
    if (!l.beyond.empty())
        l.stack = "unnamed";
    return l;
}

const BandClass* classFor(const std::vector<BandClass>& table, std::string_view quantity,
                          const Likeness& likeness)
{
    const bool named = likeness.stack != "unnamed";
    const BandClass* best = nullptr;
    int most = -1;
    for (const BandClass& c : table) {
        const bool stack = c.stack == likeness.stack || (named && c.stack == "named");
        if (c.quantity != quantity || !stack || !fits(c.kind, likeness.kind) ||
            !fits(c.scale, likeness.scale))
            continue;
        const int narrow = (c.stack == likeness.stack ? 4 : 0) + (c.kind.empty() ? 0 : 2) +
                           (c.scale.empty() ? 0 : 1);
        if (narrow > most) {
            most = narrow;
            best = &c;
        }
    }
    return best;
}

BandClass extrapolated(const BandClass& c, const Likeness& likeness)
{
    if (likeness.beyond.empty())
        return c;
    // Rows of one chip or size err to one side; of another nobody knows to which.
    BandClass wide = c;
    const double factor = std::max({c.high, 1 / c.low, 1.0});
    wide.low = 1 / factor;
    wide.high = factor;
    return wide;
}

std::string keyOf(const BandClass& c, const Likeness& likeness)
{
    if (c.quantity == "memory")
        return c.stack == "named" || c.stack == "unnamed" ? "band.memory" : "band.memory-stack";
    if (!likeness.beyond.empty())
        return "band.beyond-" + likeness.beyond;
    if (c.stack == "unnamed")
        return "band.unknown-stack";
    return c.stack == "named" ? "band.known-stack" : "band.stack";
}

void addBands(const scenario::Scenario& plan, Evaluation& e)
{
    const Likeness like = likenessOf(plan);
    const GoodputBand goodput = goodputBand(plan, e);
    if (goodput.low < goodput.high)
        e.bands.push_back({"run.goodput", goodput.low, goodput.high, kCoverage, "band.goodput", 0});
    // A utilization that the planner states is not a prediction.
    const BandClass* steps =
        plan.software.assumedMfu ? nullptr : classFor(bandClasses(), "step", like);
    if (steps != nullptr) {
        const std::string from = keyOf(*steps, like);
        const BandClass c = extrapolated(*steps, like);
        const auto time = [&](const char* quantity, double value) {
            add(e, quantity, value, c.low, c.high, from, c.rows);
        };
        const auto rate = [&](const char* quantity, double value) {
            add(e, quantity, value, 1 / c.high, 1 / c.low, from, c.rows);
        };
        time("step.time_s", e.step.time.si());
        rate("throughput.tokens_per_s", e.throughput.tokens.si());
        rate("throughput.tokens_per_s_per_chip", e.throughput.tokensPerChip.si());
        rate("throughput.model_tflops_per_chip", e.throughput.modelPerChip.si() / 1e12);
        rate("throughput.mfu", e.throughput.mfu);
        rate("throughput.hfu", e.throughput.hfu);
        time("cost.per_step", e.cost.perStep.si());
        addRunBands(e, c, from);
    }
    if (const BandClass* c = classFor(bandClasses(), "memory", like)) {
        const std::string from = keyOf(*c, like);
        add(e, "memory.peak_bytes", e.memory.peak.si(), c->low, c->high, from, c->rows);
        add(e, "memory.reserved_bytes", e.memory.reserved.si(), c->low, c->high, from, c->rows);
    }
}

} // namespace cw::evaluation
