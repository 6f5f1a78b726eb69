// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/scenario/planwriter.h"

#include <cmath>

#include "model/scenario/pathvisitor.h"

namespace cw::scenario {

namespace {

using Json = nlohmann::ordered_json;

Json numberJson(double v)
{
    constexpr double kExactWhole = 9007199254740992.0;
    if (std::nearbyint(v) == v && std::fabs(v) < kExactWhole)
        return static_cast<std::int64_t>(v);
    return v;
}

class Writer final : public PathVisitor
{
public:
    using FieldVisitor::choice;
    using FieldVisitor::choices;

    Writer() { m_at.push_back(&root); }

    Json root = Json::object();

    void number(std::string_view n, double& v, const Spec&) override { put(n, numberJson(v)); }
    void number(std::string_view n, std::optional<double>& v, const Spec&) override
    {
        put(n, v ? numberJson(*v) : Json());
    }
    void integer(std::string_view n, std::int64_t& v, const Spec&) override { put(n, v); }
    void integer(std::string_view n, std::optional<std::int64_t>& v, const Spec&) override
    {
        put(n, v ? Json(*v) : Json());
    }
    void flag(std::string_view n, bool& v, const Spec&) override { put(n, v); }
    void text(std::string_view n, std::string& v, const Spec&) override
    {
        if (n == "set") {
            const Json j = Json::parse(v, nullptr, false);
            put(n, j.is_object() ? j : Json::object());
        } else {
            put(n, v);
        }
    }
    void choice(std::string_view n, int& i, Names names, bool, const Spec&) override
    {
        put(n, i < 0 ? Json() : Json(names[static_cast<std::size_t>(i)]));
    }
    void choices(std::string_view n, std::vector<int>& v, Names names, const Spec&) override
    {
        Json list = Json::array();
        for (const int i : v)
            list.push_back(names[static_cast<std::size_t>(i)]);
        put(n, std::move(list));
    }
    void numbers(std::string_view n, std::vector<double>& v, const Spec&) override
    {
        Json list = Json::array();
        for (const double x : v)
            list.push_back(numberJson(x));
        put(n, std::move(list));
    }
    void integers(std::string_view n, std::vector<std::int64_t>& v, const Spec&) override
    {
        put(n, v);
    }
    void preset(std::string_view, std::string& id) override
    {
        if (!id.empty())
            put("preset", id);
        else if (partPath() == "facility" && m_machine)
            put("preset", Json()); // absent, it would be the cluster's
        if (partPath() == "cluster")
            m_machine = !id.empty();
    }
    void beginPart(std::string_view name) override
    {
        PathVisitor::beginPart(name);
        m_at.push_back(&(*m_at.back())[std::string(name)]);
        *m_at.back() = Json::object();
    }
    void endPart() override
    {
        m_at.pop_back();
        PathVisitor::endPart();
    }
    std::optional<std::size_t> beginList(std::string_view name, std::size_t) override
    {
        m_at.push_back(&(*m_at.back())[std::string(name)]);
        *m_at.back() = Json::array();
        return {};
    }
    void beginItem(std::size_t) override
    {
        m_at.back()->push_back(Json::object());
        m_at.push_back(&m_at.back()->back());
    }
    void endItem() override { m_at.pop_back(); }
    void endList() override { m_at.pop_back(); }

private:
    void put(std::string_view name, Json value)
    {
        (*m_at.back())[std::string(name)] = std::move(value);
    }

    std::vector<Json*> m_at;
    bool m_machine = false; ///< the cluster names a preset
};

} // namespace

nlohmann::ordered_json toJson(const Scenario& scenario)
{
    Writer writer;
    describe(writer,
             const_cast<Scenario&>(scenario)); // NOLINT(cppcoreguidelines-pro-type-const-cast)
    return std::move(writer.root);
}

} // namespace cw::scenario
