// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/runpage.h"

#include <QCoreApplication>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QResizeEvent>
#include <algorithm>
#include <array>
#include <cmath>

#include "views/pages/cardtable.h"
#include "views/pages/factlist.h"
#include "views/pages/figures.h"
#include "views/pages/frames.h"
#include "views/pages/narrow.h"
#include "views/pages/ticks.h"
#include "views/painted/linecurve.h"
#include "views/painted/rankedbars.h"
#include "views/painted/runstrip.h"
#include "views/params/valueslider.h"
#include "views/params/valuetext.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;
using run::Activity;

namespace {

constexpr double kHour = 3600.0;
constexpr std::uint64_t kSeed = 11;
constexpr int kThree = 640;
constexpr int kStillMs = 100;

Series seriesOf(Activity a)
{
    switch (a) {
    case Activity::Useful:
        return Series::UsefulWork;
    case Activity::Save:
        return Series::CheckpointSave;
    case Activity::LostProgress:
        return Series::LostProgress;
    case Activity::Detection:
        return Series::Detection;
    case Activity::StartUp:
        return Series::SwapIn;
    case Activity::Restore:
        return Series::Restore;
    case Activity::Stragglers:
        return Series::Stragglers;
    case Activity::HealthChecks:
        return Series::Fixed;
    case Activity::ReplicasAway:
        return Series::Fragmentation;
    default:
        return Series::Other;
    }
}

QString activityName(Activity a)
{
    return say("activity." + std::string(run::nameOf(a)));
}

QString duration(double seconds)
{
    return shown(seconds, Unit::Duration);
}

QString policyName(scenario::FailurePolicy p)
{
    return nameOf("reliability.policy", scenario::nameOf(p));
}

QString daysText(double seconds)
{
    return shown(seconds / 86400.0, Unit::Days);
}

FactRow fact(const char* key, const QString& value, const char* path, const QString& detail = {})
{
    FactRow row;
    row.label = say(key);
    row.value = value;
    row.detail = detail;
    row.quantity = QString::fromLatin1(path);
    return row;
}

/// Round times between two ends, for an axis of intervals.
std::vector<CurveTick> timeTicks(double low, double high)
{
    static constexpr std::array<double, 22> kTimes{
        0.1,  0.3,  1,     3,     10,    30,     60,     120,   300,    600,   1800,
        3600, 7200, 18000, 43200, 86400, 259200, 864000, 2.6e6, 8.64e6, 2.6e7, 8.64e7};
    std::vector<CurveTick> ticks;
    for (const double t : kTimes)
        if (t >= low * 0.999 && t <= high * 1.001)
            ticks.push_back({t, timeTick(t)});
    return ticks;
}

std::vector<CurveTick> percentTicks(double low, double high)
{
    std::vector<CurveTick> ticks;
    const double span = high - low;
    const double step = span > 0.5 ? 0.2 : span > 0.25 ? 0.1 : span > 0.11 ? 0.05 : span / 4;
    for (double v = low; v <= high + 0.001 * span; v += step)
        ticks.push_back({v, percentTick(v)});
    return ticks;
}

/// The plan's own point with its words.
CurvePoint planOf(const evaluation::CurvePoint& p)
{
    const auto percent = [](double v) {
        return shown(v, Unit::Percent);
    };
    return {p.interval, p.goodput,
            say("window.runpage.plan",
                {{"time", duration(p.interval)}, {"goodput", percent(p.goodput)}}),
            percent(p.low) + u" – "_s + percent(p.high), u"run.goodput"_s};
}

} // namespace

