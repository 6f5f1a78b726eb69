// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences on the groups of the network page.
#include "views/pages/networkfigures.h"
#include "views/text/words.h"

namespace cw::views {

using network::GroupKind;
using network::GroupReach;

namespace {

QString whereOf(const GroupReach& reach)
{
    if (reach.sites > 1)
        return say("window.network.overSites", {{"n", wholeNumber(reach.sites)}});
    if (reach.pods > 1)
        return say("window.network.overPods", {{"n", wholeNumber(reach.pods)}});
    return say(reach.racks > 1   ? "window.network.inPod"
               : reach.nodes > 1 ? "window.network.inRack"
                                 : "window.network.inNode");
}

/// Nothing for one: a degree of one is not worth a word.
QString degree(const NetworkFigures& figures, GroupKind kind)
{
    const std::int64_t n = figures.ranks.size(kind);
    return n > 1 ? wholeNumber(n) : QString();
}

QString pipelineSentence(const NetworkFigures& figures, const network::RankPlace& own)
{
    const GroupReach reach = network::reachOf(
        figures.ranks, own, {GroupKind::Pipeline, GroupKind::Context, GroupKind::Tensor});
    return say("window.network.pipeline", {{"n", wholeNumber(reach.number)},
                                           {"p", degree(figures, GroupKind::Pipeline)},
                                           {"t", degree(figures, GroupKind::Tensor)},
                                           {"c", degree(figures, GroupKind::Context)},
                                           {"chips", wholeNumber(reach.ranks)},
                                           {"where", whereOf(reach)}});
}

} // namespace

QString sayCount(const std::string& key, const char* argument, std::int64_t n)
{
    const std::string one = key + "One";
    return n == 1 && isKnown(one) ? say(one) : say(key, {{argument, wholeNumber(n)}});
}

QString groupSentence(const NetworkFigures& figures, std::int64_t chip, int kind)
{
    const auto own = figures.ranks.onChip(chip);
    if (!own)
        return say("window.network.idle", {{"chip", wholeNumber(chip)}});
    if (kind < 0 || static_cast<std::size_t>(kind) >= kShownKinds.size())
        return {};
    const ShownKind& shown = kShownKinds[static_cast<std::size_t>(kind)];
    const QString name = QString::fromLatin1(shown.name);
    if (figures.ranks.size(shown.kind) < 2)
        return say("window.network.alone", {{"kind", name}});
    if (shown.kind == GroupKind::Pipeline)
        return pipelineSentence(figures, *own);
    const GroupReach reach = network::reachOf(figures.ranks, *own, {shown.kind});
    return say("window.network.groupOf",
               {{"kind", name},
                {"n", wholeNumber(reach.number)},
                {"chips", wholeNumber(reach.ranks)},
                {"nodes", reach.nodes > 1 ? wholeNumber(reach.nodes) : QString()},
                {"where", whereOf(reach)}});
}

} // namespace cw::views
