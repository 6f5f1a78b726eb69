// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/painted/pipelinetimeline.h"

#include "views/painted/paintutil.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

constexpr double kNumberWidth = 11.0; ///< narrower blocks show no number
constexpr double kAxisHeight = 18.0;
constexpr double kStripHeight = 40.0;
constexpr double kStripTicks = 16.0;
constexpr double kHandle = 7.0;
constexpr double kClickSlop = 3.0;
constexpr double kLeastWindow = 1e-6; ///< share of the step the window may shrink to
constexpr std::size_t kMostMarks = 6000;

QColor shade(const QColor& from, const QColor& to, double t)
{
    const auto part = [t](int a, int b) {
        return static_cast<int>(std::lround(a + (b - a) * t));
    };
    return {part(from.red(), to.red()), part(from.green(), to.green()),
            part(from.blue(), to.blue())};
}

std::array<double, 3> channels(const QColor& c)
{
    return {static_cast<double>(c.red()), static_cast<double>(c.green()),
            static_cast<double>(c.blue())};
}

} // namespace

struct PipelineTimeline::Layout
{
    QRectF plot;
    QRectF strip;
    double names = 0.0;
    double pitch = 1.0;
    Scale time;
    Scale whole;
    [[nodiscard]] QRectF row(int stage) const
    {
        const double gap = pitch >= 8 ? 2.0 : pitch >= 4 ? 1.0 : 0.0;
        return {plot.left(), plot.top() + pitch * stage, plot.width(), pitch - gap};
    }
};

PipelineTimeline::PipelineTimeline(QWidget* parent) : PaintedChart(parent)
{
}

void PipelineTimeline::setData(TimelineData figures)
{
    const bool wasWhole = m_data.stages <= 0 || m_to - m_from >= m_data.end * 0.999;
    m_data = std::move(figures);
    m_data.chunks = std::max(1, m_data.chunks);
    std::erase_if(m_data.blocks, [this](const TimelineBlock& b) {
        return b.stage < 0 || b.stage >= m_data.stages || !(b.end > b.start);
    });
    m_order.resize(m_data.blocks.size());
    std::iota(m_order.begin(), m_order.end(), 0U);
    std::sort(m_order.begin(), m_order.end(), [this](std::uint32_t a, std::uint32_t b) {
        const auto& x = m_data.blocks[a];
        const auto& y = m_data.blocks[b];
        return x.stage != y.stage ? x.stage < y.stage : x.start < y.start;
    });
    m_stageBegin.assign(static_cast<std::size_t>(std::max(0, m_data.stages)) + 1, 0);
    for (const auto& b : m_data.blocks) {
        ++m_stageBegin[static_cast<std::size_t>(b.stage) + 1];
    }
    std::partial_sum(m_stageBegin.begin(), m_stageBegin.end(), m_stageBegin.begin());
    if (wasWhole || m_to > m_data.end) {
        m_from = 0.0;
        m_to = m_data.end;
    }
    m_strip = QImage();
    m_rows = QImage();
    invalidate();
}

void PipelineTimeline::setWindow(double from, double to)
{
    const double least = m_data.end * kLeastWindow;
    const double span = std::clamp(to - from, least, std::max(least, m_data.end));
    const double start = std::clamp(from, 0.0, std::max(0.0, m_data.end - span));
    if (start == m_from && start + span == m_to) {
        return;
    }
    setFocusedMark(-1);
    m_from = start;
    m_to = start + span;
    invalidate();
    Q_EMIT windowChanged(m_from, m_to);
}

PipelineTimeline::Layout PipelineTimeline::layoutFor(const QRectF& b) const
{
    Layout l;
    l.names = 14;
    for (const int s : {0, m_data.stages - 1}) {
        l.names = std::max(l.names, textWidth(stageText(s), Theme::font(10, true)) + 10);
    }
    const double left = b.left() + l.names;
    const double bottom = b.bottom() - kStripHeight - kStripTicks - 10;
    l.plot = QRectF(left, b.top() + kAxisHeight, std::max(1.0, b.right() - left - 2),
                    std::max(1.0, bottom - b.top() - kAxisHeight));
    l.pitch = std::min(44.0, l.plot.height() / std::max(1, m_data.stages));
    if (l.pitch >= 4) {
        l.pitch = std::floor(l.pitch);
    }
    l.plot.setHeight(std::max(1.0, l.pitch * m_data.stages));
    l.strip = QRectF(left, l.plot.bottom() + 10, l.plot.width(), kStripHeight);
    l.time = {m_from, m_to, l.plot.left(), l.plot.right()};
    l.whole = {0.0, std::max(m_data.end, 1e-12), l.strip.left(), l.strip.right()};
    return l;
}

