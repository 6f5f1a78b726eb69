// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/painted/maplayout.h"

#include <QLineF>
#include <QTransform>
#include <cmath>
#include <numbers>

namespace cw::views {

namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kCoreText = 66.0; ///< radius that holds the words of the core
constexpr double kMostCore = 0.55;
constexpr double kMargin = 26.0;   ///< of the ring, for its names
constexpr double kLetter = 6.6;    ///< width of a letter of those
constexpr double kCoreLine = 9.0;  ///< more radius for each line beyond three
constexpr double kMet = 9.0;       ///< parts closer than this are not met by keyboard
constexpr double kLeastRun = 10.0; ///< pixels between tiles on the ring
constexpr double kMostTiles = 300; ///< of a whole turn as far as it is in sight
constexpr double kFill = 0.72;     ///< share of the pitch that a tile takes
constexpr double kMostSide = 0.24; ///< of the ring's radius
constexpr double kRunSide = 14.0;  ///< most of a tile that stands for a run
constexpr double kChipPixels = 72; ///< of a chip at the deepest zoom
constexpr double kHead = 0.11;     ///< share of a part's height that its name takes
constexpr double kPad = 0.035;
constexpr double kWide = 4.5; ///< width to height of a part that is a row

std::int64_t ceilDivide(std::int64_t a, std::int64_t b)
{
    return (a + b - 1) / b;
}

double angleOf(const QPointF& from)
{
    return std::atan2(from.x(), -from.y()); // clockwise from twelve o'clock
}

bool holdsTurned(const MapLayout::Tile& tile, const QPointF& point)
{
    QTransform back;
    back.rotate(-tile.turn);
    return tile.rect.contains(tile.rect.center() + back.map(point - tile.rect.center()));
}

double distanceTo(const QLineF& line, const QPointF& point)
{
    const QPointF d = line.p2() - line.p1();
    const double length = std::max(1e-9, d.x() * d.x() + d.y() * d.y());
    const QPointF p = point - line.p1();
    const double at = std::clamp((p.x() * d.x() + p.y() * d.y()) / length, 0.0, 1.0);
    return QLineF(point, line.pointAt(at)).length();
}

} // namespace

QRectF MapLayout::Grid::tile(std::int64_t index) const
{
    const std::int64_t whole = index / columns;
    const auto column = static_cast<double>(index % columns);
    const auto row = static_cast<double>(whole);
    return {inner.left() + column * w + gapX / 2, inner.top() + row * h + gapY * 0.3, w - gapX,
            h - gapY};
}

std::int64_t MapLayout::Grid::at(const QPointF& point) const
{
    const auto column = static_cast<std::int64_t>(std::floor((point.x() - inner.left()) / w));
    const auto row = static_cast<std::int64_t>(std::floor((point.y() - inner.top()) / h));
    if (column < 0 || column >= columns || row < 0 || row >= rows)
        return -1;
    const std::int64_t index = row * columns + column;
    return tile(index).contains(point) ? index : -1;
}

MapLayout::MapLayout(const MapData& map, const QRectF& area, const MapSight& sight)
    : m_map(map), m_area(area), m_sight(sight), m_parts(std::max<std::int64_t>(1, map.parts()))
{
    const std::int64_t sites = std::clamp<std::int64_t>(map.sites, 1, m_parts);
    m_perSite = ceilDivide(m_parts, sites);
    m_gap = sites > 1 ? std::max(0.6, static_cast<double>(m_parts) * 0.03) : 0.0;
    m_slots = static_cast<double>(m_parts) + m_gap * static_cast<double>(sites);
    // Names stand above and below the ring, and at its sides with all their letters.
    const QString prefix = map.levels.empty() ? QString() : map.levels[0].prefix;
    const double name =
        kLetter * static_cast<double>(prefix.size() + QString::number(m_parts - 1).size()) + 6;
    const double half = std::max(20.0, std::min(area.width() / 2 - std::max(kMargin, name + 8),
                                                area.height() / 2 - kMargin));
    // A tile reaches outwards by half its side.
    const double most = std::min(kTurn / m_slots * kFill, kMostSide);
    m_baseRadius = half / (1 + most / 2);
    const double lines = std::max(0.0, static_cast<double>(map.coreLines.size()) - 3.0);
    m_coreShare = std::clamp((kCoreText + kCoreLine * lines) / m_baseRadius, kCore, kMostCore);
    m_centre = toScreen(area.center());
    m_radius = m_baseRadius * sight.zoom;
    m_pitch = kTurn * m_radius / m_slots;
    m_side = most * m_radius;
}

