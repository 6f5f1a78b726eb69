// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/timelinelegend.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "views/painted/paintutil.h"
#include "views/painted/pipelinetimeline.h"
#include "views/text/words.h"

namespace cw::views {

namespace {

constexpr double kSwatch = 13;
constexpr double kGap = 12;
constexpr int kMostSwatches = 4;

using Parts = std::vector<std::pair<BlockKind, const char*>>;

Parts partsOf(bool weights)
{
    Parts parts{{BlockKind::Forward, "window.timeline.forwardChunks"},
                {BlockKind::Backward, "window.timeline.backwardChunks"}};
    if (weights)
        parts.emplace_back(BlockKind::Weight, "window.timeline.weightChunks");
    return parts;
}

} // namespace

TimelineLegend::TimelineLegend(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void TimelineLegend::setParts(int chunks, bool weights, const QString& bubble)
{
    if (chunks == m_chunks && weights == m_weights && bubble == m_bubble)
        return;
    m_chunks = chunks;
    m_weights = weights;
    m_bubble = bubble;
    updateGeometry();
    update();
}

QSize TimelineLegend::sizeHint() const
{
    if (m_chunks <= 0)
        return {0, 16};
    double width = kSwatch + 4 + textWidth(m_bubble, Theme::font(10)) + 2;
    for (const auto& [kind, key] : partsOf(m_weights))
        width += textWidth(say(key), Theme::font(10)) + 4 +
                 (kSwatch + 1) * std::min(m_chunks, kMostSwatches) + kGap;
    return {static_cast<int>(std::ceil(width)), 16};
}

void TimelineLegend::paintEvent(QPaintEvent* /*event*/)
{
    if (m_chunks <= 0)
        return;
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setFont(Theme::font(10));
    const int swatches = std::min(m_chunks, kMostSwatches);
    double x = 0;
    for (const auto& [kind, key] : partsOf(m_weights)) {
        painter.setPen(theme.secondary);
        const double width = textWidth(say(key), painter.font());
        drawText(painter, QRectF(x, 0, width + 2, height()), Qt::AlignLeft | Qt::AlignVCenter,
                 say(key));
        x += width + 4;
        for (int i = 0; i < swatches; ++i) {
            TimelineBlock block;
            block.kind = kind;
            // Of more chunks than swatches, some from first to last.
            block.chunk = swatches == m_chunks ? i : i * (m_chunks - 1) / (swatches - 1);
            const QRectF box(x, (height() - kSwatch) / 2, kSwatch, kSwatch);
            const QColor fill = PipelineTimeline::blockColour(block, m_chunks, theme);
            painter.fillRect(box, fill);
            painter.setPen(Theme::textOn(fill));
            drawText(painter, box, Qt::AlignCenter, QString::number(block.chunk));
            x += kSwatch + 1;
        }
        x += kGap;
    }
    fillSeries(painter, QRectF(x, (height() - kSwatch) / 2, kSwatch, kSwatch),
               theme.series(Series::Bubble), theme);
    painter.setPen(theme.secondary);
    painter.setFont(Theme::font(10));
    drawText(painter, QRectF(x + kSwatch + 4, 0, width(), height()),
             Qt::AlignLeft | Qt::AlignVCenter, m_bubble);
}

} // namespace cw::views
