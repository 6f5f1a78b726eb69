// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/networkfigures.h"

#include <algorithm>
#include <cmath>

#include "model/evaluation/quantities.h"
#include "views/pages/figures.h"
#include "views/painted/paintutil.h"
#include "views/params/valuetext.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;
using network::kTrafficKinds;
using network::LinkClass;
using network::TrafficKind;

namespace {

/// Chips of a group that are lit; of a larger one, the first.
constexpr std::size_t kMostLit = 1U << 20U;
constexpr std::size_t kBins = 11;
constexpr double kSmallPower = 1e5; ///< W, below which it is told in kW
constexpr double kSlowed = 1.0005;  ///< from here on a slowdown is said

/// Kinds below this share of the bytes are left to the table twin.
constexpr double kLeastShare = 1e-2;

/// Less is what is left of a difference.
constexpr double kLeastByte = 1.0;

/// GB in a narrow column; what would be a row of zeros is said to be below one hundredth.
QString briefGiga(double bytes)
{
    constexpr double kGiga = 1e9;
    constexpr double kLeast = 0.01;
    if (bytes < kLeastByte)
        return {};
    const double value = bytes / kGiga;
    if (value < kLeast)
        return u'<' + formatSignificant(kLeast, 1, numberLocale());
    return formatSignificant(value, value < 0.1 ? 1 : value < 1 ? 2 : 3, numberLocale());
}

/// The kind that fills a link most; none where it is idle.
int mostOf(const LinkClass& c)
{
    const auto most = std::max_element(c.bytes.begin(), c.bytes.end());
    return *most >= kLeastByte ? static_cast<int>(most - c.bytes.begin()) : -1;
}

QString tierName(const NetworkFigures& figures, std::size_t i)
{
    const auto& e = *figures.page.evaluation;
    const auto& s = *figures.page.scenario;
    // A torus or a mesh has no core: the tier is the network itself.
    return isDirectNetwork(s) && i > 0 && i + 1 == e.topology.tierCount
               ? nameOf("cluster.network.scale_out.topology",
                        scenario::nameOf(s.cluster.network.scaleOut.topology))
               : labelOf(e.topology.tiers[i].name);
}

/// In use, of the fullest link of a tier; NaN: it has none.
double hottestOf(const NetworkFigures& figures, std::size_t tier)
{
    double most = std::numeric_limits<double>::quiet_NaN();
    for (const LinkClass& c : figures.loads.classes)
        if (c.tier == tier && !(most >= c.hottest))
            most = c.hottest;
    return most;
}

double shownUse(const LinkClass& c, bool inUse)
{
    return inUse ? c.inUse : c.utilization;
}

QString percent(double share)
{
    return shown(share, Unit::Percent);
}

/// The bar of the histogram: tenths, and one for all above 100 %.
std::size_t binOf(double use)
{
    return std::min(kBins - 1, static_cast<std::size_t>(std::clamp(use, 0.0, 2.0) * 10.0));
}

FactRow fact(const char* path, const QString& value, const char* label = nullptr)
{
    FactRow row;
    row.label = label ? say(label) : labelOf(path);
    row.value = value;
    row.quantity = QString::fromLatin1(path);
    return row;
}

QString counted(double value)
{
    return wholeNumber(std::llround(value));
}

/// The kinds that are worth a column.
std::vector<std::size_t> kindsIn(const evaluation::Evaluation& e)
{
    std::vector<std::size_t> kinds;
    for (std::size_t k = 0; k < kTrafficKinds; ++k)
        for (std::size_t i = 0; i < e.traffic.tierCount; ++i) {
            const auto& bytes = e.traffic.tiers[i].bytes;
            const double most = *std::max_element(bytes.begin(), bytes.end());
            if (bytes[k] >= kLeastByte && bytes[k] >= kLeastShare * most) {
                kinds.push_back(k);
                break;
            }
        }
    return kinds;
}

} // namespace

QString wholeNumber(std::int64_t value)
{
    return numberLocale().toString(static_cast<qlonglong>(value));
}

QString trafficName(std::size_t kind)
{
    return say("window.network.kind." +
               std::string(network::nameOf(static_cast<TrafficKind>(kind))));
}

NetworkFigures::NetworkFigures(const PageData& figures)
    : page(figures), ranks(*figures.scenario),
      loads(evaluation::linkLoads(*figures.scenario, *figures.evaluation))
{
}