RunPage::RunPage(QWidget* parent)
    : Page(parent), m_curve(new LineCurve(this)), m_lost(new RankedBars(this)),
      m_strip(new RunStrip(this)), m_facts(new FactList(false, this)), m_tiers(new CardTable(this)),
      m_spares(new StackedBars(this)), m_laws(new CardTable(this)), m_loss(new LineCurve(this)),
      m_phases(new FactList(false, this)),
      m_curveFrame(framed(this, m_curve, "window.runpage.curve")),
      m_lostFrame(framed(this, m_lost, "window.runpage.lost")),
      m_stripFrame(framed(this, m_strip, "window.runpage.month")),
      m_factsFrame(framed(this, m_facts, "window.runpage.facts")),
      m_tiersFrame(framed(this, m_tiers, "window.runpage.tiers")),
      m_sparesFrame(framed(this, m_spares, "window.runpage.spares")),
      m_lawsFrame(framed(this, m_laws, "window.runpage.loss")),
      m_lossFrame(framed(this, m_loss, "window.runpage.lossCurve")),
      m_phasesFrame(framed(this, m_phases, "window.runpage.phases")), m_cards(new QGridLayout),
      m_top(new QBoxLayout(QBoxLayout::LeftToRight))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(10);
    m_top->setSpacing(10);
    m_top->addWidget(m_curveFrame, 4);
    m_top->addWidget(m_lostFrame, 3);
    column->addLayout(m_top, 5);
    column->addWidget(m_stripFrame, 4);
    m_cards->setSpacing(10);
    column->addLayout(m_cards, 3);
    m_curve->setMinimumHeight(230);
    m_strip->setMinimumHeight(m_strip->minimumSizeHint().height());
    m_spares->setMinimumHeight(110);
    m_loss->setMinimumHeight(110);
    m_phases->setDetailWidth(130);
    m_facts->setDetailWidth(96);
    arrange();
    connect(m_curve, &LineCurve::planDragStarted, this, [this] { m_gesture = nextGesture(); });
    connect(m_curve, &LineCurve::planDragged, this, &RunPage::dragInterval);
    connect(m_curve, &LineCurve::planDragFinished, this, [this] { m_gesture = 0; });
    connect(m_strip, &RunStrip::hourClicked, this, [this](int hour) {
        m_hour = hour;
        showHour();
    });
    for (const ChartFrame* frame : {m_curveFrame, m_stripFrame})
        connect(frame, &ChartFrame::aboutToRead, this, &RunPage::flush);
    connect(&LanguageSignal::instance(), &LanguageSignal::languageChanged, this, [this] {
        if (m_story.curves.curves.empty())
            return;
        showCurve();
        showMonth();
    });
    m_pool.setMaxThreadCount(1);
    m_timer.setSingleShot(true);
    m_timer.setInterval(kStillMs);
    connect(&m_timer, &QTimer::timeout, this, &RunPage::startReading);
}

RunPage::~RunPage()
{
    ++m_ticket;
    m_pool.waitForDone();
}

/// Tiers, spares and forecast in a row, and what is told beside them in the next; two in a row
/// where the page is narrow.
void RunPage::arrange()
{
    const int columns = width() >= kThree ? 3 : 2;
    if (columns == m_columns)
        return;
    m_columns = columns;
    int i = 0;
    for (ChartFrame* card :
         {m_tiersFrame, m_sparesFrame, m_lawsFrame, m_factsFrame, m_lossFrame, m_phasesFrame}) {
        m_cards->removeWidget(card);
        m_cards->addWidget(card, i / columns, i % columns);
        ++i;
    }
    for (int c = 0; c < 3; ++c)
        m_cards->setColumnStretch(c, c < columns ? 1 : 0);
}

void RunPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    m_top->setDirection(width() < kNarrowPage ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    arrange();
}

void RunPage::refresh(const PageData& figures)
{
    const auto& e = *figures.evaluation;
    if (figures.scenario->model.groups.empty())
        return;
    ++m_ticket;
    if (m_story.curves.curves.empty()) {
        take(m_ticket, read(figures)); // nothing is drawn that could stay
    } else {
        m_story.curves.plan = evaluation::planPoint(*figures.scenario, e);
        movePlan();
        m_timer.start();
    }
    showLost(e);
    showFacts(figures);
    showTiers(e);
    showSpares(figures);
    showLaws(figures);
    showLoss(figures);
    showPhases(e);
}

