// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/painted/topologypicture.h"

#include "views/painted/paintutil.h"
#include "views/theme/icons.h"

#include <QLineF>
#include <QLocale>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

constexpr int kLevelShift = 24;
constexpr int kIndexMask = (1 << kLevelShift) - 1;
constexpr int kLinkIndex = kIndexMask; ///< a mark of a link, not of a tile
constexpr std::size_t kMostLinks = 400;
constexpr std::size_t kMostLinkMarks = 64;

int tagOf(TopologyLevel level, int index)
{
    return (static_cast<int>(level) << kLevelShift) | (index & kIndexMask);
}

QPen linkPen(double utilization, const Theme& theme, double scale = 1.0)
{
    const int band = Theme::band(utilization);
    QPen pen(theme.bandColour(band), std::max(1.0, Theme::bandWidth(band) * scale));
    pen.setCapStyle(Qt::FlatCap);
    if (band == 5) {
        pen.setDashPattern({2.0, 1.2});
    }
    return pen;
}

QColor panelFill(const Theme& theme)
{
    return theme.dark ? QColor(0x1A2331) : theme.card;
}

bool holds(int first, int count, int index)
{
    return index >= first && index < first + count;
}

} // namespace

TopologyPicture::TopologyPicture(QWidget* parent) : PaintedChart(parent)
{
}

void TopologyPicture::setData(TopologyData figures)
{
    m_data = std::move(figures);
    invalidate();
}

void TopologyPicture::setLit(TopologyLevel level, const std::vector<bool>& lit)
{
    TopologyPanel* const panels[] = {&m_data.site, &m_data.pod, &m_data.rack, &m_data.node};
    auto& tiles = panels[static_cast<std::size_t>(level)]->tiles;
    for (std::size_t i = 0; i < std::min(tiles.size(), lit.size()); ++i)
        tiles[i].lit = lit[i];
    update();
}

TopologyLevel TopologyPicture::levelOf(int tag)
{
    return static_cast<TopologyLevel>((tag >> kLevelShift) & 3);
}

int TopologyPicture::indexOf(int tag)
{
    const int index = tag & kIndexMask;
    return index == kLinkIndex ? -1 : index;
}

void TopologyPicture::paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const
{
    const Layout l = layoutFor(bounds);
    paintPanel(painter, l.site, m_data.site, theme, false);
    paintPanel(painter, l.pod, m_data.pod, theme, true);
    paintPanel(painter, l.rack, m_data.rack, theme, true);
    paintPanel(painter, l.node, m_data.node, theme, true);
    paintWedges(painter, l, theme);
    paintSite(painter, l, theme);
    paintPod(painter, l, theme);
    paintRack(painter, l, theme);
    paintNode(painter, l, theme);
}

