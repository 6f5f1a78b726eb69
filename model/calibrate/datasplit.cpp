// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/calibrate/datasplit.h"

#include <map>

#include <nlohmann/json.hpp>

#include "resources/embedded.h"

namespace cw::calibrate {

namespace {

const std::map<std::string, std::string, std::less<>>& doubts()
{
    static const auto all = [] {
        std::map<std::string, std::string, std::less<>> byRow;
        const auto json = nlohmann::json::parse(resources::file("calibration/doubts.json"));
        for (const auto& [reason, ids] : json.items())
            for (const auto& id : ids)
                byRow.emplace(id.get<std::string>(), "doubt." + reason);
        return byRow;
    }();
    return all;
}

} // namespace

std::uint32_t fnv1a(std::string_view text)
{
    std::uint32_t hash = 2166136261U;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return hash;
}

bool keptBack(std::string_view id)
{
    return fnv1a(id) % 5 == 0 && doubts().count(id) == 0;
}

std::string doubtOf(std::string_view id)
{
    const auto found = doubts().find(id);
    return found == doubts().end() ? std::string() : found->second;
}

std::string sourceOf(const MeasuredRow& row, std::string_view file)
{
    const std::string_view stem = file.substr(0, file.rfind('.'));
    return stem == "papers" && !row.title.empty() ? row.title : std::string(stem);
}

} // namespace cw::calibrate
