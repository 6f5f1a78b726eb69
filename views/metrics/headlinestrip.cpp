// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/metrics/headlinestrip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>

#include "views/painted/paintutil.h"
#include "views/theme/icons.h"

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {
constexpr double kMargin = 11;
}

HeadlineCell::HeadlineCell(QWidget* parent) : QAbstractButton(parent)
{
    setFocusPolicy(Qt::TabFocus);
    setCheckable(true);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_OpaquePaintEvent); // it fills itself
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void HeadlineCell::setHeadline(const Headline& headline)
{
    if (m_headline == headline)
        return;
    m_headline = headline;
    QString spoken = headline.label + u": "_s + headline.value + u' ' + headline.unit;
    if (!headline.delta.isEmpty())
        spoken += u", "_s + headline.delta;
    setAccessibleName(spoken);
    setToolTip(headline.tip);
    update();
}

void HeadlineCell::setShowsBaseline(bool shows)
{
    m_showsBaseline = shows;
    update();
}

void HeadlineCell::setScale(double scale)
{
    m_scale = scale;
    updateGeometry();
    update();
}

QSize HeadlineCell::sizeHint() const
{
    return {static_cast<int>(px(126)), static_cast<int>(px(72))};
}

QSize HeadlineCell::minimumSizeHint() const
{
    return {static_cast<int>(px(84)), static_cast<int>(px(72))};
}

void HeadlineCell::paintValue(QPainter& painter, const Theme& theme) const
{
    const bool base = m_showsBaseline && !m_headline.baselineValue.isEmpty();
    const QString value = base ? m_headline.baselineValue : m_headline.value;
    const QString unit = base ? QString() : m_headline.unit;
    double x = px(kMargin);
    const double room = width() - 2 * px(kMargin);
    if (m_headline.path.isEmpty()) {
        // The baseline is a name, not a figure: a pin and small type, so that it is read whole.
        const double line = px(42);
        paintIcon(painter, QRectF(x, line - px(11), px(13), px(13)), Icon::Pin, theme);
        painter.setFont(Theme::font(px(12), true));
        painter.setPen(theme.text);
        drawText(painter, QPointF(x + px(18), line),
                 fitted(m_headline.value, painter.font(), width() - x - px(18) - 3));
        return;
    }
    const double markWidth = m_headline.status ? px(20) : 0;
    double size = 19;
    // A long value gets smaller type rather than being cut.
    const auto widthAt = [&](double s) {
        return textWidth(value, Theme::font(px(s), true)) + markWidth +
               textWidth(u' ' + unit, Theme::font(px(11)));
    };
    while (size > 12 && widthAt(size) > room)
        size -= 1;
    const double baseline = px(44);
    if (m_headline.status) {
        paintIcon(painter, QRectF(x, baseline - px(14), px(15), px(15)), iconOf(*m_headline.status),
                  theme);
        x += markWidth;
    }
    painter.setFont(Theme::font(px(size), true));
    painter.setPen(base                ? theme.weak
                   : m_headline.status ? theme.status(*m_headline.status)
                                       : theme.text);
    drawText(painter, QPointF(x, baseline), fitted(value, painter.font(), width() - x - 4));
    x += textWidth(value, painter.font()) + px(4);
    painter.setFont(Theme::font(px(11)));
    painter.setPen(theme.secondary);
    drawText(painter, QPointF(x, baseline), fitted(unit, painter.font(), width() - x - 4));
}

