// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/scenario/registry.h"

#include "model/scenario/values.h"

#include <algorithm>
#include <cmath>

#include "model/scenario/pathvisitor.h"
#include "model/scenario/phases.h"

namespace cw::scenario {

namespace {

/// The path without its list indices.
std::string withoutIndices(std::string_view path)
{
    std::string key;
    std::size_t start = 0;
    while (start <= path.size()) {
        const std::size_t end = std::min(path.find('.', start), path.size());
        const std::string_view step = path.substr(start, end - start);
        const bool index = !step.empty() && std::all_of(step.begin(), step.end(), [](char c) {
            return c >= '0' && c <= '9';
        });
        if (!index) {
            if (!key.empty())
                key += '.';
            key += step;
        }
        start = end + 1;
    }
    return key;
}

class Collector final : public PathVisitor
{
public:
    using FieldVisitor::choice;
    using FieldVisitor::choices;

    std::vector<Parameter> found;

    void number(std::string_view n, double&, const Spec& s) override { add(n, Kind::Number, s); }
    void number(std::string_view n, std::optional<double>&, const Spec& s) override
    {
        add(n, Kind::Number, s).nullable = true;
    }
    void integer(std::string_view n, std::int64_t&, const Spec& s) override
    {
        add(n, Kind::Integer, s);
    }
    void integer(std::string_view n, std::optional<std::int64_t>&, const Spec& s) override
    {
        add(n, Kind::Integer, s).nullable = true;
    }
    void flag(std::string_view n, bool&, const Spec& s) override { add(n, Kind::Flag, s); }
    void text(std::string_view n, std::string&, const Spec& s) override { add(n, Kind::Text, s); }
    void choice(std::string_view n, int&, Names names, bool nullable, const Spec& s) override
    {
        Parameter& p = add(n, Kind::Choice, s);
        p.names = names;
        p.nullable = nullable;
    }
    void choices(std::string_view n, std::vector<int>&, Names names, const Spec& s) override
    {
        add(n, Kind::Choices, s).names = names;
    }
    void numbers(std::string_view n, std::vector<double>&, const Spec& s) override
    {
        add(n, Kind::Numbers, s);
    }
    void integers(std::string_view n, std::vector<std::int64_t>&, const Spec& s) override
    {
        add(n, Kind::Integers, s);
    }
    void preset(std::string_view kind, std::string&) override
    {
        Parameter& p = add("preset", Kind::Preset, {});
        p.presetKind = kind;
        p.nullable = true;
    }

private:
    Parameter& add(std::string_view name, Kind kind, const Spec& spec)
    {
        Parameter p;
        p.path = pathOf(name);
        p.textKey = withoutIndices(p.path);
        p.part = partPath();
        p.kind = kind;
        p.spec = spec;
        found.push_back(std::move(p));
        return found.back();
    }
};

std::vector<std::string> namesAt(const std::vector<int>& indices, Names names)
{
    std::vector<std::string> texts;
    texts.reserve(indices.size());
    for (const int i : indices)
        texts.emplace_back(names[static_cast<std::size_t>(i)]);
    return texts;
}

/// Calls `take(where, name, value)` for each parameter; `where.pathOf(name)` is its path.
template <class Take>
class Getter final : public PathVisitor
{
public:
    using FieldVisitor::choice;
    using FieldVisitor::choices;

    explicit Getter(Take take) : m_take(std::move(take)) {}

