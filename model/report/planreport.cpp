// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/report/planreport.h"

#include <array>
#include <charconv>
#include <cmath>

#include "model/report/networkteller.h"
#include "model/report/planteller.h"
#include "model/report/writers.h"
#include "model/scenario/presets.h"
#include "model/units/text.h"

namespace cw::report {

using Json = nlohmann::ordered_json;
using scenario::Parameter;
using scenario::Value;
using text::Catalogue;
using text::Language;
using units::Unit;

namespace {

std::string languageName(Language language)
{
    return language == Language::Chinese ? "zh_CN" : "en";
}

/// "3.8e+25": beyond the prefixes that readers know.
std::string scientific(double value)
{
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   std::chars_format::scientific, 3)
                         .ptr;
    return {buffer.data(), end};
}

void addComparison(Document& document, const std::vector<Subject>& subjects, Language language)
{
    const Catalogue& words = Catalogue::of(language);
    const auto term = [&](const char* key) {
        return std::string(words.term("report." + std::string(key)));
    };
    document.heading(2, term("comparison"));
    std::vector<std::string> columns{term("quantity")};
    for (const Subject& s : subjects)
        columns.push_back(s.name);
    Table figures{term("headline"), columns, {}, false};
    std::vector<Cell> verdicts{term("verdict")};
    for (const Subject& s : subjects)
        verdicts.emplace_back(term(s.evaluation.feasible ? "feasible" : "infeasible-short"));
    figures.rows.push_back(std::move(verdicts));
    Document scratch;
    for (const std::string_view figure : headlineFigures()) {
        std::vector<Cell> row;
        for (const Subject& s : subjects) {
            const PlanTeller teller(scratch, s, language);
            if (row.empty())
                row.push_back(teller.labelOf(figure));
            row.push_back(teller.cellOf(figure));
        }
        figures.rows.push_back(std::move(row));
    }
    document.add(std::move(figures));

    columns.front() = term("input");
    Table inputs{term("differing-inputs"), columns, {}, false};
    for (const Parameter& p : scenario::parameters(subjects.front().plan.scenario)) {
        std::vector<Cell> row{words.label(p.textKey)};
        bool differs = false;
        const auto first = scenario::valueAt(subjects.front().plan.scenario, p.path);
        for (const Subject& s : subjects) {
            const auto value = scenario::valueAt(s.plan.scenario, p.path);
            differs = differs || value != first;
            row.emplace_back(value ? shown(p, *value, words) : std::string());
        }
        if (differs)
            inputs.rows.push_back(std::move(row));
    }
    if (!inputs.rows.empty())
        document.add(std::move(inputs));
}

void addPlan(Document& document, const Subject& subject, Language language)
{
    PlanTeller tell(document, subject, language);
    document.heading(2, subject.name);
    if (!subject.plan.notes.empty())
        document.paragraph(subject.plan.notes);
    tell.what();
    tell.verdict();
    tell.headline();
    tell.checks();
    document.heading(3, tell.term("section.memory"));
    tell.memory();
    tell.memoryBars();
    document.heading(3, tell.term("section.step"));
    tell.stepBars();
    tell.step();
    document.heading(3, tell.term("section.network"));
    tellNetwork(document, subject, language);
    document.heading(3, tell.term("section.run"));
    tell.run();
    tell.lostTime();
    tell.phases();
    tell.purchase();
    tell.outside();
    document.heading(3, tell.term("section.site"));
    tell.power();
    tell.cooling();
    document.heading(3, tell.term("section.cost"));
    tell.cost();
    document.heading(3, tell.term("section.inputs"));
    tell.inputs();
    document.heading(3, tell.term("section.assumptions"));
    tell.assumptions();
    document.heading(3, tell.term("section.sources"));
    tell.presets();
    tell.formulas();
    if (!subject.sha256.empty())
        document.paragraph(tell.term("sha256", {{"sum", subject.sha256}}));
}

} // namespace

Cell figureCell(double value, Unit unit, std::string_view currency)
{
    Cell c = cell(value, unit);
    if (unit == Unit::Days)
        c.text = std::fabs(value) < 730 ? units::rounded(value, 4) + " d"
                                        : units::rounded(value, 6) + " d (" +
                                              units::rounded(value / 365.25, 4) + " a)";
    if (unit == Unit::Parameters && !c.text.empty() && c.text.back() == 'G')
        c.text.back() = 'B'; // as the field counts them
    if (unit == Unit::Flop && value >= 1e21)
        c.text = scientific(value) + " FLOP";
    if (unit == Unit::Money || unit == Unit::MoneyPerHour)
        c.text = std::string(currency) + " " + c.text;
    return c;
}

std::string shown(const Parameter& parameter, const Value& value, const Catalogue& words)
{
    if (const double* number = std::get_if<double>(&value))
        return parameter.kind == scenario::Kind::Integer
                   ? units::rounded(*number, 15)
                   : units::human(*number, parameter.spec.unit, 5);
    if (parameter.kind == scenario::Kind::Choice)
        if (const std::string* name = std::get_if<std::string>(&value))
            return std::string(words.choice(parameter.textKey, *name));
    return scenario::toText(value);
}

Document summaryOf(const Subject& subject, Language language)
{
    Document document;
    document.title = subject.name;
    document.language = languageName(language);
    document.heading(1, subject.name);
    PlanTeller tell(document, subject, language);
    tell.what();
    tell.verdict();
    tell.headline();
    tell.memory();
    tell.step();
    tellNetwork(document, subject, language);
    tell.run();
    tell.lostTime();
    tell.purchase();
    tell.phases();
    tell.outside();
    tell.cooling();
    tell.power();
    tell.cost();
    document.heading(3, tell.term("section.checks"));
    tell.limits();
    tell.checks();
    tell.assumptionCount();
    return document;
}

Document reportOf(const std::vector<Subject>& subjects, Language language, std::string_view version)
{
    const Catalogue& words = Catalogue::of(language);
    Document document;
    document.title =
        subjects.size() == 1 ? subjects.front().name : std::string(words.term("report.title-many"));
    document.language = languageName(language);
    document.heading(1, text::filled(words.term("report.title"), {{"name", document.title}}));
    document.paragraph(text::filled(
        words.term("report.version"),
        {{"version", std::string(version)}, {"format", std::to_string(scenario::kPlanVersion)}}));
    if (subjects.size() > 1)
        addComparison(document, subjects, language);
    for (const Subject& subject : subjects)
        addPlan(document, subject, language);
    return document;
}

Json reportJson(const std::vector<Subject>& subjects, Language language, std::string_view version)
{
    const Document document = reportOf(subjects, language, version);
    Json plans = Json::array();
    for (const Subject& s : subjects) {
        Json plan{{"name", s.name}};
        if (!s.sha256.empty())
            plan["sha256"] = s.sha256;
        Json changed = Json::object();
        for (const std::string& path :
             scenario::differingPaths(s.plan.scenario, scenario::presetBaseline(s.plan.scenario)))
            if (const auto value = scenario::valueAt(s.plan.scenario, path))
                changed[path] = toJson(*value);
        plan["inputs"] = std::move(changed);
        plan["evaluation"] = toJson(s, language);
        plans.push_back(std::move(plan));
    }
    return {{"format", "clusterwright-report"},
            {"version", 1},
            {"program", version},
            {"language", document.language},
            {"title", document.title},
            {"plans", std::move(plans)},
            {"document", toJson(document)}};
}

} // namespace cw::report
