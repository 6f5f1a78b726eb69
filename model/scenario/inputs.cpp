// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/scenario/inputs.h"

#include <string>
#include <unordered_map>

#include "model/scenario/pathvisitor.h"

namespace cw::scenario {

namespace {

struct Place
{
    std::string path;
    units::Unit unit = units::Unit::None;
    explain::NodeId node = explain::kNoNode;
};

using Places = std::unordered_map<const void*, Place>;

/// Notes the address of every number of a plan.
class AddressVisitor final : public PathVisitor
{
public:
    explicit AddressVisitor(Places& places) : m_places(places) {}

    void number(std::string_view name, double& value, const Spec& spec) override
    {
        note(name, &value, spec);
    }
    void number(std::string_view name, std::optional<double>& value, const Spec& spec) override
    {
        note(name, &value, spec);
    }
    void integer(std::string_view name, std::int64_t& value, const Spec& spec) override
    {
        note(name, &value, spec);
    }
    void integer(std::string_view name, std::optional<std::int64_t>& value,
                 const Spec& spec) override
    {
        note(name, &value, spec);
    }
    void numbers(std::string_view name, std::vector<double>& values, const Spec& spec) override
    {
        for (std::size_t i = 0; i < values.size(); ++i)
            note(std::string(name) + "." + std::to_string(i), &values[i], spec);
    }
    void integers(std::string_view name, std::vector<std::int64_t>& values,
                  const Spec& spec) override
    {
        for (std::size_t i = 0; i < values.size(); ++i)
            note(std::string(name) + "." + std::to_string(i), &values[i], spec);
    }

private:
    void note(std::string_view name, const void* address, const Spec& spec)
    {
        m_places.emplace(address, Place{pathOf(name), spec.unit, explain::kNoNode});
    }

    Places& m_places;
};

} // namespace

struct Inputs<explain::Traced>::Record
{
    explain::Trace& trace;
    Places places;
    std::unordered_map<std::string, explain::NodeId> constants;
};

Inputs<explain::Traced>::Inputs(const Scenario& scenario, explain::Trace& trace)
    : m_scenario(&scenario), m_record(std::make_unique<Record>(Record{trace, {}, {}}))
{
    AddressVisitor visitor(m_record->places);
    // Descriptions serve readers and writers alike, hence take a mutable plan; this one only looks.
    describe(visitor,
             const_cast<Scenario&>(scenario)); // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

Inputs<explain::Traced>::~Inputs() = default;

Inputs<explain::Traced> Inputs<explain::Traced>::with(const Scenario& other) const
{
    return Inputs(other, m_record->trace);
}

explain::Traced Inputs<explain::Traced>::at(const void* address, double value) const
{
    const auto it = m_record->places.find(address);
    if (it == m_record->places.end())
        return {value};
    Place& place = it->second;
    if (place.node == explain::kNoNode)
        place.node = m_record->trace.addText(explain::Op::Input, value, place.path, place.unit);
    return {value, place.node, &m_record->trace};
}

explain::Traced Inputs<explain::Traced>::constant(std::string_view key, units::Unit unit,
                                                  double value) const
{
    auto [it, fresh] = m_record->constants.try_emplace(std::string(key), explain::kNoNode);
    // Under one key may stand a number for each month.
    if (fresh || m_record->trace.node(it->second).value != value)
        it->second = m_record->trace.addText(explain::Op::Constant, value, key, unit);
    return {value, it->second, &m_record->trace};
}

} // namespace cw::scenario