    void number(std::string_view n, double& v, const Spec&) override { m_take(*this, n, Value(v)); }
    void number(std::string_view n, std::optional<double>& v, const Spec&) override
    {
        m_take(*this, n, v ? Value(*v) : Value());
    }
    void integer(std::string_view n, std::int64_t& v, const Spec&) override
    {
        m_take(*this, n, Value(static_cast<double>(v)));
    }
    void integer(std::string_view n, std::optional<std::int64_t>& v, const Spec&) override
    {
        m_take(*this, n, v ? Value(static_cast<double>(*v)) : Value());
    }
    void flag(std::string_view n, bool& v, const Spec&) override { m_take(*this, n, Value(v)); }
    void text(std::string_view n, std::string& v, const Spec&) override
    {
        m_take(*this, n, Value(v));
    }
    void choice(std::string_view n, int& i, Names names, bool, const Spec&) override
    {
        m_take(*this, n, i < 0 ? Value() : Value(std::string(names[static_cast<std::size_t>(i)])));
    }
    void choices(std::string_view n, std::vector<int>& v, Names names, const Spec&) override
    {
        m_take(*this, n, Value(namesAt(v, names)));
    }
    void numbers(std::string_view n, std::vector<double>& v, const Spec&) override
    {
        m_take(*this, n, Value(v));
    }
    void integers(std::string_view n, std::vector<std::int64_t>& v, const Spec&) override
    {
        m_take(*this, n, Value(std::vector<double>(v.begin(), v.end())));
    }
    void preset(std::string_view, std::string& id) override
    {
        m_take(*this, std::string_view("preset"), id.empty() ? Value() : Value(id));
    }

private:
    Take m_take;
};

template <class Take>
void look(const Scenario& scenario, Take take)
{
    Getter<Take> getter(std::move(take));
    // The description takes a mutable plan because readers use it too; a getter only looks.
    describe(getter,
             const_cast<Scenario&>(scenario)); // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

/// Calls `take(path, value)` for each parameter.
template <class Take>
void forEachValue(const Scenario& scenario, Take take)
{
    look(scenario, [&take](const PathVisitor& where, std::string_view name, Value v) {
        take(where.pathOf(name), std::move(v));
    });
}

/// A parameter's value and where it stands, without its path: asked for each move of a slider.
struct Entry
{
    std::string_view name;
    std::size_t part = 0;
    Value value;
    bool operator==(const Entry&) const = default;
};

std::vector<Entry> entriesOf(const Scenario& scenario)
{
    std::vector<Entry> all;
    look(scenario, [&all](const PathVisitor& where, std::string_view name, Value v) {
        all.push_back({name, where.begun(), std::move(v)});
    });
    return all;
}

bool sameShape(const std::vector<Entry>& a, const std::vector<Entry>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Entry& x, const Entry& y) {
        return x.name == y.name && x.part == y.part;
    });
}

/// Both lists are in the order of description; list items that only one has differ.
std::vector<std::string> differingPathsOfShapes(const Scenario& a, const Scenario& b)
{
    std::vector<std::pair<std::string, Value>> left;
    std::vector<std::pair<std::string, Value>> right;
    forEachValue(a, [&](std::string p, Value v) { left.emplace_back(std::move(p), std::move(v)); });
    forEachValue(b,
                 [&](std::string p, Value v) { right.emplace_back(std::move(p), std::move(v)); });
    std::vector<std::string> paths;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < left.size() || j < right.size()) {
        if (i < left.size() && j < right.size() && left[i].first == right[j].first) {
            if (left[i].second != right[j].second)
                paths.push_back(left[i].first);
            ++i;
            ++j;
            continue;
        }
        const bool later = i < left.size() &&
                           std::any_of(right.begin() + static_cast<std::ptrdiff_t>(j), right.end(),
                                       [&](const auto& r) { return r.first == left[i].first; });
        if (later || i == left.size())
            paths.push_back(right[j++].first);
        else
            paths.push_back(left[i++].first);
    }
    return paths;
}

bool whole(double v)
{
    return std::nearbyint(v) == v;
}

class Setter final : public PathVisitor
{
public:
    using FieldVisitor::choice;
    using FieldVisitor::choices;

    Setter(std::string_view path, const Value& value) : m_path(path), m_value(value) {}

    bool found = false;
    std::optional<Refusal> refusal;

