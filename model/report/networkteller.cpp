// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/report/networkteller.h"

#include "model/evaluation/evaluation.h"
#include "model/evaluation/networkadvice.h"
#include "model/network/rankmap.h"

namespace cw::report {

using Json = nlohmann::ordered_json;
using evaluation::Evaluation;
using network::GroupKind;
using network::kTrafficKinds;
using network::TrafficKind;
using text::Catalogue;
using units::Unit;

namespace {

std::string kindKey(std::size_t kind)
{
    return "traffic.kind." + std::string(network::nameOf(static_cast<TrafficKind>(kind)));
}

void tellBuilt(Document& document, const Evaluation& e, const Catalogue& words)
{
    const auto& t = e.topology;
    Table table{
        std::string(words.term("report.network.built")),
        {std::string(words.term("report.quantity")), std::string(words.term("report.value"))},
        {},
        false,
        false};
    const auto row = [&](const char* path, double value, Unit unit) {
        table.rows.push_back({words.label(path), cell(value, unit)});
    };
    row("topology.switches", t.switches, Unit::None);
    row("topology.links", t.links, Unit::None);
    row("topology.optics", t.optics, Unit::None);
    row("topology.scale_up_switches", t.scaleUpSwitches, Unit::None);
    row("topology.scale_up_links", t.scaleUpLinks, Unit::None);
    row("topology.bisection_bytes_per_s", t.bisection.si(), Unit::BytesPerSecond);
    row("topology.diameter_hops", t.diameterHops, Unit::None);
    document.add(std::move(table));
}

/// Kinds that move something, so that the table holds no empty columns.
std::vector<std::size_t> movingKinds(const Evaluation& e)
{
    std::vector<std::size_t> kinds;
    for (std::size_t k = 0; k < kTrafficKinds; ++k)
        if (e.traffic.volumes[k].inside + e.traffic.volumes[k].across > 0)
            kinds.push_back(k);
    return kinds;
}

Json classJson(const network::LinkClass& c, const Evaluation& e)
{
    Json bytes = Json::object();
    for (std::size_t k = 0; k < kTrafficKinds; ++k)
        if (c.bytes[k] > 0)
            bytes[std::string(network::nameOf(static_cast<TrafficKind>(k)))] = c.bytes[k];
    Json json{{"from", network::nameOf(c.from)},
              {"to", network::nameOf(c.to)},
              {"tier",
               c.tier < e.topology.tierCount ? e.topology.tiers[c.tier].name : std::string_view()},
              {"count", c.count},
              {"capacity_bytes_per_s", c.capacity},
              {"bytes", std::move(bytes)},
              {"utilization", c.utilization},
              {"in_use", c.inUse},
              {"hottest", c.hottest}};
    if (c.axis >= 0)
        json["axis"] = c.axis;
    return json;
}

struct Column
{
    const char* name;
    GroupKind kind;
};
constexpr Column kColumns[] = {{"tensor", GroupKind::Tensor},
                               {"context", GroupKind::Context},
                               {"data", GroupKind::Data},
                               {"pipeline", GroupKind::Pipeline},
                               {"expert_tensor", GroupKind::ExpertTensor},
                               {"expert", GroupKind::Expert},
                               {"expert_data", GroupKind::ExpertData}};

template <class Visit>
void eachRank(const network::RankMap& map, Visit visit)
{
    for (std::int64_t job = 0; job < map.jobs(); ++job)
        for (std::int64_t rank = 0; rank < map.ranks(); ++rank)
            visit(map.place(rank, job));
}

} // namespace

void tellNetwork(Document& document, const Subject& subject, text::Language language)
{
    const Catalogue& words = Catalogue::of(language);
    const Evaluation& e = subject.evaluation;
    if (e.topology.tierCount == 0)
        return;
    tellBuilt(document, e, words);
    const std::vector<std::size_t> kinds = movingKinds(e);
    Table table;
    table.caption = words.term("report.network.traffic");
    table.columns.emplace_back(words.term("report.network.tier"));
    for (const std::size_t k : kinds)
        table.columns.emplace_back(words.term(kindKey(k)));
    table.columns.emplace_back(words.term("report.network.in-use"));
    table.columns.emplace_back(words.term("report.network.over-step"));
    for (std::size_t i = 0; i < e.traffic.tierCount; ++i) {
        const auto& tier = e.traffic.tiers[i];
        std::vector<Cell> row{words.label(e.topology.tiers[i].name)};
        for (const std::size_t k : kinds)
            row.push_back(cell(tier.bytes[k], Unit::VendorBytes));
        row.push_back(cell(tier.inUse, Unit::Share));
        row.push_back(cell(tier.utilization, Unit::Share));
        table.rows.push_back(std::move(row));
    }
    document.add(std::move(table));
}

void addTraffic(Json& root, const Subject& subject)
{
    const Evaluation& e = subject.evaluation;
    if (e.topology.tierCount == 0)
        return;
    Json& traffic = root["traffic"];
    for (std::size_t i = 0; i < e.traffic.tierCount; ++i) {
        traffic["tiers"][i]["name"] = e.topology.tiers[i].name;
    }
    const network::LinkLoads loads = evaluation::linkLoads(subject.plan.scenario, e);
    Json links = Json::array();
    for (const auto& c : loads.classes)
        links.push_back(classJson(c, e));
    if (!loads.classes.empty())
        traffic["hottest"] = links[loads.hottest];
    traffic["links"] = std::move(links);
    if (!subject.plan.scenario.cluster.network.faults.empty()) {
        const evaluation::FaultCost cost = evaluation::faultCost(subject.plan.scenario);
        traffic["faults"] = {{"step_s", cost.with - cost.without},
                             {"step_without_s", cost.without},
                             {"share", cost.share()}};
    }
}

std::string rankMapCsv(const scenario::Scenario& plan)
{
    const network::RankMap map(plan);
    std::string out = "job,rank,chip,site,pod,rack,node,chip_in_node,domain";
    for (const Column& c : kColumns)
        out += "," + std::string(c.name) + "_member," + c.name + "_group";
    out += "\r\n";
    eachRank(map, [&](const network::RankPlace& r) {
        for (const std::int64_t x : {r.job, r.rank, r.chip, r.site, r.place.pod, r.place.rack,
                                     r.place.node, r.place.chip, r.domain})
            out += std::to_string(x) + ",";
        for (const Column& c : kColumns) {
            const auto k = static_cast<std::size_t>(c.kind);
            out += std::to_string(r.member[k]) + "," + std::to_string(r.group[k]) + ",";
        }
        out.pop_back();
        out += "\r\n";
    });
    return out;
}

std::string rankMapJson(const scenario::Scenario& plan)
{
    const network::RankMap map(plan);
    std::string out = "{\"ranks\": " + std::to_string(map.ranks()) +
                      ", \"jobs\": " + std::to_string(map.jobs()) +
                      ", \"chips\": " + std::to_string(map.chips()) +
                      ", \"idle_chips\": " + std::to_string(map.idle()) + ", \"map\": [";
    bool first = true;
    eachRank(map, [&](const network::RankPlace& r) {
        Json groups = Json::object();
        for (const Column& c : kColumns) {
            const auto k = static_cast<std::size_t>(c.kind);
            groups[c.name] = {{"member", r.member[k]}, {"group", r.group[k]}};
        }
        const Json line{{"job", r.job},         {"rank", r.rank},
                        {"chip", r.chip},       {"site", r.site},
                        {"pod", r.place.pod},   {"rack", r.place.rack},
                        {"node", r.place.node}, {"chip_in_node", r.place.chip},
                        {"domain", r.domain},   {"groups", groups}};
        out += (first ? "\n" : ",\n") + line.dump();
        first = false;
    });
    return out + "\n]}\n";
}

} // namespace cw::report
