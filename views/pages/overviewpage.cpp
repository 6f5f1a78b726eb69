// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/overviewpage.h"

#include <QGridLayout>
#include <QVBoxLayout>
#include <utility>

#include "model/scenario/presets.h"
#include "views/pages/bindings.h"
#include "views/pages/figures.h"
#include "views/pages/frames.h"
#include "views/params/valuetext.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;
using evaluation::Evaluation;
using scenario::Scenario;

namespace {

constexpr std::size_t kLimits = 7;

QString whole(double value)
{
    return numberLocale().toString(value, 'f', 0);
}

QString whole(std::int64_t value)
{
    return numberLocale().toString(static_cast<qlonglong>(value));
}

/// Without what stands in brackets behind it: the tip and the picker tell that.
QString shortPresetName(const char* kind, const std::string& id)
{
    const auto* preset = scenario::findPreset(kind, id);
    const QString name = QString::fromStdString(preset ? preset->name : id);
    const qsizetype bracket = name.indexOf(u" ("_s);
    return bracket > 0 ? name.left(bracket) : name;
}

QString layoutText(const Scenario& s, const Evaluation& e)
{
    const auto& p = s.parallelism;
    QString text = u"TP "_s + whole(p.tensor) + u" · PP "_s + whole(p.pipeline);
    if (p.virtualStages > 1)
        text += u" × "_s + whole(p.virtualStages);
    if (p.context > 1)
        text += u" · CP "_s + whole(p.context);
    if (p.expert > 1)
        text += u" · EP "_s + whole(p.expert);
    return text + u" · DP "_s + whole(e.layout.data);
}

std::int64_t layersOf(const Scenario& s)
{
    std::int64_t layers = 0;
    for (const auto& group : s.model.groups)
        layers += group.count;
    return layers;
}

} // namespace

OverviewPage::OverviewPage(QWidget* parent)
    : Page(parent), m_plan(new FactList(true, this)), m_binds(new BindingList(this)),
      m_memory(new StackedBars(this)), m_step(new Waterfall(Qt::Horizontal, this)),
      m_run(new ShareBar(this)), m_power(new ShareBar(this)), m_cost(new ShareBar(this)),
      m_bindsFrame(framed(this, m_binds, "window.binds.title")),
      m_memoryFrame(framed(this, m_memory, "window.page.memory")),
      m_stepFrame(framed(this, m_step, "window.page.step")),
      m_runFrame(framed(this, m_run, "window.page.run")),
      m_powerFrame(framed(this, m_power, "window.page.power")),
      m_costFrame(framed(this, m_cost, "window.page.cost"))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(10);
    auto* top = new QHBoxLayout;
    top->setSpacing(10);
    top->addWidget(framed(this, m_plan, "window.overview.plan"), 1);
    top->addWidget(m_bindsFrame, 1);
    column->addLayout(top);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(10);
    middle->addWidget(m_memoryFrame, 1);
    middle->addWidget(m_stepFrame, 1);
    column->addLayout(middle, 1);
    auto* bottom = new QHBoxLayout;
    bottom->setSpacing(10);
    for (ChartFrame* frame : {m_runFrame, m_powerFrame, m_costFrame})
        bottom->addWidget(frame, 1);
    column->addLayout(bottom);
    setMinimumHeight(800); // below, the page scrolls rather than cuts its lines
    connect(m_binds, &BindingList::changeWanted, this, [this](int row) {
        const BindingRow& wanted = m_binds->rows()[static_cast<std::size_t>(row)];
        Q_EMIT editsWanted(wanted.edits, wanted.change, 0);
    });
    m_memory->setMinimumHeight(190);
    m_step->setMinimumHeight(190);
}

