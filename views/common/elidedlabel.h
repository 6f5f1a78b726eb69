// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <vector>

namespace cw::views {

/// One line of text that is cut with an ellipsis where it does not fit, and asks for no width: a
/// new text is a repaint, never a new layout. Parts between <b> and </b> are strong.
class ElidedLabel final : public QLabel
{
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    void setText(const QString& text);
    [[nodiscard]] QString text() const { return m_text; }
    /// Asks for as much width as its text needs, in steps, so that a changing number seldom moves
    /// what stands beside it.
    void setKeepsWidth(bool keeps);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// Width of the whole text on one line.
    [[nodiscard]] double neededWidth() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Piece
    {
        QString text;
        bool strong = false;
    };
    [[nodiscard]] QFont fontOf(const Piece& piece) const;

    QString m_text;
    std::vector<Piece> m_pieces;
    bool m_keepsWidth = false;
    int m_width = 0;
};

} // namespace cw::views