std::vector<MapGroup> groupsOf(const NetworkFigures& figures, std::int64_t chip, int kind)
{
    std::vector<MapGroup> groups;
    const auto own = figures.ranks.onChip(chip);
    if (!own)
        return groups;
    for (std::size_t i = 0; i < kShownKinds.size(); ++i) {
        if (kind >= 0 && static_cast<std::size_t>(kind) != i)
            continue;
        MapGroup group;
        group.name = QString::fromLatin1(kShownKinds[i].name);
        group.series = kShownKinds[i].series;
        group.path = kShownKinds[i].kind == network::GroupKind::Pipeline;
        const auto peers = figures.ranks.peers(own->rank, kShownKinds[i].kind);
        if (kind < 0 && peers.size() < 2)
            continue; // a group of one rank lights nothing up
        for (std::size_t p = 0; p < std::min(peers.size(), kMostLit); ++p)
            group.chips.push_back(figures.ranks.chipOf(peers[p], own->job));
        std::sort(group.chips.begin(), group.chips.end());
        groups.push_back(std::move(group));
    }
    return groups;
}

QString linkName(const LinkClass& c)
{
    const auto end = [](network::LinkEnd e) {
        return say("window.network.end." + std::string(network::nameOf(e)));
    };
    QString name = say("window.network.linkBetween", {{"a", end(c.from)}, {"b", end(c.to)}});
    if (c.axis >= 0)
        name += u' ' + say("window.network.axis", {{"n", QString::number(c.axis + 1)}});
    return name;
}

QString loadQuantity(std::size_t tier, bool inUse)
{
    return u"traffic.tiers.%1.%2"_s.arg(tier).arg(inUse ? u"in_use"_s : u"utilization"_s);
}

UseOut::UseOut(const NetworkFigures& figures, bool inUse, std::int64_t chips)
    : m_figures(figures), m_chips(chips), m_inUse(inUse)
{
    const auto& e = *figures.page.evaluation;
    while (m_tier + 1 < e.topology.tierCount &&
           e.topology.tiers[m_tier].chips <= static_cast<double>(chips))
        ++m_tier;
    // The links of a tier that lead out of blocks of chips; the largest block within the part.
    for (const auto& b : figures.loads.blocks)
        if (b.tier == m_tier && b.chips <= chips)
            m_blocks = &b;
    if (m_blocks)
        return;
    for (const LinkClass& c : figures.loads.classes)
        if (const double use = shownUse(c, inUse); c.tier == m_tier && !(m_same >= use))
            m_same = use;
    if (!std::isfinite(m_same) && m_tier < e.traffic.tierCount)
        m_same = inUse ? e.traffic.tiers[m_tier].inUse : e.traffic.tiers[m_tier].utilization;
}

double UseOut::of(std::int64_t first) const
{
    if (!m_blocks)
        return m_same;
    double most = std::numeric_limits<double>::quiet_NaN();
    const auto end =
        std::min<std::int64_t>(static_cast<std::int64_t>(m_blocks->classOf.size()),
                               (first + m_chips + m_blocks->chips - 1) / m_blocks->chips);
    for (std::int64_t i = first / m_blocks->chips; i < end; ++i) {
        const double use = shownUse(
            m_figures.loads.classes[m_blocks->classOf[static_cast<std::size_t>(i)]], m_inUse);
        most = most >= use ? most : use;
    }
    return most;
}

QString UseOut::quantity() const
{
    return loadQuantity(m_tier, m_inUse);
}

