// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/painted/runstrip.h"

#include "views/common/numberformat.h"
#include "views/painted/paintutil.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

constexpr int kHoursADay = 24;
constexpr int kColumns = 4; ///< of a day's cells
constexpr double kHour = 3600.0;
constexpr int kStretchTag = 1 << 20;

QColor bandColour(int band, const Theme& theme)
{
    static constexpr std::array<double, RunStrip::kBands> kShares{1.0, 0.78, 0.52, 0.26,
                                                                  0.2, 0.5,  0.9};
    const double share = kShares[static_cast<std::size_t>(band)];
    return theme.wash(band < 4 ? theme.worse : theme.better, share);
}

} // namespace

struct RunStrip::Layout
{
    QRectF legend; ///< of the strip, above
    QRectF cells;
    QRectF days;
    QRectF marks;
    QRectF strip;
    QRectF axis;
    QRectF bands;
    double left = 0.0;
    double day = 0.0;
    double cell = 0.0;
    double row = 0.0;
    [[nodiscard]] QRectF at(int hour) const
    {
        const int d = hour / kHoursADay;
        const int h = hour % kHoursADay;
        const int line = h / kColumns;
        return {cells.left() + day * d + cell * (h % kColumns), cells.top() + row * line,
                std::max(1.0, cell - 1), std::max(1.0, row - 1)};
    }
    [[nodiscard]] double px(double seconds) const
    {
        return strip.left() + strip.width() * seconds / kHour;
    }
};

RunStrip::RunStrip(QWidget* parent) : PaintedChart(parent)
{
}

void RunStrip::setData(RunStripData figures)
{
    m_data = std::move(figures);
    invalidate();
}

RunStrip::Layout RunStrip::layoutFor(const QRectF& b) const
{
    Layout l;
    // As wide as its words, so that none is cut.
    l.left = 48;
    for (const QString& line : m_data.selectedName.split(u'\n'))
        l.left = std::max(l.left, std::ceil(textWidth(line, Theme::font(10))) + 10);
    const double width = std::max(1.0, b.width() - l.left - 6);
    // Nine causes need two lines where the window is small.
    constexpr double kOneLine = 800;
    const double legends = b.width() < kOneLine ? 36 : 18;
    const double fixed = legends + 16 + 14 + 14 + 22;
    const double rest = std::max(30.0, b.height() - fixed);
    const double cells = std::floor(rest * 0.56);
    double y = b.top();
    l.legend = QRectF(b.left(), y, b.width(), legends);
    y += legends;
    l.cells = QRectF(b.left() + l.left, y, width, cells);
    y += cells;
    l.days = QRectF(b.left(), y, b.width(), 16);
    y += 16;
    l.marks = QRectF(b.left() + l.left, y, width, 14);
    y += 14;
    l.strip = QRectF(b.left() + l.left, y, width, rest - cells);
    y += rest - cells;
    l.axis = QRectF(b.left() + l.left, y, width, 14);
    l.bands = QRectF(b.left(), b.bottom() - 18, b.width(), 18);
    const double count =
        std::max(1.0, std::ceil(static_cast<double>(m_data.hours.size()) / kHoursADay));
    l.day = width / count;
    l.cell = (l.day - std::min(3.0, l.day * 0.12)) / kColumns;
    l.row = cells / (static_cast<double>(kHoursADay) / kColumns);
    return l;
}

int RunStrip::bandOf(double goodput) const
{
    const double step = goodput < m_data.mean ? m_data.step : m_data.stepAbove;
    const double steps = (goodput - m_data.mean) / std::max(step, 1e-9);
    // Bands of one step each; the first and the last are open.
    return std::clamp(static_cast<int>(std::floor(steps)) + 5, 0, kBands - 1);
}

QRectF RunStrip::cellRect(int hour) const
{
    return layoutFor(QRectF(rect())).at(hour);
}

