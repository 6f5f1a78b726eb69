// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/report/sitereport.h"

#include <string>

#include "model/evaluation/evaluation.h"
#include "model/facility/site.h"
#include "model/scenario/inputs.h"
#include "model/scenario/presets.h"
#include "model/units/text.h"

namespace cw::report {

using evaluation::AtSite;
using evaluation::Evaluation;
using evaluation::Filled;
using text::Catalogue;
using units::Unit;

namespace {

std::string nameOfSystem(const Filled& row, const Catalogue& words)
{
    if (row.system.empty())
        return std::string(words.term("sites.own-machine"));
    const scenario::Preset* preset = scenario::findPreset("system", row.system);
    return preset == nullptr ? row.system : preset->name;
}

Cell verdict(const Evaluation& e, const Catalogue& words)
{
    return std::string(words.term(e.feasible ? "sites.feasible" : "sites.infeasible"));
}

/// At a site, the grid is the first thing to ask for.
Cell gridVerdict(const Evaluation& e, const Catalogue& words)
{
    return e.power.overGrid ? Cell(std::string(words.term("sites.over-grid"))) : verdict(e, words);
}

Cell powerVerdict(const Evaluation& e, double watts, const Catalogue& words)
{
    return e.power.maximum.facility.si() > watts ? Cell(std::string(words.term("sites.over-power")))
                                                 : verdict(e, words);
}

/// Why a row cannot run: its first violation.
void tellFault(const std::string& name, const Evaluation& e, const Catalogue& words, Document& d)
{
    if (!e.violations.empty())
        d.paragraph(name + ": " +
                    words.message(e.violations.front().rule, e.violations.front().arguments));
}

/// "TP 8 PP 4 CP 1 EP 64 DP 128", without degrees of one.
std::string layoutOf(const Evaluation& e, const scenario::Scenario& plan)
{
    const scenario::Parallelism& p = plan.parallelism;
    std::string text;
    const auto add = [&text](const char* name, double degree) {
        if (degree > 1)
            text += (text.empty() ? "" : " ") + std::string(name) + units::rounded(degree, 9);
    };
    add("TP ", static_cast<double>(p.tensor));
    add("CP ", static_cast<double>(p.context));
    add("PP ", static_cast<double>(p.pipeline));
    add("EP ", static_cast<double>(p.expert));
    add("DP ", e.layout.data);
    return text;
}

constexpr double kTonne = 1000;

Cell days(double value)
{
    return {units::rounded(value, 4) + " d", value, Unit::Days};
}

/// Money in the plan's currency: a label.
Cell money(double value, const std::string& currency)
{
    constexpr double kMillion = 1e6;
    if (value >= kMillion)
        return {units::rounded(value / kMillion, 4) + " M " + currency, value, Unit::Money};
    return {units::rounded(value, 4) + " " + currency, value, Unit::Money};
}

} // namespace

Document sitesReport(const std::vector<AtSite>& rows, text::Language language)
{
    const Catalogue& words = Catalogue::of(language);
    const auto term = [&](const char* key) {
        return std::string(words.term(key));
    };
    Document d;
    d.title = term("sites.title");
    Table t;
    t.columns = {term("sites.site"),   term("sites.design"),      term("sites.grid"),
                 term("sites.peak"),   term("sites.pue"),         term("sites.power"),
                 term("sites.water"),  term("sites.carbon"),      term("sites.price"),
                 term("sites.factor"), term("sites.energy-cost"), term("sites.cost"),
                 term("sites.days"),   term("sites.verdict")};
    for (const AtSite& row : rows) {
        const Evaluation& e = row.evaluation;
        const scenario::Inputs<double> in(row.plan);
        const std::string& currency = row.plan.economics.currency;
        const std::string name(scenario::nameOf(row.site));
        t.rows.push_back(
            {std::string(words.choice("facility.site", name)),
             cell(facility::climateOfHotDay(in).dryBulb, Unit::Celsius, 3),
             cell(e.power.gridLimit.si(), Unit::Watts, 3),
             cell(e.power.peakFacility.si(), Unit::Watts), cell(e.power.pue, Unit::None, 4),
             cell(e.power.average.facility.si(), Unit::Watts),
             cell(e.cooling.waterPerRun, Unit::CubicMetres),
             Cell(units::rounded(e.power.carbon.si() / kTonne, 4) + " t", e.power.carbon.si(),
                  Unit::Kilograms),
             Cell(units::rounded(facility::energyPriceOf(in), 3) + " " + currency + "/kWh",
                  facility::energyPriceOf(in), Unit::MoneyPerKwh),
             Cell(units::rounded(1000 * facility::carbonOf(in), 3) + " g/kWh",
                  facility::carbonOf(in), Unit::KilogramPerKwh),
             money(e.cost.part(cost::Part::Energy).perRun.si(), currency),
             money(e.cost.perRun.si(), currency), days(e.run.days), gridVerdict(e, words)});
    }
    d.add(std::move(t));
    for (const AtSite& row : rows)
        tellFault(std::string(words.choice("facility.site", scenario::nameOf(row.site))),
                  row.evaluation, words, d);
    d.paragraph(term("sites.note"));
    return d;
}

Document fillReport(const std::vector<Filled>& rows, double watts, text::Language language)
{
    const Catalogue& words = Catalogue::of(language);
    const auto term = [&](const char* key) {
        return std::string(words.term(key));
    };
    Document d;
    d.title = text::filled(term("sites.fill-title"), {{"power", units::human(watts, Unit::Watts)}});
    Table t;
    t.columns = {term("sites.machine"),   term("sites.chips"),     term("sites.layout"),
                 term("sites.batch"),     term("sites.per-chip"),  term("sites.most"),
                 term("sites.mfu"),       term("sites.effective"), term("sites.per-joule"),
                 term("sites.tokens"),    term("sites.days"),      term("sites.cost"),
                 term("sites.per-money"), term("sites.verdict")};
    for (const Filled& row : rows) {
        const Evaluation& e = row.evaluation;
        const auto chips = static_cast<double>(row.plan.cluster.chips);
        t.rows.push_back(
            {nameOfSystem(row, words), cell(chips, Unit::None, 9),
             layoutOf(e, row.plan) +
                 (row.searched ? "" : " (" + term("window.cost.keptLayout") + ")"),
             cell(e.forecast.batchTokens, Unit::Tokens, 3),
             cell(e.power.maximum.facility.si() / chips, Unit::Watts),
             cell(e.power.maximum.facility.si(), Unit::Watts),
             cell(e.run.effectiveMfu, Unit::Share, 3), cell(row.effective, Unit::FlopPerSecond),
             cell(e.power.flopsPerJoule, Unit::FlopPerJoule),
             cell(e.power.tokensPerJoule * e.power.average.facility.si(), Unit::TokensPerSecond),
             days(e.run.days), money(e.cost.perRun.si(), row.plan.economics.currency),
             Cell(units::human(e.cost.flopsPerMoney, Unit::Flop) + "/" +
                      row.plan.economics.currency,
                  e.cost.flopsPerMoney, Unit::FlopPerMoney),
             powerVerdict(e, watts, words)});
    }
    d.add(std::move(t));
    for (const Filled& row : rows)
        tellFault(nameOfSystem(row, words), row.evaluation, words, d);
    d.paragraph(term("sites.fill-note"));
    return d;
}

} // namespace cw::report