MatrixData trafficTable(const NetworkFigures& figures, bool inUse)
{
    const auto& e = *figures.page.evaluation;
    const auto kinds = kindsIn(e);
    MatrixData data;
    data.header << say("window.network.tierHead");
    for (const std::size_t k : kinds)
        data.header << trafficName(k);
    data.header << say(inUse ? "window.network.inUse" : "window.network.mean");
    for (std::size_t i = 0; i < e.topology.tierCount && i < e.traffic.tierCount; ++i) {
        const auto& tier = e.topology.tiers[i];
        const auto& load = e.traffic.tiers[i];
        MatrixRow row;
        row.name = tierName(figures, i);
        row.detail = shown(tier.bandwidth.si(), Unit::Bandwidth);
        row.tooltip = row.name + u'\t' + row.detail + u'\n' +
                      say("window.picker.chips", {{"n", counted(tier.chips)}});
        for (const std::size_t k : kinds) {
            MatrixCell cell;
            const double bytes = load.bytes[k];
            cell.text = briefGiga(bytes);
            cell.quantity = u"traffic.tiers.%1.%2"_s.arg(i).arg(
                QString::fromStdString(std::string(network::nameOf(static_cast<TrafficKind>(k)))));
            cell.raw = rawNumber(bytes);
            cell.tooltip =
                shown(bytes, Unit::GigaBytes) + u'\n' +
                say("window.network.carried", {{"size", shown(load.carried[k], Unit::GigaBytes)}});
            row.cells.push_back(cell);
        }
        MatrixCell use;
        use.band = inUse ? load.inUse : load.utilization;
        use.text = percent(use.band);
        use.raw = rawNumber(use.band);
        use.strong = true;
        use.quantity = loadQuantity(i, inUse);
        use.tooltip = say("window.network.bothUses",
                          {{"mean", percent(load.utilization)}, {"use", percent(load.inUse)}});
        if (const double hot = hottestOf(figures, i); std::isfinite(hot))
            use.tooltip += u'\n' + say("window.network.fullestCell", {{"hot", percent(hot)}});
        row.cells.push_back(use);
        data.rows.push_back(std::move(row));
    }
    return data;
}

MatrixData alternativesTable(const std::vector<TopologyAlternative>& alternatives)
{
    MatrixData data;
    data.header = {say("window.network.kindHead"), labelOf("topology.switches"),
                   say("window.network.stepHead")};
    for (const TopologyAlternative& a : alternatives) {
        MatrixRow row;
        row.name = a.name;
        row.tag = a.own ? say("window.network.plan") : QString();
        row.tooltip = a.name + u'\t' + shown(a.step, Unit::Seconds) + u'\n' +
                      say(a.own       ? "window.network.ownNetwork"
                          : a.reaches ? "window.network.takeNetwork"
                                      : "window.network.doesNotReach");
        MatrixCell switches;
        switches.text = counted(a.switches);
        MatrixCell step;
        step.raw = rawNumber(a.step);
        if (a.own) {
            step.text = shown(a.step, Unit::Seconds);
        } else if (!a.reaches) {
            step.text = say("window.network.tooSmall");
        } else {
            step.change = a.change < 0   ? Change::Better
                          : a.change > 0 ? Change::Worse
                                         : Change::Neutral;
            step.text = (a.change < 0   ? u"▼ "_s
                         : a.change > 0 ? u"▲ "_s
                                        : u"±"_s) +
                        formatSigned(a.change, Unit::Seconds, numberLocale());
        }
        row.cells = {switches, step};
        data.rows.push_back(std::move(row));
    }
    return data;
}

ChartTable networkTable(const NetworkFigures& figures)
{
    const auto& e = *figures.page.evaluation;
    ChartTable t;
    t.header = {say("window.network.tierHead"), say("window.network.countHead"),
                say("window.network.rateHead")};
    for (std::size_t k = 0; k < kTrafficKinds; ++k)
        t.header << trafficName(k);
    t.header << say("window.network.mean") << say("window.network.inUse")
             << say("window.network.hottest");
    const auto line = [&t](const QString& name, double count, double rate,
                           const network::ByKind<double>& bytes, double mean, double use,
                           double hottest) {
        QStringList row{name, rawNumber(count), rawNumber(rate)};
        for (const double b : bytes)
            row << rawNumber(b);
        row << rawNumber(mean) << rawNumber(use) << rawNumber(hottest);
        t.rows.push_back(row);
    };
    for (std::size_t i = 0; i < e.topology.tierCount && i < e.traffic.tierCount; ++i)
        line(tierName(figures, i), e.topology.tiers[i].chips, e.topology.tiers[i].bandwidth.si(),
             e.traffic.tiers[i].bytes, e.traffic.tiers[i].utilization, e.traffic.tiers[i].inUse,
             hottestOf(figures, i));
    for (const LinkClass& c : figures.loads.classes)
        line(linkName(c), c.count, c.capacity, c.bytes, c.utilization, c.inUse, c.hottest);
    return t;
}

