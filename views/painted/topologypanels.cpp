// SPDX-License-Identifier: GPL-3.0-or-later
// The panels beside the map: racks of a pod, nodes of a rack, chips of a node.
#include "views/painted/linkstyle.h"
#include "views/painted/paintutil.h"
#include "views/painted/topologypicture.h"

#include <algorithm>
#include <cmath>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMostLinks = 400;
constexpr double kSmallTile = 26.0; ///< below it corners are not round

QColor panelFill(const Theme& theme)
{
    return theme.dark ? QColor(0x1A2331) : theme.card;
}

bool holds(int first, int count, int index)
{
    return index >= first && index < first + count;
}

} // namespace

void TopologyPicture::paintTitle(QPainter& painter, const QPointF& at, double right,
                                 const QString& title, const QString& subtitle,
                                 const Theme& theme) const
{
    painter.setFont(Theme::font(12, true));
    painter.setPen(theme.text);
    const double width = textWidth(title, painter.font());
    drawText(painter, QRectF(at.x(), at.y() + 6, width + 2, 18), Qt::AlignLeft | Qt::AlignVCenter,
             title);
    painter.setFont(Theme::font(10));
    painter.setPen(theme.secondary);
    drawLine(painter, QRectF(at.x() + width + 10, at.y() + 6, right - at.x() - width - 16, 18),
             Qt::AlignLeft | Qt::AlignVCenter, subtitle);
}

void TopologyPicture::paintPanel(QPainter& painter, const QRectF& box, const TopologyPanel& panel,
                                 const Theme& theme) const
{
    if (panel.title.isEmpty() || !box.isValid()) {
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.wash(theme.accent, 0.65), 1));
    painter.setBrush(panelFill(theme));
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintTitle(painter, box.topLeft() + QPointF(12, 0), box.right(), panel.title, panel.subtitle,
               theme);
    paintNotes(painter, box, panel, theme);
}

void TopologyPicture::paintNotes(QPainter& painter, const QRectF& box, const TopologyPanel& panel,
                                 const Theme& theme) const
{
    painter.setFont(Theme::font(10));
    double y = box.bottom() - 17.0 * static_cast<double>(panel.notes.size()) - 6;
    for (qsizetype i = 0; i < panel.notes.size(); ++i) {
        const bool warn = panel.lastNoteIsWarning && i + 1 == panel.notes.size();
        painter.setPen(warn ? theme.warning : theme.text);
        drawLine(painter, QRectF(box.left() + 12, y, box.width() - 20, 16),
                 Qt::AlignLeft | Qt::AlignVCenter, panel.notes[i]);
        y += 17;
    }
}