void RunStrip::paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const
{
    const Layout l = layoutFor(bounds);
    paintHours(painter, l, theme);
    paintHour(painter, l, theme);
    paintLegends(painter, l, theme);
}

void RunStrip::paintHours(QPainter& painter, const Layout& l, const Theme& theme) const
{
    for (std::size_t i = 0; i < m_data.hours.size(); ++i) {
        const QRectF cell = l.at(static_cast<int>(i));
        const int band = bandOf(m_data.hours[i]);
        painter.fillRect(cell, bandColour(band, theme));
        if (band == 0)
            hatchRect(painter, cell, theme.card, 4.0, 1.0);
    }
    painter.setFont(Theme::font(10));
    painter.setPen(theme.secondary);
    drawLine(painter, QRectF(l.days.left(), l.days.top(), l.left - 6, 14),
             Qt::AlignRight | Qt::AlignVCenter, m_data.dayName);
    const int days = static_cast<int>((m_data.hours.size() + kHoursADay - 1) / kHoursADay);
    const int every = l.day >= 16 ? 1 : l.day >= 8 ? 2 : 5;
    for (int d = 0; d < days; ++d) {
        const bool here = m_data.selected >= 0 && m_data.selected / kHoursADay == d;
        if (d % every != 0 && !here)
            continue;
        painter.setFont(Theme::font(10, here));
        painter.setPen(here ? theme.text : theme.secondary);
        painter.drawText(QRectF(l.cells.left() + l.day * d - 6, l.days.top(), l.day + 8, 14),
                         Qt::AlignCenter, QString::number(d + 1));
    }
    if (m_data.selected < 0)
        return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.text, 2));
    painter.drawRect(l.at(m_data.selected).adjusted(-1, -1, 1, 1));
}

void RunStrip::paintHour(QPainter& painter, const Layout& l, const Theme& theme) const
{
    painter.setFont(Theme::font(10));
    painter.setPen(theme.text);
    painter.drawText(QRectF(l.days.left(), l.strip.top(), l.left - 6, l.strip.height()),
                     Qt::AlignRight | Qt::AlignVCenter, m_data.selectedName);
    painter.fillRect(l.strip, theme.sunken);
    for (const auto& s : m_data.stretches) {
        const double x0 = l.px(s.begin);
        const double x1 = l.px(s.end);
        const double height = l.strip.height() * std::clamp(s.height, 0.05, 1.0);
        fillSeries(painter, QRectF(x0, l.strip.bottom() - height, std::max(x1 - x0, 0.6), height),
                   theme.series(s.series), theme);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.violation, 1.8));
    for (const double at : m_data.failures) {
        const QPointF c(l.px(at), l.marks.center().y());
        painter.drawLine(c + QPointF(-3.5, -3.5), c + QPointF(3.5, 3.5));
        painter.drawLine(c + QPointF(-3.5, 3.5), c + QPointF(3.5, -3.5));
    }
    painter.setFont(Theme::font(10));
    painter.setPen(theme.secondary);
    const int hour = std::max(0, m_data.selected) % kHoursADay;
    for (int minute = 0; minute <= 60; minute += 10) {
        const QString text = u"%1:%2"_s.arg(minute == 60 ? (hour + 1) % kHoursADay : hour)
                                 .arg(minute % 60, 2, 10, QChar(u'0'));
        const double width = textWidth(text, painter.font());
        const double x = std::clamp(l.px(minute * 60.0) - width / 2, l.strip.left() - 10,
                                    l.strip.right() + 4 - width);
        painter.drawText(QRectF(x, l.axis.top() + 1, width + 2, 13), Qt::AlignLeft, text);
    }
}

