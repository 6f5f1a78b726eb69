// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/theme/theme.h"

#include <QString>
#include <QStringList>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

// The machine as its picture draws it: sizes and classes of links, no item for a chip. Half a
// million chips are four lines of this.

namespace cw::views {

/// How the parts of one level are cabled.
enum class MapCables : std::uint8_t
{
    None,
    Up,   ///< each to the switches above it
    Ring, ///< to its neighbours along each axis, the ends joined
    Mesh  ///< to all others along each axis
};

/// One level: what each part of the level above is divided into.
struct MapLevel
{
    std::int64_t chips = 1;   ///< of a whole part
    QString prefix;           ///< "P": its parts are P0, P1 within the part above
    std::int64_t columns = 0; ///< parts in a row; 0: as fits
    MapCables cables = MapCables::Up;
    bool twoAxes = false; ///< rows are an axis of their own, not the row above going on
    bool wide = false;    ///< its parts are rows, such as the nodes of a rack
    /// Of its cables, 1 = 100 %; NaN: none or idle.
    double utilization = std::numeric_limits<double>::quiet_NaN();
    /// Of the cables along the second axis, where there is one.
    double across = std::numeric_limits<double>::quiet_NaN();
    /// The same where it differs: block i has the chips from i * eachChips.
    std::vector<double> each;
    std::int64_t eachChips = 1;
    QString quantity; ///< explained by a click on a cable

    [[nodiscard]] double of(std::int64_t first) const
    {
        const auto block = static_cast<std::size_t>(first / eachChips);
        return block < each.size() ? each[block] : utilization;
    }
};

/// How the parts of the first level lie.
enum class MapShape : std::uint8_t
{
    Star,  ///< around a core of switches
    Pairs, ///< around, each joined with each (dragonfly)
    Rows   ///< in rows (torus, mesh, one single part)
};

/// Chips that are lit up together, sorted.
struct MapGroup
{
    QString name; ///< "TP"
    Series series = Series::Other;
    std::vector<std::int64_t> chips;
    bool path = false; ///< its members send to the next: drawn as a line through them

    [[nodiscard]] bool holds(std::int64_t first, std::int64_t end) const
    {
        const auto found = std::lower_bound(chips.begin(), chips.end(), first);
        return found != chips.end() && *found < end;
    }
};

/// What was pointed at: a part, or several where one would be too small, or the cable of them.
struct MapPart
{
    int level = -1; ///< -1: nothing
    std::int64_t first = 0;
    std::int64_t chips = 0;
    bool cable = false;

    friend bool operator==(const MapPart&, const MapPart&) = default;
};

struct MapData
{
    std::int64_t chips = 0;
    std::int64_t sites = 1; ///< their parts of the first level stand apart
    MapShape shape = MapShape::Star;
    std::vector<MapLevel> levels; ///< from the site inwards; the last is the chip
    int planes = 1;               ///< rings of the core: networks beside each other
    int sectors = 16;             ///< pieces of each ring
    int strands = 1;              ///< cables that a spoke is drawn as where there is room
    QString coreName;
    QStringList coreLines;
    int warnings = 0;             ///< the last lines of the core that are a warning
    double faultyPlanes = 0;      ///< share of the core's rings that is faulty
    double faultySectors = 0;     ///< share of its pieces
    std::vector<MapGroup> groups; ///< the first that holds a chip colours it
    std::int64_t selected = -1;   ///< chip
    /// Chips without work: those of each `domain` from `domainUsed` on, and all from `used` on.
    std::int64_t domain = 1;
    std::int64_t domainUsed = 1;
    std::int64_t used = std::numeric_limits<std::int64_t>::max();
    /// Text of a part for its tip: lines, a tab in the first sends the rest to the right.
    std::function<QString(const MapPart&)> describe;

    [[nodiscard]] std::int64_t parts() const
    {
        return levels.empty() ? 0 : (chips + levels[0].chips - 1) / levels[0].chips;
    }
    [[nodiscard]] bool idle(std::int64_t first, std::int64_t end) const
    {
        if (first >= used)
            return true;
        const std::int64_t at = first % domain;
        return at >= domainUsed && at + (end - first) <= domain;
    }
};

} // namespace cw::views