void TopologyPicture::paintWedges(QPainter& painter, const Layout& l, const Theme& theme) const
{
    const auto chosen = [](const std::vector<Shown>& shown, int index) -> const Shown* {
        for (const auto& s : shown) {
            if (holds(s.first, s.count, index)) {
                return &s;
            }
        }
        return nullptr;
    };
    painter.setRenderHint(QPainter::Antialiasing);
    if (const Shown* r = chosen(l.racks, m_data.pod.selected); r && !m_data.rack.title.isEmpty()) {
        paintWedge(painter, theme,
                   {r->rect.bottomLeft(), l.rack.topLeft() + QPointF(4, 0),
                    l.rack.topRight() - QPointF(4, 0), r->rect.bottomRight()});
    }
    if (const Shown* n = chosen(l.nodes, m_data.rack.selected); n && !m_data.node.title.isEmpty()) {
        const double x = l.tall ? l.rack.left() : l.rack.right();
        const QPointF top = l.tall ? l.node.topRight() : l.node.topLeft();
        const QPointF low = l.tall ? l.node.bottomRight() : l.node.bottomLeft();
        paintWedge(painter, theme,
                   {QPointF(x, n->rect.top()), top + QPointF(0, 4), low - QPointF(0, 4),
                    QPointF(x, n->rect.bottom())});
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void TopologyPicture::paintTile(QPainter& painter, const Shown& tile, bool selected,
                                const Theme& theme) const
{
    QColor fill = theme.chip;
    QColor edge = theme.wash(theme.weak, theme.dark ? 0.4 : 0.5);
    if (tile.look.idle) {
        fill = panelFill(theme);
    }
    if (tile.look.lit) {
        edge = theme.colour(tile.look.series);
        fill = theme.wash(edge, 0.45);
    }
    if (tile.look.alert) {
        edge = theme.warning;
    }
    if (selected) {
        fill = theme.accent;
        edge = theme.text;
    }
    if (tile.rect.width() < kSmallTile && !selected) {
        // Hundreds of round corners a few pixels wide would take most of a frame.
        painter.setRenderHint(QPainter::Antialiasing, false);
        const QRectF box = tile.rect.toRect();
        painter.fillRect(box, edge);
        painter.fillRect(box.adjusted(1, 1, -1, -1), fill);
    } else {
        painter.setRenderHint(QPainter::Antialiasing, tile.rect.width() > 9);
        painter.setPen(QPen(edge, selected ? 2 : 1));
        painter.setBrush(fill);
        const double radius = tile.rect.width() > 10 ? 2.5 : 0.0;
        painter.drawRoundedRect(tile.rect, radius, radius);
    }
    if (tile.look.idle && !selected && tile.rect.width() > 5) {
        hatchRect(painter, tile.rect.adjusted(1, 1, -1, -1), theme.weak);
    }
}

void TopologyPicture::paintRackRow(QPainter& painter, const Shown& n, const Theme& theme) const
{
    const bool selected = holds(n.first, n.count, m_data.rack.selected);
    painter.setPen(QPen(selected     ? theme.text
                        : n.look.lit ? theme.colour(n.look.series)
                                     : theme.border,
                        selected ? 2 : 1));
    painter.setBrush(selected ? theme.selection : theme.dark ? theme.card : theme.window);
    painter.drawRoundedRect(n.rect, 3, 3);
    const int chips = std::min(m_data.rack.chipsPerTile, 16);
    painter.setFont(Theme::font(10, selected));
    const double name = textWidth(n.look.name, painter.font()) + 14;
    const double value =
        n.look.valueText.isEmpty() ? 0 : textWidth(n.look.valueText, painter.font()) + 10;
    const double room = n.rect.width() - name - value - 8;
    const double pitch = chips > 0 ? std::min(16.0, room / chips) : 0.0;
    painter.setPen(Qt::NoPen);
    painter.setBrush(n.look.lit ? theme.colour(n.look.series)
                     : selected ? theme.accent
                                : theme.wash(theme.weak, 0.4));
    for (int c = 0; c < chips && pitch >= 4; ++c) {
        const double h = std::min(14.0, n.rect.height() - 6);
        painter.drawRect(
            QRectF(n.rect.left() + name + pitch * c, n.rect.center().y() - h / 2, pitch - 3, h));
    }
    painter.setPen(theme.text);
    drawText(painter, n.rect.adjusted(8, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, n.look.name);
    painter.setPen(n.look.alert ? theme.warning : theme.text);
    drawText(painter, n.rect.adjusted(0, 0, -7, 0), Qt::AlignRight | Qt::AlignVCenter,
             n.look.valueText);
}

void TopologyPicture::paintRack(QPainter& painter, const Layout& l, const Theme& theme) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    const auto count = static_cast<double>(std::max<std::size_t>(1, l.nodes.size()));
    double i = 0.0;
    for (const auto& n : l.nodes) {
        if (l.backplane.isValid()) {
            painter.setPen(linkPen(n.look.utilization, theme, count > 20 ? 0.6 : 1.0));
            painter.drawLine(QPointF(n.rect.right(), n.rect.center().y()),
                             QPointF(l.backplane.left(),
                                     l.backplane.top() + l.backplane.height() * (i + 0.5) / count));
            i += 1.0;
        }
        paintRackRow(painter, n, theme);
    }
    if (l.backplane.isValid()) {
        painter.setPen(QPen(theme.border, 1));
        painter.setBrush(theme.wash(theme.weak, theme.dark ? 0.4 : 0.25));
        painter.drawRoundedRect(l.backplane, 2, 2);
        painter.save();
        painter.translate(l.backplane.center());
        painter.rotate(-90);
        painter.setPen(theme.text);
        painter.setFont(Theme::font(10));
        const double h = l.backplane.height();
        drawLine(painter, QRectF(-h / 2 + 4, -10, h - 8, 20), Qt::AlignCenter,
                 m_data.rack.fabricName);
        painter.restore();
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void TopologyPicture::paintNodeLinks(QPainter& painter, const Layout& l, const Theme& theme) const
{
    if (l.nodeSwitch.isValid()) {
        for (const auto& chip : l.chips) {
            painter.setPen(linkPen(chip.look.utilization, theme, l.chips.size() > 16 ? 0.5 : 1.0));
            painter.drawLine(QPointF(chip.rect.center().x(), chip.rect.bottom()),
                             QPointF(chip.rect.center().x(), l.nodeSwitch.top()));
        }
        painter.setPen(QPen(theme.border, 1));
        painter.setBrush(theme.wash(theme.weak, theme.dark ? 0.4 : 0.25));
        painter.drawRoundedRect(l.nodeSwitch, 2, 2);
        painter.setPen(theme.text);
        painter.setFont(Theme::font(10));
        drawLine(painter, l.nodeSwitch.adjusted(6, 0, -6, 0), Qt::AlignCenter,
                 m_data.node.fabricName);
        return;
    }
    // A mesh of thousands of links shows those of one chip, and every one that is nearly full.
    const auto& links = m_data.node.links;
    const bool part = links.size() > kMostLinks;
    const int own = std::max(0, m_data.node.selected);
    std::size_t drawn = 0;
    const auto size = static_cast<int>(l.chips.size());
    const double scale = links.size() > 60 ? 0.5 : 0.8;
    for (int band = 0; band < 6; ++band) {
        for (const auto& k : links) {
            if (Theme::band(k.utilization) != band || !holds(0, size, k.from) ||
                !holds(0, size, k.to)) {
                continue;
            }
            const bool wanted = k.from == own || k.to == own || (band >= 4 && drawn < kMostLinks);
            if (part && !wanted) {
                continue;
            }
            ++drawn;
            painter.setPen(linkPen(k.utilization, theme, scale));
            painter.drawLine(l.chips[static_cast<std::size_t>(k.from)].rect.center(),
                             l.chips[static_cast<std::size_t>(k.to)].rect.center());
        }
    }
}

void TopologyPicture::paintNode(QPainter& painter, const Layout& l, const Theme& theme) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    paintNodeLinks(painter, l, theme);
    for (const auto& chip : l.chips) {
        const bool selected = holds(chip.first, chip.count, m_data.node.selected);
        paintTile(painter, chip, selected, theme);
        painter.setFont(Theme::font(11, true));
        if (chip.count == 1 && textWidth(chip.look.name, painter.font()) + 4 < chip.rect.width()) {
            painter.setPen(selected ? theme.onAccent : theme.text);
            drawText(painter, chip.rect, Qt::AlignCenter, chip.look.name);
        }
    }
    paintNodeExtras(painter, l.node, theme);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void TopologyPicture::paintNodeExtras(QPainter& painter, const QRectF& box,
                                      const Theme& theme) const
{
    if (box.height() < kLeastExtras)
        return;
    double x = box.left() + 12;
    const double notes = m_data.node.notes.isEmpty()
                             ? 12.0
                             : 17.0 * static_cast<double>(m_data.node.notes.size()) + 14;
    painter.setFont(Theme::font(10));
    for (const auto& text : m_data.node.extras) {
        const double w = textWidth(text, painter.font()) + 18;
        const QRectF extra(x, box.bottom() - notes - 28, w, 22);
        if (extra.right() > box.right() - 8) {
            break;
        }
        painter.setPen(QPen(theme.border, 1));
        painter.setBrush(theme.chip);
        painter.drawRoundedRect(extra, 3, 3);
        painter.setPen(theme.text);
        drawText(painter, extra, Qt::AlignCenter, text);
        x += w + 8;
    }
}

} // namespace cw::views
