// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/paintedchart.h"

#include <QAccessible>
#include <QFocusEvent>
#include <QHelpEvent>
#include <QIODevice>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSvgGenerator>
#include <QToolTip>
#include <QTransform>
#include <algorithm>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

// Tab walks the marks of a small chart; in a large one it would be a trap, arrows do it there.
constexpr std::size_t kTabWalkLimit = 48;
constexpr double kTitleHeight = 30.0;
constexpr double kPicturePadding = 12.0;

QString cleanCell(QString cell)
{
    cell.replace(u'\t', u' ');
    cell.replace(u'\n', u' ');
    return cell;
}

bool contains(const Mark& mark, const QPointF& at)
{
    if (mark.turn == 0.0) {
        return mark.rect.contains(at);
    }
    QTransform back;
    back.rotate(-mark.turn);
    return mark.rect.contains(mark.rect.center() + back.map(at - mark.rect.center()));
}

void paintPicture(QPainter& painter, ChartContent& chart, const QString& title,
                  const QString& subtitle, const Theme& theme, const QSize& size)
{
    painter.fillRect(QRectF(QPointF(0, 0), size), theme.card);
    QRectF body(QPointF(0, 0), QSizeF(size));
    body.adjust(kPicturePadding, kPicturePadding, -kPicturePadding, -kPicturePadding);
    if (!title.isEmpty()) {
        painter.setFont(Theme::font(13, true));
        painter.setPen(theme.text);
        const double width = painter.fontMetrics().horizontalAdvance(title);
        painter.drawText(QPointF(body.left(), body.top() + 13), title);
        painter.setFont(Theme::font(11));
        painter.setPen(theme.secondary);
        painter.drawText(QPointF(body.left() + width + 10, body.top() + 13), subtitle);
        body.setTop(body.top() + kTitleHeight);
    }
    chart.renderTo(painter, body, theme);
}

} // namespace

QString ChartTable::tsv() const
{
    QString text;
    const auto append = [&text](const QStringList& cells) {
        for (qsizetype i = 0; i < cells.size(); ++i) {
            text += (i > 0 ? u"\t"_s : QString()) + cleanCell(cells[i]);
        }
        text += u'\n';
    };
    append(header);
    for (const auto& row : rows) {
        append(row);
    }
    return text;
}

QString tipHtml(const QString& plain)
{
    if (plain.isEmpty()) {
        return {};
    }
    QStringList lines = plain.toHtmlEscaped().split(u'\n');
    const QStringList head = lines.takeFirst().split(u'\t');
    QString html =
        u"<table cellspacing='0' cellpadding='0'><tr><td><b>"_s + head.value(0) + u"</b></td>"_s;
    if (head.size() > 1) {
        html += u"<td align='right'><b>&nbsp;&nbsp;&nbsp;"_s + head.value(1) + u"</b></td>"_s;
    }
    html += u"</tr>"_s;
    for (const auto& line : std::as_const(lines)) {
        html += u"<tr><td colspan='2'>"_s + line + u"</td></tr>"_s;
    }
    return html + u"</table>"_s;
}

PaintedChart::PaintedChart(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    // It fills itself with the card's colour: what lies below need not be painted for it.
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(120, 60);
}

PaintedChart::~PaintedChart() = default;

void PaintedChart::setEmptyText(const QString& text)
{
    m_emptyText = text;
    update();
}

void PaintedChart::invalidate()
{
    m_ground = {};
    // A new layout of the page takes longer than the chart's own painting.
    const QSize hint = sizeHint();
    const QSize least = minimumSizeHint();
    if (hint != m_hint || least != m_leastHint) {
        m_hint = hint;
        m_leastHint = least;
        updateGeometry();
    }
    invalidateFigures();
}

void PaintedChart::invalidateFigures()
{
    m_marks.reset();
    m_hovered = -1;
    m_pressed = -1;
    update();
}

void PaintedChart::forgetMarks()
{
    m_marks.reset();
    m_hovered = -1;
    m_focused = -1;
}

const std::vector<Mark>& PaintedChart::currentMarks() const
{
    if (!m_marks) {
        m_marks = isEmpty() ? std::vector<Mark>{} : marks(QRectF(rect()));
    }
    return *m_marks;
}

int PaintedChart::markAt(const QPointF& position) const
{
    const auto& all = currentMarks();
    for (int i = static_cast<int>(all.size()) - 1; i >= 0; --i) {
        if (contains(all[static_cast<std::size_t>(i)], position)) {
            return i;
        }
    }
    return -1;
}

