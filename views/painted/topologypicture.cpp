// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/painted/topologypicture.h"

#include "views/common/numberformat.h"
#include "views/painted/linkstyle.h"
#include "views/painted/mappainter.h"
#include "views/painted/paintutil.h"
#include "views/painted/wrappedtext.h"
#include "views/text/words.h"

#include <QLineF>
#include <algorithm>
#include <cmath>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

constexpr int kLevelShift = 24;
constexpr int kIndexMask = (1 << kLevelShift) - 1;
constexpr int kLinkIndex = kIndexMask; ///< a mark of a link, not of a tile
constexpr std::size_t kMostLinkMarks = 64;
constexpr std::size_t kMostMapMarks = 200;

int tagOf(TopologyLevel level, int index)
{
    return (static_cast<int>(level) << kLevelShift) | (index & kIndexMask);
}

} // namespace

TopologyPicture::TopologyPicture(QWidget* parent) : PaintedChart(parent)
{
}

void TopologyPicture::setData(TopologyData figures)
{
    const bool other = figures.map.chips != m_data.map.chips ||
                       figures.map.shape != m_data.map.shape ||
                       figures.map.levels.size() != m_data.map.levels.size();
    m_data = std::move(figures);
    // Another machine lies elsewhere: what was in sight is no longer there.
    if (other)
        m_sight = {};
    m_over = {};
    light();
    invalidate();
}

void TopologyPicture::light()
{
    m_layout.reset();
    for (TopologyPanel* panel : {&m_data.pod, &m_data.rack, &m_data.node}) {
        for (TopologyTile& tile : panel->tiles) {
            tile.lit = false;
            for (const MapGroup& group : m_data.map.groups) {
                if (group.holds(tile.first, tile.first + tile.chips)) {
                    tile.lit = true;
                    tile.series = group.series;
                    break;
                }
            }
        }
    }
}

void TopologyPicture::setGroups(std::vector<MapGroup> groups)
{
    m_data.map.groups = std::move(groups);
    light();
    update();
}

void TopologyPicture::setMapOnly(bool only)
{
    m_mapOnly = only;
    m_layout.reset();
    invalidate();
}

MapLayout TopologyPicture::mapLayout(const QRectF& area) const
{
    return {m_data.map, area, m_sight};
}

QRectF TopologyPicture::mapArea() const
{
    return layoutFor(QRectF(rect())).map;
}

QRectF TopologyPicture::rectOfPart(int level, std::int64_t first) const
{
    return mapLayout(mapArea()).rectOf(level, first);
}

MapPart TopologyPicture::partAt(const QPointF& position) const
{
    return isEmpty() ? MapPart{} : mapLayout(mapArea()).at(position);
}

void TopologyPicture::setSight(const MapSight& sight)
{
    if (sight == m_sight)
        return;
    m_sight = sight;
    forgetMarks();
    m_over = {};
    const Layout& l = layoutFor(QRectF(rect()));
    update(movedRect(l));
    Q_EMIT sightChanged();
}

QRect TopologyPicture::movedRect(const Layout& l)
{
    // The wedge reaches over to the panel of the pod, which itself stays.
    const QRectF& s = l.site;
    const double right = l.pod.isValid() ? l.pod.left() : s.right() + 1;
    return QRectF(s.left(), s.top(), right - s.left(), s.height()).toRect();
}

void TopologyPicture::zoomBy(double factor)
{
    const QRectF area = mapArea();
    setSight(mapLayout(area).zoomed(factor, area.center()));
}

void TopologyPicture::zoomToPart(int level, std::int64_t first)
{
    setSight(mapLayout(mapArea()).sightOf(level, first));
}

