// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/calibrate/presetupdate.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <nlohmann/json.hpp>

namespace cw::calibrate {

using Json = nlohmann::ordered_json;

namespace {

/// Three digits: no fit knows more.
double rounded(double x)
{
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.3g", x);
    return std::stod(digits);
}

/// "a.b.c" as "/a/b/c".
Json::json_pointer pointerOf(std::string path)
{
    std::replace(path.begin(), path.end(), '.', '/');
    return Json::json_pointer("/" + path);
}

struct Update
{
    Json& preset;
    std::string prefix; ///< of the paths of a plan that the preset's values stand for
    bool changed = false;

    void set(const std::string& path, double value, bool determined, std::size_t rows)
    {
        if (path.compare(0, prefix.size(), prefix) != 0)
            return;
        const std::string own = path.substr(prefix.size());
        Json& values = preset["values"];
        const auto pointer = pointerOf(own);
        // A chip has a share only of the formats that it has.
        if (own.find("matrix.") != std::string::npos && !values.contains(pointer))
            return;
        values[pointer] = rounded(value);
        preset["sources"][own] = {
            {"status", determined ? "measured" : "assumed"},
            {"source", std::string("fit of ") + std::to_string(rows) +
                           (determined ? " published training steps"
                                       : " published training steps, which hardly determine it")}};
        changed = true;
    }
};

std::size_t rowsOf(const Constant& c, const Refit& refit)
{
    return static_cast<std::size_t>(
        std::count_if(refit.rows().begin(), refit.rows().end(), [&](const StepRow& r) {
            return appliesTo(c, r.row) && !keptBack(r.row.id) && doubtOf(r.row.id).empty();
        }));
}

bool takes(const Constant& c, const std::string& kind, const std::string& id)
{
    const std::string family = familyOfPreset(id);
    switch (c.of) {
    case Constant::Of::Chip:
        return kind == "chip" && family == c.owner;
    case Constant::Of::Stack:
        return kind == "software" && id == c.owner;
    case Constant::Of::All:
        return kind == "chip" && !family.empty() &&
               (c.chips.empty() ||
                std::find(c.chips.begin(), c.chips.end(), family) != c.chips.end());
    }
    return false;
}

} // namespace

std::string updatedPreset(const std::string& text, const Refit& refit)
{
    Json preset = Json::parse(text, nullptr, false);
    if (!preset.is_object() || !preset.contains("kind") || !preset.contains("values"))
        return text;
    const std::string kind = preset["kind"];
    const std::string id = preset["id"];
    Update update{preset, kind == "chip" ? "cluster.chip." : "software."};
    for (std::size_t i = 0; i < refit.constants().size(); ++i) {
        const Constant& c = refit.constants()[i];
        if (!takes(c, kind, id) || id == "unnamed")
            continue;
        const bool determined = refit.whole().dataDeviations[i] < c.unknown.spread;
        for (const auto& [path, factor] : c.paths)
            update.set(path, std::min(1e9, refit.whole().values[i] * factor), determined,
                       rowsOf(c, refit));
    }
    if (id == "unnamed") {
        update.set("software.maturity", refit.defaults().maturity, true, refit.rows().size());
        update.set("software.moe_maturity", refit.defaults().moeMaturity, true,
                   refit.rows().size());
    }
    return update.changed ? preset.dump(2) + "\n" : text;
}

} // namespace cw::calibrate
