// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <functional>

#include "app/controllers/idlereader.h"
#include "app/controllers/reading.h"
#include "views/params/valuetext.h"
#include "views/text/words.h"

namespace cw::app {

using namespace Qt::StringLiterals;
using evaluation::Evaluation;
using scenario::Scenario;
using views::Headline;
using views::say;
using views::Unit;

namespace {

enum class Better : std::uint8_t
{
    Lower,
    Higher
};

QString percent(double share)
{
    return views::format(share, Unit::Percent, views::numberLocale());
}

/// Fills value and change of a cell from a figure of both evaluations.
struct Reader
{
    const Evaluation& now;
    const Evaluation* baseline;
    std::vector<Headline> cells;

    Headline& add(const char* path, const char* page, const char* label, Unit unit, Better better,
                  const std::function<double(const Evaluation&)>& of,
                  std::optional<Unit> deltaUnit = {})
    {
        Headline cell;
        cell.path = QString::fromLatin1(path);
        cell.page = QString::fromLatin1(page);
        cell.label = say(label);
        const double value = of(now);
        const auto locale = views::numberLocale();
        const auto parts = views::formatParts(value, unit, locale);
        cell.value = parts.number;
        cell.unit = parts.unit;
        if (baseline) {
            const double before = of(*baseline);
            const double delta = value - before;
            cell.baselineValue = views::format(before, unit, locale);
            if (std::isfinite(delta) && std::abs(delta) > 1e-9 * std::abs(before)) {
                cell.delta = views::formatSigned(delta, deltaUnit.value_or(unit), locale);
                cell.direction = delta > 0 ? 1 : -1;
                cell.change = (delta > 0) == (better == Better::Higher) ? views::Change::Better
                                                                        : views::Change::Worse;
            }
        }
        addBand(cell, unit);
        cells.push_back(cell);
        return cells.back();
    }