namespace {

/// One sentence on the fullest links, and what follows from it.
void noteWorst(const NetworkFigures& figures, TopologyHistogram& h)
{
    const auto& classes = figures.loads.classes;
    const LinkClass& hot = classes[std::min(figures.loads.hottest, classes.size() - 1)];
    const int most = mostOf(hot);
    h.warning = hot.inUse > 1.0;
    h.notes << say(
        h.warning ? "window.network.overFull" : "window.network.worst",
        {{"link", linkName(hot)},
         {"use", percent(hot.inUse)},
         {"kind", most < 0 ? QString() : trafficName(static_cast<std::size_t>(most))},
         {"size", most < 0 ? QString()
                           : shown(hot.bytes[static_cast<std::size_t>(most)], Unit::GigaBytes)}});
    if (hot.hottest > hot.inUse * kSlowed)
        h.notes << say("window.network.evenWorst", {{"hot", percent(hot.hottest)}});
    const auto& slow = figures.page.evaluation->traffic.slowdown;
    for (std::size_t k = 0; k < kTrafficKinds; ++k)
        if (slow[k] > kSlowed && figures.page.evaluation->traffic.volumes[k].across > 0)
            h.notes << say(
                "window.network.slowed",
                {{"kind", trafficName(k)}, {"n", formatSignificant(slow[k], 3, numberLocale())}});
}

/// What the links of one bar are, and the figure that explains the fullest tier of it.
void noteBar(const NetworkFigures& figures, bool inUse, std::size_t bin, TopologyHistogram& h)
{
    const QString count = shown(h.links[bin], Unit::Count);
    QString tip =
        bin + 1 == h.links.size()
            ? say("window.network.barOver", {{"n", count}})
            : say("window.network.barLinks", {{"n", count},
                                              {"a", percent(static_cast<double>(bin) / 10.0)},
                                              {"b", percent(static_cast<double>(bin + 1) / 10.0)}});
    const LinkClass* most = nullptr;
    for (const LinkClass& c : figures.loads.classes) {
        if (binOf(shownUse(c, inUse)) != bin || c.count <= 0)
            continue;
        tip += u'\n' + say("window.network.linksOf",
                           {{"link", linkName(c)}, {"n", shown(c.count, Unit::Count)}});
        if (!most || shownUse(c, inUse) > shownUse(*most, inUse))
            most = &c;
    }
    h.quantities << (most ? loadQuantity(most->tier, inUse) : QString());
    h.tips << (most ? tip + u'\n' + say("window.network.whyBar") : QString());
}

} // namespace

TopologyHistogram linkHistogram(const NetworkFigures& figures, bool inUse)
{
    TopologyHistogram h;
    const auto& classes = figures.loads.classes;
    if (classes.empty())
        return h;
    h.title = say(inUse ? "window.network.linksInUse" : "window.network.linksMean");
    h.links.assign(kBins, 0.0);
    for (const LinkClass& c : classes)
        h.links[binOf(shownUse(c, inUse))] += c.count;
    for (std::size_t bin = 0; bin < kBins; ++bin)
        noteBar(figures, inUse, bin, h);
    noteWorst(figures, h);
    return h;
}

std::vector<FactRow> builtRows(const NetworkFigures& figures)
{
    const auto& t = figures.page.evaluation->topology;
    std::vector<FactRow> rows = {fact("topology.switches", counted(t.switches))};
    const double levels[] = {t.leaves, t.aggregations, t.cores};
    QStringList split;
    for (const double n : levels)
        if (n > 0)
            split << counted(n);
    if (split.size() > 1) {
        FactRow row;
        row.label =
            say(split.size() == 3 ? "window.network.threeLevels" : "window.network.twoLevels");
        row.value = split.join(u" · "_s);
        row.indent = true;
        rows.push_back(row);
    }
    rows.push_back(fact("topology.links", counted(t.links)));
    rows.push_back(
        fact("topology.endpoint_links", counted(t.endpointLinks), "window.network.chipCables"));
    rows.push_back(
        fact("topology.switch_links", counted(t.switchLinks), "window.network.switchCables"));
    rows.push_back(fact("topology.optics", counted(t.optics)));
    if (t.scaleUpSwitches > 0) {
        FactRow row;
        row.label = say("window.network.scaleUpSwitches");
        row.value = counted(t.scaleUpSwitches);
        rows.push_back(row);
    }
    rows.push_back(fact("topology.bisection_bytes_per_s", shown(t.bisection.si(), Unit::Bandwidth),
                        "window.network.bisection"));
    const auto& last = t.tiers[t.tierCount > 0 ? t.tierCount - 1 : 0];
    rows.push_back(fact(
        "topology.diameter_hops",
        say("window.network.farthestValue", {{"hops", counted(t.diameterHops)},
                                             {"latency", shown(last.latency.si(), Unit::Seconds)}}),
        "window.network.farthest"));
    const auto& e = *figures.page.evaluation;
    const double watts = e.power.average.network.si();
    rows.push_back(fact("power.average.network_w",
                        shown(watts, watts < kSmallPower ? Unit::KiloWatts : Unit::MegaWatts),
                        "window.network.power"));
    if (const auto capital = evaluation::figure(e, "topology.capital"))
        rows.push_back(fact(
            "topology.capital",
            say("window.network.priceValue",
                {{"money", shown(*capital, Unit::Money) + u' ' +
                               QString::fromStdString(figures.page.scenario->economics.currency)},
                 {"share", shownShare(*capital, e.cost.capital.si())}}),
            "window.network.price"));
    return rows;
}

