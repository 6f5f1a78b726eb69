// SPDX-License-Identifier: GPL-3.0-or-later
// Wheel, drag, hover and keys on the map of the topology picture.
#include "views/painted/topologypicture.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QLineF>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>

namespace cw::views {

namespace {

constexpr double kWheelStep = 1.25; ///< of one notch
constexpr double kNotch = 120.0;
constexpr double kDragStart = 4.0;
constexpr double kKeyStep = 60.0;
constexpr double kKeyZoom = 1.5;

} // namespace

bool TopologyPicture::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && !isEmpty()) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (mapArea().contains(help->pos())) {
            const MapPart part = partAt(help->pos());
            if (part.level < 0 || !m_data.map.describe)
                QToolTip::hideText();
            else
                QToolTip::showText(help->globalPos(), tipHtml(m_data.map.describe(part)), this);
            return true;
        }
    }
    return PaintedChart::event(event);
}

void TopologyPicture::paintEvent(QPaintEvent* event)
{
    const Layout& l = layoutFor(QRectF(rect()));
    if (isEmpty() || !movedRect(l).contains(event->rect())) {
        PaintedChart::paintEvent(event);
    } else {
        // Only the map has moved: the panels are not painted again.
        QPainter painter(this);
        const Theme& theme = Theme::of(this);
        painter.fillRect(event->rect(), theme.card); // what was there is not cleared for it
        painter.setRenderHint(QPainter::TextAntialiasing);
        if (!m_mapOnly)
            paintWedges(painter, l, theme);
        paintSite(painter, l, theme);
    }
    if (m_over.level < 0 || m_over.cable)
        return;
    const QRectF over = mapLayout(l.map).rectOf(m_over.level, m_over.first);
    const bool single =
        m_over.chips <= m_data.map.levels[static_cast<std::size_t>(m_over.level)].chips;
    if (!single)
        return;
    QPainter painter(this);
    painter.setClipRect(l.map);
    painter.setPen(QPen(Theme::of(this).text, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(over.adjusted(-1.5, -1.5, 1.5, 1.5));
}

void TopologyPicture::wheelEvent(QWheelEvent* event)
{
    const QRectF area = isEmpty() ? QRectF() : mapArea();
    const double turned = event->angleDelta().y();
    if (!area.contains(event->position()) || turned == 0.0) {
        event->ignore();
        return;
    }
    setSight(mapLayout(area).zoomed(std::pow(kWheelStep, turned / kNotch), event->position()));
    event->accept();
}

void TopologyPicture::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !mapArea().contains(event->position())) {
        PaintedChart::mousePressEvent(event);
        return;
    }
    m_down = true;
    m_moving = false;
    m_grip = event->position();
    m_pressed = partAt(m_grip);
    event->accept();
}

void TopologyPicture::mouseMoveEvent(QMouseEvent* event)
{
    if (m_down) {
        const QPointF way = event->position() - m_grip;
        if (!m_moving && std::hypot(way.x(), way.y()) < kDragStart)
            return;
        m_moving = true;
        setCursor(Qt::ClosedHandCursor);
        m_grip = event->position();
        setSight(mapLayout(mapArea()).moved(way));
        return;
    }
    if (!mapArea().contains(event->position())) {
        hoverMap({-1, -1});
        PaintedChart::mouseMoveEvent(event);
        return;
    }
    setHovered(-1);
    hoverMap(event->position());
}

void TopologyPicture::hoverMap(const QPointF& position)
{
    const MapPart part = partAt(position);
    if (part == m_over)
        return;
    m_over = part;
    setCursor(part.level >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (part.cable || part.level < 0)
        Q_EMIT chipsHovered(0, 0);
    else
        Q_EMIT chipsHovered(part.first, part.chips);
    update(mapArea().toAlignedRect());
}

void TopologyPicture::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_down || event->button() != Qt::LeftButton) {
        PaintedChart::mouseReleaseEvent(event);
        return;
    }
    const bool click = !m_moving && m_pressed.level >= 0;
    m_down = false;
    m_moving = false;
    setCursor(Qt::ArrowCursor);
    if (!click)
        return;
    const auto& level = m_data.map.levels[static_cast<std::size_t>(m_pressed.level)];
    if (m_pressed.cable && !level.quantity.isEmpty())
        Q_EMIT quantityClicked(level.quantity);
    else
        Q_EMIT chipChosen(m_pressed.first, m_pressed.chips);
}

void TopologyPicture::mouseDoubleClickEvent(QMouseEvent* event)
{
    const MapPart part = partAt(event->position());
    if (event->button() == Qt::LeftButton && part.level >= 0 && !part.cable)
        zoomToPart(part.level, part.first);
    else
        PaintedChart::mouseDoubleClickEvent(event);
}

bool TopologyPicture::moveByKey(QKeyEvent* event)
{
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    QPointF way;
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomBy(kKeyZoom);
        return true;
    case Qt::Key_Minus:
        zoomBy(1 / kKeyZoom);
        return true;
    case Qt::Key_0:
        zoomOut();
        return true;
    case Qt::Key_PageDown:
        zoomTo(true);
        return true;
    case Qt::Key_PageUp:
    case Qt::Key_Backspace:
        zoomTo(false);
        return true;
    case Qt::Key_Left:
        way = {kKeyStep, 0};
        break;
    case Qt::Key_Right:
        way = {-kKeyStep, 0};
        break;
    case Qt::Key_Up:
        way = {0, kKeyStep};
        break;
    case Qt::Key_Down:
        way = {0, -kKeyStep};
        break;
    default:
        break;
    }
    if (!shift || way.isNull())
        return false;
    setSight(mapLayout(mapArea()).moved(way));
    return true;
}

void TopologyPicture::keyPressEvent(QKeyEvent* event)
{
    if (isEmpty() || !moveByKey(event))
        PaintedChart::keyPressEvent(event);
}

void TopologyPicture::leaveEvent(QEvent* event)
{
    if (m_over.level >= 0) {
        m_over = {};
        Q_EMIT chipsHovered(0, 0);
        update();
    }
    PaintedChart::leaveEvent(event);
}

} // namespace cw::views
