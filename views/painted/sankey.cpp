// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/painted/sankey.h"

#include "views/painted/paintutil.h"

#include <QLineF>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

constexpr double kNodeWidth = 11.0;
constexpr double kGap = 6.0;
constexpr double kLabel = 17.0;
constexpr double kHead = 34.0;     ///< two lines above the main flow
constexpr double kTwoLines = 30.0; ///< a leaf this high has name and value in two lines
constexpr int kLinkTag = 100000;

double ease(double t)
{
    return t * t * (3.0 - 2.0 * t);
}

} // namespace

struct Sankey::Ribbon
{
    double x0 = 0;
    double x1 = 0;
    double top0 = 0;
    double top1 = 0;
    double height = 0;
    [[nodiscard]] double topAt(double x) const
    {
        const double t = x1 > x0 ? std::clamp((x - x0) / (x1 - x0), 0.0, 1.0) : 0.0;
        return top0 + (top1 - top0) * ease(t);
    }
    [[nodiscard]] QPainterPath path() const
    {
        const double mid = (x0 + x1) / 2;
        QPainterPath p;
        p.moveTo(x0, top0);
        p.cubicTo(mid, top0, mid, top1, x1, top1);
        p.lineTo(x1, top1 + height);
        p.cubicTo(mid, top1 + height, mid, top0 + height, x0, top0 + height);
        p.closeSubpath();
        return p;
    }
};

struct Sankey::Layout
{
    QRectF area;
    double scale = 1.0;
    int columns = 1;
    double pitch = 1.0;
    std::vector<QRectF> nodes;
    std::vector<Ribbon> ribbons;
};

Sankey::Sankey(QWidget* parent) : PaintedChart(parent)
{
}

void Sankey::setData(SankeyData figures)
{
    m_data = std::move(figures);
    const auto count = static_cast<int>(m_data.nodes.size());
    for (auto& n : m_data.nodes) {
        n.value = std::isfinite(n.value) ? std::max(0.0, n.value) : 0.0;
        n.column = std::max(0, n.column);
    }
    std::erase_if(m_data.links, [count](const SankeyLink& k) {
        return k.from < 0 || k.to < 0 || k.from >= count || k.to >= count || !(k.value > 0) ||
               !std::isfinite(k.value);
    });
    invalidate();
}

bool Sankey::isLeaf(std::size_t node) const
{
    return std::none_of(m_data.links.begin(), m_data.links.end(),
                        [node](const SankeyLink& k) { return k.from == static_cast<int>(node); });
}

/// Leaves left of the last two columns: they stand below the picture, where there is room.
bool Sankey::isEarly(std::size_t node) const
{
    int last = 0;
    for (const auto& n : m_data.nodes)
        last = std::max(last, n.column);
    return isLeaf(node) && m_data.nodes[node].column < last - 1;
}

std::vector<std::size_t> Sankey::childrenOf(std::size_t node) const
{
    std::vector<std::size_t> children;
    for (const auto& k : m_data.links)
        if (k.from == static_cast<int>(node))
            children.push_back(static_cast<std::size_t>(k.to));
    return children;
}

std::vector<std::size_t> Sankey::roots() const
{
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < m_data.nodes.size(); ++i)
        if (std::none_of(m_data.links.begin(), m_data.links.end(),
                         [i](const SankeyLink& k) { return k.to == static_cast<int>(i); }))
            all.push_back(i);
    return all;
}

double Sankey::slotHeight(std::size_t node, double scale, std::vector<char>& seen) const
{
    if (seen[node] != 0 || isEarly(node))
        return 0;
    seen[node] = 1;
    if (isLeaf(node))
        return std::max(m_data.nodes[node].value * scale, kLabel) + kGap;
    double sum = 0;
    for (const std::size_t child : childrenOf(node))
        sum += slotHeight(child, scale, seen);
    return std::max(sum, m_data.nodes[node].value * scale);
}

