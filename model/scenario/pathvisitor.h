// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "model/scenario/fieldvisitor.h"

namespace cw::scenario {

/// A visitor that knows where it is and ignores every member; derived ones override what they need.
class PathVisitor : public FieldVisitor
{
public:
    using FieldVisitor::choice;
    using FieldVisitor::choices;

    void number(std::string_view, double&, const Spec&) override {}
    void number(std::string_view, std::optional<double>&, const Spec&) override {}
    void integer(std::string_view, std::int64_t&, const Spec&) override {}
    void integer(std::string_view, std::optional<std::int64_t>&, const Spec&) override {}
    void flag(std::string_view, bool&, const Spec&) override {}
    void text(std::string_view, std::string&, const Spec&) override {}
    void choice(std::string_view, int&, Names, bool, const Spec&) override {}
    void choices(std::string_view, std::vector<int>&, Names, const Spec&) override {}
    void numbers(std::string_view, std::vector<double>&, const Spec&) override {}
    void integers(std::string_view, std::vector<std::int64_t>&, const Spec&) override {}
    void preset(std::string_view, std::string&) override {}
    void beginPart(std::string_view name) override { push(name); }
    void endPart() override { pop(); }
    std::optional<std::size_t> beginList(std::string_view name, std::size_t) override
    {
        push(name);
        return {};
    }
    void beginItem(std::size_t index) override { push(std::to_string(index)); }
    void endItem() override { pop(); }
    void endList() override { pop(); }

    /// The path of the member `name` of the part being visited ("cluster.chip.hbm_bytes").
    std::string pathOf(std::string_view name) const
    {
        return m_path.empty() ? std::string(name) : m_path + "." + std::string(name);
    }
    /// Whether `path` is that of the member `name`; asked of each member, so without a new text.
    bool isAt(std::string_view name, std::string_view path) const
    {
        if (m_path.empty())
            return path == name;
        return path.size() == m_path.size() + 1 + name.size() && path.ends_with(name) &&
               path[m_path.size()] == '.' && path.starts_with(m_path);
    }
    /// The path of the part being visited.
    const std::string& partPath() const { return m_path; }
    /// How many parts, lists and items were begun so far: two plans of one shape count alike.
    std::size_t begun() const { return m_begun; }

private:
    void push(std::string_view name)
    {
        ++m_begun;
        m_lengths.push_back(m_path.size());
        if (!m_path.empty())
            m_path += '.';
        m_path += name;
    }
    void pop()
    {
        m_path.resize(m_lengths.back());
        m_lengths.pop_back();
    }

    std::string m_path;
    std::vector<std::size_t> m_lengths;
    std::size_t m_begun = 0;
};

} // namespace cw::scenario
