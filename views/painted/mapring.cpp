// SPDX-License-Identifier: GPL-3.0-or-later
// The ring of a map: spokes to a core of switches, or chords from each part to each.
#include "views/painted/linkstyle.h"
#include "views/painted/mappainter.h"
#include "views/painted/paintutil.h"
#include "views/theme/icons.h"

#include <QPainter>
#include <QPainterPath>
#include <cmath>
#include <numbers>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

constexpr double kInside = 44.0;  ///< a tile larger than this bears its name inside
constexpr double kNameGap = 46.0; ///< pixels between two names on the ring
constexpr std::int64_t kMostBundles = 20;
constexpr double kStrandPitch = 40.0;

} // namespace

void MapPainter::paintRing()
{
    const auto tiles = m_layout.tiles();
    m_painter.setRenderHint(QPainter::Antialiasing);
    if (m_map.shape == MapShape::Pairs)
        paintChords();
    else
        paintSpokes(tiles);
    for (const MapGroup& group : m_map.groups)
        if (group.path)
            paintPath(group);
    for (const auto& tile : tiles)
        if (tile.rect.adjusted(-8, -8, 8, 8).intersects(m_sight))
            paintTile(tile);
    paintCore();
    paintRingNames(tiles);
    m_painter.setRenderHint(QPainter::Antialiasing, false);
}

void MapPainter::paintSpokes(const std::vector<MapLayout::Tile>& tiles)
{
    // A crowded ring draws thinner lines, or they would run together.
    const double pitch =
        tiles.empty() ? 1.0 : static_cast<double>(tiles.front().count) * m_layout.ringPitch();
    const double crowd = std::clamp(pitch / 24.0, 0.4, 1.0);
    for (const auto& tile : tiles)
        paintSpoke(tile, worst(tile.part, tile.count), crowd);
}

void MapPainter::paintSpoke(const MapLayout::Tile& tile, double utilization, double crowd)
{
    const QPointF side(-tile.out.y(), tile.out.x());
    const double pitch = m_layout.ringPitch() * MapLayout::kCore;
    const int strands = pitch > kStrandPitch ? std::clamp(m_map.strands, 1, 16) : 1;
    const double gap = std::min(8.0, tile.rect.width() * 0.7 / strands);
    m_painter.setPen(linkPen(utilization, m_theme, strands > 1 ? 0.5 : crowd));
    const double from = m_layout.coreRadius() + 1;
    const double to = m_layout.ringRadius() - tile.rect.width() / 2;
    for (int i = 0; i < strands; ++i) {
        const QPointF off = side * (gap * (i - (strands - 1) / 2.0));
        const QPointF centre = m_layout.ringCentre() + off;
        const QLineF line =
            clipped(QLineF(centre + tile.out * from, centre + tile.out * to), m_sight);
        if (!line.isNull())
            m_painter.drawLine(line);
    }
}

void MapPainter::paintChords()
{
    const std::int64_t parts = m_map.parts();
    const std::int64_t count = std::min(parts, kMostBundles);
    std::vector<QPointF> ends;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto tile = m_layout.tileOf((2 * i + 1) * parts / (2 * count));
        ends.push_back(m_layout.ringCentre() + tile.out * m_layout.ringRadius());
    }
    // Between two groups the fuller end tells.
    std::vector<double> uses;
    for (std::int64_t i = 0; i < count; ++i)
        uses.push_back(worst(i * parts / count, std::max<std::int64_t>(1, parts / count)));
    // Long lines across a zoomed picture look alike without smooth edges, and cost a fifth.
    const bool far = m_layout.ringRadius() > m_sight.height();
    m_painter.setRenderHint(QPainter::Antialiasing, !far);
    const double scale = count <= 12 ? 0.8 : 0.34;
    for (int band = 0; band < 6; ++band) {
        std::vector<QLineF> lines;
        double use = 0.0;
        for (std::size_t a = 0; a < ends.size(); ++a)
            for (std::size_t b = a + 1; b < ends.size(); ++b) {
                const double most = uses[a] >= uses[b] ? uses[a] : uses[b];
                if (Theme::band(most) != band)
                    continue;
                use = most;
                const QLineF line = clipped(QLineF(ends[a], ends[b]), m_sight);
                if (!line.isNull())
                    lines.push_back(line);
            }
        if (lines.empty())
            continue;
        m_painter.setPen(linkPen(use, m_theme, scale));
        m_painter.drawLines(lines.data(), static_cast<int>(lines.size()));
    }
    if (m_map.selected < 0)
        return;
    // The chosen part's own cables stand out.
    const auto own = m_layout.tileOf(m_map.selected / m_map.levels[0].chips);
    const QPointF from = m_layout.ringCentre() + own.out * m_layout.ringRadius();
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setPen(linkPen(worst(own.part, 1), m_theme, 0.8));
    for (const QPointF& end : ends) {
        const QLineF line = clipped(QLineF(from, end), m_sight);
        if (!line.isNull())
            m_painter.drawLine(line);
    }
}

