// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSlider>
#include <optional>

#include "model/scenario/fieldvisitor.h"

namespace cw::views {

/// Positions of a slider and the values they stand for: linear or logarithmic, rounded so that a
/// reader would have typed the value.
class ValueScale
{
public:
    static constexpr int kPositions = 1000;

    ValueScale() = default;
    ValueScale(const scenario::Spec& spec, bool integer);

    /// Whether the parameter has a range that a slider can show.
    [[nodiscard]] bool isUsable() const { return m_to > m_from; }
    [[nodiscard]] int positions() const { return m_positions; }
    [[nodiscard]] double valueAt(int position) const;
    [[nodiscard]] int positionOf(double value) const;

private:
    double m_from = 0;
    double m_to = 0;
    bool m_log = false;
    bool m_integer = false;
    int m_positions = kPositions;
};

/// A token for the edits of one gesture, different from all before.
quint64 nextGesture();

/// A slider over a ValueScale with a mark for the preset's value and a ring for the baseline's. One
/// drag is one gesture; so is one key held down.
class ValueSlider : public QSlider
{
    Q_OBJECT

public:
    explicit ValueSlider(const ValueScale& scale, QWidget* parent = nullptr);

    void setCurrent(double value);
    [[nodiscard]] double current() const { return m_value; }
    void setMarks(std::optional<double> preset, std::optional<double> baseline);
    [[nodiscard]] QSize sizeHint() const override { return {160, 20}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {60, 20}; }
    /// Middle of the handle, and the place of a position; for tests.
    [[nodiscard]] QPoint handleCentre() const;
    [[nodiscard]] int pixelOf(int position) const;

Q_SIGNALS:
    void moved(double value, quint64 gesture);
    void gestureFinished();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] int positionAt(int x) const;
    void moveTo(int position);
    void follow(int x);

    ValueScale m_scale;
    double m_value = 0;
    double m_startValue = 0;
    int m_startPosition = 0;
    int m_grab = 0;
    int m_startPixel = 0;
    quint64 m_gesture = 0;
    std::optional<double> m_preset;
    std::optional<double> m_baseline;
};

} // namespace cw::views
