// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/frames.h"

#include <QFontMetrics>
#include <QPushButton>

#include "views/text/words.h"

namespace cw::views {

ChartFrame* framed(Page* page, PaintedChart* chart, const char* titleKey)
{
    auto* frame = new ChartFrame({}, {}, page);
    frame->setChart(chart);
    bindText(frame, [frame, chart, titleKey] {
        frame->setTitle(say(titleKey));
        chart->setAccessibleName(say(titleKey));
        chart->setEmptyText(say("window.chart.empty"));
    });
    QObject::connect(chart, &PaintedChart::quantityClicked, page, &Page::quantityClicked);
    return frame;
}

void setSegmentText(QPushButton* button, const QString& text)
{
    constexpr int kSides = 24;
    button->setText(text);
    QFont strong = button->font();
    strong.setBold(true);
    button->setMinimumWidth(QFontMetrics(strong).horizontalAdvance(text) + kSides);
}

} // namespace cw::views
