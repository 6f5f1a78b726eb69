// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/bindings.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "views/pages/figures.h"
#include "views/params/valuetext.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;
using evaluation::Evaluation;
using evaluation::Limit;
using evaluation::Relaxation;

namespace {

struct Kind
{
    std::string_view name;
    Series series;
    const char* quantity;
};

constexpr std::array<Kind, 18> kKinds{{{"memory", Series::Weights, "memory.reserved_bytes"},
                                       {"batch", Series::DataParallel, "run.batch_price"},
                                       {"efficiency", Series::LostEfficiency, "step.compute_s"},
                                       {"streams", Series::BandwidthBound, "step.stream_s"},
                                       {"recompute", Series::Recompute, "step.recompute_s"},
                                       {"tensor", Series::TensorParallel, "step.tensor_comm_s"},
                                       {"context", Series::TensorParallel, "step.context_comm_s"},
                                       {"expert", Series::ExpertParallel, "step.expert_comm_s"},
                                       {"pipeline", Series::PipelineSends, "step.pipeline_comm_s"},
                                       {"data", Series::DataParallel, "step.data_comm_s"},
                                       {"bubble", Series::Bubble, "step.bubble_s"},
                                       {"latency", Series::Hosts, "step.host_s"},
                                       {"jitter", Series::Jitter, "step.jitter_s"},
                                       {"host-link", Series::Hosts, "host_link.stall_s"},
                                       {"failures", Series::Restore, "run.goodput"},
                                       {"power", Series::Site, "power.peak_facility_w"},
                                       {"cooling", Series::Cooling, "cooling.rack_w"},
                                       {"storage", Series::Storage, "step.data_loading_s"}}};

Kind kindOf(std::string_view name)
{
    const auto* found = std::find_if(kKinds.begin(), kKinds.end(),
                                     [name](const Kind& k) { return k.name == name; });
    return found == kKinds.end() ? Kind{name, Series::Other, ""} : *found;
}

QString amountOf(const Limit& l, const Evaluation& e)
{
    if (l.kind == "memory")
        return say("window.binds.ofUsable",
                   {{"share", shownShare(e.memory.reserved.si(), e.memory.usable.si())}});
    if (l.kind == "batch")
        return say("window.binds.tokens",
                   {{"factor", formatSignificant(1 + e.forecast.batchPrice, 3, numberLocale())}});
    if (l.kind == "failures")
        return say("window.binds.ofRun", {{"share", shown(-l.slack, Unit::Percent)}});
    if (l.unit == units::Unit::Seconds)
        return say("window.binds.ofStep", {{"share", shownShare(-l.slack, e.step.time.si())}});
    return say("window.binds.over", {{"amount", shownNumber(-l.slack, l.unit)}});
}

/// The one name that the longer of two lists has more; nothing where they differ otherwise.
const std::string* oneMore(const scenario::Value& longer, const scenario::Value& shorter)
{
    using Names = std::vector<std::string>;
    const auto* more = std::get_if<Names>(&longer);
    const auto* less = std::get_if<Names>(&shorter);
    if (!more || !less || more->size() != less->size() + 1)
        return nullptr;
    const auto differs = std::mismatch(less->begin(), less->end(), more->begin()).second;
    return std::equal(differs + 1, more->end(), less->begin() + (differs - more->begin()))
               ? &*differs
               : nullptr;
}

QString changeOf(const Relaxation& relax, const scenario::Scenario& plan)
{
    const auto all = scenario::parameters(plan);
    const auto parameter = std::find_if(all.begin(), all.end(),
                                        [&relax](const auto& p) { return p.path == relax.path; });
    if (parameter == all.end())
        return {};
    const QString label = shortLabelOf(*parameter);
    if (const auto now = scenario::valueAt(plan, relax.path)) {
        if (const std::string* part = oneMore(*now, relax.value))
            return say("window.binds.without",
                       {{"label", label}, {"part", nameOf(relax.path, *part)}});
        if (const std::string* part = oneMore(relax.value, *now))
            return say("window.binds.with",
                       {{"label", label}, {"part", nameOf(relax.path, *part)}});
    }
    const QString value = shownText(*parameter, relax.value);
    const bool named = relax.path == "reliability.policy" || relax.path == "parallelism.schedule";
    return named ? value : label + u" → "_s + value;
}

/// What the change brings to what binds: room, tokens, or days.
QString effectOf(const Limit& l, const Evaluation& before)
{
    const Evaluation& after = l.relax->after;
    if (!before.feasible && after.feasible)
        return say("window.binds.fits");
    if (l.kind == "memory")
        return formatSigned((after.memory.reserved - before.memory.reserved).si(), Unit::GibiBytes,
                            numberLocale());
    if (l.kind == "batch")
        return formatSignificant(1 + after.forecast.batchPrice, 3, numberLocale()) + u" ×"_s;
    return formatSigned(after.run.days - before.run.days, Unit::Days, numberLocale());
}

QString tipOf(const QString& change, const Evaluation& before, const Evaluation& after)
{
    const auto line = [](const char* key, double from, double to, Unit unit) -> QString {
        return u'\n' + say(key, {{"from", shown(from, unit)}, {"to", shown(to, unit)}});
    };
    return change + line("window.binds.days", before.run.days, after.run.days, Unit::Days) +
           line("window.binds.step", before.step.time.si(), after.step.time.si(), Unit::Seconds) +
           line("window.binds.memory", before.memory.reserved.si(), after.memory.reserved.si(),
                Unit::GibiBytes);
}

} // namespace

std::vector<BindingRow> bindingRows(const PageData& figures, const std::vector<Limit>& limits,
                                    std::size_t most)
{
    const Evaluation& e = *figures.evaluation;
    std::vector<BindingRow> rows;
    for (const Limit& l : limits) {
        if (rows.size() == most)
            break;
        if (!l.binding && l.weight < evaluation::kWorthTelling)
            continue;
        const Kind kind = kindOf(l.kind);
        BindingRow row;
        row.series = kind.series;
        row.name = say("window.binds.name." + std::string(l.kind));
        row.share = l.kind == "memory" ? e.memory.reserved / e.memory.usable : l.weight;
        row.amount = amountOf(l, e);
        row.quantity = QString::fromLatin1(kind.quantity);
        if (l.relax) {
            const QString change = changeOf(*l.relax, *figures.scenario);
            row.change =
                say("window.binds.effect", {{"change", change}, {"effect", effectOf(l, e)}});
            row.tooltip = tipOf(change, e, l.relax->after);
            row.edits = {{l.relax->path, l.relax->value}};
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace cw::views