RunPage::Story RunPage::read(const PageData& figures)
{
    const auto& e = *figures.evaluation;
    return {evaluation::runCurves(*figures.scenario, e),
            evaluation::simulateMonth(*figures.scenario, e, kSeed), e.run.goodput};
}

void RunPage::startReading()
{
    if (!current().evaluation)
        return;
    m_pool.start([this, ticket = m_ticket.load(), figures = current()] {
        if (ticket != m_ticket)
            return;
        auto story = std::make_shared<const Story>(read(figures));
        QMetaObject::invokeMethod(
            this, [this, ticket, story] { take(ticket, *story); }, Qt::QueuedConnection);
    });
}

void RunPage::take(quint64 ticket, const Story& story)
{
    if (ticket != m_ticket)
        return;
    m_story = story;
    showCurve();
    showMonth();
    Q_EMIT storyShown();
}

void RunPage::flush()
{
    if (m_timer.isActive()) {
        m_timer.stop();
        startReading();
    }
    m_pool.waitForDone();
    QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
}

void RunPage::showCurve()
{
    const auto& curves = m_story.curves;
    LineCurveData chart;
    constexpr std::array<Series, 3> kColours{Series::Compute, Series::Restore, Series::Detection};
    constexpr std::array<Qt::PenStyle, 3> kPens{Qt::SolidLine, Qt::DashLine, Qt::DotLine};
    constexpr std::array<double, 3> kLabels{0.62, 0.5, 0.3};
    double top = 0;
    double bottom = 1;
    for (std::size_t i = 0; i < curves.curves.size(); ++i) {
        const auto& from = curves.curves[i];
        CurveLine line;
        line.series = kColours[i];
        line.pen = kPens[i];
        line.labelAt = kLabels[i];
        line.name = policyName(from.policy) + u", "_s + duration(from.restart);
        line.quantity = u"run.goodput"_s;
        for (const auto& p : from.points) {
            line.points.emplace_back(p.interval, p.goodput);
            top = std::max({top, p.goodput, p.high});
            bottom = std::min(bottom, p.goodput);
            if (i == 0) {
                line.low.push_back(p.low);
                line.high.push_back(p.high);
            }
        }
        chart.lines.push_back(std::move(line));
    }
    const auto percent = [](double v) {
        return shown(v, Unit::Percent);
    };
    const auto& points = curves.curves.front().points;
    chart.logX = true;
    chart.xLow = points.front().interval;
    chart.xHigh = points.back().interval;
    // A level may cut the axis: curves that all stay high are told apart, with the scale in sight.
    constexpr double kHighLevel = 0.4;
    if (bottom > kHighLevel)
        chart.yLow = std::floor(10 * (bottom - (top - bottom) / 2)) / 10;
    chart.yHigh = std::min(1.0, std::max(top + 0.12 * (top - chart.yLow), 1e-6));
    chart.xTicks = timeTicks(chart.xLow, chart.xHigh);
    chart.yTicks = percentTicks(chart.yLow, chart.yHigh);
    chart.xTitle = say("window.runpage.interval");
    chart.yTitle = say("window.headline.goodput");
    chart.xText = duration;
    chart.yText = percent;
    chart.optimum =
        CurvePoint{curves.optimum.interval, curves.optimum.goodput,
                   say("window.runpage.optimum", {{"time", duration(curves.optimum.interval)}}),
                   percent(curves.optimum.goodput), u"run.checkpoint_interval_s"_s};
    chart.plan = planOf(curves.plan);
    if (curves.least > chart.xLow)
        chart.markers.push_back(
            {curves.least, say("window.runpage.least", {{"time", duration(curves.least)}})});
    m_curve->setData(std::move(chart));
    m_curveFrame->setSubtitle(say("window.runpage.curveHint"));
    m_curveFrame->setRightText(say("window.runpage.curveBand"));
}