    /// The range of the figure, where its error has been measured.
    void addBand(Headline& cell, Unit unit) const
    {
        const std::string path = cell.path.toStdString();
        const auto band = std::find_if(now.bands.begin(), now.bands.end(),
                                       [&path](const auto& b) { return b.quantity == path; });
        if (band == now.bands.end())
            return;
        const auto locale = views::numberLocale();
        const auto low = views::formatParts(band->low, unit, locale);
        const auto high = views::formatParts(band->high, unit, locale);
        const QString from =
            low.unit == high.unit ? low.number : views::format(band->low, unit, locale);
        const QString to = views::format(band->high, unit, locale);
        // The unit stands above, beside the value.
        const bool bare = low.unit == high.unit && high.unit == cell.unit;
        cell.band = say("window.headline.band", {{"low", from}, {"high", bare ? high.number : to}});
        cell.tip = say("window.headline.bandTip",
                       {{"band", say("window.headline.band", {{"low", from}, {"high", to}})},
                        {"share", percent(band->coverage)}});
    }
};

void addVerdict(const Evaluation& e, Reader& reader)
{
    Headline cell;
    cell.path = u"memory.reserved_bytes"_s;
    cell.page = u"memory"_s;
    cell.label = say("window.headline.verdict");
    const char* word = "window.verdict.fits";
    cell.status = views::Status::Ok;
    if (e.memory.verdict == memory::Verdict::DoesNotFit) {
        word = "window.verdict.doesNotFit";
        cell.status = views::Status::Violation;
    } else if (!e.violations.empty()) {
        word = "window.verdict.cannotRun";
        cell.status = views::Status::Violation;
    } else if (e.memory.verdict == memory::Verdict::Borderline) {
        word = "window.verdict.borderline";
        cell.status = views::Status::Warning;
    }
    cell.value = say(word);
    cell.sub = say("window.headline.fullest",
                   {{"stage", QString::number(static_cast<int>(e.memory.peakStage))},
                    {"share", percent(e.memory.reserved.si() / e.memory.usable.si())}});
    // Not fitting is one of them, and said already.
    const std::size_t said = e.memory.verdict == memory::Verdict::DoesNotFit ? 1 : 0;
    if (e.violations.size() > said)
        cell.sub = say("window.headline.violations",
                       {{"n", QString::number(static_cast<int>(e.violations.size()))}});
    cell.tip = cell.sub;
    reader.cells.push_back(cell);
}

void addSpeed(const Scenario& s, Reader& reader)
{
    reader
        .add("memory.peak_bytes", "memory", "window.headline.memory", Unit::GibiBytes,
             Better::Lower, [](const Evaluation& e) { return e.memory.peak.si(); })
        .sub = say("window.headline.of",
                   {{"total", views::format(reader.now.memory.usable.si(), Unit::GibiBytes,
                                            views::numberLocale())}});
    reader.add("step.time_s", "step", "window.headline.step", Unit::Seconds, Better::Lower,
               [](const Evaluation& e) { return e.step.time.si(); });
    auto& mfu = reader.add(
        "throughput.mfu", "step", "window.headline.mfu", Unit::Percent, Better::Higher,
        [](const Evaluation& e) { return e.throughput.mfu; }, Unit::PercentPoints);
    mfu.unit = say(
        "window.headline.mfuOf",
        {{"format", views::nameOf("precision.compute", scenario::nameOf(s.precision.compute))}});
    reader.add("throughput.tokens_per_s", "step", "window.headline.throughput", Unit::TokenRate,
               Better::Higher, [](const Evaluation& e) { return e.throughput.tokens.si(); });
}

void addRun(const Scenario& s, Reader& reader)
{
    auto& days = reader.add("run.days", "run", "window.headline.run", Unit::Days, Better::Lower,
                            [](const Evaluation& e) { return e.run.days; });
    days.sub = views::shownNumber(s.workload.trainingTokens, units::Unit::Tokens);
    if (s.software.assumedMfu) {
        days.assumed = true;
        days.tip = say("window.headline.assumedMfu", {{"mfu", percent(*s.software.assumedMfu)}});
    }
    reader.add(
        "run.goodput", "run", "window.headline.goodput", Unit::Percent, Better::Higher,
        [](const Evaluation& e) { return e.run.goodput; }, Unit::PercentPoints);
    auto& power = reader.add("power.average.facility_w", "power", "window.headline.power",
                             Unit::MegaWatts, Better::Lower,
                             [](const Evaluation& e) { return e.power.average.facility.si(); });
    power.sub = u"PUE "_s + views::numberLocale().toString(reader.now.power.pue, 'f', 2);
    power.tip = say("window.headline.powerTip",
                    {{"typical", views::format(reader.now.power.typical.facility.si(),
                                               Unit::MegaWatts, views::numberLocale())},
                     {"maximum", views::format(reader.now.power.maximum.facility.si(),
                                               Unit::MegaWatts, views::numberLocale())}});
    auto& cost = reader.add("cost.per_run", "cost", "window.headline.cost", Unit::Money,
                            Better::Lower, [](const Evaluation& e) { return e.cost.perRun.si(); });
    cost.unit +=
        (cost.unit.isEmpty() ? QString() : u" "_s) + QString::fromStdString(s.economics.currency);
}

/// Marks what rests on inputs that nobody has published.
void markAssumed(const IdleReading& idle, Reader& reader)
{
    const auto rests = [&idle](std::initializer_list<const char*> parts) {
        return std::any_of(idle.assumed.begin(), idle.assumed.end(), [&parts](const auto& path) {
            return std::any_of(parts.begin(), parts.end(),
                               [&path](const char* part) { return path.starts_with(part); });
        });
    };
    const bool chip = rests({"cluster.chip.matrix_flops", "cluster.chip.vector",
                             "cluster.chip.hbm_bandwidth", "cluster.chip.efficiency.matrix"});
    const bool hbm = rests({"cluster.chip.hbm_bytes"});
    const bool watts = rests({"cluster.chip.power", "cluster.chip.tdp", "cluster.chip.idle"});
    const auto resting = [&](const QString& path) {
        if (path == u"memory.peak_bytes"_s || path == u"memory.reserved_bytes"_s)
            return hbm;
        if (path.startsWith(u"power."_s))
            return chip || watts;
        return chip;
    };
    QStringList names;
    for (std::size_t i = 0; i < std::min<std::size_t>(4, idle.assumedLabels.size()); ++i)
        names << QString::fromStdString(idle.assumedLabels[i]);
    for (Headline& cell : reader.cells) {
        cell.assumedText = say("window.headline.assumed");
        if (cell.status || (!cell.assumed && !resting(cell.path)))
            continue;
        const bool before = cell.assumed;
        cell.assumed = true;
        if (!before && !names.isEmpty())
            cell.tip += (cell.tip.isEmpty() ? QString() : u"\n"_s) +
                        say("window.headline.assumedTip", {{"names", names.join(u", "_s)}});
    }
}

} // namespace

std::vector<Headline> headlinesOf(const Scenario& scenario, const Evaluation& evaluation,
                                  const Evaluation* baseline, const QString& baselineName,
                                  const IdleReading& idle)
{
    Reader reader{evaluation, baseline, {}};
    addVerdict(evaluation, reader);
    addSpeed(scenario, reader);
    addRun(scenario, reader);
    markAssumed(idle, reader);
    Headline pin;
    pin.label = say("window.headline.baseline");
    pin.value = baseline == nullptr      ? say("window.headline.noBaseline")
                : baselineName.isEmpty() ? say("window.headline.asOpened")
                                         : baselineName;
    pin.sub = say("window.headline.legend");
    pin.tip = pin.value + u'\n' + say("window.headline.pinTip");
    reader.cells.push_back(pin);
    return reader.cells;
}

} // namespace cw::app
