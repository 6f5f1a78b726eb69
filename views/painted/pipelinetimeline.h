// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/paintedchart.h"

#include <array>
#include <functional>

namespace cw::views {

enum class BlockKind : std::uint8_t
{
    Forward,
    Backward, ///< input and weight gradient, or the input gradient alone when Weight blocks exist
    Weight,   ///< weight gradient of a split backward pass
    Other     ///< data parallel, optimizer, jitter: coloured by series
};

struct TimelineBlock
{
    int stage = 0;
    double start = 0.0; ///< seconds from the begin of the step
    double end = 0.0;
    BlockKind kind = BlockKind::Forward;
    int microBatch = 0;
    int chunk = 0;
    Series series = Series::Other;
};

struct TimelineData
{
    int stages = 0;
    int chunks = 1;
    double end = 0.0; ///< seconds of the whole step
    std::vector<TimelineBlock> blocks;
    std::function<QString(int)> stageName;   ///< default "stage 3"
    std::function<QString(double)> timeText; ///< tick text of seconds
    std::function<QString(const TimelineBlock&)> tooltip;
    QString quantity; ///< explained by a click on any block
};

/// Blocks of a pipeline step by stage over time. The wheel zooms at the pointer, dragging pans,
/// the strip below shows the whole step and the window in it.
class PipelineTimeline : public PaintedChart
{
    Q_OBJECT

public:
    explicit PipelineTimeline(QWidget* parent = nullptr);
    void setData(TimelineData figures);
    void setWindow(double from, double to);
    [[nodiscard]] double windowFrom() const { return m_from; }
    [[nodiscard]] double windowTo() const { return m_to; }
    [[nodiscard]] QRectF stripRect() const;
    [[nodiscard]] QRectF plotRect() const;

    void paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const override;
    [[nodiscard]] std::vector<Mark> marks(const QRectF& bounds) const override;
    [[nodiscard]] bool isEmpty() const override { return m_data.stages <= 0; }
    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override { return {800, 320}; }
    /// Colour of a block; shades tell the chunks apart.
    [[nodiscard]] static QColor blockColour(const TimelineBlock& block, int chunks,
                                            const Theme& theme);

Q_SIGNALS:
    void windowChanged(double from, double to);
    /// Index into the blocks in the order they were given.
    void blockClicked(int index);

protected:
    void activateMark(const Mark& mark) override;
    [[nodiscard]] QString markTip(const Mark& mark) const override;
    [[nodiscard]] QString markSpoken(const Mark& mark) const override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Layout;
    enum class Drag : std::uint8_t
    {
        None,
        Pan,
        StripMove,
        StripLeft,
        StripRight
    };

    [[nodiscard]] Layout layoutFor(const QRectF& bounds) const;
    /// Range of m_order of one stage that touches [from, to).
    [[nodiscard]] std::pair<std::size_t, std::size_t> visible(int stage, double from,
                                                              double to) const;
    void zoom(double factor, double at);
    void paintAxis(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintRow(QPainter& painter, const Layout& l, int stage, const Theme& theme) const;
    void paintBlock(QPainter& painter, const QRectF& box, const TimelineBlock& block,
                    const Theme& theme) const;
    void paintStrip(QPainter& painter, const Layout& l, const Theme& theme) const;
    /// Colours by kind, then chunk.
    [[nodiscard]] std::vector<std::array<double, 3>> colourTable(const Theme& theme) const;
    [[nodiscard]] QImage density(int firstStage, int stageCount, double from, double to, int width,
                                 const Theme& theme) const;
    [[nodiscard]] const QImage& denseRows(int width, const Theme& theme) const;
    [[nodiscard]] QString timeText(double seconds, double step) const;
    [[nodiscard]] QString stageText(int stage) const;

    TimelineData m_data;
    std::vector<std::uint32_t> m_order;    ///< by stage, then start
    std::vector<std::size_t> m_stageBegin; ///< into m_order, stages + 1 entries
    double m_from = 0.0;
    double m_to = 1.0;
    Drag m_drag = Drag::None;
    bool m_moved = false;
    QPointF m_pressAt;
    double m_pressFrom = 0.0;
    double m_pressTo = 0.0;
    mutable QImage m_strip;
    mutable bool m_stripDark = false;
    mutable QImage m_rows; ///< merged rows of the window last painted
    mutable bool m_rowsDark = false;
    mutable double m_rowsFrom = 0.0;
    mutable double m_rowsTo = 0.0;
};

} // namespace cw::views
