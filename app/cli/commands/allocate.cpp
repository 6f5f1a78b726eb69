// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <functional>
#include <iostream>
#include <memory>
#include <thread>

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/planinput.h"
#include "model/evaluation/evaluation.h"
#include "model/explore/allocate.h"
#include "model/report/evaluationjson.h"
#include "model/report/writers.h"
#include "model/scenario/registry.h"
#include "model/units/text.h"

namespace cw::cli {

using explore::Allocated;
using explore::Allocation;
using explore::BudgetKind;
using Json = nlohmann::ordered_json;
using units::Unit;

namespace {

struct Options
{
    std::string plan;
    std::vector<std::string> settings;
    std::string days;
    std::string energy;
    std::string cost;
    std::string objective = "loss";
    std::string law;
    std::string format;
    int threads = 0;
};

struct BudgetOption
{
    const char* name;
    const std::string Options::*text;
    BudgetKind kind;
    Unit unit;
};

constexpr std::array<BudgetOption, 3> kBudgets{
    {{"--days", &Options::days, BudgetKind::Days, Unit::Days},
     {"--energy-j", &Options::energy, BudgetKind::Energy, Unit::Joules},
     {"--cost", &Options::cost, BudgetKind::Cost, Unit::Money}}};

constexpr double kMostBudget = 1e30;

/// The one budget that is given; without one, the days that the plan's own run takes.
explore::Budget budgetOf(const Session& session, const Options& options,
                         const scenario::Scenario& plan)
{
    std::vector<const BudgetOption*> given;
    for (const BudgetOption& b : kBudgets)
        if (!(options.*b.text).empty())
            given.push_back(&b);
    if (given.size() > 1)
        stop(Status::CommandLine, session.message("cli.one-budget", {{"first", given[0]->name},
                                                                     {"second", given[1]->name}}));
    if (given.empty())
        return {BudgetKind::Days, evaluation::evaluate(plan).run.days};
    const BudgetOption& b = *given.front();
    const auto value = units::parse(options.*b.text, b.unit);
    if (!value || !(*value > 0) || *value > kMostBudget)
        stop(Status::CommandLine,
             session.message("cli.bad-budget", {{"option", b.name}, {"value", options.*b.text}}));
    return {b.kind, *value};
}

Json toJson(const Allocation& a)
{
    return {{"parameters", a.total},
            {"active_parameters", a.active},
            {"tokens_per_day", a.tokensPerDay},
            {"tokens", a.tokens},
            {"tokens_per_parameter", a.tokens / a.active},
            {"batch_tokens", a.batchTokens},
            {"critical_batch_tokens", a.criticalBatchTokens},
            {"days", a.days},
            {"energy_j", a.energy},
            {"cost", a.cost},
            {"mfu", a.mfu},
            {"goodput", a.goodput},
            {"reserved_share", a.reservedShare},
            {"loss", a.loss},
            {"loss_band", {{"low", a.lossLow}, {"high", a.lossHigh}}}};
}

Json jsonOf(const Allocated& found, const Options& options, std::string_view law,
            std::string_view rule)
{
    Json sizes = Json::array();
    Json losses = Json::array();
    for (const Allocation& a : found.sizes) {
        sizes.push_back({{"parameters", a.total},
                         {"active_parameters", a.active},
                         {"tokens_per_day", a.tokensPerDay},
                         {"tokens", a.tokens},
                         {"mfu", a.mfu},
                         {"goodput", a.goodput}});
        losses.push_back({{"parameters", a.total},
                          {"tokens", a.tokens},
                          {"loss", a.loss},
                          {"loss_band", {{"low", a.lossLow}, {"high", a.lossHigh}}}});
    }
    Json best = nullptr;
    if (found.best) {
        const Allocation& a = found.sizes[*found.best];
        Json set = Json::object();
        for (const auto& [path, value] : a.set)
            set[path] = report::toJson(value);
        if (!a.phases.empty())
            set["workload.phases"] = Json::parse(a.phases);
        best = {{"set", std::move(set)}};
        best.update(toJson(a));
    }
    Json steps = Json::array();
    steps.push_back({{"step", "memory"},
                     {"largest_parameters", found.largestTotal},
                     {"largest_active_parameters", found.largestActive}});
    steps.push_back({{"step", "communication"}, {"sizes", std::move(sizes)}});
    steps.push_back({{"step", "forecast"}, {"sizes", std::move(losses)}});
    return {{"objective", options.objective},
            {"law", law},
            {"expert_rule", rule},
            {"steps", std::move(steps)},
            {"best", std::move(best)},
            {"phases", found.phases},
            {"layouts_evaluated", found.evaluated}};
}

class Telling
{
public:
    Telling(const Session& session, const scenario::Scenario& plan)
        : m_session(session), m_currency(plan.economics.currency),
          m_law(scenario::nameOf(plan.workload.lossLaw)),
          m_rule(scenario::nameOf(plan.workload.expertRule)), m_weight(plan.workload.expertExponent)
    {
    }

