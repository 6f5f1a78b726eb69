// SPDX-License-Identifier: GPL-3.0-or-later
// The machine of a plan as the data of its picture: levels and their cables, and the panels of one
// pod, rack and node.
#include <algorithm>
#include <cmath>

#include "model/network/topologyshape.h"
#include "views/pages/figures.h"
#include "views/pages/networkfigures.h"
#include "views/painted/mappainter.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;
using scenario::ScaleOutTopology;
using scenario::ScaleUpTopology;

namespace {

constexpr int kMostRails = 64;
constexpr std::int64_t kMostMesh = 16; ///< chips whose links are drawn one by one

QString percent(double share)
{
    return std::isfinite(share) ? shown(share, Unit::Percent) : QString();
}

/// Whole while it is short.
QString briefCount(double value)
{
    constexpr double kShort = 1e5;
    return value < kShort ? wholeNumber(std::llround(value)) : shown(value, Unit::Count);
}

bool isBuilt(const scenario::Scenario& s)
{
    return s.cluster.chips > s.cluster.network.scaleUp.chips;
}

MapLevel levelOf(std::int64_t chips, const QString& prefix)
{
    MapLevel level;
    level.chips = chips;
    level.prefix = prefix;
    return level;
}

/// Levels of chips that are cabled to each other along axes: two axes make a sheet, the next two
/// lay out the sheets, and so on.
std::vector<MapLevel> axesLevels(const std::vector<std::int64_t>& shape, MapCables cables)
{
    static const QString kPrefixes[] = {u"C"_s, u"S"_s, u"B"_s, u"G"_s};
    std::vector<MapLevel> levels;
    std::int64_t chips = 1;
    for (std::size_t axis = 0; axis < shape.size(); axis += 2) {
        MapLevel level = levelOf(chips, kPrefixes[std::min<std::size_t>(3, axis / 2)]);
        level.cables = cables;
        level.twoAxes = axis + 1 < shape.size();
        level.columns = level.twoAxes ? shape[axis] : 0;
        chips *= shape[axis] * (level.twoAxes ? shape[axis + 1] : 1);
        levels.insert(levels.begin(), level);
    }
    return levels;
}

std::vector<std::int64_t> outShape(const scenario::Scenario& s)
{
    const auto& out = s.cluster.network.scaleOut;
    if (!out.shape.empty())
        return out.shape;
    const std::int64_t chips = network::siteChips(s);
    return out.topology == ScaleOutTopology::Torus ? network::torusShape(chips)
                                                   : network::meshShape(chips);
}

MapCables cablesOf(ScaleUpTopology kind)
{
    switch (kind) {
    case ScaleUpTopology::Switch:
        return MapCables::Up;
    case ScaleUpTopology::Torus:
        return MapCables::Ring;
    case ScaleUpTopology::FullMesh:
    case ScaleUpTopology::NdFullMesh:
        return MapCables::Mesh;
    }
    return MapCables::Up;
}

/// The levels inside a scale-up domain that is cabled along axes; empty where it is not.
std::vector<MapLevel> domainLevels(const scenario::Scenario& s)
{
    const auto& up = s.cluster.network.scaleUp;
    if (up.topology != ScaleUpTopology::Torus && up.topology != ScaleUpTopology::NdFullMesh)
        return {};
    std::vector<std::int64_t> shape = up.shape;
    if (shape.empty())
        shape = up.topology == ScaleUpTopology::Torus ? network::torusShape(up.chips)
                                                      : network::meshShape(up.chips);
    std::int64_t chips = 1;
    for (const std::int64_t n : shape)
        chips *= n;
    return chips == up.chips ? axesLevels(shape, cablesOf(up.topology)) : std::vector<MapLevel>{};
}

std::vector<MapLevel> levelsOf(const scenario::Scenario& s, const network::Machine& m)
{
    if (isDirectNetwork(s)) {
        auto levels =
            axesLevels(outShape(s), s.cluster.network.scaleOut.topology == ScaleOutTopology::Torus
                                        ? MapCables::Ring
                                        : MapCables::Mesh);
        if (m.sites > 1) {
            levels.insert(levels.begin(), levelOf(network::siteChips(s), u"D"_s));
            levels.front().cables = MapCables::None;
        }
        return levels;
    }
    std::vector<MapLevel> levels{levelOf(m.chipsPerPod, u"P"_s)};
    if (const auto inner = domainLevels(s); m.podIsDomain && !inner.empty()) {
        levels.insert(levels.end(), inner.begin(), inner.end());
        return levels;
    }
    const std::int64_t rack = std::min(m.chipsPerRack(), m.chipsPerPod);
    const std::int64_t node = std::min(m.chipsPerNode, rack);
    if (rack < levels.back().chips && rack > node)
        levels.push_back(levelOf(rack, u"R"_s));
    if (node < levels.back().chips && node > 1) {
        levels.push_back(levelOf(node, u"N"_s));
        levels.back().wide = true;
    }
    if (levels.back().chips > 1)
        levels.push_back(levelOf(1, u"C"_s));
    if (s.cluster.network.scaleUp.chips == node && node <= kMostMesh)
        levels.back().cables = cablesOf(s.cluster.network.scaleUp.topology);
    return levels;
}

/// How full the cables of each level are; one number where all are alike.
void fillLevels(const NetworkFigures& figures, bool inUse, MapData& map)
{
    const auto& loads = figures.loads;
    if (isDirectNetwork(*figures.page.scenario)) {
        const auto alongAxis = [&](int axis) {
            for (const auto& c : loads.classes)
                if (c.axis == axis)
                    return inUse ? c.inUse : c.utilization;
            return std::numeric_limits<double>::quiet_NaN();
        };
        for (std::size_t l = 0; l < map.levels.size(); ++l) {
            MapLevel& level = map.levels[l];
            const int axis = static_cast<int>(2 * (map.levels.size() - 1 - l));
            level.utilization = alongAxis(axis);
            level.across = level.twoAxes ? alongAxis(axis + 1) : level.across;
            level.quantity = loadQuantity(figures.page.evaluation->topology.tierCount - 1, inUse);
        }
        return;
    }
    for (std::size_t l = 0; l < map.levels.size(); ++l) {
        MapLevel& level = map.levels[l];
        // A pod is drawn in whole racks, which its leaves need not hold exactly.
        const bool pods = l == 0 && !figures.ranks.machine().podIsDomain;
        const UseOut use(
            figures, inUse,
            pods ? std::max(level.chips, network::leafGroupChips(*figures.page.scenario))
                 : level.chips);
        level.utilization = use.of(0);
        level.quantity = use.quantity();
        if (l > 0)
            continue;
        level.eachChips = level.chips;
        for (std::int64_t first = 0; first < map.chips; first += level.chips)
            level.each.push_back(use.of(first));
    }
}

/// Marks what is faulty where the plan says which part of the core it is.
void fillFaults(const scenario::Scenario& s, MapData& map)
{
    for (const auto& fault : s.cluster.network.faults) {
        if (fault.share <= 0 || fault.rate >= 1)
            continue;
        if (fault.part == scenario::FaultPart::Plane && map.planes > 1)
            map.faultyPlanes = std::max(map.faultyPlanes, fault.share);
        else if (fault.part == scenario::FaultPart::Plane ||
                 fault.part == scenario::FaultPart::Rail)
            map.faultySectors = std::max(map.faultySectors, fault.share);
    }
}

void fillCore(const NetworkFigures& figures, MapData& map)
{
    const auto& s = *figures.page.scenario;
    const auto& out = s.cluster.network.scaleOut;
    const auto& t = figures.page.evaluation->topology;
    map.coreName = nameOf("cluster.network.scale_out.topology", scenario::nameOf(out.topology));
    map.coreLines << say("window.network.switches", {{"n", briefCount(t.switches)}})
                  << say("window.network.cables", {{"n", briefCount(t.links)}});
    const auto few = [](std::int64_t n) {
        return static_cast<int>(std::clamp<std::int64_t>(n, 1, kMostRails));
    };
    if (out.topology == ScaleOutTopology::RailOptimized) {
        map.sectors = few(out.rails);
        map.strands = few(out.rails);
        map.coreLines << say("window.network.railCount", {{"n", wholeNumber(out.rails)}});
    }
    if (out.planes > 1) {
        map.planes = few(out.planes);
        map.strands = few(out.planes);
        map.coreLines << say("window.network.planeCount", {{"n", wholeNumber(out.planes)}});
    }
    const qsizetype before = map.coreLines.size();
    for (const auto& fault : s.cluster.network.faults)
        if (fault.share > 0 && fault.rate < 1)
            map.coreLines << nameOf("cluster.network.faults.part", scenario::nameOf(fault.part))
                          << say("window.network.faultShare",
                                 {{"share", percent(fault.share)}, {"rate", percent(fault.rate)}});
    map.warnings = static_cast<int>(map.coreLines.size() - before);
    fillFaults(s, map);
}

/// What is said of a part of the map.
QString describe(const NetworkFigures& figures, const MapData& map, bool inUse, const MapPart& part)
{
    QString head;
    for (int l = 0; l <= part.level; ++l)
        head += (l > 0 ? u" › "_s : QString()) + MapPainter::nameOf(map, l, part.first);
    const std::int64_t size = map.levels[static_cast<std::size_t>(part.level)].chips;
    const std::int64_t end = std::min(map.chips, part.first + part.chips);
    if (part.chips > size)
        head += u" – "_s + MapPainter::nameOf(map, part.level, end - 1);
    QString text =
        head + u'\t' + percent(map.levels[static_cast<std::size_t>(part.level)].of(part.first));
    if (part.cable)
        return text + u'\n' + say(inUse ? "window.network.upInUse" : "window.network.upMean") +
               u'\n' + say("window.network.whyCable");
    if (part.chips > 1)
        text += u'\n' + say("window.network.chipRange",
                            {{"a", wholeNumber(part.first)}, {"b", wholeNumber(end - 1)}});
    const auto first = figures.ranks.onChip(part.first);
    if (!first)
        text += u'\n' + say("window.network.noRank");
    else if (part.chips == 1) {
        text += u'\n' + say("window.network.rank", {{"n", wholeNumber(first->rank)}});
        for (const ShownKind& kind : kShownKinds) {
            const auto& span = figures.page.evaluation->placement[kind.kind];
            if (span.size > 1)
                text += u"\n"_s + QString::fromLatin1(kind.name) + u' ' +
                        say("window.network.member",
                            {{"i", wholeNumber(first->member[static_cast<std::size_t>(kind.kind)])},
                             {"n", wholeNumber(static_cast<std::int64_t>(span.size))}});
        }
    }
    return text + u'\n' + say(inUse ? "window.network.upInUse" : "window.network.upMean");
}

/// A tile for each part of `size` chips in [first, first + chips).
std::vector<TopologyTile> tilesOf(const NetworkFigures& figures, bool inUse, std::int64_t first,
                                  std::int64_t chips, std::int64_t size, const QString& prefix)
{
    std::vector<TopologyTile> all;
    const UseOut use(figures, inUse, size);
    double last = std::numeric_limits<double>::quiet_NaN();
    QString lastText;
    for (std::int64_t at = 0; at < chips; at += size) {
        TopologyTile tile;
        tile.name = prefix + QString::number(at / size);
        tile.first = first + at;
        tile.chips = std::min(size, chips - at);
        tile.idle = !figures.ranks.onChip(tile.first);
        if (!tile.idle) {
            tile.utilization = use.of(tile.first);
            if (tile.utilization != last) {
                last = tile.utilization;
                lastText = percent(last);
            }
            tile.valueText = lastText;
        }
        all.push_back(std::move(tile));
    }
    return all;
}

QString stagesText(std::int64_t first, std::int64_t last)
{
    return say(first == last ? "window.network.stageOne" : "window.network.stageRange",
               {{"a", QString::number(first)}, {"b", QString::number(last)}});
}

/// What is said of a rack, a node or a chip of the panels.
QString describeTile(const NetworkFigures& figures, const TopologyTile& tile,
                     const QString& rowHead)
{
    QString text = tile.name + u'\t' + tile.valueText;
    const auto rank = figures.ranks.onChip(tile.first);
    if (tile.chips > 1)
        text += u'\n' + say("window.picker.chips", {{"n", wholeNumber(tile.chips)}});
    if (!rank)
        return text + u'\n' + say("window.network.noRank");
    if (tile.chips == 1)
        text += u'\n' + say("window.network.rank", {{"n", wholeNumber(rank->rank)}});
    if (tile.stage >= 0 && figures.ranks.size(network::GroupKind::Pipeline) > 1)
        text += u'\n' + stagesText(tile.stage, tile.stageLast);
    if (tile.groupFirst >= 0 && !rowHead.isEmpty())
        text += u'\n' + rowHead + u' ' + QString::number(tile.groupFirst) +
                (tile.groupLast > tile.groupFirst ? u" – "_s + QString::number(tile.groupLast)
                                                  : QString());
    return text;
}

/// "50 GB/s per chip": the rate at which chips of a part of so many reach each other.
QString rateWithin(const NetworkFigures& figures, std::int64_t chips)
{
    const auto& t = figures.page.evaluation->topology;
    std::size_t tier = 0;
    while (tier + 1 < t.tierCount && t.tiers[tier].chips < static_cast<double>(chips))
        ++tier;
    return say("window.network.rateWithin",
               {{"rate", shown(t.tiers[tier].bandwidth.si(), Unit::Bandwidth)}});
}

/// Kinds whose groups lie inside one scale-up domain.
QString stayingInside(const NetworkFigures& figures)
{
    QStringList names;
    for (const ShownKind& kind : kShownKinds) {
        const auto& span = figures.page.evaluation->placement[kind.kind];
        if (span.size > 1 && !span.across())
            names << QString::fromLatin1(kind.name);
    }
    return names.isEmpty() ? QString()
                           : say("window.network.stays", {{"kinds", names.join(u" · "_s)}});
}

/// What of a chip's bytes leaves its scale-up domain, the largest kinds.
QString leavingDomain(const NetworkFigures& figures)
{
    constexpr std::size_t kMost = 3;
    const auto& traffic = figures.page.evaluation->traffic;
    std::vector<std::pair<double, std::size_t>> kinds;
    for (std::size_t k = 0; traffic.tierCount > 1 && k < network::kTrafficKinds; ++k)
        if (traffic.tiers[1].carried[k] > 0)
            kinds.emplace_back(traffic.tiers[1].carried[k], k);
    std::sort(kinds.rbegin(), kinds.rend());
    QStringList texts;
    for (std::size_t i = 0; i < std::min(kMost, kinds.size()); ++i)
        texts << trafficName(kinds[i].second) + u' ' + shown(kinds[i].first, Unit::GigaBytes);
    return texts.isEmpty() ? say("window.network.staysInside")
                           : say("window.network.leavesDomain", {{"kinds", texts.join(u" · "_s)}});
}

void fillNode(const NetworkFigures& figures, const NetworkChoice& choice,
              const network::ChipPlace& at, std::int64_t first, TopologyPanel& panel)
{
    const auto& s = *figures.page.scenario;
    const auto& up = s.cluster.network.scaleUp;
    const network::Machine& m = figures.ranks.machine();
    const std::int64_t chips = m.chipsIn(at.pod, at.rack, at.node);
    panel.title = say("window.network.node", {{"n", QString::number(at.node)}});
    const QString fabric =
        nameOf("cluster.network.scale_up.topology", scenario::nameOf(up.topology));
    panel.subtitle = say("window.picker.chips", {{"n", wholeNumber(chips)}}) + u", "_s + fabric;
    panel.tiles = tilesOf(figures, choice.inUse, first, chips, 1, u"C"_s);
    panel.selected = static_cast<int>(at.chip);
    const UseOut out(figures, choice.inUse, 1);
    const double use = out.of(first);
    const bool mesh = up.topology != ScaleUpTopology::Switch && chips <= kMostMesh;
    if (!mesh) {
        panel.fabricName = fabric;
    }
    for (int a = 0; mesh && a < static_cast<int>(chips); ++a) {
        for (int b = a + 1; b < static_cast<int>(chips); ++b) {
            if (up.topology == ScaleUpTopology::Torus && b != a + 1 &&
                !(a == 0 && b + 1 == static_cast<int>(chips)))
                continue;
            TopologyLink link;
            link.from = a;
            link.to = b;
            link.utilization = use;
            link.tooltip = say("window.network.linkBetween", {{"a", u"C"_s + QString::number(a)},
                                                              {"b", u"C"_s + QString::number(b)}}) +
                           u'\t' + percent(use) + u'\n' + say("window.network.whyCable");
            link.quantity = out.quantity();
            panel.links.push_back(link);
        }
    }
    panel.extras << say("window.network.nicRate",
                        {{"rate", shown(s.cluster.network.scaleOut.bandwidth, Unit::Bandwidth)}});
    panel.notes << say("window.network.scaleUpUse",
                       {{"use", percent(use)}, {"rate", shown(up.bandwidth, Unit::Bandwidth)}});
}

/// Stages and groups of the racks of a pod, and the switches in their middle.
void fillPod(const NetworkFigures& figures, const NetworkChoice& choice,
             const network::ChipPlace& at, TopologyPanel& panel)
{
    const auto& s = *figures.page.scenario;
    const auto& e = *figures.page.evaluation;
    const network::Machine& m = figures.ranks.machine();
    const network::PodRacks holds = network::podRacks(figures.ranks, at.pod);
    panel.title = say("window.network.pod", {{"n", QString::number(at.pod)}});
    QStringList parts{sayCount("window.power.racks", "n", m.racksIn(at.pod))};
    if (figures.ranks.size(network::GroupKind::Pipeline) > 1 && !holds.racks.empty())
        parts << stagesText(holds.stageFirst, holds.stageLast);
    const std::int64_t switches = isDirectNetwork(s) ? 0 : network::switchesOfPod(s, e.topology, m);
    if (switches > 0)
        parts << sayCount("window.network.podSwitches", "n", switches);
    parts << rateWithin(figures, m.chipsIn(at.pod));
    panel.subtitle = parts.join(u", "_s);
    panel.tiles = tilesOf(figures, choice.inUse, at.pod * m.chipsPerPod, m.chipsIn(at.pod),
                          m.chipsPerRack(), u"R"_s);
    panel.selected = static_cast<int>(at.rack);
    panel.byStage = holds.byStage;
    panel.columnHead = say("window.network.stageHead");
    if (holds.grouped)
        panel.rowHead = holds.kind == network::GroupKind::Expert ? u"EP"_s : u"DP"_s;
    panel.together = static_cast<int>(std::min<std::int64_t>(holds.perGroup, 1 << 20));
    panel.switches = static_cast<int>(std::min<std::int64_t>(switches, 1 << 20));
    panel.nodesPerTile = static_cast<int>(m.nodesPerRack);
    for (std::size_t i = 0; i < panel.tiles.size() && i < holds.racks.size(); ++i) {
        const network::RackHolds& rack = holds.racks[i];
        if (rack.idle)
            continue;
        TopologyTile& tile = panel.tiles[i];
        tile.stage = rack.stageFirst;
        tile.stageLast = rack.stageLast;
        tile.groupFirst = rack.groupFirst;
        tile.groupLast = rack.groupLast;
    }
}

/// What the nodes of a rack are cabled to.
QString rackFabric(const NetworkFigures& figures)
{
    const auto& s = *figures.page.scenario;
    const auto& up = s.cluster.network.scaleUp;
    const network::Machine& m = figures.ranks.machine();
    if (m.podIsDomain)
        return up.topology == ScaleUpTopology::Switch
                   ? say("window.network.backplane")
                   : nameOf("cluster.network.scale_up.topology", scenario::nameOf(up.topology));
    if (!isBuilt(s))
        return {};
    return isDirectNetwork(s) ? nameOf("cluster.network.scale_out.topology",
                                       scenario::nameOf(s.cluster.network.scaleOut.topology))
                              : say("window.network.leaf");
}

QString siteLine(const NetworkFigures& figures)
{
    const auto& s = *figures.page.scenario;
    const network::Machine& m = figures.ranks.machine();
    if (isDirectNetwork(s))
        return say("window.network.directShape", {{"shape", shapeOfNetwork(s)}}) + u", "_s +
               rateWithin(figures, m.chips);
    const QString chips = wholeNumber(m.chipsPerPod);
    return (m.pods == 1 ? say("window.network.podsOne", {{"chips", chips}})
                        : say("window.network.siteLine",
                              {{"pods", wholeNumber(m.pods)}, {"chips", chips}})) +
           u", "_s + rateWithin(figures, m.chips);
}

} // namespace

