// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <memory>
#include <set>

#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/planinput.h"
#include "model/evaluation/explanation.h"
#include "model/text/nearest.h"
#include "model/units/text.h"

namespace cw::cli {

using evaluation::Explanation;
using evaluation::Reason;
using Json = nlohmann::ordered_json;

namespace {

struct Options
{
    std::string plan;
    std::string quantity;
    std::vector<std::string> settings;
    std::string format;
    int depth = 3;
};

/// Tells each step once, down to `depth`.
class Telling
{
public:
    Telling(const Session& session, const Explanation& explanation, int depth)
        : m_session(session), m_explanation(explanation), m_depth(depth)
    {
    }

    std::string text(const Reason& r, int level = 0)
    {
        const std::string margin(static_cast<std::size_t>(level) * 2, ' ');
        std::string out = margin + r.label + (r.symbol.empty() ? "" : " " + r.symbol) + " = " +
                          units::human(r.value, r.unit, 5);
        const std::string status = statusOf(r);
        if (!status.empty())
            out += "  [" + status + "]";
        const bool told = !m_told.insert(r.node).second && r.node != explain::kNoNode;
        if (told && !r.inputs.empty())
            return out + "  (" + m_session.term("explain.above") + ")\n";
        out += "\n";
        const std::string inner = margin + "    ";
        if (!r.formula.empty()) {
            out += inner + "= " + r.formula + "\n";
            if (r.numbers != r.formula)
                out += inner + "= " + r.numbers + "\n";
        }
        if (!r.source.empty())
            out += inner + text::filled(m_session.term("explain.source"), {{"source", r.source}}) +
                   "\n";
        if (level >= m_depth && !r.inputs.empty())
            return out + inner +
                   text::filled(m_session.term("explain.deeper"),
                                {{"count", std::to_string(r.inputs.size())}}) +
                   "\n";
        for (const explain::NodeId input : r.inputs)
            out += text(m_explanation.reason(input), level + 1);
        return out;
    }

    Json json(const Reason& r, int level = 0)
    {
        Json j{{level == 0 ? "quantity" : "name", r.key},
               {"label", r.label},
               {"value", r.value},
               {"unit", units::symbol(r.unit)}};
        if (!r.formula.empty()) {
            j["formula"] = r.formula;
            j["numbers"] = r.numbers;
        }
        if (!r.source.empty())
            j["source"] = r.source;
        if (!r.status.empty())
            j["status"] = r.status;
        const bool told = !m_told.insert(r.node).second && r.node != explain::kNoNode;
        if (told && !r.inputs.empty())
            j["above"] = true;
        if (level > 0 && (told || level >= m_depth || r.inputs.empty()))
            return j;
        j["inputs"] = Json::array();
        for (const explain::NodeId input : r.inputs)
            j["inputs"].push_back(json(m_explanation.reason(input), level + 1));
        return j;
    }

private:
    /// "cluster.chips, chosen": where an input stands and how well it is known.
    std::string statusOf(const Reason& r) const
    {
        if (r.kind == Reason::Kind::Figure)
            return {};
        std::string text = r.key;
        if (!r.status.empty())
            text += ", " + std::string(m_session.words().term("status." + r.status));
        return text;
    }

    const Session& m_session;
    const Explanation& m_explanation;
    int m_depth;
    std::set<explain::NodeId> m_told;
};

void explainQuantity(const Session& session, const Options& options)
{
    const GivenPlan given = readGiven(session, options.plan, options.settings);
    const Explanation explanation(given.plan.scenario, session.language);
    const auto paths = explanation.paths();
    if (std::find(paths.begin(), paths.end(), options.quantity) == paths.end())
        stop(Status::CommandLine,
             session.message("cli.no-quantity",
                             {{"value", options.quantity},
                              {"nearest", text::nearestOf(options.quantity, paths)}}));
    const Reason reason = explanation.reasonOf(options.quantity);
    Telling telling(session, explanation, options.depth);
    if (options.format == "json")
        session.streams.out << telling.json(reason).dump(2) << '\n';
    else
        session.streams.out << telling.text(reason);
}

} // namespace

void addExplain(CLI::App& program, Session& session)
{
    const auto options = std::make_shared<Options>();
    CLI::App* command = session.add(program, "explain", session.term("explain"),
                                    [&session, options] { explainQuantity(session, *options); });
    session.takePlan(*command, options->plan);
    session.takeText(*command, "QUANTITY", options->quantity, session.term("quantity"), true);
    session.takeSettings(*command, options->settings);
    session.takeNumber(*command, "--depth", options->depth, session.term("depth"), 0, 100);
    session.takeFormat(*command, options->format, {"text", "json"});
}

} // namespace cw::cli
