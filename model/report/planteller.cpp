// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/report/planteller.h"
#include "model/evaluation/limits.h"
#include "model/evaluation/memoryrule.h"

#include <algorithm>
#include <array>

#include "model/evaluation/quantities.h"
#include "model/report/planreport.h"
#include "model/scenario/presets.h"
#include "model/units/text.h"

namespace cw::report {

using scenario::Kind;
using scenario::Parameter;
using scenario::Value;
using units::Unit;

namespace {

/// Keys have no list indices ("memory.stages.0.weights" is told as "memory.stages.weights").
std::string keyOf(std::string_view path)
{
    std::string key;
    while (!path.empty()) {
        const std::size_t dot = std::min(path.find('.'), path.size());
        const std::string_view step = path.substr(0, dot);
        if (step.find_first_not_of("0123456789") != std::string_view::npos)
            key.append(key.empty() ? "" : ".").append(step);
        path.remove_prefix(std::min(dot + 1, path.size()));
    }
    return key;
}

/// The parts of a stage's memory, which sum to what is reserved.
constexpr std::array<std::string_view, 8> kMemoryParts{"weights",     "gradients",    "optimizer",
                                                       "activations", "temporary",    "buffers",
                                                       "fixed",       "fragmentation"};

std::string nameOfPreset(const scenario::Scenario& s, std::string_view path, std::string_view kind)
{
    const auto value = scenario::valueAt(s, std::string(path) + ".preset");
    const std::string* id = value ? std::get_if<std::string>(&*value) : nullptr;
    if (id == nullptr || id->empty())
        return {};
    const scenario::Preset* preset = scenario::findPreset(kind, *id);
    return preset == nullptr ? *id : preset->name;
}

} // namespace

const std::vector<std::string_view>& headlineFigures()
{
    static const std::vector<std::string_view> figures{
        "step.time_s",  "throughput.mfu",         "throughput.tokens_per_s", "run.days",
        "run.goodput",  "run.effective_mfu",      "memory.peak_bytes",       "power.facility_w",
        "cost.per_run", "cost.per_million_tokens"};
    return figures;
}

const std::vector<std::string_view>& stepParts()
{
    static const std::vector<std::string_view> parts{
        "step.compute_s",      "step.recompute_s",   "step.bubble_s",        "step.tensor_comm_s",
        "step.context_comm_s", "step.expert_comm_s", "step.pipeline_comm_s", "step.data_comm_s",
        "step.offload_s",      "step.optimizer_s",   "step.data_loading_s",  "step.host_s",
        "step.jitter_s"};
    return parts;
}

PlanTeller::PlanTeller(Document& document, const Subject& subject, text::Language language)
    : m_document(document), m_subject(subject), m_words(text::Catalogue::of(language))
{
    for (const auto& f : evaluation::figuresOf(subject.evaluation))
        m_figures.emplace(f.path, std::pair(f.value, f.unit));
}

std::string PlanTeller::term(std::string_view key, const text::Arguments& arguments) const
{
    return text::filled(m_words.term("report." + std::string(key)), arguments, m_words.numbers());
}

Cell PlanTeller::labelOf(std::string_view figure) const
{
    return m_words.label(keyOf(figure));
}

double PlanTeller::value(std::string_view figure) const
{
    const auto it = m_figures.find(figure);
    return it == m_figures.end() ? 0.0 : it->second.first;
}

Cell PlanTeller::cellOf(std::string_view figure) const
{
    const auto it = m_figures.find(figure);
    if (it == m_figures.end())
        return {};
    return figureCell(it->second.first, it->second.second,
                      m_subject.plan.scenario.economics.currency);
}

void PlanTeller::table(std::string_view caption, const std::vector<std::string_view>& figures,
                       bool beside)
{
    Table t{term(caption), {term("quantity"), term("value")}, {}, false, beside};
    for (const std::string_view figure : figures)
        if (m_figures.count(figure) != 0)
            t.rows.push_back({labelOf(figure), cellOf(figure)});
    m_document.add(std::move(t));
}

void PlanTeller::what()
{
    const scenario::Scenario& s = m_subject.plan.scenario;
    const auto count = [&](std::string_view figure) {
        return cellOf(figure).text;
    };
    m_document.paragraph(term("model-line", {{"name", nameOfPreset(s, "model", "model")},
                                             {"total", count("parameters.total")},
                                             {"active", count("parameters.active")}}));
    m_document.paragraph(
        term("machine-line", {{"chips", std::to_string(s.cluster.chips)},
                              {"chip", nameOfPreset(s, "cluster.chip", "chip")},
                              {"system", nameOfPreset(s, "cluster", "system")},
                              {"network", nameOfPreset(s, "cluster.network", "network")},
                              {"software", nameOfPreset(s, "software", "software")}}));
    const auto& p = s.parallelism;
    std::string layout = "TP " + std::to_string(p.tensor) + ", CP " + std::to_string(p.context) +
                         ", PP " + std::to_string(p.pipeline);
    if (p.virtualStages > 1)
        layout += " x " + std::to_string(p.virtualStages);
    layout += ", EP " + std::to_string(p.expert) + ", DP " + count("layout.data");
    m_document.paragraph(term(
        "layout-line", {{"layout", layout},
                        {"schedule", std::string(m_words.choice("parallelism.schedule",
                                                                scenario::nameOf(p.schedule)))},
                        {"micro", count("layout.micro_batches")},
                        {"batch", std::to_string(s.workload.globalBatchSequences)},
                        {"length", std::to_string(s.workload.sequenceLength)}}));
}

void PlanTeller::verdict()
{
    const evaluation::Evaluation& e = m_subject.evaluation;
    // That it does not fit is told after the count of the other rules.
    const auto others = std::count_if(e.violations.begin(), e.violations.end(), [](const auto& v) {
        return !evaluation::isMemoryRule(v.rule);
    });
    const text::Arguments arguments{{"reserved", cellOf("memory.reserved_bytes").text},
                                    {"usable", cellOf("memory.usable_bytes").text},
                                    {"stage", std::to_string(e.memory.peakStage)},
                                    {"count", others == 0 ? "" : std::to_string(others)}};
    const std::string memory(evaluation::nameOf(e.memory.verdict));
    const bool close = e.memory.verdict == memory::Verdict::Borderline;
    const auto kind = !e.feasible ? Note::Kind::Fault
                      : close     ? Note::Kind::Warning
                                  : Note::Kind::Good;
    // On the edge of the memory nobody can promise that it runs.
    const char* runs = !e.feasible ? "infeasible" : close ? "doubtful" : "feasible";
    m_document.note(kind, term(runs, arguments) + " " + term("memory." + memory, arguments));
    if (m_subject.plan.scenario.software.assumedMfu)
        m_document.note(
            Note::Kind::Warning,
            term("assumed-mfu", {{"mfu", units::human(*m_subject.plan.scenario.software.assumedMfu,
                                                      Unit::Share)}}));
}

void PlanTeller::headline()
{
    const std::string currency = m_subject.plan.scenario.economics.currency;
    Table t{term("headline"), {term("quantity"), term("value"), term("band")}, {}, false};
    for (const std::string_view figure : headlineFigures()) {
        std::string range;
        for (const evaluation::Band& b : m_subject.evaluation.bands)
            if (b.quantity == figure)
                range = term(
                    "range",
                    {{"low", figureCell(b.low, m_figures.at(b.quantity).second, currency).text},
                     {"high", figureCell(b.high, m_figures.at(b.quantity).second, currency).text}});
        t.rows.push_back({labelOf(figure), cellOf(figure), range});
    }
    m_document.add(std::move(t));
}

void PlanTeller::memory()
{
    const auto& ledger = m_subject.evaluation.memory;
    if (ledger.stages.empty())
        return;
    const std::string stage = std::to_string(ledger.peakStage);
    const std::string prefix = "memory.stages." + stage + ".";
    const double reserved = value(prefix + "reserved");
    Table t{term("memory", {{"stage", stage}, {"stages", std::to_string(ledger.stages.size())}}),
            {term("part"), term("value"), term("share")},
            {},
            true};
    for (const std::string_view part : kMemoryParts) {
        const std::string figure = prefix + std::string(part);
        t.rows.push_back({labelOf("memory." + std::string(part)), cellOf(figure),
                          cell(reserved > 0 ? value(figure) / reserved : 0, Unit::Share, 3)});
    }
    t.rows.push_back({labelOf("memory.reserved_bytes"), cellOf(prefix + "reserved"),
                      cell(reserved > 0 ? 1 : 0, Unit::Share)});
    m_document.add(std::move(t));
}

void PlanTeller::memoryBars()
{
    const auto& ledger = m_subject.evaluation.memory;
    Bars bars;
    bars.caption = term("memory-bars");
    bars.unit = Unit::Bytes;
    bars.limit = ledger.usable.si();
    bars.limitLabel = term("usable", {{"value", cellOf("memory.usable_bytes").text}});
    for (const std::string_view part : kMemoryParts)
        bars.parts.push_back(labelOf("memory." + std::string(part)).text);
    for (std::size_t i = 0; i < ledger.stages.size(); ++i) {
        Bars::Row row{term("stage", {{"stage", std::to_string(i)}}), {}};
        for (const std::string_view part : kMemoryParts)
            row.values.push_back(
                value("memory.stages." + std::to_string(i) + "." + std::string(part)));
        bars.rows.push_back(std::move(row));
    }
    if (!bars.rows.empty())
        m_document.add(std::move(bars));
}

void PlanTeller::step()
{
    const double whole = value("step.time_s");
    Table t{term("step"), {term("part"), term("value"), term("share")}, {}, true, true};
    for (const std::string_view part : stepParts())
        if (value(part) != 0)
            t.rows.push_back({labelOf(part), cellOf(part),
                              cell(whole > 0 ? value(part) / whole : 0, Unit::Share, 3)});
    t.rows.push_back(
        {labelOf("step.time_s"), cellOf("step.time_s"), cell(whole > 0 ? 1 : 0, Unit::Share)});
    m_document.add(std::move(t));
}

void PlanTeller::stepBars()
{
    Bars bars;
    bars.kind = Bars::Kind::Waterfall;
    bars.caption = term("step-bars");
    bars.unit = Unit::Seconds;
    bars.parts = {term("value")};
    for (const std::string_view part : stepParts())
        if (value(part) != 0)
            bars.rows.push_back({labelOf(part).text, {value(part)}});
    bars.rows.push_back({labelOf("step.time_s").text, {value("step.time_s")}});
    m_document.add(std::move(bars));
}

void PlanTeller::run()
{
    table("run", {"run.tokens", "flops.six_n_d", "flops.model_per_run", "run.interruptions_per_day",
                  "run.checkpoint_bytes", "run.checkpoint_interval_s", "run.restart_s",
                  "run.spare_chips", "run.idle_chips"});
}

void PlanTeller::phases()
{
    const auto& e = m_subject.evaluation;
    if (e.phases.empty())
        return;
    Table t{term("phases"),
            {term("phase"), term("tokens"), term("sequence"), term("batch"), term("phase-step"),
             term("mfu"), term("goodput"), term("phase-memory"), term("phase-energy"), term("days"),
             term("phase-cost")},
            {},
            true};
    const std::string& currency = m_subject.plan.scenario.economics.currency;
    const auto row = [&](std::string name, std::vector<Cell> middle, double days, double cost) {
        std::vector<Cell> cells{Cell(std::move(name))};
        cells.insert(cells.end(), middle.begin(), middle.end());
        cells.push_back(figureCell(days, Unit::Days, currency));
        cells.push_back(figureCell(cost, Unit::Money, currency));
        t.rows.push_back(std::move(cells));
    };
    for (const auto& p : e.phases)
        row(p.name,
            {cell(p.tokens.si(), Unit::Tokens), cell(p.sequenceLength, Unit::Tokens),
             cell(p.batchSequences, Unit::None), cell(p.step.si(), Unit::Seconds),
             cell(p.mfu, Unit::Share, 3), cell(p.goodput, Unit::Share, 3),
             cell(p.reserved.si(), Unit::Bytes), cell(p.energy.si(), Unit::Joules)},
            p.days, p.cost);
    row(term("all"),
        {cell(e.run.tokens.si(), Unit::Tokens), Cell(), Cell(), Cell(), Cell(),
         cell(e.run.goodput, Unit::Share, 3), Cell(),
         cell(e.power.energyPerRun.si(), Unit::Joules)},
        e.run.days, e.cost.perRun.si());
    m_document.add(std::move(t));
}

void PlanTeller::lostTime()
{
    const double wall = m_subject.evaluation.run.wall.si();
    Table t{term("lost-time"), {term("class"), term("time"), term("share")}, {}, false, true};
    for (const std::string_view figure :
         {"run.lost_time.start_up", "run.lost_time.save", "run.lost_time.lost_progress",
          "run.lost_time.detection", "run.lost_time.restore", "run.lost_time.stragglers",
          "run.lost_time.health_checks", "run.other_lost_time.warm_up",
          "run.other_lost_time.corruption", "run.other_lost_time.replicas_away",
          "run.other_lost_time.repair_wait", "run.other_lost_time.fragmentation"})
        if (value(figure) > 0 && wall > 0)
            t.rows.push_back(
                {labelOf(figure), cellOf(figure), cell(value(figure) / wall, Unit::Share, 3)});
    if (!t.rows.empty())
        m_document.add(std::move(t));
}

void PlanTeller::purchase()
{
    table("purchase",
          {"run.loss", "run.loss_band.low", "run.loss_band.high", "run.tokens_per_day",
           "run.batch_tokens", "run.critical_batch_tokens", "run.batch_price",
           "run.effective_tokens", "run.effective_parameters", "run.least_flops",
           "run.loss_law_spread"},
          true);
    if (m_subject.evaluation.forecast.ruleSpread > 0)
        table("expert-rules",
              {"run.loss_by_rule.weight.parameters", "run.loss_by_rule.weight.loss",
               "run.loss_by_rule.effective-count.parameters",
               "run.loss_by_rule.effective-count.loss", "run.loss_by_rule.leverage.parameters",
               "run.loss_by_rule.leverage.loss", "run.loss_rule_spread"});
}

void PlanTeller::outside()
{
    const step::Offloading<double>& o = m_subject.evaluation.step.offloading;
    if ((o.down + o.up).si() > 0)
        table("offload", {"memory.host_bytes", "memory.nvme_bytes", "host_link.down_bytes_per_step",
                          "host_link.up_bytes_per_step", "host_link.needed_bytes_per_s",
                          "host_link.available_bytes_per_s", "host_link.utilization",
                          "host_link.host_optimizer_s", "host_link.stall_s"});
    const auto& pools = m_subject.evaluation.storage.pools;
    if (pools.empty())
        return;
    Table t{term("storage"),
            {term("pool"), term("used"), term("capacity"), term("filled"), term("reading"),
             term("writing")},
            {},
            false};
    for (std::size_t i = 0; i < pools.size(); ++i) {
        const scenario::StoragePool& pool = m_subject.plan.scenario.storage.pools[i];
        t.rows.push_back({pool.name, cell(pools[i].used.si(), Unit::VendorBytes),
                          cell(pool.capacityBytes, Unit::VendorBytes),
                          cell(pools[i].utilization, Unit::Share, 3),
                          cell(pools[i].readUtilization, Unit::Share, 3),
                          cell(pools[i].writeUtilization, Unit::Share, 3)});
    }
    m_document.add(std::move(t));
}

void PlanTeller::limits()
{
    auto limits = evaluation::limitsOf(m_subject.plan.scenario, m_subject.evaluation);
    evaluation::findRelaxations(limits, m_subject.plan.scenario, m_subject.evaluation);
    Table t{term("limits"),
            {term("limit"), term("slack"), term("relax"), term("days-after")},
            {},
            false};
    for (const evaluation::Limit& l : limits) {
        if (!l.binding)
            continue;
        const auto& r = l.relax;
        t.rows.push_back({m_words.term("limit." + std::string(l.kind)), cell(l.slack, l.unit, 3),
                          r ? r->path + " = " + scenario::toText(r->value) : std::string("-"),
                          r ? cell(r->after.run.days, Unit::Days) : Cell("-")});
    }
    if (!t.rows.empty())
        m_document.add(std::move(t));
}

void PlanTeller::power()
{
    Table t{term("power"),
            {term("part"), term("average"), term("typical"), term("maximum")},
            {},
            false};
    for (const char* part :
         {"chip_w", "host_w", "fans_w", "nvme_w", "network_w", "storage_w", "psu_loss_w", "it_w",
          "ups_loss_w", "cooling_w", "other_w", "transformer_loss_w", "facility_w"}) {
        const std::string name(part);
        if (value("power." + name) != 0)
            t.rows.push_back({term("power." + name), cellOf("power.average." + name),
                              cellOf("power.typical." + name), cellOf("power." + name)});
    }
    m_document.add(std::move(t));
}

void PlanTeller::cooling()
{
    table("cooling",
          {"power.pue",
           "power.energy_j_per_run",
           "power.carbon_kg",
           "power.flops_per_joule",
           "power.peak_facility_w",
           "power.swing_w",
           "power.swing_w_per_s",
           "power.swing_hz",
           "power.checkpoint_swing_w",
           "power.clock_share",
           "cooling.liquid_w",
           "cooling.air_w",
           "cooling.flow_l_per_min",
           "cooling.water_l_per_day",
           "cooling.cdus",
           "cooling.coolers",
           "cooling.racks",
           "cooling.rack_w",
           "cooling.floor_area_m2",
           "cooling.mass_kg"},
          true);
}

void PlanTeller::cost()
{
    Table t{term("cost"), {term("part"), term("value"), term("share")}, {}, true, true};
    const double whole = value("cost.per_run");
    for (std::size_t i = 0; i < cost::kPartCount; ++i) {
        const std::string figure =
            "cost.parts." + std::string(cost::nameOf(static_cast<cost::Part>(i)));
        if (value(figure) != 0)
            t.rows.push_back({term(figure), cellOf(figure),
                              cell(whole > 0 ? value(figure) / whole : 0, Unit::Share, 3)});
    }
    t.rows.push_back(
        {labelOf("cost.per_run"), cellOf("cost.per_run"), cell(whole > 0 ? 1 : 0, Unit::Share)});
    m_document.add(std::move(t));
}

void PlanTeller::checks()
{
    for (const scenario::Violation& v : m_subject.evaluation.violations) {
        std::string nearest;
        for (const double x : v.nearest)
            nearest += (nearest.empty() ? "" : ", ") + units::rounded(x, 12);
        m_document.note(Note::Kind::Fault,
                        term("violation", {{"path", v.path},
                                           {"message", m_words.message(v.rule, v.arguments)},
                                           {"nearest", nearest}}));
    }
    for (const evaluation::Note& n : m_subject.evaluation.advice)
        m_document.note(n.warning ? Note::Kind::Warning : Note::Kind::Advice,
                        n.path + ": " + m_words.message(n.rule, n.arguments));
}

void PlanTeller::assumptionCount()
{
    m_document.note(
        Note::Kind::Advice,
        term("assumption-count", {{"count", std::to_string(m_subject.assumptions.size())}}));
}

void PlanTeller::inputs()
{
    const scenario::Scenario& s = m_subject.plan.scenario;
    const scenario::Scenario base = scenario::presetBaseline(s);
    const auto differing = scenario::differingPaths(s, base);
    Table t{{}, {term("input"), term("value"), term("preset-value"), term("path")}, {}, false};
    for (const Parameter& p : scenario::parameters(s)) {
        if (std::find(differing.begin(), differing.end(), p.path) == differing.end())
            continue;
        const auto now = scenario::valueAt(s, p.path);
        const auto before = scenario::valueAt(base, p.path);
        Cell value(now ? shown(p, *now, m_words) : "");
        if (now && std::holds_alternative<double>(*now)) {
            value.value = std::get<double>(*now);
            value.unit = p.spec.unit;
        }
        t.rows.push_back({m_words.label(p.textKey), value,
                          before ? shown(p, *before, m_words) : std::string(), p.path});
    }
    if (t.rows.empty())
        m_document.paragraph(term("no-inputs"));
    else
        m_document.add(std::move(t));
}

void PlanTeller::assumptions()
{
    Table t{{}, {term("input"), term("value"), term("source"), term("path")}, {}, false};
    const std::string& currency = m_subject.plan.scenario.economics.currency;
    for (const evaluation::Assumption& a : m_subject.assumptions) {
        const double* number = std::get_if<double>(&a.value);
        t.rows.push_back({a.label,
                          number != nullptr ? figureCell(*number, a.unit, currency)
                                            : Cell(scenario::toText(a.value)),
                          a.source, a.path});
    }
    m_document.add(std::move(t));
}

void PlanTeller::presets()
{
    Table t{{}, {term("preset"), term("name"), term("availability"), term("source")}, {}, false};
    const scenario::Scenario& s = m_subject.plan.scenario;
    for (const Parameter& p : scenario::parameters(s)) {
        const auto value = p.kind == Kind::Preset ? scenario::valueAt(s, p.path) : std::nullopt;
        const std::string* id = value ? std::get_if<std::string>(&*value) : nullptr;
        const scenario::Preset* preset =
            id == nullptr || id->empty() ? nullptr : scenario::findPreset(p.presetKind, *id);
        if (preset == nullptr)
            continue;
        const auto json = nlohmann::json::parse(preset->json, nullptr, false);
        const auto sources = json.value("sources", nlohmann::json::object());
        const auto all = sources.value("*", nlohmann::json::object());
        t.rows.push_back({p.path + " = " + preset->id,
                          preset->name + (preset->vendor == "none" ? "" : ", " + preset->vendor) +
                              ", " + std::to_string(preset->year),
                          m_words.term("availability." + preset->status),
                          all.value("source", std::string())});
    }
    if (!t.rows.empty())
        m_document.add(std::move(t));
}

void PlanTeller::formulas()
{
    Table t{{}, {term("quantity"), term("symbol"), term("formula")}, {}, false};
    std::vector<std::string_view> figures = headlineFigures();
    figures.insert(figures.end(), stepParts().begin(), stepParts().end());
    for (const std::string_view figure : figures)
        if (value(figure) != 0)
            t.rows.push_back({labelOf(figure), m_words.symbol(figure), m_words.source(figure)});
    m_document.add(std::move(t));
}

} // namespace cw::report
