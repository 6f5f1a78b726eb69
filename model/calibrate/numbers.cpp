// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/calibrate/numbers.h"

#include <algorithm>

#include "model/scenario/pathvisitor.h"

namespace cw::calibrate {

namespace {

class Finder final : public scenario::PathVisitor
{
public:
    using FieldVisitor::choice;
    using FieldVisitor::choices;

    explicit Finder(const std::vector<std::string>& paths) : m_paths(paths), found(paths.size()) {}

    void number(std::string_view name, double& value, const scenario::Spec&) override
    {
        keep(name, NumberHandle(&value));
    }
    void number(std::string_view name, std::optional<double>& value, const scenario::Spec&) override
    {
        keep(name, NumberHandle(&value));
    }

private:
    void keep(std::string_view name, NumberHandle handle)
    {
        const std::string path = pathOf(name);
        for (std::size_t i = 0; i < m_paths.size(); ++i)
            if (m_paths[i] == path)
                found[i] = handle;
    }
    const std::vector<std::string>& m_paths;

public:
    std::vector<NumberHandle> found;
};

} // namespace

double NumberHandle::get(double fallback) const
{
    if (const auto* plain = std::get_if<double*>(&m_place))
        return **plain;
    if (const auto* nullable = std::get_if<std::optional<double>*>(&m_place))
        return (*nullable)->value_or(fallback);
    return fallback;
}

void NumberHandle::set(double value) const
{
    if (const auto* plain = std::get_if<double*>(&m_place))
        **plain = value;
    else if (const auto* nullable = std::get_if<std::optional<double>*>(&m_place))
        **nullable = value;
}

std::vector<NumberHandle> handlesOf(scenario::Scenario& plan, const std::vector<std::string>& paths)
{
    Finder finder(paths);
    describe(finder, plan);
    return finder.found;
}

} // namespace cw::calibrate
