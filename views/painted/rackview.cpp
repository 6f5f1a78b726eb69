// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/painted/rackview.h"

#include "views/painted/paintutil.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMostNodes = 18; ///< rows drawn; more are told by a line between
constexpr int kMostChips = 16;
constexpr double kPipe = 8.0;
constexpr double kPlant = 40.0;
constexpr double kLine = 16.0;
constexpr double kLeastRack = 108.0; ///< below, a rack shows its chips without their names
constexpr double kName = 26.0;
constexpr double kHandle = 6.0;
constexpr double kStep = 1.0; ///< K by key

QString spoken(const RackFact& f)
{
    return QStringList{f.label, f.value, f.detail}.join(u' ').simplified();
}

/// Width that the facts beside a pipe ask for.
double widthOf(const std::vector<RackFact>& facts)
{
    double width = 0;
    for (const RackFact& f : facts)
        width = std::max({width, textWidth(f.label, Theme::font(11, f.cold || f.warm)),
                          textWidth(f.value, Theme::font(f.large ? 16 : 12, true)),
                          textWidth(f.detail, Theme::font(10))});
    return width;
}

/// Words on as many lines as `width` asks for.
QStringList wrapped(const QString& text, const QFont& font, double width)
{
    QStringList lines;
    for (const QString& word : text.split(u' ', Qt::SkipEmptyParts)) {
        const QString longer = lines.isEmpty() ? word : lines.last() + u' ' + word;
        if (lines.isEmpty() || textWidth(longer, font) > width)
            lines.append(word);
        else
            lines.last() = longer;
    }
    return lines;
}

double heightOf(const RackFact& f)
{
    return (f.label.isEmpty() ? 0 : 14) + (f.large ? 23 : 16) + (f.detail.isEmpty() ? 0 : 14) + 10;
}

} // namespace

struct RackView::Layout
{
    QRectF rack;   ///< frame around the nodes
    QRectF supply; ///< pipes
    QRectF back;
    QRectF plant;
    QRectF foot;
    std::vector<QRectF> nodes;
    std::vector<QRectF> left; ///< one for each fact
    std::vector<QRectF> right;
    QStringList footLines;
    bool skips = false; ///< there are more nodes than rows
    Scale scale;        ///< temperature along the supply
};

RackView::RackView(QWidget* parent) : PaintedChart(parent)
{
    setMinimumSize(240, 220);
}

void RackView::setData(RackViewData figures)
{
    m_data = std::move(figures);
    invalidate();
}

RackView::Layout RackView::layoutFor(const QRectF& bounds) const
{
    Layout l;
    // The facts take what they need; the rack has at least two fifths of the width.
    const double most = std::max(40.0, bounds.width() * 0.3 - kPipe);
    const double leftSide = std::min(widthOf(m_data.left) + 10, most);
    const double rightSide = std::min(widthOf(m_data.right) + 10, most);
    const double top = bounds.top() + 4;
    const double margin = std::max(0.0, std::min(leftSide, rightSide) - 24);
    l.plant = QRectF(bounds.left() + margin, bounds.bottom() - kPlant - 2,
                     bounds.width() - 2 * margin, kPlant);
    l.supply = QRectF(bounds.left() + leftSide, top, kPipe, l.plant.top() - top);
    l.back = QRectF(bounds.right() - rightSide - kPipe, top, kPipe, l.plant.top() - top);
    const double between = l.back.left() - l.supply.right();
    l.footLines = wrapped(m_data.rack.value, Theme::font(11, true), between - 4);
    const double footHeight = kLine * static_cast<double>(l.footLines.size());
    const double foot = l.plant.top() - 6 - footHeight;
    const double arrow = between > 2 * kLeastRack ? 16 : 11;
    l.rack =
        QRectF(l.supply.right() + arrow, top, between - 2 * arrow, std::max(20.0, foot - 4 - top));
    l.foot = QRectF(l.supply.right() + 2, foot, between - 4, footHeight);
    const int rows = std::min(m_data.nodes, kMostNodes);
    l.skips = m_data.nodes > rows;
    const double inner = l.rack.height() - 10;
    const double pitch = inner / std::max(rows, 1);
    const double height =
        std::max(2.0, std::min(pitch - 3, l.rack.width() < kLeastRack ? 34.0 : 26.0));
    for (int i = 0; i < rows; ++i) {
        l.nodes.emplace_back(l.rack.left() + 6, l.rack.top() + 6 + i * pitch, l.rack.width() - 12,
                             height);
    }
    const auto place = [&](const std::vector<RackFact>& facts, double x, double width,
                           std::vector<QRectF>& to) {
        double y = top + 12;
        for (const RackFact& f : facts) {
            const double h = heightOf(f);
            to.emplace_back(x, y, width, h - 6);
            y += h;
        }
    };
    place(m_data.left, bounds.left(), leftSide - 8, l.left);
    place(m_data.right, l.back.right() + 8, rightSide - 8, l.right);
    l.scale = {m_data.least, m_data.most, l.plant.top() - 14, top + 8};
    return l;
}

