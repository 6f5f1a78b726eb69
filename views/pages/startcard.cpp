// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <QPainterPath>
#include <QTextLayout>
#include <algorithm>
#include <utility>

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

constexpr double kGlyphWidth = 44;
constexpr double kGlyphHeight = 34;

void paintCurve(QPainter& p, const QRectF& r, const Theme& theme)
{
    QPainterPath path({r.left(), r.bottom() - 5});
    path.cubicTo(r.center().x(), r.bottom() - 5, r.center().x(), r.top() + 3, r.right(),
                 r.top() + 3);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(theme.colour(Series::Compute), 2));
    p.drawPath(path);
    p.setPen(QPen(theme.border, 2));
    p.drawLine(r.bottomLeft(), r.bottomRight());
}

void paintStack(QPainter& p, const QRectF& r, const Theme& theme)
{
    const double width = 18;
    const double x = r.center().x() - width / 2;
    double y = r.bottom();
    for (const auto& [series, height] :
         {std::pair(Series::Weights, 9.0), std::pair(Series::Gradients, 9.0),
          std::pair(Series::Optimizer, 7.0), std::pair(Series::Activations, 6.0)}) {
        y -= height;
        p.fillRect(QRectF(x, y, width, height - 1), theme.colour(series));
    }
    p.fillRect(QRectF(x - 7, r.top() + 4, width + 14, 2), theme.violation);
}

void paintTree(QPainter& p, const QRectF& r, const Theme& theme)
{
    p.setPen(QPen(theme.colour(Series::DataParallel), 1.5));
    for (const double from : {0.28, 0.72})
        for (const double to : {0.1, 0.37, 0.63, 0.9})
            p.drawLine(QPointF(r.left() + r.width() * from, r.top() + 6),
                       QPointF(r.left() + r.width() * to, r.bottom() - 5));
    for (const double from : {0.28, 0.72})
        p.fillRect(QRectF(r.left() + r.width() * from - 4, r.top() + 1, 9, 7),
                   theme.colour(Series::Optimizer));
    for (const double to : {0.1, 0.37, 0.63, 0.9})
        p.fillRect(QRectF(r.left() + r.width() * to - 4, r.bottom() - 7, 8, 7),
                   theme.colour(Series::Chips));
}

void paintFlow(QPainter& p, const QRectF& r, const Theme& theme)
{
    const auto ribbon = [&](double top, double bottom, double fall, const QColor& colour) {
        const double middle = r.center().x();
        QPainterPath path({r.left(), r.top() + top});
        path.cubicTo(middle, r.top() + top, middle, r.top() + top + fall, r.right(),
                     r.top() + top + fall);
        path.lineTo(r.right(), r.top() + bottom + fall);
        path.cubicTo(middle, r.top() + bottom + fall, middle, r.top() + bottom, r.left(),
                     r.top() + bottom);
        p.fillPath(path, colour);
    };
    p.setPen(Qt::NoPen);
    ribbon(4, 18, -2, theme.wash(theme.colour(Series::Chips), 0.5));
    ribbon(18, 25, 6, theme.wash(theme.colour(Series::Cooling), 0.6));
}

void paintFailures(QPainter& p, const QRectF& r, const Theme& theme)
{
    const QRectF strip(r.left(), r.center().y() + 1, r.width(), 11);
    p.fillRect(strip, theme.colour(Series::UsefulWork));
    p.setPen(QPen(theme.violation, 1.6));
    for (const double at : {0.2, 0.52, 0.84}) {
        const QPointF c(r.left() + r.width() * at, r.center().y() - 7);
        p.drawLine(c + QPointF(-3, -3), c + QPointF(3, 3));
        p.drawLine(c + QPointF(-3, 3), c + QPointF(3, -3));
        p.fillRect(QRectF(c.x() - 1, strip.top(), 5, strip.height()),
                   theme.colour(Series::Restore));
    }
}

void paintSteps(QPainter& p, const QRectF& r, const Theme& theme)
{
    double x = r.left();
    double y = r.top() + 2;
    for (const Series series :
         {Series::Compute, Series::BandwidthBound, Series::ExpertParallel, Series::DataParallel}) {
        p.fillRect(QRectF(x, y, 12, 6), theme.colour(series));
        x += 10.5;
        y += 8;
    }
}

void paintGlyph(QPainter& p, const QRectF& r, const QString& category, const Theme& theme)
{
    if (category == u"memory"_s)
        paintStack(p, r, theme);
    else if (category == u"network"_s)
        paintTree(p, r, theme);
    else if (category == u"power"_s)
        paintFlow(p, r, theme);
    else if (category == u"failures"_s)
        paintFailures(p, r, theme);
    else if (category == u"ladders"_s)
        paintSteps(p, r, theme);
    else
        paintCurve(p, r, theme);
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
    const double edge = 14;
    const double left0 = m_glyph.isEmpty() ? edge : edge + kGlyphWidth + 14;
    const double rightWidth =
        m_right.isEmpty() ? 0 : QFontMetricsF(Theme::font(11)).horizontalAdvance(m_right) + 10;
    const double room = width - edge - left0 - rightWidth;
    if (painter)
        painter->setPen(theme.text);
    double y = drawWrapped(painter, m_title, Theme::font(12, true), left0, 10, room, 3);
    if (!m_line.isEmpty()) {
        if (painter)
            painter->setPen(theme.secondary);
        y = drawWrapped(painter, m_line, Theme::font(11), left0, y + 2, room, 3);
    }
    if (!m_result.isEmpty()) {
        double left = left0;
        y += 4;
        if (m_hasStatus) {
            if (painter)
                paintIcon(*painter, QRectF(left, y + 1, 13, 13), iconOf(m_status), theme);
            left += 19;
        }
        if (painter)
            painter->setPen(theme.text);
        y = drawWrapped(painter, m_result, Theme::font(11, true), left, y, width - edge - left, 4);
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
    if (!m_glyph.isEmpty())
        paintGlyph(painter, QRectF(14, (height() - kGlyphHeight) / 2, kGlyphWidth, kGlyphHeight),
                   m_glyph, theme);
    if (!m_right.isEmpty()) {
        painter.setFont(Theme::font(11));
        painter.setPen(theme.secondary);
        painter.drawText(rect().adjusted(0, 0, -12, 0), Qt::AlignRight | Qt::AlignVCenter, m_right);
    }
}

} // namespace cw::views
