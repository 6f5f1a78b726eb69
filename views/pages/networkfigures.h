// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>

#include "model/network/groupreach.h"
#include "model/network/linkloads.h"
#include "model/network/rankmap.h"
#include "views/pages/factlist.h"
#include "views/pages/page.h"
#include "views/painted/matrixtable.h"
#include "views/painted/topologypicture.h"

// What the network page shows, out of the machine, its links and the ranks on it.

namespace cw::views {

struct ShownKind
{
    network::GroupKind kind;
    const char* name;
    const char* label;
    Series series;
};

inline constexpr std::array<ShownKind, 5> kShownKinds = {
    {{network::GroupKind::Tensor, "TP", "window.comm.tensor", Series::TensorParallel},
     {network::GroupKind::Context, "CP", "window.comm.context", Series::Storage},
     {network::GroupKind::Expert, "EP", "window.comm.expert", Series::ExpertParallel},
     {network::GroupKind::Pipeline, "PP", "window.comm.pipeline", Series::PipelineSends},
     {network::GroupKind::Data, "DP", "window.comm.data", Series::DataParallel}}};

/// What a person chose on the page.
struct NetworkChoice
{
    std::int64_t chip = 0;
    int kind = -1; ///< index into kShownKinds; -1: all
    bool inUse = true;
};

/// The plan on another network, or its own.
struct TopologyAlternative
{
    QString name;
    double switches = 0;
    double step = 0;   ///< seconds
    double change = 0; ///< of the step against the plan's own
    bool own = false;
    bool reaches = true; ///< whether it can connect all chips
    PageEdits edits;     ///< that make it the plan's
};

/// One evaluation with what is asked of it again and again.
struct NetworkFigures
{
    explicit NetworkFigures(const PageData& figures);

    PageData page;
    network::RankMap ranks;
    network::LinkLoads loads;
};

using NetworkFiguresPtr = std::shared_ptr<const NetworkFigures>;

/// The groups of the rank on a chip; empty where none is.
std::vector<MapGroup> groupsOf(const NetworkFigures& figures, std::int64_t chip, int kind);

/// The map keeps the figures for its tips.
MapData mapOf(const NetworkFiguresPtr& figures, const NetworkChoice& choice);
TopologyData topologyOf(const NetworkFiguresPtr& figures, const NetworkChoice& choice);
/// Utilization of the links that lead out of parts of so many chips.
class UseOut
{
public:
    UseOut(const NetworkFigures& figures, bool inUse, std::int64_t chips);
    /// Of the part that begins at this chip; NaN: no such link.
    [[nodiscard]] double of(std::int64_t first) const;
    /// The figure that explains it.
    [[nodiscard]] QString quantity() const;
    [[nodiscard]] std::size_t tier() const { return m_tier; }

private:
    const NetworkFigures& m_figures;
    std::int64_t m_chips;
    bool m_inUse;
    std::size_t m_tier = 0;
    const network::LinkBlocks* m_blocks = nullptr;
    double m_same = std::numeric_limits<double>::quiet_NaN(); ///< where all parts are alike
};

/// The figure that explains the load of a tier: "traffic.tiers.1.in_use".
QString loadQuantity(std::size_t tier, bool inUse);
/// "chip – leaf", "chip – chip axis 2"
QString linkName(const network::LinkClass& c);
/// One sentence on the group of a rank that is lit: what it is and how far it reaches.
QString groupSentence(const NetworkFigures& figures, std::int64_t chip, int kind);
/// "3 racks", or "one rack": a count with the text of `key`, or of `key` + "One".
QString sayCount(const std::string& key, const char* argument, std::int64_t n);
bool isDirectNetwork(const scenario::Scenario& plan);
/// "16 × 16 × 16" of a torus or a mesh.
QString shapeOfNetwork(const scenario::Scenario& plan);

MatrixData alternativesTable(const std::vector<TopologyAlternative>& alternatives);
MatrixData trafficTable(const NetworkFigures& figures, bool inUse);
ChartTable networkTable(const NetworkFigures& figures);
TopologyHistogram linkHistogram(const NetworkFigures& figures, bool inUse);
std::vector<FactRow> builtRows(const NetworkFigures& figures);
/// The fullest link, what it slows, faults of the plan and chips without work.
std::vector<FactRow> hotRows(const NetworkFigures& figures);
/// "Plane: 25% at 60%" for each fault that the plan assumes.
QStringList faultTexts(const scenario::Scenario& scenario);
/// The rank on a chip and its place in each of its groups.
std::vector<FactRow> rankRows(const NetworkFigures& figures, std::int64_t chip);

QString wholeNumber(std::int64_t value);
/// "TP", of network::TrafficKind.
QString trafficName(std::size_t kind);

} // namespace cw::views