void TopologyPicture::zoomTo(bool in)
{
    const auto& all = currentMarks();
    const int focused = focusedMark();
    const MapPart part =
        focused < 0 ? MapPart{} : partOf(all[static_cast<std::size_t>(focused)].tag);
    const QRectF area = mapArea();
    const MapLayout layout = mapLayout(area);
    constexpr double kClear = 0.1; ///< a step is at least so much nearer or farther
    constexpr double kInto = 3.0;
    if (in) {
        const MapSight sight = part.level < 0 ? m_sight : layout.sightOf(part.level, part.first);
        // What fills the picture and has thousands of parts is gone into by steps.
        setSight(sight.zoom > m_sight.zoom * (1 + kClear) ? sight
                                                          : layout.zoomed(kInto, area.center()));
        return;
    }
    // Outwards to what holds the middle of the picture.
    const MapPart middle = layout.at(area.center());
    for (int level = middle.level; level >= 0; --level) {
        const MapSight sight = layout.sightOf(level, middle.first);
        if (sight.zoom < m_sight.zoom * (1 - kClear)) {
            setSight(sight);
            return;
        }
    }
    zoomOut();
}

void TopologyPicture::zoomOut()
{
    setSight({});
}

TopologyLevel TopologyPicture::levelOf(int tag)
{
    return static_cast<TopologyLevel>((tag >> kLevelShift) & 7);
}

int TopologyPicture::indexOf(int tag)
{
    const int index = tag & kIndexMask;
    return index == kLinkIndex ? -1 : index;
}

void TopologyPicture::paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const
{
    const Layout& l = layoutFor(bounds);
    if (!m_mapOnly) {
        paintPanel(painter, l.pod, m_data.pod, theme);
        paintPanel(painter, l.rack, m_data.rack, theme);
        paintPanel(painter, l.node, m_data.node, theme);
        paintWedges(painter, l, theme);
    }
    paintSite(painter, l, theme);
    if (!m_mapOnly) {
        paintPod(painter, l, theme);
        paintRack(painter, l, theme);
        paintNode(painter, l, theme);
    }
}

void TopologyPicture::paintSite(QPainter& painter, const Layout& l, const Theme& theme) const
{
    paintTitle(painter, l.site.topLeft(), l.site.right(), m_data.title, m_data.subtitle, theme);
    const MapLayout layout = mapLayout(l.map);
    MapPainter(painter, m_data.map, layout, theme).paint();
    if (!m_mapOnly)
        paintPodWedge(painter, l, theme);
    if (l.histogram.isValid())
        paintHistogram(painter, l.histogram, theme);
}

void TopologyPicture::paintPodWedge(QPainter& painter, const Layout& l, const Theme& theme) const
{
    const auto& map = m_data.map;
    if (map.selected < 0 || m_data.pod.title.isEmpty())
        return;
    const QRectF own = mapLayout(l.map).rectOf(0, map.selected);
    // Over rows of parts it would hide them.
    if (map.shape == MapShape::Rows && own.right() < l.map.right() - l.map.width() * 0.2)
        return;
    if (!l.map.contains(own.center()) || own.height() > l.map.height() / 4)
        return;
    // Where the ring stands beside a long panel, a short wedge leaves its names free.
    const QPointF low =
        l.tall ? l.pod.topLeft() + QPointF(0, 44) : l.pod.bottomLeft() - QPointF(0, 4);
    painter.setRenderHint(QPainter::Antialiasing);
    paintWedge(painter, theme,
               {own.topRight(), l.pod.topLeft() + QPointF(0, 4), low, own.bottomRight()});
    painter.setRenderHint(QPainter::Antialiasing, false);
}

std::vector<QRectF> TopologyPicture::bars(const QRectF& box) const
{
    constexpr double kFoot = 22.0;
    constexpr double kHead = 40.0;
    const auto& links = m_data.histogram.links;
    const double most = links.empty() ? 0.0 : *std::max_element(links.begin(), links.end());
    const double w = std::min(box.width() * 0.58, 360.0) /
                     static_cast<double>(std::max<std::size_t>(1, links.size()));
    const double foot = box.bottom() - kFoot;
    const double high = foot - box.top() - kHead;
    std::vector<QRectF> all;
    for (std::size_t i = 0; i < links.size(); ++i) {
        // A single link among millions is still to be seen.
        const double bar = links[i] > 0 ? std::max(2.0, high * links[i] / most) : 0.0;
        all.emplace_back(box.left() + 12 + w * static_cast<double>(i), foot - bar, w, bar);
    }
    return all;
}

