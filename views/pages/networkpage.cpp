// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/networkpage.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "views/pages/figures.h"
#include "views/pages/frames.h"
#include "views/painted/topologypicture.h"
#include "views/params/valuetext.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;
using network::GroupKind;

namespace {

struct ShownKind
{
    GroupKind kind;
    const char* name;
    const char* label;
};

constexpr ShownKind kKinds[] = {{GroupKind::Tensor, "TP", "window.comm.tensor"},
                                {GroupKind::Context, "CP", "window.comm.context"},
                                {GroupKind::Expert, "EP", "window.comm.expert"},
                                {GroupKind::Pipeline, "PP", "window.comm.pipeline"},
                                {GroupKind::Data, "DP", "window.comm.data"}};
constexpr int kKindCount = 5;
/// Ranks of a group that are sought in the picture; larger ones are lit by their first ranks.
constexpr std::size_t kMostLit = 200000;

/// How the machine is cut into pictures.
struct Cut
{
    std::int64_t chips = 1;
    std::int64_t pod = 1;
    std::int64_t rack = 1;
    std::int64_t node = 1;

    [[nodiscard]] static std::int64_t parts(std::int64_t whole, std::int64_t part)
    {
        return (whole + part - 1) / part;
    }
};

Cut cutOf(const PageData& figures)
{
    const auto& s = *figures.scenario;
    Cut cut;
    cut.chips = std::max<std::int64_t>(1, s.cluster.chips);
    cut.node = std::clamp<std::int64_t>(s.cluster.node.chips, 1, cut.chips);
    cut.rack = std::max(cut.node, s.facility.rackChips / cut.node * cut.node);
    cut.rack = std::min(cut.rack, cut.chips);
    // A pod is the first tier that holds several racks and is not the whole site.
    const auto& topology = figures.evaluation->topology;
    cut.pod = 0;
    for (std::size_t i = 0; i < topology.tierCount && cut.pod == 0; ++i) {
        const double reached = topology.tiers[i].chips;
        if (reached >= static_cast<double>(cut.rack) * 4 &&
            reached < static_cast<double>(cut.chips))
            cut.pod = static_cast<std::int64_t>(reached) / cut.rack * cut.rack;
    }
    if (cut.pod <= 0)
        cut.pod = std::min<std::int64_t>(cut.chips, cut.rack * 128);
    return cut;
}

QString number(double value)
{
    return numberLocale().toString(value, 'f', 0);
}

QString number(std::int64_t value)
{
    return numberLocale().toString(static_cast<qlonglong>(value));
}

} // namespace

NetworkPage::NetworkPage(QWidget* parent)
    : Page(parent), m_picture(new TopologyPicture(this)), m_built(new FactList(false, this)),
      m_groups(new FactList(false, this)),
      m_pictureFrame(framed(this, m_picture, "window.network.title")),
      m_kinds(new QButtonGroup(this)), m_lit(new QLabel(this))
{
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(12, 12, 12, 12);
    line->setSpacing(10);
    auto* left = new QVBoxLayout;
    auto* top = new QHBoxLayout;
    top->setSpacing(0);
    auto* label = new QLabel(this);
    bindText(label, [label] { label->setText(say("window.network.light") + u"  "_s); });
    top->addWidget(label);
    for (int i = 0; i < kKindCount; ++i) {
        auto* button = new QPushButton(QString::fromLatin1(kKinds[i].name), this);
        button->setCheckable(true);
        button->setChecked(i == 0);
        button->setProperty("segment", true);
        m_kinds->addButton(button, i);
        top->addWidget(button);
    }
    m_lit->setContentsMargins(12, 0, 0, 0);
    setRole(m_lit, "role", u"strong"_s);
    top->addWidget(m_lit, 1);
    left->addLayout(top);
    left->addWidget(m_pictureFrame, 1);
    line->addLayout(left, 5);
    auto* right = new QVBoxLayout;
    right->setSpacing(10);
    for (QWidget* card : {framed(this, m_built, "window.network.built"),
                          framed(this, m_groups, "window.network.groups")}) {
        card->setMinimumWidth(230);
        card->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
        right->addWidget(card);
    }
    right->addStretch(1);
    line->addLayout(right, 2);
    m_groups->setDetailWidth(84);
    m_built->setDetailWidth(0);
    connect(m_kinds, &QButtonGroup::idClicked, this, [this](int id) {
        m_kind = id;
        if (current().evaluation)
            refresh(current());
    });
    connect(m_picture, &TopologyPicture::tileClicked, this, &NetworkPage::choose);
    connect(m_picture, &TopologyPicture::tileHovered, this, &NetworkPage::hover);
}