void RunStrip::paintLegends(QPainter& painter, const Layout& l, const Theme& theme) const
{
    std::vector<LegendEntry> entries;
    for (const auto& s : m_data.legend)
        entries.push_back({theme.series(s.series), s.name});
    drawLegend(&painter, l.legend, entries, theme);
    painter.setFont(Theme::font(10));
    double x = l.bands.left();
    const double y = l.bands.top() + 3;
    painter.setPen(theme.secondary);
    const double title = textWidth(m_data.bandTitle, painter.font());
    painter.drawText(QRectF(x, y, title + 2, 14), Qt::AlignLeft | Qt::AlignVCenter,
                     m_data.bandTitle);
    x += title + 10;
    for (std::size_t i = 0; i < m_data.bandNames.size(); ++i) {
        const double width = textWidth(m_data.bandNames[i], painter.font());
        if (x + width + 16 > l.bands.right())
            break;
        const QRectF swatch(x, y + 2, 10, 10);
        painter.fillRect(swatch, bandColour(static_cast<int>(i), theme));
        if (i == 0)
            hatchRect(painter, swatch, theme.card, 4.0, 1.0);
        painter.setPen(theme.secondary);
        painter.drawText(QRectF(x + 13, y, width + 2, 14), Qt::AlignLeft | Qt::AlignVCenter,
                         m_data.bandNames[i]);
        x += width + 24;
    }
    if (x + textWidth(m_data.note, painter.font()) < l.bands.right())
        painter.drawText(QRectF(x, y, l.bands.right() - x, 14), Qt::AlignRight | Qt::AlignVCenter,
                         m_data.note);
}

std::vector<Mark> RunStrip::marks(const QRectF& bounds) const
{
    const Layout l = layoutFor(bounds);
    std::vector<Mark> all;
    all.reserve(m_data.hours.size() + m_data.stretches.size());
    for (std::size_t i = 0; i < m_data.hours.size(); ++i)
        all.push_back({l.at(static_cast<int>(i)), {}, {}, u"run.goodput"_s, static_cast<int>(i)});
    for (std::size_t i = 0; i < m_data.stretches.size(); ++i) {
        const auto& s = m_data.stretches[i];
        const double x0 = l.px(s.begin);
        Mark mark{QRectF(x0, l.strip.top(), std::max(l.px(s.end) - x0, 1.5), l.strip.height()),
                  {},
                  {},
                  {},
                  kStretchTag + static_cast<int>(i)};
        mark.walkable = l.px(s.end) - x0 >= 1.0;
        all.push_back(mark);
    }
    return all;
}

QString RunStrip::hourText(int hour) const
{
    const auto i = static_cast<std::size_t>(hour);
    return m_data.dayName + u' ' + QString::number(hour / kHoursADay + 1) +
           u", %1:00\t"_s.arg(hour % kHoursADay) +
           format(i < m_data.hours.size() ? m_data.hours[i] : 0.0, Unit::Percent, locale());
}

QString RunStrip::markTip(const Mark& mark) const
{
    if (mark.tag < kStretchTag)
        return hourText(mark.tag);
    const auto i = static_cast<std::size_t>(mark.tag - kStretchTag);
    if (i >= m_data.stretches.size())
        return {};
    const auto& s = m_data.stretches[i];
    return s.name + u'\t' + format(s.end - s.begin, Unit::Duration, locale());
}

QString RunStrip::markSpoken(const Mark& mark) const
{
    QString tip = markTip(mark);
    return tip.replace(u'\t', u' ');
}

void RunStrip::activateMark(const Mark& mark)
{
    if (mark.tag >= 0 && mark.tag < kStretchTag)
        Q_EMIT hourClicked(mark.tag);
}

ChartTable RunStrip::table() const
{
    ChartTable t;
    t.header = {m_data.dayName, m_data.hourName, m_data.valueName};
    for (std::size_t i = 0; i < m_data.hours.size(); ++i)
        t.rows.push_back({QString::number(i / kHoursADay + 1), QString::number(i % kHoursADay),
                          rawNumber(m_data.hours[i])});
    return t;
}

} // namespace cw::views
