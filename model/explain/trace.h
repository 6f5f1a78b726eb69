// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "model/units/quantity.h"
#include "model/units/unit.h"

// Each formula of the model is a function template over its scalar. With double it computes; with
// Traced it computes the same doubles by the same operations and records them, so that every
// figure can be told back to what was typed in. `named` marks the figures that have a name of
// their own; with double it compiles to nothing.

namespace cw::explain {

enum class Op : std::uint8_t
{
    Literal,
    Input,    ///< a number of the plan; text: its path
    Constant, ///< a number of the model; text: its key in the message catalogue
    Named,    ///< a figure with a name; text: its key; a: what it equals
    Add,
    Subtract,
    Multiply,
    Divide,
    Max,
    Min,
    Power,
    Sqrt,
    Exp,
    Expm1,
    Log,
    Log2,
    Ceil,
    Floor,
    Negate,
};

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xffffffffU;

struct Node
{
    Op op = Op::Literal;
    NodeId a = kNoNode;
    NodeId b = kNoNode;
    std::uint32_t text = 0; ///< index into Trace::texts, for Input, Constant and Named
    double value = 0.0;
    units::Unit unit = units::Unit::None;
};

/// The record of one evaluation. Nodes only refer to nodes before them.
class Trace
{
public:
    NodeId add(Op op, double value, NodeId a = kNoNode, NodeId b = kNoNode);
    NodeId addText(Op op, double value, std::string_view text, units::Unit unit,
                   NodeId a = kNoNode);

    const Node& node(NodeId id) const { return m_nodes[id]; }
    std::size_t size() const { return m_nodes.size(); }
    const std::string& text(const Node& node) const { return m_texts[node.text]; }

    /// Computes the node again from its leaves: bit for bit the recorded value, or the record lies.
    double replay(NodeId id) const;

private:
    std::vector<Node> m_nodes;
    std::vector<std::string> m_texts;
};

/// A number that remembers how it came about.
struct Traced
{
    double value = 0.0;
    NodeId node = kNoNode;
    Trace* trace = nullptr;

    Traced() = default;
    Traced(double v) : value(v) {} // NOLINT: literals in formulas become numbers without ado
    Traced(double v, NodeId n, Trace* t) : value(v), node(n), trace(t) {}
};

namespace detail {
NodeId nodeIn(Trace& trace, const Traced& x);
Traced record(Op op, double value, const Traced& a, const Traced& b);
Traced record(Op op, double value, const Traced& a);
} // namespace detail

inline Traced operator+(const Traced& a, const Traced& b)
{
    return detail::record(Op::Add, a.value + b.value, a, b);
}
inline Traced operator-(const Traced& a, const Traced& b)
{
    return detail::record(Op::Subtract, a.value - b.value, a, b);
}
inline Traced operator*(const Traced& a, const Traced& b)
{
    return detail::record(Op::Multiply, a.value * b.value, a, b);
}
inline Traced operator/(const Traced& a, const Traced& b)
{
    return detail::record(Op::Divide, a.value / b.value, a, b);
}
inline Traced operator-(const Traced& a)
{
    return detail::record(Op::Negate, -a.value, a);
}
inline Traced& operator+=(Traced& a, const Traced& b)
{
    return a = a + b;
}
inline bool operator<(const Traced& a, const Traced& b)
{
    return a.value < b.value;
}
inline bool operator>(const Traced& a, const Traced& b)
{
    return a.value > b.value;
}
inline Traced max(const Traced& a, const Traced& b)
{
    return detail::record(Op::Max, a.value < b.value ? b.value : a.value, a, b);
}
inline Traced min(const Traced& a, const Traced& b)
{
    return detail::record(Op::Min, b.value < a.value ? b.value : a.value, a, b);
}
inline Traced pow(const Traced& a, const Traced& b)
{
    return detail::record(Op::Power, std::pow(a.value, b.value), a, b);
}
inline Traced sqrt(const Traced& a)
{
    return detail::record(Op::Sqrt, std::sqrt(a.value), a);
}
inline Traced exp(const Traced& a)
{
    return detail::record(Op::Exp, std::exp(a.value), a);
}
inline Traced expm1(const Traced& a)
{
    return detail::record(Op::Expm1, std::expm1(a.value), a);
}
inline Traced log(const Traced& a)
{
    return detail::record(Op::Log, std::log(a.value), a);
}
inline Traced log2(const Traced& a)
{
    return detail::record(Op::Log2, std::log2(a.value), a);
}
inline Traced ceil(const Traced& a)
{
    return detail::record(Op::Ceil, std::ceil(a.value), a);
}
inline Traced floor(const Traced& a)
{
    return detail::record(Op::Floor, std::floor(a.value), a);
}

inline double valueOf(double x)
{
    return x;
}
inline double valueOf(const Traced& x)
{
    return x.value;
}
template <class D, class T>
double valueOf(const units::Quantity<D, T>& x)
{
    return valueOf(x.si());
}

/// Gives a figure its name. `key` is its key in the message catalogue ("step.time_s"), where label,
/// symbol and source stand; `unit` how it is shown.
constexpr double named(std::string_view, units::Unit, double x)
{
    return x;
}
Traced named(std::string_view key, units::Unit unit, const Traced& x);

template <class D, class T>
constexpr units::Quantity<D, T> named(std::string_view key, units::Unit unit,
                                      const units::Quantity<D, T>& x)
{
    return units::Quantity<D, T>(named(key, unit, x.si()));
}

} // namespace cw::explain