bool isDirectNetwork(const scenario::Scenario& plan)
{
    const auto kind = plan.cluster.network.scaleOut.topology;
    return isBuilt(plan) &&
           (kind == ScaleOutTopology::Torus || kind == ScaleOutTopology::NdFullMesh);
}

QString shapeOfNetwork(const scenario::Scenario& plan)
{
    QStringList extents;
    for (const std::int64_t n : outShape(plan))
        extents << wholeNumber(n);
    return extents.join(u" × "_s);
}

MapData mapOf(const NetworkFiguresPtr& kept, const NetworkChoice& choice)
{
    const NetworkFigures& figures = *kept;
    const auto& s = *figures.page.scenario;
    const network::Machine& m = figures.ranks.machine();
    MapData map;
    map.chips = m.chips;
    map.levels = levelsOf(s, m);
    const auto kind = s.cluster.network.scaleOut.topology;
    const bool pairs =
        kind == ScaleOutTopology::Dragonfly || kind == ScaleOutTopology::DragonflyPlus;
    map.shape = isDirectNetwork(s) || map.parts() < 2 ? MapShape::Rows
                : pairs                               ? MapShape::Pairs
                                                      : MapShape::Star;
    map.sites = map.shape == MapShape::Rows ? 1 : m.sites;
    // One part hangs on nothing.
    if (map.parts() < 2)
        map.levels.front().cables = MapCables::None;
    fillLevels(figures, choice.inUse, map);
    fillCore(figures, map);
    map.groups = groupsOf(figures, choice.chip, choice.kind);
    map.selected = choice.chip;
    map.domain = std::max<std::int64_t>(1, s.cluster.network.scaleUp.chips);
    map.domainUsed = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(figures.page.evaluation->placement.domain), 1, map.domain);
    map.used = figures.ranks.chipOf(figures.ranks.ranks() - 1, figures.ranks.jobs() - 1) + 1;
    MapData bare;
    bare.chips = map.chips;
    bare.levels = map.levels;
    const bool inUse = choice.inUse;
    map.describe = [kept, bare, inUse](const MapPart& part) {
        return describe(*kept, bare, inUse, part);
    };
    return map;
}

