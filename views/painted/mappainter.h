// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/painted/maplayout.h"
#include "views/theme/theme.h"

#include <QLineF>
#include <array>

class QPainter;

namespace cw::views {

/// Paints what is in sight of a map: from the ring of pods to the cables of one chip. Small parts
/// are drawn as one sheet with gaps ruled into it, so that a sheet costs its rows and columns.
class MapPainter
{
public:
    MapPainter(QPainter& painter, const MapData& map, const MapLayout& layout, const Theme& theme);
    void paint();

    /// Name of a part within the part above it, "N5".
    static QString nameOf(const MapData& map, int level, std::int64_t first);

private:
    struct Range
    {
        std::int64_t columnFrom = 0, columnTo = 0, rowFrom = 0, rowTo = 0; ///< last included
        [[nodiscard]] bool isEmpty() const { return columnFrom > columnTo || rowFrom > rowTo; }
    };
    /// The parts of one level inside one part of the level above.
    struct Sheet
    {
        int level = 0;
        std::int64_t first = 0; ///< chip
        std::int64_t count = 0; ///< parts
        std::int64_t chips = 0;
        MapLayout::Grid grid;
        Range range;
        QColor ground;
    };

    /// Lines by their band of utilization.
    using Bands = std::array<std::vector<QLineF>, 6>;

    void paintRing();
    void paintSpokes(const std::vector<MapLayout::Tile>& tiles);
    void paintSpoke(const MapLayout::Tile& tile, double utilization, double crowd);
    void paintChords();
    void paintPath(const MapGroup& group);
    void paintCore();
    void paintCoreRings(double core, double inner);
    void paintFaultySectors(double core, double inner);
    void paintCoreText(const QPointF& centre, double inner);
    void paintRingNames(const std::vector<MapLayout::Tile>& tiles);
    void paintTile(const MapLayout::Tile& tile);
    void paintPart(int level, std::int64_t first, std::int64_t chips, const QRectF& rect);
    void paintBody(const QRectF& rect, const QColor& fill, const QColor& edge, double width);
    void paintLabels(int level, std::int64_t first, std::int64_t chips, const QRectF& rect,
                     bool inside, const QColor& fill);
    bool paintInside(int level, std::int64_t first, std::int64_t chips, const QRectF& rect,
                     const QColor& ground);
    void paintSheet(const Sheet& sheet);
    void ruleGaps(const Sheet& sheet, const QRectF& block);
    void paintMarked(const Sheet& sheet);
    void paintCables(const Sheet& sheet);
    void paintUplinks(const Sheet& sheet);
    void paintNeighbours(const Sheet& sheet);
    void paintMesh(const Sheet& sheet);
    void drawLines(const Bands& bands, double pitch);

    [[nodiscard]] Range rangeOf(const MapLayout::Grid& grid) const;
    [[nodiscard]] QColor baseFill(int level) const;
    [[nodiscard]] const MapGroup* groupOf(std::int64_t first, std::int64_t end) const;
    [[nodiscard]] double worst(std::int64_t part, std::int64_t count) const;
    [[nodiscard]] bool holdsSelected(std::int64_t first, std::int64_t chips) const
    {
        return m_map.selected >= first && m_map.selected < first + chips;
    }

    QPainter& m_painter;
    const MapData& m_map;
    const MapLayout& m_layout;
    const Theme& m_theme;
    QRectF m_sight;
};

} // namespace cw::views