    report::Document document(const Allocated& found) const
    {
        report::Document d;
        d.language = m_session.language == text::Language::Chinese ? "zh_CN" : "en";
        if (found.phases > 0)
            d.paragraph(text::filled(term("phases"), {{"count", std::to_string(found.phases)}}));
        addMemory(found, d);
        if (found.sizes.empty()) {
            if (found.largestTotal > 0)
                d.paragraph(term("not-paid"));
            return d;
        }
        addSizes(found, d);
        addForecast(found, d);
        if (found.best)
            addBest(found.sizes[*found.best], d);
        return d;
    }

private:
    std::string term(const char* key) const
    {
        return m_session.term("allocate." + std::string(key));
    }
    static std::string size(const Allocation& a)
    {
        return units::human(a.total, Unit::Parameters, 4);
    }

    void addMemory(const Allocated& found, report::Document& d) const
    {
        d.heading(2, term("step-memory"));
        d.paragraph(
            found.largestTotal > 0
                ? text::filled(term("largest"),
                               {{"total", units::human(found.largestTotal, Unit::Parameters)},
                                {"active", units::human(found.largestActive, Unit::Parameters)}})
                : term("nothing-fits"));
        d.paragraph(text::filled(term("evaluated"), {{"count", std::to_string(found.evaluated)}}));
    }

    void addSizes(const Allocated& found, report::Document& d) const
    {
        d.heading(2, term("step-communication"));
        report::Table t{"",
                        {term("parameters"), term("active"), term("tokens-per-day"), term("mfu"),
                         term("goodput"), term("layout")},
                        {},
                        false};
        for (const Allocation& a : found.sizes)
            t.rows.push_back({report::Cell(size(a), a.total, Unit::Parameters),
                              report::cell(a.active, Unit::Parameters),
                              report::cell(a.tokensPerDay, Unit::Tokens),
                              report::cell(a.mfu, Unit::Share, 3),
                              report::cell(a.goodput, Unit::Share, 3), layout(a)});
        d.add(std::move(t));
    }

    void addForecast(const Allocated& found, report::Document& d) const
    {
        d.heading(2, term("step-forecast"));
        d.paragraph(text::filled(
            term("by-law"),
            {{"law", std::string(m_session.words().choice("workload.loss_law", m_law))},
             {"rule", std::string(m_session.words().choice("workload.expert_rule", m_rule))},
             {"weight", units::rounded(m_weight, 3)}}));
        report::Table t{"",
                        {term("parameters"), term("tokens"), term("tokens-per-parameter"),
                         term("batch"), term("critical"), term("loss"), term("band")},
                        {},
                        false};
        for (const Allocation& a : found.sizes)
            t.rows.push_back(
                {report::Cell(size(a), a.total, Unit::Parameters),
                 report::cell(a.tokens, Unit::Tokens),
                 report::cell(a.tokens / a.active, Unit::None, 3),
                 report::cell(a.batchTokens, Unit::Tokens, 3),
                 report::cell(a.criticalBatchTokens, Unit::Tokens, 3),
                 report::cell(a.loss, Unit::None, 4),
                 units::rounded(a.lossLow, 4) + " – " + units::rounded(a.lossHigh, 4)});
        d.add(std::move(t));
    }

