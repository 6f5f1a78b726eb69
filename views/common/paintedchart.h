// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/theme/theme.h"

#include <QImage>
#include <QPixmap>
#include <QStringList>
#include <QWidget>
#include <optional>
#include <vector>

class QIODevice;

namespace cw::views {

/// The figures behind a picture, as text: what is copied and what the table twin shows.
struct ChartTable
{
    QStringList header;
    std::vector<QStringList> rows;
    [[nodiscard]] QString tsv() const;
};

/// What ChartFrame needs of any chart, painted or of Qt Charts.
class ChartContent
{
public:
    ChartContent() = default;
    virtual ~ChartContent() = default;
    ChartContent(const ChartContent&) = delete;
    ChartContent& operator=(const ChartContent&) = delete;

    virtual QWidget* widget() = 0;
    /// Paints the chart into a rectangle; the same for screen, picture and vector file.
    virtual void renderTo(QPainter& painter, const QRectF& bounds, const Theme& theme) = 0;
    [[nodiscard]] virtual ChartTable table() const = 0;
};

/// A place that can be pointed at.
struct Mark
{
    QRectF rect;
    QString tooltip;    ///< lines; the first is set strong, a tab in it sends the rest to the right
    QString accessible; ///< one spoken line
    QString quantity;   ///< path such as "memory.peak_bytes"; empty when nothing explains it
    int tag = -1;       ///< meaning is the chart's own
    double turn = 0.0;  ///< degrees the rectangle is turned about its centre
    bool walkable = true; ///< false: pointer only, the keyboard passes it by
};

/// Base of every chart painted with QPainter. Subclasses give paint(), marks() and table(); here
/// are tip, click, keyboard walk, focus ring and pictures.
class PaintedChart : public QWidget, public ChartContent
{
    Q_OBJECT

public:
    explicit PaintedChart(QWidget* parent = nullptr);
    ~PaintedChart() override;

    /// Draws the chart, without hover and focus; must not depend on the widget's size.
    virtual void paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const = 0;
    /// What is dense and changes seldom, below paint(): on screen it is kept as a picture on the
    /// card's colour until invalidate().
    virtual void paintGround(QPainter&, const QRectF&, const Theme&) const {}
    [[nodiscard]] virtual bool hasGround() const { return false; }
    /// Marks in the coordinates of bounds, later ones lie on top.
    [[nodiscard]] virtual std::vector<Mark> marks(const QRectF& bounds) const = 0;
    [[nodiscard]] virtual bool isEmpty() const = 0;

    [[nodiscard]] QString tsv() const { return table().tsv(); }
    /// Shown instead of the chart while it has no data: says in words why.
    void setEmptyText(const QString& text);
    [[nodiscard]] QString emptyText() const { return m_emptyText; }

    /// Mark with the focus ring, -1 for none.
    [[nodiscard]] int focusedMark() const { return m_focused; }
    void setFocusedMark(int index);
    [[nodiscard]] const std::vector<Mark>& currentMarks() const;
    [[nodiscard]] virtual int markAt(const QPointF& position) const;

    QWidget* widget() override { return this; }
    void renderTo(QPainter& painter, const QRectF& bounds, const Theme& theme) override;

Q_SIGNALS:
    void quantityClicked(const QString& path);
    /// Pointer or keyboard came to a mark (its quantity), or left all marks (empty).
    void quantityHovered(const QString& path);

protected:
    /// Call after every change of data.
    void invalidate();
    /// Where the ground stays as it is.
    void invalidateFigures();
    /// Called for a click or Enter on a mark, before quantityClicked.
    virtual void activateMark(const Mark& mark);
    /// Texts of a mark; charts of very many marks make them only when asked.
    [[nodiscard]] virtual QString markTip(const Mark& mark) const { return mark.tooltip; }
    [[nodiscard]] virtual QString markSpoken(const Mark& mark) const { return mark.accessible; }
    virtual void hoverChanged(int mark);
    /// Outline of the mark under the pointer; default one-pixel ring.
    virtual void paintHover(QPainter& painter, const Mark& mark, const Theme& theme) const;
    [[nodiscard]] int hoveredMark() const { return m_hovered; }
    void setHovered(int index);
    /// The marks lie elsewhere, the data are the same.
    void forgetMarks();

    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    void activate(int index);
    bool walk(int step);
    void paintKept(QPainter& painter, const Theme& theme);

    QPixmap m_ground; ///< null: to be painted
    QSize m_hint;     ///< as the layout knows them
    QSize m_leastHint;
    mutable std::optional<std::vector<Mark>> m_marks;
    QString m_emptyText;
    int m_hovered = -1;
    int m_focused = -1;
    int m_pressed = -1;
    bool m_keyboard = false; ///< the focus came by keyboard, so it is shown
};

/// Tip text of a mark as rich text.
QString tipHtml(const QString& plain);
/// Picture of a chart with its title above.
QImage chartImage(ChartContent& chart, const QString& title, const QString& subtitle,
                  const Theme& theme, const QSize& size, double pixelRatio);
bool writeChartSvg(ChartContent& chart, const QString& title, const QString& subtitle,
                   const Theme& theme, const QSize& size, QIODevice& device);

} // namespace cw::views