    void number(std::string_view n, double& v, const Spec& s) override
    {
        if (here(n))
            if (const auto x = checked(s, false))
                v = *x;
    }
    void number(std::string_view n, std::optional<double>& v, const Spec& s) override
    {
        if (!here(n))
            return;
        if (isNull())
            v.reset();
        else if (const auto x = checked(s, false))
            v = *x;
    }
    void integer(std::string_view n, std::int64_t& v, const Spec& s) override
    {
        if (here(n))
            if (const auto x = checked(s, true))
                v = static_cast<std::int64_t>(*x);
    }
    void integer(std::string_view n, std::optional<std::int64_t>& v, const Spec& s) override
    {
        if (!here(n))
            return;
        if (isNull())
            v.reset();
        else if (const auto x = checked(s, true))
            v = static_cast<std::int64_t>(*x);
    }
    void flag(std::string_view n, bool& v, const Spec&) override
    {
        if (!here(n))
            return;
        if (const bool* x = std::get_if<bool>(&m_value))
            v = *x;
        else
            refuse("fault.type", "true, false");
    }
    void text(std::string_view n, std::string& v, const Spec&) override
    {
        if (!here(n))
            return;
        if (const auto* x = std::get_if<std::string>(&m_value))
            v = *x;
        else
            refuse("fault.type", "text");
    }
    void choice(std::string_view n, int& index, Names names, bool nullable, const Spec&) override
    {
        if (!here(n))
            return;
        if (nullable && isNull()) {
            index = -1;
            return;
        }
        const auto* x = std::get_if<std::string>(&m_value);
        const int i = x == nullptr ? -1 : indexOf(*x, names);
        if (i < 0)
            refuse("fault.choice", join(names));
        else
            index = i;
    }
    void choices(std::string_view n, std::vector<int>& indices, Names names, const Spec&) override
    {
        if (!here(n))
            return;
        std::vector<int> chosen;
        const auto* list = std::get_if<std::vector<std::string>>(&m_value);
        if (list == nullptr) {
            refuse("fault.type", join(names));
            return;
        }
        for (const std::string& x : *list) {
            const int i = indexOf(x, names);
            if (i < 0) {
                refuse("fault.choice", join(names));
                return;
            }
            chosen.push_back(i);
        }
        indices = std::move(chosen);
    }
    void numbers(std::string_view n, std::vector<double>& v, const Spec& s) override
    {
        if (here(n))
            if (const auto x = checkedList(s, false))
                v = *x;
    }
    void integers(std::string_view n, std::vector<std::int64_t>& v, const Spec& s) override
    {
        if (!here(n))
            return;
        if (const auto x = checkedList(s, true)) {
            v.clear();
            for (const double d : *x)
                v.push_back(static_cast<std::int64_t>(d));
        }
    }
    void preset(std::string_view, std::string& id) override
    {
        if (!here("preset"))
            return;
        if (isNull())
            id.clear();
        else if (const auto* x = std::get_if<std::string>(&m_value))
            id = *x;
        else
            refuse("fault.type", "text");
    }

private:
    bool here(std::string_view name)
    {
        if (found || !isAt(name, m_path))
            return false;
        found = true;
        return true;
    }
    bool isNull() const { return std::holds_alternative<std::monostate>(m_value); }
    void refuse(std::string_view code, std::string allowed)
    {
        refusal = Refusal{std::string(code), std::move(allowed)};
    }
    static std::string join(Names names)
    {
        std::string text;
        for (const std::string_view n : names) {
            text += text.empty() ? "" : ", ";
            text += n;
        }
        return text;
    }
    static int indexOf(const std::string& x, Names names)
    {
        const auto it = std::find(names.begin(), names.end(), x);
        return it == names.end() ? -1 : static_cast<int>(it - names.begin());
    }
    static std::string range(const Spec& s)
    {
        return toText(Value(s.min)) + " to " + toText(Value(s.max));
    }
    bool legal(const Spec& s, double x, bool integral)
    {
        if (!std::isfinite(x)) {
            refuse("fault.not-finite", range(s));
            return false;
        }
        if (integral && !whole(x)) {
            refuse("fault.whole", range(s));
            return false;
        }
        if (x < s.min || x > s.max) {
            refuse("fault.range", range(s));
            return false;
        }
        return true;
    }
    std::optional<double> checked(const Spec& s, bool integral)
    {
        const double* x = std::get_if<double>(&m_value);
        if (x == nullptr) {
            refuse("fault.type", range(s));
            return {};
        }
        return legal(s, *x, integral) ? std::optional(*x) : std::nullopt;
    }
    std::optional<std::vector<double>> checkedList(const Spec& s, bool integral)
    {
        if (isNull())
            return std::vector<double>{};
        const auto* list = std::get_if<std::vector<double>>(&m_value);
        if (list == nullptr) {
            refuse("fault.type", range(s));
            return {};
        }
        for (const double x : *list)
            if (!legal(s, x, integral))
                return {};
        return *list;
    }

    std::string_view m_path;
    const Value& m_value;
};

} // namespace

std::vector<Parameter> parameters(const Scenario& scenario)
{
    Collector collector;
    describe(collector,
             const_cast<Scenario&>(scenario)); // NOLINT(cppcoreguidelines-pro-type-const-cast)
    return std::move(collector.found);
}

std::optional<Value> valueAt(const Scenario& scenario, std::string_view path)
{
    std::optional<Value> found;
    look(scenario, [&](const PathVisitor& where, std::string_view name, Value v) {
        if (!found && where.isAt(name, path))
            found = std::move(v);
    });
    return found;
}

std::unordered_map<std::string, Value> valuesByPath(const Scenario& scenario)
{
    std::unordered_map<std::string, Value> values;
    forEachValue(scenario, [&values](const std::string& path, Value v) {
        values.emplace(path, std::move(v));
    });
    return values;
}

std::optional<Refusal> setValue(Scenario& scenario, std::string_view path, const Value& value)
{
    Setter setter(path, value);
    describe(setter, scenario);
    if (setter.found)
        return setter.refusal;
    // A text may be a whole list of parts, or a setting of a phase.
    if (const auto* text = std::get_if<std::string>(&value))
        return setStructure(scenario, path, *text);
    return Refusal{"fault.unknown-path", {}};
}

std::vector<std::string> differingPaths(const Scenario& a, const Scenario& b)
{
    const auto left = entriesOf(a);
    const auto right = entriesOf(b);
    if (!sameShape(left, right))
        return differingPathsOfShapes(a, b);
    std::vector<std::string> paths;
    if (left == right)
        return paths;
    std::size_t i = 0;
    look(a, [&](const PathVisitor& where, std::string_view name, const Value&) {
        if (left[i].value != right[i].value)
            paths.push_back(where.pathOf(name));
        ++i;
    });
    return paths;
}

bool operator==(const Scenario& a, const Scenario& b)
{
    return entriesOf(a) == entriesOf(b);
}

} // namespace cw::scenario
