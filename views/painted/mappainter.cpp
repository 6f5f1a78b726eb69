// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/painted/mappainter.h"

#include "views/painted/linkstyle.h"
#include "views/painted/paintutil.h"
#include "views/text/words.h"

#include "views/common/numberformat.h"

#include <QPainter>
#include <cmath>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

constexpr double kOwn = 30.0;   ///< parts farther apart than this are drawn one by one
constexpr double kRound = 40.0; ///< parts larger than this have round corners
constexpr double kHuge = 4000.0;
constexpr double kNamed = 42.0; ///< width from which a part bears its name
constexpr double kHeadShare = 0.11;
constexpr double kLeastHead = 12.0;

std::size_t bandOf(const MapLevel& level, std::int64_t first)
{
    return static_cast<std::size_t>(Theme::band(level.of(first)));
}

} // namespace

MapPainter::MapPainter(QPainter& painter, const MapData& map, const MapLayout& layout,
                       const Theme& theme)
    : m_painter(painter), m_map(map), m_layout(layout), m_theme(theme),
      m_sight(layout.area().adjusted(-2, -2, 2, 2))
{
}

QString MapPainter::nameOf(const MapData& map, int level, std::int64_t first)
{
    std::int64_t rest = first;
    for (int l = 0; l < level; ++l)
        rest %= map.levels[static_cast<std::size_t>(l)].chips;
    const MapLevel& own = map.levels[static_cast<std::size_t>(level)];
    return own.prefix + QString::number(rest / own.chips);
}

void MapPainter::paint()
{
    if (m_map.levels.empty())
        return;
    m_painter.save();
    m_painter.setClipRect(m_layout.area(), Qt::IntersectClip);
    if (m_layout.isRing())
        paintRing();
    else
        paintInside(0, 0, m_map.chips, m_layout.root(), m_theme.card);
    m_painter.restore();
}

QColor MapPainter::baseFill(int level) const
{
    static constexpr double kLight[] = {0.10, 0.17, 0.26, 0.38};
    static constexpr double kDark[] = {0.16, 0.24, 0.34, 0.48};
    const auto from = 4 - static_cast<int>(std::min<std::size_t>(4, m_map.levels.size()));
    const auto depth = static_cast<std::size_t>(std::clamp(level + from, 0, 3));
    return m_theme.wash(m_theme.weak, m_theme.dark ? kDark[depth] : kLight[depth]);
}

const MapGroup* MapPainter::groupOf(std::int64_t first, std::int64_t end) const
{
    for (const MapGroup& group : m_map.groups)
        if (group.holds(first, end))
            return &group;
    return nullptr;
}

double MapPainter::worst(std::int64_t part, std::int64_t count) const
{
    const MapLevel& level = m_map.levels[0];
    double most = level.of(part * level.chips);
    for (std::int64_t i = part + 1; i < part + count && !level.each.empty(); ++i) {
        const double use = level.of(i * level.chips);
        most = most >= use ? most : use;
    }
    return most;
}

MapPainter::Range MapPainter::rangeOf(const MapLayout::Grid& grid) const
{
    const auto cell = [](double at, double pitch, std::int64_t count) {
        return static_cast<std::int64_t>(
            std::clamp(std::floor(at / pitch), -1.0, static_cast<double>(count)));
    };
    const QPointF from = m_sight.topLeft() - grid.inner.topLeft();
    const QPointF to = m_sight.bottomRight() - grid.inner.topLeft();
    Range range;
    range.columnFrom = std::max<std::int64_t>(0, cell(from.x(), grid.w, grid.columns));
    range.columnTo = std::min(grid.columns - 1, cell(to.x(), grid.w, grid.columns));
    range.rowFrom = std::max<std::int64_t>(0, cell(from.y(), grid.h, grid.rows));
    range.rowTo = std::min(grid.rows - 1, cell(to.y(), grid.h, grid.rows));
    return range;
}

bool MapPainter::paintInside(int level, std::int64_t first, std::int64_t chips, const QRectF& rect,
                             const QColor& ground)
{
    if (level >= static_cast<int>(m_map.levels.size()))
        return false;
    Sheet sheet;
    sheet.grid = m_layout.grid(level, rect);
    if (sheet.grid.pitch() < MapLayout::kLeast)
        return false;
    const std::int64_t size = m_map.levels[static_cast<std::size_t>(level)].chips;
    sheet.level = level;
    sheet.first = first;
    sheet.chips = chips;
    sheet.count = (chips + size - 1) / size;
    sheet.range = rangeOf(sheet.grid);
    sheet.range.rowTo = std::min(sheet.range.rowTo, (sheet.count - 1) / sheet.grid.columns);
    sheet.ground = ground;
    if (sheet.range.isEmpty())
        return true;
    paintCables(sheet);
    if (sheet.grid.pitch() < kOwn) {
        paintSheet(sheet);
        return true;
    }
    for (std::int64_t row = sheet.range.rowFrom; row <= sheet.range.rowTo; ++row) {
        for (std::int64_t c = sheet.range.columnFrom; c <= sheet.range.columnTo; ++c) {
            const std::int64_t index = row * sheet.grid.columns + c;
            if (index >= sheet.count)
                break;
            paintPart(level, first + index * size, std::min(size, chips - index * size),
                      sheet.grid.tile(index));
        }
    }
    return true;
}

