// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/evaluation/formulatext.h"

#include <algorithm>
#include <set>

#include "model/units/text.h"

namespace cw::evaluation {

using explain::Node;
using explain::NodeId;
using explain::Op;
using explain::Trace;

namespace {

constexpr std::size_t kMostTerms = 8;
constexpr std::size_t kLongest = 400;
constexpr std::size_t kMostLeaves = 64;
constexpr std::size_t kMostVisited = 20000;

bool isLeaf(const Node& n)
{
    return n.op == Op::Named || n.op == Op::Input || n.op == Op::Constant;
}

class Writer
{
public:
    Writer(const Trace& trace, const std::function<std::string(NodeId)>& leaf)
        : m_trace(trace), m_leaf(leaf)
    {
    }

    std::string write(NodeId id, int binding)
    {
        if (m_written > kLongest)
            return "…";
        const Node& n = m_trace.node(id);
        std::string text;
        if (isLeaf(n))
            text = m_leaf(id);
        else if (n.op == Op::Literal)
            text = units::rounded(n.value, 6);
        else
            return compound(n, binding);
        m_written += text.size();
        return text;
    }

private:
    static std::string braced(std::string text, bool needed)
    {
        return needed ? "(" + std::move(text) + ")" : std::move(text);
    }

    /// Left before right: what is written first is not what is left out.
    std::string infix(const Node& n, const char* sign, int left, int right, bool brace)
    {
        std::string text = write(n.a, left);
        text += sign;
        text += write(n.b, right);
        return braced(std::move(text), brace);
    }

    std::string call(const char* name, const Node& n)
    {
        std::string text = std::string(name) + "(" + write(n.a, 0);
        if (n.b != explain::kNoNode)
            text += ", " + write(n.b, 0);
        return text + ")";
    }

    /// The terms of a chain of sums, first to last.
    void collect(NodeId id, std::vector<NodeId>& terms) const
    {
        // Sums lean to the left, so the chain is followed there without recursion.
        std::vector<NodeId> reversed;
        while (m_trace.node(id).op == Op::Add) {
            reversed.push_back(m_trace.node(id).b);
            id = m_trace.node(id).a;
        }
        reversed.push_back(id);
        terms.assign(reversed.rbegin(), reversed.rend());
        // A zero that a loop started from says nothing.
        terms.erase(std::remove_if(terms.begin(), terms.end(),
                                   [&](NodeId t) {
                                       const Node& n = m_trace.node(t);
                                       return n.op == Op::Literal && n.value == 0;
                                   }),
                    terms.end());
    }

    std::string sum(const NodeId id, int binding)
    {
        std::vector<NodeId> terms;
        collect(id, terms);
        if (terms.empty())
            return "0";
        if (terms.size() == 1)
            return write(terms.front(), binding);
        std::string text;
        for (std::size_t i = 0; i < terms.size(); ++i) {
            if (terms.size() > kMostTerms && i == kMostTerms - 1) {
                text += " + … (" + std::to_string(terms.size()) + ")";
                break;
            }
            text += (i == 0 ? "" : " + ") + write(terms[i], 1);
        }
        return braced(std::move(text), binding > 1);
    }

    std::string compound(const Node& n, int binding)
    {
        switch (n.op) {
        case Op::Add:
            return sum(static_cast<NodeId>(&n - &m_trace.node(0)), binding);
        case Op::Subtract:
            return infix(n, " − ", 1, 2, binding > 1);
        case Op::Multiply:
            return product(n, binding);
        case Op::Divide:
            return infix(n, " / ", 2, 3, binding > 2);
        case Op::Max:
            return call("max", n);
        case Op::Min:
            return call("min", n);
        case Op::Power:
            return infix(n, "^", 4, 4, binding > 3);
        case Op::Sqrt:
            return call("√", n);
        case Op::Exp:
            return call("exp", n);
        case Op::Expm1:
            return call("expm1", n);
        case Op::Log:
            return call("ln", n);
        case Op::Log2:
            return call("log2", n);
        case Op::Ceil:
            return "⌈" + write(n.a, 0) + "⌉";
        case Op::Floor:
            return "⌊" + write(n.a, 0) + "⌋";
        case Op::Negate:
            return braced("−" + write(n.a, 3), binding > 2);
        default:
            return "";
        }
    }

    std::string product(const Node& n, int binding)
    {
        const auto isOne = [&](NodeId id) {
            return m_trace.node(id).op == Op::Literal && m_trace.node(id).value == 1.0;
        };
        if (isOne(n.a))
            return write(n.b, binding);
        if (isOne(n.b))
            return write(n.a, binding);
        return infix(n, " · ", 2, 2, binding > 2);
    }

    const Trace& m_trace;
    const std::function<std::string(NodeId)>& m_leaf;
    std::size_t m_written = 0;
};

} // namespace

std::string formulaText(const Trace& trace, NodeId node,
                        const std::function<std::string(NodeId)>& leaf)
{
    return Writer(trace, leaf).write(node, 0);
}

std::vector<NodeId> leavesOf(const Trace& trace, NodeId node)
{
    std::vector<NodeId> leaves;
    std::set<std::pair<std::string, double>> told;
    std::set<NodeId> visited;
    std::vector<NodeId> open{node};
    while (!open.empty() && leaves.size() < kMostLeaves && visited.size() < kMostVisited) {
        const NodeId id = open.back();
        open.pop_back();
        if (!visited.insert(id).second)
            continue;
        const Node& n = trace.node(id);
        if (isLeaf(n)) {
            // The same figure of two equal stages is told once.
            if (told.insert({trace.text(n), n.value}).second)
                leaves.push_back(id);
            continue;
        }
        if (n.b != explain::kNoNode)
            open.push_back(n.b);
        if (n.a != explain::kNoNode)
            open.push_back(n.a);
    }
    return leaves;
}

} // namespace cw::evaluation