TopologyData topologyOf(const NetworkFiguresPtr& kept, const NetworkChoice& choice)
{
    const NetworkFigures& figures = *kept;
    const network::Machine& m = figures.ranks.machine();
    const network::ChipPlace at = m.place(choice.chip);
    TopologyData data;
    data.map = mapOf(kept, choice);
    data.title = say("window.network.site");
    data.subtitle = siteLine(figures);
    data.histogram = linkHistogram(figures, choice.inUse);
    data.tableOf = [kept] {
        return networkTable(*kept);
    };
    const std::int64_t pod = at.pod * m.chipsPerPod;
    const std::int64_t rack = pod + at.rack * m.chipsPerRack();
    const std::int64_t node = rack + at.node * m.chipsPerNode;
    fillPod(figures, choice, at, data.pod);
    data.rack.title = say("window.network.rack", {{"n", QString::number(at.rack)}});
    data.rack.subtitle = sayCount("window.network.nodes", "n", m.nodesIn(at.pod, at.rack));
    data.rack.tiles =
        tilesOf(figures, choice.inUse, rack, m.chipsIn(at.pod, at.rack), m.chipsPerNode, u"N"_s);
    data.rack.selected = static_cast<int>(at.node);
    data.rack.chipsPerTile = static_cast<int>(m.chipsPerNode);
    if (const QString inside = stayingInside(figures); !inside.isEmpty())
        data.rack.notes << inside;
    data.rack.notes << leavingDomain(figures);
    data.rack.fabricName = rackFabric(figures);
    fillNode(figures, choice, at, node, data.node);
    const QString rowHead = data.pod.rowHead;
    data.describe = [kept, rowHead](TopologyLevel, const TopologyTile& tile) {
        return describeTile(*kept, tile, rowHead);
    };
    return data;
}

} // namespace cw::views
