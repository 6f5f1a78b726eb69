// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/scenario/numberoverflow.h"

#include <vector>

#include <nlohmann/json.hpp>

namespace cw::scenario {

namespace {

using Json = nlohmann::json;

/// Follows the parser down to where it gives up.
class Locator final : public nlohmann::json_sax<Json>
{
public:
    std::string pointer;

    bool null() override { return value(); }
    bool boolean(bool) override { return value(); }
    bool number_integer(number_integer_t) override { return value(); }
    bool number_unsigned(number_unsigned_t) override { return value(); }
    bool number_float(number_float_t, const string_t&) override { return value(); }
    bool string(string_t&) override { return value(); }
    bool binary(binary_t&) override { return value(); }
    bool start_object(std::size_t) override
    {
        m_steps.push_back({});
        return true;
    }
    bool key(string_t& name) override
    {
        m_steps.back().name = name;
        return true;
    }
    bool end_object() override { return leave(); }
    bool start_array(std::size_t) override
    {
        m_steps.push_back({{}, 0, true});
        return true;
    }
    bool end_array() override { return leave(); }
    bool parse_error(std::size_t, const std::string&, const Json::exception& e) override
    {
        constexpr int kNumberOverflow = 406; // nlohmann's out_of_range.406
        if (e.id != kNumberOverflow)
            return false;
        for (const Step& s : m_steps)
            pointer += "/" + (s.list ? std::to_string(s.index) : s.name);
        return false;
    }

private:
    struct Step
    {
        std::string name;
        std::size_t index = 0;
        bool list = false;
    };

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

    std::vector<Step> m_steps;
};

} // namespace

std::string overflowPointer(std::string_view json)
{
    Locator locator;
    Json::sax_parse(json, &locator);
    return locator.pointer;
}

} // namespace cw::scenario