void OverviewPage::refresh(const PageData& figures)
{
    const Evaluation& e = *figures.evaluation;
    showPlan(figures);
    showLimits(figures);
    m_bindsFrame->setSubtitle(say("window.binds.subtitle"));
    StackedBarsData memory = memoryBars(figures, false);
    // The line above tells the fullest; so low a chart has no room for a number on each.
    for (StackedBar& bar : memory.bars)
        bar.totalText.clear();
    m_memory->setData(std::move(memory));
    m_memoryFrame->setSubtitle(say("window.memory.subtitle"));
    m_memoryFrame->setRightText(say(
        "window.memory.fullest", {{"stage", QString::number(static_cast<int>(e.memory.peakStage))},
                                  {"size", shown(e.memory.reserved.si(), Unit::GibiBytes)},
                                  {"usable", shown(e.memory.usable.si(), Unit::GibiBytes)}}));
    m_step->setData(stepWaterfall(e, false));
    m_stepFrame->setSubtitle(say("window.step.subtitle"));
    m_stepFrame->setRightText(u"<b>"_s + shown(e.step.time.si(), Unit::Seconds) + u"</b>"_s);
    m_run->setData(runShares(e));
    m_runFrame->setSubtitle(
        say("window.run.subtitle", {{"days", shown(e.run.days, Unit::Days)},
                                    {"share", shown(e.run.goodput, Unit::Percent)}}));
    m_power->setData(powerShares(e));
    m_powerFrame->setSubtitle(
        say("window.power.subtitle",
            {{"power", shownNumber(e.power.average.facility.si(), units::Unit::Watts)},
             {"pue", numberLocale().toString(e.power.pue, 'f', 2)}}));
    m_cost->setData(costShares(figures));
    m_costFrame->setSubtitle(shown(e.cost.perRun.si(), Unit::Money) + u' ' +
                             QString::fromStdString(figures.scenario->economics.currency));
}

void OverviewPage::showPlan(const PageData& figures)
{
    const Evaluation& e = *figures.evaluation;
    const Scenario& s = *figures.scenario;
    const auto fact = [](const char* key, const QString& value, const QString& detail,
                         const char* path) {
        FactRow row;
        row.label = say(key);
        row.value = value;
        row.detail = detail;
        row.quantity = QString::fromLatin1(path);
        return row;
    };
    const auto params = [](double n) {
        return shownNumber(n, units::Unit::Parameters);
    };
    const auto tokens = [](double n) {
        return shownNumber(n, units::Unit::Tokens);
    };
    const double sequences = static_cast<double>(s.workload.globalBatchSequences);
    m_plan->setRows(
        {fact("window.overview.model",
              say("window.overview.params",
                  {{"total", params(e.parameters.total)}, {"active", params(e.parameters.active)}}),
              say("window.picker.layers", {{"n", whole(layersOf(s))}}), "parameters.total"),
         fact("window.overview.training", tokens(s.workload.trainingTokens),
              say("window.overview.sequence", {{"n", whole(s.workload.sequenceLength)}}),
              "run.tokens"),
         fact("window.overview.batch", say("window.overview.sequences", {{"n", whole(sequences)}}),
              say("window.overview.micro", {{"n", whole(e.layout.microBatches)}}),
              "layout.micro_batches"),
         fact("window.overview.precision",
              nameOf("precision.compute", scenario::nameOf(s.precision.compute)),
              say("window.overview.weights",
                  {{"format", nameOf("precision.weights", scenario::nameOf(s.precision.weights))}}),
              ""),
         fact("window.overview.layout", layoutText(s, e),
              nameOf("parallelism.schedule", scenario::nameOf(s.parallelism.schedule)),
              "layout.chips"),
         fact("window.overview.machine",
              whole(s.cluster.chips) + u" × "_s + shortPresetName("chip", s.cluster.chip.preset),
              shortPresetName("network", s.cluster.network.preset), "topology.switches"),
         fact("window.overview.recovery",
              nameOf("reliability.policy", scenario::nameOf(s.reliability.policy)),
              say("window.overview.interruption",
                  {{"time", shown(e.run.meanTimeBetweenInterruptions.si(), Unit::Duration)}}),
              "run.mean_time_between_interruptions_s")});
}

void OverviewPage::setLimits(std::vector<evaluation::Limit> limits)
{
    if (!current().evaluation)
        return;
    m_limits = std::move(limits);
    m_limitsOf = current().evaluation;
    showLimits(current());
}

void OverviewPage::showLimits(const PageData& figures)
{
    // Until the plan is still, what binds is told without the changes, which take longer to find.
    const bool known = m_limitsOf && m_limitsOf == figures.evaluation;
    m_binds->setRows(bindingRows(
        figures, known ? m_limits : evaluation::limitsOf(*figures.scenario, *figures.evaluation),
        kLimits));
}

} // namespace cw::views