void TopologyPicture::paintHistogram(QPainter& painter, const QRectF& box, const Theme& theme) const
{
    const auto& h = m_data.histogram;
    const auto all = bars(box);
    if (all.empty())
        return;
    const double width = all.back().right() - box.left();
    painter.setFont(Theme::font(10, true));
    painter.setPen(theme.text);
    drawLine(painter, QRectF(box.left(), box.top(), width, 14), Qt::AlignLeft | Qt::AlignVCenter,
             h.title);
    const double foot = all.front().bottom();
    constexpr double kWhole = 1e4;
    QRectF last;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const QRectF& bar = all[i];
        const double use = (static_cast<double>(i) + 0.5) / 10.0;
        if (h.links[i] > 0) {
            const QString count = format(
                h.links[i], h.links[i] < kWhole ? Unit::Integer : Unit::Count, numberLocale());
            painter.fillRect(bar.adjusted(1, 0, -1, 0), theme.bandColour(Theme::band(use)));
            painter.setFont(Theme::font(10));
            painter.setPen(theme.text);
            // Where two counts would touch, the second stands above the first.
            const double wide = textWidth(count, painter.font());
            QRectF room(bar.center().x() - wide / 2, bar.top() - 15, wide, 14);
            if (room.adjusted(-3, 0, 3, 0).intersects(last))
                room.moveBottom(last.top());
            last = room;
            drawText(painter, room, Qt::AlignCenter, count);
        }
        // Below the axis: how a link of that band is drawn.
        painter.setPen(linkPen(use, theme, 0.8));
        painter.drawLine(QPointF(bar.left() + 1, foot + 4), QPointF(bar.right() - 1, foot + 4));
        painter.setFont(Theme::font(10));
        painter.setPen(theme.secondary);
        if (i % 2 == 0)
            drawText(painter, QRectF(bar.left() - 16, foot + 8, 32, 14), Qt::AlignCenter,
                     QString::number(i * 10) + u" %"_s);
    }
    painter.setPen(QPen(theme.border, 1));
    crispH(painter, all.front().left(), all.back().right(), foot);
    const double left = box.left() + width + 20;
    double y = box.top() + 2;
    for (qsizetype i = 0; i < h.notes.size() && y < box.bottom() - 12; ++i) {
        painter.setFont(Theme::font(10, i == 0));
        painter.setPen(i > 0 ? theme.secondary : h.warning ? theme.warning : theme.text);
        const double room = box.right() - left - 4;
        for (const QString& line : wordLines(h.notes[i], painter.font(), room)) {
            if (y > box.bottom() - 12)
                break;
            drawText(painter, QRectF(left, y, room, 14), Qt::AlignLeft | Qt::AlignVCenter, line);
            y += 14;
        }
        y += 2;
    }
}

std::vector<Mark> TopologyPicture::marks(const QRectF& bounds) const
{
    const Layout& l = layoutFor(bounds);
    std::vector<Mark> all;
    const auto add = [&all](const std::vector<Shown>& shown, TopologyLevel level) {
        for (const auto& s : shown)
            all.push_back({s.rect, {}, {}, s.look.quantity, tagOf(level, s.first), 0.0, true});
    };
    int index = 0;
    for (const MapLayout::Seen& seen : mapLayout(l.map).inSight(kMostMapMarks))
        all.push_back(
            {seen.rect, {}, {}, {}, tagOf(TopologyLevel::Site, index++), seen.turn, true});
    // Links lie below the chips they join, and are met near their middle.
    for (std::size_t i = 0; i < m_data.node.links.size() && i < kMostLinkMarks; ++i) {
        const auto& k = m_data.node.links[i];
        const auto size = static_cast<int>(l.chips.size());
        if (k.from < 0 || k.to < 0 || k.from >= size || k.to >= size) {
            continue;
        }
        const QPointF a = l.chips[static_cast<std::size_t>(k.from)].rect.center();
        const QPointF b = l.chips[static_cast<std::size_t>(k.to)].rect.center();
        const QLineF line(a, b);
        const QPointF c = line.center();
        all.push_back({QRectF(c.x() - line.length() * 0.36, c.y() - 4, line.length() * 0.72, 8),
                       k.tooltip, k.tooltip.section(u'\n', 0, 0), k.quantity,
                       tagOf(TopologyLevel::Node, kLinkIndex), -line.angle(), false});
    }
    const auto& h = m_data.histogram;
    const auto columns = l.histogram.isValid() ? bars(l.histogram) : std::vector<QRectF>{};
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto k = static_cast<qsizetype>(i);
        if (h.links[i] <= 0 || k >= h.tips.size())
            continue;
        // The whole column can be met, not only a bar of two pixels.
        QRectF rect = columns[i];
        rect.setTop(std::min(rect.top(), l.histogram.top() + 16));
        all.push_back({rect, h.tips[k], QString(h.tips[k]).replace(u'\n', u", "_s),
                       h.quantities.value(k), tagOf(TopologyLevel::Links, static_cast<int>(i)), 0.0,
                       true});
    }
    add(l.racks, TopologyLevel::Pod);
    add(l.nodes, TopologyLevel::Rack);
    add(l.chips, TopologyLevel::Node);
    return all;
}

