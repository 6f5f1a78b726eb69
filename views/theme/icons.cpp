// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/icons.h"

#include <QApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>
#include <QPixmapCache>
#include <cmath>

namespace cw::views {

namespace {

// Every icon is drawn in a box of 16 by 16.
QPolygonF octagon()
{
    constexpr double a = 5.0;
    constexpr double b = 11.0;
    return QPolygonF({{a, 1}, {b, 1}, {15, a}, {15, b}, {b, 15}, {a, 15}, {1, b}, {1, a}});
}

void stroke(QPainter& p, const QColor& c, double width = 1.5)
{
    p.setPen(QPen(c, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    p.setBrush(Qt::NoBrush);
}

void paintStatus(QPainter& p, Icon icon, const QColor& c, const QColor& inner)
{
    p.setPen(Qt::NoPen);
    p.setBrush(c);
    if (icon == Icon::Ok) {
        p.drawEllipse(QRectF(1, 1, 14, 14));
        stroke(p, inner, 1.9);
        p.drawPolyline(QPolygonF({{4.6, 8.3}, {7.1, 10.8}, {11.6, 5.6}}));
    } else if (icon == Icon::Warning) {
        p.drawPolygon(QPolygonF({{8, 1.2}, {15.4, 14.6}, {0.6, 14.6}}));
        stroke(p, inner, 1.7);
        p.drawLine(QPointF(8, 6), QPointF(8, 9.6));
        p.drawPoint(QPointF(8, 12.2));
    } else if (icon == Icon::Violation) {
        p.drawPolygon(octagon());
        stroke(p, inner, 1.8);
        p.drawLine(QPointF(5.4, 5.4), QPointF(10.6, 10.6));
        p.drawLine(QPointF(10.6, 5.4), QPointF(5.4, 10.6));
    } else {
        stroke(p, c, 1.4);
        p.drawRoundedRect(QRectF(1.7, 1.7, 12.6, 12.6), 2.5, 2.5);
        p.drawLine(QPointF(8, 7.4), QPointF(8, 11.4));
        p.drawPoint(QPointF(8, 4.7));
    }
}

void paintLock(QPainter& p, bool closed, const QColor& c)
{
    stroke(p, c, 1.4);
    QPainterPath shackle;
    const double shift = closed ? 0.0 : 4.2;
    shackle.moveTo(5 + shift, 7.5);
    shackle.lineTo(5 + shift, 5);
    shackle.arcTo(QRectF(5 + shift, 2, 6, 6), 180, -180);
    if (closed) {
        shackle.lineTo(11, 7.5);
    }
    p.drawPath(shackle);
    if (closed) {
        p.setBrush(c);
    }
    p.drawRoundedRect(QRectF(3.2, 7.5, 9.6, 6.6), 1.2, 1.2);
}

void paintTurn(QPainter& p, bool back, bool full, const QColor& c)
{
    stroke(p, c, 1.5);
    if (!back) {
        p.translate(16, 0);
        p.scale(-1, 1);
    }
    QPainterPath path;
    if (full) {
        path.arcMoveTo(QRectF(3, 3, 10, 10), 150);
        path.arcTo(QRectF(3, 3, 10, 10), 150, -300);
        path.moveTo(3, 2.2);
        path.lineTo(3, 6);
        path.lineTo(6.8, 6);
    } else {
        path.moveTo(3, 6.5);
        path.lineTo(10, 6.5);
        path.arcTo(QRectF(7, 6.5, 6, 6), 90, -180);
        path.lineTo(6, 12.5);
        path.moveTo(6, 3.3);
        path.lineTo(2.8, 6.5);
        path.lineTo(6, 9.7);
    }
    p.drawPath(path);
}

void paintChevron(QPainter& p, double angle, const QColor& c)
{
    stroke(p, c, 1.5);
    p.translate(8, 8);
    p.rotate(angle);
    p.drawPolyline(QPolygonF({{-2, -4}, {2, 0}, {-2, 4}}));
}

void paintSheet(QPainter& p, bool folder, const QColor& c)
{
    stroke(p, c, 1.4);
    if (folder) {
        p.drawPolygon(
            QPolygonF({{1.8, 3.5}, {6, 3.5}, {7.5, 5.2}, {14.2, 5.2}, {14.2, 13}, {1.8, 13}}));
        return;
    }
    p.drawPolygon(QPolygonF({{3.5, 1.8}, {9.2, 1.8}, {12.8, 5.4}, {12.8, 14.2}, {3.5, 14.2}}));
    p.drawPolyline(QPolygonF({{9.2, 1.8}, {9.2, 5.4}, {12.8, 5.4}}));
}

void paintSmall(QPainter& p, Icon icon, const QColor& c)
{
    stroke(p, c, 1.5);
    switch (icon) {
    case Icon::Pin:
        p.drawLine(QPointF(4.5, 2.2), QPointF(11.5, 2.2));
        p.drawPolygon(QPolygonF({{6, 2.2}, {10, 2.2}, {10, 6.5}, {12, 9}, {4, 9}, {6, 6.5}}));
        p.drawLine(QPointF(8, 9), QPointF(8, 14));
        break;
    case Icon::Search:
        p.drawEllipse(QPointF(6.8, 6.8), 4, 4);
        p.drawLine(QPointF(9.8, 9.8), QPointF(13.5, 13.5));
        break;
    case Icon::Close:
        p.drawLine(QPointF(4, 4), QPointF(12, 12));
        p.drawLine(QPointF(12, 4), QPointF(4, 12));
        break;
    case Icon::Float:
        p.drawRect(QRectF(2.5, 6, 7.5, 7.5));
        p.drawPolyline(QPolygonF({{6, 6}, {6, 2.5}, {13.5, 2.5}, {13.5, 10}, {10, 10}}));
        break;
    case Icon::Plus:
        p.drawLine(QPointF(8, 2.5), QPointF(8, 13.5));
        p.drawLine(QPointF(2.5, 8), QPointF(13.5, 8));
        break;
    case Icon::ArrowUp:
    case Icon::Preset:
        p.setPen(Qt::NoPen);
        p.setBrush(c);
        p.drawPolygon(QPolygonF({{8, 3}, {14, 13}, {2, 13}}));
        break;
    case Icon::ArrowDown:
        p.setPen(Qt::NoPen);
        p.setBrush(c);
        p.drawPolygon(QPolygonF({{8, 13}, {14, 3}, {2, 3}}));
        break;
    default:
        p.drawEllipse(QRectF(3, 3, 10, 10));
        break;
    }
}

class ThemedIconEngine : public QIconEngine
{
public:
    explicit ThemedIconEngine(Icon which) : m_icon(which) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        const Theme& theme = Theme::of(QApplication::palette());
        QColor c = iconColour(m_icon, theme);
        if (mode == QIcon::Disabled) {
            c = theme.wash(c, 0.45);
        }
        paintIcon(*painter, rect, m_icon, theme, c);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        const QString key = QStringLiteral("cw-icon-%1-%2-%3-%4-%5")
                                .arg(static_cast<int>(m_icon))
                                .arg(size.width())
                                .arg(size.height())
                                .arg(static_cast<int>(mode))
                                .arg(Theme::of(QApplication::palette()).dark ? 1 : 0);
        QPixmap map;
        if (QPixmapCache::find(key, &map))
            return map;
        map = QPixmap(size);
        map.fill(Qt::transparent);
        QPainter painter(&map);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        painter.end();
        QPixmapCache::insert(key, map);
        return map;
    }
    [[nodiscard]] QIconEngine* clone() const override { return new ThemedIconEngine(m_icon); }

private:
    Icon m_icon;
};

} // namespace

QColor iconColour(Icon which, const Theme& theme)
{
    switch (which) {
    case Icon::Ok:
        return theme.ok;
    case Icon::Warning:
        return theme.warning;
    case Icon::Violation:
        return theme.violation;
    case Icon::Advice:
    case Icon::Plus:
    case Icon::Document:
    case Icon::Folder:
        return theme.accent;
    case Icon::Lock:
        return theme.text;
    default:
        return theme.secondary;
    }
}

void paintIcon(QPainter& painter, const QRectF& square, Icon which, const Theme& theme,
               const QColor& colour)
{
    const QColor c = colour.isValid() ? colour : iconColour(which, theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double side = std::min(square.width(), square.height());
    painter.translate(square.center() - QPointF(side / 2, side / 2));
    painter.scale(side / 16.0, side / 16.0);
    switch (which) {
    case Icon::Ok:
    case Icon::Warning:
    case Icon::Violation:
    case Icon::Advice:
        paintStatus(painter, which, c, theme.card);
        break;
    case Icon::Lock:
    case Icon::Unlock:
        paintLock(painter, which == Icon::Lock, c);
        break;
    case Icon::Reset:
        paintTurn(painter, true, true, c);
        break;
    case Icon::Undo:
    case Icon::Redo:
        paintTurn(painter, which == Icon::Undo, false, c);
        break;
    case Icon::ChevronRight:
        paintChevron(painter, 0, c);
        break;
    case Icon::ChevronDown:
        paintChevron(painter, 90, c);
        break;
    case Icon::ChevronLeft:
        paintChevron(painter, 180, c);
        break;
    case Icon::ChevronUp:
        paintChevron(painter, -90, c);
        break;
    case Icon::Document:
    case Icon::Folder:
        paintSheet(painter, which == Icon::Folder, c);
        break;
    default:
        paintSmall(painter, which, c);
        break;
    }
    painter.restore();
}

QIcon icon(Icon which)
{
    return QIcon(new ThemedIconEngine(which));
}

Icon iconOf(Status status)
{
    switch (status) {
    case Status::Ok:
        return Icon::Ok;
    case Status::Warning:
        return Icon::Warning;
    case Status::Violation:
        return Icon::Violation;
    case Status::Advice:
        break;
    }
    return Icon::Advice;
}

} // namespace cw::views
