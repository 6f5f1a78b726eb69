// SPDX-License-Identifier: GPL-3.0-or-later
// Where the panels of the topology picture lie, and what is merged when there is too much.
#include "views/painted/paintutil.h"
#include "views/painted/topologypicture.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMostRacks = 1024;
constexpr int kMostChips = 128;
constexpr double kHead = 30.0;
constexpr double kPad = 12.0;
constexpr double kNote = 17.0;
constexpr double kLeastRow = 15.0;
constexpr double kTall = 1.25;       ///< narrower than this times the height: site above the rest
constexpr double kHistogram = 100.0; ///< its height, where there is so much to spare
constexpr double kSpare = 400.0;

// Merges runs of tiles so that at most `most` are drawn; the worst link speaks for the run.
template <typename Shown>
std::vector<Shown> merged(const std::vector<TopologyTile>& tiles, int most)
{
    const int total = static_cast<int>(tiles.size());
    const int run = std::max(1, (total + most - 1) / std::max(1, most));
    std::vector<Shown> shown;
    for (int first = 0; first < total; first += run) {
        Shown s;
        s.first = first;
        s.count = std::min(run, total - first);
        s.look = tiles[static_cast<std::size_t>(first)];
        for (int i = first + 1; i < first + s.count; ++i) {
            const auto& t = tiles[static_cast<std::size_t>(i)];
            s.look.series = s.look.lit ? s.look.series : t.series;
            s.look.lit = s.look.lit || t.lit;
            s.look.alert = s.look.alert || t.alert;
            s.look.idle = s.look.idle && t.idle;
            s.look.chips += t.chips;
            if (!(s.look.utilization >= t.utilization) && std::isfinite(t.utilization)) {
                s.look.utilization = t.utilization;
                s.look.valueText = t.valueText;
                s.look.tooltip = t.tooltip;
                s.look.quantity = t.quantity;
            }
        }
        if (s.count > 1) {
            const int last = first + s.count - 1;
            s.look.name += u" – "_s + tiles[static_cast<std::size_t>(last)].name;
        }
        shown.push_back(s);
    }
    return shown;
}

QRectF picture(const QRectF& panel, const QStringList& notes)
{
    const double foot = notes.isEmpty() ? kPad : kNote * static_cast<double>(notes.size()) + 14;
    return panel.adjusted(kPad, kHead, -kPad, -foot);
}

} // namespace

const TopologyPicture::Layout& TopologyPicture::layoutFor(const QRectF& bounds) const
{
    if (!m_layout || m_layoutBounds != bounds) {
        m_layout = laidOut(bounds);
        m_layoutBounds = bounds;
    }
    return *m_layout;
}

TopologyPicture::Layout TopologyPicture::laidOut(const QRectF& b) const
{
    Layout l;
    if (m_mapOnly) {
        l.site = b;
        placeSite(l);
        return l;
    }
    if (b.width() < b.height() * kTall) {
        placeTall(l, b);
        return l;
    }
    const double siteWidth = std::round(std::min(b.width() * 0.56, b.height() + 20));
    l.site = QRectF(b.left(), b.top(), siteWidth, b.height());
    const double left = b.left() + siteWidth + 22;
    const double width = b.right() - left - 1;
    const double podHeight = std::round(b.height() * 0.36);
    l.pod = QRectF(left, b.top() + 1, width, podHeight);
    const double top = l.pod.bottom() + 26;
    const double rackWidth = std::round(width * 0.52);
    l.rack = QRectF(left, top, rackWidth, b.bottom() - top - 1);
    l.node = QRectF(left + rackWidth + 24, top, width - rackWidth - 24, b.bottom() - top - 1);
    placeSite(l);
    placeRacks(l);
    placeNodes(l);
    placeChips(l);
    return l;
}

void TopologyPicture::placeSite(Layout& l) const
{
    l.map = l.site.adjusted(0, kHead - 4, 0, 0);
    if (m_data.histogram.links.empty() || l.map.height() < kSpare + kHistogram)
        return;
    l.histogram = l.map;
    l.histogram.setTop(l.map.bottom() - kHistogram);
    l.map.setBottom(l.histogram.top() - 6);
}

