// SPDX-License-Identifier: GPL-3.0-or-later
// The panel of one pod: its racks by pipeline stage and group, the switches in their middle.
#include "views/painted/linkstyle.h"
#include "views/painted/paintutil.h"
#include "views/painted/topologypicture.h"

#include <QLineF>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

constexpr double kHead = 15.0;       ///< line of the columns' names
constexpr double kMostLabels = 0.42; ///< share of the panel that the rows' names may take
constexpr double kLeastPanel = 120.0;
constexpr double kRoomy = 44.0; ///< a rack higher than this shows its nodes
constexpr int kMostSwitches = 4;

QString rangeText(std::int64_t first, std::int64_t last)
{
    return first == last ? QString::number(first)
                         : QString::number(first) + u'–' + QString::number(last);
}

bool holds(int first, int count, int index)
{
    return index >= first && index < first + count;
}

/// First and last stage of the racks that hold ranks.
std::pair<std::int64_t, std::int64_t> stagesOf(const std::vector<TopologyTile>& racks)
{
    std::pair<std::int64_t, std::int64_t> range{-1, -1};
    for (const TopologyTile& rack : racks)
        if (rack.stage >= 0)
            range = {range.first < 0 ? rack.stage : std::min(range.first, rack.stage),
                     std::max(range.second, rack.stage)};
    return range;
}

} // namespace

std::vector<TopologyPicture::Row> TopologyPicture::rowsOf(const Layout& l,
                                                          const std::vector<int>& rowOf)
{
    std::vector<Row> rows;
    for (std::size_t i = 0; i < l.racks.size(); ++i) {
        const auto at = static_cast<std::size_t>(rowOf[i]);
        rows.resize(std::max(rows.size(), at + 1));
        Row& row = rows[at];
        const TopologyTile& look = l.racks[i].look;
        row.y = l.racks[i].rect.center().y();
        if (look.groupFirst < 0)
            continue;
        row.low = row.low < 0 ? look.groupFirst : std::min(row.low, look.groupFirst);
        row.high = std::max(row.high, look.groupLast);
    }
    return rows;
}

int TopologyPicture::podColumns(const QRectF& area, int count) const
{
    const auto& pod = m_data.pod;
    if (pod.columns > 0)
        return pod.columns;
    if (pod.byStage && count == static_cast<int>(pod.tiles.size())) {
        const auto [low, high] = stagesOf(pod.tiles);
        return static_cast<int>(std::max<std::int64_t>(1, high - low + 1));
    }
    // Few racks are wide, so that their nodes can be drawn in them.
    const double shape = count <= 12 ? 0.7 : 0.85;
    constexpr double kSides = 62.0; // names of rows, switches
    const double width = std::max(area.width() * 0.5, area.width() - kSides);
    const double aspect = width / std::max(1.0, area.height());
    const int wanted =
        std::clamp(static_cast<int>(std::ceil(std::sqrt(count * aspect * shape))), 1, count);
    // Rows of whole groups, or groups of whole rows; all rows full where a number near it does so.
    const int together = std::max(1, pod.together);
    if (together <= wanted) {
        const int low = std::max(together, wanted * 3 / 4);
        const int high = std::min(count, wanted * 5 / 4);
        for (int away = 0; away <= std::max(high - wanted, wanted - low); ++away)
            for (const int columns : {wanted + away, wanted - away})
                if (columns >= low && columns <= high && columns % together == 0 &&
                    count % columns == 0)
                    return columns;
        return wanted / together * together;
    }
    for (int columns = wanted; columns > wanted / 2; --columns)
        if (together % columns == 0)
            return columns;
    return wanted;
}