double Sankey::scaleFor(const QRectF& area) const
{
    double first = 0;
    double early = 0;
    for (std::size_t i = 0; i < m_data.nodes.size(); ++i) {
        first += m_data.nodes[i].column == 0 ? m_data.nodes[i].value : 0;
        early += isEarly(i) ? kLabel + 3 : 0;
    }
    if (!(first > 0))
        return 0;
    const auto fits = [&](double scale) {
        double sum = 0;
        std::vector<char> seen(m_data.nodes.size(), 0);
        for (const std::size_t root : roots())
            sum += slotHeight(root, scale, seen);
        return sum <= area.height() && first * scale + early + kGap <= area.height();
    };
    double low = 0;
    double high = area.height() / first;
    for (int i = 0; i < 40; ++i) {
        const double middle = (low + high) / 2;
        (fits(middle) ? low : high) = middle;
    }
    return std::max(low, 10.0 / first);
}

/// Places a node in the slots of its leaves; answers where the next one starts.
double Sankey::placeNode(Layout& l, std::size_t node, double y, std::vector<char>& seen) const
{
    if (seen[node] != 0 || isEarly(node))
        return y;
    seen[node] = 1;
    const auto& n = m_data.nodes[node];
    const double height = std::max(n.loss ? 5.0 : 2.0, n.value * l.scale);
    const double x = std::round(l.area.left() + l.pitch * n.column);
    if (isLeaf(node)) {
        const double slot = std::max(n.value * l.scale, kLabel);
        l.nodes[node] = QRectF(x, y + (slot - height) / 2, kNodeWidth, height);
        return y + slot + kGap;
    }
    double next = y;
    for (const std::size_t child : childrenOf(node))
        next = placeNode(l, child, next, seen);
    // The main flow goes straight along the top; others lie amid what they feed.
    const bool first = isFirst(node);
    const double middle = (y + next - kGap) / 2 - height / 2;
    l.nodes[node] = QRectF(x, first ? y : std::max(middle, y), kNodeWidth, height);
    return std::max(next, y + height);
}

void Sankey::placeEarly(Layout& l) const
{
    std::vector<std::size_t> early;
    for (std::size_t i = 0; i < m_data.nodes.size(); ++i)
        if (isEarly(i))
            early.push_back(i);
    std::stable_sort(early.begin(), early.end(), [this](std::size_t a, std::size_t b) {
        return m_data.nodes[a].column < m_data.nodes[b].column;
    });
    double y = l.area.bottom() - kLabel;
    for (const std::size_t i : early) {
        const auto& n = m_data.nodes[i];
        const double height = std::max(n.loss ? 5.0 : 2.0, n.value * l.scale);
        const double slot = std::max(height, kLabel);
        l.nodes[i] = QRectF(std::round(l.area.left() + l.pitch * n.column),
                            y + kLabel - slot + (slot - height) / 2, kNodeWidth, height);
        y -= slot + 3;
    }
}

bool Sankey::isFirst(std::size_t node) const
{
    return std::none_of(m_data.nodes.begin(), m_data.nodes.begin() + static_cast<long>(node),
                        [&](const SankeyNode& o) { return o.column == m_data.nodes[node].column; });
}

void Sankey::placeRibbons(Layout& l) const
{
    std::vector<double> out(m_data.nodes.size(), 0.0);
    std::vector<double> in(m_data.nodes.size(), 0.0);
    for (const auto& k : m_data.links) {
        const auto from = static_cast<std::size_t>(k.from);
        const auto to = static_cast<std::size_t>(k.to);
        Ribbon r;
        r.height = std::max(1.0, k.value * l.scale);
        r.x0 = l.nodes[from].right();
        r.x1 = l.nodes[to].left();
        r.top0 = l.nodes[from].top() + out[from];
        r.top1 = l.nodes[to].top() + in[to];
        out[from] += k.value * l.scale;
        in[to] += k.value * l.scale;
        l.ribbons.push_back(r);
    }
}