void TopologyPicture::placeTall(Layout& l, const QRectF& b) const
{
    l.tall = true;
    const double siteWidth = std::round(b.width() * 0.64);
    // The histogram lies below all panels, over the whole width.
    const bool counted = !m_data.histogram.links.empty() && b.height() > kSpare + kHistogram;
    const double foot = counted ? b.bottom() - kHistogram - 12 : b.bottom();
    const double height = foot - b.top();
    const double top = std::round(std::min(height * 0.62, siteWidth + 20));
    const double low = b.top() + top + 24;
    const double half = std::round(b.width() / 2) - 14;
    l.site = QRectF(b.left(), b.top(), siteWidth, top);
    l.pod = QRectF(b.left() + siteWidth + 14, b.top() + 1, b.width() - siteWidth - 15, top - 1);
    l.node = QRectF(b.left() + 1, low, half, foot - low - 1);
    l.rack = QRectF(b.right() - half - 1, low, half, foot - low - 1);
    l.map = l.site.adjusted(0, kHead - 4, 0, 0);
    if (counted)
        l.histogram = QRectF(b.left(), b.bottom() - kHistogram, b.width(), kHistogram);
    placeRacks(l);
    placeNodes(l);
    placeChips(l);
}

void TopologyPicture::placeRacks(Layout& l) const
{
    const auto& pod = m_data.pod;
    const QRectF area = picture(l.pod, pod.notes);
    l.racks = merged<Shown>(pod.tiles, kMostRacks);
    const int count = static_cast<int>(l.racks.size());
    if (count == 0)
        return;
    placeColumns(l, podColumns(area, count), area);
}

void TopologyPicture::placeNodes(Layout& l) const
{
    const QRectF area = picture(l.rack, m_data.rack.notes);
    const double plane = m_data.rack.fabricName.isEmpty() ? 0.0 : 26.0;
    const double wires = plane > 0 ? std::clamp(area.width() * 0.11, 14.0, 34.0) : 0.0;
    const int most = std::max(1, static_cast<int>(area.height() / kLeastRow));
    l.nodes = merged<Shown>(m_data.rack.tiles, most);
    const auto count = static_cast<double>(std::max<std::size_t>(1, l.nodes.size()));
    const double pitch = std::min(64.0, area.height() / count);
    const double gap = pitch > 24 ? 7.0 : 3.0;
    double y = area.top();
    for (auto& n : l.nodes) {
        n.rect = QRectF(area.left(), y, area.width() - plane - wires, pitch - gap);
        y += pitch;
    }
    if (plane > 0) {
        const double height = y - area.top() - gap;
        const double name = textWidth(m_data.rack.fabricName, Theme::font(10)) + 10;
        const double high = std::min(height, std::max(height * 0.8, name));
        l.backplane = QRectF(area.right() - plane, area.top() + (height - high) / 2, plane, high);
    }
}

void TopologyPicture::placeChips(Layout& l) const
{
    const auto& node = m_data.node;
    const double extras = node.extras.isEmpty() || l.node.height() < kLeastExtras ? 0.0 : 34.0;
    const QRectF area = picture(l.node, node.notes).adjusted(0, 0, 0, -extras);
    l.chips = merged<Shown>(node.tiles, kMostChips);
    const auto count = static_cast<double>(l.chips.size());
    if (count < 1) {
        return;
    }
    if (node.links.empty() && !node.fabricName.isEmpty()) {
        // A switched domain: chips in rows, one line each down to the switch.
        const int columns = count <= 8 ? static_cast<int>(std::ceil(count / 2))
                                       : static_cast<int>(std::ceil(std::sqrt(count * 1.4)));
        const double rows = std::ceil(count / columns);
        const double w = area.width() / columns;
        const double wires = std::clamp(area.height() * 0.16, 12.0, 28.0);
        const double h = std::min(110.0, std::max(6.0, (area.height() - 34 - wires) / rows));
        const double below = std::min(area.bottom() - 24, area.top() + 6 + h * rows + wires);
        l.nodeSwitch = QRectF(area.left(), below, area.width(), 24);
        for (std::size_t i = 0; i < l.chips.size(); ++i) {
            const auto k = static_cast<int>(i);
            const int row = k / columns;
            l.chips[i].rect = QRectF(area.left() + w * (k % columns) + w * 0.1,
                                     area.top() + 6 + h * row, w * 0.8, h * 0.68);
        }
        return;
    }
    const double rx = area.width() / 2 - 22;
    const double ry = std::min(area.height() / 2 - 16, rx * 1.1);
    const double arc = 2 * std::numbers::pi * std::min(rx, ry) / count;
    const double w = std::clamp(arc * 0.7, 5.0, 40.0);
    const double h = std::clamp(w * 0.75, 5.0, 30.0);
    for (std::size_t i = 0; i < l.chips.size(); ++i) {
        const double angle = (static_cast<double>(i) + 0.5) / count * 2 * std::numbers::pi;
        const QPointF at = area.center() + QPointF(std::sin(angle) * rx, -std::cos(angle) * ry);
        l.chips[i].rect = QRectF(at.x() - w / 2, at.y() - h / 2, w, h);
    }
}

} // namespace cw::views
