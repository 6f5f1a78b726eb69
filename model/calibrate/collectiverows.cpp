// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/calibrate/collectiverows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "model/calibrate/datasplit.h"
#include "model/calibrate/statistics.h"
#include "model/calibrate/validate.h"
#include "model/network/collectives.h"
#include "model/scenario/presets.h"

namespace cw::calibrate {

using Json = nlohmann::json;
using network::Algorithm;
using network::TrafficKind;

namespace {

constexpr double kMega = 1048576;
constexpr double kMostRanks = 1e7;
constexpr double kMostBytes = 1e15;

struct Row
{
    scenario::Scenario plan;
    network::GroupSpan<double> group;
    network::Links<double> links;
    std::string collective;
    Algorithm algorithm = Algorithm::Best;
    double bytes = 0;
    double tokens = 0;
    double width = 0; ///< bytes of one token
    double experts = 1;
    double topK = 1;
    double limit = 0;
    bool direct = false; ///< each copy goes to its rank by itself

    bool expert() const { return collective == "dispatch" || collective == "combine"; }
};

/// What a row lacks or has wrong.
struct Wrong
{
    std::string what;
};

std::string textOf(const Json& j, const char* key)
{
    const auto found = j.find(key);
    return found != j.end() && found->is_string() ? found->get<std::string>() : "";
}

double numberOf(const Json& j, const char* key, double least, double most,
                std::optional<double> otherwise = {})
{
    const auto found = j.find(key);
    if (found == j.end() && otherwise)
        return *otherwise;
    if (found == j.end() || !found->is_number())
        throw Wrong{key};
    const auto x = found->get<double>();
    if (!(x >= least && x <= most))
        throw Wrong{key};
    return x;
}

Algorithm algorithmOf(const std::string& name)
{
    static const std::map<std::string, Algorithm> kNames{
        {"", Algorithm::Best},
        {"ring", Algorithm::Ring},
        {"tree", Algorithm::Tree},
        {"switch_tree", Algorithm::SwitchTree},
        {"switch_reduce", Algorithm::SwitchReduce}};
    const auto found = kNames.find(name);
    if (found == kNames.end())
        throw Wrong{"algorithm"};
    return found->second;
}

void readExpert(const Json& j, Row& r)
{
    constexpr double kMost = 1e9;
    r.tokens = numberOf(j, "tokens", 1, kMost);
    r.width = numberOf(j, "hidden", 1, kMost) * numberOf(j, "bytes_per_element", 0.25, 8);
    r.experts = numberOf(j, "experts", 1, kMost);
    r.topK = numberOf(j, "top_k", 1, r.experts);
    r.limit = numberOf(j, "domain_limit", 1, kMost, 0.0);
    r.direct = j.contains("direct") && j["direct"].is_boolean() && j["direct"].get<bool>();
    r.bytes = r.tokens * r.width;
}

Row rowOf(const Json& j)
{
    Row r;
    r.collective = textOf(j, "collective");
    static const char* const kKnown[] = {"all_reduce", "all_gather", "reduce_scatter",
                                         "all_to_all", "dispatch",   "combine"};
    if (std::find(std::begin(kKnown), std::end(kKnown), r.collective) == std::end(kKnown))
        throw Wrong{"collective"};
    if (scenario::applyPreset(r.plan, "cluster", textOf(j, "system")))
        throw Wrong{"system"};
    r.group.size = numberOf(j, "ranks", 2, kMostRanks);
    r.group.domains = numberOf(j, "domains", 1, r.group.size, 1.0);
    r.group.inside = r.group.size / r.group.domains;
    r.group.extent = r.group.size;
    r.plan.cluster.chips = std::max<std::int64_t>(static_cast<std::int64_t>(r.group.size),
                                                  r.plan.cluster.network.scaleUp.chips *
                                                      static_cast<std::int64_t>(r.group.domains));
    auto& out = r.plan.cluster.network.scaleOut;
    out.bandwidth = 1e9 * numberOf(j, "nic_gb_per_s", 1e-3, 1e9, out.bandwidth / 1e9);
    auto& up = r.plan.cluster.network.scaleUp;
    up.bandwidth = 1e9 * numberOf(j, "link_gb_per_s", 1e-3, 1e9, up.bandwidth / 1e9);
    r.algorithm = algorithmOf(textOf(j, "algorithm"));
    if (r.expert())
        readExpert(j, r);
    else
        r.bytes = numberOf(j, "bytes", 1, kMostBytes);
    const scenario::Inputs<double> in(r.plan);
    const bool exchange = r.expert() || r.collective == "all_to_all";
    r.links =
        network::inALoop(in, network::linksFor(in, network::topology(in), r.group,
                                               exchange ? TrafficKind::Expert : TrafficKind::Data));
    return r;
}

double secondsOf(const Row& r)
{
    const units::Bytes<double> bytes(r.bytes);
    if (r.direct)
        return network::allToAll(r.group, r.links, r.topK * bytes).si();
    if (r.expert())
        return network::expertExchange(r.group, r.links, r.tokens, units::Bytes<double>(r.width),
                                       r.experts, r.topK, r.limit)
            .si();
    if (r.collective == "all_reduce")
        return network::allReduceBy(r.algorithm, r.group, r.links, bytes).si();
    if (r.collective == "all_to_all")
        return network::allToAll(r.group, r.links, bytes).si();
    if (r.algorithm == Algorithm::Ring)
        return network::ringGather(r.group, r.links, bytes).si();
    return network::allGather(r.group, r.links, bytes).si();
}

double measuredSeconds(const Json& j, const Row& r)
{
    const auto found = j.find("measured");
    if (found == j.end() || !found->is_object())
        throw Wrong{"measured"};
    constexpr double kMost = 1e12;
    constexpr double kLeast = 1e-9;
    if (found->contains("time_us"))
        return 1e-6 * numberOf(*found, "time_us", kLeast, kMost);
    const double n = r.group.size;
    if (found->contains("bus_gb_per_s")) {
        const double factor = (r.collective == "all_reduce" ? 2.0 : 1.0) * (n - 1) / n;
        return factor * r.bytes / (1e9 * numberOf(*found, "bus_gb_per_s", kLeast, kMost));
    }
    const auto moved = network::dispatched(r.group, r.tokens, units::Bytes<double>(r.width),
                                           r.experts, r.topK, r.limit);
    if (found->contains("domain_gb_per_s"))
        return moved.inside.si() / (1e9 * numberOf(*found, "domain_gb_per_s", kLeast, kMost));
    const double arriving = moved.across.si() * r.group.domains / (r.group.domains - 1);
    return arriving / (1e9 * numberOf(*found, "arriving_gb_per_s", kLeast, kMost));
}

} // namespace

std::string sizeOf(double bytes)
{
    if (bytes < kMega)
        return "-1MiB";
    return bytes < 64 * kMega ? "1-64MiB" : "64MiB-";
}

namespace {

/// "4 MiB, 2 x 8 ranks, ring": for reading.
std::string degreesOf(const CollectiveResult& c)
{
    const auto whole = [](double x) {
        return std::to_string(std::llround(x));
    };
    const double unit = c.bytes < 1024 ? 1 : c.bytes < kMega ? 1024 : kMega;
    std::string text = whole(c.bytes / unit) + (unit == 1 ? " B" : unit < kMega ? " KiB" : " MiB");
    if (c.domains > 1)
        text += ", " + whole(c.domains) + " x " + whole(c.ranks / c.domains) + " ranks";
    else
        text += ", " + whole(c.ranks) + " ranks";
    return c.algorithm.empty() ? text : text + ", " + c.algorithm;
}

} // namespace

bool isCollective(const Json& row)
{
    return row.is_object() && row.contains("collective");
}

CollectiveResult collectiveResult(const Json& j, const std::string& file, std::string& skipped)
{
    CollectiveResult result;
    result.id = textOf(j, "id");
    result.file = file;
    result.system = textOf(j, "system");
    result.algorithm = textOf(j, "algorithm");
    result.library = textOf(j, "library");
    if (const auto source = j.find("source"); source != j.end() && source->is_object())
        result.source = textOf(*source, "title");
    result.keptBack = keptBack(result.id);
    try {
        const Row row = rowOf(j);
        result.collective = row.collective;
        result.bytes = row.bytes;
        result.ranks = row.group.size;
        result.domains = row.group.domains;
        result.measured = measuredSeconds(j, row);
        result.predicted = secondsOf(row);
        result.error = result.predicted / result.measured - 1;
        if (!std::isfinite(result.error))
            throw Wrong{"measured"};
    } catch (const Wrong& wrong) {
        skipped = "validate.missing:" + wrong.what;
    }
    return result;
}

std::vector<RowResult> asRows(const std::vector<CollectiveResult>& collectives)
{
    std::vector<RowResult> rows;
    rows.reserve(collectives.size());
    for (const CollectiveResult& c : collectives) {
        RowResult r;
        r.id = c.id;
        r.file = c.file;
        r.quantity = "collective_time_s";
        r.predicted = c.predicted;
        r.measured = c.measured;
        r.error = c.error;
        r.chip = c.system;
        r.kind = c.collective;
        r.scale = sizeOf(c.bytes);
        r.source = c.source;
        r.framework = c.library;
        r.degrees = degreesOf(c);
        r.chips = c.ranks;
        r.keptBack = c.keptBack;
        rows.push_back(std::move(r));
    }
    return rows;
}

std::vector<CollectiveSummary> summarize(const std::vector<CollectiveResult>& rows)
{
    std::map<std::string, std::vector<double>> groups;
    std::vector<std::string> order{"all"};
    const auto add = [&](const std::string& group, double error) {
        if (groups.find(group) == groups.end() && group != "all")
            order.push_back(group);
        groups[group].push_back(error);
    };
    for (const CollectiveResult& r : rows) {
        const std::string size = sizeOf(r.bytes);
        for (const std::string& group :
             {std::string("all"), "size:" + size, "collective:" + r.collective,
              "system:" + r.system, "system:" + r.system + " size:" + size,
              std::string(r.keptBack ? "kept-back" : "others")})
            add(group, r.error);
    }
    std::vector<CollectiveSummary> summary;
    for (const std::string& group : order) {
        const std::vector<double>& errors = groups[group];
        if (errors.empty())
            continue;
        std::vector<double> absolute;
        for (const double e : errors)
            absolute.push_back(std::fabs(e));
        summary.push_back({group, errors.size(), quantile(absolute, 0.5), quantile(absolute, 0.9),
                           quantile(errors, 0.5)});
    }
    return summary;
}

} // namespace cw::calibrate