void MapPainter::paintPath(const MapGroup& group)
{
    // An arc inside the ring, from the first member's part over all others to the last.
    std::vector<MapLayout::Tile> stops;
    std::int64_t last = -1;
    constexpr std::size_t kMostStops = 256;
    for (const std::int64_t chip : group.chips) {
        const std::int64_t part = chip / m_map.levels[0].chips;
        if (part != last && stops.size() < kMostStops)
            stops.push_back(m_layout.tileOf(part));
        last = part;
    }
    if (stops.size() < 2)
        return;
    const double radius = m_layout.ringRadius() - stops.front().rect.width() / 2 - 5;
    const QPointF centre = m_layout.ringCentre();
    QPainterPath way;
    const auto angle = [](const QPointF& out) {
        const double turn = std::atan2(out.x(), -out.y());
        return turn < 0 ? turn + 2 * std::numbers::pi : turn;
    };
    constexpr double kStep = 0.06;
    for (double at = angle(stops.front().out); at < angle(stops.back().out); at += kStep) {
        const QPointF point = centre + QPointF(std::sin(at), -std::cos(at)) * radius;
        way.elementCount() == 0 ? way.moveTo(point) : way.lineTo(point);
    }
    way.lineTo(centre + stops.back().out * radius);
    const QColor colour = m_theme.colour(group.series);
    m_painter.setPen(QPen(colour, 2));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawPath(way);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(colour);
    for (const auto& stop : stops)
        m_painter.drawEllipse(centre + stop.out * radius, 3, 3);
}

void MapPainter::paintTile(const MapLayout::Tile& tile)
{
    const std::int64_t size = m_map.levels[0].chips;
    const std::int64_t first = tile.part * size;
    const std::int64_t chips = std::min(tile.count * size, m_map.chips - first);
    if (tile.turn == 0.0 && tile.count == 1) {
        paintPart(0, first, chips, tile.rect);
        return;
    }
    const MapGroup* group = groupOf(first, first + chips);
    const bool own = holdsSelected(first, chips);
    const bool idle = m_map.idle(first, first + chips);
    QColor fill = idle ? m_theme.card : baseFill(0);
    QColor edge = m_theme.wash(m_theme.weak, m_theme.dark ? 0.45 : 0.55);
    if (group) {
        edge = m_theme.colour(group->series);
        fill = m_theme.wash(edge, 0.45);
    }
    if (own) {
        fill = m_theme.accent;
        edge = m_theme.text;
    }
    m_painter.save();
    m_painter.translate(tile.rect.center());
    m_painter.rotate(tile.turn);
    m_painter.translate(-tile.rect.center());
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setPen(QPen(edge, own ? 2 : 1));
    m_painter.setBrush(fill);
    const double radius = tile.rect.width() > 10 ? 2.5 : 0.0;
    m_painter.drawRoundedRect(tile.rect, radius, radius);
    if (idle && !own)
        hatchRect(m_painter, tile.rect.adjusted(1, 1, -1, -1), m_theme.weak);
    else if (tile.count == 1)
        paintInside(1, first, chips, tile.rect, fill);
    m_painter.restore();
    m_painter.setRenderHint(QPainter::Antialiasing);
}

