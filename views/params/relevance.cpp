// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/params/relevance.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>

namespace cw::views {

namespace {

constexpr std::string_view kGroups = "model.groups.";

template <std::size_t Count>
bool isOneOf(std::string_view name, const std::string_view (&names)[Count])
{
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool isRelevant(const scenario::Attention& attention, std::string_view name)
{
    static constexpr std::string_view kPlainHeads[] = {"key_value_heads", "head_dim"};
    return attention.kind != scenario::AttentionKind::Mla || !isOneOf(name, kPlainHeads);
}

bool isRelevant(const scenario::Ffn& ffn, std::string_view name)
{
    static constexpr std::string_view kMixture[] = {"experts",       "top_k",      "shared_experts",
                                                    "shared_hidden", "latent_dim", "node_limit",
                                                    "router_bias",   "shared_gate"};
    if (ffn.kind == scenario::FfnKind::None)
        return name == "kind";
    return ffn.kind != scenario::FfnKind::Dense || !isOneOf(name, kMixture);
}

} // namespace

bool isRelevant(const scenario::Scenario& scenario, const std::string& path)
{
    const std::string_view whole = path;
    if (!whole.starts_with(kGroups))
        return true;
    std::size_t index = 0;
    const char* const end = whole.data() + whole.size();
    const auto read = std::from_chars(whole.data() + kGroups.size(), end, index);
    if (read.ec != std::errc() || index >= scenario.model.groups.size())
        return true;
    const std::string_view rest(read.ptr, static_cast<std::size_t>(end - read.ptr));
    const auto& group = scenario.model.groups[index];
    constexpr std::string_view kAttention = ".attention.";
    constexpr std::string_view kFfn = ".ffn.";
    if (rest.starts_with(kAttention))
        return isRelevant(group.attention, rest.substr(kAttention.size()));
    if (rest.starts_with(kFfn))
        return isRelevant(group.ffn, rest.substr(kFfn.size()));
    return true;
}

} // namespace cw::views
