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
constexpr double kGap = 12.0;
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

double Sankey::scaleFor(const QRectF& area) const
{
    // The fullest column decides: its values plus the room its labels need.
    double scale = 1e300;
    int last = 0;
    for (const auto& n : m_data.nodes) {
        last = std::max(last, n.column);
    }
    for (int c = 0; c <= last; ++c) {
        double sum = 0.0;
        double room = -kGap;
        for (const auto& n : m_data.nodes) {
            if (n.column == c) {
                sum += std::max(0.0, n.value);
                room += kGap + kLabel * 0.35;
            }
        }
        if (sum > 0) {
            scale = std::min(scale, std::max(10.0, area.height() - std::max(0.0, room)) / sum);
        }
    }
    return scale < 1e299 ? scale * 0.94 : 0.0;
}

void Sankey::placeColumn(Layout& l, int column) const
{
    double y = l.area.top();
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < m_data.nodes.size(); ++i) {
        const auto& n = m_data.nodes[i];
        if (n.column != column) {
            continue;
        }
        double wanted = 0.0;
        double weight = 0.0;
        for (const auto& k : m_data.links) {
            if (k.to == static_cast<int>(i)) {
                const QRectF from = l.nodes[static_cast<std::size_t>(k.from)];
                // Where this flow leaves its source, given the flows above it.
                double above = 0.0;
                for (const auto& other : m_data.links) {
                    if (&other == &k) {
                        break;
                    }
                    above += other.from == k.from ? other.value * l.scale : 0.0;
                }
                wanted += (from.top() + above) * k.value;
                weight += k.value;
            }
        }
        const double height = std::max(n.loss ? 5.0 : 2.0, n.value * l.scale);
        const bool named = isLeaf(i) || !members.empty();
        // A thin node still needs the height of its name.
        const double pad = named ? std::max(0.0, (kLabel - height) / 2) : 0.0;
        const double target = weight > 0 ? wanted / weight : l.area.top();
        const double top = std::max(y + pad, target);
        const double x = std::round(l.area.left() + l.pitch * column);
        l.nodes[i] = QRectF(x, top, kNodeWidth, height);
        y = top + height + pad + kGap;
        members.push_back(i);
    }
    // Push back up what ran out at the bottom.
    double limit = l.area.bottom();
    for (std::size_t k = members.size(); k-- > 0;) {
        QRectF& r = l.nodes[members[k]];
        const double pad = std::max(0.0, (kLabel - r.height()) / 2);
        if (r.bottom() + pad > limit) {
            r.moveBottom(limit - pad);
        }
        limit = r.top() - pad - kGap / 3;
    }
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
    for (int c = 0; c < l.columns; ++c) {
        placeColumn(l, c);
    }
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
    const bool first =
        std::none_of(m_data.nodes.begin(), m_data.nodes.begin() + static_cast<long>(i),
                     [&n](const SankeyNode& o) { return o.column == n.column; });
    const double width = textWidth(n.name, name);
    if (!isLeaf(i) && first) {
        painter.setFont(name);
        painter.setPen(theme.text);
        drawHalo(painter, QRectF(box.left(), box.top() - 31, width + 2, 15), Qt::AlignLeft, n.name,
                 theme.card);
        painter.setFont(value);
        painter.setPen(theme.secondary);
        drawHalo(painter, QRectF(box.left(), box.top() - 16, 200, 14), Qt::AlignLeft, n.valueText,
                 theme.card);
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