void MapPainter::paintSheet(const Sheet& s)
{
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    const std::int64_t whole = s.count / s.grid.columns; // rows without a gap at their end
    const auto block = [&](std::int64_t rowFrom, std::int64_t rowTo, std::int64_t columnTo) {
        if (rowFrom > rowTo || columnTo < s.range.columnFrom)
            return;
        const QRectF a = s.grid.tile(rowFrom * s.grid.columns + s.range.columnFrom);
        const QRectF b = s.grid.tile(rowTo * s.grid.columns + columnTo);
        const QRectF all = QRectF(a.topLeft(), b.bottomRight()) & m_sight;
        m_painter.fillRect(all, baseFill(s.level));
        ruleGaps(s, all);
    };
    block(s.range.rowFrom, std::min(s.range.rowTo, whole - 1), s.range.columnTo);
    if (s.range.rowTo >= whole)
        block(whole, whole, std::min(s.range.columnTo, s.count - whole * s.grid.columns - 1));
    paintMarked(s);
}

void MapPainter::ruleGaps(const Sheet& s, const QRectF& block)
{
    const MapLayout::Grid& g = s.grid;
    const double wide = std::max(1.0, g.gapX);
    for (std::int64_t c = s.range.columnFrom; c < s.range.columnTo; ++c) {
        const double x = g.inner.left() + static_cast<double>(c + 1) * g.w - wide / 2;
        if (x < block.right())
            m_painter.fillRect(QRectF(x, block.top(), wide, block.height()), s.ground);
    }
    const double high = std::max(1.0, g.gapY);
    for (std::int64_t r = s.range.rowFrom; r < s.range.rowTo; ++r) {
        const double y = g.inner.top() + static_cast<double>(r + 1) * g.h - g.gapY * 0.7;
        if (y >= block.top() && y < block.bottom())
            m_painter.fillRect(QRectF(block.left(), y, block.width(), high), s.ground);
    }
}

void MapPainter::paintMarked(const Sheet& s)
{
    const std::int64_t size = m_map.levels[static_cast<std::size_t>(s.level)].chips;
    const auto inSight = [&s](std::int64_t index) {
        const std::int64_t column = index % s.grid.columns;
        return column >= s.range.columnFrom && column <= s.range.columnTo;
    };
    const std::int64_t from = s.range.rowFrom * s.grid.columns;
    const std::int64_t to = std::min(s.count, (s.range.rowTo + 1) * s.grid.columns);
    if (m_map.domainUsed < m_map.domain || m_map.used < m_map.chips) {
        for (std::int64_t i = from; i < to; ++i) {
            const std::int64_t chip = s.first + i * size;
            if (inSight(i) && m_map.idle(chip, std::min(chip + size, m_map.chips))) {
                const QRectF tile = s.grid.tile(i);
                m_painter.fillRect(tile, s.ground);
                m_painter.fillRect(QRectF(tile.left(), tile.center().y(), tile.width(), 1),
                                   m_theme.weak); // struck through: no work
            }
        }
    }
    // The first group has the last word.
    for (auto group = m_map.groups.rbegin(); group != m_map.groups.rend(); ++group) {
        const QColor colour = m_theme.colour(group->series);
        std::int64_t last = -1;
        for (auto chip =
                 std::lower_bound(group->chips.begin(), group->chips.end(), s.first + from * size);
             chip != group->chips.end() && *chip < s.first + to * size; ++chip) {
            const std::int64_t index = (*chip - s.first) / size;
            if (index != last && inSight(index))
                m_painter.fillRect(s.grid.tile(index), colour);
            last = index;
        }
    }
    const std::int64_t own = m_map.selected >= s.first ? (m_map.selected - s.first) / size : -1;
    if (own >= from && own < to && inSight(own)) {
        m_painter.fillRect(s.grid.tile(own).adjusted(-1, -1, 1, 1), m_theme.text);
        m_painter.fillRect(s.grid.tile(own).adjusted(1, 1, -1, -1), m_theme.accent);
    }
}

