// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/calibrate/bandtable.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <nlohmann/json.hpp>

namespace cw::calibrate {

using evaluation::BandClass;
using evaluation::Likeness;
using Json = nlohmann::ordered_json;

namespace {

/// Between these order statistics lie 80% of further rows of the same kind. [Vovk et al. 2005]
std::pair<double, double> tailsOf(std::vector<double>& logs)
{
    std::sort(logs.begin(), logs.end());
    const auto n = static_cast<double>(logs.size());
    const double low = std::max(0.0, std::floor(0.1 * (n + 1)) - 1);
    const double high = std::min(n - 1, std::ceil(0.9 * (n + 1)) - 1);
    return {logs[static_cast<std::size_t>(low)], logs[static_cast<std::size_t>(high)]};
}

Likeness likeOf(const RowResult& r, bool named)
{
    return {named ? r.framework : "unnamed", r.kind, r.chips > 64 ? "65-" : "1-64", ""};
}

bool usable(const RowResult& r)
{
    return !r.keptBack && r.doubt.empty() && r.measured > 0 && r.predicted > 0 &&
           std::isfinite(r.predicted);
}

double rounded(double x)
{
    return std::round(x * 1e4) / 1e4;
}

std::vector<BandResidual> stepResiduals(const Validation& v, const Refit& refit)
{
    std::map<std::string, double> shift;
    const std::vector<double> crossed = refit.crossValidated();
    for (std::size_t i = 0; i < crossed.size(); ++i)
        shift[refit.rows()[i].row.id] =
            crossed[i] - refit.whole().residuals[static_cast<Eigen::Index>(i)];
    std::vector<BandResidual> found;
    for (const RowResult& r : v.rows) {
        if (r.quantity != "step_time_s" || !usable(r) || r.framework == "unnamed")
            continue;
        const auto moved = shift.find(r.id);
        found.push_back({likeOf(r, true), std::log(r.measured / r.predicted) -
                                              (moved == shift.end() ? 0 : moved->second)});
    }
    return found;
}

std::vector<BandResidual> plainResiduals(const std::vector<RowResult>& rows,
                                         const std::string& quantity, bool named)
{
    std::vector<BandResidual> found;
    for (const RowResult& r : rows)
        if (r.quantity == quantity && usable(r) && (!named || r.framework != "unnamed"))
            found.push_back({likeOf(r, named), std::log(r.measured / r.predicted)});
    return found;
}

} // namespace

std::vector<BandClass> classesOf(const std::string& quantity,
                                 const std::vector<BandResidual>& residuals, std::size_t least)
{
    using Key = std::tuple<std::string, std::string, std::string>;
    std::map<Key, std::vector<double>> groups;
    for (const BandResidual& r : residuals) {
        std::set<std::string> stacks{r.like.stack};
        if (r.like.stack != "unnamed")
            stacks.insert("named");
        for (const std::string& stack : stacks)
            for (const Key& key : {Key{stack, "", ""}, Key{stack, r.like.kind, ""},
                                   Key{stack, r.like.kind, r.like.scale}})
                groups[key].push_back(r.log);
    }
    std::vector<BandClass> classes;
    for (auto& [key, logs] : groups) {
        const auto& [stack, kind, scale] = key;
        if (logs.size() < least)
            continue;
        const auto [low, high] = tailsOf(logs);
        const double worst =
            std::max(std::fabs(std::expm1(logs.front())), std::fabs(std::expm1(logs.back())));
        classes.push_back({quantity, stack, kind, scale, logs.size(), rounded(std::exp(low)),
                           rounded(std::exp(high)), rounded(worst)});
    }
    return classes;
}

std::string bandTable(const Validation& validation, const Refit& refit,
                      const Refit::LeftOut& leftOut)
{
    std::vector<BandClass> classes =
        classesOf("step", stepResiduals(validation, refit), kLeastBandRows);
    const auto append = [&](std::vector<BandClass> more) {
        classes.insert(classes.end(), more.begin(), more.end());
    };
    append(classesOf("step", plainResiduals(leftOut.rows, "step_time_s", false), kLeastBandRows));
    auto memory = plainResiduals(validation.rows, "memory_bytes", true);
    append(classesOf("memory", memory, kLeastMemoryRows));
    for (BandResidual& r : memory)
        r.like.stack = "unnamed";
    append(classesOf("memory", memory, kLeastMemoryRows));
    std::set<std::string> chips;
    double most = 0;
    for (const StepRow& r : refit.rows()) {
        chips.insert(r.row.plan.cluster.chip.preset);
        most = std::max(most, r.row.chips);
    }
    Json json{{"how",
               "written by clusterwright-cli validate resources/measured/*.json --write-bands "
               "resources/calibration/bands.json; low and high: a tenth of the measured "
               "figures of a class are below low times the predicted, a tenth above high; "
               "kept-back rows are not used"},
              {"chips", chips},
              {"most_chips", most},
              {"classes", Json::array()}};
    for (const BandClass& c : classes)
        json["classes"].push_back({{"quantity", c.quantity},
                                   {"stack", c.stack},
                                   {"kind", c.kind},
                                   {"scale", c.scale},
                                   {"rows", c.rows},
                                   {"low", c.low},
                                   {"high", c.high},
                                   {"worst", c.worst}});
    return json.dump(2) + "\n";
}

} // namespace cw::calibrate