/// Over the curves of the plan before; where it leaves them they are read at once.
void RunPage::movePlan()
{
    if (!m_curve->setPlan(planOf(m_story.curves.plan)))
        take(m_ticket, read(current()));
}

void RunPage::showLost(const evaluation::Evaluation& e)
{
    const auto& r = e.run;
    const double wall = r.wall.si();
    RankedBarsData bars;
    const auto add = [&](Activity a, double seconds, const char* path, const QString& detail) {
        if (!(seconds > 0))
            return;
        RankedRow row;
        row.series = seriesOf(a);
        row.name = activityName(a);
        row.detail = detail;
        row.value = seconds / 86400;
        // Hours read better than some hundredths of a day.
        row.valueText = seconds < 8640 ? duration(seconds) : daysText(seconds);
        row.shareText = shownShare(seconds, wall);
        row.tooltip = row.name + u'\t' + row.valueText + u'\n' + row.shareText + u"\n"_s + detail;
        row.quantity = QString::fromLatin1(path);
        bars.rows.push_back(std::move(row));
    };
    const auto each = [](double seconds) {
        return say("window.runpage.each", {{"time", duration(seconds)}});
    };
    add(Activity::LostProgress, r.lost.lostProgress.si(), "run.lost_time.lost_progress",
        say("window.runpage.sinceSave"));
    add(Activity::Restore, r.lost.restore.si(), "run.lost_time.restore",
        each(r.restartParts.restore.si()));
    add(Activity::Detection, r.lost.detection.si(), "run.lost_time.detection",
        each(r.restartParts.detect.si()));
    // Where a replica is dropped, the parts of its return say nothing of the restarts of all.
    const bool dropped =
        current().scenario->reliability.policy == scenario::FailurePolicy::DropReplica;
    add(Activity::StartUp, r.lost.startUp.si(), "run.lost_time.start_up",
        dropped ? say("window.lost.wholeJob")
                : each((r.restartParts.reschedule + r.restartParts.start).si()));
    add(Activity::Save, r.lost.save.si(), "run.lost_time.save",
        say("window.runpage.blocking", {{"time", duration(r.checkpointStall.si())}}));
    add(Activity::Stragglers, r.lost.stragglers.si(), "run.lost_time.stragglers",
        say("window.lost.stragglers"));
    add(Activity::HealthChecks, r.lost.healthChecks.si(), "run.lost_time.health_checks",
        say("window.lost.healthChecks"));
    add(Activity::WarmUp, r.otherLost.warmUp.si(), "run.other_lost_time.warm_up",
        say("window.lost.warmUp"));
    add(Activity::Corruption, r.otherLost.corruption.si(), "run.other_lost_time.corruption",
        say("window.lost.corruption"));
    add(Activity::ReplicasAway, r.otherLost.replicasAway.si(), "run.other_lost_time.replicas_away",
        say("window.lost.replicasAway"));
    add(Activity::RepairWait, r.otherLost.repairWait.si(), "run.other_lost_time.repair_wait",
        say("window.lost.repairWait"));
    add(Activity::Fragmentation, r.otherLost.fragmentation.si(),
        "run.other_lost_time.fragmentation", say("window.lost.fragmentation"));
    std::stable_sort(bars.rows.begin(), bars.rows.end(),
                     [](const RankedRow& a, const RankedRow& b) { return a.value > b.value; });
    bars.unit = say("window.runpage.days");
    bars.category = say("window.runpage.class");
    bars.left = say("window.run.useful") + u"  "_s + daysText(wall * r.goodput);
    bars.right = say("window.run.effectiveMfu") + u"  "_s + shown(r.effectiveMfu, Unit::Percent);
    m_lost->setData(std::move(bars));
    m_lostFrame->setSubtitle(
        say("window.runpage.lostOf",
            {{"lost", daysText(wall * (1 - r.goodput))}, {"days", daysText(wall)}}));
}