Sankey::Layout Sankey::layoutFor(const QRectF& b) const
{
    Layout l;
    l.area = b.adjusted(0, kHead, 0, -4);
    l.scale = scaleFor(l.area);
    for (const auto& n : m_data.nodes) {
        l.columns = std::max(l.columns, n.column + 1);
    }
    l.nodes.resize(m_data.nodes.size());
    double label = 0.0;
    for (const auto& n : m_data.nodes) {
        if (n.column == l.columns - 1) {
            const double name = textWidth(n.name, Theme::font(11, true));
            const double value = textWidth(n.valueText, Theme::font(10));
            const bool two = n.value * l.scale >= kTwoLines;
            label = std::max(label, two ? std::max(name, value) : name + 5 + value);
        }
    }
    const double span = std::max(1.0, b.width() - label - 8 - kNodeWidth);
    l.pitch = l.columns > 1 ? span / (l.columns - 1) : span;
    double y = l.area.top();
    std::vector<char> seen(m_data.nodes.size(), 0);
    for (const std::size_t root : roots())
        y = placeNode(l, root, y, seen);
    placeEarly(l);
    placeRibbons(l);
    return l;
}

void Sankey::paintRibbon(QPainter& painter, const Ribbon& r, const SankeyLink& link,
                         const Theme& theme, double strength) const
{
    const QColor colour = theme.colour(link.loss ? Series::Losses : link.series);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!link.loss) {
        QColor fill = colour;
        fill.setAlphaF(static_cast<float>(strength));
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawPath(r.path());
        return;
    }
    QList<QLineF> lines;
    for (double x = r.x0; x + r.height / 2 < r.x1; x += 5.0) {
        const double xt = std::min(r.x1, x + std::max(4.0, r.height * 0.6));
        lines.append(QLineF(x, r.topAt(x), xt, r.topAt(xt) + r.height));
    }
    painter.setPen(QPen(colour, strength > 0.5 ? 1.6 : 1.0));
    painter.drawLines(lines);
}

void Sankey::paintNode(QPainter& painter, const Layout& l, std::size_t i, const Theme& theme) const
{
    const auto& n = m_data.nodes[i];
    const QRectF box = l.nodes[i];
    painter.setRenderHint(QPainter::Antialiasing, false);
    const SeriesStyle style =
        n.loss ? theme.series(Series::Losses) : SeriesStyle{theme.colour(n.series), Hatch::None};
    fillSeries(painter,
               QRectF(box.left(), std::round(box.top()), box.width(),
                      std::max(2.0, std::round(box.height()))),
               style, theme);
    const QFont name = Theme::font(11, true);
    const QFont value = Theme::font(10);
    const double width = textWidth(n.name, name);
    if (!isLeaf(i)) {
        paintHead(painter, l, i, theme);
        return;
    }
    const double x = box.right() + 5;
    const bool two = box.height() >= kTwoLines;
    const double c = box.center().y();
    painter.setFont(name);
    painter.setPen(theme.text);
    drawHalo(painter, QRectF(x, two ? c - 15 : c - 8, width + 2, 16),
             Qt::AlignLeft | Qt::AlignVCenter, n.name, theme.card);
    painter.setFont(value);
    painter.setPen(theme.secondary);
    drawHalo(painter, two ? QRectF(x, c, 200, 15) : QRectF(x + width + 5, c - 8, 200, 16),
             Qt::AlignLeft | Qt::AlignVCenter, n.valueText, theme.card);
}

/// Name and value above a node that flows on: over the main flow in two lines that keep to the
/// column, over others in one that ends at the node.
void Sankey::paintHead(QPainter& painter, const Layout& l, std::size_t i, const Theme& theme) const
{
    const auto& n = m_data.nodes[i];
    const QRectF box = l.nodes[i];
    const QFont strong = Theme::font(11, true);
    const QFont plain = Theme::font(10);
    if (isFirst(i)) {
        const double room = l.pitch - 6;
        painter.setFont(textWidth(n.name, strong) > room ? Theme::font(10, true) : strong);
        painter.setPen(theme.text);
        drawHalo(painter, QRectF(box.left(), box.top() - 31, room, 15), Qt::AlignLeft,
                 fitted(n.name, painter.font(), room), theme.card);
        painter.setFont(plain);
        painter.setPen(theme.secondary);
        drawHalo(painter, QRectF(box.left(), box.top() - 16, room, 14), Qt::AlignLeft,
                 fitted(n.valueText, plain, room), theme.card);
        return;
    }
    const double value = textWidth(n.valueText, plain);
    painter.setFont(plain);
    painter.setPen(theme.secondary);
    drawHalo(painter, QRectF(box.right() - value - 2, box.top() - 16, value + 2, 14),
             Qt::AlignRight, n.valueText, theme.card);
    const double width = textWidth(n.name, strong);
    painter.setFont(strong);
    painter.setPen(theme.text);
    drawHalo(painter, QRectF(box.right() - value - width - 9, box.top() - 16, width + 2, 14),
             Qt::AlignRight, n.name, theme.card);
}