QRectF PipelineTimeline::stripRect() const
{
    return layoutFor(QRectF(rect())).strip;
}
QRectF PipelineTimeline::plotRect() const
{
    return layoutFor(QRectF(rect())).plot;
}

QString PipelineTimeline::timeText(double seconds, double step) const
{
    if (m_data.timeText) {
        return m_data.timeText(seconds);
    }
    const int decimals =
        step >= 1 ? 0 : std::clamp(static_cast<int>(std::ceil(-std::log10(step))), 1, 6);
    return locale().toString(seconds, 'f', decimals) + (seconds == 0 ? tr(" s") : QString());
}

QString PipelineTimeline::stageText(int stage) const
{
    return m_data.stageName ? m_data.stageName(stage) : tr("stage %1").arg(stage);
}

QColor PipelineTimeline::blockColour(const TimelineBlock& block, int chunks, const Theme& theme)
{
    // Dark, middle and light of each kind; mixing dark and light alone would grey the middle.
    struct Ends
    {
        unsigned dark;
        unsigned middle;
        unsigned light;
    };
    static constexpr std::array<Ends, 3> kEnds = {{{0x1D4A86, 0x3C79C6, 0xAACCF3},
                                                   {0x0B5850, 0x24A091, 0xA3DBD0},
                                                   {0x433489, 0x7B66CE, 0xC9BFF2}}};
    if (block.kind == BlockKind::Other) {
        return theme.colour(block.series);
    }
    const Ends ends = kEnds[static_cast<std::size_t>(block.kind)];
    const double t =
        chunks > 1 ? std::clamp(static_cast<double>(block.chunk) / (chunks - 1), 0.0, 1.0) : 0.35;
    constexpr double kMiddle = 0.38;
    const QColor middle = QColor::fromRgb(ends.middle);
    return t < kMiddle ? shade(QColor::fromRgb(ends.dark), middle, t / kMiddle)
                       : shade(middle, QColor::fromRgb(ends.light), (t - kMiddle) / (1 - kMiddle));
}

std::pair<std::size_t, std::size_t> PipelineTimeline::visible(int stage, double from,
                                                              double to) const
{
    const auto s = static_cast<std::size_t>(stage);
    const auto begin = m_order.begin() + static_cast<std::ptrdiff_t>(m_stageBegin[s]);
    const auto end = m_order.begin() + static_cast<std::ptrdiff_t>(m_stageBegin[s + 1]);
    auto first = std::partition_point(
        begin, end, [&](std::uint32_t i) { return m_data.blocks[i].end <= from; });
    auto last = std::partition_point(first, end,
                                     [&](std::uint32_t i) { return m_data.blocks[i].start < to; });
    return {static_cast<std::size_t>(first - m_order.begin()),
            static_cast<std::size_t>(last - m_order.begin())};
}

std::vector<std::array<double, 3>> PipelineTimeline::colourTable(const Theme& theme) const
{
    std::vector<std::array<double, 3>> all;
    for (const auto kind : {BlockKind::Forward, BlockKind::Backward, BlockKind::Weight}) {
        for (int chunk = 0; chunk < m_data.chunks; ++chunk) {
            TimelineBlock b;
            b.kind = kind;
            b.chunk = chunk;
            all.push_back(channels(blockColour(b, m_data.chunks, theme)));
        }
    }
    return all;
}

QImage PipelineTimeline::density(int firstStage, int stageCount, double from, double to, int width,
                                 const Theme& theme) const
{
    QImage image(std::max(1, width), std::max(1, stageCount), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    const double perPixel = (to - from) / image.width();
    const auto colourOf = [table = colourTable(theme), chunks = m_data.chunks,
                           &theme](const TimelineBlock& b) {
        const auto at = static_cast<std::size_t>(b.kind) * static_cast<std::size_t>(chunks) +
                        static_cast<std::size_t>(std::clamp(b.chunk, 0, chunks - 1));
        return b.kind == BlockKind::Other ? channels(theme.colour(b.series)) : table[at];
    };
    std::vector<std::array<double, 4>> sums(static_cast<std::size_t>(image.width()));
    for (int s = 0; s < stageCount && perPixel > 0; ++s) {
        std::fill(sums.begin(), sums.end(), std::array<double, 4>{});
        const auto [first, last] = visible(firstStage + s, from, to);
        for (std::size_t k = first; k < last; ++k) {
            const auto& b = m_data.blocks[m_order[k]];
            const std::array<double, 3> c = colourOf(b);
            const double x0 = std::max(0.0, (b.start - from) / perPixel);
            const double x1 =
                std::min(static_cast<double>(image.width()), (b.end - from) / perPixel);
            for (int x = static_cast<int>(x0); x < x1; ++x) {
                const double w = std::min(x1, x + 1.0) - std::max(x0, static_cast<double>(x));
                auto& sum = sums[static_cast<std::size_t>(x)];
                sum[0] += w;
                sum[1] += w * c[0];
                sum[2] += w * c[1];
                sum[3] += w * c[2];
            }
        }
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(s));
        for (std::size_t x = 0; x < sums.size(); ++x) {
            const auto byte = [&sums, x](double v) {
                return static_cast<int>(
                    std::lround(std::min(255.0, v / std::max(1.0, sums[x][0]))));
            };
            // Premultiplied: the sums already carry the busy share of the pixel.
            line[x] = qRgba(byte(sums[x][1]), byte(sums[x][2]), byte(sums[x][3]),
                            byte(255.0 * sums[x][0]));
        }
    }
    return image;
}

