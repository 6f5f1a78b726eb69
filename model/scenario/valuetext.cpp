// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "model/scenario/registry.h"
#include "model/units/text.h"

namespace cw::scenario {

namespace {

std::vector<std::string> splitList(std::string_view text)
{
    std::vector<std::string> items;
    std::size_t start = 0;
    while (start <= text.size()) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        std::string item(text.substr(start, end - start));
        item.erase(0, item.find_first_not_of(" \t["));
        item.erase(item.find_last_not_of(" \t]") + 1);
        if (!item.empty())
            items.push_back(std::move(item));
        start = end + 1;
    }
    return items;
}

std::optional<Value> parseNumbers(const Parameter& parameter, std::string_view text)
{
    std::vector<double> values;
    for (const std::string& item : splitList(text)) {
        const auto x = units::parse(item, parameter.spec.unit);
        if (!x)
            return {};
        values.push_back(*x);
    }
    return Value(std::move(values));
}

std::optional<Value> parseFlag(std::string_view text)
{
    if (text == "true" || text == "yes" || text == "1" || text == "on")
        return Value(true);
    if (text == "false" || text == "no" || text == "0" || text == "off")
        return Value(false);
    return {};
}

} // namespace

std::optional<Value> parseValue(const Parameter& parameter, std::string_view text)
{
    if (parameter.nullable && (text == "null" || text.empty()))
        return Value();
    switch (parameter.kind) {
    case Kind::Number:
    case Kind::Integer:
        if (const auto x = units::parse(text, parameter.spec.unit))
            return Value(*x);
        return {};
    case Kind::Flag:
        return parseFlag(text);
    case Kind::Text:
    case Kind::Choice:
    case Kind::Preset:
        return Value(std::string(text));
    case Kind::Choices: {
        auto items = splitList(text);
        if (items.size() == 1 && items.front() == "none")
            items.clear();
        return Value(std::move(items));
    }
    case Kind::Numbers:
    case Kind::Integers:
        if (text == "null")
            return Value(std::vector<double>{});
        return parseNumbers(parameter, text);
    }
    return {};
}

std::string toText(const Value& value)
{
    struct Writer
    {
        std::string operator()(std::monostate) const { return "null"; }
        std::string operator()(double x) const { return units::exact(x); }
        std::string operator()(bool x) const { return x ? "true" : "false"; }
        std::string operator()(const std::string& x) const { return x; }
        std::string operator()(const std::vector<std::string>& list) const
        {
            std::string text;
            for (const std::string& x : list)
                text.append(text.empty() ? "" : ",").append(x);
            return list.empty() ? "none" : text;
        }
        std::string operator()(const std::vector<double>& list) const
        {
            std::string text;
            for (const double x : list)
                text.append(text.empty() ? "" : ",").append(units::exact(x));
            return list.empty() ? "null" : text;
        }
    };
    return std::visit(Writer{}, value);
}

} // namespace cw::scenario