void Sankey::paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const
{
    const Layout l = layoutFor(bounds);
    for (std::size_t k = 0; k < m_data.links.size(); ++k) {
        paintRibbon(painter, l.ribbons[k], m_data.links[k], theme, 0.3);
    }
    for (std::size_t i = 0; i < m_data.nodes.size(); ++i) {
        paintNode(painter, l, i, theme);
    }
}

void Sankey::paintHover(QPainter& painter, const Mark& mark, const Theme& theme) const
{
    const Layout l = layoutFor(QRectF(rect()));
    for (std::size_t k = 0; k < m_data.links.size(); ++k) {
        const auto& link = m_data.links[k];
        const bool own = mark.tag >= kLinkTag ? static_cast<int>(k) == mark.tag - kLinkTag
                                              : link.from == mark.tag || link.to == mark.tag;
        if (own) {
            paintRibbon(painter, l.ribbons[k], link, theme, 0.55);
        }
    }
    for (std::size_t i = 0; i < m_data.nodes.size(); ++i) {
        paintNode(painter, l, i, theme);
    }
}

std::vector<Mark> Sankey::marks(const QRectF& bounds) const
{
    const Layout l = layoutFor(bounds);
    std::vector<Mark> all;
    // Nodes come first in the walk; ribbons are hit in slices that follow their curve.
    for (std::size_t i = 0; i < m_data.nodes.size(); ++i) {
        const auto& n = m_data.nodes[i];
        const QString tip = n.tooltip.isEmpty() ? n.name + u'\t' + n.valueText : n.tooltip;
        all.push_back({l.nodes[i].adjusted(-2, -2, 2, 2), tip, n.name + u", "_s + n.valueText,
                       n.quantity, static_cast<int>(i)});
    }
    for (std::size_t k = 0; k < m_data.links.size(); ++k) {
        const auto& link = m_data.links[k];
        const auto& from = m_data.nodes[static_cast<std::size_t>(link.from)];
        const auto& to = m_data.nodes[static_cast<std::size_t>(link.to)];
        const Ribbon& r = l.ribbons[k];
        const QString way = from.name + u" → "_s + to.name;
        constexpr int kSlices = 12;
        const double step = (r.x1 - r.x0) / kSlices;
        for (int s = 0; s < kSlices; ++s) {
            const double x = r.x0 + step * s;
            const double top = r.topAt(x + step / 2);
            all.push_back({QRectF(x, top - 1, step, r.height + 2),
                           link.tooltip.isEmpty() ? way + u'\t' + to.valueText : link.tooltip, way,
                           link.quantity, kLinkTag + static_cast<int>(k), 0.0, s == kSlices / 2});
        }
    }
    return all;
}

ChartTable Sankey::table() const
{
    ChartTable t;
    const QString unit = m_data.unit.isEmpty() ? QString() : u" ("_s + m_data.unit + u')';
    t.header = {tr("From"), tr("To"), tr("Flow") + unit};
    for (const auto& link : m_data.links) {
        t.rows.push_back({m_data.nodes[static_cast<std::size_t>(link.from)].name,
                          m_data.nodes[static_cast<std::size_t>(link.to)].name,
                          rawNumber(link.value)});
    }
    return t;
}

} // namespace cw::views
