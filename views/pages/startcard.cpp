// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <QTextLayout>
#include <algorithm>

#include "views/pages/startpage.h"
#include "views/theme/icons.h"

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

/// Draws wrapped text from `top` on; answers where it ends.
double drawWrapped(QPainter* painter, const QString& text, const QFont& font, double left,
                   double top, double width, int mostLines)
{
    QTextLayout layout(text, font);
    layout.beginLayout();
    double y = top;
    for (int line = 0; line < mostLines; ++line) {
        QTextLine l = layout.createLine();
        if (!l.isValid())
            break;
        l.setLineWidth(width);
        l.setPosition({left, y});
        y += l.height();
    }
    layout.endLayout();
    if (painter)
        for (int i = 0; i < layout.lineCount(); ++i)
            layout.lineAt(i).draw(painter, {0, 0});
    return y;
}

} // namespace

StartCard::StartCard(QWidget* parent) : QAbstractButton(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void StartCard::setTexts(const QString& title, const QString& line, const QString& result)
{
    m_title = title;
    m_line = line;
    m_result = result;
    setAccessibleName(title);
    setAccessibleDescription(line + u' ' + result);
    updateGeometry();
    update();
}

void StartCard::setRightText(const QString& text)
{
    m_right = text;
    update();
}

QSize StartCard::sizeHint() const
{
    return {260, heightForWidth(260)};
}

int StartCard::heightForWidth(int width) const
{
    return static_cast<int>(draw(nullptr, width, Theme::of(this)) + 11);
}

double StartCard::draw(QPainter* painter, int width, const Theme& theme) const
{
    constexpr double kLeft = 14;
    const double rightWidth =
        m_right.isEmpty() ? 0 : QFontMetricsF(Theme::font(11)).horizontalAdvance(m_right) + 10;
    const double room = width - 2 * kLeft - rightWidth;
    if (painter)
        painter->setPen(theme.text);
    double y = drawWrapped(painter, m_title, Theme::font(12, true), kLeft, 10, room, 3);
    if (!m_line.isEmpty()) {
        if (painter)
            painter->setPen(theme.secondary);
        y = drawWrapped(painter, m_line, Theme::font(11), kLeft, y + 2, room, 3);
    }
    if (!m_result.isEmpty()) {
        double left = kLeft;
        y += 4;
        if (m_hasStatus) {
            if (painter)
                paintIcon(*painter, QRectF(left, y + 1, 13, 13), iconOf(m_status), theme);
            left += 19;
        }
        if (painter)
            painter->setPen(theme.text);
        y = drawWrapped(painter, m_result, Theme::font(11, true), left, y, width - kLeft - left, 4);
    }
    return y;
}

void StartCard::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool lit = underMouse() || hasFocus();
    painter.setPen(QPen(lit || m_strong ? theme.accent : theme.border, 1));
    painter.setBrush(theme.card);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    if (m_strong)
        painter.fillRect(QRectF(0, 3, 3, height() - 6), theme.accent);
    draw(&painter, width(), theme);
    if (!m_right.isEmpty()) {
        painter.setFont(Theme::font(11));
        painter.setPen(theme.secondary);
        painter.drawText(rect().adjusted(0, 0, -12, 0), Qt::AlignRight | Qt::AlignVCenter, m_right);
    }
}

} // namespace cw::views