void HeadlineCell::paintAssumed(QPainter& painter, const Theme& theme) const
{
    painter.setFont(Theme::font(px(9.5)));
    const double tag = textWidth(m_headline.assumedText, painter.font()) + px(9);
    const double label = textWidth(m_headline.label, Theme::font(px(11)));
    const QRectF box(width() - tag - px(5) - 0.5, px(7) + 0.5, tag, px(14));
    painter.setPen(QPen(theme.warning, 1, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    if (box.left() < px(kMargin) + label + px(4)) {
        // No room for the word: the dashed edge alone.
        painter.drawLine(QPointF(px(kMargin), px(49) + 0.5),
                         QPointF(width() - px(kMargin), px(49) + 0.5));
        return;
    }
    painter.drawRoundedRect(box, 3, 3);
    drawText(painter, box, Qt::AlignCenter, m_headline.assumedText);
}

void HeadlineCell::paintBelow(QPainter& painter, const Theme& theme) const
{
    double x = px(kMargin);
    const double baseline = px(63);
    painter.setFont(Theme::font(px(11)));
    if (m_headline.delta.isEmpty()) {
        painter.setPen(theme.secondary);
        const QString whole = m_headline.band.isEmpty() ? m_headline.sub : m_headline.band;
        const double room = width() - x - 3;
        // Smaller type before words are left out, and the words after a comma before any is cut.
        if (textWidth(whole, painter.font()) > room)
            painter.setFont(Theme::font(px(10)));
        const bool fits = textWidth(whole, painter.font()) <= room;
        drawText(painter, QPointF(x, baseline),
                 fits ? whole : fitted(whole.section(u", "_s, 0, 0), painter.font(), room));
        return;
    }
    const QColor colour = theme.change(m_headline.change);
    if (m_headline.direction != 0) {
        paintIcon(painter, QRectF(x, baseline - px(10), px(11), px(11)),
                  m_headline.direction > 0 ? Icon::ArrowUp : Icon::ArrowDown, theme, colour);
        x += px(14);
    }
    painter.setPen(colour);
    drawText(painter, QPointF(x, baseline),
             fitted(m_headline.delta, painter.font(), width() - x - 2));
}

void HeadlineCell::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), isChecked()    ? theme.selection
                             : underMouse() ? theme.sunken
                                            : theme.card);
    painter.fillRect(QRect(width() - 1, 0, 1, height()), theme.hairline);
    if (isChecked())
        painter.fillRect(QRect(0, height() - 3, width(), 3), theme.accent);
    painter.setFont(Theme::font(px(11)));
    painter.setPen(theme.secondary);
    drawText(painter, QPointF(px(kMargin), px(18)),
             fitted(m_headline.label, painter.font(), width() - px(kMargin) - 4));
    if (m_headline.assumed)
        paintAssumed(painter, theme);
    paintValue(painter, theme);
    paintBelow(painter, theme);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(1, 1, -2, -2));
    }
}

HeadlineStrip::HeadlineStrip(QWidget* parent)
    : QWidget(parent), m_line(new QHBoxLayout), m_problem(new QLabel(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_line->setContentsMargins(0, 0, 0, 0);
    m_line->setSpacing(0);
    column->addLayout(m_line);
    m_problem->setContentsMargins(static_cast<int>(kMargin), 3, static_cast<int>(kMargin), 5);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setRole(m_problem, "role", u"violation"_s);
    m_problem->hide();
    column->addWidget(m_problem);
}

void HeadlineStrip::setProblem(const QString& text)
{
    m_problem->setText(text);
    m_problem->setToolTip(text);
    m_problem->setVisible(!text.isEmpty());
}

QString HeadlineStrip::problem() const
{
    return m_problem->text();
}

void HeadlineStrip::setHeadlines(const std::vector<Headline>& headlines)
{
    while (m_cells.size() < headlines.size()) {
        auto* cell = new HeadlineCell(this);
        cell->setScale(m_scale);
        m_line->addWidget(cell, 1);
        m_cells.push_back(cell);
        connect(cell, &QAbstractButton::clicked, this, [this, cell] {
            setCurrent(m_current); // a click asks; what is current is told from outside
            Q_EMIT chosen(cell->headline().path, cell->headline().page);
        });
    }
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        m_cells[i]->setVisible(i < headlines.size());
        if (i < headlines.size())
            m_cells[i]->setHeadline(headlines[i]);
    }
    setCurrent(m_current);
}

void HeadlineStrip::setCurrent(const QString& path)
{
    m_current = path;
    for (HeadlineCell* cell : m_cells)
        cell->setChecked(!path.isEmpty() && cell->headline().path == path);
}

void HeadlineStrip::setShowsBaseline(bool shows)
{
    for (HeadlineCell* cell : m_cells)
        cell->setShowsBaseline(shows);
}

void HeadlineStrip::setScale(double scale)
{
    m_scale = scale;
    for (HeadlineCell* cell : m_cells)
        cell->setScale(scale);
}

} // namespace cw::views
