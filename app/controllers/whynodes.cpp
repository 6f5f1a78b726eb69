// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "app/controllers/reading.h"
#include "model/evaluation/explanation.h"
#include "views/params/valuetext.h"
#include "views/text/words.h"

namespace cw::app {

using evaluation::Explanation;
using evaluation::Reason;
using views::WhyNode;

namespace {

using Shared = std::shared_ptr<const Explanation>;

QString words(const std::string& s)
{
    return QString::fromStdString(s);
}

WhyNode nodeOf(const Shared& explanation, const Reason& reason)
{
    WhyNode node;
    node.key = words(reason.key.empty() ? reason.formula : reason.key);
    node.path = words(reason.key);
    node.label = words(reason.label);
    if (!reason.symbol.empty() && reason.symbol != reason.label)
        node.label += QStringLiteral("  ") + words(reason.symbol);
    node.value = views::shownNumber(reason.value, reason.unit);
    node.formula = words(reason.formula);
    node.numbers = words(reason.numbers);
    node.source = words(reason.source);
    node.isInput = reason.kind == Reason::Kind::Input;
    node.status = words(reason.status);
    if (node.isInput && (node.status.isEmpty() || node.status == QStringLiteral("choice")))
        node.status = QStringLiteral("input");
    node.hasInputs = !reason.inputs.empty();
    node.inputs = [explanation, inputs = reason.inputs] {
        std::vector<WhyNode> nodes;
        nodes.reserve(inputs.size());
        for (const auto id : inputs)
            nodes.push_back(nodeOf(explanation, explanation->reason(id)));
        return nodes;
    };
    return node;
}

} // namespace

std::optional<WhyNode> whyOf(const scenario::Scenario& scenario, const QString& path)
{
    const auto language = views::language() == views::Language::Chinese ? text::Language::Chinese
                                                                        : text::Language::English;
    const auto explanation = std::make_shared<const Explanation>(scenario, language);
    if (!explanation->find(path.toStdString()))
        return {};
    return nodeOf(explanation, explanation->reasonOf(path.toStdString()));
}

} // namespace cw::app