void RunPage::showMonth()
{
    m_stripFrame->setSubtitle((m_story.month.phase.empty()
                                   ? QString()
                                   : QString::fromStdString(m_story.month.phase) + u", "_s) +
                              say("window.runpage.monthHint", {{"seed", QString::number(kSeed)}}));
    m_stripFrame->setRightText(
        say("window.runpage.monthRight",
            {{"simulated", shown(m_story.month.story.goodput, Unit::Percent)},
             {"closed", shown(m_story.goodput, Unit::Percent)}}));
    showHour();
}

void RunPage::showHour()
{
    RunStripData strip;
    strip.hours = m_story.month.story.hours;
    if (strip.hours.empty()) {
        m_strip->setData({});
        return;
    }
    const int hours = static_cast<int>(strip.hours.size());
    const int hour = m_hour >= 0 && m_hour < hours ? m_hour : m_story.month.toldHour;
    const double begin = hour * kHour;
    std::array<bool, run::kActivityCount> seen{};
    for (const auto& s : m_story.month.story.stretches) {
        seen[static_cast<std::size_t>(s.activity)] = true;
        if (s.end <= begin || s.begin >= begin + kHour)
            continue;
        strip.stretches.push_back({std::max(s.begin - begin, 0.0), std::min(s.end - begin, kHour),
                                   seriesOf(s.activity), activityName(s.activity),
                                   s.activity == Activity::Useful ? s.rate : 1.0});
    }
    for (const double at : m_story.month.story.failures)
        if (at >= begin && at < begin + kHour)
            strip.failures.push_back(at - begin);
    std::vector<Series> named;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        const auto a = static_cast<Activity>(i);
        const Series series = seriesOf(a);
        if (seen[i] && std::find(named.begin(), named.end(), series) == named.end()) {
            named.push_back(series);
            strip.legend.push_back({0, 0, series, activityName(a), 1});
        }
    }
    strip.mean = m_story.month.story.goodput;
    // Five bands from nothing to the mean at most, two from there to all: no two are the same.
    const double step = std::max(m_story.month.spread / 2, 0.002);
    strip.step = std::min(step, strip.mean / 5);
    strip.stepAbove = std::min(step, (1 - strip.mean) / 2);
    strip.selected = hour;
    strip.selectedName = say("window.runpage.day", {{"n", QString::number(hour / 24 + 1)}}) +
                         u'\n' + say("window.runpage.oneHour");
    strip.dayName = say("window.runpage.dayName");
    strip.hourName = say("window.runpage.hourName");
    strip.valueName = say("window.headline.goodput");
    strip.bandTitle = say("window.runpage.bandTitle");
    // Whole percents where bands are wide enough to tell them apart by these.
    const double narrowest = std::min(strip.step, strip.stepAbove);
    const auto edge = [&](int i) {
        const double at = strip.mean + (i < 5 ? strip.step : strip.stepAbove) * (i - 5);
        return numberLocale().toString(100 * at, 'f', narrowest >= 0.015 ? 0 : 1);
    };
    for (int i = 0; i < RunStrip::kBands; ++i)
        strip.bandNames.push_back(i == 0 ? say("window.month.below", {{"edge", edge(1)}})
                                  : i == RunStrip::kBands - 1
                                      ? say("window.month.over", {{"edge", edge(i)}})
                                      : edge(i) + u"–"_s + edge(i + 1));
    strip.note = say("window.runpage.interruptions",
                     {{"n", QString::number(m_story.month.story.failures.size())},
                      {"days", numberLocale().toString((hours + 12) / 24)}});
    m_strip->setData(std::move(strip));
}

