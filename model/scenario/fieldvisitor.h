// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/scenario/enums.h"
#include "model/units/unit.h"

// Each part of a plan describes its members once, to a visitor. From that description follow the
// JSON names, `--set`, the input panel, the sweep axes, the search fields and the inputs of a
// trace.

namespace cw::scenario {

/// How a slider moves over the range of a number.
enum class Scale : std::uint8_t
{
    Linear,
    Log,
    Degree, ///< whole numbers that must divide something: offered as chips to choose from
};

/// How well a default is known.
enum class Status : std::uint8_t
{
    Choice, ///< the planner's own decision: nothing to prove
    Assumed,
    Published,
    Measured,
};

/// What is declared of a member beside its place: unit, legal range, slider range, provenance.
struct Spec
{
    units::Unit unit = units::Unit::None;
    double min = 0.0;
    double max = std::numeric_limits<double>::max();
    Scale scale = Scale::Linear;
    /// Range of the slider; where both are 0 it is [min, max].
    double from = 0.0;
    double to = 0.0;
    Status status = Status::Choice;
    /// Where the default comes from, as a citation.
    std::string_view source = {};
    /// Shown only where the reader asks for everything.
    bool expert = false;
};

class FieldVisitor
{
public:
    FieldVisitor() = default;
    FieldVisitor(const FieldVisitor&) = delete;
    FieldVisitor& operator=(const FieldVisitor&) = delete;
    virtual ~FieldVisitor() = default;

    virtual void number(std::string_view name, double& value, const Spec& spec) = 0;
    virtual void number(std::string_view name, std::optional<double>& value, const Spec& spec) = 0;
    virtual void integer(std::string_view name, std::int64_t& value, const Spec& spec) = 0;
    virtual void integer(std::string_view name, std::optional<std::int64_t>& value,
                         const Spec& spec) = 0;
    virtual void flag(std::string_view name, bool& value, const Spec& spec) = 0;
    virtual void text(std::string_view name, std::string& value, const Spec& spec) = 0;
    /// One of `names`; with `nullable`, -1 stands for null.
    virtual void choice(std::string_view name, int& index, Names names, bool nullable,
                        const Spec& spec) = 0;
    /// Some of `names`, in order; a file may also give one name, or "none".
    virtual void choices(std::string_view name, std::vector<int>& indices, Names names,
                         const Spec& spec) = 0;
    virtual void numbers(std::string_view name, std::vector<double>& values, const Spec& spec) = 0;
    virtual void integers(std::string_view name, std::vector<std::int64_t>& values,
                          const Spec& spec) = 0;

    /// Names the preset that the part being visited starts from; `kind` is the preset's kind.
    virtual void preset(std::string_view kind, std::string& id) = 0;

    virtual void beginPart(std::string_view name) = 0;
    virtual void endPart() = 0;
    /// A list of parts. Answers how many fresh items shall replace it, or nothing where it stays;
    /// then each item is visited.
    virtual std::optional<std::size_t> beginList(std::string_view name, std::size_t size) = 0;
    virtual void beginItem(std::size_t index) = 0;
    virtual void endItem() = 0;
    virtual void endList() = 0;

    // Conveniences for the descriptions.

    template <class E>
    void choice(std::string_view name, E& value, const Spec& spec = {})
    {
        int index = static_cast<int>(value);
        choice(name, index, Names(EnumNames<E>::value), false, spec);
        value = static_cast<E>(index);
    }
    template <class E>
    void choice(std::string_view name, std::optional<E>& value, const Spec& spec = {})
    {
        int index = value ? static_cast<int>(*value) : -1;
        choice(name, index, Names(EnumNames<E>::value), true, spec);
        if (index < 0)
            value.reset();
        else
            value = static_cast<E>(index);
    }
    template <class E>
    void choices(std::string_view name, std::vector<E>& values, const Spec& spec = {})
    {
        std::vector<int> indices;
        indices.reserve(values.size());
        for (const E e : values)
            indices.push_back(static_cast<int>(e));
        choices(name, indices, Names(EnumNames<E>::value), spec);
        values.clear();
        for (const int i : indices)
            values.push_back(static_cast<E>(i));
    }
    template <class Part>
    void part(std::string_view name, Part& value)
    {
        beginPart(name);
        describe(*this, value);
        endPart();
    }
    template <class Part>
    void parts(std::string_view name, std::vector<Part>& values)
    {
        if (const auto fresh = beginList(name, values.size()))
            values.assign(*fresh, Part{});
        for (std::size_t i = 0; i < values.size(); ++i) {
            beginItem(i);
            describe(*this, values[i]);
            endItem();
        }
        endList();
    }
};

} // namespace cw::scenario