void MapPainter::paintCore()
{
    const double core = m_layout.coreRadius();
    // Rings of many planes are wider, so that each can be told.
    const double inner = core * (m_map.planes > 1 ? 0.77 : 0.83);
    const QPointF centre = m_layout.ringCentre();
    if (m_map.shape == MapShape::Star) {
        const QRectF outer(centre.x() - core, centre.y() - core, 2 * core, 2 * core);
        if (!outer.intersects(m_sight))
            return;
        paintCoreRings(core, inner);
    } else if (m_map.coreLines.isEmpty() && m_map.coreName.isEmpty()) {
        return;
    } else {
        double width = textWidth(m_map.coreName, Theme::font(12, true));
        for (const QString& text : m_map.coreLines)
            width = std::max(width, textWidth(text, Theme::font(10)));
        const double height = 16.0 * static_cast<double>(m_map.coreLines.size() + 1) + 10;
        m_painter.setPen(QPen(m_theme.border, 1));
        m_painter.setBrush(m_theme.card);
        m_painter.drawRoundedRect(
            QRectF(centre.x() - width / 2 - 12, centre.y() - height / 2, width + 24, height), 4, 4);
    }
    paintCoreText(centre, m_map.shape == MapShape::Star ? inner : 1e9);
}

void MapPainter::paintFaultySectors(double core, double inner)
{
    const int sectors = std::clamp(m_map.sectors, 1, 64);
    const int faulty =
        std::clamp(static_cast<int>(std::ceil(m_map.faultySectors * sectors - 1e-9)), 1, sectors);
    const QPointF centre = m_layout.ringCentre();
    const double span = 360.0 * faulty / sectors;
    const auto box = [&centre](double r) {
        return QRectF(centre.x() - r, centre.y() - r, 2 * r, 2 * r);
    };
    QPainterPath piece;
    piece.arcMoveTo(box(core), 90.0);
    piece.arcTo(box(core), 90.0, -span);
    piece.arcTo(box(inner), 90.0 - span, span);
    piece.closeSubpath();
    m_painter.setPen(QPen(m_theme.warning, 2));
    m_painter.setBrush(m_theme.wash(m_theme.warning, 0.35));
    m_painter.drawPath(piece);
}

void MapPainter::paintCoreRings(double core, double inner)
{
    const QPointF centre = m_layout.ringCentre();
    const auto circle = [&centre](double radius) {
        return QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius);
    };
    m_painter.setRenderHint(QPainter::Antialiasing);
    const int planes = std::clamp(m_map.planes, 1, 8);
    const double step = (core - inner) / planes;
    for (int p = 0; p < planes; ++p) {
        m_painter.setPen(QPen(m_theme.border, 1));
        // The outer rings stand for the faulty planes: which ones they are is not said.
        const bool faulty = p < static_cast<int>(std::ceil(m_map.faultyPlanes * planes - 1e-9));
        m_painter.setBrush(faulty ? m_theme.wash(m_theme.warning, 0.5)
                                  : m_theme.wash(m_theme.weak, m_theme.dark ? 0.35 : 0.3));
        m_painter.drawEllipse(circle(core - step * p));
    }
    if (m_map.faultySectors > 0)
        paintFaultySectors(core, inner);
    const int sectors = std::clamp(m_map.sectors, 1, 64);
    m_painter.setPen(QPen(m_theme.card, 2));
    for (int i = 0; sectors > 1 && i < sectors; ++i) {
        const double a = 2 * std::numbers::pi * i / sectors;
        const QPointF u(std::sin(a), -std::cos(a));
        const QLineF line = clipped(QLineF(centre + u * inner, centre + u * core), m_sight);
        if (!line.isNull())
            m_painter.drawLine(line);
    }
    m_painter.setPen(QPen(m_theme.border, 1));
    m_painter.setBrush(m_theme.dark ? m_theme.card : m_theme.window);
    m_painter.drawEllipse(circle(inner));
}

