// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/text/catalogue.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "resources/embedded.h"

namespace cw::text {

namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, kSectionCount> kSectionNames{
    "parts", "parameters", "quantities", "constants", "messages", "choices", "terms"};

std::vector<std::string_view> textsBelow(std::string_view folder)
{
    std::vector<std::string_view> texts;
    for (const std::string_view name : resources::filesBelow(folder))
        texts.push_back(resources::file(name));
    return texts;
}

bool endsInMyriad(std::string_view text)
{
    constexpr std::array<std::string_view, 2> kEnds{"万", "亿"};
    return std::any_of(kEnds.begin(), kEnds.end(), [text](std::string_view end) {
        return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
    });
}

/// Fills one stretch; tells whether every argument it names was there.
bool fill(std::string_view text, const Arguments& arguments, const NumberStyle& style,
          std::string& out)
{
    bool complete = true;
    while (!text.empty()) {
        const std::size_t open = text.find('{');
        const std::size_t close = open == std::string_view::npos ? open : text.find('}', open);
        out += text.substr(0, close == std::string_view::npos ? close : open);
        if (close == std::string_view::npos)
            break;
        const std::string_view name = text.substr(open + 1, close - open - 1);
        const std::size_t colon = std::min(name.find(':'), name.size());
        const auto it = arguments.find(std::string(name.substr(0, colon)));
        text.remove_prefix(close + 1);
        if (it == arguments.end() || it->second.empty()) {
            complete = false;
            continue;
        }
        if (colon == name.size()) {
            out += it->second;
            continue;
        }
        out += shownNumber(it->second, name.substr(colon + 1), style);
        // "52.43 万" and the noun it counts are not set apart.
        if (endsInMyriad(out) && !text.empty() && text.front() == ' ')
            text.remove_prefix(1);
    }
    return complete;
}

} // namespace

std::string filled(std::string_view text, const Arguments& arguments, const NumberStyle& style)
{
    std::string out;
    while (!text.empty()) {
        const std::size_t open = text.find("[[");
        const std::size_t close = open == std::string_view::npos ? open : text.find("]]", open);
        if (close == std::string_view::npos) {
            fill(text, arguments, style, out);
            break;
        }
        fill(text.substr(0, open), arguments, style, out);
        std::string optional;
        if (fill(text.substr(open + 2, close - open - 2), arguments, style, optional))
            out += optional;
        text.remove_prefix(close + 2);
    }
    return out;
}

/// Reads one file into the catalogue.
struct Catalogue::Reader
{
    Catalogue& catalogue;

    void problem(std::string what) const { catalogue.m_problems.push_back(std::move(what)); }

    std::optional<Json> parsed(std::string_view file) const
    {
        std::vector<std::set<std::string>> open;
        const auto watch = [&](int, Json::parse_event_t event, Json& value) {
            if (event == Json::parse_event_t::object_start)
                open.emplace_back();
            else if (event == Json::parse_event_t::object_end && !open.empty())
                open.pop_back();
            else if (event == Json::parse_event_t::key && !open.empty() &&
                     !open.back().insert(value.get<std::string>()).second)
                problem("a key given twice in one file: " + value.get<std::string>());
            return true;
        };
        Json json = Json::parse(file, watch, false);
        if (json.is_object())
            return json;
        problem("not a JSON object: " + std::string(file.substr(0, 40)));
        return {};
    }

    std::optional<Entry> entry(const std::string& key, const Json& json) const
    {
        Entry e;
        if (json.is_string()) {
            e.text = json.get<std::string>();
            return e;
        }
        if (!json.is_object()) {
            problem("neither text nor object: " + key);
            return {};
        }
        for (const auto& [member, value] : json.items()) {
            std::string* const to = member == "label"    ? &e.text
                                    : member == "help"   ? &e.help
                                    : member == "symbol" ? &e.symbol
                                    : member == "source" ? &e.source
                                    : member == "status" ? &e.status
                                                         : nullptr;
            if (to == nullptr || !value.is_string())
                problem("unknown member or no text: " + key + "." + member);
            else
                *to = value.get<std::string>();
        }
        return e;
    }