    void addBest(const Allocation& a, report::Document& d) const
    {
        d.heading(2, term("best"));
        report::Table t{"", {term("quantity"), term("value")}, {}, false};
        t.rows.push_back({term("parameters"), report::cell(a.total, Unit::Parameters)});
        t.rows.push_back({term("active"), report::cell(a.active, Unit::Parameters)});
        t.rows.push_back({term("tokens"), report::cell(a.tokens, Unit::Tokens)});
        t.rows.push_back({term("loss"), report::cell(a.loss, Unit::None)});
        t.rows.push_back({term("days"), report::cell(a.days, Unit::Days)});
        t.rows.push_back({term("energy"), report::cell(a.energy, Unit::Joules)});
        t.rows.push_back(
            {term("cost") + " (" + m_currency + ")", report::cell(a.cost, Unit::Money)});
        d.add(std::move(t));
        report::Table set{term("set"), {term("path"), term("value")}, {}, false};
        for (const auto& [path, value] : a.set)
            set.rows.push_back({path, scenario::toText(value)});
        if (!a.phases.empty())
            set.rows.push_back({"workload.phases", a.phases});
        d.add(std::move(set));
    }

    /// "TP 8 PP 16 EP 64 DP 32", with CP where there is more than one rank of it.
    static std::string layout(const Allocation& a)
    {
        const std::string context = a.context > 1 ? " CP " + std::to_string(a.context) : "";
        return "TP " + std::to_string(a.tensor) + context + " PP " + std::to_string(a.pipeline) +
               " EP " + std::to_string(a.expert) + " DP " + std::to_string(a.data);
    }

    const Session& m_session;
    std::string m_currency;
    std::string m_law;
    std::string m_rule;
    double m_weight;
};

/// A bar on standard error where that is a terminal.
std::function<void(double)> progressOf(const Session& session)
{
    if (&session.streams.err != &std::cerr || isatty(STDERR_FILENO) == 0)
        return [](double) {
        };
    return [&session](double share) {
        constexpr int kWidth = 30;
        const int done = static_cast<int>(std::clamp(share, 0.0, 1.0) * kWidth);
        session.streams.err << '\r' << std::string(static_cast<std::size_t>(done), '#')
                            << std::string(static_cast<std::size_t>(kWidth - done), '.')
                            << (share >= 1 ? "\n" : "") << std::flush;
    };
}

void allocate(const Session& session, const Options& options)
{
    GivenPlan given = readGiven(session, options.plan, options.settings);
    scenario::Scenario& plan = given.plan.scenario;
    if (!options.law.empty()) {
        const auto& names = scenario::EnumNames<scenario::LossLaw>::value;
        const auto at = std::find(names.begin(), names.end(), options.law);
        plan.workload.lossLaw = static_cast<scenario::LossLaw>(at - names.begin());
    }
    explore::AllocateRequest request;
    request.budget = budgetOf(session, options, plan);
    request.goal = options.objective == "tokens" ? explore::Goal::Tokens : explore::Goal::Loss;
    request.threads = options.threads > 0 ? static_cast<unsigned>(options.threads)
                                          : std::max(1U, std::thread::hardware_concurrency());
    const Allocated found = explore::allocate(plan, request, progressOf(session));
    if (options.format == "json") {
        session.streams.out << jsonOf(found, options, scenario::nameOf(plan.workload.lossLaw),
                                      scenario::nameOf(plan.workload.expertRule))
                                   .dump(2)
                            << '\n';
        return;
    }
    const report::Document d = Telling(session, plan).document(found);
    session.streams.out << (options.format == "csv"        ? report::toCsv(d)
                            : options.format == "markdown" ? report::toMarkdown(d)
                                                           : report::toText(d));
}

} // namespace

void addAllocate(CLI::App& program, Session& session)
{
    const auto options = std::make_shared<Options>();
    CLI::App* command = session.add(program, "allocate", session.term("allocate"),
                                    [&session, options] { allocate(session, *options); });
    session.takePlan(*command, options->plan);
    session.takeSettings(*command, options->settings);
    session.takeText(*command, "--days", options->days, session.term("allocate.help-days"), false);
    session.takeText(*command, "--energy-j", options->energy, session.term("allocate.help-energy"),
                     false);
    session.takeText(*command, "--cost", options->cost, session.term("allocate.help-cost"), false);
    session.takeChoice(*command, "--objective", options->objective,
                       session.term("allocate.help-objective"), {"loss", "tokens"}, false);
    std::vector<std::string> laws;
    for (const std::string_view name : scenario::EnumNames<scenario::LossLaw>::value)
        laws.emplace_back(name);
    session.takeChoice(*command, "--law", options->law, session.term("allocate.help-law"), laws,
                       false);
    session.takeNumber(*command, "--threads", options->threads, session.term("threads"), 1, 1024);
    session.takeFormat(*command, options->format, {"text", "json", "csv", "markdown"});
}

} // namespace cw::cli
