// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace cw::views {

/// Colours of a pipeline timeline: each kind of pass with a swatch for each chunk, and the bubble.
class TimelineLegend final : public QWidget
{
    Q_OBJECT

public:
    explicit TimelineLegend(QWidget* parent = nullptr);
    /// `weights`: whether the weight gradient has blocks of its own.
    void setParts(int chunks, bool weights, const QString& bubble);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int m_chunks = 0; ///< 0: nothing to tell
    bool m_weights = false;
    QString m_bubble;
};

} // namespace cw::views