void TopologyPicture::paintPanel(QPainter& painter, const QRectF& box, const TopologyPanel& panel,
                                 const Theme& theme, bool framed) const
{
    if (panel.title.isEmpty()) {
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    if (framed) {
        painter.setPen(QPen(theme.wash(theme.accent, 0.65), 1));
        painter.setBrush(panelFill(theme));
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    const double x = box.left() + (framed ? 12 : 0);
    painter.setFont(Theme::font(12, true));
    painter.setPen(theme.text);
    const double width = textWidth(panel.title, painter.font());
    painter.drawText(QRectF(x, box.top() + 6, width + 2, 18), Qt::AlignLeft | Qt::AlignVCenter,
                     panel.title);
    painter.setFont(Theme::font(10));
    painter.setPen(theme.secondary);
    drawLine(painter, QRectF(x + width + 10, box.top() + 6, box.right() - x - width - 16, 18),
             Qt::AlignLeft | Qt::AlignVCenter, panel.subtitle);
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
    QColor wash = theme.accent;
    wash.setAlphaF(theme.dark ? 0.12F : 0.08F);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto wedge = [&](const QPolygonF& shape) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(wash);
        painter.drawPolygon(shape);
        painter.setPen(QPen(theme.wash(theme.accent, 0.55), 1));
        painter.drawLine(shape[0], shape[1]);
        painter.drawLine(shape[3], shape[2]);
    };
    if (const Shown* p = chosen(l.pods, m_data.site.selected); p && !m_data.pod.title.isEmpty()) {
        // Where the ring stands beside a long panel, a short wedge leaves its names free.
        const QPointF low =
            l.tall ? l.pod.topLeft() + QPointF(0, 44) : l.pod.bottomLeft() - QPointF(0, 4);
        wedge(QPolygonF(
            {p->rect.topRight(), l.pod.topLeft() + QPointF(0, 4), low, p->rect.bottomRight()}));
    }
    if (const Shown* r = chosen(l.racks, m_data.pod.selected); r && !m_data.rack.title.isEmpty()) {
        wedge(QPolygonF({r->rect.bottomLeft(), l.rack.topLeft() + QPointF(4, 0),
                         l.rack.topRight() - QPointF(4, 0), r->rect.bottomRight()}));
    }
    if (const Shown* n = chosen(l.nodes, m_data.rack.selected); n && !m_data.node.title.isEmpty()) {
        if (l.tall) {
            const double x = l.rack.left();
            wedge(QPolygonF({QPointF(x, n->rect.top()), l.node.topRight() + QPointF(0, 4),
                             l.node.bottomRight() - QPointF(0, 4), QPointF(x, n->rect.bottom())}));
            painter.setRenderHint(QPainter::Antialiasing, false);
            return;
        }
        const double x = l.rack.right();
        wedge(QPolygonF({QPointF(x, n->rect.top()), l.node.topLeft() + QPointF(0, 4),
                         l.node.bottomLeft() - QPointF(0, 4), QPointF(x, n->rect.bottom())}));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void TopologyPicture::paintTile(QPainter& painter, const Shown& tile, bool selected,
                                const Theme& theme) const
{
    painter.save();
    painter.translate(tile.rect.center());
    painter.rotate(tile.turn);
    painter.translate(-tile.rect.center());
    QColor fill = theme.chip;
    QColor edge = theme.wash(theme.weak, theme.dark ? 0.4 : 0.5);
    if (tile.look.switches) {
        fill = theme.wash(theme.weak, 0.35);
    }
    if (tile.look.lit) {
        fill = theme.selection;
        edge = theme.accent;
    }
    if (tile.look.alert) {
        fill = theme.wash(theme.warning, 0.25);
        edge = theme.warning;
    }
    if (selected) {
        fill = theme.accent;
        edge = theme.text;
    }
    painter.setPen(QPen(edge, selected ? 2 : 1));
    painter.setBrush(fill);
    const double radius = tile.rect.width() > 10 ? 2.5 : 0.0;
    painter.drawRoundedRect(tile.rect, radius, radius);
    painter.restore();
}

void TopologyPicture::paintSite(QPainter& painter, const Layout& l, const Theme& theme) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    // A crowded ring draws thinner lines, or they would run together.
    const double crowd =
        std::clamp(64.0 / static_cast<double>(std::max<std::size_t>(1, l.pods.size())), 0.5, 1.0);
    for (const auto& pod : l.pods) {
        const QPointF out = pod.rect.center() - l.centre;
        const QPointF unit = out / std::max(1.0, std::hypot(out.x(), out.y()));
        painter.setPen(linkPen(pod.look.utilization, theme, crowd));
        painter.drawLine(l.centre + unit * (l.core + 1),
                         l.centre + unit * (l.ring - pod.rect.width() / 2));
    }
    for (const auto& pod : l.pods) {
        paintTile(painter, pod, holds(pod.first, pod.count, m_data.site.selected), theme);
    }
    paintCore(painter, l, theme);
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintPodNames(painter, l, theme);
}

void TopologyPicture::paintCore(QPainter& painter, const Layout& l, const Theme& theme) const
{
    const auto& site = m_data.site;
    const double width = l.core * 0.17;
    const QRectF outer(l.centre.x() - l.core, l.centre.y() - l.core, 2 * l.core, 2 * l.core);
    const QRectF inner = outer.adjusted(width, width, -width, -width);
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(theme.wash(theme.weak, theme.dark ? 0.35 : 0.3));
    painter.drawEllipse(outer);
    const int groups = std::clamp(site.fabricGroups, 1, 64);
    for (int i = 0; i < groups; ++i) {
        const double a = 2 * std::numbers::pi * i / groups;
        const QPointF u(std::sin(a), -std::cos(a));
        painter.setPen(QPen(theme.card, 2));
        painter.drawLine(l.centre + u * (l.core - width), l.centre + u * l.core);
    }
    if (holds(0, groups, site.fabricAlert)) {
        QPainterPath path;
        const double step = 360.0 / groups;
        const double start = 90.0 - step * site.fabricAlert;
        path.arcMoveTo(outer, start);
        path.arcTo(outer, start, -step);
        path.arcTo(inner, start - step, step);
        path.closeSubpath();
        painter.setPen(QPen(theme.warning, 1.5));
        painter.setBrush(theme.wash(theme.warning, 0.35));
        painter.drawPath(path);
    }
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(theme.dark ? theme.card : theme.window);
    painter.drawEllipse(inner);
    const double lines = 16.0 * static_cast<double>(site.fabricLines.size() + 1);
    double y = l.centre.y() - lines / 2;
    painter.setFont(Theme::font(12, true));
    painter.setPen(theme.text);
    drawLine(painter, QRectF(inner.left() + 6, y, inner.width() - 12, 16), Qt::AlignCenter,
             site.fabricName);
    painter.setFont(Theme::font(10));
    for (qsizetype i = 0; i < site.fabricLines.size(); ++i) {
        y += 16;
        const bool warn = site.fabricAlert >= 0 && i + 1 == site.fabricLines.size();
        painter.setPen(warn ? theme.warning : theme.secondary);
        const double w = textWidth(site.fabricLines[i], painter.font());
        if (w > inner.width() - 10)
            continue; // a cut number would mislead
        drawLine(painter, QRectF(inner.left() + 8, y, inner.width() - 16, 16), Qt::AlignCenter,
                 site.fabricLines[i]);
        if (warn && w + 34 < inner.width()) {
            paintIcon(painter, QRectF(l.centre.x() - w / 2 - 17, y + 2, 12, 12), Icon::Warning,
                      theme);
        }
    }
}

void TopologyPicture::paintPodNames(QPainter& painter, const Layout& l, const Theme& theme) const
{
    const auto count = static_cast<int>(l.pods.size());
    const int every = count <= 24 ? 1 : count <= 48 ? 2 : 4;
    const auto besideMarked = [&](int i) {
        for (int d = 1; every > 1 && d <= 2; ++d) {
            for (const int k : {(i + d) % count, (i - d + count) % count}) {
                const auto& pod = l.pods[static_cast<std::size_t>(k)];
                if (pod.look.alert || holds(pod.first, pod.count, m_data.site.selected)) {
                    return true;
                }
            }
        }
        return false;
    };
    for (int i = 0; i < count; ++i) {
        const auto& pod = l.pods[static_cast<std::size_t>(i)];
        const bool chosen = holds(pod.first, pod.count, m_data.site.selected);
        const bool marked = chosen || pod.look.alert;
        if (!marked && (i % every != 0 || besideMarked(i))) {
            continue;
        }
        const QPointF out = (pod.rect.center() - l.centre) / std::max(1.0, l.ring);
        const QPointF at = l.centre + out * (l.ring + pod.rect.width() / 2 + 14);
        const QString name =
            m_data.site.tiles[static_cast<std::size_t>(chosen ? m_data.site.selected : pod.first)]
                .name;
        painter.setFont(Theme::font(chosen ? 11 : 10, chosen));
        painter.setPen(chosen ? theme.accent : pod.look.alert ? theme.warning : theme.secondary);
        const double w = textWidth(name, painter.font());
        // Names at the sides grow outwards, those above and below stay centred.
        const double shift = out.x() * (w / 2 - 4);
        painter.drawText(QRectF(at.x() - w / 2 + shift, at.y() - 8, w + 2, 16), Qt::AlignCenter,
                         name);
    }
}

void TopologyPicture::paintPod(QPainter& painter, const Layout& l, const Theme& theme) const
{
    const auto& pod = m_data.pod;
    if (l.racks.empty()) {
        return;
    }
    painter.setFont(Theme::font(10));
    const QRectF first = l.racks.front().rect;
    const double pitchX =
        l.racks.size() > 1 ? l.racks[1].rect.left() - first.left() : first.width();
    const auto columns = static_cast<std::size_t>(l.podColumns);
    const double pitchY =
        l.racks.size() > columns ? l.racks[columns].rect.top() - first.top() : 1.0;
    painter.setPen(theme.secondary);
    for (qsizetype c = 0; c < pod.columnNames.size() && c < l.podColumns; ++c) {
        const QString& name = pod.columnNames[c];
        const double w = std::max(pitchX, textWidth(name, painter.font()) + 2);
        painter.drawText(QRectF(first.center().x() + pitchX * static_cast<double>(c) - w / 2,
                                first.top() - 18, w, 16),
                         Qt::AlignCenter, name);
    }
    const double step = std::ceil(13.0 / std::max(1.0, pitchY));
    for (qsizetype r = 0; r < pod.rowNames.size(); ++r) {
        const bool own = pod.selected >= 0 && pod.selected / l.podColumns == static_cast<int>(r);
        if (!own && r % static_cast<qsizetype>(step) != 0) {
            continue;
        }
        painter.setFont(Theme::font(10, own));
        painter.setPen(own ? theme.text : theme.secondary);
        painter.drawText(QRectF(first.left() - l.podNames,
                                first.center().y() - 8 + pitchY * static_cast<double>(r),
                                l.podNames - 8, 16),
                         Qt::AlignRight | Qt::AlignVCenter, pod.rowNames[r]);
    }
    const bool large = first.width() > 9 && first.height() > 7;
    painter.setRenderHint(QPainter::Antialiasing, large);
    for (const auto& rack : l.racks) {
        paintTile(painter, rack, holds(rack.first, rack.count, pod.selected), theme);
        const QPointF c = rack.rect.center();
        if (large && rack.look.switches) {
            painter.setPen(QPen(theme.secondary, 1));
            painter.drawLine(c + QPointF(-4, -2), c + QPointF(4, -2));
            painter.drawLine(c + QPointF(-4, 2), c + QPointF(4, 2));
        } else if (large && rack.look.lit) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(holds(rack.first, rack.count, pod.selected) ? theme.onAccent
                                                                         : theme.accent);
            painter.drawEllipse(c, 2.5, 2.5);
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void TopologyPicture::paintRackRow(QPainter& painter, const Shown& n, const Theme& theme) const
{
    const bool selected = holds(n.first, n.count, m_data.rack.selected);
    painter.setPen(QPen(selected     ? theme.text
                        : n.look.lit ? theme.accent
                                     : theme.border,
                        selected ? 2 : 1));
    painter.setBrush(selected || n.look.lit ? theme.selection
                     : theme.dark           ? theme.card
                                            : theme.window);
    painter.drawRoundedRect(n.rect, 3, 3);
    const int chips = std::min(m_data.rack.chipsPerTile, 16);
    painter.setFont(Theme::font(10, selected));
    const double name = textWidth(n.look.name, painter.font()) + 14;
    const double value =
        n.look.valueText.isEmpty() ? 0 : textWidth(n.look.valueText, painter.font()) + 10;
    const double room = n.rect.width() - name - value - 8;
    const double pitch = chips > 0 ? std::min(16.0, room / chips) : 0.0;
    painter.setPen(Qt::NoPen);
    painter.setBrush(selected || n.look.lit ? theme.accent : theme.wash(theme.weak, 0.4));
    for (int c = 0; c < chips && pitch >= 4; ++c) {
        const double h = std::min(14.0, n.rect.height() - 6);
        painter.drawRect(
            QRectF(n.rect.left() + name + pitch * c, n.rect.center().y() - h / 2, pitch - 3, h));
    }
    painter.setPen(theme.text);
    painter.drawText(n.rect.adjusted(8, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, n.look.name);
    painter.setPen(n.look.alert ? theme.warning : theme.text);
    painter.drawText(n.rect.adjusted(0, 0, -7, 0), Qt::AlignRight | Qt::AlignVCenter,
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
            painter.drawText(chip.rect, Qt::AlignCenter, chip.look.name);
        }
    }
    double x = l.node.left() + 12;
    const double notes = m_data.node.notes.isEmpty()
                             ? 12.0
                             : 17.0 * static_cast<double>(m_data.node.notes.size()) + 14;
    painter.setFont(Theme::font(10));
    for (const auto& text : m_data.node.extras) {
        const double w = textWidth(text, painter.font()) + 18;
        const QRectF box(x, l.node.bottom() - notes - 28, w, 22);
        if (box.right() > l.node.right() - 8) {
            break;
        }
        painter.setPen(QPen(theme.border, 1));
        painter.setBrush(theme.chip);
        painter.drawRoundedRect(box, 3, 3);
        painter.setPen(theme.text);
        painter.drawText(box, Qt::AlignCenter, text);
        x += w + 8;
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void TopologyPicture::paintBandLegend(QPainter& painter, const QRectF& rect, const Theme& theme)
{
    static const std::array<QString, 6> kNames = {u"0–20 %"_s,  u"20–40 %"_s,  u"40–60 %"_s,
                                                  u"60–80 %"_s, u"80–100 %"_s, u"> 100 %"_s};
    painter.setFont(Theme::font(10));
    const double w = rect.width() / 2;
    for (int band = 0; band < 6; ++band) {
        const int row = band / 2;
        const double x = rect.left() + w * (band % 2);
        const double y = rect.top() + 17.0 * row + 8;
        painter.setPen(linkPen(band / 5.0 + 0.1, theme));
        painter.drawLine(QPointF(x, y), QPointF(x + 32, y));
        painter.setPen(theme.secondary);
        painter.drawText(QRectF(x + 40, y - 8, w - 40, 16), Qt::AlignLeft | Qt::AlignVCenter,
                         kNames[static_cast<std::size_t>(band)]);
    }
}

std::vector<Mark> TopologyPicture::marks(const QRectF& bounds) const
{
    const Layout l = layoutFor(bounds);
    std::vector<Mark> all;
    const auto add = [&all](const std::vector<Shown>& shown, TopologyLevel level) {
        for (const auto& s : shown) {
            const QString head =
                s.look.valueText.isEmpty() ? s.look.name : s.look.name + u'\t' + s.look.valueText;
            all.push_back({s.rect, s.look.tooltip.isEmpty() ? head : s.look.tooltip,
                           s.look.name + u", "_s + s.look.valueText, s.look.quantity,
                           tagOf(level, s.first), s.turn, true});
        }
    };
    // Links lie below the chips they join, and are met near their middle.
    for (std::size_t i = 0; i < m_data.node.links.size() && i < kMostLinkMarks; ++i) {
        const auto& k = m_data.node.links[i];
        const auto size = static_cast<int>(l.chips.size());
        if (!holds(0, size, k.from) || !holds(0, size, k.to)) {
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
    add(l.pods, TopologyLevel::Site);
    add(l.racks, TopologyLevel::Pod);
    add(l.nodes, TopologyLevel::Rack);
    add(l.chips, TopologyLevel::Node);
    return all;
}

ChartTable TopologyPicture::table() const
{
    ChartTable t;
    t.header = {tr("Level"), tr("Name"), tr("Utilization"), tr("In the group")};
    const auto add = [&t](const TopologyPanel& panel, const QString& level) {
        for (const auto& tile : panel.tiles) {
            t.rows.push_back(
                {level, tile.name, rawNumber(tile.utilization), tile.lit ? tr("yes") : QString()});
        }
    };
    add(m_data.site, tr("Site"));
    add(m_data.pod, tr("Pod"));
    add(m_data.rack, tr("Rack"));
    add(m_data.node, tr("Node"));
    return t;
}

void TopologyPicture::activateMark(const Mark& mark)
{
    if (indexOf(mark.tag) >= 0) {
        Q_EMIT tileClicked(levelOf(mark.tag), indexOf(mark.tag));
    }
}

void TopologyPicture::hoverChanged(int mark)
{
    if (mark < 0) {
        Q_EMIT tileHovered(TopologyLevel::Site, -1);
        return;
    }
    const int tag = currentMarks()[static_cast<std::size_t>(mark)].tag;
    Q_EMIT tileHovered(levelOf(tag), indexOf(tag));
}

void TopologyPicture::paintHover(QPainter& painter, const Mark& mark, const Theme& theme) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    PaintedChart::paintHover(painter, mark, theme);
}

} // namespace cw::views