void NetworkPage::hover(TopologyLevel level, int index)
{
    if (!current().evaluation)
        return;
    const Cut cut = cutOf(current());
    const std::int64_t sizes[] = {cut.pod, cut.rack, cut.node, 1};
    const std::int64_t chosen[] = {m_pod, m_rack, m_node, m_chip};
    std::int64_t chip = 0;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(level); ++i)
        chip += sizes[i] * (i == static_cast<std::size_t>(level) ? index : chosen[i]);
    m_hovered = index < 0 ? -1 : std::min(chip, cut.chips - 1);
    showGroup(current());
    const auto lit = [this](TopologyLevel l, std::int64_t first, std::int64_t whole,
                            std::int64_t part) {
        std::vector<bool> all;
        for (std::int64_t at = 0; at < whole; at += part)
            all.push_back(isLit(first + at, first + std::min(whole, at + part)));
        m_picture->setLit(l, all);
    };
    const std::int64_t pod = m_pod * cut.pod;
    const std::int64_t rack = pod + m_rack * cut.rack;
    const std::int64_t node = rack + m_node * cut.node;
    lit(TopologyLevel::Site, 0, cut.chips, cut.pod);
    lit(TopologyLevel::Pod, pod, std::min(cut.pod, cut.chips - pod), cut.rack);
    lit(TopologyLevel::Rack, rack, std::min(cut.rack, cut.chips - rack), cut.node);
    lit(TopologyLevel::Node, node, std::min(cut.node, cut.chips - node), 1);
}

bool NetworkPage::isLit(std::int64_t first, std::int64_t end) const
{
    const auto found = std::lower_bound(m_chips.begin(), m_chips.end(), first);
    return found != m_chips.end() && *found < end;
}

void NetworkPage::choose(TopologyLevel level, int index)
{
    m_hovered = -1;
    switch (level) {
    case TopologyLevel::Site:
        m_pod = index;
        break;
    case TopologyLevel::Pod:
        m_rack = index;
        break;
    case TopologyLevel::Rack:
        m_node = index;
        break;
    case TopologyLevel::Node:
        m_chip = index;
        break;
    }
    if (current().evaluation)
        refresh(current());
}

void NetworkPage::refresh(const PageData& figures)
{
    showBuilt(figures);
    showGroup(figures);
    showPicture(figures);
}

void NetworkPage::showBuilt(const PageData& figures)
{
    const auto& t = figures.evaluation->topology;
    const auto fact = [](const char* path, const QString& value, const char* label = nullptr) {
        FactRow row;
        row.label = label ? say(label) : labelOf(path);
        row.value = value;
        row.quantity = QString::fromLatin1(path);
        return row;
    };
    std::vector<FactRow> rows = {
        fact("topology.switches", number(t.switches)),
        fact("topology.links", number(t.links)),
        fact("topology.endpoint_links", number(t.endpointLinks), "window.network.chipCables"),
        fact("topology.switch_links", number(t.switchLinks), "window.network.switchCables"),
        fact("topology.optics", number(t.optics)),
        fact("topology.bisection_bytes_per_s", shown(t.bisection.si(), Unit::Bandwidth),
             "window.network.bisection"),
        fact("topology.diameter_hops", number(t.diameterHops), "window.network.hops")};
    for (std::size_t i = 0; i < t.tierCount; ++i) {
        FactRow row;
        row.label = say("window.network.tier",
                        {{"tier", labelOf(t.tiers[i].name)}, {"chips", number(t.tiers[i].chips)}});
        row.value = shown(t.tiers[i].bandwidth.si(), Unit::Bandwidth);
        row.indent = true;
        rows.push_back(row);
    }
    m_built->setRows(rows);
    std::vector<FactRow> groups;
    for (const ShownKind& kind : kKinds) {
        const auto& span = figures.evaluation->placement[kind.kind];
        FactRow row;
        row.label = say(kind.label);
        row.value = number(span.size);
        row.detail = say("window.network.domains", {{"n", number(span.domains)}});
        groups.push_back(row);
    }
    m_groups->setRows(groups);
}

void NetworkPage::showGroup(const PageData& figures)
{
    const Cut cut = cutOf(figures);
    const auto last = [](std::int64_t& value, std::int64_t count) {
        value = std::clamp<std::int64_t>(value, 0, std::max<std::int64_t>(0, count - 1));
    };
    const auto keep = [&last](int& index, std::int64_t count) {
        std::int64_t value = index;
        last(value, count);
        index = static_cast<int>(value);
    };
    keep(m_pod, Cut::parts(cut.chips, cut.pod));
    keep(m_rack, Cut::parts(std::min(cut.pod, cut.chips - m_pod * cut.pod), cut.rack));
    keep(m_node, Cut::parts(cut.rack, cut.node));
    keep(m_chip, cut.node);
    const std::int64_t chip =
        m_hovered >= 0 ? m_hovered
                       : m_pod * cut.pod + m_rack * cut.rack + m_node * cut.node + m_chip;
    const auto& placement = figures.evaluation->placement;
    const auto domainChips =
        std::max<std::int64_t>(1, figures.scenario->cluster.network.scaleUp.chips);
    const auto domain =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(placement.domain), 1, domainChips);
    // The rank on this chip: the inverse of how ranks fill the domains.
    const std::int64_t rank =
        chip / domainChips * domain + std::min(chip % domainChips, domain - 1);
    m_chips.clear();
    std::size_t size = 0;
    if (rank < static_cast<std::int64_t>(figures.evaluation->layout.chips)) {
        const auto ranks = network::groupOfRank(*figures.scenario, kKinds[m_kind].kind, rank);
        size = ranks.size();
        for (std::size_t i = 0; i < std::min(size, kMostLit); ++i)
            m_chips.push_back(network::chipOfRank(ranks[i], domain, domainChips));
        std::sort(m_chips.begin(), m_chips.end());
    }
    m_lit->setText(
        size == 0 ? say("window.network.idle", {{"chip", number(chip)}})
                  : say("window.network.lit", {{"kind", QString::fromLatin1(kKinds[m_kind].name)},
                                               {"n", number(static_cast<std::int64_t>(size))},
                                               {"chip", number(chip)}}));
}

