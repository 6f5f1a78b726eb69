// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/evaluation/explanation.h"

#include <map>

#include "model/evaluation/compute.h"
#include "model/evaluation/formulatext.h"
#include "model/evaluation/quantities.h"
#include "model/units/text.h"

namespace cw::evaluation {

using explain::Node;
using explain::NodeId;
using explain::Op;
using explain::Traced;
using scenario::Origin;
using scenario::Status;

struct Explanation::State
{
    scenario::Scenario plan;
    explain::Trace trace;
    std::vector<Figure<Traced>> figures;
    const text::Catalogue* words = nullptr;
};

namespace {

/// The path without its list indices: the key under which parameters and stages are told.
std::string keyOf(std::string_view path)
{
    std::string key;
    std::size_t start = 0;
    while (start <= path.size()) {
        const std::size_t end = std::min(path.find('.', start), path.size());
        const std::string_view step = path.substr(start, end - start);
        if (step.empty() || step.find_first_not_of("0123456789") != std::string_view::npos) {
            key += key.empty() ? "" : ".";
            key += step;
        }
        start = end + 1;
    }
    return key;
}

std::string statusText(Status status)
{
    switch (status) {
    case Status::Choice:
        return "choice";
    case Status::Assumed:
        return "assumed";
    case Status::Published:
        return "published";
    case Status::Measured:
        return "measured";
    }
    return "";
}

} // namespace

Explanation::Explanation(const scenario::Scenario& scenario, text::Language language)
    : m_state(std::make_unique<State>())
{
    m_state->plan = derived(scenario);
    m_state->words = &text::Catalogue::of(language);
    if (m_state->plan.model.groups.empty())
        return;
    m_state->plan = boundedStages(m_state->plan);
    const Throttle throttle = throttleOf(m_state->plan);
    m_state->plan = throttled(std::move(m_state->plan), throttle);
    const scenario::Inputs<Traced> in(m_state->plan, m_state->trace);
    m_state->figures = figuresOf(compute(in, Extent::Whole, nullptr, throttle));
}

Explanation::~Explanation() = default;

const explain::Trace& Explanation::trace() const
{
    return m_state->trace;
}

std::vector<std::string> Explanation::paths() const
{
    std::vector<std::string> paths;
    paths.reserve(m_state->figures.size());
    for (const auto& f : m_state->figures)
        paths.push_back(f.path);
    return paths;
}

std::optional<NodeId> Explanation::find(std::string_view path) const
{
    for (const auto& f : m_state->figures)
        if (f.path == path && f.value.node != explain::kNoNode)
            return f.value.node;
    return {};
}

Reason Explanation::reasonOf(std::string_view path) const
{
    for (const auto& f : m_state->figures) {
        if (f.path != path)
            continue;
        Reason r;
        if (f.value.node != explain::kNoNode)
            r = reason(f.value.node);
        r.value = f.value.value;
        r.unit = f.unit;
        r.key = f.path;
        const std::string key = keyOf(f.path);
        if (m_state->words->has(text::Section::Quantities, key) || r.label.empty())
            r.label = m_state->words->label(key);
        return r;
    }
    return {};
}

Reason Explanation::reason(NodeId id) const
{
    const explain::Trace& trace = m_state->trace;
    const text::Catalogue& words = *m_state->words;
    const Node& node = trace.node(id);
    Reason r;
    r.node = id;
    r.value = node.value;
    r.unit = node.unit;
    if (node.op == Op::Input) {
        r.kind = Reason::Kind::Input;
        r.key = trace.text(node);
        r.label = words.label(keyOf(r.key));
        const Origin origin = scenario::originOf(m_state->plan, r.key);
        r.status = statusText(origin.status);
        r.source = origin.from == Origin::From::User ? std::string(words.term("origin.plan"))
                                                     : origin.source;
        return r;
    }
    if (node.op == Op::Constant) {
        r.kind = Reason::Kind::Constant;
        r.key = trace.text(node);
        r.label = words.label(r.key);
        r.symbol = words.symbol(r.key);
        r.source = words.source(r.key);
        r.status = words.status(r.key);
        return r;
    }
    NodeId expression = id;
    if (node.op == Op::Named) {
        r.key = trace.text(node);
        r.label = words.label(r.key);
        r.symbol = words.symbol(r.key);
        r.source = words.source(r.key);
        expression = node.a;
    }
    const auto symbolOf = [&](NodeId leaf) {
        const Node& n = trace.node(leaf);
        const std::string& key = trace.text(n);
        const std::string shown = n.op == Op::Input ? keyOf(key) : key;
        const std::string_view symbol = words.symbol(shown);
        return std::string(symbol.empty() ? words.label(shown) : symbol);
    };
    const auto numberOf = [&](NodeId leaf) {
        const Node& n = trace.node(leaf);
        return units::human(n.value, n.unit, 5);
    };
    r.formula = formulaText(trace, expression, symbolOf);
    r.numbers = formulaText(trace, expression, numberOf);
    r.inputs = leavesOf(trace, expression);
    return r;
}

} // namespace cw::evaluation
