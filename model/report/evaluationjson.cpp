// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/report/evaluationjson.h"

#include <charconv>
#include <cmath>
#include <cstdint>

#include "model/evaluation/limits.h"
#include "model/evaluation/quantities.h"
#include "model/report/networkteller.h"
#include "model/report/writers.h"
#include "model/units/text.h"

namespace cw::report {

using Json = nlohmann::ordered_json;
using evaluation::Evaluation;
using text::Catalogue;

namespace {

Json bandsOf(const Evaluation& e)
{
    Json bands = Json::object();
    for (const evaluation::Band& b : e.bands)
        bands[b.quantity] = {{"low", b.low},
                             {"high", b.high},
                             {"coverage", b.coverage},
                             {"from", b.from},
                             {"rows", b.rows}};
    return bands;
}

Json violationsOf(const Evaluation& e, const Catalogue& words)
{
    Json list = Json::array();
    for (const scenario::Violation& v : e.violations)
        list.push_back({{"path", v.path},
                        {"rule", v.rule},
                        {"message", words.message(v.rule, v.arguments, text::NumberStyle::plain())},
                        {"nearest", v.nearest}});
    return list;
}

/// What a change brings: the figures that decide, before it and after.
Json effectOf(const Evaluation& before, const Evaluation& after)
{
    Json effect{{"feasible", after.feasible}};
    for (const char* quantity : {"step.time_s", "memory.reserved_bytes", "run.days"})
        effect[quantity] = {{"from", *evaluation::figure(before, quantity)},
                            {"to", *evaluation::figure(after, quantity)}};
    return effect;
}

Json limitsOf(const Subject& subject)
{
    auto limits = evaluation::limitsOf(subject.plan.scenario, subject.evaluation);
    evaluation::findRelaxations(limits, subject.plan.scenario, subject.evaluation);
    Json list = Json::array();
    for (const evaluation::Limit& l : limits) {
        Json entry{{"kind", l.kind},
                   {"binding", l.binding},
                   {"slack", l.slack},
                   {"unit", units::symbol(l.unit)},
                   {"weight", l.weight}};
        if (l.relax)
            entry["relax"] = {{"path", l.relax->path},
                              {"value", toJson(l.relax->value)},
                              {"effect", effectOf(subject.evaluation, l.relax->after)}};
        list.push_back(std::move(entry));
    }
    return list;
}

/// What an advised change brings.
Json effectOf(const Subject& subject, const evaluation::Note& note)
{
    scenario::Scenario changed = subject.plan.scenario;
    Json set = Json::object();
    for (const auto& [path, text] : note.change) {
        for (const scenario::Parameter& p : scenario::parameters(changed)) {
            if (p.path != path)
                continue;
            const auto value = scenario::parseValue(p, text);
            if (!value || scenario::setValue(changed, path, *value))
                return nullptr;
            set[path] = toJson(*value);
            break;
        }
    }
    Json effect{{"set", set}};
    effect.update(effectOf(subject.evaluation, evaluation::evaluate(changed)));
    return effect;
}

Json adviceOf(const Subject& subject, const Catalogue& words)
{
    Json list = Json::array();
    for (const evaluation::Note& n : subject.evaluation.advice) {
        Json entry{{"path", n.path},
                   {"rule", n.rule},
                   {"severity", n.warning ? "warning" : "advice"},
                   {"message", words.message(n.rule, n.arguments, text::NumberStyle::plain())}};
        if (!n.change.empty())
            if (Json effect = effectOf(subject, n); !effect.is_null())
                entry["effect"] = std::move(effect);
        list.push_back(std::move(entry));
    }
    return list;
}

void putStorage(Json& root, const Subject& subject)
{
    Json& storage = root["storage"];
    storage["starves_step"] = step::nameOf(subject.evaluation.step.loading.starves);
    if (!storage.contains("pools"))
        storage["pools"] = Json::array();
    const auto& pools = subject.plan.scenario.storage.pools;
    for (std::size_t i = 0; i < pools.size() && i < storage["pools"].size(); ++i) {
        storage["pools"][i]["name"] = pools[i].name;
        storage["pools"][i]["media"] = scenario::nameOf(pools[i].media);
    }
}

Json tiersOf(const Evaluation& e, const Catalogue& words)
{
    Json tiers = Json::array();
    for (std::size_t i = 0; i < e.topology.tierCount; ++i) {
        const auto& tier = e.topology.tiers[i];
        tiers.push_back({{"name", tier.name},
                         {"label", words.label(tier.name)},
                         {"chips", tier.chips},
                         {"bytes_per_s", tier.bandwidth.si()},
                         {"latency_s", tier.latency.si()}});
    }
    return tiers;
}

/// Whole numbers are written as such: 4096, not 4096.0.
Json numberOf(double x)
{
    constexpr double kExact = 9007199254740992.0; // 2^53
    if (x == std::floor(x) && std::fabs(x) < kExact)
        return static_cast<std::int64_t>(x);
    return x;
}

/// A count stays a count; what is measured stays a real number, whatever its value.
Json figureOf(const evaluation::Figure<double>& f)
{
    const bool counts = f.unit == units::Unit::None || f.unit == units::Unit::Parameters ||
                        f.unit == units::Unit::Tokens;
    return counts ? numberOf(f.value) : Json(f.value);
}

/// Names of what the figures of the run are of.
void putRun(Json& root, const Subject& subject)
{
    const Evaluation& e = subject.evaluation;
    const auto& phases = subject.plan.scenario.workload.phases;
    for (std::size_t i = 0; i < e.phases.size() && i < phases.size(); ++i) {
        root["run"]["phases"][i]["name"] = phases[i].name;
        root["run"]["phases"][i]["verdict"] = evaluation::nameOf(e.phases[i].verdict);
    }
    for (std::size_t i = 0; i < e.run.tiers.size(); ++i)
        root["run"]["checkpoints"][i]["tier"] = scenario::nameOf(e.run.tiers[i].tier);
}

} // namespace

Json toJson(const scenario::Value& value)
{
    struct Writer
    {
        Json operator()(std::monostate) const { return nullptr; }
        Json operator()(double x) const { return numberOf(x); }
        Json operator()(bool x) const { return x; }
        Json operator()(const std::string& x) const { return x; }
        Json operator()(const std::vector<std::string>& x) const { return x; }
        Json operator()(const std::vector<double>& x) const { return x; }
    };
    return std::visit(Writer{}, value);
}

void putAt(Json& root, std::string_view path, Json value)
{
    Json* at = &root;
    while (!path.empty()) {
        const std::size_t dot = std::min(path.find('.'), path.size());
        const std::string_view step = path.substr(0, dot);
        path.remove_prefix(std::min(dot + 1, path.size()));
        std::size_t index = 0;
        const auto read = std::from_chars(step.data(), step.data() + step.size(), index);
        const bool isIndex = read.ec == std::errc() && read.ptr == step.data() + step.size();
        at = isIndex ? &(*at)[index] : &(*at)[std::string(step)];
    }
    *at = std::move(value);
}

Subject subjectOf(std::string name, scenario::Plan plan, text::Language language)
{
    Subject s;
    s.name = plan.name.empty() ? std::move(name) : plan.name;
    s.evaluation = evaluation::evaluate(plan.scenario);
    s.assumptions = evaluation::assumptionsOf(plan.scenario, language);
    s.plan = std::move(plan);
    return s;
}

Json toJson(const Subject& subject, text::Language language)
{
    const Catalogue& words = Catalogue::of(language);
    const Evaluation& e = subject.evaluation;
    Json assumptions = Json::array();
    for (const evaluation::Assumption& a : subject.assumptions)
        assumptions.push_back({{"path", a.path},
                               {"label", a.label},
                               {"value", toJson(a.value)},
                               {"unit", units::symbol(a.unit)},
                               {"status", "assumed"},
                               {"source", a.source}});
    Json root{{"name", subject.name},
              {"feasible", e.feasible},
              {"violations", violationsOf(e, words)},
              {"advice", adviceOf(subject, words)},
              {"limits", limitsOf(subject)},
              {"bands", bandsOf(e)}};
    for (const auto& f : evaluation::figuresOf(e))
        putAt(root, f.path, figureOf(f));
    root["memory"]["verdict"] = evaluation::nameOf(e.memory.verdict);
    root["memory"]["peak_stage"] = e.memory.peakStage;
    root["topology"]["tiers"] = tiersOf(e, words);
    putStorage(root, subject);
    for (std::size_t i = 0; i < facility::kPhaseCount; ++i)
        root["power"]["phases"][i]["name"] = facility::nameOf(static_cast<facility::PowerPhase>(i));
    addTraffic(root, subject);
    putRun(root, subject);
    root["run"]["jobs"] = subject.plan.scenario.workload.jobs;
    root["cost"]["currency"] = subject.plan.scenario.economics.currency;
    root["assumptions"] = std::move(assumptions);
    return root;
}

std::string figuresCsv(const Evaluation& evaluation)
{
    std::string out = "quantity,value,unit\r\n";
    for (const auto& f : evaluation::figuresOf(evaluation))
        out += escapedCsv(f.path) + "," + units::exact(f.value) + "," +
               escapedCsv(units::symbol(f.unit)) + "\r\n";
    return out;
}

} // namespace cw::report