MapPart TopologyPicture::partOf(int tag) const
{
    const auto seen = mapLayout(mapArea()).inSight(kMostMapMarks);
    const int index = indexOf(tag);
    return levelOf(tag) == TopologyLevel::Site && index >= 0 &&
                   index < static_cast<int>(seen.size())
               ? seen[static_cast<std::size_t>(index)].part
               : MapPart{};
}

QString TopologyPicture::markTip(const Mark& mark) const
{
    if (!mark.tooltip.isEmpty())
        return mark.tooltip;
    if (const MapPart part = partOf(mark.tag); part.level >= 0)
        return m_data.map.describe ? m_data.map.describe(part)
                                   : MapPainter::nameOf(m_data.map, part.level, part.first);
    const TopologyTile* tile = tileOf(mark.tag);
    if (!tile)
        return {};
    if (tile->tooltip.isEmpty() && m_data.describe)
        return m_data.describe(levelOf(mark.tag), *tile);
    return !tile->tooltip.isEmpty()    ? tile->tooltip
           : tile->valueText.isEmpty() ? tile->name
                                       : tile->name + u'\t' + tile->valueText;
}

QString TopologyPicture::markSpoken(const Mark& mark) const
{
    return mark.accessible.isEmpty() ? markTip(mark).replace(u'\t', u", "_s).replace(u'\n', u", "_s)
                                     : mark.accessible;
}

ChartTable TopologyPicture::table() const
{
    return m_data.tableOf ? m_data.tableOf() : m_data.table;
}

const TopologyTile* TopologyPicture::tileOf(int tag) const
{
    const TopologyPanel* const panels[] = {nullptr, &m_data.pod, &m_data.rack, &m_data.node,
                                           nullptr};
    const auto level = static_cast<std::size_t>(levelOf(tag));
    const TopologyPanel* panel = level < std::size(panels) ? panels[level] : nullptr;
    const int index = indexOf(tag);
    if (!panel || index < 0 || index >= static_cast<int>(panel->tiles.size()))
        return nullptr;
    return &panel->tiles[static_cast<std::size_t>(index)];
}

void TopologyPicture::activateMark(const Mark& mark)
{
    if (const MapPart part = partOf(mark.tag); part.level >= 0) {
        Q_EMIT chipChosen(part.first, part.chips);
    } else if (const TopologyTile* tile = tileOf(mark.tag)) {
        Q_EMIT chipChosen(tile->first, tile->chips);
    }
}

void TopologyPicture::hoverChanged(int mark)
{
    const TopologyTile* tile =
        mark < 0 ? nullptr : tileOf(currentMarks()[static_cast<std::size_t>(mark)].tag);
    const MapPart part =
        mark < 0 ? MapPart{} : partOf(currentMarks()[static_cast<std::size_t>(mark)].tag);
    if (part.level >= 0)
        Q_EMIT chipsHovered(part.first, part.chips);
    else if (tile)
        Q_EMIT chipsHovered(tile->first, tile->chips);
    else
        Q_EMIT chipsHovered(0, 0);
}

void TopologyPicture::paintHover(QPainter& painter, const Mark& mark, const Theme& theme) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    PaintedChart::paintHover(painter, mark, theme);
}

} // namespace cw::views
