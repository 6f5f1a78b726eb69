// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/params/valueslider.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "views/theme/theme.h"

namespace cw::views {

namespace {

constexpr int kHandleWidth = 9;
constexpr int kHandleHeight = 13;
constexpr int kTrackY = 7;

double roundedTo(double value, int digits)
{
    if (value == 0.0)
        return 0.0;
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - digits + 1);
    return std::round(value / unit) * unit;
}

/// Whole numbers of a plan are mostly round in binary: 32 of them in each octave.
double roundedBinary(double value)
{
    if (value < 64)
        return std::round(value);
    const double unit = std::exp2(std::floor(std::log2(value)) - 5);
    return std::round(value / unit) * unit;
}

} // namespace

quint64 nextGesture()
{
    static quint64 last = 0;
    return ++last;
}

ValueScale::ValueScale(const scenario::Spec& spec, bool integer) : m_integer(integer)
{
    const bool own = spec.from != 0.0 || spec.to != 0.0;
    m_from = own ? spec.from : spec.min;
    m_to = own ? spec.to : spec.max;
    m_log = spec.scale == scenario::Scale::Log && m_from > 0;
    if (!own && m_to > 1e15)
        m_to = m_from; // no range that an eye could use
    if (integer && !m_log && m_to - m_from <= kPositions)
        m_positions = std::max(1, static_cast<int>(std::lround(m_to - m_from)));
}

double ValueScale::valueAt(int position) const
{
    if (position <= 0)
        return m_from;
    if (position >= m_positions)
        return m_to;
    const double share = static_cast<double>(position) / m_positions;
    const double value =
        m_log ? m_from * std::pow(m_to / m_from, share) : m_from + (m_to - m_from) * share;
    if (m_integer)
        return m_log ? roundedBinary(value) : std::round(value);
    return roundedTo(value, 3);
}

int ValueScale::positionOf(double value) const
{
    if (!(value > m_from))
        return 0;
    const double share = m_log ? std::log(value / m_from) / std::log(m_to / m_from)
                               : (value - m_from) / (m_to - m_from);
    return std::clamp(static_cast<int>(std::lround(std::min(share, 1.0) * m_positions)), 0,
                      m_positions);
}

ValueSlider::ValueSlider(const ValueScale& scale, QWidget* parent)
    : QSlider(Qt::Horizontal, parent), m_scale(scale)
{
    setRange(0, scale.positions());
    setSingleStep(std::max(1, scale.positions() / 200));
    setPageStep(std::max(1, scale.positions() / 20));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ValueSlider::setCurrent(double value)
{
    m_value = value;
    setValue(m_scale.positionOf(value));
    update();
}

void ValueSlider::setMarks(std::optional<double> preset, std::optional<double> baseline)
{
    if (m_preset == preset && m_baseline == baseline)
        return;
    m_preset = preset;
    m_baseline = baseline;
    update();
}

int ValueSlider::pixelOf(int position) const
{
    const int span = width() - kHandleWidth - 2;
    return 1 + kHandleWidth / 2 +
           static_cast<int>(std::lround(static_cast<double>(span) * position / maximum()));
}

int ValueSlider::positionAt(int x) const
{
    const int span = std::max(1, width() - kHandleWidth - 2);
    const int from = x - 1 - kHandleWidth / 2;
    return std::clamp(static_cast<int>(std::lround(static_cast<double>(from) * maximum() / span)),
                      0, maximum());
}

QPoint ValueSlider::handleCentre() const
{
    return {pixelOf(value()), kTrackY};
}

void ValueSlider::moveTo(int position)
{
    if (position == value())
        return;
    setValue(position);
    // Back at the start means the value of the start, which may lie between two positions.
    m_value = position == m_startPosition ? m_startValue : m_scale.valueAt(position);
    Q_EMIT moved(m_value, m_gesture);
}

void ValueSlider::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    m_gesture = nextGesture();
    m_startPosition = value();
    m_startValue = m_value;
    setSliderDown(true);
    const int x = event->position().toPoint().x();
    const int offset = x - handleCentre().x();
    m_grab = std::abs(offset) <= kHandleWidth ? offset : 0;
    m_startPixel = handleCentre().x();
    follow(x);
}

void ValueSlider::follow(int x)
{
    // A slider has fewer pixels than positions: the pixel of the start means the very start.
    const int centre = x - m_grab;
    moveTo(centre == m_startPixel ? m_startPosition : positionAt(centre));
}

void ValueSlider::mouseMoveEvent(QMouseEvent* event)
{
    if (isSliderDown())
        follow(event->position().toPoint().x());
}

void ValueSlider::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !isSliderDown())
        return;
    setSliderDown(false);
    m_gesture = 0;
    Q_EMIT gestureFinished();
}

void ValueSlider::keyPressEvent(QKeyEvent* event)
{
    int step = 0;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Down:
        step = -singleStep();
        break;
    case Qt::Key_Right:
    case Qt::Key_Up:
        step = singleStep();
        break;
    case Qt::Key_PageDown:
        step = -pageStep();
        break;
    case Qt::Key_PageUp:
        step = pageStep();
        break;
    case Qt::Key_Home:
        step = -maximum();
        break;
    case Qt::Key_End:
        step = maximum();
        break;
    default:
        QSlider::keyPressEvent(event);
        return;
    }
    if (!event->isAutoRepeat() || m_gesture == 0) {
        m_gesture = nextGesture();
        m_startPosition = value();
        m_startValue = m_value;
    }
    int position = std::clamp(value() + step, 0, maximum());
    // Rounded values may need more than one step to change.
    const int one = step < 0 ? -1 : 1;
    while (position > 0 && position < maximum() && m_scale.valueAt(position) == m_value)
        position += one;
    moveTo(position);
}

void ValueSlider::keyReleaseEvent(QKeyEvent* event)
{
    if (!event->isAutoRepeat() && m_gesture != 0 && !isSliderDown()) {
        m_gesture = 0;
        Q_EMIT gestureFinished();
    }
    QSlider::keyReleaseEvent(event);
}

void ValueSlider::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int x = pixelOf(value());
    const QColor active = isEnabled() ? theme.accent : theme.weak;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.border);
    painter.drawRoundedRect(QRectF(1, kTrackY - 1.5, width() - 2, 3), 1.5, 1.5);
    painter.setBrush(active);
    painter.drawRoundedRect(QRectF(1, kTrackY - 1.5, x - 1, 3), 1.5, 1.5);
    if (m_preset) {
        const double p = pixelOf(m_scale.positionOf(*m_preset));
        painter.setBrush(theme.secondary);
        painter.drawPolygon(QPolygonF({{p, 14.5}, {p - 3.5, 19}, {p + 3.5, 19}}));
    }
    if (m_baseline) {
        const double p = pixelOf(m_scale.positionOf(*m_baseline));
        painter.setPen(QPen(theme.secondary, 1));
        painter.setBrush(theme.card);
        painter.drawEllipse(QPointF(p, kTrackY), 3.5, 3.5);
    }
    const QRectF handle(x - kHandleWidth / 2.0, kTrackY - kHandleHeight / 2.0, kHandleWidth,
                        kHandleHeight);
    painter.setPen(QPen(active, hasFocus() ? 2.5 : 2));
    painter.setBrush(isEnabled() ? theme.card : theme.weak);
    painter.drawRoundedRect(handle.adjusted(1, 1, -1, -1), 2.5, 2.5);
}

} // namespace cw::views