QRectF RackView::handleRect() const
{
    const Layout l = layoutFor(QRectF(rect()));
    const QPointF c(l.supply.center().x(), l.scale.at(m_data.supply));
    return {c.x() - kHandle - 2, c.y() - kHandle - 2, 2 * kHandle + 4, 2 * kHandle + 4};
}

double RackView::pixelOf(double celsius) const
{
    return layoutFor(QRectF(rect())).scale.at(celsius);
}

void RackView::paintPipes(QPainter& painter, const Layout& l, const Theme& theme) const
{
    const QColor cold = theme.colour(Series::Compute);
    const QColor warm = theme.colour(Series::TensorParallel);
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const auto& [pipe, colour] : {std::pair(l.supply, cold), std::pair(l.back, warm)}) {
        painter.fillRect(pipe, m_data.liquid ? colour : theme.wash(colour, 0.35));
    }
    for (const QRectF& node : l.nodes) {
        const double y = std::floor(node.center().y()) + 0.5;
        const auto arrow = [&](double from, double to, const QColor& colour) {
            painter.setPen(QPen(colour, 1.6));
            painter.drawLine(QPointF(from, y), QPointF(to - 5, y));
            painter.setPen(Qt::NoPen);
            painter.setBrush(colour);
            painter.drawPolygon(QPolygonF({{to - 6, y - 3}, {to, y}, {to - 6, y + 3}}));
        };
        arrow(l.supply.right(), node.left(), cold);
        arrow(node.right(), l.back.left(), warm);
    }
    painter.setBrush(theme.card);
    painter.setPen(QPen(theme.border, 1));
    painter.drawRoundedRect(l.plant.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
}

/// In the number of rows that shows them largest.
void RackView::paintChips(QPainter& painter, const QRectF& box, int chips, const Theme& theme)
{
    double best = 0;
    int rows = 1;
    for (int r = 1; r <= std::max(chips, 1); ++r) {
        const int columns = (chips + r - 1) / r;
        const double size = std::min(box.width() / std::max(columns, 1), box.height() / r);
        if (size > best + 0.5) {
            best = size;
            rows = r;
        }
    }
    const int columns = std::max((chips + rows - 1) / rows, 1);
    const double size = std::min(best - (best > 6 ? 2 : 1), 14.0);
    if (size < 1)
        return;
    const double across = box.width() / columns;
    const double down = box.height() / rows;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.colour(Series::Chips));
    for (int c = 0; c < chips; ++c) {
        const int row = c / columns;
        const double x = box.left() + across * (c % columns) + (across - size) / 2;
        const double y = box.top() + down * row + (down - size) / 2;
        painter.drawRect(QRectF(x, y, size, size));
    }
}