void RunPage::showFacts(const PageData& figures)
{
    const auto& e = *figures.evaluation;
    const auto& r = e.run;
    QString band;
    for (const auto& b : e.bands)
        if (b.quantity == "run.days")
            band = shown(b.low, Unit::Days) + u" – "_s + shown(b.high, Unit::Days);
    std::vector<FactRow> rows{
        fact("window.runpage.length", shown(r.days, Unit::Days), "run.days"),
        fact("window.runpage.lengthBand", band, "run.days"),
        fact("window.headline.goodput", shown(r.goodput, Unit::Percent), "run.goodput"),
        fact("window.run.effectiveMfu", shown(r.effectiveMfu, Unit::Percent), "run.effective_mfu"),
        fact("window.run.interruptions", shown(r.interruptionsPerDay, Unit::Plain),
             "run.interruptions_per_day"),
        fact("window.runpage.mean", duration(r.meanTimeBetweenInterruptions.si()),
             "run.mean_time_between_interruptions_s"),
        fact("window.runpage.restart", duration(r.restart.si()), "run.restart_s"),
        fact("window.runpage.checkpoint", shown(r.checkpointBytes.si(), Unit::GigaBytes),
             "run.checkpoint_bytes")};
    m_facts->setRows(std::move(rows));
    m_factsFrame->setSubtitle(policyName(figures.scenario->reliability.policy));
}

void RunPage::showTiers(const evaluation::Evaluation& e)
{
    std::vector<CardRow> rows;
    for (std::size_t i = 0; i < e.run.tiers.size(); ++i) {
        const auto& tier = e.run.tiers[i];
        CardRow row;
        row.cells = {nameOf("reliability.checkpoints.tier", scenario::nameOf(tier.tier)),
                     duration(tier.interval.si()), duration(tier.blocking.si()),
                     shown(tier.serves, Unit::Percent)};
        row.tooltip =
            row.cells.front() + u'\n' +
            say("window.runpage.tierTip", {{"drain", duration(tier.drain.si())},
                                           {"restore", duration(tier.restore.si())},
                                           {"least", duration(tier.leastInterval.si())},
                                           {"host", shown(tier.host.si(), Unit::GigaBytes)}});
        row.quantity = QStringLiteral("run.checkpoints.%1.interval_s").arg(i);
        rows.push_back(std::move(row));
    }
    m_tiers->setRows({say("window.runpage.tier"), say("window.runpage.tierInterval"),
                      say("window.runpage.tierBlocks"), say("window.runpage.tierServes")},
                     std::move(rows));
    m_tiersFrame->setSubtitle(say("window.runpage.tiersHint",
                                  {{"bytes", shown(e.run.checkpointBytes.si(), Unit::GigaBytes)}}));
}

void RunPage::showSpares(const PageData& figures)
{
    const auto& e = *figures.evaluation;
    const auto steps = evaluation::spareSteps(*figures.scenario, e);
    StackedBarsData bars;
    int selected = -1;
    for (const auto& step : steps) {
        StackedBar bar;
        bar.name = shown(step.chips, step.chips < 1e5 ? Unit::Integer : Unit::Count);
        BarSegment segment;
        segment.series = Series::Chips;
        segment.value = 100 * step.coverage;
        segment.label = say("window.runpage.coverage");
        segment.tooltip =
            say("window.runpage.spareTip", {{"chips", shown(step.chips, Unit::Integer)},
                                            {"share", shown(step.coverage, Unit::Percent)}});
        segment.quantity = u"run.spare_chips"_s;
        bar.segments = {segment};
        bar.quantity = u"run.spare_chips"_s;
        if (step.plan) {
            bar.totalText = shown(step.coverage, Unit::Percent);
            selected = static_cast<int>(bars.bars.size());
        }
        bars.bars.push_back(std::move(bar));
    }
    bars.categoryName = say("window.runpage.spares");
    bars.legend = false;
    bars.tickText = [](double v) {
        return percentTick(v / 100);
    };
    m_spares->setData(std::move(bars));
    m_spares->setSelectedBar(selected);
    m_sparesFrame->setSubtitle(
        say("window.runpage.sparesHint",
            {{"chips", shown(e.run.spareChips, Unit::Integer)},
             {"cost", QString::fromStdString(figures.scenario->economics.currency) + QChar(0x2009) +
                          shown(e.spares.capital, Unit::Money)},
             {"power", shownNumber(e.spares.power.si(), units::Unit::Watts)}}));
}

