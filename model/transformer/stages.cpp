// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/transformer/stages.h"

#include <algorithm>
#include <numeric>

namespace cw::transformer {

using scenario::Model;
using scenario::Scenario;

namespace {

/// Adds the groups from `first` on in turns: the group furthest behind its share comes next.
void appendInterleaved(const Model& model, std::size_t first, std::vector<int>& order)
{
    std::vector<std::int64_t> placed(model.groups.size(), 0);
    std::int64_t total = 0;
    for (std::size_t g = first; g < model.groups.size(); ++g)
        total += model.groups[g].count;
    for (std::int64_t n = 1; n <= total; ++n) {
        std::size_t next = first;
        double furthest = -1e300;
        for (std::size_t g = first; g < model.groups.size(); ++g) {
            const double behind = static_cast<double>(model.groups[g].count) *
                                      static_cast<double>(n) / static_cast<double>(total) -
                                  static_cast<double>(placed[g]);
            if (placed[g] < model.groups[g].count && behind > furthest + 1e-12) {
                furthest = behind;
                next = g;
            }
        }
        ++placed[next];
        order.push_back(static_cast<int>(next));
    }
}

} // namespace

std::vector<int> layerOrder(const Model& model)
{
    std::vector<int> order;
    const std::size_t turns =
        std::min(model.groups.size(),
                 static_cast<std::size_t>(std::max<std::int64_t>(0, model.interleavedGroups)));
    const std::size_t first = model.groups.size() - turns;
    for (std::size_t g = 0; g < first; ++g)
        order.insert(order.end(), static_cast<std::size_t>(model.groups[g].count),
                     static_cast<int>(g));
    if (turns > 0)
        appendInterleaved(model, first, order);
    return order;
}

std::vector<std::int64_t> sliceLayers(const Scenario& scenario, std::int64_t slices)
{
    const auto& given = scenario.parallelism.stageLayers;
    std::int64_t layers = 0;
    for (const scenario::LayerGroup& g : scenario.model.groups)
        layers += g.count;
    const auto count = static_cast<std::size_t>(slices);
    if (given.size() == count &&
        std::accumulate(given.begin(), given.end(), std::int64_t{0}) == layers)
        return given;
    if (layers % slices == 0 || slices == 1)
        return std::vector<std::int64_t>(count, layers / slices);
    // Everything that takes time counts as a layer: embedding and head one each, MTP one each.
    const std::int64_t tail = 1 + scenario.model.mtpLayers;
    const std::int64_t units = layers + 1 + tail;
    const std::int64_t base = units / slices;
    std::vector<std::int64_t> cut(count, base);
    const auto extra = static_cast<std::size_t>(units % slices);
    const std::size_t start = (count - extra) / 2;
    for (std::size_t i = 0; i < extra; ++i)
        ++cut[start + i];
    cut.front() -= 1;
    cut.back() -= tail;
    // Small slices may now owe layers: the fullest pay.
    for (std::int64_t& n : cut) {
        while (n < 0) {
            --*std::max_element(cut.begin(), cut.end());
            ++n;
        }
    }
    return cut;
}

std::vector<Slice> slicesOf(const Scenario& scenario, std::int64_t slices)
{
    const std::vector<std::int64_t> cut = sliceLayers(scenario, slices);
    const std::vector<int> order = layerOrder(scenario.model);
    std::vector<Slice> result(cut.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < cut.size(); ++i) {
        result[i].layers.assign(scenario.model.groups.size(), 0);
        for (std::int64_t n = 0; n < cut[i] && next < order.size(); ++n)
            ++result[i].layers[static_cast<std::size_t>(order[next++])];
    }
    result.front().embedding = true;
    result.back().head = true;
    result.back().mtp = scenario.model.mtpLayers;
    return result;
}

} // namespace cw::transformer
