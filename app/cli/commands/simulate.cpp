// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <memory>

#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/planinput.h"
#include "model/evaluation/runcurve.h"
#include "model/report/writers.h"
#include "model/run/shares.h"

namespace cw::cli {

using evaluation::Evaluation;
using run::Activity;
using run::Shares;
using run::Simulation;
using units::Unit;
using Json = nlohmann::ordered_json;

namespace {

struct Options
{
    std::string plan;
    std::vector<std::string> settings;
    std::string format;
    int runs = 100;
    int seed = 1;
};

using Parts = std::array<double, run::kActivityCount>;

Parts partsOf(const Shares<double>& s)
{
    return {s.useful,       s.save,       s.lostProgress, s.detection,    s.startUp,
            s.restore,      s.warmUp,     s.stragglers,   s.healthChecks, s.corruption,
            s.replicasAway, s.repairWait, s.fragmentation};
}

/// The closed form of the whole run, with its phases.
Shares<double> sharesOf(const run::Run<double>& r)
{
    Shares<double> s;
    s.useful = r.goodput;
    s.save = r.lost.save / r.wall;
    s.lostProgress = r.lost.lostProgress / r.wall;
    s.detection = r.lost.detection / r.wall;
    s.startUp = r.lost.startUp / r.wall;
    s.restore = r.lost.restore / r.wall;
    s.warmUp = r.otherLost.warmUp / r.wall;
    s.stragglers = r.lost.stragglers / r.wall;
    s.healthChecks = r.lost.healthChecks / r.wall;
    s.corruption = r.otherLost.corruption / r.wall;
    s.replicasAway = r.otherLost.replicasAway / r.wall;
    s.repairWait = r.otherLost.repairWait / r.wall;
    s.fragmentation = r.otherLost.fragmentation / r.wall;
    return s;
}

/// The classes of `run.lost_time`, in seconds of a run of `wall`.
Json lostOf(const Parts& shares, double wall)
{
    const auto at = [&](Activity a) {
        return shares[static_cast<std::size_t>(a)] * wall;
    };
    Json lost;
    for (const Activity a :
         {Activity::StartUp, Activity::Save, Activity::LostProgress, Activity::Detection,
          Activity::Restore, Activity::Stragglers, Activity::HealthChecks})
        lost[std::string(run::nameOf(a))] = at(a);
    double other = 0;
    for (const Activity a : {Activity::WarmUp, Activity::Corruption, Activity::ReplicasAway,
                             Activity::RepairWait, Activity::Fragmentation})
        other += at(a);
    lost["other"] = other;
    return lost;
}

Json estimate(const run::Estimate& e)
{
    return {{"mean", e.mean}, {"low", e.low}, {"high", e.high}};
}

Json jsonOf(const Simulation& s, const Shares<double>& closed, const Options& options, double work)
{
    constexpr double kDay = 86400.0;
    Json days = estimate(s.days);
    days["p10"] = s.earliest;
    days["p90"] = s.latest;
    return {{"runs", s.runs.size()},
            {"seed", options.seed},
            {"goodput", estimate(s.goodput)},
            {"closed_form", closed.useful},
            {"days", days},
            {"interruptions_per_day", estimate(s.interruptions)},
            {"cut", s.cut},
            {"lost_time", lostOf(s.shares, s.days.mean * kDay)},
            {"lost_time_closed_form", lostOf(partsOf(closed), work / closed.useful)}};
}

report::Document documentOf(const Session& session, const std::string& name, const Simulation& s,
                            const Shares<double>& closed, const Options& options)
{
    const auto term = [&](const char* key) {
        return session.term(std::string("simulate.") + key);
    };
    const auto range = [](const run::Estimate& e, Unit unit) {
        return report::Cell(report::cell(e.mean, unit).text + " (" +
                                report::cell(e.low, unit).text + " – " +
                                report::cell(e.high, unit).text + ")",
                            e.mean, unit);
    };
    report::Document d;
    d.heading(2, name);
    report::Table head;
    head.columns = {"", ""};
    head.rows = {{term("runs"), report::cell(static_cast<double>(s.runs.size()), Unit::None)},
                 {term("seed"), report::cell(options.seed, Unit::None)},
                 {term("goodput"), range(s.goodput, Unit::Share)},
                 {term("closed"), report::cell(closed.useful, Unit::Share)},
                 {term("days"), range(s.days, Unit::Days)},
                 {term("spread"), report::Cell(report::cell(s.earliest, Unit::Days).text + " – " +
                                               report::cell(s.latest, Unit::Days).text)},
                 {term("interruptions"), range(s.interruptions, Unit::None)}};
    d.blocks.emplace_back(head);
    report::Table classes;
    classes.columns = {term("class"), term("share"), term("closed-share")};
    const Parts parts = partsOf(closed);
    for (std::size_t i = 0; i < run::kActivityCount; ++i)
        classes.rows.push_back(
            {std::string(session.words().term("activity." +
                                              std::string(run::nameOf(static_cast<Activity>(i))))),
             report::cell(s.shares[i], Unit::Share), report::cell(parts[i], Unit::Share)});
    d.blocks.emplace_back(classes);
    const bool inside = closed.useful >= s.goodput.low && closed.useful <= s.goodput.high;
    if (s.interruptions.high <= 0.0 && !s.cut)
        d.blocks.emplace_back(report::Note{report::Note::Kind::Good, term("nothing-random")});
    else if (s.cut)
        d.blocks.emplace_back(report::Note{report::Note::Kind::Warning, term("cut")});
    else
        d.blocks.emplace_back(
            report::Note{inside ? report::Note::Kind::Good : report::Note::Kind::Advice,
                         term(inside ? "inside" : "outside")});
    return d;
}

/// A bar on a terminal, nothing elsewhere.
run::SimulationProgress progressOf(const Session& session, int runs)
{
    if (&session.streams.err != &std::cerr || isatty(STDERR_FILENO) == 0)
        return {};
    return [&session, runs](int done) {
        session.streams.err << "\r" << done << " / " << runs << (done == runs ? "\n" : "")
                            << std::flush;
        return true;
    };
}

void simulate(const Session& session, const Options& options)
{
    const GivenPlan given = readGiven(session, options.plan, options.settings);
    const scenario::Scenario& plan = given.plan.scenario;
    const Evaluation e = evaluation::evaluate(plan);
    if (plan.model.groups.empty())
        stop(Status::Input, session.message("rule.no-layers"));
    const Shares<double> closed = sharesOf(e.run);
    const Simulation s =
        evaluation::simulateRun(plan, e, options.runs, static_cast<std::uint64_t>(options.seed),
                                progressOf(session, options.runs));
    std::ostream& out = session.streams.out;
    if (options.format == "json") {
        out << jsonOf(s, closed, options, e.run.wall.si() * e.run.goodput).dump(2) << '\n';
        return;
    }
    const report::Document d = documentOf(session, given.name, s, closed, options);
    out << (options.format == "csv"        ? report::toCsv(d)
            : options.format == "markdown" ? report::toMarkdown(d)
                                           : report::toText(d));
}

} // namespace

void addSimulate(CLI::App& program, Session& session)
{
    const auto options = std::make_shared<Options>();
    CLI::App* command = session.add(program, "simulate", session.term("simulate"),
                                    [&session, options] { simulate(session, *options); });
    session.takePlan(*command, options->plan);
    session.takeNumber(*command, "--runs", options->runs, session.term("simulate.help-runs"), 1,
                       100000);
    session.takeNumber(*command, "--seed", options->seed, session.term("simulate.help-seed"), 0,
                       2147483647);
    session.takeSettings(*command, options->settings);
    session.takeFormat(*command, options->format, {"text", "json", "csv", "markdown"});
}

} // namespace cw::cli