void PaintedChart::setFocusedMark(int index)
{
    const auto& all = currentMarks();
    m_focused = index >= 0 && index < static_cast<int>(all.size()) ? index : -1;
    if (m_focused >= 0) {
        const Mark& mark = all[static_cast<std::size_t>(m_focused)];
        setAccessibleDescription(markSpoken(mark));
        QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
        QAccessible::updateAccessibility(&changed);
        Q_EMIT quantityHovered(mark.quantity);
    }
    update();
}

void PaintedChart::renderTo(QPainter& painter, const QRectF& bounds, const Theme& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setRenderHint(QPainter::TextAntialiasing);
    if (isEmpty()) {
        painter.setFont(Theme::font(12));
        painter.setPen(theme.secondary);
        painter.drawText(bounds.adjusted(12, 8, -12, -8), Qt::AlignCenter | Qt::TextWordWrap,
                         m_emptyText);
    } else {
        if (hasGround()) {
            painter.save();
            paintGround(painter, bounds, theme);
            painter.restore();
        }
        paint(painter, bounds, theme);
    }
    painter.restore();
}

void PaintedChart::paintKept(QPainter& painter, const Theme& theme)
{
    const double ratio = devicePixelRatioF();
    const QSize pixels = (QSizeF(size()) * ratio).toSize();
    if (m_ground.size() != pixels || m_ground.devicePixelRatio() != ratio) {
        m_ground = QPixmap(pixels);
        m_ground.setDevicePixelRatio(ratio);
        m_ground.fill(theme.card);
        QPainter ground(&m_ground);
        ground.setRenderHint(QPainter::TextAntialiasing);
        paintGround(ground, QRectF(rect()), theme);
    }
    painter.drawPixmap(QPointF(0, 0), m_ground);
    painter.save();
    paint(painter, QRectF(rect()), theme);
    painter.restore();
}

void PaintedChart::activateMark(const Mark&)
{
}
void PaintedChart::hoverChanged(int)
{
}

void PaintedChart::paintHover(QPainter& painter, const Mark& mark, const Theme& theme) const
{
    painter.setPen(QPen(theme.text, 1));
    painter.setBrush(Qt::NoBrush);
    painter.translate(mark.rect.center());
    painter.rotate(mark.turn);
    painter.translate(-mark.rect.center());
    painter.drawRect(mark.rect.adjusted(0.5, 0.5, -0.5, -0.5));
}

bool PaintedChart::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int at = markAt(help->pos());
        if (at < 0) {
            QToolTip::hideText();
            return true;
        }
        const Mark& mark = currentMarks()[static_cast<std::size_t>(at)];
        QToolTip::showText(help->globalPos(), tipHtml(markTip(mark)), this,
                           mark.rect.toAlignedRect());
        return true;
    }
    return QWidget::event(event);
}

void PaintedChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = Theme::of(this);
    painter.fillRect(rect(), theme.card);
    if (hasGround() && !isEmpty()) {
        paintKept(painter, theme);
    } else {
        renderTo(painter, QRectF(rect()), theme);
    }
    // The marks of a chart that nobody points at are not needed, and have many texts.
    if (m_hovered < 0 && !(hasFocus() && m_keyboard)) {
        return;
    }
    const auto& all = currentMarks();
    if (m_hovered >= 0 && m_hovered < static_cast<int>(all.size())) {
        painter.save();
        paintHover(painter, all[static_cast<std::size_t>(m_hovered)], theme);
        painter.restore();
    }
    if (hasFocus() && m_keyboard && m_focused >= 0 && m_focused < static_cast<int>(all.size())) {
        const Mark& mark = all[static_cast<std::size_t>(m_focused)];
        painter.translate(mark.rect.center());
        painter.rotate(mark.turn);
        painter.translate(-mark.rect.center());
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(mark.rect.adjusted(-1, -1, 1, 1), 2, 2);
    } else if (hasFocus() && m_keyboard) {
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void PaintedChart::setHovered(int index)
{
    if (index == m_hovered) {
        return;
    }
    m_hovered = index;
    const auto& all = currentMarks();
    const Mark* mark = index >= 0 ? &all[static_cast<std::size_t>(index)] : nullptr;
    setCursor(mark != nullptr && !mark->quantity.isEmpty() ? Qt::PointingHandCursor
                                                           : Qt::ArrowCursor);
    hoverChanged(index);
    Q_EMIT quantityHovered(mark != nullptr ? mark->quantity : QString());
    update();
}

void PaintedChart::mouseMoveEvent(QMouseEvent* event)
{
    setHovered(markAt(event->position()));
}

void PaintedChart::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) {
        m_pressed = markAt(event->position());
    }
    event->accept();
}