const QImage& PipelineTimeline::denseRows(int width, const Theme& theme) const
{
    const bool fresh = m_rows.width() == width && m_rowsDark == theme.dark &&
                       m_rowsFrom == m_from && m_rowsTo == m_to;
    if (!fresh) {
        m_rows = density(0, m_data.stages, m_from, m_to, width, theme);
        m_rowsDark = theme.dark;
        m_rowsFrom = m_from;
        m_rowsTo = m_to;
    }
    return m_rows;
}

void PipelineTimeline::paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const
{
    const Layout l = layoutFor(bounds);
    paintAxis(painter, l, theme);
    // Idle time: one hatch for all rows, cut into rows by the ground between them.
    hatchRect(painter, l.plot, theme.wash(theme.weak, 0.35), 6.0);
    for (int s = 0; s < m_data.stages; ++s) {
        const QRectF row = l.row(s);
        painter.fillRect(QRectF(row.left(), row.bottom(), row.width(), l.pitch - row.height()),
                         theme.card);
        paintRow(painter, l, s, theme);
    }
    paintStrip(painter, l, theme);
}

void PipelineTimeline::paintAxis(QPainter& painter, const Layout& l, const Theme& theme) const
{
    painter.setFont(Theme::font(10));
    const AxisTicks ticks =
        niceTicks(m_from, m_to, std::clamp(static_cast<int>(l.plot.width() / 110), 1, 12));
    for (const double v : ticks.values) {
        const double x = l.time.at(v);
        painter.setPen(theme.secondary);
        const QString text = timeText(v, ticks.step);
        const double width = textWidth(text, painter.font()) + 1;
        const double left = std::min(x - width / 2, l.plot.right() + 2 - width);
        drawText(painter, QRectF(left, l.plot.top() - kAxisHeight, width, kAxisHeight - 3),
                 Qt::AlignCenter, text);
    }
    const int every = std::max(1, static_cast<int>(std::ceil(13.0 / l.pitch)));
    for (int s = 0; s < m_data.stages; s += every) {
        const QRectF row = l.row(s);
        drawText(painter, QRectF(row.left() - l.names, row.center().y() - 8, l.names - 8, 16),
                 Qt::AlignRight | Qt::AlignVCenter, stageText(s));
    }
}

void PipelineTimeline::paintBlock(QPainter& painter, const QRectF& box, const TimelineBlock& block,
                                  const Theme& theme) const
{
    const QColor fill = blockColour(block, m_data.chunks, theme);
    painter.fillRect(box, fill);
    if (box.width() < kNumberWidth || box.height() < 11 || block.kind == BlockKind::Other) {
        return;
    }
    const QString number = QString::number(block.microBatch);
    if (textWidth(number, painter.font()) <= box.width() - 1) {
        painter.setPen(Theme::textOn(fill));
        drawText(painter, box, Qt::AlignCenter, number);
    }
}

void PipelineTimeline::paintRow(QPainter& painter, const Layout& l, int stage,
                                const Theme& theme) const
{
    const QRectF row = l.row(stage);
    const auto [first, last] = visible(stage, m_from, m_to);
    if (static_cast<double>(last - first) > row.width()) {
        const QImage& rows = denseRows(static_cast<int>(row.width()), theme);
        painter.drawImage(row, rows, QRectF(0, stage, rows.width(), 1));
        return;
    }
    painter.setFont(Theme::font(9.5));
    for (std::size_t k = first; k < last; ++k) {
        const auto& b = m_data.blocks[m_order[k]];
        const double x0 = std::max(row.left(), l.time.at(b.start));
        const double x1 = std::min(row.right(), l.time.at(b.end));
        const double gap = x1 - x0 > 4 ? 1.0 : 0.0;
        paintBlock(painter, QRectF(x0, row.top(), x1 - x0 - gap, row.height()), b, theme);
    }
}