void NetworkPage::showPicture(const PageData& figures)
{
    const Cut cut = cutOf(figures);
    const auto tiles = [this](std::int64_t first, std::int64_t whole, std::int64_t part,
                              const QString& prefix) {
        std::vector<TopologyTile> all;
        for (std::int64_t at = 0; at < whole; at += part) {
            TopologyTile tile;
            tile.name = prefix + QString::number(at / part);
            tile.lit = isLit(first + at, first + std::min(whole, at + part));
            tile.tooltip = tile.name + u'\t' +
                           say("window.picker.chips", {{"n", number(std::min(part, whole - at))}});
            all.push_back(tile);
        }
        return all;
    };
    const std::int64_t podFirst = m_pod * cut.pod;
    const std::int64_t podChips = std::min(cut.pod, cut.chips - podFirst);
    const std::int64_t rackFirst = podFirst + m_rack * cut.rack;
    const std::int64_t rackChips = std::min(cut.rack, cut.chips - rackFirst);
    const std::int64_t nodeFirst = rackFirst + m_node * cut.node;
    const auto& s = *figures.scenario;
    const auto& t = figures.evaluation->topology;
    TopologyData chart;
    chart.site.title = say("window.network.site");
    chart.site.subtitle =
        say("window.network.siteLine",
            {{"pods", number(Cut::parts(cut.chips, cut.pod))}, {"chips", number(cut.pod)}});
    chart.site.tiles = tiles(0, cut.chips, cut.pod, u"P"_s);
    chart.site.selected = m_pod;
    chart.site.fabricName = nameOf("cluster.network.scale_out.topology",
                                   scenario::nameOf(s.cluster.network.scaleOut.topology));
    chart.site.fabricLines = {
        say("window.network.switches", {{"n", shown(t.switches, Unit::Count)}}),
        say("window.network.cables", {{"n", shown(t.links, Unit::Count)}})};
    chart.pod.title = say("window.network.pod", {{"n", QString::number(m_pod)}});
    chart.pod.subtitle = say("window.power.racks", {{"n", number(Cut::parts(podChips, cut.rack))}});
    chart.pod.tiles = tiles(podFirst, podChips, cut.rack, u"R"_s);
    chart.pod.selected = m_rack;
    chart.rack.title = say("window.network.rack", {{"n", QString::number(m_rack)}});
    chart.rack.subtitle =
        say("window.network.nodes", {{"n", number(Cut::parts(rackChips, cut.node))}});
    chart.rack.tiles = tiles(rackFirst, rackChips, cut.node, u"N"_s);
    chart.rack.selected = m_node;
    chart.rack.chipsPerTile = static_cast<int>(cut.node);
    chart.rack.fabricName = say("window.network.leaf");
    chart.node.title = say("window.network.node", {{"n", QString::number(m_node)}});
    chart.node.subtitle = say("window.picker.chips", {{"n", number(cut.node)}});
    chart.node.tiles = tiles(nodeFirst, std::min(cut.node, cut.chips - nodeFirst), 1, u"C"_s);
    chart.node.selected = m_chip;
    if (s.cluster.network.scaleUp.topology == scenario::ScaleUpTopology::FullMesh &&
        cut.node <= 16) {
        for (int a = 0; a < static_cast<int>(cut.node); ++a)
            for (int b = a + 1; b < static_cast<int>(cut.node); ++b) {
                TopologyLink link;
                link.from = a;
                link.to = b;
                chart.node.links.push_back(link);
            }
    } else {
        chart.node.fabricName = nameOf("cluster.network.scale_up.topology",
                                       scenario::nameOf(s.cluster.network.scaleUp.topology));
    }
    m_picture->setData(std::move(chart));
    m_pictureFrame->setSubtitle(say("window.network.subtitle", {{"chips", number(cut.chips)}}));
}

} // namespace cw::views
