// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/scenario/jsonguard.h"

#include <set>

#include <nlohmann/json.hpp>

namespace cw::scenario {

namespace {

using Json = nlohmann::json;

/// Follows the parser and keeps where it is.
class Guard final : public nlohmann::json_sax<Json>
{
public:
    explicit Guard(int deepest) : m_deepest(static_cast<std::size_t>(deepest)) {}

    JsonGuard found;

    bool null() override { return value(); }
    bool boolean(bool) override { return value(); }
    bool number_integer(number_integer_t) override { return value(); }
    bool number_unsigned(number_unsigned_t) override { return value(); }
    bool number_float(number_float_t, const string_t&) override { return value(); }
    bool string(string_t&) override { return value(); }
    bool binary(binary_t&) override { return value(); }
    bool start_object(std::size_t) override { return enter(false); }
    bool key(string_t& name) override
    {
        Step& step = m_steps.back();
        step.name = name;
        constexpr std::size_t kMostTold = 100;
        if (!step.names.insert(name).second && found.duplicates.size() < kMostTold)
            found.duplicates.push_back(pointer());
        return true;
    }
    bool end_object() override { return leave(); }
    bool start_array(std::size_t) override { return enter(true); }
    bool end_array() override { return leave(); }
    bool parse_error(std::size_t, const std::string&, const Json::exception& e) override
    {
        constexpr int kNumberOverflow = 406; // nlohmann's out_of_range.406
        if (e.id == kNumberOverflow) {
            found.overflows = true;
            found.overflow = pointer();
        }
        return false;
    }

private:
    struct Step
    {
        std::string name;
        std::size_t index = 0;
        bool list = false;
        std::set<std::string> names;
    };

    std::string pointer() const
    {
        std::string text;
        for (const Step& s : m_steps)
            text += "/" + (s.list ? std::to_string(s.index) : s.name);
        return text;
    }
    bool enter(bool list)
    {
        if (m_steps.size() >= m_deepest) {
            found.tooDeep = true;
            return false;
        }
        m_steps.push_back({{}, 0, list, {}});
        return true;
    }
    bool value()
    {
        if (!m_steps.empty())
            ++m_steps.back().index;
        return true;
    }
    bool leave()
    {
        m_steps.pop_back();
        return value();
    }

    std::size_t m_deepest;
    std::vector<Step> m_steps;
};

} // namespace

JsonGuard guardJson(std::string_view json, int deepest)
{
    Guard guard(deepest);
    Json::sax_parse(json, &guard);
    return std::move(guard.found);
}

} // namespace cw::scenario