QPointF MapLayout::toScreen(const QPointF& base) const
{
    const QPointF middle(m_area.left() + m_sight.centre.x() * m_area.width(),
                         m_area.top() + m_sight.centre.y() * m_area.height());
    return m_area.center() + (base - middle) * m_sight.zoom;
}

double MapLayout::slotOf(double part) const
{
    const double site = std::floor(part / static_cast<double>(m_perSite));
    return part + m_gap * (site + 0.5);
}

MapLayout::Tile MapLayout::runAt(std::int64_t part, std::int64_t run) const
{
    Tile tile;
    tile.part = part;
    const std::int64_t end = std::min(m_parts, (part / m_perSite + 1) * m_perSite);
    tile.count = std::min(run, end - part);
    const double middle = slotOf(static_cast<double>(part)) + static_cast<double>(tile.count) / 2.0;
    const double angle = middle / m_slots * kTurn;
    tile.out = QPointF(std::sin(angle), -std::cos(angle));
    const QPointF at = m_centre + tile.out * m_radius;
    const double side =
        run == 1 ? m_side : std::min(static_cast<double>(run) * m_pitch * kFill, kRunSide);
    tile.rect = QRectF(at.x() - side / 2, at.y() - side / 2, side, side);
    // A square looks alike after a quarter turn; one that is large stands upright, for its words.
    const double degrees = std::remainder(angle * 360.0 / kTurn, 90.0);
    tile.turn = degrees * std::clamp((60.0 - side) / 24.0, 0.0, 1.0);
    return tile;
}

std::int64_t MapLayout::runLength() const
{
    double reach = 0.0;
    for (const QPointF& corner :
         {m_area.topLeft(), m_area.topRight(), m_area.bottomLeft(), m_area.bottomRight()})
        reach = std::max(reach, QLineF(m_centre, corner).length());
    const double seen = std::min(reach, m_radius);
    const double pitch = m_pitch * seen / std::max(1.0, m_radius);
    // Of a wide ring only an arc is in sight, about as long as the picture's diagonal.
    const double arc = 1.5 * std::hypot(m_area.width(), m_area.height());
    const double least = std::max(kLeastRun, std::min(kTurn * seen, arc) / kMostTiles);
    std::int64_t run = 1;
    while (pitch * static_cast<double>(run) < least && run < m_parts)
        run *= 2;
    return run;
}

std::vector<MapLayout::Tile> MapLayout::tiles() const
{
    std::vector<Tile> all;
    const std::int64_t run = runLength();
    const QRectF sight = m_area.adjusted(-m_side, -m_side, m_side, m_side);
    double from = 0.0;
    double to = m_slots;
    if (!sight.contains(m_centre)) {
        const double middle = angleOf(sight.center() - m_centre);
        double low = 0.0;
        double high = 0.0;
        for (const QPointF& corner :
             {sight.topLeft(), sight.topRight(), sight.bottomLeft(), sight.bottomRight()}) {
            const double off = std::remainder(angleOf(corner - m_centre) - middle, kTurn);
            low = std::min(low, off);
            high = std::max(high, off);
        }
        from = (middle + low) / kTurn * m_slots;
        to = (middle + high) / kTurn * m_slots;
        if (from < 0.0) {
            from += m_slots;
            to += m_slots;
        }
    }
    const double gaps = m_slots - static_cast<double>(m_parts);
    const auto add = [&](double low, double high) {
        auto part = std::max<std::int64_t>(0, static_cast<std::int64_t>(low - gaps) - 1);
        const auto end = std::min(m_parts, static_cast<std::int64_t>(std::ceil(high)) + 1);
        while (part < end) {
            const std::int64_t site = part / m_perSite * m_perSite;
            all.push_back(runAt(site + (part - site) / run * run, run));
            part = all.back().part + all.back().count;
        }
    };
    add(from, std::min(to, m_slots));
    if (to > m_slots)
        add(0.0, std::min(to - m_slots, from));
    return all;
}

MapLayout::Tile MapLayout::tileOf(std::int64_t part) const
{
    return runAt(std::clamp<std::int64_t>(part, 0, m_parts - 1), 1);
}

QRectF MapLayout::root() const
{
    return {toScreen(m_area.topLeft()), toScreen(m_area.bottomRight())};
}