QStringList faultTexts(const scenario::Scenario& scenario)
{
    QStringList texts;
    for (const auto& fault : scenario.cluster.network.faults)
        if (fault.share > 0 && fault.rate < 1)
            texts << say("window.network.fault", {{"part", nameOf("cluster.network.faults.part",
                                                                  scenario::nameOf(fault.part))},
                                                  {"share", percent(fault.share)},
                                                  {"rate", percent(fault.rate)}});
    return texts;
}

std::vector<FactRow> hotRows(const NetworkFigures& figures)
{
    std::vector<FactRow> rows;
    const auto add = [&rows](const QString& label, const QString& value) {
        FactRow row;
        row.label = label;
        row.value = value;
        rows.push_back(row);
    };
    const auto& classes = figures.loads.classes;
    if (!classes.empty()) {
        const LinkClass& hot = classes[std::min(figures.loads.hottest, classes.size() - 1)];
        add(say("window.network.hotLink"), linkName(hot));
        add(say("window.network.hotUse"), percent(hot.inUse));
        add(say("window.network.hotWorst"), percent(hot.hottest));
        add(say("window.network.linksAll"), counted(hot.count));
        for (std::size_t i = rows.size() - 3; i < rows.size(); ++i)
            rows[i].indent = true;
    }
    const auto& slow = figures.page.evaluation->traffic.slowdown;
    for (std::size_t k = 0; k < kTrafficKinds; ++k)
        if (slow[k] > kSlowed)
            add(say("window.network.hotSlow", {{"kind", trafficName(k)}}),
                say("window.network.times",
                    {{"n", formatSignificant(slow[k], 3, numberLocale())}}));
    const QStringList faults = faultTexts(*figures.page.scenario);
    for (const QString& fault : faults)
        add(fault, {});
    if (faults.isEmpty())
        add(say("window.network.noFaults"), {});
    add(say("window.network.idleShort"), wholeNumber(figures.ranks.idle()));
    return rows;
}

std::vector<FactRow> rankRows(const NetworkFigures& figures, std::int64_t chip)
{
    std::vector<FactRow> rows;
    const auto own = figures.ranks.onChip(chip);
    FactRow head;
    head.label = say("window.network.chip", {{"n", wholeNumber(chip)}});
    head.value = own ? say("window.network.rank", {{"n", wholeNumber(own->rank)}})
                     : say("window.network.noRank");
    rows.push_back(head);
    if (!own)
        return rows;
    if (figures.ranks.jobs() > 1) {
        FactRow job;
        job.label = say("window.network.job");
        job.value = wholeNumber(own->job);
        rows.push_back(job);
    }
    for (const ShownKind& kind : kShownKinds) {
        const auto& span = figures.page.evaluation->placement[kind.kind];
        FactRow row;
        row.label = QString::fromLatin1(kind.name) + u' ' + say(kind.label);
        row.value = say("window.network.member",
                        {{"i", wholeNumber(own->member[static_cast<std::size_t>(kind.kind)])},
                         {"n", counted(span.size)}});
        row.detail = sayCount("window.network.domains", "n", std::llround(std::ceil(span.domains)));
        row.series = kind.series;
        row.marked = true;
        rows.push_back(row);
    }
    return rows;
}

} // namespace cw::views