void PaintedChart::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && m_pressed >= 0 &&
        markAt(event->position()) == m_pressed) {
        const int index = m_pressed;
        m_pressed = -1;
        m_focused = index;
        m_keyboard = false;
        activate(index);
    }
    m_pressed = -1;
}

void PaintedChart::activate(int index)
{
    // A copy: what is called may replace the data.
    const Mark mark = currentMarks()[static_cast<std::size_t>(index)];
    activateMark(mark);
    if (!mark.quantity.isEmpty()) {
        Q_EMIT quantityClicked(mark.quantity);
    }
    update();
}

void PaintedChart::leaveEvent(QEvent* event)
{
    setHovered(-1);
    QWidget::leaveEvent(event);
}

bool PaintedChart::walk(int step)
{
    const int count = static_cast<int>(currentMarks().size());
    int next = m_focused < 0 ? (step > 0 ? 0 : count - 1) : m_focused + step;
    while (next >= 0 && next < count && !currentMarks()[static_cast<std::size_t>(next)].walkable) {
        next += step;
    }
    if (next < 0 || next >= count) {
        return false;
    }
    setFocusedMark(next);
    return true;
}

void PaintedChart::keyPressEvent(QKeyEvent* event)
{
    const int count = static_cast<int>(currentMarks().size());
    m_keyboard = true;
    switch (event->key()) {
    case Qt::Key_Left:
        walk(-1);
        return;
    case Qt::Key_Right:
        walk(1);
        return;
    case Qt::Key_Home:
        m_focused = -1;
        walk(1);
        return;
    case Qt::Key_End:
        m_focused = -1;
        walk(-1);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_focused >= 0 && m_focused < count) {
            activate(m_focused);
            return;
        }
        break;
    case Qt::Key_Escape:
        if (m_focused >= 0) {
            setFocusedMark(-1);
            return;
        }
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

bool PaintedChart::focusNextPrevChild(bool next)
{
    if (hasFocus() && currentMarks().size() <= kTabWalkLimit && walk(next ? 1 : -1)) {
        return true;
    }
    return QWidget::focusNextPrevChild(next);
}

void PaintedChart::resizeEvent(QResizeEvent* event)
{
    m_marks.reset();
    m_hovered = -1;
    QWidget::resizeEvent(event);
}

void PaintedChart::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::StyleChange || event->type() == QEvent::LanguageChange) {
        m_ground = {};
        m_marks.reset();
        update();
    }
    QWidget::changeEvent(event);
}

void PaintedChart::focusInEvent(QFocusEvent* event)
{
    m_keyboard = event->reason() == Qt::TabFocusReason ||
                 event->reason() == Qt::BacktabFocusReason ||
                 event->reason() == Qt::ShortcutFocusReason;
    QWidget::focusInEvent(event);
    update();
}

void PaintedChart::focusOutEvent(QFocusEvent* event)
{
    m_focused = -1;
    QWidget::focusOutEvent(event);
    update();
}

QImage chartImage(ChartContent& chart, const QString& title, const QString& subtitle,
                  const Theme& theme, const QSize& size, double pixelRatio)
{
    QImage image(size * pixelRatio, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(pixelRatio);
    image.fill(theme.card);
    QPainter painter(&image);
    paintPicture(painter, chart, title, subtitle, theme, size);
    return image;
}

bool writeChartSvg(ChartContent& chart, const QString& title, const QString& subtitle,
                   const Theme& theme, const QSize& size, QIODevice& device)
{
    QSvgGenerator generator;
    generator.setOutputDevice(&device);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(0, 0), size));
    // Without the screen's resolution text shrinks against the geometry.
    generator.setResolution(chart.widget()->logicalDpiX());
    generator.setTitle(title);
    generator.setDescription(subtitle);
    QPainter painter;
    if (!painter.begin(&generator)) {
        return false;
    }
    paintPicture(painter, chart, title, subtitle, theme, size);
    return painter.end();
}

} // namespace cw::views
