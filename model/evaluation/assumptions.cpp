// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/evaluation/assumptions.h"

#include <map>
#include <set>

#include "model/evaluation/explanation.h"
#include "model/scenario/presets.h"
#include "model/scenario/values.h"

namespace cw::evaluation {

using explain::Node;
using explain::Op;
using scenario::Parameter;

namespace {

/// What the formulas of the evaluation read.
struct Reads
{
    std::set<std::string, std::less<>> inputs;
    std::map<std::string, const Node*> constants;

    explicit Reads(const explain::Trace& trace)
    {
        for (std::size_t i = 0; i < trace.size(); ++i) {
            const Node& node = trace.node(static_cast<explain::NodeId>(i));
            if (node.op == Op::Input)
                inputs.insert(trace.text(node));
            else if (node.op == Op::Constant)
                constants.emplace(trace.text(node), &node);
        }
    }
    /// Numbers leave a trace where they are read; choices and flags are taken as read.
    bool used(const Parameter& p) const
    {
        return p.kind != scenario::Kind::Number || inputs.count(p.path) != 0;
    }
};

bool isNumber(const Parameter& p)
{
    return p.kind == scenario::Kind::Number || p.kind == scenario::Kind::Integer ||
           p.kind == scenario::Kind::Numbers || p.kind == scenario::Kind::Integers;
}

} // namespace

std::vector<Assumption> assumptionsOf(const scenario::Scenario& scenario, text::Language language)
{
    const text::Catalogue& words = text::Catalogue::of(language);
    const Explanation explanation(scenario, language);
    const Reads reads(explanation.trace());
    const auto origins = scenario::originsOf(scenario);
    const auto values = scenario::valuesByPath(scenario);
    std::vector<Assumption> found;
    for (const Parameter& p : scenario::parameters(scenario)) {
        const auto value = values.find(p.path);
        if (!isNumber(p) || value == values.end() ||
            std::holds_alternative<std::monostate>(value->second) || !reads.used(p))
            continue;
        const scenario::Origin& origin = origins.at(p.path);
        const bool given = p.path == "software.assumed_mfu";
        if (!given && (origin.from == scenario::Origin::From::User ||
                       origin.status != scenario::Status::Assumed))
            continue;
        found.push_back({p.path, std::string(words.label(p.textKey)), value->second, p.spec.unit,
                         origin.source});
    }
    for (const auto& [key, node] : reads.constants)
        if (words.status(key) == "assumed")
            found.push_back({key, std::string(words.label(key)), scenario::Value(node->value),
                             node->unit, std::string(words.source(key))});
    return found;
}

} // namespace cw::evaluation
