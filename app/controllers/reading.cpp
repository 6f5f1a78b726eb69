// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/controllers/reading.h"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/controllers/idlereader.h"
#include "model/scenario/checks.h"
#include "model/scenario/layout.h"
#include "model/scenario/presets.h"
#include "views/pages/figures.h"
#include "views/params/valuetext.h"
#include "views/text/words.h"

namespace cw::app {

using namespace Qt::StringLiterals;
using evaluation::Evaluation;
using scenario::Scenario;
using units::Unit;
using views::say;
using views::shownNumber;

namespace {

/// Less is no remedy.
constexpr double kLeastChange = 16.0 * 1024 * 1024;

QString whole(double value)
{
    return views::numberLocale().toString(value, 'f', 0);
}

QString presetName(const char* kind, const std::string& id)
{
    const auto* preset = scenario::findPreset(kind, id);
    return QString::fromStdString(preset ? preset->name : id);
}

const scenario::Parameter* find(const std::vector<scenario::Parameter>& all,
                                const std::string& path)
{
    const auto found =
        std::find_if(all.begin(), all.end(), [&path](const auto& p) { return p.path == path; });
    return found == all.end() ? nullptr : &*found;
}

/// What an issue is about, in words: the label of the input.
QString aboutInput(const std::vector<scenario::Parameter>& all, const std::string& path)
{
    const auto* parameter = find(all, path);
    return parameter ? views::parameterLabel(*parameter) : views::labelOf(path);
}

/// A title and the sentences below it; without a title of its own the first sentence is one.
void sayIssue(views::Issue& issue, const std::string& rule,
              const std::map<std::string, std::string>& arguments)
{
    issue.title = views::sayTitle(rule, arguments);
    issue.text = views::sayMessage(rule, arguments);
    if (!issue.title.isEmpty())
        return;
    static const QRegularExpression end(u"\\.\\s+|。"_s);
    const qsizetype at = issue.text.indexOf(end);
    issue.title = at < 0 ? issue.text : issue.text.left(at);
    issue.text = at < 0 ? QString() : issue.text.mid(at + 1).trimmed();
}

views::Issue issueOf(const scenario::Violation& violation,
                     const std::vector<scenario::Parameter>& all)
{
    views::Issue issue;
    issue.status = views::Status::Violation;
    sayIssue(issue, violation.rule, violation.arguments);
    issue.about = aboutInput(all, violation.path);
    issue.input = QString::fromStdString(violation.path);
    const auto* parameter = find(all, violation.path);
    if (parameter && !violation.nearest.empty()) {
        const scenario::Value value(violation.nearest.front());
        issue.fix.emplace_back(violation.path, value);
        issue.fixText =
            views::shortLabelOf(*parameter) + u" → "_s + views::shownText(*parameter, value);
    }
    return issue;
}

views::Issue issueOf(const evaluation::Note& note, const std::vector<scenario::Parameter>& all)
{
    views::Issue issue;
    issue.status = note.warning ? views::Status::Warning : views::Status::Advice;
    sayIssue(issue, note.rule, note.arguments);
    issue.about = aboutInput(all, note.path);
    issue.input = QString::fromStdString(note.path);
    QStringList changes;
    for (const auto& [path, typed] : note.change) {
        const auto* parameter = find(all, path);
        const auto value = parameter ? scenario::parseValue(*parameter, typed) : std::nullopt;
        if (!value)
            continue;
        issue.fix.emplace_back(path, *value);
        changes << views::shortLabelOf(*parameter) + u" → "_s +
                       views::shownText(*parameter, *value);
    }
    issue.fixText = changes.join(u", "_s);
    return issue;
}

QString layoutLine(const Scenario& s, const Evaluation& e)
{
    const auto& p = s.parallelism;
    QStringList parts{u"TP "_s + whole(static_cast<double>(p.tensor)),
                      u"PP "_s + whole(static_cast<double>(p.pipeline))};
    if (p.context > 1)
        parts << u"CP "_s + whole(static_cast<double>(p.context));
    if (p.expert > 1)
        parts << u"EP "_s + whole(static_cast<double>(p.expert));
    parts << u"DP "_s + whole(e.layout.data);
    return parts.join(u" · "_s);
}

/// Short, as it stands in a narrow list.
QString remedyName(const scenario::Parameter& parameter, const scenario::Value& value)
{
    const std::string whole = "window.remedy.whole." + parameter.path;
    if (views::isKnown(whole))
        return say(whole);
    const std::string brief = "window.remedy.brief." + parameter.path;
    return (views::isKnown(brief) ? say(brief) : views::shortLabelOf(parameter)) + u" → "_s +
           views::shownText(parameter, value);
}

} // namespace

std::map<std::string, QString> derivedTexts(const Scenario& s, const Evaluation& e)
{
    std::map<std::string, QString> texts;
    texts["model.scale_to.total"] = shownNumber(e.parameters.total, Unit::Parameters);
    texts["model.scale_to.active"] = shownNumber(e.parameters.active, Unit::Parameters);
    texts["parallelism.data"] = whole(e.layout.data);
    texts["parallelism.sharding_group"] = whole(e.layout.sharding);
    texts["cluster.spare_chips"] = whole(e.run.spareChips);
    texts["cluster.chip.hbm_usable_bytes"] = shownNumber(e.memory.usable.si(), Unit::VendorBytes);
    texts["facility.pue"] = views::format(e.power.pue, views::Unit::Plain, views::numberLocale());
    if (!s.reliability.checkpoints.empty())
        texts["reliability.checkpoints.0.interval_s"] =
            shownNumber(e.run.checkpointInterval.si(), Unit::Seconds);
    return texts;
}

std::map<std::string, double> derivedNumbers(const Evaluation& e)
{
    return {{"model.scale_to.total", e.parameters.total},
            {"model.scale_to.active", e.parameters.active},
            {"cluster.chip.hbm_usable_bytes", e.memory.usable.si()},
            {"facility.pue", e.power.pue}};
}

std::map<std::string, scenario::Value> scaledValues(const Scenario& s)
{
    std::map<std::string, scenario::Value> scaled;
    if (!s.model.scaleTo.total && !s.model.scaleTo.active)
        return scaled;
    const Scenario derived = evaluation::derived(s);
    for (const std::string& path : scenario::differingPaths(s, derived))
        if (path.starts_with("model.") && !path.starts_with("model.scale_to"))
            if (const auto value = scenario::valueAt(derived, path))
                scaled.emplace(path, *value);
    return scaled;
}

std::map<std::string, QString> problemTexts(const Evaluation& e)
{
    std::map<std::string, QString> texts;
    for (const auto& violation : e.violations)
        texts.emplace(violation.path, views::sayMessage(violation.rule, violation.arguments));
    return texts;
}

std::map<std::string, QString> groupSummaries(const Scenario& s, const Evaluation& e)
{
    std::map<std::string, QString> texts;
    texts["model"] = shownNumber(e.parameters.total, Unit::Parameters) + u" / "_s +
                     shownNumber(e.parameters.active, Unit::Parameters);
    texts["workload"] = shownNumber(s.workload.trainingTokens, Unit::Tokens);
    texts["precision"] = views::nameOf("precision.compute", scenario::nameOf(s.precision.compute));
    texts["parallelism"] = layoutLine(s, e);
    texts["cluster"] =
        say("window.picker.chips", {{"n", whole(static_cast<double>(s.cluster.chips))}});
    texts["chip"] = presetName("chip", s.cluster.chip.preset);
    texts["network"] = presetName("network", s.cluster.network.preset);
    texts["software"] = QString::fromStdString(s.software.stack);
    texts["reliability"] =
        say("window.summary.interruption",
            {{"time", shownNumber(e.run.meanTimeBetweenInterruptions.si(), Unit::Seconds)}});
    texts["facility"] = shownNumber(e.power.average.facility.si(), Unit::Watts) + u" · PUE "_s +
                        views::numberLocale().toString(e.power.pue, 'f', 2);
    texts["economics"] = shownNumber(e.cost.perHour.si(), Unit::Money) + u' ' +
                         QString::fromStdString(s.economics.currency) + u"/h"_s;
    return texts;
}

std::int64_t dataDegreeOf(const Scenario& s, const Evaluation* e)
{
    return e ? static_cast<std::int64_t>(e->layout.data) : scenario::derivedData(s);
}

std::vector<views::DegreeChoice> degreesOf(const Scenario& s, const std::string& path)
{
    std::vector<views::DegreeChoice> choices;
    for (const auto& option : scenario::degreeOptions(s, path)) {
        views::DegreeChoice choice;
        choice.value = static_cast<double>(option.value);
        choice.legal = option.rule.empty();
        if (!choice.legal)
            choice.reason = views::sayMessage(option.rule, option.arguments);
        choices.push_back(std::move(choice));
    }
    return choices;
}

QString problemOf(const Scenario& s, const Evaluation& e)
{
    if (e.violations.empty())
        return e.memory.verdict == memory::Verdict::DoesNotFit
                   ? say("window.headline.tooFull",
                         {{"stage", QString::number(static_cast<int>(e.memory.peakStage))},
                          {"size", views::shown(e.memory.reserved.si(), views::Unit::GibiBytes)},
                          {"usable", views::shown(e.memory.usable.si(), views::Unit::GibiBytes)}})
                   : QString();
    const auto& violation = e.violations.front();
    QString rule = views::sayMessage(violation.rule, violation.arguments);
    const auto all = scenario::parameters(s);
    const auto* parameter = find(all, violation.path);
    if (!parameter || violation.nearest.empty())
        return rule;
    QStringList values;
    for (const double value : violation.nearest)
        values << views::shownText(*parameter, scenario::Value(value));
    return say("window.headline.problem",
               {{"rule", rule},
                {"change", views::shortLabelOf(*parameter) + u' ' + values.join(u" / "_s)}});
}

std::vector<views::Remedy> remedyRows(const Scenario& s, const Evaluation& e,
                                      const IdleReading& idle)
{
    const auto all = scenario::parameters(s);
    std::vector<std::pair<double, views::Remedy>> rows;
    const auto locale = views::numberLocale();
    for (const auto& tried : idle.remedies) {
        const double change = tried.evaluation.memory.reserved.si() - e.memory.reserved.si();
        if (std::abs(change) < kLeastChange)
            continue;
        views::Remedy row;
        QStringList names;
        for (const auto& [path, value] : tried.edits)
            if (const auto* parameter = find(all, path))
                names << remedyName(*parameter, value);
        row.name = names.join(u", "_s);
        for (const auto& [path, value] : tried.edits)
            if (const std::string why = "window.remedy.why." + path; views::isKnown(why))
                row.why = say(why);
        row.saved = -change;
        row.slower = tried.evaluation.step.time.si() - e.step.time.si();
        row.saves = views::formatSigned(change, views::Unit::GibiBytes, locale);
        row.step = views::formatSigned(tried.evaluation.step.time.si() - e.step.time.si(),
                                       views::Unit::Seconds, locale);
        row.helps = change < 0;
        row.fits = tried.evaluation.feasible;
        row.edits.assign(tried.edits.begin(), tried.edits.end());
        rows.emplace_back(change, std::move(row));
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<views::Remedy> remedies;
    for (auto& [change, row] : rows)
        if (row.helps)
            remedies.push_back(std::move(row));
    return remedies;
}

std::vector<views::TopologyAlternative> topologyRows(const Scenario& s, const Evaluation& e,
                                                     const IdleReading& idle)
{
    constexpr const char* kPath = "cluster.network.scale_out.topology";
    std::vector<views::TopologyAlternative> rows;
    if (idle.topologies.empty())
        return rows;
    views::TopologyAlternative own;
    own.name = views::nameOf(kPath, scenario::nameOf(s.cluster.network.scaleOut.topology));
    own.switches = e.topology.switches;
    own.step = e.step.time.si();
    own.own = true;
    rows.push_back(own);
    for (const auto& tried : idle.topologies) {
        views::TopologyAlternative row;
        row.name = views::nameOf(kPath, std::get<std::string>(tried.edits.back().second));
        row.switches = tried.evaluation.topology.switches;
        row.step = tried.evaluation.step.time.si();
        row.change = row.step - own.step;
        row.reaches = tried.evaluation.topology.reaches;
        row.edits.assign(tried.edits.begin(), tried.edits.end());
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<views::Issue> issuesOf(const Scenario& s, const Evaluation& e)
{
    const auto all = scenario::parameters(s);
    std::vector<views::Issue> issues;
    for (const auto& violation : e.violations)
        issues.push_back(issueOf(violation, all));
    for (const bool warning : {true, false})
        for (const auto& note : e.advice)
            if (note.warning == warning)
                issues.push_back(issueOf(note, all));
    return issues;
}

} // namespace cw::app
