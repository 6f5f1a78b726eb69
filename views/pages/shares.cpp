// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "views/pages/figures.h"
#include "views/params/valuetext.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;
using evaluation::Evaluation;

namespace {

ShareItem itemOf(const char* key, Series series, double value, double whole, const QString& text,
                 const QString& path)
{
    ShareItem item;
    item.series = series;
    item.value = value;
    item.name = say(key);
    item.valueText = text;
    item.shareText = shownShare(value, whole);
    item.tooltip = QString(item.name + u'\t' + text + u'\n' + item.shareText);
    item.quantity = path;
    return item;
}

ShareExtra extraOf(const char* key, const QString& text, const char* path)
{
    ShareExtra extra;
    extra.name = say(key);
    extra.valueText = text;
    extra.quantity = QString::fromLatin1(path);
    return extra;
}

/// Sizes below which a part is not worth a line.
constexpr double kLeast = 5e-4;

} // namespace

ShareBarData runShares(const Evaluation& e)
{
    const auto& r = e.run;
    const double whole = r.wall.si();
    ShareBarData chart;
    if (!(whole > 0) || !std::isfinite(whole))
        return chart;
    const auto add = [&](const char* key, Series series, double value, const char* path) {
        if (value > whole * kLeast)
            chart.items.push_back(itemOf(key, series, value, whole, shown(value, Unit::Duration),
                                         QString::fromLatin1(path)));
    };
    add("window.run.useful", Series::UsefulWork, whole * r.goodput, "run.goodput");
    add("window.run.lostProgress", Series::LostProgress, r.lost.lostProgress.si(),
        "run.lost_time.lost_progress");
    add("window.run.restore", Series::Restore, r.lost.restore.si(), "run.lost_time.restore");
    add("window.run.detection", Series::Detection, r.lost.detection.si(),
        "run.lost_time.detection");
    add("window.run.startUp", Series::SwapIn, r.lost.startUp.si(), "run.lost_time.start_up");
    add("window.run.save", Series::CheckpointSave, r.lost.save.si(), "run.lost_time.save");
    add("window.run.stragglers", Series::Stragglers, r.lost.stragglers.si(),
        "run.lost_time.stragglers");
    add("window.run.health", Series::Other, r.lost.healthChecks.si(),
        "run.lost_time.health_checks");
    add("window.run.other", Series::Losses, r.lost.other.si(), "run.lost_time.other");
    chart.extras.push_back(extraOf("window.run.interruptions",
                                   shown(r.interruptionsPerDay, Unit::Plain),
                                   "run.interruptions_per_day"));
    chart.extras.push_back(extraOf("window.run.interval",
                                   shown(r.checkpointInterval.si(), Unit::Duration),
                                   "run.checkpoint_interval_s"));
    chart.extras.push_back(extraOf("window.run.effectiveMfu", shown(r.effectiveMfu, Unit::Percent),
                                   "run.effective_mfu"));
    return chart;
}

ShareBarData powerShares(const Evaluation& e)
{
    const auto& p = e.power.average;
    const double whole = p.facility.si();
    ShareBarData chart;
    if (!(whole > 0))
        return chart;
    const auto add = [&](const char* key, Series series, double value, const char* path) {
        if (value > whole * kLeast)
            chart.items.push_back(itemOf(key, series, value, whole,
                                         shownNumber(value, units::Unit::Watts),
                                         QString::fromLatin1(path)));
    };
    add("window.power.chips", Series::Chips, p.chip.si(), "power.average.chip_w");
    add("window.power.hosts", Series::Hosts, p.host.si(), "power.average.host_w");
    add("window.power.network", Series::Network, p.network.si(), "power.average.network_w");
    add("window.power.storage", Series::Storage, p.storage.si(), "power.average.storage_w");
    add("window.power.supplies", Series::Losses, p.psuLoss.si(), "power.average.psu_loss_w");
    add("window.power.cooling", Series::Cooling, p.cooling.si(), "power.average.cooling_w");
    add("window.power.ups", Series::Losses, p.upsLoss.si(), "power.average.ups_loss_w");
    add("window.power.transformers", Series::Losses, p.transformerLoss.si(),
        "power.average.transformer_loss_w");
    add("window.power.other", Series::Site, p.other.si(), "power.average.other_w");
    chart.extras.push_back(extraOf("window.power.rack", shown(e.cooling.rack.si(), Unit::KiloWatts),
                                   "cooling.rack_w"));
    chart.extras.push_back(extraOf("window.power.coolant",
                                   shown(e.cooling.supplyC, Unit::Celsius) + u" → "_s +
                                       shown(e.cooling.returnC, Unit::Celsius),
                                   "cooling.return_c"));
    chart.extras.push_back(extraOf("window.power.swing",
                                   shownNumber(e.power.swing.si(), units::Unit::Watts),
                                   "power.swing_w"));
    return chart;
}

ShareBarData costShares(const PageData& figures)
{
    static constexpr Series kSeries[] = {
        Series::Chips,     Series::Hosts,         Series::ExpertParallel, Series::Fixed,
        Series::Network,   Series::PipelineSends, Series::Gradients,      Series::Site,
        Series::Optimizer, Series::Activations,   Series::Fixed,          Series::Other};
    const Evaluation& e = *figures.evaluation;
    const QString currency = u' ' + QString::fromStdString(figures.scenario->economics.currency);
    const auto money = [&currency](double value) {
        QString text = shown(value, Unit::Money);
        text += currency;
        return text;
    };
    const double whole = e.cost.perRun.si();
    ShareBarData chart;
    if (!(whole > 0) || !std::isfinite(whole))
        return chart;
    for (std::size_t i = 0; i < cost::kPartCount; ++i) {
        const std::string name(cost::nameOf(static_cast<cost::Part>(i)));
        const double value = e.cost.parts[i].perRun.si();
        if (value > whole * kLeast)
            chart.items.push_back(itemOf(("window.cost." + name).c_str(), kSeries[i], value, whole,
                                         money(value),
                                         u"cost.parts."_s + QString::fromStdString(name)));
    }
    chart.extras.push_back(
        extraOf("window.cost.capital", money(e.cost.capital.si()), "cost.capital"));
    chart.extras.push_back(
        extraOf("window.cost.perHour", money(e.cost.perHour.si()), "cost.per_hour"));
    chart.extras.push_back(extraOf("window.cost.perMillion", money(e.cost.perMillionTokens.si()),
                                   "cost.per_million_tokens"));
    return chart;
}

} // namespace cw::views