MapLayout::Grid MapLayout::grid(int level, const QRectF& parent) const
{
    const MapLevel& own = m_map.levels[static_cast<std::size_t>(level)];
    Grid g;
    g.inner = parent;
    std::int64_t count = m_parts;
    if (level > 0) {
        count = ceilDivide(m_map.levels[static_cast<std::size_t>(level - 1)].chips, own.chips);
        g.inner.adjust(parent.width() * kPad, parent.height() * kHead, -parent.width() * kPad,
                       -parent.height() * kPad);
    }
    count = std::max<std::int64_t>(1, count);
    g.columns = own.columns;
    if (g.columns <= 0) {
        const double wanted =
            std::sqrt(static_cast<double>(count) * g.inner.width() /
                      std::max(1e-300, g.inner.height()) / (own.wide ? kWide : 1.0));
        g.columns = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::lround(wanted)));
        g.columns = ceilDivide(count, ceilDivide(count, std::min(g.columns, count)));
    }
    g.rows = ceilDivide(count, g.columns);
    g.w = g.inner.width() / static_cast<double>(g.columns);
    g.h = g.inner.height() / static_cast<double>(g.rows);
    const bool neighbours = own.cables == MapCables::Ring || own.cables == MapCables::Mesh;
    g.gapX = g.pitch() * (neighbours ? 0.3 : 0.12);
    g.gapY = g.pitch() * (neighbours ? 0.3 : own.cables == MapCables::Up ? 0.24 : 0.12);
    return g;
}

QRectF MapLayout::rectOf(int level, std::int64_t first) const
{
    if (m_map.levels.empty())
        return {};
    std::int64_t rest = first;
    const std::int64_t part = rest / m_map.levels[0].chips;
    QRectF rect = isRing() ? tileOf(part).rect : grid(0, root()).tile(part);
    for (int l = 1; l <= level; ++l) {
        rest -= rest / m_map.levels[static_cast<std::size_t>(l - 1)].chips *
                m_map.levels[static_cast<std::size_t>(l - 1)].chips;
        rect = grid(l, rect).tile(rest / m_map.levels[static_cast<std::size_t>(l)].chips);
    }
    return rect;
}

MapPart MapLayout::below(int level, std::int64_t first, std::int64_t chips, const QRectF& rect,
                         const QPointF& point) const
{
    const MapPart own{level, first, chips, false};
    const int next = level + 1;
    if (next >= static_cast<int>(m_map.levels.size()))
        return own;
    const Grid g = grid(next, rect);
    if (g.pitch() < kLeast)
        return own;
    const std::int64_t index = g.at(point);
    const std::int64_t size = m_map.levels[static_cast<std::size_t>(next)].chips;
    if (index < 0 || index * size >= chips)
        return own;
    return below(next, first + index * size, std::min(size, chips - index * size), g.tile(index),
                 point);
}

MapPart MapLayout::at(const QPointF& point) const
{
    if (m_map.levels.empty() || !m_area.contains(point))
        return {};
    if (!isRing()) {
        const MapPart found = below(-1, 0, m_map.chips, root(), point);
        return found.level < 0 ? MapPart{} : found;
    }
    const std::int64_t size = m_map.levels[0].chips;
    const auto partOf = [&](const Tile& tile, bool cable) {
        const std::int64_t first = tile.part * size;
        return MapPart{0, first, std::min(tile.count * size, m_map.chips - first), cable};
    };
    const std::vector<Tile> all = tiles();
    double nearest = 4.0;
    MapPart found;
    for (const Tile& tile : all) {
        if (holdsTurned(tile, point)) {
            const MapPart whole = partOf(tile, false);
            return tile.count > 1 ? whole : below(0, whole.first, whole.chips, tile.rect, point);
        }
        if (m_map.shape != MapShape::Star)
            continue;
        const QLineF spoke(m_centre + tile.out * coreRadius(), m_centre + tile.out * m_radius);
        if (const double d = distanceTo(spoke, point); d < nearest) {
            nearest = d;
            found = partOf(tile, true);
        }
    }
    return found;
}

std::vector<MapLayout::Seen> MapLayout::outermost() const
{
    std::vector<Seen> all;
    const std::int64_t size = m_map.levels[0].chips;
    if (isRing()) {
        for (const Tile& tile : tiles()) {
            const std::int64_t first = tile.part * size;
            const std::int64_t chips = std::min(tile.count * size, m_map.chips - first);
            if (m_area.intersects(tile.rect))
                all.push_back({{0, first, chips, false}, tile.rect, tile.turn});
        }
        return all;
    }
    const Seen whole{{-1, 0, m_map.chips, false}, root(), 0.0};
    if (!partsOf(whole, static_cast<std::size_t>(kMostTiles), all))
        all.clear();
    return all;
}

bool MapLayout::isRun(const MapPart& part) const
{
    return part.level >= 0 && part.chips > m_map.levels[static_cast<std::size_t>(part.level)].chips;
}