void PipelineTimeline::paintStrip(QPainter& painter, const Layout& l, const Theme& theme) const
{
    const int width = static_cast<int>(l.strip.width());
    if (m_strip.width() != width || m_stripDark != theme.dark) {
        m_strip = density(0, m_data.stages, 0.0, m_data.end, width, theme);
        m_stripDark = theme.dark;
    }
    hatchRect(painter, l.strip, theme.wash(theme.weak, 0.35), 6.0);
    painter.drawImage(l.strip, m_strip, QRectF(m_strip.rect()));
    painter.setFont(Theme::font(10));
    painter.setPen(theme.secondary);
    painter.drawText(QRectF(l.strip.left() - l.names, l.strip.top(), l.names - 8, l.strip.height()),
                     Qt::AlignRight | Qt::AlignVCenter | Qt::TextWordWrap, tr("whole\nstep"));
    const AxisTicks ticks = niceTicks(0, m_data.end, std::clamp(width / 160, 1, 8));
    for (const double v : ticks.values) {
        const QString text = timeText(v, ticks.step);
        const double tick = textWidth(text, painter.font()) + 1;
        const double left = std::min(l.whole.at(v) - tick / 2, l.strip.right() + 2 - tick);
        drawText(painter, QRectF(left, l.strip.bottom() + 1, tick, 14), Qt::AlignCenter, text);
    }
    const double x0 = l.whole.at(m_from);
    const double x1 = l.whole.at(m_to);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor wash = theme.accent;
    wash.setAlphaF(0.12F);
    painter.setPen(QPen(theme.accent, 1.5));
    painter.setBrush(wash);
    painter.drawRect(QRectF(x0, l.strip.top() - 1, std::max(2.0, x1 - x0), l.strip.height() + 2));
    painter.setBrush(theme.card);
    for (const double x : {x0, x1}) {
        painter.drawRoundedRect(QRectF(x - kHandle / 2, l.strip.center().y() - 8, kHandle, 16), 2,
                                2);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

std::vector<Mark> PipelineTimeline::marks(const QRectF& bounds) const
{
    const Layout l = layoutFor(bounds);
    std::vector<Mark> all;
    for (int s = 0; s < m_data.stages; ++s) {
        const auto [first, last] = visible(s, m_from, m_to);
        // Blocks of a merged row cannot be pointed at one by one.
        if (static_cast<double>(last - first) > l.plot.width()) {
            continue;
        }
        const QRectF row = l.row(s);
        for (std::size_t k = first; k < last && all.size() < kMostMarks; ++k) {
            const auto& b = m_data.blocks[m_order[k]];
            const double x0 = std::max(row.left(), l.time.at(b.start));
            const double x1 = std::min(row.right(), l.time.at(b.end));
            all.push_back({QRectF(x0, row.top(), x1 - x0, row.height()), QString(), QString(),
                           m_data.quantity, static_cast<int>(m_order[k])});
        }
    }
    return all;
}

QString PipelineTimeline::markTip(const Mark& mark) const
{
    const auto& b = m_data.blocks[static_cast<std::size_t>(mark.tag)];
    return m_data.tooltip ? m_data.tooltip(b) : markSpoken(mark);
}

QString PipelineTimeline::markSpoken(const Mark& mark) const
{
    const auto& b = m_data.blocks[static_cast<std::size_t>(mark.tag)];
    const QString kind = b.kind == BlockKind::Forward    ? tr("Forward")
                         : b.kind == BlockKind::Backward ? tr("Backward")
                         : b.kind == BlockKind::Weight   ? tr("Weight gradient")
                                                         : tr("Other");
    return tr("%1, micro batch %2, chunk %3, %4")
        .arg(kind, QString::number(b.microBatch), QString::number(b.chunk), stageText(b.stage));
}

ChartTable PipelineTimeline::table() const
{
    ChartTable t;
    t.header = {tr("Stage"), tr("Kind"),      tr("Micro batch"),
                tr("Chunk"), tr("Start (s)"), tr("End (s)")};
    static constexpr std::array<char16_t, 4> kNames = {u'F', u'B', u'W', u'-'};
    for (const auto i : m_order) {
        const auto& b = m_data.blocks[i];
        if (b.end <= m_from || b.start >= m_to) {
            continue;
        }
        t.rows.push_back({QString::number(b.stage),
                          QString(QChar(kNames[static_cast<std::size_t>(b.kind)])),
                          QString::number(b.microBatch), QString::number(b.chunk),
                          rawNumber(b.start), rawNumber(b.end)});
    }
    return t;
}

void PipelineTimeline::activateMark(const Mark& mark)
{
    Q_EMIT blockClicked(mark.tag);
}

void PipelineTimeline::zoom(double factor, double at)
{
    const double span = std::clamp((m_to - m_from) * factor, m_data.end * kLeastWindow, m_data.end);
    const double share = m_to > m_from ? (at - m_from) / (m_to - m_from) : 0.5;
    setWindow(at - span * share, at - span * share + span);
}

void PipelineTimeline::wheelEvent(QWheelEvent* event)
{
    const Layout l = layoutFor(QRectF(rect()));
    const double x = std::clamp(event->position().x(), l.plot.left(), l.plot.right());
    if (event->angleDelta().y() != 0 && !isEmpty()) {
        zoom(std::pow(1.0015, -event->angleDelta().y()), l.time.valueAt(x));
        event->accept();
        return;
    }
    PaintedChart::wheelEvent(event);
}

void PipelineTimeline::mousePressEvent(QMouseEvent* event)
{
    PaintedChart::mousePressEvent(event);
    if (event->button() != Qt::LeftButton || isEmpty()) {
        return;
    }
    const Layout l = layoutFor(QRectF(rect()));
    m_pressAt = event->position();
    m_pressFrom = m_from;
    m_pressTo = m_to;
    m_moved = false;
    const double x = m_pressAt.x();
    if (l.plot.contains(m_pressAt)) {
        m_drag = Drag::Pan;
    } else if (l.strip.adjusted(-kHandle, -2, kHandle, 2).contains(m_pressAt)) {
        if (std::abs(x - l.whole.at(m_from)) <= kHandle) {
            m_drag = Drag::StripLeft;
        } else if (std::abs(x - l.whole.at(m_to)) <= kHandle) {
            m_drag = Drag::StripRight;
        } else {
            const double half = (m_to - m_from) / 2;
            const double at = l.whole.valueAt(x);
            if (at < m_from || at > m_to) {
                setWindow(at - half, at + half);
            }
            m_pressFrom = m_from;
            m_pressTo = m_to;
            m_drag = Drag::StripMove;
        }
    }
}

void PipelineTimeline::mouseMoveEvent(QMouseEvent* event)
{
    if (m_drag == Drag::None) {
        PaintedChart::mouseMoveEvent(event);
        return;
    }
    const Layout l = layoutFor(QRectF(rect()));
    const double dx = event->position().x() - m_pressAt.x();
    m_moved = m_moved || std::abs(dx) > kClickSlop;
    if (!m_moved) {
        return;
    }
    const double least = m_data.end * kLeastWindow;
    const double inStrip = dx / std::max(1.0, l.strip.width()) * m_data.end;
    switch (m_drag) {
    case Drag::Pan: {
        const double d = -dx / std::max(1.0, l.plot.width()) * (m_pressTo - m_pressFrom);
        setWindow(m_pressFrom + d, m_pressTo + d);
        break;
    }
    case Drag::StripMove:
        setWindow(m_pressFrom + inStrip, m_pressTo + inStrip);
        break;
    case Drag::StripLeft:
        setWindow(std::clamp(m_pressFrom + inStrip, 0.0, m_pressTo - least), m_pressTo);
        break;
    case Drag::StripRight:
        setWindow(m_pressFrom, std::clamp(m_pressTo + inStrip, m_pressFrom + least, m_data.end));
        break;
    case Drag::None:
        break;
    }
}

void PipelineTimeline::mouseReleaseEvent(QMouseEvent* event)
{
    const bool click = !m_moved;
    m_drag = Drag::None;
    m_moved = false;
    if (click) {
        PaintedChart::mouseReleaseEvent(event);
    }
}

void PipelineTimeline::keyPressEvent(QKeyEvent* event)
{
    const double mid = (m_from + m_to) / 2;
    const double pan = (m_to - m_from) / 4;
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(0.7, mid);
        return;
    case Qt::Key_Minus:
        zoom(1.0 / 0.7, mid);
        return;
    case Qt::Key_PageUp:
        setWindow(m_from - pan, m_to - pan);
        return;
    case Qt::Key_PageDown:
        setWindow(m_from + pan, m_to + pan);
        return;
    case Qt::Key_0:
        setWindow(0.0, m_data.end);
        return;
    default:
        PaintedChart::keyPressEvent(event);
    }
}

} // namespace cw::views