void RackView::paintNodes(QPainter& painter, const Layout& l, const Theme& theme) const
{
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(theme.sunken);
    painter.drawRoundedRect(l.rack.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    const int chips = std::min(m_data.chipsPerNode, kMostChips);
    for (std::size_t i = 0; i < l.nodes.size(); ++i) {
        const QRectF& node = l.nodes[i];
        painter.setPen(QPen(theme.border, 1));
        painter.setBrush(theme.card);
        painter.drawRoundedRect(node.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        double left = node.left() + 5;
        const bool last = i + 1 == l.nodes.size();
        const int number = l.skips && last ? m_data.nodes - 1 : static_cast<int>(i);
        if (node.height() >= 12 && node.width() >= kLeastRack - 12) {
            painter.setFont(Theme::font(10));
            painter.setPen(theme.secondary);
            const QString name = m_data.nodePrefix + QString::number(number);
            drawLine(painter, QRectF(left, node.top(), kName, node.height()), Qt::AlignVCenter,
                     name);
            left += kName;
        }
        paintChips(painter,
                   QRectF(left, node.top() + 2, node.right() - 4 - left, node.height() - 4), chips,
                   theme);
    }
    if (l.skips && l.nodes.size() > 1) {
        // A gap in the stack says that rows are left out.
        const double y =
            std::floor((l.nodes[l.nodes.size() - 2].bottom() + l.nodes.back().top()) / 2) + 0.5;
        QPen dotted(theme.weak, 1);
        dotted.setDashPattern({1, 3});
        painter.setPen(dotted);
        painter.drawLine(QPointF(l.rack.left() + 8, y), QPointF(l.rack.right() - 8, y));
    }
}

void RackView::paintFacts(QPainter& painter, const Layout& l, const Theme& theme) const
{
    const auto fact = [&](const RackFact& f, const QRectF& at, int align) {
        double y = at.top();
        const auto line = [&](const QString& text, double px, bool strong, const QColor& colour,
                              double height) {
            if (text.isEmpty()) {
                return;
            }
            painter.setFont(Theme::font(px, strong));
            painter.setPen(colour);
            drawLine(painter, QRectF(at.left(), y, at.width(), height), align, text);
            y += height;
        };
        const QColor tint = f.cold   ? theme.colour(Series::Compute)
                            : f.warm ? theme.colour(Series::TensorParallel)
                                     : theme.secondary;
        line(f.label, 11, f.cold || f.warm, tint, 14);
        line(f.value, f.large ? 16 : 12, true, theme.text, f.large ? 23 : 16);
        line(f.detail, 10, false, theme.secondary, 14);
    };
    for (std::size_t i = 0; i < l.left.size(); ++i) {
        fact(m_data.left[i], l.left[i], Qt::AlignRight | Qt::AlignVCenter);
    }
    for (std::size_t i = 0; i < l.right.size(); ++i) {
        fact(m_data.right[i], l.right[i], Qt::AlignLeft | Qt::AlignVCenter);
    }
    painter.setFont(Theme::font(11, true));
    painter.setPen(theme.text);
    for (qsizetype i = 0; i < l.footLines.size(); ++i)
        drawLine(painter,
                 QRectF(l.foot.left(), l.foot.top() + kLine * static_cast<double>(i),
                        l.foot.width(), kLine),
                 Qt::AlignHCenter | Qt::AlignVCenter, l.footLines[i]);
    drawLine(painter, QRectF(l.plant.left() + 4, l.plant.top() + 4, l.plant.width() - 8, 16),
             Qt::AlignHCenter | Qt::AlignVCenter, m_data.plant.label);
    painter.setFont(Theme::font(10));
    painter.setPen(theme.secondary);
    drawLine(painter, QRectF(l.plant.left() + 4, l.plant.top() + 20, l.plant.width() - 8, 15),
             Qt::AlignHCenter | Qt::AlignVCenter, m_data.plant.value);
}

void RackView::paintHandle(QPainter& painter, const Layout& l, const Theme& theme) const
{
    const QPointF c(l.supply.center().x(), l.scale.at(m_data.supply));
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(theme.card, 1.5));
    painter.setBrush(theme.accent);
    painter.drawEllipse(c, kHandle, kHandle);
    painter.setPen(QPen(theme.onAccent, 1.2));
    for (const double d : {-1.0, 1.0}) {
        painter.drawPolyline(QPolygonF({{c.x() - 2, c.y() + d * 1.5},
                                        {c.x(), c.y() + d * 3.5},
                                        {c.x() + 2, c.y() + d * 1.5}}));
    }
}

void RackView::paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const
{
    const Layout l = layoutFor(bounds);
    paintPipes(painter, l, theme);
    paintNodes(painter, l, theme);
    paintFacts(painter, l, theme);
    paintHandle(painter, l, theme);
}

std::vector<Mark> RackView::marks(const QRectF& bounds) const
{
    const Layout l = layoutFor(bounds);
    std::vector<Mark> all;
    const auto add = [&](const RackFact& f, const QRectF& rect) {
        Mark m;
        m.rect = rect;
        m.tooltip = f.label.isEmpty() ? f.value : f.label + u'\t' + f.value;
        if (!f.detail.isEmpty()) {
            m.tooltip += u'\n' + f.detail;
        }
        m.accessible = spoken(f);
        m.quantity = f.quantity;
        all.push_back(m);
    };
    add(m_data.rack, l.rack.united(l.foot));
    add(m_data.plant, l.plant);
    for (std::size_t i = 0; i < l.left.size(); ++i) {
        add(m_data.left[i], l.left[i]);
    }
    for (std::size_t i = 0; i < l.right.size(); ++i) {
        add(m_data.right[i], l.right[i]);
    }
    return all;
}

ChartTable RackView::table() const
{
    ChartTable t;
    t.header = {tr("Figure"), tr("Value"), tr("Detail")};
    const auto add = [&t](const RackFact& f) {
        if (!f.label.isEmpty() || !f.value.isEmpty()) {
            t.rows.push_back({f.label, f.value, f.detail});
        }
    };
    add(m_data.rack);
    add(m_data.plant);
    for (const RackFact& f : m_data.left) {
        add(f);
    }
    for (const RackFact& f : m_data.right) {
        add(f);
    }
    return t;
}

void RackView::moveSupply(double celsius)
{
    const double next = std::clamp(std::round(celsius), m_data.least, m_data.most);
    if (next != m_data.supply) {
        Q_EMIT supplyDragged(next);
    }
}

void RackView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && !isEmpty() &&
        handleRect().contains(event->position())) {
        m_dragging = true;
        Q_EMIT supplyDragStarted();
        return;
    }
    PaintedChart::mousePressEvent(event);
}

void RackView::mouseMoveEvent(QMouseEvent* event)
{
    if (m_dragging) {
        moveSupply(layoutFor(QRectF(rect())).scale.valueAt(event->position().y()));
        return;
    }
    PaintedChart::mouseMoveEvent(event);
    if (isEmpty()) {
        return;
    }
    if (handleRect().contains(event->position())) {
        setCursor(Qt::SizeVerCursor);
    } else if (cursor().shape() == Qt::SizeVerCursor) {
        setCursor(Qt::ArrowCursor);
    }
}

void RackView::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_dragging && event->button() == Qt::LeftButton) {
        m_dragging = false;
        Q_EMIT supplyDragFinished();
        return;
    }
    PaintedChart::mouseReleaseEvent(event);
}

void RackView::keyPressEvent(QKeyEvent* event)
{
    const bool up = event->key() == Qt::Key_Up;
    if ((up || event->key() == Qt::Key_Down) && !isEmpty()) {
        Q_EMIT supplyDragStarted();
        moveSupply(m_data.supply + (up ? kStep : -kStep));
        Q_EMIT supplyDragFinished();
        return;
    }
    PaintedChart::keyPressEvent(event);
}

} // namespace cw::views
