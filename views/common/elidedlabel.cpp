// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/elidedlabel.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "views/painted/paintutil.h"

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {
constexpr double kStep = 12; ///< a few digits more or less
}

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent)
{
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void ElidedLabel::setKeepsWidth(bool keeps)
{
    m_keepsWidth = keeps;
    setSizePolicy(keeps ? QSizePolicy::Maximum : QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void ElidedLabel::setText(const QString& text)
{
    if (text == m_text)
        return;
    m_text = text;
    m_pieces.clear();
    bool strong = false;
    qsizetype from = 0;
    while (from < text.size()) {
        const QString tag = strong ? u"</b>"_s : u"<b>"_s;
        const qsizetype at = text.indexOf(tag, from);
        const qsizetype end = at < 0 ? text.size() : at;
        if (end > from)
            m_pieces.push_back({text.mid(from, end - from), strong});
        from = at < 0 ? end : at + tag.size();
        strong = !strong;
    }
    QString plain;
    for (const Piece& piece : m_pieces)
        plain += piece.text;
    setAccessibleName(plain);
    if (m_keepsWidth) {
        const int width = static_cast<int>(std::ceil((neededWidth() + 1) / kStep) * kStep);
        if (width != m_width) {
            m_width = width;
            updateGeometry();
        }
    }
    update();
}

QFont ElidedLabel::fontOf(const Piece& piece) const
{
    QFont f = font();
    if (piece.strong)
        f.setWeight(QFont::DemiBold);
    return f;
}

double ElidedLabel::neededWidth() const
{
    double width = 0;
    for (const Piece& piece : m_pieces)
        width += textWidth(piece.text, fontOf(piece));
    return width;
}

QSize ElidedLabel::sizeHint() const
{
    const QMargins m = contentsMargins();
    return {(m_keepsWidth ? m_width : 0) + m.left() + m.right(),
            fontMetrics().height() + m.top() + m.bottom()};
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {0, sizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    const QRectF box = contentsRect();
    const double needed = neededWidth();
    const bool right = (alignment() & Qt::AlignRight) != 0 || m_keepsWidth;
    double x = right ? std::max(box.left(), box.right() - needed) : box.left();
    for (const Piece& piece : m_pieces) {
        painter.setFont(fontOf(piece));
        const double room = box.right() - x;
        if (room < 4)
            return;
        drawLine(painter, QRectF(x, box.top(), room, box.height()),
                 static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), piece.text);
        x += textWidth(piece.text, painter.font());
    }
}

} // namespace cw::views