void TopologyPicture::placeColumns(Layout& l, int columns, const QRectF& area) const
{
    const auto& pod = m_data.pod;
    const int count = static_cast<int>(l.racks.size());
    const bool labelled = count == static_cast<int>(pod.tiles.size()) && area.width() > kLeastPanel;
    std::vector<int> columnOf;
    std::vector<int> rowOf;
    std::vector<int> next(static_cast<std::size_t>(std::max(1, columns)), 0);
    const std::int64_t base = stagesOf(pod.tiles).first;
    int rows = 1;
    for (int i = 0; i < count; ++i) {
        const std::int64_t stage = l.racks[static_cast<std::size_t>(i)].look.stage;
        const auto emptiest = std::min_element(next.begin(), next.end()) - next.begin();
        const int column =
            !pod.byStage || !labelled ? i % columns
            : stage < 0               ? static_cast<int>(emptiest)
                        : static_cast<int>(std::min<std::int64_t>(stage - base, columns - 1));
        columnOf.push_back(column);
        rowOf.push_back(next[static_cast<std::size_t>(column)]++);
        rows = std::max(rows, rowOf.back() + 1);
    }
    double labels = 0.0;
    if (labelled && !pod.rowHead.isEmpty())
        for (const Row& row : rowsOf(l, rowOf))
            labels = std::max(labels, textWidth(pod.rowHead + u' ' + rangeText(row.low, row.high),
                                                Theme::font(10, true)) +
                                          8);
    if (labels > area.width() * kMostLabels)
        labels = 0.0;
    const double head = labelled && pod.byStage ? kHead : 0.0;
    const bool middle = pod.switches > 0 && columns >= 2 && area.width() > kLeastPanel;
    const double band = middle ? std::clamp(area.width() * 0.15, 18.0, 84.0) : 0.0;
    const double most = count <= 12 ? 190.0 : std::clamp(220.0 / std::sqrt(count), 44.0, 96.0);
    const double w = std::min(most, (area.width() - labels - band) / columns);
    const double h = std::min({most * 0.9, (area.height() - head) / rows, std::max(w * 2.2, 14.0)});
    const double gap = w > 10 && h > 8 ? 3.0 : 1.0;
    const int left = (columns + 1) / 2;
    for (int i = 0; i < count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const double x = area.left() + labels + w * columnOf[k] + (columnOf[k] < left ? 0 : band);
        l.racks[k].rect = QRectF(x, area.top() + head + h * rowOf[k], w - gap, h - gap);
    }
    if (middle) {
        const int each = std::clamp(static_cast<int>(band / 19), 1, kMostSwitches);
        const double from = area.left() + labels + w * left + 3;
        const double step = (band - 8) / each;
        for (int row = 0; row < rows; ++row)
            for (int i = 0; i < each; ++i)
                l.switches.emplace_back(from + step * i, area.top() + head + h * row, step - 2,
                                        h - gap);
    }
    placeLabels(l, columnOf, rowOf, labels);
}

void TopologyPicture::placeLabels(Layout& l, const std::vector<int>& columnOf,
                                  const std::vector<int>& rowOf, double labels) const
{
    const auto& pod = m_data.pod;
    const bool labelled = l.racks.size() == pod.tiles.size();
    if (l.racks.empty() || !labelled)
        return;
    const auto own = static_cast<std::size_t>(
        std::clamp<int>(pod.selected, 0, static_cast<int>(l.racks.size()) - 1));
    const QRectF first = l.racks.front().rect;
    if (pod.byStage) {
        // Names that would touch are left out evenly.
        const double widest = textWidth(u"000"_s, Theme::font(10));
        const int every = std::max(1, static_cast<int>(std::ceil(widest / (first.width() + 3))));
        for (std::size_t i = 0; i < l.racks.size(); ++i) {
            const bool chosen = columnOf[i] == columnOf[own];
            if (rowOf[i] != 0 || (columnOf[i] % every != 0 && !chosen))
                continue;
            const QRectF& r = l.racks[i].rect;
            l.podLabels.push_back({QRectF(r.center().x() - 20, r.top() - kHead, 40, 13),
                                   QString::number(l.racks[i].look.stage), Qt::AlignCenter,
                                   chosen});
        }
        l.podLabels.push_back(
            {QRectF(first.left() - labels, first.top() - kHead, std::max(0.0, labels - 6), 13),
             pod.columnHead, Qt::AlignRight | Qt::AlignVCenter, false});
    }
    if (labels <= 0)
        return;
    const int every =
        std::max(1, static_cast<int>(std::ceil(13.0 / std::max(1.0, first.height() + 3))));
    const auto rows = rowsOf(l, rowOf);
    QString last; // rows of one group carry its name once
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool chosen = static_cast<int>(i) == rowOf[own];
        const bool beside = std::abs(static_cast<int>(i) - rowOf[own]) < every && !chosen;
        if (rows[i].low < 0 ||
            (!chosen && (static_cast<int>(i) % every != 0 || (every > 1 && beside))))
            continue;
        const QString name = pod.rowHead + u' ' + rangeText(rows[i].low, rows[i].high);
        if (name == last && !chosen)
            continue;
        last = name;
        l.podLabels.push_back({QRectF(first.left() - labels, rows[i].y - 7, labels - 6, 14), name,
                               Qt::AlignRight | Qt::AlignVCenter, chosen});
    }
}

