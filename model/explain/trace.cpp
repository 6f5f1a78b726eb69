// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/explain/trace.h"

namespace cw::explain {

NodeId Trace::add(Op op, double value, NodeId a, NodeId b)
{
    m_nodes.push_back(Node{op, a, b, 0, value, units::Unit::None});
    return static_cast<NodeId>(m_nodes.size() - 1);
}

NodeId Trace::addText(Op op, double value, std::string_view text, units::Unit unit, NodeId a)
{
    m_texts.emplace_back(text);
    m_nodes.push_back(
        Node{op, a, kNoNode, static_cast<std::uint32_t>(m_texts.size() - 1), value, unit});
    return static_cast<NodeId>(m_nodes.size() - 1);
}

namespace {

double apply(const Node& node, double a, double b)
{
    switch (node.op) {
    case Op::Literal:
    case Op::Input:
    case Op::Constant:
        return node.value;
    case Op::Named:
        return a;
    case Op::Add:
        return a + b;
    case Op::Subtract:
        return a - b;
    case Op::Multiply:
        return a * b;
    case Op::Divide:
        return a / b;
    case Op::Max:
        return a < b ? b : a;
    case Op::Min:
        return b < a ? b : a;
    case Op::Power:
        return std::pow(a, b);
    case Op::Sqrt:
        return std::sqrt(a);
    case Op::Exp:
        return std::exp(a);
    case Op::Expm1:
        return std::expm1(a);
    case Op::Log:
        return std::log(a);
    case Op::Log2:
        return std::log2(a);
    case Op::Ceil:
        return std::ceil(a);
    case Op::Floor:
        return std::floor(a);
    case Op::Negate:
        return -a;
    }
    return node.value;
}

} // namespace

double Trace::replay(NodeId id) const
{
    // Nodes refer backwards only, so one pass from the front computes whatever the node needs;
    // the needed ones are found by a pass from the back.
    std::vector<bool> needed(id + 1, false);
    needed[id] = true;
    for (NodeId i = id + 1; i-- > 0;) {
        if (!needed[i])
            continue;
        if (m_nodes[i].a != kNoNode)
            needed[m_nodes[i].a] = true;
        if (m_nodes[i].b != kNoNode)
            needed[m_nodes[i].b] = true;
    }
    std::vector<double> values(id + 1, 0.0);
    for (NodeId i = 0; i <= id; ++i) {
        if (!needed[i])
            continue;
        const Node& n = m_nodes[i];
        values[i] =
            apply(n, n.a == kNoNode ? 0.0 : values[n.a], n.b == kNoNode ? 0.0 : values[n.b]);
    }
    return values[id];
}

namespace detail {

NodeId nodeIn(Trace& trace, const Traced& x)
{
    return x.node == kNoNode ? trace.add(Op::Literal, x.value) : x.node;
}

Traced record(Op op, double value, const Traced& a, const Traced& b)
{
    Trace* trace = a.trace != nullptr ? a.trace : b.trace;
    if (trace == nullptr)
        return {value};
    const NodeId left = nodeIn(*trace, a);
    const NodeId right = nodeIn(*trace, b);
    return {value, trace->add(op, value, left, right), trace};
}

Traced record(Op op, double value, const Traced& a)
{
    if (a.trace == nullptr)
        return {value};
    return {value, a.trace->add(op, value, nodeIn(*a.trace, a)), a.trace};
}

} // namespace detail

Traced named(std::string_view key, units::Unit unit, const Traced& x)
{
    if (x.trace == nullptr)
        return x;
    return {x.value, x.trace->addText(Op::Named, x.value, key, unit, detail::nodeIn(*x.trace, x)),
            x.trace};
}

} // namespace cw::explain