/// What the rules for experts say under the plan's law, where they differ.
void RunPage::addRules(const PageData& figures, std::vector<CardRow>& rows) const
{
    using scenario::ExpertRule;
    const auto& forecast = figures.evaluation->forecast;
    const auto size = [&](double parameters) {
        return say("window.runpage.countsAs", {{"parameters", shown(parameters, Unit::Count)}});
    };
    const auto number = [](double v, int digits) {
        return numberLocale().toString(v, 'f', digits);
    };
    CardRow last;
    if (!(forecast.ruleSpread > 0)) {
        last.cells = {say("window.runpage.countsWhole",
                          {{"parameters", shown(forecast.effectiveParameters, Unit::Count)}})};
        last.quantity = u"run.effective_parameters"_s;
        rows.push_back(std::move(last));
        return;
    }
    for (std::size_t i = 0; i < forecast.byRule.size(); ++i) {
        const auto rule = static_cast<ExpertRule>(i);
        const std::string_view name = scenario::nameOf(rule);
        CardRow row;
        row.cells = {say("window.runpage.byRule", {{"rule", nameOf("workload.expert_rule", name)}}),
                     number(forecast.byRule[i].loss, 3), size(forecast.byRule[i].parameters)};
        row.strong = rule == figures.scenario->workload.expertRule;
        row.quantity = u"run.loss_by_rule."_s +
                       QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size())) +
                       u".loss"_s;
        rows.push_back(std::move(row));
    }
    last.cells = {say("window.runpage.apart", {{"laws", number(forecast.lawSpread, 2)},
                                               {"rules", number(forecast.ruleSpread, 2)}})};
    last.quantity = u"run.loss_rule_spread"_s;
    rows.push_back(std::move(last));
}

/// The plan's law in bold, the others beside it; those that other text was fitted on at the end.
void RunPage::showLaws(const PageData& figures)
{
    using scenario::LossLaw;
    const auto& e = *figures.evaluation;
    const auto number = [](double v) {
        return numberLocale().toString(v, 'f', 3);
    };
    const LossLaw own = figures.scenario->workload.lossLaw;
    std::vector<LossLaw> laws{own};
    for (const LossLaw law : {LossLaw::ChinchillaCorrected, LossLaw::Chinchilla, LossLaw::Kaplan})
        if (law != own)
            laws.push_back(law);
    std::vector<CardRow> rows;
    for (const LossLaw law : laws) {
        const auto& band = e.forecast.byLaw[static_cast<std::size_t>(law)];
        CardRow row;
        row.cells = {nameOf("workload.loss_law", scenario::nameOf(law)), number(band.loss),
                     numberLocale().toString(band.low, 'f', 2) + u"–"_s +
                         numberLocale().toString(band.high, 'f', 2)};
        row.strong = law == own;
        row.quantity = row.strong
                           ? u"run.loss"_s
                           : u"run.loss_by_law."_s +
                                 QString::fromLatin1(scenario::nameOf(law).data()) + u".loss"_s;
        rows.push_back(std::move(row));
    }
    addRules(figures, rows);
    m_laws->setRows(
        {say("window.runpage.law"), say("window.runpage.lawLoss"), say("window.runpage.lawBand")},
        std::move(rows));
    m_lawsFrame->setSubtitle(say("window.runpage.lossHint",
                                 {{"tokens", shown(e.run.tokens.si(), Unit::Tokens)},
                                  {"batch", shown(e.forecast.criticalBatchTokens, Unit::Tokens)}}));
}

