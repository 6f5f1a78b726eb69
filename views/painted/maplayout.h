// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/painted/mapdata.h"

#include <QPointF>
#include <QRectF>

namespace cw::views {

/// What of the map is in sight. The point is a share of the map's width and height, so that the
/// same sight is drawn on a screen, in a picture and in a vector file.
struct MapSight
{
    double zoom = 1.0;
    QPointF centre{0.5, 0.5};

    friend bool operator==(const MapSight&, const MapSight&) = default;
};

/// Where things lie on the screen. Every answer costs what is in sight, not what there is.
class MapLayout
{
public:
    MapLayout(const MapData& map, const QRectF& area, const MapSight& sight);

    /// Parts below each other and beside each other inside a rectangle.
    struct Grid
    {
        QRectF inner;
        std::int64_t columns = 1;
        std::int64_t rows = 1;
        double w = 0.0; ///< of one part with the gap around it
        double h = 0.0;
        double gapX = 0.0;
        double gapY = 0.0;

        [[nodiscard]] QRectF tile(std::int64_t index) const;
        [[nodiscard]] double pitch() const { return std::min(w, h); }
        /// Index at a point, -1 outside.
        [[nodiscard]] std::int64_t at(const QPointF& point) const;
    };
    /// A part of the first level on the ring, or a run of them where one would be too small.
    struct Tile
    {
        std::int64_t part = 0;
        std::int64_t count = 1;
        QRectF rect;
        double turn = 0.0; ///< degrees
        QPointF out;       ///< unit vector from the centre
    };

    [[nodiscard]] const QRectF& area() const { return m_area; }
    [[nodiscard]] bool isRing() const { return m_map.shape != MapShape::Rows; }
    [[nodiscard]] QPointF ringCentre() const { return m_centre; }
    [[nodiscard]] double ringRadius() const { return m_radius; }
    [[nodiscard]] double coreRadius() const { return m_radius * m_coreShare; }
    [[nodiscard]] double ringPitch() const { return m_pitch; }
    /// Tiles of the ring that, or whose spoke, may be in sight.
    [[nodiscard]] std::vector<Tile> tiles() const;
    [[nodiscard]] Tile tileOf(std::int64_t part) const;
    /// The rectangle that holds all parts where they lie in rows.
    [[nodiscard]] QRectF root() const;
    /// The parts of `level` inside a part of the level above, which has this rectangle.
    [[nodiscard]] Grid grid(int level, const QRectF& parent) const;

    /// A part that is drawn large enough to be met.
    struct Seen
    {
        MapPart part;
        QRectF rect;
        double turn = 0.0; ///< degrees
    };
    /// The parts in sight of the innermost level of which there are no more than `most`.
    [[nodiscard]] std::vector<Seen> inSight(std::size_t most) const;

    /// Where a part is drawn.
    [[nodiscard]] QRectF rectOf(int level, std::int64_t first) const;
    [[nodiscard]] MapPart at(const QPointF& point) const;

    /// The sight that fills the map with a part.
    [[nodiscard]] MapSight sightOf(int level, std::int64_t first) const;
    /// The sight after a zoom that keeps a point where it is, or after a shift by pixels.
    [[nodiscard]] MapSight zoomed(double factor, const QPointF& about) const;
    [[nodiscard]] MapSight moved(const QPointF& pixels) const;

    static constexpr double kLeast = 4.0; ///< parts closer than this are not drawn one by one
    static constexpr double kCore = 0.36; ///< least share of the ring's radius that the core takes

private:
    [[nodiscard]] QPointF toScreen(const QPointF& base) const;
    [[nodiscard]] std::vector<Seen> outermost() const;
    [[nodiscard]] bool isRun(const MapPart& part) const;
    [[nodiscard]] bool partsOf(const Seen& parent, std::size_t most, std::vector<Seen>& all) const;
    [[nodiscard]] MapSight allowed(MapSight sight) const;
    [[nodiscard]] double mostZoom() const;
    [[nodiscard]] double slotOf(double part) const;
    [[nodiscard]] Tile runAt(std::int64_t part, std::int64_t run) const;
    [[nodiscard]] std::int64_t runLength() const;
    [[nodiscard]] MapPart below(int level, std::int64_t first, std::int64_t chips,
                                const QRectF& rect, const QPointF& point) const;

    const MapData& m_map;
    QRectF m_area;
    MapSight m_sight;
    QPointF m_centre;
    double m_baseRadius = 1.0;
    double m_radius = 1.0;
    double m_coreShare = kCore;
    double m_pitch = 1.0; ///< between parts on the ring
    double m_side = 1.0;  ///< of a part on the ring
    double m_slots = 1.0;
    double m_gap = 0.0; ///< slots between two sites
    std::int64_t m_parts = 1;
    std::int64_t m_perSite = 1;
};

} // namespace cw::views