namespace {

/// The name as it is where it fits, else in two lines.
QStringList brokenName(const QString& name, double room)
{
    const QFont font = Theme::font(12, true);
    if (textWidth(name, font) <= room)
        return {name};
    qsizetype best = -1;
    for (qsizetype i = 1; i + 1 < name.size(); ++i)
        if ((name[i] == u'-' || name[i] == u' ') &&
            (best < 0 || std::abs(2 * i - name.size()) < std::abs(2 * best - name.size())))
            best = i;
    if (best < 0)
        return {name};
    return {name.left(best + 1).trimmed(), name.mid(best + 1)};
}

} // namespace

void MapPainter::paintCoreText(const QPointF& centre, double inner)
{
    const auto room = [&](double at) { // width of the circle at this height
        const double off = std::abs(at + 8 - centre.y()) + 6;
        return off < inner ? 2 * std::sqrt(inner * inner - off * off) - 10 : 0.0;
    };
    const double least = 16.0 * static_cast<double>(m_map.coreLines.size() + 1);
    const QStringList name = brokenName(m_map.coreName, room(centre.y() - least / 2));
    double y = centre.y() - (least + 16.0 * static_cast<double>(name.size() - 1)) / 2;
    m_painter.setFont(Theme::font(12, true));
    m_painter.setPen(m_theme.text);
    for (const QString& text : name) {
        const double wide = std::min(room(y), 400.0);
        drawLine(m_painter, QRectF(centre.x() - wide / 2, y, wide, 16), Qt::AlignCenter, text);
        y += 16;
    }
    m_painter.setFont(Theme::font(10));
    for (qsizetype i = 0; i < m_map.coreLines.size(); ++i, y += 16) {
        const bool warn = i + m_map.warnings >= m_map.coreLines.size();
        const QString& text = m_map.coreLines[i];
        const double w = textWidth(text, m_painter.font());
        if (w > room(y) + 6)
            continue; // a cut number would mislead
        m_painter.setPen(warn ? m_theme.warning : m_theme.secondary);
        drawText(m_painter, QRectF(centre.x() - w / 2 - 2, y, w + 4, 16), Qt::AlignCenter, text);
        if (warn && w + 40 < room(y))
            paintIcon(m_painter, QRectF(centre.x() - w / 2 - 17, y + 2, 12, 12), Icon::Warning,
                      m_theme);
    }
}

void MapPainter::paintRingNames(const std::vector<MapLayout::Tile>& tiles)
{
    if (tiles.empty() || tiles.front().rect.width() >= kInside)
        return;
    const double pitch = static_cast<double>(tiles.front().count) * m_layout.ringPitch();
    const auto every = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(std::ceil(kNameGap / std::max(1.0, pitch))));
    const std::int64_t run = tiles.front().count;
    const std::int64_t chosen = m_map.selected < 0 ? -1 : m_map.selected / m_map.levels[0].chips;
    for (const auto& tile : tiles) {
        const bool own = chosen >= tile.part && chosen < tile.part + tile.count;
        const std::int64_t off = std::abs(tile.part - chosen);
        const std::int64_t away =
            std::min(off, m_map.parts() - off) / std::max<std::int64_t>(1, run);
        const bool beside = chosen >= 0 && every > 1 && away * 2 <= every;
        if (!own && (tile.part / run % every != 0 || beside))
            continue;
        const QPointF at =
            m_layout.ringCentre() + tile.out * (m_layout.ringRadius() + tile.rect.width() / 2 + 13);
        const std::int64_t part = own ? chosen : tile.part;
        const QString name = nameOf(m_map, 0, part * m_map.levels[0].chips);
        m_painter.setFont(Theme::font(own ? 11 : 10, own));
        m_painter.setPen(own ? m_theme.accent : m_theme.secondary);
        const double w = textWidth(name, m_painter.font());
        // Names at the sides grow outwards, those above and below stay centred.
        const double shift = tile.out.x() * (w / 2 - 4);
        drawText(m_painter, QRectF(at.x() - w / 2 + shift - 1, at.y() - 8, w + 2, 16),
                 Qt::AlignCenter, name);
    }
}

} // namespace cw::views
