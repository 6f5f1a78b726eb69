// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>

#include "model/explain/trace.h"
#include "model/scenario/scenario.h"
#include "model/units/quantity.h"

namespace cw::scenario {

/// How a formula reads the numbers of a plan and the constants of the model. With double it hands
/// on the number; with Traced it also records which path of the plan it stands at. Fields are
/// passed by reference, so that the record can tell them apart: `in(plan.workload.sequenceLength)`.
template <class T>
class Inputs;

template <>
class Inputs<double>
{
public:
    explicit Inputs(const Scenario& scenario) : m_scenario(&scenario) {}

    const Scenario& plan() const { return *m_scenario; }
    /// The same for another plan, which has to outlive it.
    Inputs with(const Scenario& other) const { return Inputs(other); }

    double operator()(const double& field) const { return field; }
    double operator()(const std::int64_t& field) const { return static_cast<double>(field); }
    /// A field that must hold a value here.
    double operator()(const std::optional<double>& field) const { return *field; }
    double operator()(const std::optional<std::int64_t>& field) const
    {
        return static_cast<double>(*field);
    }

    /// A constant of the model, with its key in the message catalogue ("constant.adam_bytes").
    double constant(std::string_view, units::Unit, double value) const { return value; }

    template <class Q, class Field>
    Q as(const Field& field) const
    {
        return Q((*this)(field));
    }

private:
    const Scenario* m_scenario;
};

template <>
class Inputs<explain::Traced>
{
public:
    Inputs(const Scenario& scenario, explain::Trace& trace);
    ~Inputs();
    Inputs(const Inputs&) = delete;
    Inputs& operator=(const Inputs&) = delete;

    const Scenario& plan() const { return *m_scenario; }
    /// The same trace for another plan, which has to outlive it.
    Inputs with(const Scenario& other) const;

    explain::Traced operator()(const double& field) const { return at(&field, field); }
    explain::Traced operator()(const std::int64_t& field) const
    {
        return at(&field, static_cast<double>(field));
    }
    explain::Traced operator()(const std::optional<double>& field) const
    {
        return at(&field, *field);
    }
    explain::Traced operator()(const std::optional<std::int64_t>& field) const
    {
        return at(&field, static_cast<double>(*field));
    }

    explain::Traced constant(std::string_view key, units::Unit unit, double value) const;

    template <class Q, class Field>
    Q as(const Field& field) const
    {
        return Q((*this)(field));
    }

private:
    explain::Traced at(const void* address, double value) const;

    struct Record;
    const Scenario* m_scenario;
    std::unique_ptr<Record> m_record;
};

} // namespace cw::scenario
