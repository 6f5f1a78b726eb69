// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QWidget>

namespace cw::views {

/// Holds one widget whose height follows from its width, and asks the layouts around it for a new
/// height only when that has changed. Without it each new number in a label that wraps its words
/// lays out the dock, and with it the whole window.
class LayoutGuard final : public QWidget
{
    Q_OBJECT

public:
    explicit LayoutGuard(QWidget* content, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override { return m_content->sizeHint(); }
    [[nodiscard]] QSize minimumSizeHint() const override { return m_content->minimumSizeHint(); }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* m_content;
    mutable QHash<int, int> m_told; ///< heights that the layouts know, by width
};

} // namespace cw::views