void TopologyPicture::paintPodFrame(QPainter& painter, const Layout& l, const Theme& theme) const
{
    for (const Label& label : l.podLabels) {
        painter.setFont(Theme::font(10, label.own));
        painter.setPen(label.own ? theme.text : theme.secondary);
        drawText(painter, label.rect, label.align, label.text);
    }
    if (l.switches.empty())
        return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    std::vector<QLineF> slots;
    const QColor fill = theme.wash(theme.weak, theme.dark ? 0.4 : 0.25);
    for (const QRectF& rect : l.switches) {
        painter.fillRect(rect.toRect(), theme.border);
        painter.fillRect(rect.toRect().adjusted(1, 1, -1, -1), fill);
        for (const double at : {0.36, 0.64})
            if (rect.height() >= 9)
                slots.emplace_back(rect.left() + 3, rect.top() + rect.height() * at,
                                   rect.right() - 3, rect.top() + rect.height() * at);
    }
    painter.setPen(QPen(theme.wash(theme.weak, 0.8), 1));
    painter.drawLines(slots.data(), static_cast<int>(slots.size()));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void TopologyPicture::paintPodPath(QPainter& painter, const Layout& l, const Theme& theme) const
{
    for (const MapGroup& group : m_data.map.groups) {
        if (!group.path)
            continue;
        QPolygonF way;
        for (const Shown& rack : l.racks)
            if (group.holds(rack.look.first, rack.look.first + rack.look.chips))
                way << rack.rect.center();
        if (way.size() < 2)
            continue;
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.colour(group.series), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(way);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
}

void TopologyPicture::paintNodesOf(QPainter& painter, const Shown& rack, const Theme& theme) const
{
    const int nodes = m_data.pod.nodesPerTile;
    const int chips = m_data.rack.chipsPerTile;
    if (nodes < 1 || chips < 1)
        return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    const QRectF in = rack.rect.adjusted(8, 20, -8, -8);
    const double h = std::min(18.0, in.height() / nodes);
    if (h < 3 || in.width() < 16)
        return;
    for (int n = 0; n < nodes; ++n) {
        const std::int64_t first = rack.look.first + static_cast<std::int64_t>(n) * chips;
        if (first >= rack.look.first + rack.look.chips)
            break;
        QColor fill = theme.wash(theme.weak, 0.35);
        for (const MapGroup& group : m_data.map.groups)
            if (group.holds(first, first + chips)) {
                fill = theme.colour(group.series);
                break;
            }
        if (m_data.map.selected >= first && m_data.map.selected < first + chips)
            fill = theme.accent;
        const double gap = h > 5 ? 2.0 : 1.0;
        painter.fillRect(QRectF(in.left(), in.top() + h * n, in.width(), h - gap), fill);
    }
}

void TopologyPicture::paintPod(QPainter& painter, const Layout& l, const Theme& theme) const
{
    if (l.racks.empty())
        return;
    paintPodFrame(painter, l, theme);
    const QRectF first = l.racks.front().rect;
    const bool large = first.width() > 9 && first.height() > 7;
    const bool roomy = l.racks.size() <= 12 && first.height() > kRoomy;
    for (const auto& rack : l.racks) {
        const bool own = holds(rack.first, rack.count, m_data.pod.selected);
        if (roomy) {
            paintRoomyRack(painter, rack, own, theme);
            continue;
        }
        paintTile(painter, rack, own, theme);
    }
    if (!roomy && m_data.pod.byStage)
        paintPodPath(painter, l, theme);
    if (!roomy && large)
        paintPodMarks(painter, l, theme);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void TopologyPicture::paintPodMarks(QPainter& painter, const Layout& l, const Theme& theme) const
{
    std::map<QRgb, std::vector<QPointF>> dots;
    std::array<std::vector<QLineF>, 6> uses;
    for (const auto& rack : l.racks) {
        const QRectF& r = rack.rect;
        const bool own = holds(rack.first, rack.count, m_data.pod.selected);
        if (rack.look.lit)
            dots[(own ? theme.onAccent : theme.colour(rack.look.series)).rgb()].push_back(
                r.center());
        if (std::isfinite(rack.look.utilization) && r.height() > 14)
            uses[static_cast<std::size_t>(Theme::band(rack.look.utilization))].emplace_back(
                r.left() + 3, r.bottom() - 2, r.right() - 2, r.bottom() - 2);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (std::size_t band = 0; band < uses.size(); ++band) {
        if (uses[band].empty())
            continue;
        painter.setPen(linkPen((static_cast<double>(band) + 0.5) / 5.0, theme, 0.7));
        painter.drawLines(uses[band].data(), static_cast<int>(uses[band].size()));
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const auto& [colour, at] : dots) {
        painter.setPen(QPen(QColor::fromRgb(colour), 5, Qt::SolidLine, Qt::RoundCap));
        painter.drawPoints(at.data(), static_cast<int>(at.size()));
    }
}

void TopologyPicture::paintRoomyRack(QPainter& painter, const Shown& rack, bool own,
                                     const Theme& theme) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(own             ? theme.text
                        : rack.look.lit ? theme.colour(rack.look.series)
                                        : theme.border,
                        own ? 2 : 1));
    painter.setBrush(own ? theme.selection : theme.dark ? theme.card : theme.window);
    painter.drawRoundedRect(rack.rect, 3, 3);
    painter.setFont(Theme::font(10, own));
    painter.setPen(theme.text);
    const QRectF line(rack.rect.left() + 8, rack.rect.top() + 3, rack.rect.width() - 16, 15);
    drawText(painter, line, Qt::AlignLeft | Qt::AlignVCenter, rack.look.name);
    if (textWidth(rack.look.name + rack.look.valueText, painter.font()) + 12 < line.width())
        drawText(painter, line, Qt::AlignRight | Qt::AlignVCenter, rack.look.valueText);
    if (rack.look.idle)
        hatchRect(painter, rack.rect.adjusted(8, 20, -8, -8), theme.weak);
    else
        paintNodesOf(painter, rack, theme);
    painter.setRenderHint(QPainter::Antialiasing);
}

} // namespace cw::views