    void read(std::string_view file) const
    {
        const std::optional<Json> json = parsed(file);
        if (!json)
            return;
        for (const auto& [name, entries] : json->items()) {
            const auto* const section = std::find(kSectionNames.begin(), kSectionNames.end(), name);
            if (section == kSectionNames.end() || !entries.is_object()) {
                problem("unknown section: " + name);
                continue;
            }
            Entries& all =
                catalogue.m_sections[static_cast<std::size_t>(section - kSectionNames.begin())];
            for (const auto& [key, value] : entries.items()) {
                std::optional<Entry> e = entry(key, value);
                if (e && !all.emplace(key, std::move(*e)).second)
                    problem("a key given by two files: " + name + "/" + key);
            }
        }
    }
};

Catalogue::Catalogue(const std::vector<std::string_view>& files, const Catalogue* fallback,
                     NumberStyle numbers)
    : m_fallback(fallback), m_numbers(std::move(numbers))
{
    const Reader reader{*this};
    for (const std::string_view file : files)
        reader.read(file);
}

const Catalogue& Catalogue::of(Language language)
{
    static const Catalogue english(textsBelow("text/en/"));
    static const Catalogue chinese(textsBelow("text/zh_CN/"), &english, NumberStyle::chinese());
    return language == Language::English ? english : chinese;
}

const Catalogue::Entry* Catalogue::find(Section section, std::string_view key) const
{
    const Entries& entries = m_sections[static_cast<std::size_t>(section)];
    const auto it = entries.find(key);
    return it == entries.end() ? nullptr : &it->second;
}

const Catalogue::Entry* Catalogue::describedBy(std::string_view key) const
{
    for (const Section section :
         {Section::Parameters, Section::Quantities, Section::Constants, Section::Parts})
        if (const Entry* e = find(section, key))
            return e;
    return nullptr;
}

std::string_view Catalogue::text(Section section, std::string_view key) const
{
    const Entry* e = find(section, key);
    return e != nullptr ? std::string_view(e->text) : key;
}

std::string_view Catalogue::label(std::string_view key) const
{
    const Entry* e = describedBy(key);
    return e != nullptr && !e->text.empty() ? std::string_view(e->text) : key;
}

std::string_view Catalogue::help(std::string_view key) const
{
    const Entry* e = describedBy(key);
    return e != nullptr ? std::string_view(e->help) : std::string_view();
}

std::string_view Catalogue::symbol(std::string_view key) const
{
    if (const Entry* e = describedBy(key); e != nullptr && !e->symbol.empty())
        return e->symbol;
    return m_fallback != nullptr ? m_fallback->symbol(key) : std::string_view();
}

std::string_view Catalogue::source(std::string_view key) const
{
    if (const Entry* e = describedBy(key); e != nullptr && !e->source.empty())
        return e->source;
    return m_fallback != nullptr ? m_fallback->source(key) : std::string_view();
}

std::string_view Catalogue::status(std::string_view key) const
{
    if (const Entry* e = describedBy(key); e != nullptr && !e->status.empty())
        return e->status;
    return m_fallback != nullptr ? m_fallback->status(key) : std::string_view();
}

std::string Catalogue::message(std::string_view key, const Arguments& arguments) const
{
    return message(key, arguments, m_numbers);
}

std::string Catalogue::message(std::string_view key, const Arguments& arguments,
                               const NumberStyle& style) const
{
    return filled(text(Section::Messages, key), arguments, style);
}

std::string_view Catalogue::choice(std::string_view name) const
{
    return text(Section::Choices, name);
}

std::string_view Catalogue::choice(std::string_view parameterKey, std::string_view name) const
{
    const Entry* e = find(Section::Choices, std::string(parameterKey) + ":" + std::string(name));
    return e != nullptr ? std::string_view(e->text) : choice(name);
}

std::string_view Catalogue::term(std::string_view key) const
{
    return text(Section::Terms, key);
}

bool Catalogue::has(Section section, std::string_view key) const
{
    return find(section, key) != nullptr;
}

std::vector<std::string_view> Catalogue::keys(Section section) const
{
    std::vector<std::string_view> all;
    for (const auto& [key, _] : m_sections[static_cast<std::size_t>(section)])
        all.emplace_back(key);
    return all;
}

} // namespace cw::text