void MapPainter::paintBody(const QRectF& rect, const QColor& fill, const QColor& edge, double width)
{
    const double size = std::min(rect.width(), rect.height());
    if (size < kRound || std::max(rect.width(), rect.height()) > kHuge) {
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        m_painter.fillRect(rect & m_sight, edge);
        m_painter.fillRect(rect.adjusted(width, width, -width, -width) & m_sight, fill);
        return;
    }
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setPen(QPen(edge, width));
    m_painter.setBrush(fill);
    m_painter.drawRoundedRect(rect, 3, 3);
    m_painter.setRenderHint(QPainter::Antialiasing, false);
}

void MapPainter::paintPart(int level, std::int64_t first, std::int64_t chips, const QRectF& rect)
{
    if (!rect.intersects(m_sight))
        return;
    const int next = level + 1;
    const bool inside = next < static_cast<int>(m_map.levels.size()) &&
                        m_layout.grid(next, rect).pitch() >= MapLayout::kLeast;
    const MapGroup* group = groupOf(first, first + chips);
    const bool idle = m_map.idle(first, first + chips);
    const bool own = holdsSelected(first, chips);
    QColor fill = idle ? m_theme.card : baseFill(level);
    QColor edge = m_theme.wash(m_theme.weak, m_theme.dark ? 0.45 : 0.5);
    if (group) {
        edge = m_theme.colour(group->series);
        if (!inside)
            fill = edge;
    }
    if (own) {
        edge = inside ? m_theme.accent : m_theme.text;
        if (!inside)
            fill = m_theme.accent;
    }
    paintBody(rect, fill, edge, own || (group && inside) ? 2.0 : 1.0);
    if (idle && !inside)
        hatchRect(m_painter, rect.adjusted(2, 2, -2, -2) & m_sight, m_theme.weak);
    if (inside)
        paintInside(next, first, chips, rect, fill);
    paintLabels(level, first, chips, rect, inside, fill);
}

void MapPainter::paintLabels(int level, std::int64_t first, std::int64_t chips, const QRectF& rect,
                             bool inside, const QColor& fill)
{
    const double head = rect.height() * kHeadShare;
    if (rect.width() < kNamed || (inside ? head < kLeastHead : rect.height() < 15))
        return;
    const QString name = nameOf(m_map, level, first);
    if (inside) {
        const double left = std::max(rect.left(), m_sight.left()) + 6;
        const QRectF line(left, rect.top() + 1, rect.right() - left - 6, head);
        m_painter.setFont(Theme::font(std::clamp(head * 0.75, 10.0, 13.0), true));
        m_painter.setPen(m_theme.text);
        drawText(m_painter, line, Qt::AlignLeft | Qt::AlignVCenter, name);
        const double use = m_map.levels[static_cast<std::size_t>(level)].of(first);
        if (std::isfinite(use) && rect.width() > 110) {
            m_painter.setFont(Theme::font(10));
            drawText(m_painter, line, Qt::AlignRight | Qt::AlignVCenter,
                     format(use, Unit::Percent, numberLocale()));
        }
        return;
    }
    m_painter.setFont(Theme::font(10, true));
    m_painter.setPen(Theme::textOn(fill));
    QString in;
    for (const MapGroup& group : m_map.groups)
        if (group.holds(first, first + chips))
            in += (in.isEmpty() ? QString() : u" "_s) + group.name;
    const bool two = !in.isEmpty() && rect.height() > 34;
    drawText(m_painter, two ? rect.adjusted(0, 0, 0, -rect.height() / 2) : rect,
             (two ? Qt::AlignBottom : Qt::AlignVCenter) | Qt::AlignHCenter, name);
    if (two) {
        m_painter.setFont(Theme::font(9.5));
        drawText(m_painter, rect.adjusted(0, rect.height() / 2, 0, 0),
                 Qt::AlignTop | Qt::AlignHCenter, in);
    }
}

void MapPainter::drawLines(const Bands& bands, double pitch)
{
    for (std::size_t band = 0; band < bands.size(); ++band) {
        if (bands[band].empty())
            continue;
        m_painter.setPen(linkPen((static_cast<double>(band) + 0.5) / 5.0, m_theme,
                                 std::clamp(pitch / 60.0, 0.2, 1.0)));
        m_painter.drawLines(bands[band].data(), static_cast<int>(bands[band].size()));
    }
}

void MapPainter::paintCables(const Sheet& s)
{
    constexpr double kCabled = 14.0; // closer, cables and gaps are one
    if (s.grid.pitch() < kCabled)
        return;
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    switch (m_map.levels[static_cast<std::size_t>(s.level)].cables) {
    case MapCables::None:
        break;
    case MapCables::Up:
        paintUplinks(s);
        break;
    case MapCables::Ring:
        paintNeighbours(s);
        break;
    case MapCables::Mesh:
        paintMesh(s);
        break;
    }
}