bool MapLayout::partsOf(const Seen& parent, std::size_t most, std::vector<Seen>& all) const
{
    const int level = parent.part.level + 1;
    if (level >= static_cast<int>(m_map.levels.size()) || parent.turn != 0.0)
        return false;
    const std::int64_t size = m_map.levels[static_cast<std::size_t>(level)].chips;
    const Grid g = grid(level, parent.rect);
    if (g.pitch() < kMet || isRun(parent.part))
        return false;
    const auto clampTo = [](double at, std::int64_t count) {
        return std::clamp<std::int64_t>(
            static_cast<std::int64_t>(std::floor(std::clamp(at, -1e9, 1e9))), 0, count - 1);
    };
    const std::int64_t rowFrom = clampTo((m_area.top() - g.inner.top()) / g.h, g.rows);
    const std::int64_t rowTo = clampTo((m_area.bottom() - g.inner.top()) / g.h, g.rows);
    const std::int64_t columnFrom = clampTo((m_area.left() - g.inner.left()) / g.w, g.columns);
    const std::int64_t columnTo = clampTo((m_area.right() - g.inner.left()) / g.w, g.columns);
    for (std::int64_t row = rowFrom; row <= rowTo; ++row)
        for (std::int64_t column = columnFrom; column <= columnTo; ++column) {
            const std::int64_t index = row * g.columns + column;
            const QRectF rect = g.tile(index);
            if (index * size >= parent.part.chips || !m_area.intersects(rect))
                continue;
            if (all.size() >= most)
                return false;
            const std::int64_t chips = std::min(size, parent.part.chips - index * size);
            all.push_back({{level, parent.part.first + index * size, chips, false}, rect, 0.0});
        }
    return true;
}

std::vector<MapLayout::Seen> MapLayout::inSight(std::size_t most) const
{
    if (m_map.levels.empty())
        return {};
    std::vector<Seen> shown = outermost();
    if (shown.size() > most)
        shown.resize(most);
    while (!shown.empty()) {
        std::vector<Seen> inner;
        bool fits = true;
        for (const Seen& seen : shown)
            fits = fits && partsOf(seen, most, inner);
        if (!fits || inner.empty())
            break;
        shown = std::move(inner);
    }
    return shown;
}

double MapLayout::mostZoom() const
{
    if (m_map.levels.empty())
        return 1.0;
    const QRectF chip = rectOf(static_cast<int>(m_map.levels.size()) - 1, 0);
    const double pixels = std::min(chip.width(), chip.height()) / m_sight.zoom;
    return std::clamp(kChipPixels / std::max(1e-9, pixels), 4.0, 1e8);
}

MapSight MapLayout::allowed(MapSight sight) const
{
    sight.zoom = std::clamp(sight.zoom, 1.0, mostZoom());
    const double half = 0.5 / sight.zoom;
    sight.centre.setX(std::clamp(sight.centre.x(), half, 1.0 - half));
    sight.centre.setY(std::clamp(sight.centre.y(), half, 1.0 - half));
    return sight;
}

MapSight MapLayout::sightOf(int level, std::int64_t first) const
{
    const QRectF rect = rectOf(level, first);
    const double fit = 0.8 * std::min(m_area.width() / std::max(1e-9, rect.width()),
                                      m_area.height() / std::max(1e-9, rect.height()));
    MapSight sight = moved(m_area.center() - rect.center());
    sight.zoom = m_sight.zoom * fit;
    const QPointF off = (rect.center() - m_area.center()) / m_sight.zoom;
    sight.centre = m_sight.centre + QPointF(off.x() / std::max(1.0, m_area.width()),
                                            off.y() / std::max(1.0, m_area.height()));
    return allowed(sight);
}

MapSight MapLayout::zoomed(double factor, const QPointF& about) const
{
    MapSight sight = m_sight;
    sight.zoom = std::clamp(m_sight.zoom * factor, 1.0, mostZoom());
    // The point keeps its place: its share of the map does not change.
    const QPointF off = about - m_area.center();
    const double way = 1.0 / m_sight.zoom - 1.0 / sight.zoom;
    sight.centre += QPointF(off.x() * way / std::max(1.0, m_area.width()),
                            off.y() * way / std::max(1.0, m_area.height()));
    return allowed(sight);
}

MapSight MapLayout::moved(const QPointF& pixels) const
{
    MapSight sight = m_sight;
    sight.centre -= QPointF(pixels.x() / m_sight.zoom / std::max(1.0, m_area.width()),
                            pixels.y() / m_sight.zoom / std::max(1.0, m_area.height()));
    return allowed(sight);
}

} // namespace cw::views