void RunPage::showLoss(const PageData& figures)
{
    const auto& e = *figures.evaluation;
    const auto curves = evaluation::lossCurves(*figures.scenario, e);
    LineCurveData chart;
    constexpr std::array<Series, 3> kColours{Series::Compute, Series::Restore, Series::Optimizer};
    constexpr std::array<Qt::PenStyle, 3> kPens{Qt::SolidLine, Qt::DashLine, Qt::DotLine};
    double low = 1e9;
    double high = 0;
    for (std::size_t i = 0; i < curves.size() && i < kColours.size(); ++i) {
        CurveLine line;
        line.series = kColours[i];
        line.pen = kPens[i];
        line.name = nameOf("workload.loss_law", scenario::nameOf(curves[i].law));
        line.labelAt = 0.12 + 0.25 * static_cast<double>(i);
        line.quantity = u"run.loss"_s;
        for (const auto& [tokens, loss] : curves[i].points) {
            line.points.emplace_back(tokens, loss);
            low = std::min(low, loss);
            high = std::max(high, loss);
        }
        chart.lines.push_back(std::move(line));
    }
    if (chart.lines.empty()) {
        m_loss->setData({});
        return;
    }
    chart.logX = true;
    chart.xLow = chart.lines.front().points.front().x();
    chart.xHigh = chart.lines.front().points.back().x();
    chart.yLow = low - 0.05 * (high - low);
    chart.yHigh = high + 0.05 * (high - low);
    for (const double t : {chart.xLow, std::sqrt(chart.xLow * chart.xHigh), chart.xHigh})
        chart.xTicks.push_back({t, shown(t, Unit::Count)});
    chart.xTitle = say("window.runpage.tokens");
    chart.yTitle = say("window.runpage.lossValue");
    chart.xText = [](double tokens) {
        return shown(tokens, Unit::Tokens);
    };
    chart.yText = [](double loss) {
        return numberLocale().toString(loss, 'f', 3);
    };
    chart.planDraggable = false;
    chart.compact = true;
    chart.plan = CurvePoint{e.run.tokens.si(), e.forecast.loss.loss,
                            numberLocale().toString(e.forecast.loss.loss, 'f', 3),
                            numberLocale().toString(e.forecast.loss.low, 'f', 3) + u" – "_s +
                                numberLocale().toString(e.forecast.loss.high, 'f', 3),
                            u"run.loss"_s};
    m_loss->setData(std::move(chart));
    m_lossFrame->setSubtitle(say("window.runpage.lossCurveHint"));
}

void RunPage::showPhases(const evaluation::Evaluation& e)
{
    m_phasesFrame->setVisible(!e.phases.empty());
    std::vector<FactRow> rows;
    for (std::size_t i = 0; i < e.phases.size(); ++i) {
        const auto& p = e.phases[i];
        FactRow row;
        row.label = QString::fromStdString(p.name);
        row.value = shown(p.days, Unit::Days);
        row.detail = shown(p.cost, Unit::Money);
        row.quantity = QStringLiteral("run.phases.%1.days").arg(i);
        rows.push_back(row);
        FactRow step;
        step.indent = true;
        step.label = shown(p.tokens.si(), Unit::Tokens);
        step.value = shown(p.step.si(), Unit::Seconds);
        step.detail = u"MFU "_s + shown(p.mfu, Unit::Percent);
        step.quantity = QStringLiteral("run.phases.%1.step_s").arg(i);
        rows.push_back(step);
    }
    m_phases->setRows(std::move(rows));
    m_phasesFrame->setSubtitle(say("window.runpage.phasesHint"));
}

void RunPage::dragInterval(double seconds)
{
    if (!current().scenario)
        return;
    // Three digits: an interval is not known better by a hand.
    const double digits = std::pow(10.0, std::floor(std::log10(seconds)) - 2);
    const double interval = std::round(seconds / digits) * digits;
    PageEdits edits;
    if (current().scenario->reliability.checkpoints.empty())
        edits.emplace_back("reliability.checkpoints",
                           "[{\"interval_s\": " + std::to_string(interval) + "}]");
    else
        edits.emplace_back("reliability.checkpoints.0.interval_s", interval);
    Q_EMIT editsWanted(edits, say("window.runpage.undo", {{"time", duration(interval)}}),
                       m_gesture);
}

} // namespace cw::views