void MapPainter::paintUplinks(const Sheet& s)
{
    const MapLevel& level = m_map.levels[static_cast<std::size_t>(s.level)];
    Bands stubs;
    m_painter.setPen(QPen(m_theme.wash(m_theme.weak, 0.6), 1));
    for (std::int64_t row = s.range.rowFrom; row <= s.range.rowTo; ++row) {
        const std::int64_t end = std::min(s.range.columnTo, s.count - row * s.grid.columns - 1);
        if (end < s.range.columnFrom)
            continue;
        double bus = 0.0;
        for (std::int64_t c = s.range.columnFrom; c <= end; ++c) {
            const std::int64_t index = row * s.grid.columns + c;
            const QRectF tile = s.grid.tile(index);
            bus = tile.bottom() + s.grid.gapY * 0.5;
            stubs[bandOf(level, s.first + index * level.chips)].emplace_back(
                tile.center().x(), tile.bottom(), tile.center().x(), bus);
        }
        const double from = s.grid.tile(row * s.grid.columns + s.range.columnFrom).center().x();
        const double to = s.grid.tile(row * s.grid.columns + end).center().x();
        m_painter.drawLine(QPointF(from, bus), QPointF(to, bus));
    }
    drawLines(stubs, s.grid.pitch());
}

void MapPainter::paintNeighbours(const Sheet& s)
{
    const MapLevel& level = m_map.levels[static_cast<std::size_t>(s.level)];
    Bands lines;
    for (std::int64_t row = s.range.rowFrom; row <= s.range.rowTo; ++row) {
        for (std::int64_t c = s.range.columnFrom; c <= s.range.columnTo; ++c) {
            const std::int64_t index = row * s.grid.columns + c;
            if (index >= s.count)
                break;
            const QRectF t = s.grid.tile(index);
            auto& to = lines[bandOf(level, s.first + index * level.chips)];
            auto& down = std::isfinite(level.across)
                             ? lines[static_cast<std::size_t>(Theme::band(level.across))]
                             : to;
            // Half a cable each way; at the edge it goes on at the other end of the axis.
            const QPointF m = t.center();
            to.emplace_back(t.right(), m.y(), t.right() + s.grid.gapX / 2, m.y());
            to.emplace_back(t.left(), m.y(), t.left() - s.grid.gapX / 2, m.y());
            if (level.twoAxes) {
                down.emplace_back(m.x(), t.bottom(), m.x(), t.bottom() + s.grid.gapY * 0.7);
                down.emplace_back(m.x(), t.top(), m.x(), t.top() - s.grid.gapY * 0.3);
            }
        }
    }
    drawLines(lines, s.grid.pitch());
}

void MapPainter::paintMesh(const Sheet& s)
{
    const MapLevel& level = m_map.levels[static_cast<std::size_t>(s.level)];
    Bands bands;
    auto& lines = bands[bandOf(level, s.first)];
    auto& down = std::isfinite(level.across)
                     ? bands[static_cast<std::size_t>(Theme::band(level.across))]
                     : lines;
    const auto tileAt = [&s](std::int64_t row, std::int64_t column) {
        return s.grid.tile(row * s.grid.columns + column);
    };
    const std::int64_t lastRow = s.range.rowTo;
    for (std::int64_t row = s.range.rowFrom; row <= lastRow; ++row) {
        const std::int64_t end = std::min(s.range.columnTo, s.count - row * s.grid.columns - 1);
        if (end < s.range.columnFrom)
            break;
        const double y = tileAt(row, end).bottom() + s.grid.gapY * 0.3;
        lines.emplace_back(tileAt(row, s.range.columnFrom).center().x(), y,
                           tileAt(row, end).center().x(), y);
        for (std::int64_t c = s.range.columnFrom; c <= end; ++c) {
            const QRectF t = tileAt(row, c);
            lines.emplace_back(t.center().x(), t.bottom(), t.center().x(), y);
            if (level.twoAxes)
                down.emplace_back(t.right(), t.center().y(), t.right() + s.grid.gapX * 0.5,
                                  t.center().y());
        }
    }
    for (std::int64_t c = s.range.columnFrom; level.twoAxes && c <= s.range.columnTo; ++c) {
        const QRectF a = tileAt(s.range.rowFrom, c);
        const QRectF b = tileAt(lastRow, c);
        const double x = a.right() + s.grid.gapX * 0.5;
        down.emplace_back(x, a.center().y(), x, b.center().y());
    }
    drawLines(bands, s.grid.pitch());
}

} // namespace cw::views
