// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/scenario/fault.h"
#include "model/scenario/pathvisitor.h"

namespace cw::scenario {

/// Reads JSON into a scenario by its description. What stands in the plan comes first, what its
/// presets say after it: each member takes the first value found, or keeps its default.
class PlanReader final : public PathVisitor
{
public:
    using FieldVisitor::choice;
    using FieldVisitor::choices;
    using Json = nlohmann::json;

    explicit PlanReader(const Json& plan) { m_layers.push_back({{&plan, true}}); }

    Faults faults;
    /// Paths that the plan itself gave a value, and those of parts and lists it mentions.
    std::set<std::string> known;

    void number(std::string_view n, double& v, const Spec& s) override;
    void number(std::string_view n, std::optional<double>& v, const Spec& s) override;
    void integer(std::string_view n, std::int64_t& v, const Spec& s) override;
    void integer(std::string_view n, std::optional<std::int64_t>& v, const Spec& s) override;
    void flag(std::string_view n, bool& v, const Spec& s) override;
    void text(std::string_view n, std::string& v, const Spec& s) override;
    void choice(std::string_view n, int& i, Names names, bool nullable, const Spec& s) override;
    void choices(std::string_view n, std::vector<int>& v, Names names, const Spec& s) override;
    void numbers(std::string_view n, std::vector<double>& v, const Spec& s) override;
    void integers(std::string_view n, std::vector<std::int64_t>& v, const Spec& s) override;
    void preset(std::string_view kind, std::string& id) override;
    void beginPart(std::string_view name) override;
    void endPart() override;
    std::optional<std::size_t> beginList(std::string_view name, std::size_t size) override;
    void beginItem(std::size_t index) override;
    void endItem() override;
    void endList() override;

private:
    struct Layer
    {
        const Json* json = nullptr;
        bool ofPlan = false; ///< of the plan itself, not of a preset
    };

    /// The first value that a layer holds for the member; null where none does.
    const Json* find(std::string_view name);
    void fault(std::string_view code, std::string_view name, const Json& value, std::string allowed,
               std::string nearest = {});
    bool legal(std::string_view name, const Json& value, const Spec& spec, bool integral,
               double& number);
    bool legalList(std::string_view name, const Json& value, const Spec& spec, bool integral,
                   std::vector<double>& numbers);
    /// Appends the layers of a preset and of those it starts from itself.
    void appendPreset(std::string_view kind, const std::string& id, std::string_view name);

    std::vector<std::vector<Layer>> m_layers;
    std::string
        m_system; ///< preset of the cluster: what racks and cools it, where no other is named
};

/// The values of a preset for the part at `partPath` ("cluster.node" of a system, say).
const nlohmann::json* presetValues(std::string_view kind, std::string_view id,
                                   std::string_view partPath);

} // namespace cw::scenario
